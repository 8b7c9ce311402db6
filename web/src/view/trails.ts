/** Paths of the probes over the last seconds of the simulation. */

import { FatLines } from "./fat";
import { palette } from "./palette";

/** Length of a trail [s], and its most points. */
const SECONDS = 10;
const POINTS = 3000;

export class Trails {
  readonly lines: FatLines[] = [];
  private readonly points: { time: number; x: number; y: number; z: number }[][] = [];

  constructor(probes: number) {
    for (let i = 0; i < probes; i++) {
      this.lines.push(new FatLines(palette().trail, 2, 512));
      this.points.push([]);
    }
  }

  recolour(): void { for (const line of this.lines) line.setColour(palette().trail); }

  clear(): void { for (const list of this.points) list.length = 0; }

  /** Adds the present points; what lies in the future, after a step back, is taken away. */
  push(time: number, probes: Float64Array, stride: number): void {
    this.points.forEach((list, i) => {
      while (list.length && list[list.length - 1]!.time >= time) list.pop();
      const [x, y, z] = [probes[stride * i]!, probes[stride * i + 1]!, probes[stride * i + 2]!];
      if (Number.isFinite(x + y + z)) list.push({ time, x, y, z });
      while (list.length > POINTS || (list.length && list[0]!.time < time - SECONDS)) list.shift();
    });
  }

  /** Adds instants between two pictures: records of the time and x y z of each probe. */
  extend(paths: Float64Array): void {
    const size = 1 + 3 * this.points.length;
    for (let at = 0; at + size <= paths.length; at += size) this.push(paths[at]!, paths.subarray(at + 1, at + size), 3);
  }

  draw(shown: (probe: number) => boolean): void {
    this.lines.forEach((line, i) => {
      line.begin();
      const list = this.points[i]!;
      if (shown(i)) {
        for (let k = 1; k < list.length; k++) {
          const [a, b] = [list[k - 1]!, list[k]!];
          line.segment(a.x, a.y, a.z, b.x, b.y, b.z);
        }
      }
      line.commit();
    });
  }
}
