/** The page's end of the worker: commands as promises, frames as they come, a new worker when one dies. */

import type { EngineError } from "../engine";
import type { Command, Frame, FromWorker, Replies, ToWorker } from "../protocol";
import EngineWorker from "./worker?worker&inline";

/** Without an answer for so long, a worker is taken to be stuck [ms]; commands that load, look or run may take longer. */
const PATIENCE = 12_000;
const MORE_PATIENCE = 120_000;
const SLOW = new Set<Command["do"]>(["load", "reload", "reset", "doctor", "prove", "timeFrames", "openRecording", "restore", "stepBack", "seek"]);

/** An error of the engine as an exception. */
export class EngineFailure extends Error {
  constructor(readonly error: EngineError) { super(error.message); }
}

type ReplyOf<C extends Command["do"]> = C extends keyof Replies ? Replies[C] : undefined;

export interface ClientEvents {
  frame(frame: Frame): void;
  stopped(error: EngineError): void;
  /** The worker died; a new one is ready. Load the scene again, with the state if there is one. */
  restarted(message: string, state: Uint8Array | undefined): void;
}

export class EngineClient {
  version = "";
  private worker: Worker | null = null;
  private nextId = 1;
  private readonly waiting = new Map<number, { resolve(value: unknown): void; reject(reason: unknown): void; patience: number }>();
  private saved: Uint8Array | undefined;
  private newest: Frame | null = null;
  /** Time without a sign of the worker while the page itself was awake [ms]. */
  private silence = 0;
  private looked = 0;
  private owed = false;
  private running = false;

  constructor(private readonly engine: Promise<Uint8Array>, private readonly events: ClientEvents) {
    setInterval(() => this.watch(), 1000);
  }

  /** Starts the worker; resolves when the engine is there. */
  async start(): Promise<void> {
    const worker = new EngineWorker();
    this.worker = worker;
    const engine = await this.engine;
    await new Promise<void>((resolve, reject) => {
      worker.onmessage = (event: MessageEvent<FromWorker>) => {
        const message = event.data;
        if (message.type === "ready") { this.version = message.version; resolve(); } else this.receive(message);
      };
      worker.onerror = (event) => {
        event.preventDefault();
        reject(new Error(event.message || "the worker could not start"));
        // One that never answered would fail again.
        if (worker === this.worker && this.version) void this.revive(event.message);
      };
      this.post({ type: "start", engine });
    });
    this.silence = 0;
  }

  /** Sends a command; rejects with `EngineFailure`. */
  send<C extends Command>(command: C): Promise<ReplyOf<C["do"]>> {
    const id = this.nextId++;
    if (this.waiting.size === 0) this.silence = 0;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve: resolve as (value: unknown) => void, reject, patience: SLOW.has(command.do) ? MORE_PATIENCE : PATIENCE });
      this.post({ type: "command", id, command });
    });
  }

  /** Sends a command whose failure only matters to the log. */
  tell(command: Command): void {
    this.send(command).catch((failure: unknown) => console.info("refused:", failure instanceof Error ? failure.message : failure));
  }

  /** The newest frame that was not drawn yet; asking for it asks the worker for the next. */
  take(): Frame | null {
    const frame = this.newest;
    this.newest = null;
    if (frame) {
      this.owed = true;
      this.post({ type: "drawn" });
    }
    return frame;
  }

  private post(message: ToWorker): void { this.worker?.postMessage(message); }

  private receive(message: FromWorker): void {
    this.silence = 0;
    switch (message.type) {
      case "reply": this.waiting.get(message.id)?.resolve(message.result); this.waiting.delete(message.id); break;
      case "failed": this.waiting.get(message.id)?.reject(new EngineFailure(message.error)); this.waiting.delete(message.id); break;
      case "frame":
        this.owed = false;
        this.running = message.frame.playing;
        this.newest = message.frame;
        if (message.frame.saved) this.saved = message.frame.saved;
        this.events.frame(message.frame);
        break;
      case "stopped": this.events.stopped(message.error); break;
      case "dead": void this.revive(message.message); break;
      case "ready": break;
    }
  }

  /** A step that never ends shows as silence while something is owed. A machine that slept is no sign: worker and page slept both. */
  private watch(): void {
    const now = performance.now();
    this.silence += Math.min(now - this.looked, 1500);
    this.looked = now;
    // Answers come in order: the first question tells how long silence may be.
    const first = this.waiting.values().next();
    const patience = !first.done ? first.value.patience : this.owed && this.running ? PATIENCE : Infinity;
    if (this.worker && this.silence > patience) void this.revive("the engine did not answer");
  }

  private async revive(message: string): Promise<void> {
    this.worker?.terminate();
    this.worker = null;
    this.newest = null;
    for (const { reject } of this.waiting.values()) reject(new EngineFailure({ kind: "run", message, rendered: message }));
    this.waiting.clear();
    const state = this.saved;
    this.saved = undefined;
    this.owed = this.running = false;
    await this.start();
    this.events.restarted(message, state);
  }
}
