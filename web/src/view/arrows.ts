/** Arrows for reactions, contacts and forces, at one scale for all, and the numbers beside them. */

import { ConeGeometry, CylinderGeometry, Group, InstancedMesh, Matrix4, MeshStandardMaterial, Quaternion, Vector3 } from "three";
import type { SceneInfo } from "../engine";
import type { Frame } from "../protocol";
import { free } from "./free";
import * as format from "../ui/format";
import type { Labels } from "./labels";
import type { Layers, Mechanism } from "./mechanism";
import { palette } from "./palette";

const UP = new Vector3(0, 1, 0);
/** Most numbers beside arrows; those of the largest are shown. */
const NUMBERED = 14;

/** Arrows of one colour. */
class Arrows extends Group {
  private shaft: InstancedMesh;
  private head: InstancedMesh;
  private readonly skin: MeshStandardMaterial;
  private filled = 0;
  private readonly at = new Matrix4();
  private readonly turn = new Quaternion();
  private readonly unit = new Vector3();

  constructor(colour: string, private room = 64) {
    super();
    this.skin = new MeshStandardMaterial({ color: colour, emissive: colour, emissiveIntensity: 0.35, roughness: 0.6 });
    [this.shaft, this.head] = this.meshes();
  }

  private meshes(): [InstancedMesh, InstancedMesh] {
    const shaft = new InstancedMesh(new CylinderGeometry(1, 1, 1, 12).translate(0, 0.5, 0), this.skin, this.room);
    const head = new InstancedMesh(new ConeGeometry(1, 1, 16).translate(0, -0.5, 0), this.skin, this.room);
    for (const mesh of [shaft, head]) {
      mesh.frustumCulled = false;
      mesh.raycast = () => {};
      // Without this there would be as many arrows as there is room, all at the origin, one metre thick.
      mesh.count = 0;
      mesh.visible = false;
      this.add(mesh);
    }
    return [shaft, head];
  }

  recolour(colour: string): void { this.skin.color.set(colour); this.skin.emissive.set(colour); }
  begin(): void { this.filled = 0; }

  /** An arrow from `from` along `along` [m], of the given thickness [m]. */
  push(from: Vector3, along: Vector3, thick: number): void {
    const length = along.length();
    if (!(length > thick * 0.2)) return;
    if (this.filled === this.room) {
      const [oldShaft, oldHead] = [this.shaft, this.head];
      this.room *= 2;
      [this.shaft, this.head] = this.meshes();
      const m = new Matrix4();
      for (let i = 0; i < this.filled; i++) {
        oldShaft.getMatrixAt(i, m); this.shaft.setMatrixAt(i, m);
        oldHead.getMatrixAt(i, m); this.head.setMatrixAt(i, m);
      }
      this.remove(oldShaft, oldHead);
      for (const old of [oldShaft, oldHead]) { old.geometry.dispose(); old.dispose(); }
    }
    this.unit.copy(along).divideScalar(length);
    this.turn.setFromUnitVectors(UP, this.unit);
    const tip = Math.min(thick * 6, length * 0.5);
    const width = Math.min(thick, length * 0.12);
    this.at.compose(from, this.turn, new Vector3(width, length - tip * 0.9, width));
    this.shaft.setMatrixAt(this.filled, this.at);
    this.at.compose(this.unit.multiplyScalar(length).add(from), this.turn, new Vector3(tip * 0.36, tip, tip * 0.36));
    this.head.setMatrixAt(this.filled, this.at);
    this.filled++;
  }

  commit(): void {
    for (const mesh of [this.shaft, this.head]) {
      mesh.count = this.filled;
      mesh.instanceMatrix.needsUpdate = true;
      mesh.visible = this.filled > 0;
    }
  }
}

/** 1, 2 or 5 times a power of ten, not below `x`. */
function niceAbove(x: number): number {
  const power = 10 ** Math.floor(Math.log10(x));
  const lead = x / power;
  return (lead <= 1 ? 1 : lead <= 2 ? 2 : lead <= 5 ? 5 : 10) * power;
}

export class ForceArrows extends Group {
  /** Force whose arrow has full length [N]; 0 as long as there is none. */
  full = 0;
  /** The user's factor. */
  factor = 1;
  private readonly reactions = new Arrows("#000");
  private readonly shared = new Arrows("#000");
  private readonly contacts = new Arrows("#000");
  private readonly forces = new Arrows("#000");
  private readonly hand = new Arrows("#000", 2);
  /** Since when forces are small for the scale [ms]. */
  private calm = 0;

