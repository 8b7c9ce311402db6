/** Gives back what a part of the picture holds on the graphics card: three.js frees nothing by itself. */

import { InstancedMesh, type BufferGeometry, type Material, type Object3D } from "three";

/** Disposes the geometries and materials of an object and of everything in it. */
export function free(root: Object3D): void {
  root.traverse((object) => {
    const { geometry, material } = object as { geometry?: BufferGeometry; material?: Material | Material[] };
    geometry?.dispose();
    for (const one of Array.isArray(material) ? material : material ? [material] : []) one.dispose();
    if (object instanceof InstancedMesh) object.dispose();
  });
}
