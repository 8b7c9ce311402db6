/** The picture: renderer, lights, mechanism, and the camera's answer to mouse, finger and keys. */

import {
  Box3, Color, DirectionalLight, HemisphereLight, PCFShadowMap, Quaternion, Raycaster, Scene, SRGBColorSpace, Vector2, Vector3, WebGLRenderer,
  type Object3D,
} from "three";
import type { SceneInfo } from "../engine";
import type { Frame } from "../protocol";
import { ForceArrows } from "./arrows";
import { FatLines } from "./fat";
import { Ground } from "./ground";
import { Labels } from "./labels";
import { Mechanism, type Layers, type Part } from "./mechanism";
import { onTheme, palette } from "./palette";
import { Rig } from "./rig";
import { clearSolids } from "./solids";
import { Trails } from "./trails";

/** What a ray meets. */
export interface Hit { part: Part; piece: number; point: Vector3; nail?: number }

export class Viewport {
  readonly canvas: HTMLCanvasElement;
  readonly rig = new Rig();
  mechanism: Mechanism | null = null;
  arrows: ForceArrows | null = null;
  readonly labels: Labels;
  layers: Layers;
  selected: Part | null = null;
  hovered: Part | null = null;
  /** Called after each picture. */
  drawn: () => void = () => {};
  private readonly renderer: WebGLRenderer;
  private readonly three = new Scene();
  private readonly sky = new HemisphereLight("#ffffff", "#b8c0ca", 1.5);
  private readonly sun = new DirectionalLight("#ffffff", 2.1);
  private readonly caster = new Raycaster();
  private ground: Ground | null = null;
  private trails: Trails | null = null;
  private readonly handLine = new FatLines("#000", 2, 2);
  private size = 1;
  private dirty = true;
  private width = 1;
  private height = 1;
  private scene: SceneInfo | null = null;
  private newest: Frame | null = null;
  private unseen: "fit" | "keep" | null = null;
  private swept: Float64Array = new Float64Array();
  private box = new Box3();
  private following = -1;
  private readonly followed = new Vector3();

  constructor(private readonly stage: HTMLElement, labels: HTMLElement, layers: Layers) {
    this.layers = layers;
    this.labels = new Labels(labels);
    this.renderer = new WebGLRenderer({ antialias: true, powerPreference: "high-performance", preserveDrawingBuffer: false });
    this.canvas = this.renderer.domElement;
    this.canvas.className = "gl";
    this.canvas.tabIndex = 0;
    this.canvas.setAttribute("aria-label", "Mechanism");
    stage.prepend(this.canvas);
    // Asking for errors waits for the compiler; the shaders are those of three.js.
    this.renderer.debug.checkShaderErrors = false;
    this.renderer.outputColorSpace = SRGBColorSpace;
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = PCFShadowMap;
    this.sun.castShadow = true;
    // Without a graphics card every pixel of a shadow counts.
    const gl = this.renderer.getContext();
    const about = gl.getExtension("WEBGL_debug_renderer_info");
    const software = about !== null && /swiftshader|llvmpipe|software/i.test(String(gl.getParameter(about.UNMASKED_RENDERER_WEBGL)));
    this.sun.shadow.mapSize.setScalar(software ? 1024 : 2048);
    this.sun.shadow.bias = -0.0006;
    this.sun.shadow.radius = 3;
    this.three.add(this.sky, this.sun, this.sun.target, this.handLine);
    this.rig.changed = () => { this.dirty = true; };
    new ResizeObserver(() => this.resize()).observe(stage);
    onTheme(() => this.rebuildTheme());
    this.resize();
  }

