/** Links that open the same state: everything is in the address fragment, which never leaves the browser. */

import { fromBase64, gunzip, gzip, toBase64 } from "./source";
import type { RigState } from "./view/rig";
import type { Layers } from "./view/mechanism";

export interface Shared {
  /** A bundled scene by name, or a text of its own. */
  scene?: string;
  name?: string;
  text?: string;
  /** Engine state, base64. */
  state: string;
  camera: RigState;
  layers: Partial<Layers>;
  /** Keys of the plotted values. */
  plots: string[];
}

export async function shareFragment(shared: Shared): Promise<string> {
  return `#state=${toBase64(await gzip(new TextEncoder().encode(JSON.stringify(shared))))}`;
}

export async function sharedState(fragment: string): Promise<Shared | null> {
  const packed = /^#state=([\w-]+)$/.exec(fragment)?.[1];
  if (!packed) return null;
  return JSON.parse(new TextDecoder().decode(await gunzip(fromBase64(packed)))) as Shared;
}
