// What the wasm module offers (crates/cardan-wasm over crates/cardan-view).
//
// Conventions
// * SI units and radians; right-handed world axes; quaternions are [w, x, y, z].
// * Bodies, joints, … are numbered as in the lists of `SceneInfo`; -1 is the ground.
// * Methods that return a typed array return a fresh one (one copy out of the wasm memory), which the
//   worker may transfer to the page as it is. Nothing is a view: views die when the memory grows.
// * Methods that return `string` return JSON of the type in the comment.
// * Every method that can fail throws a string: JSON of `EngineError`. The engine is unchanged then.
//   Anything else that is thrown is a panic (WebAssembly.RuntimeError): drop the worker, start a new
//   one, load the same text and `restore` the last `save()`.

/** Panics write their message to console.error; call once after `init`. */
export function setup(): void;

/** Version of the engine, as `cardan --version` has it. */
export function version(): string;

/** Bundled scenes as JSON: `GalleryEntry[]`. */
export function gallery(): string;

/** The text of a bundled scene (TOML, or XML of a robot file); undefined if there is none of that name. */
export function bundledText(name: string): string | undefined;

/** JSON Schema of the scene format. */
export function schema(): string;

/** Files that a scene names (meshes, robots), by their paths from the scene's folder. */
export class Files {
  constructor();
  set(path: string, bytes: Uint8Array): void;
  /** There is no such file: the engine does not ask for it again, and does without it where it can. */
  setAbsent(path: string): void;
  /** Forgets a file, or that it is not there: the engine asks for it again. */
  forget(path: string): void;
  free(): void;
}

export class Engine {
  /**
   * Reads, checks and builds a scene. `name` is shown in errors ("four-bar.toml"); `options` is JSON of
   * `EngineOptions`, "" for the defaults. If a file is missing the error has `kind: "file"` and `file`:
   * fetch it, `files.set(file, bytes)`, try again.
   */
  constructor(name: string, text: string, files: Files, options: string);
  free(): void;

  /** JSON of `SceneInfo`. Changes only by load, reload, and edits (nails are not in it). */
  scene(): string;
  sceneText(): string;
  /** Hot reload: builds the new text, takes states over by name (time kept), returns JSON of `Adopted`.
   *  On an error the old scene goes on. History and recording start anew. */
  reload(name: string, text: string, files: Files): string;
  /** Back to the start of the scene. */
  reset(): void;

  // --- time ---------------------------------------------------------------------------------------
  time(): number;
  /** Steps taken, an exact integer. */
  steps(): number;
  /** One step of dt. Returns the new time. */
  step(): number;
  /** Whole steps of dt until the next would pass `t`, at most for `budget` milliseconds of clock time.
   *  Returns the number of steps. `time()` below `t - dt` afterwards: it could not keep up. */
  stepTo(t: number, budget: number): number;
  /** As `cardan run` does: steps to `until`, the last one shortened. For tests. */
  run(until: number): number;
  /** One step back through the snapshot ring; false at its beginning. The hash is that of then. */
  stepBack(): boolean;
  /** To the last step at or before `t`: back through the ring, or forward. Returns the time reached. */
  seek(t: number, budget: number): number;
  /** Earliest time in the ring [s]. */
  earliest(): number;
  /** Time step [s]; from the scene, or set here. */
  dt(): number;
  setDt(dt: number): void;
  /** Islands at rest sleep. On in the page; with the option `sleep: false` and no script everything is stepped together,
   *  and hashes are those of `cardan run`. */
  setSleep(on: boolean): void;
  /** 16 hex digits: the state hash that `cardan run` prints. */
  hash(): string;

  // --- arrays of the present instant; nothing is solved ----------------------------------------------
  /** Seven numbers per body: origin of the body frame x y z [m], orientation w x y z. NaN: switched off. */
  poses(): Float64Array;
  /** Nine numbers per body: centre of mass x y z [m], its velocity [m/s], angular velocity [rad/s]. */
  motions(): Float64Array;
  /** Twelve numbers per entry of `scene.deformed`: columns x, y, z of the deformation matrix, then the
   *  origin [m]. For the looks of these pieces, instead of the pose. Empty in most scenes. */
  deformations(): Float64Array;
  /** Two numbers per entry of `scene.coordinates`: value [rad, m], turns counted, and rate. */
  coordinates(): Float64Array;
  /** Six numbers per probe: position [m], velocity [m/s]. */
  probes(): Float64Array;
  /** Lines that constraints draw (ropes, cams, curves, tracks): records [on_top 0|1, n, x y z × n]. */
  outlines(): Float64Array;
  /** Grips, then nails: records of 8 [kind 0 spring | 1 exact | 2 nail | 3 manipulate, body,
   *  x y z of the point on the body, x y z of the target]. */
  grips(): Float64Array;
  /** Numbers of the nails, in the order of their records in `grips`. */
  nails(): Uint32Array;

