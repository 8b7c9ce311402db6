/** The worker that owns the engine. It speaks as protocol.ts says and nothing else. */

import init, { setup, version } from "cardan-engine";
import { decompress } from "fzstd";
import type { FromWorker, ToWorker } from "../protocol";
import { Session, engineError } from "./session";

const port = self as unknown as { postMessage(message: FromWorker, transfer?: Transferable[]): void };
let session: Session | null = null;
/** Whether the page has drawn the last frame. */
let drawn = true;
/** Whether there is something that the page has not seen. */
let changed = false;
/** Commands are obeyed in order, also those that wait for files. */
let queue: Promise<void> = Promise.resolve();

self.onmessage = (event: MessageEvent<ToWorker>) => {
  const message = event.data;
  if (message.type === "drawn") {
    drawn = true;
    guarded(advance);
  } else {
    queue = queue.then(() => handle(message));
  }
};

async function handle(message: Exclude<ToWorker, { type: "drawn" }>): Promise<void> {
  if (message.type === "start") {
    const module = await WebAssembly.compile(decompress(message.engine) as BufferSource);
    const { memory } = (await init({ module_or_path: module })) as { memory: WebAssembly.Memory };
    setup();
    session = new Session(() => memory.buffer.byteLength);
    port.postMessage({ type: "ready", version: version() });
    return;
  }
  try {
    const result = await session!.obey(message.command);
    port.postMessage({ type: "reply", id: message.id, result });
    changed = true;
  } catch (thrown) {
    try {
      port.postMessage({ type: "failed", id: message.id, error: engineError(thrown) });
    } catch (panic) {
      die(panic);
      return;
    }
  }
  guarded(advance);
}

/** One tick if the page has drawn the last one; a frame if there is news. */
function advance(): void {
  if (!session?.isLoaded || !drawn || !(session.isBusy || changed)) return;
  const now = performance.now();
  session.tick(now);
  const { frame, buffers } = session.frame(now);
  drawn = false;
  changed = false;
  port.postMessage({ type: "frame", frame }, buffers);
  if (session.stopped) {
    port.postMessage({ type: "stopped", error: session.stopped });
    session.stopped = null;
  }
}

function guarded(work: () => void): void {
  try { work(); } catch (panic) { die(panic); }
}

/** A panic leaves the engine's memory in any state: the page starts a new worker from the last good state. */
function die(panic: unknown): void {
  session = null;
  port.postMessage({ type: "dead", message: panic instanceof Error ? panic.message : String(panic) });
}
