/** The bodies, joints, springs and marks of a scene as objects that follow the frames of the engine. */

import {
  BackSide, Box3, BoxGeometry, ConeGeometry, CylinderGeometry, Group, Matrix4, Mesh, MeshBasicMaterial, MeshStandardMaterial, Object3D, OctahedronGeometry,
  Quaternion, SphereGeometry, TorusGeometry, Vector3, type BufferGeometry,
} from "three";
import type { BodyInfo, JointInfo, SceneInfo } from "../engine";
import type { Frame } from "../protocol";
import { FatLines } from "./fat";
import { free } from "./free";
import { bodyColour, palette, surface } from "./palette";
import { isPlane, place, skin, solidObject, type Skin } from "./solids";

/** A part of the scene. */
export interface Part { what: "body" | "joint" | "constraint" | "force" | "probe" | "ground"; index: number }

export function samePart(a: Part | null, b: Part | null): boolean {
  return a === b || (a !== null && b !== null && a.what === b.what && a.index === b.index);
}

/** What is drawn besides the bodies. */
export interface Layers {
  joints: boolean; centres: boolean; frames: boolean; inertia: boolean; trails: boolean; names: boolean;
  reactions: boolean; contacts: boolean; forces: boolean; grid: boolean;
}

interface BodyView {
  info: BodyInfo;
  /** Follows the pose. */
  group: Group;
  /** Pieces that follow a matrix instead. */
  deformed: { entry: number; group: Group }[];
  skin: Skin;
  marks: Group;
  centre: Object3D;
  axes: Object3D;
  inertia: Object3D;
}

const Q = new Quaternion();
const V = new Vector3();

export class Mechanism extends Group {
  readonly bodies: BodyView[] = [];
  readonly joints: { info: JointInfo; group: Group; foot: Object3D | null }[] = [];
  readonly hidden = new Set<string>();
  /** Size of signs of joints and points [m]. */
  readonly unit: number;
  private readonly jointSkin = new MeshStandardMaterial({ roughness: 0.5, metalness: 0.05 });
  private readonly jointDark = new MeshStandardMaterial({ roughness: 0.6 });
  private readonly centreSkin = [new MeshStandardMaterial({ roughness: 0.6 }), new MeshStandardMaterial({ roughness: 0.6 })] as const;
  private readonly springs: FatLines;
  private readonly outlines: FatLines;
  private readonly sticks: FatLines;
  private readonly axisLines: FatLines[];
  private readonly rods: FatLines;
  private readonly probeMarks: Mesh[] = [];
  private readonly nailMarks: Mesh[] = [];
  readonly fat: FatLines[];
  private isolated: Part | null = null;

  constructor(readonly scene: SceneInfo, size: number) {
    super();
    this.unit = signSize(scene, size);
    const p = palette();
    this.springs = new FatLines(p.spring, 2, 512);
    this.outlines = new FatLines(p.spring, 1.6, 512);
    this.sticks = new FatLines(p.ink, 3, 64);
    this.rods = new FatLines(p.ink, 2.5, 32);
    this.axisLines = ["#d64545", "#3a9d4a", "#3f6fe0"].map((colour) => new FatLines(colour, 2, 64));
    this.fat = [this.springs, this.outlines, this.sticks, this.rods, ...this.axisLines];
    this.add(...this.fat);
    scene.bodies.forEach((info, i) => this.addBody(info, i));
    scene.joints.forEach((info, i) => this.addJoint(info, i));
    const cross = new SphereGeometry(this.unit * 0.42, 16, 10);
    for (let i = 0; i < scene.probes.length; i++) {
      const mark = new Mesh(cross, new MeshStandardMaterial({ color: p.trail, roughness: 0.5 }));
      mark.userData.part = { what: "probe", index: i } satisfies Part;
      this.probeMarks.push(mark);
      this.add(mark);
    }
    this.rim.onBeforeCompile = (shader) => {
      shader.uniforms.rim = this.rimWidth;
      shader.vertexShader = `uniform float rim;\n${shader.vertexShader}`.replace("#include <begin_vertex>", "vec3 transformed = position + normalize(normal) * rim;");
    };
    this.recolour();
  }

