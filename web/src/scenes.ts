/** A scene that the page can open. */

import type { EngineClient } from "./worker/client";

export interface SceneRef {
  name: string;
  text: string;
  /** Address of its folder, for the files that it names. */
  base?: string;
  files?: Record<string, Uint8Array>;
  /** Name of the bundled scene that this is. */
  bundled?: string;
  /** The text was changed: a share link carries it. */
  own?: boolean;
}

/** A bundled scene by its name; null if there is none. */
export async function bundledName(client: EngineClient, name: string): Promise<SceneRef | null> {
  const found = await client.send({ do: "bundled", name });
  return found === null ? null : { name: found.name, text: found.text, bundled: name };
}
