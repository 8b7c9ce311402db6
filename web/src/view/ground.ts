/** Floors, walls and terrain, and a grid that tells the scale. */

import { Box3, CanvasTexture, Group, Mesh, MeshStandardMaterial, PlaneGeometry, Quaternion, Vector3, Color, LineSegments, BufferGeometry, BufferAttribute, LineBasicMaterial, DoubleSide } from "three";
import type { Look, SceneInfo } from "../engine";
import { FatLines } from "./fat";
import { free } from "./free";
import { palette } from "./palette";
import { place, skin, solidObject } from "./solids";

/** 1, 2 or 5 times a power of ten, not above `x`. */
export function niceBelow(x: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(x, 1e-12)));
  const lead = x / power;
  return (lead >= 5 ? 5 : lead >= 2 ? 2 : 1) * power;
}

export class Ground extends Group {
  /** Width of a square of the grid [m]; 0 without a grid. */
  spacing = 0;
  readonly fat: FatLines[] = [];
  private readonly grids: LineSegments[] = [];
  private readonly shown: { object: Group | Mesh; look: number }[] = [];

  constructor(scene: SceneInfo, box: Box3, up: Vector3) {
    super();
    const p = palette();
    const reach = Math.max(box.getSize(new Vector3()).length(), 1e-3);
    const middle = box.getCenter(new Vector3());
    this.spacing = niceBelow(reach / 6);
    let floors = 0;
    scene.ground.forEach((look, i) => {
      if (!look.visible) return;
      if (look.kind === "plane") {
        const normal = new Vector3(0, 0, 1).applyQuaternion(rotation(look));
        if (scene.planar) this.hatch(look, normal, middle, reach, scene.ground.filter((other) => other.visible && other.kind === "plane" && other !== look));
        else {
          const floor = normal.dot(up) > 0.95;
          floors += floor ? 1 : 0;
          this.plane(look, i, normal, middle, reach, floor);
        }
      } else {
        const own = skin();
        own.surface.color.set(look.colour ?? p.ground);
        own.surface.side = DoubleSide;
        own.edge.color.set(p.gridStrong);
        const object = solidObject(look, own, { thin: reach * 0.004 });
        object.traverse((child) => { child.castShadow = false; });
        object.userData.part = { what: "ground", index: i };
        this.add(object);
      }
    });
    if (scene.planar) this.backdrop(box, middle, reach, new Vector3(0, 0, 1), -0.02 * reach);
    else if (floors === 0) {
      // Nothing to stand on: a grid below, to see the scale.
      const low = [box.min, box.max].map((corner) => corner.dot(up));
      this.backdrop(box, middle, reach, up, Math.min(...low) - middle.dot(up) - reach * 0.04);
    }
  }

  setGrid(on: boolean): void { for (const grid of this.grids) grid.visible = on; }

  private plane(look: Look, index: number, normal: Vector3, middle: Vector3, reach: number, floor: boolean): void {
    const p = palette();
    const half = floor ? reach * 3 : reach * 0.9;
    const material = new MeshStandardMaterial({ color: look.colour ?? p.ground, roughness: 0.95, side: DoubleSide, polygonOffset: true, polygonOffsetFactor: 2, polygonOffsetUnits: 2 });
    if (floor) { material.alphaMap = fading(); material.transparent = true; } else { material.transparent = true; material.opacity = 0.35; material.depthWrite = false; }
    // Drawn first: what is transparent would else be drawn over what stands on it.
    const mesh = new Mesh(new PlaneGeometry(2 * half, 2 * half), material);
    mesh.renderOrder = -2;
    mesh.receiveShadow = true;
    place(mesh, look);
    // The square lies below the mechanism, wherever the plane's own origin is.
    const offset = middle.clone().sub(mesh.position);
    mesh.position.add(offset.addScaledVector(normal, -offset.dot(normal)));
    mesh.userData.part = { what: "ground", index };
    this.add(mesh);
    this.shown.push({ object: mesh, look: index });
    this.lines(mesh.position, mesh.quaternion, half, look);
  }

  private backdrop(_box: Box3, middle: Vector3, reach: number, normal: Vector3, offset: number): void {
    const turn = new Quaternion().setFromUnitVectors(new Vector3(0, 0, 1), normal);
    this.lines(middle.clone().addScaledVector(normal, offset), turn, reach * (normal.z === 1 && offset === -0.02 * reach ? 2.5 : 1.1));
  }