  private addBody(info: BodyInfo, index: number): void {
    const group = new Group();
    const marks = new Group();
    const own = skin();
    const scale = { thin: this.unit * 0.55 };
    const deformed: BodyView["deformed"] = [];
    for (const [i, look] of info.looks.entries()) {
      const entry = this.scene.deformed.findIndex((d) => d.body === index && d.piece === look.piece);
      const object = solidObject(look, own, scale);
      object.visible = look.visible;
      object.userData.part = { what: "body", index } satisfies Part;
      object.userData.look = i;
      object.userData.piece = look.piece;
      if (entry >= 0) {
        let holder = deformed.find((d) => d.entry === entry);
        if (!holder) {
          holder = { entry, group: new Group() };
          holder.group.matrixAutoUpdate = false;
          deformed.push(holder);
          this.add(holder.group);
        }
        holder.group.add(object);
      } else {
        group.add(object);
      }
      if (look.opacity !== undefined && look.opacity < 1) {
        own.surface.transparent = true;
        own.surface.opacity = look.opacity;
      }
    }
    if (info.looks.length === 0) {
      // Drawn as bars from the centre of mass to where something is attached, or as a ball.
      const bars = info.attachments.map((to) => bar(info.centre, to, scale.thin)).filter((b) => b !== null);
      for (const geometry of bars) {
        const mesh = new Mesh(geometry, own.surface);
        mesh.castShadow = true;
        group.add(mesh);
      }
      const ball = new Mesh(new SphereGeometry(scale.thin * (bars.length ? 1.3 : 2.2), 24, 16), own.surface);
      ball.castShadow = true;
      ball.position.set(...info.centre);
      group.add(ball);
      for (const child of group.children) {
        child.userData.part = { what: "body", index } satisfies Part;
        child.userData.piece = 0;
      }
    }
    const centre = this.centreMark();
    centre.position.set(...info.centre);
    const axes = new Group();
    const inertia = this.inertiaMark(info);
    marks.add(centre, axes, inertia);
    group.add(marks);
    this.add(group);
    this.bodies.push({ info, group, deformed, skin: own, marks, centre, axes, inertia });
  }

  /** A ball of quarters, black and white: the draughtsman's sign. */
  private centreMark(): Object3D {
    const group = new Group();
    for (let i = 0; i < 8; i++) {
      const octant = new SphereGeometry(this.unit * 0.5, 8, 6, (i % 4) * (Math.PI / 2), Math.PI / 2, i < 4 ? 0 : Math.PI / 2, Math.PI / 2);
      const mesh = new Mesh(octant, this.centreSkin[(i + (i < 4 ? 0 : 1)) % 2]!);
      mesh.raycast = () => {};
      mesh.renderOrder = 2;
      group.add(mesh);
    }
    return group;
  }

  /** The box of equal inertia: a homogeneous box of this mass with these moments. Its axes are the body's. */
  private inertiaMark(info: BodyInfo): Object3D {
    const [xx, yy, zz] = info.inertia;
    const edge = (a: number, b: number, c: number) => Math.sqrt(Math.max((6 * (a + b - c)) / Math.max(info.mass, 1e-12), 0));
    const size = [edge(yy, zz, xx), edge(xx, zz, yy), edge(xx, yy, zz)].map((s) => Math.max(s, this.unit * 0.1)) as [number, number, number];
    const mesh = new Mesh(new BoxGeometry(...size), new MeshStandardMaterial({ color: "#a06ad0", transparent: true, opacity: 0.28, depthWrite: false }));
    mesh.position.set(...info.centre);
    mesh.raycast = () => {};
    return mesh;
  }

