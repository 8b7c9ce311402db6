/** Looks of the engine as meshes: a surface with its edges, as in a CAD system. */

import {
  BoxGeometry, BufferAttribute, BufferGeometry, CapsuleGeometry, CylinderGeometry, EdgesGeometry, Group, LineBasicMaterial, LineSegments,
  Mesh, MeshStandardMaterial, PlaneGeometry, SphereGeometry, type Object3D,
} from "three";
import type { Look, Placed, Solid } from "../engine";

const cache = new Map<string, { surface: BufferGeometry; edges: BufferGeometry | null }>();

/** Forgets the solids of a scene that is gone; its geometries were given back. */
export function clearSolids(): void { cache.clear(); }

/** Size of things without a size (points, sticks), in metres; by the scene. */
export interface Scale { thin: number }

/** The surface and edges of a solid in its own frame; shared by equal solids. */
function geometry(solid: Solid, scale: Scale): { surface: BufferGeometry; edges: BufferGeometry | null } {
  const key = JSON.stringify(solid, ["kind", "size", "radius", "length", "convex", "vertices", "triangles"]) + scale.thin;
  let found = key.length < 4000 ? cache.get(key) : undefined;
  if (!found) {
    found = build(solid, scale);
    if (key.length < 4000) cache.set(key, found);
  }
  return found;
}

function build(solid: Solid, scale: Scale): { surface: BufferGeometry; edges: BufferGeometry | null } {
  const edged = (surface: BufferGeometry, angle = 30) => ({ surface, edges: new EdgesGeometry(surface, angle) as BufferGeometry });
  switch (solid.kind) {
    case "box": return edged(new BoxGeometry(...solid.size));
    case "sphere": return { surface: new SphereGeometry(solid.radius, 40, 24), edges: rings(solid.radius) };
    case "cylinder": return edged(new CylinderGeometry(solid.radius, solid.radius, solid.length, 40).rotateZ(-Math.PI / 2));
    case "capsule": return { surface: new CapsuleGeometry(solid.radius, solid.length, 10, 28).rotateZ(-Math.PI / 2), edges: null };
    case "stick": return { surface: new CylinderGeometry(scale.thin, scale.thin, solid.length, 14).rotateZ(-Math.PI / 2), edges: null };
    case "plate": return edged(new BoxGeometry(solid.size[0], solid.size[1], scale.thin * 0.5));
    case "point": return { surface: new SphereGeometry(scale.thin * 2.2, 28, 18), edges: null };
    case "plane": return { surface: new PlaneGeometry(1, 1), edges: null };
    case "mesh": {
      const shape = new BufferGeometry();
      shape.setAttribute("position", new BufferAttribute(Float32Array.from(solid.vertices), 3));
      shape.setIndex(solid.triangles);
      const flat = shape.toNonIndexed();
      flat.computeVertexNormals();
      return { surface: flat, edges: new EdgesGeometry(shape, solid.convex ? 12 : 25) };
    }
  }
}

/** Three great circles, so that the turning of a ball is seen. */
function rings(radius: number): BufferGeometry {
  const points: number[] = [];
  const n = 48;
  for (let axis = 0; axis < 3; axis++) {
    for (let i = 0; i < n; i++) {
      for (const k of [i, i + 1]) {
        const [c, s] = [Math.cos((2 * Math.PI * k) / n) * radius * 1.002, Math.sin((2 * Math.PI * k) / n) * radius * 1.002];
        points.push(...(axis === 0 ? [c, s, 0] : axis === 1 ? [0, c, s] : [s, 0, c]));
      }
    }
  }
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(Float32Array.from(points), 3));
  return geometry;
}

/** The two materials of a body. */
export interface Skin { surface: MeshStandardMaterial; edge: LineBasicMaterial }

export function skin(): Skin {
  return {
    surface: new MeshStandardMaterial({ roughness: 0.62, metalness: 0.04, polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1 }),
    edge: new LineBasicMaterial({ transparent: true, opacity: 0.75 }),
  };
}

/** A solid as an object to draw. */
export function solidObject(look: Solid & Partial<Placed>, skin: Skin, scale: Scale): Object3D {
  const { surface, edges } = geometry(look, scale);
  const group = new Group();
  const mesh = new Mesh(surface, skin.surface);
  mesh.castShadow = true;
  mesh.receiveShadow = true;
  group.add(mesh);
  if (edges) {
    const lines = new LineSegments(edges, skin.edge);
    lines.raycast = () => {};
    if (look.kind === "sphere") lines.userData.faint = true;
    group.add(lines);
  }
  place(group, look);
  return group;
}

/** Puts an object where a look is. */
export function place(object: Object3D, placed: Partial<Placed>): void {
  if (placed.position) object.position.set(...placed.position);
  if (placed.rotation) object.quaternion.set(placed.rotation[1], placed.rotation[2], placed.rotation[3], placed.rotation[0]);
}

/** Whether a look is part of the ground plane rather than a thing. */
export function isPlane(look: Look): boolean { return look.kind === "plane"; }
