/** Where the page gets its engine and its scene: from the server of `cardan view`, from one self-contained file, or from any web server. */

import { decompress } from "fzstd";
import type { GalleryData } from "./ui/gallery";

/** What the server or `cardan view -o` writes into the page. */
interface Boot {
  scene?: { name: string; text: string };
  /** Files that the scene names, base64. */
  files?: Record<string, string>;
  /** The server tells of changes of the file. */
  live?: boolean;
}

export interface SceneSource { name: string; text: string; base: string; files?: Record<string, Uint8Array> }

const boot: Boot = JSON.parse(document.getElementById("cardan-boot")?.textContent || "{}");

export const isLive = boot.live === true;

/** The compiled engine. It is packed by zstd, whose window covers the whole module; browsers unpack gzip only, a third larger. */
export async function engineModule(): Promise<WebAssembly.Module> {
  const embedded = document.getElementById("cardan-engine")?.textContent;
  const packed = embedded ? fromBase64(embedded) : await fetchBytes("engine.wasm.zst");
  return WebAssembly.compile(decompress(packed) as BufferSource);
}

/** Groups and pictures of the gallery; null where they are not at hand (one self-contained file). */
export async function galleryData(): Promise<GalleryData | null> {
  if (document.getElementById("cardan-engine")) return null;
  try { return JSON.parse(new TextDecoder().decode(await fetchPacked("gallery.json.gz"))) as GalleryData; } catch { return null; }
}

/** A file beside the page. */
async function fetchBytes(name: string): Promise<Uint8Array> {
  const answer = await fetch(new URL(name, document.baseURI));
  if (!answer.ok) throw new Error(`${name}: ${answer.status} ${answer.statusText}`);
  return new Uint8Array(await answer.arrayBuffer());
}

/** A file beside the page that is stored compressed. Servers may have unpacked it already. */
async function fetchPacked(name: string): Promise<Uint8Array> {
  const bytes = await fetchBytes(name);
  return bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzip(bytes) : bytes;
}

/** The scene that the page was opened with, if any. */
export function givenScene(): SceneSource | null {
  if (!boot.scene) return null;
  const files = Object.fromEntries(Object.entries(boot.files ?? {}).map(([path, data]) => [path, fromBase64(data)]));
  return { ...boot.scene, base: new URL("files/", document.baseURI).href, files };
}

/** `?scene=`: the name of a bundled scene, or the address of a file. */
export function askedScene(): string | null { return new URLSearchParams(location.search).get("scene"); }

/** Reads a scene by its address. */
export async function fetchScene(address: string): Promise<SceneSource> {
  const url = new URL(address, document.baseURI);
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`${address}: ${answer.status} ${answer.statusText}`);
  return { name: url.pathname.split("/").pop() || "scene.toml", text: await answer.text(), base: new URL(".", url).href };
}

/** Calls back whenever the file behind the page is saved; says whether the server is still there. */
export function watchFile(changed: (scene: { name: string; text: string }) => void, connected: (on: boolean) => void): void {
  const events = new EventSource(new URL("events", document.baseURI));
  events.onmessage = (event: MessageEvent<string>) => changed(JSON.parse(event.data) as { name: string; text: string });
  events.onopen = () => connected(true);
  events.onerror = () => connected(false);
}

export function fromBase64(text: string): Uint8Array {
  const binary = atob(text.trim().replaceAll("-", "+").replaceAll("_", "/"));
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

export function toBase64(bytes: Uint8Array): string {
  let binary = "";
  for (let i = 0; i < bytes.length; i += 0x8000) binary += String.fromCharCode(...bytes.subarray(i, i + 0x8000));
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

async function through(bytes: Uint8Array, stream: CompressionStream | DecompressionStream): Promise<Uint8Array> {
  const piped = new Blob([bytes as BlobPart]).stream().pipeThrough(stream as unknown as ReadableWritablePair<Uint8Array, Uint8Array>);
  return new Uint8Array(await new Response(piped as unknown as BodyInit).arrayBuffer());
}

export function gunzip(bytes: Uint8Array): Promise<Uint8Array> { return through(bytes, new DecompressionStream("gzip")); }
export function gzip(bytes: Uint8Array): Promise<Uint8Array> { return through(bytes, new CompressionStream("gzip")); }
