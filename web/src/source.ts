/** Where the page gets its engine and its scene: from the server of `cardan view`, from one self-contained file, or from any web server. */

import type { Shared } from "./share";
import type { GalleryData } from "./ui/gallery";

/** What the server or `cardan view -o` writes into the page. */
interface Boot {
  scene?: { name: string; text: string };
  /** Files that the scene names, base64. */
  files?: Record<string, string>;
  /** The server tells of changes of the file. */
  live?: boolean;
  /** The state that a self-contained file opens with. */
  shared?: Shared;
}

export interface SceneSource { name: string; text: string; base: string; files?: Record<string, Uint8Array> }

const boot: Boot = JSON.parse(document.getElementById("cardan-boot")?.textContent || "{}");

export const isLive = boot.live === true;
/** The page comes from this machine: a link to it opens nowhere else. */
export const isLocal = location.protocol === "file:" || ["127.0.0.1", "localhost", "[::1]"].includes(location.hostname);
/** The state that the page was saved with. */
export const savedState = boot.shared ?? null;

/** The engine as it is stored: packed by zstd, whose window covers the whole module (gzip, which browsers unpack, makes it a third
 *  larger). The worker unpacks and compiles it: a page that owns the module stands still while the browser optimises it. */
export async function packedEngine(): Promise<Uint8Array> {
  const embedded = document.getElementById("cardan-engine")?.textContent;
  return embedded ? fromBase64(embedded) : fetchBytes("engine.wasm.zst");
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

/** Reads a scene by its address, from the server of this page only: a link must not make a browser ask others. */
export async function fetchScene(address: string): Promise<SceneSource> {
  const url = new URL(address, document.baseURI);
  if (url.origin !== location.origin) throw new Error(`${url.origin} is another server: scenes are read from that of this page`);
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`${address}: ${answer.status} ${answer.statusText}`);
  return { name: url.pathname.split("/").pop() || "scene.toml", text: await answer.text(), base: new URL(".", url).href };
}

/** A file that was saved: its text and the files that it names and that are others now, or why it cannot be read. */
export interface News { name: string; text?: string; changed?: string[]; error?: string }

/** Calls back whenever the file behind the page is saved; says whether the server is still there. */
export function watchFile(changed: (news: News) => void, connected: (on: boolean) => void, wait = 1000): void {
  const events = new EventSource(new URL("events", document.baseURI));
  events.onmessage = (event: MessageEvent<string>) => changed(JSON.parse(event.data) as News);
  events.onopen = () => { wait = 1000; connected(true); };
  events.onerror = () => {
    connected(false);
    // Browsers come back by themselves, but not after an answer that is no stream.
    if (events.readyState === EventSource.CLOSED) setTimeout(() => watchFile(changed, connected, Math.min(wait * 2, 15_000)), wait);
  };
}

/** One page with everything: script, style, engine, scene and state; as `cardan view SCENE -o` writes it. */
export async function selfContained(name: string, text: string, files: Record<string, Uint8Array>, shared: Shared): Promise<Blob> {
  const own = (id: string) => document.getElementById(id)?.textContent ?? null;
  const embedded = own("cardan-engine");
  const decode = async (file: string) => new TextDecoder().decode(await fetchBytes(file));
  const script = embedded ? document.querySelector("script[type=module]")!.textContent! : await decode("app.js");
  const style = embedded ? document.querySelector("style")!.textContent! : await decode("app.css");
  const engine = embedded ?? standardBase64(await fetchBytes("engine.wasm.zst"));
  const packed = Object.fromEntries(Object.entries(files).map(([path, bytes]) => [path, standardBase64(bytes)]));
  const scene: Boot = { scene: { name, text }, files: packed, live: false, shared };
  const head = [...document.head.querySelectorAll("meta, title, link[rel=icon]")].map((tag) => tag.outerHTML).join("\n");
  return new Blob([`<!doctype html>\n<html lang="en">\n<head>\n${head}\n<style>${style}</style>\n</head>\n<body>\n<div id="app"></div>\n`,
    `<script type="application/json" id="cardan-boot">${JSON.stringify(scene).replaceAll("<", "\\u003c")}</script>\n`,
    `<script type="text/plain" id="cardan-engine">${engine}</script>\n<script type="module">`, script, "</script>\n</body>\n</html>\n"], { type: "text/html" });
}

export function fromBase64(text: string): Uint8Array {
  const binary = atob(text.trim().replaceAll("-", "+").replaceAll("_", "/"));
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

function standardBase64(bytes: Uint8Array): string {
  let binary = "";
  for (let i = 0; i < bytes.length; i += 0x8000) binary += String.fromCharCode(...bytes.subarray(i, i + 0x8000));
  return btoa(binary);
}

export function toBase64(bytes: Uint8Array): string {
  return standardBase64(bytes).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

async function through(bytes: Uint8Array, stream: CompressionStream | DecompressionStream): Promise<Uint8Array> {
  const piped = new Blob([bytes as BlobPart]).stream().pipeThrough(stream as unknown as ReadableWritablePair<Uint8Array, Uint8Array>);
  return new Uint8Array(await new Response(piped as unknown as BodyInit).arrayBuffer());
}

export function gunzip(bytes: Uint8Array): Promise<Uint8Array> { return through(bytes, new DecompressionStream("gzip")); }
export function gzip(bytes: Uint8Array): Promise<Uint8Array> { return through(bytes, new CompressionStream("gzip")); }