  // --- arrays of the present instant, solved (once per instant, shared by all of these) ---------------
  /** Twelve numbers per contact: point x y z [m], normal x y z (from a to b), force on b x y z [N],
   *  body a, body b (-1 ground), slides 0|1. Its length is the number of contacts × 12. */
  contacts(): Float64Array;
  /** Ten numbers per joint, then per constraint: point x y z [m], force x y z [N] and torque x y z [N·m]
   *  on b (last body), unique 1 | shared 0 (redundant rows share it: the least-norm split is shown). */
  reactions(): Float64Array;
  /** Ten numbers per entry of `scene.forces`: first point x y z, last point x y z (the same if there is
   *  one) [m], force x y z on the body of the last point [N], and its size signed: tension of a spring
   *  > 0. NaN: switched off, or a law without a force. */
  forces(): Float64Array;
  /** Force of the hand on the body x y z [N]; zero without a grip by spring. */
  gripForce(): Float64Array;

  // --- measures -----------------------------------------------------------------------------------
  /** JSON of `Stats`. */
  stats(): string;
  /** JSON of `EventInfo[]`: events since the last call. */
  takeEvents(): string;
  /** JSON of `Doctor`: the report of `cardan check`. Slow for large scenes; when asked for. */
  doctor(): string;
  /** Names of all channels, JSON of `Channel[]`: the columns of `cardan run --out`. */
  channelNames(): string;
  /** Channels by index of `channelNames`; solved. NaN: its part is switched off. */
  channels(indices: Uint32Array): Float64Array;

  // --- hand ---------------------------------------------------------------------------------------
  /** First thing that a ray hits; JSON of `PickInfo`, or "null". `radius` [m]: how far from the ray
   *  point masses, joints and sticks count as hit. */
  pick(ox: number, oy: number, oz: number, dx: number, dy: number, dz: number, radius: number): string;
  /** Grabs a point of a body, given in its frame (or that of its piece). `frequency` [Hz] of a spring. */
  grab(body: number, piece: number, x: number, y: number, z: number, mode: string /* GrabMode */, frequency: number): void;
  /** Moves the target of the present grip or manipulation (world axes). */
  drag(x: number, y: number, z: number): void;
  /** Lets go. After `manipulate` all velocities are zero. */
  release(): void;
  /** Whether something is held. */
  isHeld(): boolean;
  /** Paused mode, f = m v: begins like `grab`; every `drag` moves the pose (time stands still). */
  manipulate(body: number, piece: number, x: number, y: number, z: number): void;
  /** Pins a point of a body where it is; returns the number of the nail. */
  nail(body: number, piece: number, x: number, y: number, z: number): number;
  unnail(nail: number): void;
  /** Set point of an entry of `scene.drives` [its unit]. */
  setDrive(drive: number, value: number): void;
  /** The drive follows the scene again. */
  clearDrive(drive: number): void;
  /** Two numbers per drive: set point (NaN: follows the scene), present force or torque (solved). */
  drives(): Float64Array;
  /** Sets a joint coordinate of a paused scene (entry of `scene.coordinates`); loops are closed, velocities
   *  become zero. */
  setCoordinate(coordinate: number, value: number): void;
  /** Impulse at a point of a body [N·s], world axes. */
  impulse(body: number, x: number, y: number, z: number, ix: number, iy: number, iz: number): void;

  // --- state ----------------------------------------------------------------------------------------
  /** State with nails and the script's place; for share links (base64) and for a worker that died. */
  save(): Uint8Array;
  restore(bytes: Uint8Array): void;
  /** Undo and redo of what the hand did (grips, nails, set points): to the state before it. */
  undo(): boolean;
  redo(): boolean;

  // --- recording -------------------------------------------------------------------------------------
  /** Starts a recording at the present state. */
  record(): void;
  isRecording(): boolean;
  /** Ends it; JSON of `Recording`, a file to keep. */
  stopRecording(): string;
  /** Replays a recording to its end and compares hashes; JSON of `Replayed`. Static: builds its own. */
  static replay(recording: string, files: Files): string;
  /** Opens a recording where it begins: steps do again what was done, compare hashes and end with it. A hand, a step back
   *  or undo leaves the recording. */
  static openRecording(recording: string, files: Files): Engine;
  /** Steps taken, steps of the recording, first step that differs or −1; empty without a recording. */
  playback(): Float64Array;
  isReplayed(): boolean;
  leaveRecording(): void;
  /** What errors call the scene. */
  name(): string;
}

