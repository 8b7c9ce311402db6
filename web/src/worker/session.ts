/** One scene in the engine: obeys the commands of the page, runs by the clock, makes frames. */

import { Engine, Files, bundledText, gallery } from "cardan-engine";
import type { EngineError, EngineOptions, SceneInfo, Stats } from "../engine";
import type { Command, Frame } from "../protocol";
import { Pace } from "./pace";

/** Most engine work in one tick [ms]: the page asks for the next one when it has drawn. */
const BUDGET = 24;
/** Most work to find out how far a scene moves [ms]. */
const LOOK_AHEAD = 90;
/** Clock time between two noted points of a path [s]. */
const PATH_STEP = 0.012;
/** How often a state is kept for a new worker [ms]. */
const SAVE_EVERY = 1000;

type Vec3 = [number, number, number];

/** What the hand holds; it outlives a change between running and paused. */
interface Held { body: number; piece: number; inBody: Vec3; frequency: number; to: Vec3 | null; paused: boolean }

/** The error that the engine threw; anything else is a panic and goes on. */
export function engineError(thrown: unknown): EngineError {
  if (typeof thrown !== "string") throw thrown;
  try { return JSON.parse(thrown) as EngineError; } catch { /* not JSON: a message */ }
  return { kind: "run", message: thrown, rendered: thrown };
}

/** Where a file of a scene is: below the scene's own folder and nowhere else, whatever a text from elsewhere says. */
export function fileAddress(path: string, base: string): string | null {
  const words = path.split("/");
  if (!base || words.some((word) => word === "" || word === "." || word === ".." || /[\\:\0]/.test(word))) return null;
  const folder = new URL(".", base).href;
  const address = new URL(words.map(encodeURIComponent).join("/"), folder).href;
  return address.startsWith(folder) ? address : null;
}

export class Session {
  private engine: Engine | null = null;
  private files = new Files();
  /** What is in `files`: bytes, or null for what is not there. */
  private known = new Map<string, Uint8Array | null>();
  private base = "";
  private serial = 0;
  private playing = false;
  private speed = 1;
  private readonly pace = new Pace();
  private keepsUp = true;
  private work = 0;
  private shows = { contacts: false, reactions: false, forces: false, drives: false };
  private watched = new Uint32Array();
  private held: Held | null = null;
  private savedAt = 0;
  private hasProbes = false;
  private readonly paths: number[] = [];
  /** Set when a step failed; the page is told once. */
  stopped: EngineError | null = null;

  /** `memory` is how much the engine has taken, in bytes. */
  constructor(private readonly memory: () => number) {}

  get isPlaying(): boolean { return this.playing; }
  /** Whether the next tick would change something: running, or a paused mechanism follows the hand. */
  get isBusy(): boolean { return this.engine !== null && (this.playing || this.held !== null); }
  get isLoaded(): boolean { return this.engine !== null; }

  /** Runs by the clock, or lets a paused mechanism follow the hand. */
  tick(now: number): void {
    const engine = this.engine;
    if (!engine) return;
    const start = performance.now();
    try {
      if (this.playing) {
        const goal = this.pace.aim(now, this.speed);
        this.advance(engine, goal);
        this.keepsUp = this.pace.reached(now, engine.time(), engine.dt()) || engine.isReplayed();
        if (engine.isReplayed()) this.pause();
      } else if (this.held?.to) {
        engine.drag(...this.held.to);
      }
    } catch (thrown) {
      this.stopped = engineError(thrown);
      this.playing = false;
    }
    this.work = performance.now() - start;
  }

  /** Steps to the goal, noting the path of the probes on the way so that curves are round at any frame rate. */
  private advance(engine: Engine, goal: number): void {
    this.paths.length = 0;
    const end = performance.now() + BUDGET;
    const piece = Math.max(PATH_STEP * this.speed, engine.dt());
    for (let left = BUDGET; left > 0; left = end - performance.now()) {
      const next = this.hasProbes ? Math.min(goal, engine.time() + piece) : goal;
      const steps = engine.stepTo(next + 1e-9 * engine.dt(), left);
      if (steps === 0 || next >= goal) break;
      const probes = engine.probes();
      this.paths.push(engine.time());
      for (let i = 0; i < probes.length; i += 6) this.paths.push(probes[i]!, probes[i + 1]!, probes[i + 2]!);
    }
  }