  /** Shows another scene; the camera stays if `keepView`. */
  load(scene: SceneInfo, keepView: boolean, swept: Float64Array = new Float64Array()): void {
    for (const object of [this.mechanism, this.ground, this.arrows]) if (object) this.three.remove(object);
    this.mechanism?.dispose();
    this.ground?.dispose();
    this.arrows?.dispose();
    this.ground = null;
    clearSolids();
    if (this.trails) { this.three.remove(...this.trails.lines); for (const line of this.trails.lines) line.dispose(); }
    this.scene = scene;
    this.newest = null;
    this.selected = this.hovered = null;
    this.size = Math.max(spanOf(scene, swept) * 0.75, 1e-3);
    this.mechanism = new Mechanism(scene, this.size);
    this.arrows = new ForceArrows(scene, this.size);
    this.trails = new Trails(scene.probes.length);
    this.three.add(this.mechanism, this.arrows, ...this.trails.lines);
    this.following = scene.camera?.follow ?? -1;
    this.followed.set(0, 0, 0);
    this.unseen = keepView ? "keep" : "fit";
    this.swept = swept;
    this.mechanism.visible = false;
    this.resize();
    this.dirty = true;
  }

  /** The first frame tells where the bodies are: now the view and the ground can be chosen. */
  private firstFrame(frame: Frame): void {
    const [scene, mechanism] = [this.scene!, this.mechanism!];
    this.box = reach(scene, mechanism, frame, this.swept);
    if (this.unseen === "fit") this.startView(scene, this.box);
    this.unseen = null;
    mechanism.visible = true;
    this.rebuildTheme();
  }

  private startView(scene: SceneInfo, box: Box3): void {
    const rig = this.rig;
    const camera = scene.camera;
    const down = new Vector3(...scene.gravity);
    const up = camera?.up ? new Vector3(...camera.up) : down.lengthSq() > 0 ? down.negate() : new Vector3(0, scene.planar ? 1 : 0, scene.planar ? 0 : 1);
    if (scene.planar && Math.abs(up.z) > 0.9 * up.length()) up.set(0, 1, 0);
    rig.setUp(up);
    rig.ortho = camera?.height !== undefined || scene.planar;
    rig.lookFrom(scene.planar ? new Vector3(0, 0, 1) : startDirection(box, rig.up));
    rig.fit(box, scene.planar ? 1.14 : 1.1);
    if (camera?.position && camera.target) {
      const away = new Vector3(...camera.position).sub(new Vector3(...camera.target));
      rig.target.set(...camera.target);
      rig.distance = away.length();
      rig.lookFrom(away);
    }
  }

  private rebuildTheme(): void {
    const p = palette();
    this.renderer.setClearColor(new Color(p.background));
    this.sky.intensity = p.dark ? 1.5 : 2.0;
    this.sky.groundColor.set(p.dark ? "#39424d" : "#aab4c0");
    this.sun.intensity = p.dark ? 1.5 : 1.7;
    this.handLine.setColour(p.hand);
    if (this.scene && this.mechanism && !this.unseen) {
      if (this.ground) { this.three.remove(this.ground); this.ground.dispose(); }
      const box = this.box;
      this.size = Math.max(box.getSize(new Vector3()).length(), 1e-3);
      this.ground = new Ground(this.scene, box, this.rig.up);
      this.ground.setGrid(this.layers.grid);
      this.three.add(this.ground);
      const middle = box.getCenter(new Vector3());
      const side = new Vector3(0.55, -0.5, 0.3).addScaledVector(this.rig.up, 1.25).normalize();
      if (this.scene.planar) side.set(-0.25, 0.35, 1).normalize();
      this.sun.position.copy(middle).addScaledVector(side, this.size * 2);
      this.sun.target.position.copy(middle);
      const shadow = this.sun.shadow.camera;
      shadow.left = shadow.bottom = -this.size * 1.1;
      shadow.right = shadow.top = this.size * 1.1;
      shadow.near = this.size * 0.2;
      shadow.far = this.size * 5;
      shadow.updateProjectionMatrix();
      this.sky.position.copy(this.rig.up);
      this.arrows!.recolour();
      this.trails!.recolour();
      this.mechanism.recolour(this.selected, this.hovered);
      this.resize();
    }
    this.dirty = true;
  }

  private fatLines(): FatLines[] {
    return [...(this.mechanism?.fat ?? []), ...(this.ground?.fat ?? []), ...(this.trails?.lines ?? []), this.handLine];
  }