  private addJoint(info: JointInfo, index: number): void {
    const group = new Group();
    const u = this.unit;
    const part: Part = { what: "joint", index };
    const put = (geometry: BufferGeometry, dark = false) => {
      const mesh = new Mesh(geometry, dark ? this.jointDark : this.jointSkin);
      mesh.castShadow = true;
      mesh.userData.part = part;
      group.add(mesh);
      return mesh;
    };
    const along = (geometry: BufferGeometry) => geometry.rotateX(Math.PI / 2);
    switch (info.symbol) {
      case "pin":
        put(along(new CylinderGeometry(u, u, u * 2.3, 28)));
        put(along(new CylinderGeometry(u * 0.38, u * 0.38, u * 2.36, 20)), true);
        break;
      case "ball": put(new SphereGeometry(u * 1.05, 28, 18)); break;
      case "slider": put(new BoxGeometry(u * 1.7, u * 1.7, u * 3.2)); break;
      case "sleeve": put(along(new CylinderGeometry(u * 0.95, u * 0.95, u * 3.2, 24, 1, true))); put(along(new TorusGeometry(u * 0.95, u * 0.15, 8, 28).rotateX(Math.PI / 2)), true); break;
      case "weld": put(new BoxGeometry(u, u, u), true); break;
      case "ring": case "rod": put(new SphereGeometry(u * 0.7, 20, 14)); break;
      case "mark": put(new OctahedronGeometry(u * 0.85)); break;
    }
    let foot: Object3D | null = null;
    const grounded = (info.a < 0 || info.b < 0) && ["pin", "ball", "weld", "rod"].includes(info.symbol);
    if (grounded) {
      foot = new Group();
      const cone = new Mesh(new ConeGeometry(u * 1.7, u * 2.6, 4, 1).rotateY(Math.PI / 4).translate(0, -u * 1.3, 0), this.jointDark);
      const plate = new Mesh(new BoxGeometry(u * 4.2, u * 0.4, u * 2.8).translate(0, -u * 2.7, 0), this.jointDark);
      for (const mesh of [cone, plate]) { mesh.castShadow = true; mesh.userData.part = part; }
      foot.add(cone, plate);
      const down = new Vector3(...this.scene.gravity);
      if (down.lengthSq() === 0) down.set(0, this.scene.planar ? -1 : 0, this.scene.planar ? 0 : -1);
      foot.quaternion.setFromUnitVectors(new Vector3(0, -1, 0), down.normalize());
      this.add(foot);
    }
    this.add(group);
    this.joints.push({ info, group, foot });
  }

  /** Follows a frame of the engine. */
  update(frame: Frame, layers: Layers): void {
    const { poses, deformations } = frame;
    this.setGlass(layers.centres || layers.frames || layers.inertia);
    for (let i = 0; i < this.bodies.length; i++) {
      const body = this.bodies[i]!;
      const at = 7 * i;
      const present = !Number.isNaN(poses[at]!) && this.isShown({ what: "body", index: i });
      body.group.visible = present;
      for (const { entry, group } of body.deformed) {
        group.visible = present;
        const d = deformations.subarray(12 * entry, 12 * entry + 12);
        group.matrix.set(d[0]!, d[3]!, d[6]!, d[9]!, d[1]!, d[4]!, d[7]!, d[10]!, d[2]!, d[5]!, d[8]!, d[11]!, 0, 0, 0, 1);
        group.matrixWorldNeedsUpdate = true;
      }
      if (!present) continue;
      body.group.position.set(poses[at]!, poses[at + 1]!, poses[at + 2]!);
      body.group.quaternion.set(poses[at + 4]!, poses[at + 5]!, poses[at + 6]!, poses[at + 3]!);
      body.centre.visible = layers.centres;
      body.inertia.visible = layers.inertia;
    }
    this.updateAxes(layers.frames);
    this.updateJoints(layers.joints);
    this.updateSprings(frame);
    this.updateOutlines(frame);
    for (let i = 0; i < this.probeMarks.length; i++) {
      const mark = this.probeMarks[i]!;
      mark.position.set(frame.probes[6 * i]!, frame.probes[6 * i + 1]!, frame.probes[6 * i + 2]!);
      mark.visible = this.isShown({ what: "probe", index: i }) && Number.isFinite(mark.position.x);
    }
    this.updateNails(frame.grips);
  }

  /** What lies inside bodies is seen through them. */
  private setGlass(on: boolean): void {
    if (this.isGlass === on) return;
    this.isGlass = on;
    for (const { info, skin: { surface } } of this.bodies) {
      const own = info.looks.find((look) => look.opacity !== undefined)?.opacity ?? 1;
      surface.opacity = on ? Math.min(own, 0.35) : own;
      surface.transparent = surface.opacity < 1;
      surface.depthWrite = !on;
      surface.needsUpdate = true;
    }
  }
  private isGlass = false;

  private updateAxes(on: boolean): void {
    const length = this.unit * 4.5;
    for (let k = 0; k < 3; k++) {
      const lines = this.axisLines[k]!.begin();
      if (on) {
        for (const body of this.bodies) {
          if (!body.group.visible) continue;
          const p = body.group.position;
          V.set(k === 0 ? length : 0, k === 1 ? length : 0, k === 2 ? length : 0).applyQuaternion(body.group.quaternion);
          lines.segment(p.x, p.y, p.z, p.x + V.x, p.y + V.y, p.z + V.z);
        }
      }
      lines.commit();
    }
  }

