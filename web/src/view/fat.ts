/** Lines of a width in pixels, in a buffer that is written again each frame without new memory. */

import { InstancedInterleavedBuffer, InterleavedBufferAttribute } from "three";
import { LineMaterial } from "three/examples/jsm/lines/LineMaterial.js";
import { LineSegments2 } from "three/examples/jsm/lines/LineSegments2.js";
import { LineSegmentsGeometry } from "three/examples/jsm/lines/LineSegmentsGeometry.js";

export class FatLines extends LineSegments2 {
  private data: Float32Array;
  private filled = 0;

  constructor(colour: string, width: number, room = 64) {
    super(new LineSegmentsGeometry(), new LineMaterial({ color: colour, linewidth: width, transparent: true }));
    this.data = new Float32Array(room * 6);
    this.bind();
    this.frustumCulled = false;
    this.raycast = () => {};
  }

  setColour(colour: string): void { this.material.color.set(colour); }
  setResolution(width: number, height: number): void { this.material.resolution.set(width, height); }

  begin(): this { this.filled = 0; return this; }

  segment(ax: number, ay: number, az: number, bx: number, by: number, bz: number): void {
    if ((this.filled + 1) * 6 > this.data.length) {
      const wider = new Float32Array(this.data.length * 2);
      wider.set(this.data);
      this.data = wider;
      this.bind();
    }
    this.data.set([ax, ay, az, bx, by, bz], this.filled * 6);
    this.filled++;
  }

  /** Segments through points of a flat array. */
  polyline(points: ArrayLike<number>, from = 0, count = points.length / 3): void {
    for (let i = 0; i + 1 < count; i++) {
      const at = from + 3 * i;
      this.segment(points[at]!, points[at + 1]!, points[at + 2]!, points[at + 3]!, points[at + 4]!, points[at + 5]!);
    }
  }

  /** Makes what was written visible. */
  commit(): void {
    this.geometry.instanceCount = this.filled;
    this.visible = this.filled > 0;
    const buffer = (this.geometry.attributes.instanceStart as InterleavedBufferAttribute).data;
    buffer.needsUpdate = true;
  }

  override dispose(): void { this.geometry.dispose(); this.material.dispose(); }

  private bind(): void {
    const buffer = new InstancedInterleavedBuffer(this.data, 6, 1);
    this.geometry.setAttribute("instanceStart", new InterleavedBufferAttribute(buffer, 3, 0));
    this.geometry.setAttribute("instanceEnd", new InterleavedBufferAttribute(buffer, 3, 3));
    this.geometry.instanceCount = this.filled;
  }
}