  resize(): void {
    const { clientWidth, clientHeight } = this.stage;
    if (clientWidth === 0 || clientHeight === 0) return;
    [this.width, this.height] = [clientWidth, clientHeight];
    const ratio = Math.min(devicePixelRatio || 1, 2);
    this.renderer.setPixelRatio(ratio);
    this.renderer.setSize(clientWidth, clientHeight, false);
    for (const line of this.fatLines()) line.setResolution(clientWidth, clientHeight);
    this.rig.resize(clientWidth, clientHeight);
    this.dirty = true;
  }

  /** How much is on the graphics card. */
  get held(): { geometries: number; textures: number } { return { ...this.renderer.info.memory }; }
  get gridSpacing(): number { return this.ground?.spacing ?? 0; }
  get sceneSize(): number { return this.size; }
  get frame(): Frame | null { return this.newest; }

  /** The scene moved. */
  show(frame: Frame): void {
    if (!this.mechanism || !this.trails) return;
    this.newest = frame;
    this.mechanism.update(frame, this.layers);
    if (this.unseen) this.firstFrame(frame);
    if (frame.paths) this.trails.extend(frame.paths);
    this.trails.push(frame.time, frame.probes, 6);
    if (this.following >= 0) {
      const now = new Vector3(frame.motions[9 * this.following]!, frame.motions[9 * this.following + 1]!, frame.motions[9 * this.following + 2]!);
      if (this.followed.lengthSq() > 0) { this.rig.target.add(now.clone().sub(this.followed)); this.rig.update(); }
      this.followed.copy(now);
    }
    this.dirty = true;
  }

  clearTrails(): void { this.trails?.clear(); }

  /** A layer was switched, a part hidden. */
  refresh(): void {
    this.ground?.setGrid(this.layers.grid);
    if (this.newest && this.mechanism) this.mechanism.update(this.newest, this.layers);
    this.mechanism?.recolour(this.selected, this.hovered);
    this.dirty = true;
  }

  select(part: Part | null): void { this.selected = part; this.refresh(); }
  hover(part: Part | null): void { this.hovered = part; this.refresh(); }

  /** Draws if something changed. */
  render(): void {
    // Before its first frame a scene has no place: the picture of the old one stays.
    if (!this.dirty || this.unseen) return;
    this.dirty = false;
    this.paint();
    this.drawn();
  }

  private paint(): void {
    this.mechanism?.setOutline(2.4 * this.rig.pixel(this.rig.target, this.height));
    const frame = this.newest;
    this.labels.begin();
    this.handLine.begin();
    if (frame && this.mechanism && this.arrows && this.trails) {
      const mechanism = this.mechanism;
      this.arrows.update(frame, this.layers, mechanism, this.labels);
      this.trails.draw((i) => this.layers.trails && mechanism.isShown({ what: "probe", index: i }));
      for (let at = 0; at + 8 <= frame.grips.length; at += 8) {
        if (frame.grips[at] === 2) continue;
        const g = frame.grips;
        this.handLine.segment(g[at + 2]!, g[at + 3]!, g[at + 4]!, g[at + 5]!, g[at + 6]!, g[at + 7]!);
      }
      if (this.layers.names) this.names(frame, mechanism);
    }
    this.handLine.commit();
    this.renderer.render(this.three, this.rig.camera);
    this.labels.commit(this.rig.camera, this.width, this.height);
  }

  private names(frame: Frame, mechanism: Mechanism): void {
    const scene = this.scene!;
    scene.bodies.forEach((body, i) => {
      if (mechanism.bodies[i]!.group.visible) this.labels.put(new Vector3(frame.motions[9 * i]!, frame.motions[9 * i + 1]!, frame.motions[9 * i + 2]!), body.name);
    });
    if (this.layers.joints && scene.joints.length <= 12) scene.joints.forEach((joint, i) => { if (mechanism.joints[i]!.group.visible) this.labels.put(mechanism.joints[i]!.group.position.clone(), joint.name, "joint"); });
  }