  constructor(private readonly scene: SceneInfo, private readonly size: number) {
    super();
    this.add(this.reactions, this.shared, this.contacts, this.forces, this.hand);
    this.recolour();
  }

  override dispose(): void { free(this); }

  recolour(): void {
    const p = palette();
    this.reactions.recolour(p.reaction);
    this.shared.recolour(p.shared);
    this.contacts.recolour(p.contact);
    this.forces.recolour(p.force);
    this.hand.recolour(p.hand);
  }

  update(frame: Frame, layers: Layers, mechanism: Mechanism, labels: Labels): void {
    const all: { from: Vector3; force: Vector3; into: Arrows; note: string; kind: string }[] = [];
    const at = (array: Float64Array, i: number) => new Vector3(array[i]!, array[i + 1]!, array[i + 2]!);
    if (layers.reactions && frame.reactions) {
      const r = frame.reactions;
      for (let i = 0; 10 * i < r.length; i++) {
        const isJoint = i < this.scene.joints.length;
        const part = { what: isJoint ? "joint" : "constraint", index: isJoint ? i : i - this.scene.joints.length } as const;
        if (!mechanism.isShown(part)) continue;
        const unique = r[10 * i + 9] === 1;
        all.push({ from: at(r, 10 * i), force: at(r, 10 * i + 3), into: unique ? this.reactions : this.shared, note: unique ? "" : " shared", kind: unique ? "" : "shared" });
      }
    }
    if (layers.contacts && frame.contacts) {
      const c = frame.contacts;
      for (let i = 0; i + 12 <= c.length; i += 12) all.push({ from: at(c, i), force: at(c, i + 6), into: this.contacts, note: c[i + 11] === 1 ? " slides" : "", kind: "" });
    }
    if (layers.forces && frame.forces) {
      const f = frame.forces;
      for (let i = 0; i < this.scene.forces.length; i++) {
        if (!mechanism.isShown({ what: "force", index: i })) continue;
        all.push({ from: at(f, 10 * i + 3), force: at(f, 10 * i + 6), into: this.forces, note: "", kind: "" });
      }
    }
    const finite = all.filter(({ from, force }) => Number.isFinite(from.x + from.y + from.z + force.x + force.y + force.z));
    const grip = frame.gripForce;
    const held = frame.grips.length >= 8 && frame.grips[0]! < 2 ? at(frame.grips, 2) : null;
    const pull = grip && held ? at(grip, 0) : null;
    this.rescale(finite.reduce((most, { force }) => Math.max(most, force.length()), pull?.length() ?? 0));

    for (const arrows of [this.reactions, this.shared, this.contacts, this.forces, this.hand]) arrows.begin();
    const perNewton = this.full > 0 ? (this.size * 0.24 * this.factor) / this.full : 0;
    const thick = this.size * 0.0042;
    const along = new Vector3();
    for (const { from, force, into } of finite) into.push(from, along.copy(force).multiplyScalar(perNewton), thick);
    if (pull && held) {
      along.copy(pull).multiplyScalar(perNewton).clampLength(0, this.size * 0.4);
      this.hand.push(held, along, thick * 1.3);
      labels.put(held.clone().add(along), `${format.number(pull.length(), 3)} N`, "force");
    }
    for (const arrows of [this.reactions, this.shared, this.contacts, this.forces, this.hand]) arrows.commit();

    finite.sort((a, b) => b.force.lengthSq() - a.force.lengthSq());
    for (const { from, force, note, kind } of finite.slice(0, NUMBERED)) {
      if (force.length() < this.full * 0.02) break;
      labels.put(from.clone().addScaledVector(force, perNewton), `${format.number(force.length(), 3)} N${note}`, kind);
    }
  }

  /** The scale follows the largest force in steps, up at once and down after a while, so that arrows do not breathe. */
  private rescale(most: number): void {
    if (!(most > 1e-9)) return;
    const wanted = niceAbove(most);
    if (wanted > this.full) { this.full = wanted; this.calm = 0; }
    else if (wanted < this.full * 0.45) {
      const now = performance.now();
      if (this.calm === 0) this.calm = now;
      else if (now - this.calm > 800) { this.full = wanted; this.calm = 0; }
    } else this.calm = 0;
  }
}
