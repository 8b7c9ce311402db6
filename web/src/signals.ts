/** Values that can be shown and plotted: read from a frame, with a name and a unit. */

import type { Channel, SceneInfo } from "./engine";
import type { Frame } from "./protocol";

export interface Signal {
  /** Unique, and stable when the scene is loaded again: "joints.A.angle". */
  key: string;
  label: string;
  unit: string;
  /** Index of the engine's channel; absent for what every frame has. */
  channel?: number;
  read(frame: Frame, channels: ReadonlyMap<number, number>): number;
}

const AXES = ["x", "y", "z"] as const;

/** A value that every frame has. */
function plain(key: string, label: string, unit: string, read: (frame: Frame) => number): Signal {
  return { key, label, unit, read };
}

export function bodySignals(scene: SceneInfo, i: number): Signal[] {
  const name = scene.bodies[i]!.name;
  const m = (frame: Frame, k: number) => frame.motions[9 * i + k]!;
  const signals = [plain(`${name} speed`, "speed", "m/s", (f) => Math.hypot(m(f, 3), m(f, 4), m(f, 5)))];
  const axes = scene.planar ? 2 : 3;
  for (let k = 0; k < axes; k++) signals.push(plain(`${name} ${AXES[k]}`, `position ${AXES[k]}`, "m", (f) => m(f, k)));
  for (let k = 0; k < axes; k++) signals.push(plain(`${name} v${AXES[k]}`, `velocity ${AXES[k]}`, "m/s", (f) => m(f, 3 + k)));
  for (let k = scene.planar ? 2 : 0; k < 3; k++) signals.push(plain(`${name} ω${AXES[k]}`, `angular velocity ${AXES[k]}`, "rad/s", (f) => m(f, 6 + k)));
  return signals;
}

export function coordinateSignals(scene: SceneInfo, c: number): Signal[] {
  const { name, unit } = scene.coordinates[c]!;
  const what = unit === "rad" ? "angle" : "travel";
  return [
    plain(`${name} ${what}`, what, unit, (f) => f.coordinates[2 * c]!),
    plain(`${name} rate`, "rate", `${unit}/s`, (f) => f.coordinates[2 * c + 1]!),
  ];
}

export function reactionSignals(scene: SceneInfo, part: { what: "joint" | "constraint"; index: number }): Signal[] {
  const name = part.what === "joint" ? scene.joints[part.index]!.name : scene.constraints[part.index]!.name;
  const at = 10 * (part.what === "joint" ? part.index : scene.joints.length + part.index);
  const r = (f: Frame, k: number) => f.reactions?.[at + k] ?? NaN;
  const signals = [
    plain(`${name} force`, "force", "N", (f) => Math.hypot(r(f, 3), r(f, 4), r(f, 5))),
    plain(`${name} torque`, "torque", "N·m", (f) => Math.hypot(r(f, 6), r(f, 7), r(f, 8))),
  ];
  AXES.forEach((axis, k) => signals.push(plain(`${name} F${axis}`, `force ${axis}`, "N", (f) => r(f, 3 + k))));
  return signals;
}

export function forceSignals(scene: SceneInfo, i: number): Signal[] {
  const name = scene.forces[i]!.name;
  return [plain(`${name} force`, "force", "N", (f) => f.forces?.[10 * i + 9] ?? NaN)];
}

export function probeSignals(scene: SceneInfo, i: number): Signal[] {
  const name = scene.probes[i]!.name;
  const p = (f: Frame, k: number) => f.probes[6 * i + k]!;
  const axes = scene.planar ? 2 : 3;
  const signals = [plain(`${name} speed`, "speed", "m/s", (f) => Math.hypot(p(f, 3), p(f, 4), p(f, 5)))];
  for (let k = 0; k < axes; k++) signals.push(plain(`${name} ${AXES[k]}`, `position ${AXES[k]}`, "m", (f) => p(f, k)));
  for (let k = 0; k < axes; k++) signals.push(plain(`${name} v${AXES[k]}`, `velocity ${AXES[k]}`, "m/s", (f) => p(f, 3 + k)));
  return signals;
}

export const ENERGIES: Signal[] = [
  plain("kinetic energy", "kinetic energy", "J", (f) => f.stats.energy.kinetic),
  plain("potential energy", "potential energy", "J", (f) => f.stats.energy.potential),
  plain("total energy", "total energy", "J", (f) => f.stats.energy.total),
];

/** A column of the engine. */
export function channelSignal(channel: Channel, index: number): Signal {
  return { key: channel.name, label: channel.name, unit: channel.unit, channel: index, read: (_, channels) => channels.get(index) ?? NaN };
}

/** The samples of one signal over the last seconds. */
export class Samples {
  readonly times: number[] = [];
  readonly values: number[] = [];

  constructor(readonly signal: Signal) {}

  push(time: number, value: number, span: number): void {
    while (this.times.length && this.times[this.times.length - 1]! >= time) { this.times.pop(); this.values.pop(); }
    this.times.push(time);
    this.values.push(value);
    let old = 0;
    while (old < this.times.length && this.times[old]! < time - span) old++;
    if (old > 200 || this.times.length > 20_000) { this.times.splice(0, Math.max(old, 1)); this.values.splice(0, Math.max(old, 1)); }
  }

  clear(): void { this.times.length = 0; this.values.length = 0; }
}