  frame(now: number): { frame: Frame; buffers: ArrayBuffer[] } {
    const engine = this.engine!;
    const frame: Frame = {
      serial: this.serial,
      time: engine.time(),
      steps: engine.steps(),
      poses: engine.poses(),
      motions: engine.motions(),
      deformations: engine.deformations(),
      coordinates: engine.coordinates(),
      probes: engine.probes(),
      outlines: engine.outlines(),
      grips: engine.grips(),
      nails: engine.nails(),
      recording: engine.isRecording(),
      hash: engine.hash(),
      stats: JSON.parse(engine.stats()) as Stats,
      events: JSON.parse(engine.takeEvents()),
      playing: this.playing,
      speed: this.playing ? this.pace.speed() : 0,
      keepsUp: this.keepsUp,
      work: this.work,
    };
    frame.stats.memory = this.memory();
    const playback = engine.playback();
    if (playback.length) frame.playback = playback;
    if (this.paths.length) {
      frame.paths = Float64Array.from(this.paths);
      this.paths.length = 0;
    }
    const optional = (read: () => Float64Array): Float64Array | undefined => {
      try { return read(); } catch (thrown) { engineError(thrown); return undefined; }
    };
    const put = (key: "contacts" | "reactions" | "forces" | "gripForce" | "drives" | "channels", read: () => Float64Array) => {
      const array = optional(read);
      if (array) frame[key] = array;
    };
    if (this.shows.contacts) put("contacts", () => engine.contacts());
    if (this.shows.reactions) put("reactions", () => engine.reactions());
    if (this.shows.forces) put("forces", () => engine.forces());
    if (this.shows.drives) put("drives", () => engine.drives());
    if (this.held && this.playing) put("gripForce", () => engine.gripForce());
    if (this.watched.length > 0) put("channels", () => engine.channels(this.watched));
    if (now - this.savedAt > SAVE_EVERY) {
      this.savedAt = now;
      frame.saved = engine.save();
    }
    const buffers: ArrayBuffer[] = [];
    for (const value of Object.values(frame)) {
      if (ArrayBuffer.isView(value)) buffers.push(value.buffer as ArrayBuffer);
    }
    return { frame, buffers };
  }

  async obey(command: Command): Promise<unknown> {
    if (command.do === "gallery") return JSON.parse(gallery());
    if (command.do === "bundled") {
      const text = bundledText(command.name);
      const ending = !text?.trimStart().startsWith("<") ? "toml" : text.includes("<mujoco") ? "xml" : text.includes("<sdf") ? "sdf" : "urdf";
      return text === undefined ? null : { name: /\.\w+$/.test(command.name) ? command.name : `${command.name}.${ending}`, text };
    }
    if (command.do === "prove") return this.prove(command.name, command.until, command.set ?? []);
    if (command.do === "timeFrames") return this.timeFrames(command.name, command.seconds);
    if (command.do === "load") return this.load(command);
    if (command.do === "openRecording") return this.openRecording(command);
    if (command.do === "files") return Object.fromEntries([...this.known].filter(([, bytes]) => bytes !== null));
    const engine = this.engine;
    if (!engine) throw JSON.stringify({ kind: "run", message: "no scene is loaded", rendered: "no scene is loaded" });
    switch (command.do) {
      case "reload": {
        this.letGo();
        // What was not there may be there now.
        for (const [path, bytes] of this.known) if (bytes === null || command.changed?.includes(path)) this.forget(path);
        const adopted = await this.withFiles(() => engine.reload(command.name, command.text, this.files));
        this.serial++;
        this.restart();
        return { ...this.about(), adopted: JSON.parse(adopted) };
      }
      case "reset": this.letGo(); engine.reset(); this.pause(); return this.restart();
      case "play": return this.play(command.speed);
      case "pause": return this.pause();
      case "step": this.letGo(); this.pause(); engine.step(); return;
      case "stepBack": this.letGo(); this.pause(); return engine.stepBack();
      case "seek": this.pause(); this.letGo(); engine.seek(command.time, 200); return;
      case "setDt": engine.setDt(command.dt); return this.restart();
      case "setSleep": engine.setSleep(command.on); return;
      case "show": this.shows = command; return;
      case "watch": this.watched = Uint32Array.from(command.channels); return;
      case "pick": return JSON.parse(engine.pick(...command.origin, ...command.direction, command.radius));
      case "grab": return this.grab(command);
      case "drag":
        if (!this.held) return;
        this.held.to = command.to;
        if (this.playing) engine.drag(...command.to);
        return;
      case "release": return this.letGo();
      case "nail": return engine.nail(command.body, command.piece, ...command.inBody);
      case "unnail": engine.unnail(command.nail); return;
      case "setDrive": engine.setDrive(command.drive, command.value); return;
      case "clearDrive": engine.clearDrive(command.drive); return;
      case "setCoordinate": this.letGo(); this.pause(); engine.setCoordinate(command.coordinate, command.value); return;
      case "undo": this.letGo(); return this.restart(engine.undo());
      case "redo": this.letGo(); return this.restart(engine.redo());
      case "save": return engine.save();
      case "restore": this.letGo(); engine.restore(command.state); return this.restart();
      case "record": engine.record(); return;
      case "stopRecording": return engine.stopRecording();
      case "doctor": return JSON.parse(engine.doctor());
    }
  }