  // --- rays ---

  /** Place of the pointer in the view, −1 … 1. */
  toView(event: { clientX: number; clientY: number }): Vector2 {
    const box = this.canvas.getBoundingClientRect();
    return new Vector2(((event.clientX - box.left) / box.width) * 2 - 1, 1 - ((event.clientY - box.top) / box.height) * 2);
  }

  /** Place of a point of the world on the page, in pixels. */
  toPage(point: Vector3): { x: number; y: number } {
    const box = this.canvas.getBoundingClientRect();
    const p = point.clone().project(this.rig.camera);
    return { x: box.left + ((p.x + 1) / 2) * box.width, y: box.top + ((1 - p.y) / 2) * box.height };
  }

  /** The first part under a place of the view. Thin parts count within some pixels. */
  hit(at: Vector2, slack = 6): Hit | null {
    if (!this.mechanism) return null;
    const offsets = [[0, 0], [1, 0], [-1, 0], [0, 1], [0, -1], [0.7, 0.7], [-0.7, 0.7], [0.7, -0.7], [-0.7, -0.7]];
    for (const [dx, dy] of offsets) {
      const near = new Vector2(at.x + (dx! * slack * 2) / this.width, at.y + (dy! * slack * 2) / this.height);
      this.caster.ray.copy(this.rig.ray(near));
      const hits = this.caster.intersectObject(this.mechanism, true);
      for (const { object, point } of hits) {
        const found = partOf(object);
        if (found) return { ...found, point };
      }
    }
    return null;
  }

  fit(): void {
    const box = this.mechanism?.box();
    if (box && !box.isEmpty()) this.rig.fit(box, 1.2);
  }

  /** The picture as PNG. */
  async png(): Promise<Blob> {
    this.paint();
    const source = this.canvas;
    const copy = document.createElement("canvas");
    copy.width = source.width;
    copy.height = source.height;
    const paint = copy.getContext("2d")!;
    paint.drawImage(source, 0, 0);
    // The texts lie over the picture: they are drawn into it.
    this.labels.draw(paint, source.width / this.width);
    return new Promise((resolve, reject) => copy.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("no picture"))), "image/png"));
  }
}

function partOf(object: Object3D): { part: Part; piece: number; nail?: number } | null {
  for (let o: Object3D | null = object; o; o = o.parent) {
    if (!o.visible) return null;
    if (o.userData.part) {
      for (let p: Object3D | null = o; p; p = p.parent) if (!p.visible) return null;
      return { part: o.userData.part as Part, piece: (o.userData.piece as number | undefined) ?? 0 };
    }
  }
  return null;
}

/** Size of a scene; of one that is a single point, the size of its way [m]. */
function spanOf(scene: SceneInfo, swept: Float64Array): number {
  const span = bounds(scene).getSize(new Vector3()).length();
  if (span > 1e-6) return span;
  const way = new Box3();
  for (let at = 0; at + 6 <= swept.length; at += 6) for (const from of [at, at + 3]) { const p = new Vector3().fromArray(swept, from); if (Number.isFinite(p.x + p.y + p.z)) way.expandByPoint(p); }
  return way.isEmpty() ? 1 : way.getSize(new Vector3()).length() || 1;
}

function bounds(scene: SceneInfo): Box3 {
  const box = new Box3(new Vector3(...scene.bounds[0]), new Vector3(...scene.bounds[1]));
  if (box.isEmpty() || !Number.isFinite(box.getSize(new Vector3()).length())) box.set(new Vector3(-1, -1, -1), new Vector3(1, 1, 1));
  return box;
}