  /** Lines at multiples of the spacing, through the world's origin; every fifth is stronger. */
  private lines(at: Vector3, turn: Quaternion, half: number, look?: Look): void {
    const p = palette();
    const s = this.spacing;
    const inverse = turn.clone().invert();
    const local = at.clone().applyQuaternion(inverse);
    const positions: number[] = [];
    const colours: number[] = [];
    const [faint, strong] = [new Color(p.grid), new Color(p.gridStrong)];
    const ground = new Color(look ? look.colour ?? p.ground : p.background);
    const n = Math.min(Math.floor(half / s), 150);
    for (let axis = 0; axis < 2; axis++) {
      const first = Math.round((axis === 0 ? local.x : local.y) / s);
      for (let k = first - n; k <= first + n; k++) {
        const fixed = k * s;
        const [lo, hi] = axis === 0 ? [local.y - n * s, local.y + n * s] : [local.x - n * s, local.x + n * s];
        // Lines fade towards their ends.
        for (const [from, to] of [[lo, (lo + hi) / 2], [(lo + hi) / 2, hi]] as const) {
          const points = axis === 0 ? [[fixed, from], [fixed, to]] : [[from, fixed], [to, fixed]];
          for (const [x, y] of points) {
            const point = new Vector3(x!, y!, local.z).applyQuaternion(turn);
            positions.push(point.x, point.y, point.z);
            const away = Math.min(Math.hypot(x! - local.x, y! - local.y) / (n * s), 1);
            const base = (k % 5 === 0 ? strong : faint).clone().lerp(ground, away ** 1.5);
            colours.push(base.r, base.g, base.b);
          }
        }
      }
    }
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(Float32Array.from(positions), 3));
    geometry.setAttribute("color", new BufferAttribute(Float32Array.from(colours), 3));
    const grid = new LineSegments(geometry, new LineBasicMaterial({ vertexColors: true }));
    grid.raycast = () => {};
    grid.renderOrder = -1;
    this.grids.push(grid);
    this.add(grid);
  }

  /** A wall of a planar scene: a line with hatching behind it. */
  private hatch(look: Look, normal: Vector3, middle: Vector3, reach: number, others: Look[]): void {
    const p = palette();
    const edge = new FatLines(p.ink, 2, 8);
    const strokes = new FatLines(p.gridStrong, 1.2, 256);
    const along = new Vector3(-normal.y, normal.x, 0);
    const origin = new Vector3(...look.position);
    const offset = middle.clone().sub(origin);
    const at = origin.addScaledVector(along, offset.dot(along)).setZ(-0.01 * reach);
    const half = reach * 1.6;
    // A wall ends where another begins: what is allowed lies on the free side of all.
    let [low, high] = [-half, half];
    for (const other of others) {
      const free = new Vector3(0, 0, 1).applyQuaternion(rotation(other));
      const [slope, room] = [free.dot(along), free.dot(new Vector3(...other.position).sub(at))];
      if (slope > 1e-9) low = Math.max(low, room / slope);
      else if (slope < -1e-9) high = Math.min(high, room / slope);
    }
    if (low >= high) return;
    const [a, b] = [at.clone().addScaledVector(along, low), at.clone().addScaledVector(along, high)];
    edge.segment(a.x, a.y, a.z, b.x, b.y, b.z);
    const step = reach * 0.022;
    for (let s = low; s < high; s += step) {
      const from = at.clone().addScaledVector(along, s);
      const to = from.clone().addScaledVector(along, -step * 0.9).addScaledVector(normal, -step * 0.9);
      strokes.segment(from.x, from.y, from.z, to.x, to.y, to.z);
    }
    edge.commit();
    strokes.commit();
    this.fat.push(edge, strokes);
    this.add(edge, strokes);
  }

  override dispose(): void {
    free(this);
  }
}

let fade: CanvasTexture | null = null;
/** A floor ends in the background, not at an edge. */
function fading(): CanvasTexture {
  if (fade) return fade;
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = 256;
  const paint = canvas.getContext("2d")!;
  const ramp = paint.createRadialGradient(128, 128, 20, 128, 128, 127);
  ramp.addColorStop(0, "#fff");
  ramp.addColorStop(0.35, "#ddd");
  ramp.addColorStop(1, "#000");
  paint.fillStyle = ramp;
  paint.fillRect(0, 0, 256, 256);
  return (fade = new CanvasTexture(canvas));
}

function rotation(look: Look): Quaternion {
  return new Quaternion(look.rotation[1], look.rotation[2], look.rotation[3], look.rotation[0]);
}