  private updateJoints(on: boolean): void {
    this.rods.begin();
    for (let i = 0; i < this.joints.length; i++) {
      const { info, group, foot } = this.joints[i]!;
      const shown = on && this.isShown({ what: "joint", index: i }) && this.isPresent(info.a) && this.isPresent(info.b);
      group.visible = shown;
      if (foot) foot.visible = shown;
      if (!shown) continue;
      this.placeOn(info.b, info.frameB, group);
      if (foot) {
        if (info.a < 0) foot.position.set(...info.frameA.position);
        else foot.position.copy(group.position);
      }
      if (info.symbol === "rod") {
        const to = this.worldPoint(info.a, info.frameA.position);
        this.rods.segment(group.position.x, group.position.y, group.position.z, to.x, to.y, to.z);
      } else if (info.symbol === "ring" && info.size) {
        this.ring(info);
      }
    }
    this.rods.commit();
  }

  private ring(info: JointInfo): void {
    const centre = this.worldPoint(info.a, info.frameA.position).clone();
    const turn = new Quaternion(info.frameA.rotation[1], info.frameA.rotation[2], info.frameA.rotation[3], info.frameA.rotation[0]);
    if (info.a >= 0) turn.premultiply(this.bodies[info.a]!.group.quaternion);
    const at = (k: number) => new Vector3(Math.cos(k) * info.size!, Math.sin(k) * info.size!, 0).applyQuaternion(turn).add(centre);
    for (let k = 0; k < 64; k++) {
      const [p, q] = [at((k * Math.PI) / 32), at(((k + 1) * Math.PI) / 32)];
      this.rods.segment(p.x, p.y, p.z, q.x, q.y, q.z);
    }
  }

  private updateSprings(frame: Frame): void {
    this.springs.begin();
    const forces = frame.forces;
    if (forces) {
      for (let i = 0; i < this.scene.forces.length; i++) {
        if (!this.scene.forces[i]!.spring || !this.isShown({ what: "force", index: i })) continue;
        const at = 10 * i;
        if (!Number.isFinite(forces[at]!)) continue;
        this.coil(new Vector3(forces[at]!, forces[at + 1]!, forces[at + 2]!), new Vector3(forces[at + 3]!, forces[at + 4]!, forces[at + 5]!));
      }
    }
    this.springs.commit();
  }

  /** A helix between two points with straight ends. */
  private coil(a: Vector3, b: Vector3): void {
    const axis = b.clone().sub(a);
    const length = axis.length();
    if (length < 1e-9) return;
    axis.divideScalar(length);
    const x = new Vector3(0, 0, 1).cross(axis);
    if (x.lengthSq() < 1e-6) x.set(1, 0, 0).cross(axis);
    x.normalize();
    const y = axis.clone().cross(x);
    const radius = this.unit * 1.1;
    const [turns, per] = [9, 14];
    let last = a;
    for (let k = 0; k <= turns * per; k++) {
      const s = 0.14 + (0.72 * k) / (turns * per);
      const angle = (2 * Math.PI * k) / per;
      const next = a.clone().addScaledVector(axis, s * length).addScaledVector(x, radius * Math.sin(angle)).addScaledVector(y, radius * Math.cos(angle));
      if (k === 0) {
        const start = a.clone().addScaledVector(axis, s * length);
        this.springs.segment(a.x, a.y, a.z, start.x, start.y, start.z);
        last = start;
      }
      this.springs.segment(last.x, last.y, last.z, next.x, next.y, next.z);
      last = next;
    }
    const end = a.clone().addScaledVector(axis, 0.86 * length);
    this.springs.segment(last.x, last.y, last.z, end.x, end.y, end.z);
    this.springs.segment(end.x, end.y, end.z, b.x, b.y, b.z);
  }

  private updateOutlines(frame: Frame): void {
    this.outlines.begin();
    const o = frame.outlines;
    for (let at = 0; at + 2 < o.length;) {
      const n = o[at + 1]!;
      this.outlines.polyline(o, at + 2, n);
      at += 2 + 3 * n;
    }
    this.outlines.commit();
    this.sticks.begin().commit();
  }