/** A box around what is there and around where it goes in the next seconds. */
function reach(scene: SceneInfo, mechanism: Mechanism, frame: Frame, swept: Float64Array): Box3 {
  const box = mechanism.box();
  const o = frame.outlines;
  for (let at = 0; at + 2 < o.length;) {
    const n = o[at + 1]!;
    // Lines that go on for ever are cut by those who draw them; they do not tell how large the mechanism is.
    if (n > 2) for (let k = 0; k < n; k++) box.expandByPoint(new Vector3(o[at + 2 + 3 * k]!, o[at + 3 + 3 * k]!, o[at + 4 + 3 * k]!));
    at += 2 + 3 * n;
  }
  for (let i = 0; frame.forces && i < scene.forces.length; i++) {
    if (!scene.forces[i]!.spring) continue;
    for (const at of [10 * i, 10 * i + 3]) if (Number.isFinite(frame.forces[at]!)) box.expandByPoint(new Vector3(frame.forces[at]!, frame.forces[at + 1]!, frame.forces[at + 2]!));
  }
  if (box.isEmpty()) return bounds(scene);
  // What falls for ever does not make everything else small: as far as the mechanism is large.
  const most = Math.max(box.getSize(new Vector3()).length(), 1e-6);
  const lone = bounds(scene).getSize(new Vector3()).length() < 1e-6;
  const limit = box.clone().expandByScalar(lone ? Infinity : most);
  for (let i = 0; 6 * i < swept.length && i < scene.bodies.length; i++) {
    const at = new Vector3(frame.motions[9 * i]!, frame.motions[9 * i + 1]!, frame.motions[9 * i + 2]!);
    const own = mechanism.bodyBox(i);
    if (own.isEmpty()) continue;
    const shift = (from: number) => new Vector3(swept[from]!, swept[from + 1]!, swept[from + 2]!).sub(at);
    const [low, high] = [shift(6 * i), shift(6 * i + 3)];
    if (!Number.isFinite(low.x + low.y + low.z + high.x + high.y + high.z)) continue;
    box.union(new Box3(own.min.clone().add(low), own.max.clone().add(high)).intersect(limit));
  }
  for (let at = 6 * scene.bodies.length; at + 6 <= swept.length; at += 6) {
    const [low, high] = [new Vector3().fromArray(swept, at), new Vector3().fromArray(swept, at + 3)];
    if (Number.isFinite(low.x + low.y + low.z + high.x + high.y + high.z)) box.union(new Box3(low, high).intersect(limit));
  }
  if (box.getSize(new Vector3()).length() < 1e-6) box.expandByScalar(0.5);
  // Walls that are near are seen.
  const [middle, size] = [box.getCenter(new Vector3()), box.getSize(new Vector3()).length()];
  for (const wall of scene.ground) {
    if (wall.kind !== "plane" || !wall.wall) continue;
    const normal = new Vector3(0, 0, 1).applyQuaternion(new Quaternion(wall.rotation[1], wall.rotation[2], wall.rotation[3], wall.rotation[0]));
    const away = normal.dot(middle.clone().sub(new Vector3(...wall.position)));
    if (Math.abs(away) < size) box.expandByPoint(middle.clone().addScaledVector(normal, -away));
  }
  return box;
}

/** Flat mechanisms are seen nearly along their normal, others from above and aside. */
function startDirection(box: Box3, up: Vector3): Vector3 {
  const size = box.getSize(new Vector3());
  const axes = [new Vector3(1, 0, 0), new Vector3(0, -1, 0), new Vector3(0, 0, 1)];
  const spans = [size.x, size.y, size.z];
  const thinnest = spans.indexOf(Math.min(...spans));
  const normal = axes[thinnest]!;
  const flat = spans[thinnest]! < 0.25 * Math.max(...spans.filter((_, i) => i !== thinnest));
  if (flat && Math.abs(normal.dot(up)) < 0.5) {
    const side = normal.clone().cross(up);
    return normal.clone().addScaledVector(up, 0.22).addScaledVector(side, -0.34);
  }
  const first = Math.abs(up.x) < 0.9 ? new Vector3(1, 0, 0) : new Vector3(0, 1, 0);
  const side = first.addScaledVector(up, -first.dot(up)).normalize();
  const front = side.clone().cross(up);
  return side.multiplyScalar(0.62).addScaledVector(front, 1).addScaledVector(up, 0.55);
}