export type Vec3 = [number, number, number];
export type Quat = [number, number, number, number];

export interface EngineError {
  /** scene: the text is wrong; file: a file is missing; run: a step or an edit was refused. */
  kind: "scene" | "file" | "run";
  message: string;
  /** From 1; of the text that was given. Absent if the error has no place. */
  line?: number;
  column?: number;
  /** Byte range in the text, UTF-8. */
  span?: [number, number];
  help?: string;
  /** The message with its line and a caret, as the command prints it. */
  rendered: string;
  file?: string;
}

export interface EngineOptions {
  /** Default true. */
  sleep?: boolean;
  /** Most bytes that the snapshot ring may take; default 64 MB. */
  ring?: number;
  /** Overrides like `--set`: "simulation.dt=0.002". */
  set?: string[];
}

export interface GalleryEntry {
  name: string;
  title: string;
  description: string;
  /** toml, urdf, mjcf, sdf */
  format: string;
}

export interface Placed { position: Vec3; rotation: Quat }

export type Solid =
  | { kind: "box"; size: Vec3 }
  | { kind: "sphere"; radius: number }
  /** Along x; `length` between the centres of the caps for a capsule. */
  | { kind: "cylinder" | "capsule"; radius: number; length: number }
  /** Thin, along x from -length/2 to length/2. */
  | { kind: "stick"; length: number }
  /** Thin, in the x–y plane. */
  | { kind: "plate"; size: [number, number] }
  /** Half-space below z = 0 of its frame: draw a large square, normal +z. Ground only. */
  | { kind: "plane" }
  /** Triangles: x y z of each corner, and three indices each. `convex`: a hull. */
  | { kind: "mesh"; vertices: number[]; triangles: number[]; convex: boolean }
  /** A point mass or a body without shape. */
  | { kind: "point" };

/** Something to draw, in the frame of its body (of its piece; of the world for the ground). */
export type Look = Solid & Placed & {
  /** "#rrggbb"; absent: the page's palette by body. */
  colour?: string;
  opacity?: number;
  /** False: hidden at the start. */
  visible: boolean;
  /** Takes part in contacts. */
  contact: boolean;
  piece: number;
  /** A plane of the ground that is a wall by inequalities. */
  wall?: boolean;
};

export interface BodyInfo {
  name: string;
  /** rigid, particle, planar, planar-particle, shaft, affine, … */
  kind: string;
  mass: number;
  /** xx yy zz xy xz yz about the centre of mass, body axes [kg·m²]. */
  inertia: [number, number, number, number, number, number];
  /** Centre of mass in the body frame [m]. */
  centre: Vec3;
  /** Empty for bodies drawn as sticks between `attachments` (point pairs to draw from the centre). */
  looks: Look[];
  /** Points in the body frame where joints, springs and probes sit; a body without looks is drawn as
   *  sticks from its centre of mass to these. */
  attachments: Vec3[];
  pieces: number;
  /** Line in the text where it begins, from 1; absent for parts of robot files. */
  line?: number;
  colour?: string;
  visible: boolean;
}

export interface CoordinateInfo {
  /** Index in `joints`, and which of its coordinates. */
  joint: number;
  k: number;
  /** "A", or "A.1" where a joint has several. */
  name: string;
  unit: "rad" | "m";
  low?: number;
  high?: number;
}

export interface JointInfo {
  name: string;
  kind: string;
  symbol: "pin" | "ball" | "slider" | "sleeve" | "weld" | "rod" | "ring" | "mark";
  a: number;
  b: number;
  /** Joint frames in the body frames; z is the axis. */
  frameA: Placed;
  frameB: Placed;
  /** Length of a rod, radius of a ring. */
  size?: number;
  rows: number;
  /** Range in `scene.coordinates`. */
  coordinates: [number, number];
  line?: number;
}

/** Gears, couplers, ropes, cams, curves, … : what scene files also call joints. */
export interface ConstraintInfo {
  name: string;
  kind: string;
  bodies: number[];
  rows: number;
  line?: number;
}

export interface ForceInfo {
  name: string;
  kind: string;
  bodies: number[];
  /** Draw a zigzag between its two points. */
  spring: boolean;
  line?: number;
}

