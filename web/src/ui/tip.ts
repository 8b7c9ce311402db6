/** What the pointer is on: name, kind, mass, velocity, joint coordinate, line of the scene text. */

import type { SceneInfo } from "../engine";
import type { Frame } from "../protocol";
import type { Part } from "../view/mechanism";
import { h } from "./dom";
import * as format from "./format";

export function tipFor(scene: SceneInfo, frame: Frame, part: Part): HTMLElement[] {
  const rows: [string, string][] = [];
  let [name, kind, line]: [string, string, number | undefined] = ["", "", undefined];
  if (part.what === "body") {
    const body = scene.bodies[part.index]!;
    [name, kind, line] = [body.name, body.kind, body.line];
    const m = frame.motions.subarray(9 * part.index, 9 * part.index + 9);
    rows.push(["mass", format.quantity(body.mass, "kg")], ["speed", format.quantity(Math.hypot(m[3]!, m[4]!, m[5]!), "m/s")]);
    const turn = Math.hypot(m[6]!, m[7]!, m[8]!);
    if (turn > 0) rows.push(["angular speed", format.quantity(turn, "rad/s")]);
  } else if (part.what === "joint") {
    const joint = scene.joints[part.index]!;
    [name, kind, line] = [joint.name, joint.kind, joint.line];
    for (let c = joint.coordinates[0]; c < joint.coordinates[1]; c++) {
      const { unit } = scene.coordinates[c]!;
      rows.push([unit === "rad" ? "angle" : "travel", format.quantity(frame.coordinates[2 * c]!, unit)], ["rate", format.quantity(frame.coordinates[2 * c + 1]!, `${unit}/s`)]);
    }
    const end = (body: number) => (body < 0 ? "ground" : scene.bodies[body]!.name);
    rows.push(["between", `${end(joint.a)}, ${end(joint.b)}`]);
  } else if (part.what === "probe") {
    const probe = scene.probes[part.index]!;
    [name, kind, line] = [probe.name, "probe", probe.line];
    const p = frame.probes.subarray(6 * part.index, 6 * part.index + 6);
    rows.push(["speed", format.quantity(Math.hypot(p[3]!, p[4]!, p[5]!), "m/s")]);
  }
  if (line !== undefined) rows.push(["scene text", `line ${line}`]);
  return [h("div", {}, h("b", {}, name), " ", h("span", { class: "muted" }, kind)), h("table", {}, ...rows.map(([key, value]) => h("tr", {}, h("td", {}, key), h("td", {}, value))))];
}