  private prove(name: string, until: number, set: string[]): object {
    const text = bundledText(name);
    if (text === undefined) throw JSON.stringify({ kind: "scene", message: `no bundled scene \`${name}\``, rendered: name });
    const engine = new Engine(name, text, this.files, JSON.stringify({ sleep: false, ring: 0, set } satisfies EngineOptions));
    try {
      const start = performance.now();
      const steps = engine.run(until);
      return { steps, hash: engine.hash(), seconds: (performance.now() - start) / 1000 };
    } finally {
      engine.free();
    }
  }

  private timeFrames(name: string, seconds: number): Float64Array {
    const text = bundledText(name);
    if (text === undefined) throw JSON.stringify({ kind: "scene", message: `no bundled scene \`${name}\``, rendered: name });
    const aside = new Session(this.memory);
    aside.engine = new Engine(name, text, aside.files, "");
    aside.shows = { contacts: true, reactions: false, forces: true, drives: false };
    const taken = new Float64Array(Math.round(60 * seconds));
    try {
      for (let k = 0; k < taken.length; k++) {
        const start = performance.now();
        aside.engine.stepTo((k + 1) / 60, 60_000);
        aside.frame(start);
        taken[k] = performance.now() - start;
      }
    } finally {
      aside.engine.free();
      aside.files.free();
    }
    return taken;
  }

  private async load(command: Extract<Command, { do: "load" }>): Promise<unknown> {
    const options = command.options ? JSON.stringify(command.options) : "";
    await this.withOwnFiles(command, () => {
      const fresh = new Engine(command.name, command.text, this.files, options);
      if (command.state) {
        try { fresh.restore(command.state); } catch (thrown) { fresh.free(); throw thrown; }
      }
      return fresh;
    });
    return { ...this.about(), reach: this.lookAhead(command.name, command.text, options) };
  }

  /** Makes and shows an engine whose files are its own: another scene may use the same names. On an error the old scene stays, with its files. */
  private async withOwnFiles(given: { base?: string; files?: Record<string, Uint8Array> }, make: () => Engine): Promise<void> {
    const old = { base: this.base, files: this.files, known: this.known };
    [this.base, this.files, this.known] = [given.base ?? "", new Files(), new Map()];
    try {
      for (const [path, bytes] of Object.entries(given.files ?? {})) this.keep(path, bytes);
      this.take(await this.withFiles(make));
    } catch (thrown) {
      this.files.free();
      [this.base, this.files, this.known] = [old.base, old.files, old.known];
      throw thrown;
    }
    old.files.free();
  }

  /** Another engine takes the place of the one that is shown. */
  private take(fresh: Engine): void {
    this.engine?.free();
    this.engine = fresh;
    this.serial++;
    this.playing = false;
    this.held = null;
    this.keepsUp = true;
    this.watched = new Uint32Array();
    this.savedAt = 0;
  }

  private async openRecording(command: Extract<Command, { do: "openRecording" }>): Promise<unknown> {
    await this.withOwnFiles(command, () => Engine.openRecording(command.recording, this.files));
    const [name, text] = [this.engine!.name(), this.engine!.sceneText()];
    const { options } = JSON.parse(command.recording) as { options: EngineOptions };
    return { ...this.about(), name, text, reach: this.lookAhead(name, text, JSON.stringify(options)) };
  }

  private keep(path: string, bytes: Uint8Array | null): void {
    this.known.set(path, bytes);
    if (bytes) this.files.set(path, bytes); else this.files.setAbsent(path);
  }

  private forget(path: string): void {
    this.known.delete(path);
    this.files.forget(path);
  }