  private updateNails(grips: Float64Array): void {
    let count = 0;
    for (let at = 0; at + 8 <= grips.length; at += 8) {
      if (grips[at] !== 2) continue;
      let mark = this.nailMarks[count];
      if (!mark) {
        mark = new Mesh(new ConeGeometry(this.unit * 0.9, this.unit * 2.4, 20).translate(0, this.unit * 1.2, 0).rotateX(Math.PI), new MeshStandardMaterial({ color: palette().hand, roughness: 0.5 }));
        const up = new Vector3(...this.scene.gravity).negate();
        if (up.lengthSq() === 0) up.set(0, 0, 1);
        mark.quaternion.setFromUnitVectors(new Vector3(0, -1, 0), up.normalize());
        this.nailMarks.push(mark);
        this.add(mark);
      }
      mark.userData.nail = count;
      mark.position.set(grips[at + 2]!, grips[at + 3]!, grips[at + 4]!);
      mark.visible = true;
      count++;
    }
    for (const mark of this.nailMarks.slice(count)) mark.visible = false;
  }

  private isPresent(body: number): boolean { return body < 0 || this.bodies[body]!.group.visible; }

  private placeOn(body: number, placed: { position: [number, number, number]; rotation: [number, number, number, number] }, object: Object3D): void {
    place(object, placed);
    if (body < 0) return;
    const on = this.bodies[body]!.group;
    object.position.applyQuaternion(on.quaternion).add(on.position);
    object.quaternion.premultiply(on.quaternion);
  }

  /** A point of a body (of the ground: −1) in the world. */
  worldPoint(body: number, point: [number, number, number]): Vector3 {
    const out = new Vector3(...point);
    if (body >= 0) {
      const on = this.bodies[body]!.group;
      out.applyQuaternion(on.quaternion).add(on.position);
    }
    return out;
  }

  /** A point of the world in the frame of a body or its piece. */
  inBody(body: number, piece: number, world: Vector3): [number, number, number] {
    const view = this.bodies[body]!;
    const entry = this.scene.deformed.findIndex((d) => d.body === body && d.piece === piece);
    const deformed = view.deformed.find((d) => d.entry === entry);
    if (deformed) return world.clone().applyMatrix4(new Matrix4().copy(deformed.group.matrix).invert()).toArray();
    return world.clone().sub(view.group.position).applyQuaternion(Q.copy(view.group.quaternion).invert()).toArray();
  }

  // --- hide and isolate ---

  isShown(part: Part): boolean {
    if (this.hidden.has(key(part))) return false;
    const only = this.isolated;
    if (!only) return true;
    if (samePart(only, part)) return true;
    if (only.what === "body") {
      if (part.what === "joint") { const j = this.scene.joints[part.index]!; return j.a === only.index || j.b === only.index; }
      if (part.what === "probe") return this.scene.probes[part.index]!.body === only.index;
      return false;
    }
    if (only.what === "joint" && part.what === "body") {
      const j = this.scene.joints[only.index]!;
      return j.a === part.index || j.b === part.index;
    }
    return false;
  }

  toggle(part: Part): void {
    const name = key(part);
    if (!this.hidden.delete(name)) this.hidden.add(name);
  }

  isolate(part: Part | null): void { this.isolated = samePart(this.isolated, part) ? null : part; }
  get isolatedPart(): Part | null { return this.isolated; }

  /** A box around what is shown. */
  box(): Box3 {
    const box = new Box3();
    this.bodies.forEach((body, i) => { if (body.group.visible) box.union(this.bodyBox(i)); });
    for (const joint of this.joints) if (joint.group.visible) box.expandByPoint(joint.group.position);
    return box;
  }

  /** A box around one body. */
  bodyBox(index: number): Box3 {
    const body = this.bodies[index]!;
    const [box, part] = [new Box3(), new Box3()];
    for (const group of [body.group, ...body.deformed.map((d) => d.group)]) {
      group.updateWorldMatrix(true, true);
      for (const child of group.children) {
        if (child === body.marks || !child.visible) continue;
        part.setFromObject(child, true);
        if (!part.isEmpty()) box.union(part);
      }
    }
    return box;
  }

  // --- colours ---