export interface DriveInfo {
  name: string;
  joint: number;
  k: number;
  /** servo: set point of a position (or speed) servo. position, speed: a prescribed coordinate.
   *  force: a force or torque along the coordinate. */
  kind: "servo" | "position" | "speed" | "force";
  unit: "rad" | "m" | "rad/s" | "m/s" | "N" | "N·m";
  /** A sensible range for a slider: limits where there are some. */
  low: number;
  high: number;
}

export interface ProbeInfo { name: string; body: number; point: Vec3; line?: number }

export interface CameraInfo {
  /** Where from, and at what [m]. */
  position?: Vec3;
  target?: Vec3;
  up?: Vec3;
  /** Vertical field of view [rad]; or orthographic with this height [m]. */
  fov?: number;
  height?: number;
  /** Follow this body. */
  follow?: number;
}

export interface SceneInfo {
  name: string;
  title: string;
  description: string;
  bodies: BodyInfo[];
  joints: JointInfo[];
  coordinates: CoordinateInfo[];
  constraints: ConstraintInfo[];
  forces: ForceInfo[];
  drives: DriveInfo[];
  probes: ProbeInfo[];
  /** Shapes of the ground (planes, walls, terrain), in the world. */
  ground: Look[];
  /** Pieces whose looks need a matrix instead of a pose. */
  deformed: { body: number; piece: number }[];
  camera?: CameraInfo;
  /** All bodies move in the x–y plane: look along -z, orthographic. */
  planar: boolean;
  gravity: Vec3;
  /** Corners of a box around everything at the start [m]. */
  bounds: [Vec3, Vec3];
  dt: number;
  until: number;
  integrator: { asked: string; used: string; reason: string };
  coordinatesUsed: string;
  /** Times of the `[[script]]` with what they do. */
  script: { at: number; text: string }[];
  warnings: string[];
}

export interface Stats {
  time: number;
  steps: number;
  energy: { kinetic: number; potential: number; dissipated: number; work: number; total: number };
  /** Relative error of the energy balance since the start. */
  energyError: number;
  momentumError: number;
  /** Largest error of joints at the last step [m, rad], of their rates, residual of the equations. */
  jointError: number;
  velocityError: number;
  residual: number;
  /** Rows of joints and constraints, their rank, freedoms = coordinates - rank. */
  rows: number;
  rank: number;
  freedoms: number;
  redundant: number;
  contacts: number;
  islands: number;
  sleeping: number;
  /** Work so far. */
  factorisations: number;
  solves: number;
  evaluations: number;
  /** Worst of the whole run. */
  certificate: { jointError: number; velocityError: number; residual: number; instants: number };
  /** Earliest time of the ring [s], its snapshots and bytes. */
  ring: { earliest: number; snapshots: number; bytes: number };
  memory: number;
}

export interface EventInfo {
  time: number;
  name: string;
  kind: string;
  speed: number;
  impulse: number;
  coordinate?: number;
  side?: "low" | "high";
}

export interface Channel { name: string; unit: string }

export interface Doctor {
  /** The text of `cardan check`, without colours. */
  text: string;
  freedoms: number;
  rows: number;
  rank: number;
  redundant: number;
  /** Joints and constraints whose rows depend on each other. */
  involved: string[];
  remedies: string[];
}

export type GrabMode = "spring" | "exact";

export interface PickInfo {
  what: "body" | "joint" | "ground";
  /** Number of the body, joint or ground shape. */
  index: number;
  /** The body to grab: the one that was hit, or that lies behind the sign of a joint; -1 for none. */
  body: number;
  piece: number;
  /** Which of the body's looks; -1 for none (a stick, a point). */
  look: number;
  point: Vec3;
  /** In the frame of the body or piece; for `grab`. */
  inBody: Vec3;
  normal: Vec3;
  distance: number;
}

export interface Adopted {
  /** Bodies whose state was taken over, those that are new or changed their kind. */
  kept: number;
  fresh: string[];
  time: number;
  /** Nails that hold in the new scene, and that do not. */
  nails?: number;
  lostNails?: number;
  /** Why nothing could be kept: the new scene then begins anew. */
  why?: string;
}

export interface Recording {
  format: 1;
  name: string;
  text: string;
  options: EngineOptions;
  start: string; // base64 of save()
  /** What was done after how many steps, and the hash after it. */
  actions: { step: number; action: object }[];
  steps: number;
  hash: string;
}

export interface Replayed { steps: number; hash: string; same: boolean; differsAt?: number }

export default function init(module?: unknown): Promise<unknown>;