  /** Where the bodies will be in the next seconds, by a second engine and for a few milliseconds: a view that fits from the start. */
  private lookAhead(name: string, text: string, options: string): Float64Array {
    const ahead = new Engine(name, text, this.files, options);
    const until = performance.now() + LOOK_AHEAD;
    let reach = new Float64Array();
    try {
      const start = ahead.time();
      // Roughly is enough: steps four times as long.
      ahead.setDt(Math.min(4 * ahead.dt(), Math.max(ahead.dt(), 0.005)));
      for (let k = 0; k <= 60; k++) {
        const [motions, probes] = [ahead.motions(), ahead.probes()];
        const bodies = motions.length / 9;
        const count = bodies + probes.length / 6;
        if (k === 0) reach = new Float64Array(count * 6).map((_, i) => (i % 6 < 3 ? Infinity : -Infinity));
        for (let i = 0; i < count; i++) {
          for (let axis = 0; axis < 3; axis++) {
            const value = i < bodies ? motions[9 * i + axis]! : probes[6 * (i - bodies) + axis]!;
            if (value < reach[6 * i + axis]!) reach[6 * i + axis] = value;
            if (value > reach[6 * i + 3 + axis]!) reach[6 * i + 3 + axis] = value;
          }
        }
        const left = until - performance.now();
        if (left <= 0) break;
        ahead.stepTo(start + (k + 1) * 0.05, left);
      }
    } catch (thrown) {
      engineError(thrown);
    } finally {
      ahead.free();
    }
    return reach;
  }

  private about(): object {
    const scene = JSON.parse(this.engine!.scene()) as SceneInfo;
    this.hasProbes = scene.probes.length > 0;
    return { serial: this.serial, scene, channels: JSON.parse(this.engine!.channelNames()) };
  }

  /** Tries; as long as the engine names a file that it lacks, fetches the file and tries again. */
  private async withFiles<T>(attempt: () => T): Promise<T> {
    for (let tries = 0; ; tries++) {
      try {
        return attempt();
      } catch (thrown) {
        const error = engineError(thrown);
        if (error.kind !== "file" || !error.file || this.known.has(error.file) || tries > 1000) throw thrown;
        // What is nowhere is noted: the engine then says what it cannot do without.
        this.keep(error.file, await this.fetchFile(error.file));
      }
    }
  }

  /** A file of the scene; null if there is none, or the engine reads none of its kind: robots do without such files. Any other failure
   *  is an error: a mesh that is left out because a server was busy would change the motion without a word. */
  private async fetchFile(path: string): Promise<Uint8Array | null> {
    // A scene without a folder has all its files with it.
    if (!this.base || this.base.startsWith("file:")) return null;
    const refuse = (why: string): never => {
      const message = `the file \`${path}\` ${why}`;
      throw JSON.stringify({ kind: "run", message, rendered: message } satisfies EngineError);
    };
    const address = fileAddress(path, this.base) ?? refuse("is not read: it is not in the folder of the scene or below");
    try {
      const answer = await fetch(address);
      if (answer.ok) return new Uint8Array(await answer.arrayBuffer());
      if ([404, 410, 415].includes(answer.status)) return null;
      return refuse(answer.status === 403 ? "is not given by the server: it is hidden, or not in the folder of the scene or below" : `cannot be fetched: ${answer.status} ${answer.statusText}`);
    } catch (failure) {
      if (typeof failure === "string") throw failure;
      return refuse(`cannot be fetched: ${failure instanceof Error ? failure.message : String(failure)}`);
    }
  }

  /** The clock starts from here. */
  private restart<T>(result?: T): T | undefined {
    if (this.engine) this.pace.start(performance.now(), this.engine.time());
    this.keepsUp = true;
    return result;
  }

  private play(speed: number): void {
    if (this.engine?.isReplayed()) this.engine.leaveRecording();
    this.speed = speed;
    this.stopped = null;
    if (this.playing) return;
    this.playing = true;
    this.restart();
    this.changeGrip();
  }

  private pause(): void {
    if (!this.playing) return;
    this.playing = false;
    this.keepsUp = true;
    this.changeGrip();
  }

  private grab(command: Extract<Command, { do: "grab" }>): void {
    this.letGo();
    const { body, piece, inBody, mode, frequency } = command;
    if (this.playing) this.engine!.grab(body, piece, ...inBody, mode, frequency);
    else this.engine!.manipulate(body, piece, ...inBody);
    this.held = { body, piece, inBody, frequency, to: null, paused: !this.playing };
  }

  /** The hand keeps its point when the mechanism starts or stops: a spring while it runs, f = m v while paused. */
  private changeGrip(): void {
    const held = this.held;
    if (!held || held.paused === !this.playing) return;
    this.engine!.release();
    this.held = null;
    this.grab({ do: "grab", body: held.body, piece: held.piece, inBody: held.inBody, mode: "spring", frequency: held.frequency });
    if (held.to) {
      this.held!.to = held.to;
      if (this.playing) this.engine!.drag(...held.to);
    }
  }

  private letGo(): void {
    if (!this.held) return;
    this.held = null;
    this.engine!.release();
  }
}