  recolour(selected: Part | null = null, hovered: Part | null = null): void {
    const p = palette();
    this.bodies.forEach((body, i) => {
      const base = surface(bodyColour(i, body.info.colour ?? body.info.looks[0]?.colour));
      const part: Part = { what: "body", index: i };
      body.skin.surface.color.copy(base);
      body.skin.edge.color.copy(base).multiplyScalar(p.dark ? 0.35 : 0.42);
      const [isSelected, isHovered] = [samePart(selected, part), samePart(hovered, part)];
      body.skin.surface.emissive.copy(base);
      body.skin.surface.emissiveIntensity = isHovered ? 0.22 : 0;
      if (isSelected) body.skin.edge.color.set(p.select);
    });
    this.outlineBody(selected?.what === "body" ? selected.index : -1, p.select);
    this.jointSkin.color.set(p.joint);
    this.jointDark.color.set(p.jointDark);
    this.joints.forEach((joint, i) => {
      const part: Part = { what: "joint", index: i };
      const on = samePart(selected, part) || samePart(hovered, part);
      joint.group.traverse((object) => {
        if (!(object instanceof Mesh)) return;
        const plain = object.userData.plain ?? (object.userData.plain = object.material);
        object.material = on ? this.glow(p.select) : plain;
      });
    });
    this.centreSkin[0].color.set("#15181c");
    this.centreSkin[1].color.set("#f5f7f9");
    this.springs.setColour(p.spring);
    this.outlines.setColour(p.spring);
    this.rods.setColour(p.ink);
    for (const mark of this.probeMarks) (mark.material as MeshStandardMaterial).color.set(p.trail);
  }

  // The selected body has a rim: its surface once more from behind, moved out along its normals.
  private readonly rim = new MeshBasicMaterial({ side: BackSide });
  private readonly rimWidth = { value: 0 };
  private rims: Mesh[] = [];
  private rimmed = -1;

  private outlineBody(index: number, colour: string): void {
    this.rim.color.set(colour);
    if (index === this.rimmed) return;
    for (const mesh of this.rims) mesh.removeFromParent();
    this.rims = [];
    this.rimmed = index;
    const body = this.bodies[index];
    if (!body) return;
    for (const group of [body.group, ...body.deformed.map((d) => d.group)]) {
      const found: Mesh[] = [];
      group.traverse((object) => { if (object instanceof Mesh && object.material === body.skin.surface) found.push(object); });
      for (const mesh of found) {
        const rim = new Mesh(mesh.geometry, this.rim);
        rim.position.copy(mesh.position);
        rim.quaternion.copy(mesh.quaternion);
        rim.raycast = () => {};
        mesh.parent!.add(rim);
        this.rims.push(rim);
      }
    }
  }

  /** Width of the rim of the selected body [m]. */
  setOutline(width: number): void { this.rimWidth.value = width; }

  private glowSkin: MeshStandardMaterial | null = null;
  private glow(colour: string): MeshStandardMaterial {
    this.glowSkin ??= new MeshStandardMaterial({ roughness: 0.5 });
    this.glowSkin.color.set(colour);
    return this.glowSkin;
  }

  override dispose(): void {
    free(this);
    for (const skin of [this.jointSkin, this.jointDark, ...this.centreSkin, this.rim, this.glowSkin]) skin?.dispose();
    for (const body of this.bodies) { body.skin.surface.dispose(); body.skin.edge.dispose(); }
  }
}

/** Name of a part in sets and share links. */
export function key(part: Part): string { return `${part.what}:${part.index}`; }

/** Signs are a share of the scene, and no thicker than its thinner bodies. */
function signSize(scene: SceneInfo, size: number): number {
  const thin: number[] = [];
  for (const body of scene.bodies) {
    for (const look of body.looks) {
      if (look.kind === "cylinder" || look.kind === "capsule") thin.push(look.radius, look.length / 4);
      if (look.kind === "sphere") thin.push(look.radius * 0.5);
      if (look.kind === "box") thin.push(Math.min(...look.size) * 0.7);
    }
  }
  thin.sort((a, b) => a - b);
  const typical = thin.length ? thin[Math.floor(thin.length * 0.35)]! : size * 0.014;
  return Math.min(Math.max(typical * 1.15, size * 0.006), size * 0.016);
}

/** A bar between two points of a body; null if they are one. */
function bar(from: readonly number[], to: readonly number[], radius: number): BufferGeometry | null {
  const [a, b] = [new Vector3().fromArray(from), new Vector3().fromArray(to)];
  const span = b.clone().sub(a);
  const length = span.length();
  if (length < radius * 0.5) return null;
  const turn = new Quaternion().setFromUnitVectors(new Vector3(0, 1, 0), span.divideScalar(length));
  const middle = a.add(b).multiplyScalar(0.5);
  return new CylinderGeometry(radius, radius, length, 16).applyQuaternion(turn).translate(middle.x, middle.y, middle.z);
}

export { isPlane };
