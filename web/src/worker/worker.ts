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
let begin: () => void = () => {};
/** Commands are obeyed in order, also those that wait for files, and from when the engine is there. */
let queue = new Promise<void>((resolve) => { begin = resolve; });

self.onmessage = (event: MessageEvent<ToWorker>) => {
  const message = event.data;
  if (message.type === "drawn") {
    drawn = true;
    guarded(advance);
  } else if (message.type === "start") {
    // What goes wrong here becomes an error of the worker, which the page hears.
    start(message.engine).catch((failure: unknown) => setTimeout(() => { throw failure; }));
  } else {
    queue = queue.then(() => handle(message));
  }
};

async function start(engine: Uint8Array): Promise<void> {
  const module = await WebAssembly.compile(decompress(engine) as BufferSource);
  const { memory } = (await init({ module_or_path: module })) as { memory: WebAssembly.Memory };
  setup();
  session = new Session(() => memory.buffer.byteLength);
  port.postMessage({ type: "ready", version: version() });
  begin();
}

async function handle(message: Extract<ToWorker, { type: "command" }>): Promise<void> {
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
