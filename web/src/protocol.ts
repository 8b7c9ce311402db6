// Messages between the page and the worker that holds the engine. Types only, and no other way between the two.
//
// The page never blocks: it sends requests and draws the newest frame. The worker runs its own clock
// (about 60 times a second while playing) and sends one `frame` per tick, at most one that the page has
// not acknowledged (`drawn`), so that a slow page is not flooded.
//
// Requests with an `id` are answered by `reply` or `failed` with the same id, in order.

import type { Adopted, Doctor, EngineError, EngineOptions, EventInfo, GalleryEntry, GrabMode, PickInfo, SceneInfo, Stats, Channel } from "./engine";

/** Arrays of the instant, layouts as in engine.d.ts. The buffers are transferred. */
export interface Frame {
  /** Of which load or reload: frames of an earlier one are not shown. */
  serial: number;
  time: number;
  steps: number;
  poses: Float64Array;
  motions: Float64Array;
  deformations: Float64Array;
  coordinates: Float64Array;
  probes: Float64Array;
  /** Where the probes were between the last frame and this one: records of the time and x y z of each probe. */
  paths?: Float64Array;
  outlines: Float64Array;
  grips: Float64Array;
  /** Numbers of the nails, in the order of their records in `grips`. */
  nails: Uint32Array;
  recording: boolean;
  /** A recording is replayed: steps taken, steps of it, first step that differs or −1. */
  playback?: Float64Array;
  /** Present only while `show` asks for them. */
  contacts?: Float64Array;
  reactions?: Float64Array;
  forces?: Float64Array;
  gripForce?: Float64Array;
  drives?: Float64Array;
  /** Values of the watched channels, in the order of `watch`. */
  channels?: Float64Array;
  hash: string;
  stats: Stats;
  events: EventInfo[];
  playing: boolean;
  /** Simulated seconds per second of clock over the last half second. */
  speed: number;
  /** False: the engine could not keep up with the asked speed in the last tick. */
  keepsUp: boolean;
  /** Engine work of this tick [ms]. */
  work: number;
  /** About once a second: a state to go on from if the worker must be started again. */
  saved?: Uint8Array;
}

export type Command =
  | { do: "load"; name: string; text: string; options?: EngineOptions; state?: Uint8Array; base?: string /* address of the scene's folder, for files */; files?: Record<string, Uint8Array> }
  /** `changed`: files that the scene names and that are others now. */
  | { do: "reload"; name: string; text: string; changed?: string[] }
  | { do: "reset" }
  | { do: "play"; speed: number }
  | { do: "pause" }
  | { do: "step" }
  | { do: "stepBack" }
  | { do: "seek"; time: number }
  | { do: "setDt"; dt: number }
  | { do: "setSleep"; on: boolean }
  | { do: "show"; contacts: boolean; reactions: boolean; forces: boolean; drives: boolean }
  | { do: "watch"; channels: number[] }
  | { do: "pick"; origin: [number, number, number]; direction: [number, number, number]; radius: number }
  /** `manipulate` instead of `grab` while paused: the worker decides by its own state. */
  | { do: "grab"; body: number; piece: number; inBody: [number, number, number]; mode: GrabMode; frequency: number }
  | { do: "drag"; to: [number, number, number] }
  | { do: "release" }
  | { do: "nail"; body: number; piece: number; inBody: [number, number, number] }
  | { do: "unnail"; nail: number }
  | { do: "setDrive"; drive: number; value: number }
  | { do: "clearDrive"; drive: number }
  | { do: "setCoordinate"; coordinate: number; value: number }
  | { do: "undo" }
  | { do: "redo" }
  | { do: "save" }
  | { do: "restore"; state: Uint8Array }
  | { do: "record" }
  | { do: "stopRecording" }
  /** Shows a recording from its beginning; the run ends with it. It holds no files: they come from `base` and `files`, as for `load`. */
  | { do: "openRecording"; recording: string; base?: string; files?: Record<string, Uint8Array> }
  /** Files of the scene that were fetched or given. */
  | { do: "files" }
  | { do: "doctor" }
  | { do: "gallery" }
  /** The text of a bundled scene. */
  | { do: "bundled"; name: string }
  /** Runs a bundled scene from its start as `cardan run` does, beside the one that is shown: for tests of bits and speed. */
  | { do: "prove"; name: string; until: number; set?: string[] }
  /** Runs a bundled scene as the page shows it, 1/60 s after the other with everything that a picture needs: milliseconds of each. */
  | { do: "timeFrames"; name: string; seconds: number };

/** A scene that was loaded; its frames have the same serial. */
export interface Loaded { serial: number; scene: SceneInfo; channels: Channel[] }

/** What `reply` carries, by command; commands that are not here reply with `undefined`. */
export interface Replies {
  /** `reach`: six numbers per body, then per probe: least and greatest place over the first seconds, for the first view. */
  load: Loaded & { reach: Float64Array };
  reload: Loaded & { adopted: Adopted };
  openRecording: Loaded & { reach: Float64Array; name: string; text: string };
  files: Record<string, Uint8Array>;
  pick: PickInfo | null;
  stepBack: boolean;
  undo: boolean;
  redo: boolean;
  nail: number;
  save: Uint8Array;
  stopRecording: string;
  doctor: Doctor;
  gallery: GalleryEntry[];
  bundled: { name: string; text: string } | null;
  timeFrames: Float64Array;
  prove: { steps: number; hash: string; seconds: number };
}

export type ToWorker =
  /** First message: the engine, packed by zstd. Answered by `ready`. */
  | { type: "start"; engine: Uint8Array }
  | { type: "command"; id: number; command: Command } | { type: "drawn" };

export type FromWorker =
  | { type: "ready"; version: string }
  | { type: "reply"; id: number; result: unknown }
  | { type: "failed"; id: number; error: EngineError }
  | { type: "frame"; frame: Frame }
  /** A step failed while playing: the worker has paused; the state is that of the last good step. */
  | { type: "stopped"; error: EngineError }
  /** The engine panicked: start a new worker; the newest state that is known to be good. */
  | { type: "dead"; message: string; state?: Uint8Array };
