/** The inspector: every value of the selected part, live; a click on a value plots it. */

import type { SceneInfo } from "../engine";
import type { Frame } from "../protocol";
import { ENERGIES, bodySignals, coordinateSignals, forceSignals, probeSignals, reactionSignals, type Signal } from "../signals";
import type { Part } from "../view/mechanism";
import { h, setClass, setText } from "./dom";
import * as format from "./format";

export interface InspectorEvents {
  plot(signal: Signal): void;
  plotted(key: string): boolean;
  select(part: Part): void;
  line(line: number): void;
}

const NO_CHANNELS: ReadonlyMap<number, number> = new Map();

export class Inspector {
  readonly root = h("div", { class: "scroll" });
  private scene: SceneInfo | null = null;
  private live: { signal: Signal; value: HTMLElement; unit: HTMLElement; button: HTMLElement }[] = [];
  private shared: HTMLElement | null = null;
  private part: Part | null = null;
  private due = 0;

  constructor(private readonly events: InspectorEvents) {}

  load(scene: SceneInfo): void { this.scene = scene; this.show(null); }

  /** Shows a part, or the scene. */
  show(part: Part | null): void {
    const scene = this.scene;
    this.part = part;
    this.live = [];
    this.shared = null;
    this.due = 0;
    this.root.replaceChildren();
    if (!scene) return;
    if (!part || part.what === "ground") this.aboutScene(scene);
    else if (part.what === "body") this.aboutBody(scene, part.index);
    else if (part.what === "joint") this.aboutJoint(scene, part.index);
    else if (part.what === "constraint") this.aboutConstraint(scene, part.index);
    else if (part.what === "force") this.aboutForce(scene, part.index);
    else this.aboutProbe(scene, part.index);
    this.mark();
  }

  update(frame: Frame): void {
    const now = performance.now();
    if (frame.playing && now < this.due) return;
    this.due = now + 80;
    for (const { signal, value, unit } of this.live) {
      const as = format.shown(signal.unit);
      setText(value, format.steady(signal.read(frame, NO_CHANNELS) * as.factor));
      setText(unit, as.unit);
    }
    if (this.shared && this.part && frame.reactions && this.scene) {
      const at = this.part.what === "joint" ? this.part.index : this.scene.joints.length + this.part.index;
      this.shared.hidden = frame.reactions[10 * at + 9] !== 0;
    }
  }

  mark(): void { for (const { signal, button } of this.live) setClass(button, "on", this.events.plotted(signal.key)); }

  private head(name: string, kind: string, line: number | undefined): void {
    const source = line === undefined ? null : h("button", { class: "btn line", style: "height:24px;padding:0 8px", title: "Show in the scene text", onclick: () => this.events.line(line) }, `line ${line}`);
    this.root.append(h("div", { class: "title-line" }, h("b", { class: "clip grow" }, name), h("span", { class: "tag" }, kind), source));
  }

  private fixed(rows: [string, string | HTMLElement][]): void {
    this.root.append(h("div", { class: "props" }, ...rows.map(([key, value]) => h("div", { class: "prop" }, h("span", { class: "key" }, key), typeof value === "string" ? h("span", { class: "val clip", title: value }, value) : value))));
  }

  private values(title: string, signals: Signal[]): void {
    if (title) this.root.append(h("div", { class: "head" }, title));
    const list = h("div", { class: "props" });
    for (const signal of signals) {
      const value = h("span", { class: "val" }, "–");
      const unit = h("span", { class: "unit" });
      const button = h("button", { class: "prop", title: "Plot this value", "data-signal": signal.key, onclick: () => this.events.plot(signal) }, h("span", { class: "key" }, signal.label), value, unit);
      this.live.push({ signal, value, unit, button });
      list.append(button);
    }
    this.root.append(list);
  }

  private link(part: Part, name: string): HTMLElement {
    return h("button", { class: "btn", style: "height:20px;padding:0 4px;color:var(--accent)", onclick: () => this.events.select(part) }, name);
  }
  private bodyLink(body: number): HTMLElement {
    return body < 0 ? h("span", { class: "val muted" }, "ground") : this.link({ what: "body", index: body }, this.scene!.bodies[body]!.name);
  }

  private aboutScene(scene: SceneInfo): void {
    this.root.append(h("div", { class: "title-line" }, h("b", { class: "clip grow" }, scene.title || scene.name)));
    if (scene.description) this.root.append(h("div", { class: "empty", style: "padding-top:2px" }, scene.description));
    const integrator = scene.integrator.used === scene.integrator.asked ? scene.integrator.used : `${scene.integrator.used} (${scene.integrator.asked})`;
    const integratorRow = h("span", { class: "val", title: scene.integrator.reason }, integrator);
    this.fixed([["bodies, joints", `${scene.bodies.length}, ${scene.joints.length}`], ["time step", format.quantity(scene.dt * 1000, "ms")], ["integrator", integratorRow], ["coordinates", scene.coordinatesUsed], ["gravity", format.quantity(Math.hypot(...scene.gravity), "m/s²")]]);
    this.values("Energy", ENERGIES);
    for (const warning of scene.warnings) this.root.append(h("div", { class: "empty" }, h("span", { class: "tag warn" }, "note"), " ", warning));
    this.root.append(h("div", { class: "empty" }, "Select a part in the picture or in the tree to see its values."));
  }

  private aboutBody(scene: SceneInfo, index: number): void {
    const body = scene.bodies[index]!;
    this.head(body.name, body.kind, body.line);
    const [xx, yy, zz] = body.inertia;
    const inertia = scene.planar ? format.quantity(zz, "kg·m²") : `${[xx, yy, zz].map((v) => format.number(v, 3)).join(", ")} kg·m²`;
    this.fixed([["mass", format.quantity(body.mass, "kg")], ["inertia", inertia]]);
    this.values("Motion of the centre of mass", bodySignals(scene, index));
    const joints = scene.joints.map((joint, i) => ({ joint, i })).filter(({ joint }) => joint.a === index || joint.b === index);
    if (joints.length) {
      this.root.append(h("div", { class: "head" }, "Joints"));
      this.fixed(joints.slice(0, 12).map(({ joint, i }) => [joint.kind, this.link({ what: "joint", index: i }, joint.name)]));
    }
  }

  private aboutJoint(scene: SceneInfo, index: number): void {
    const joint = scene.joints[index]!;
    this.head(joint.name, joint.kind, joint.line);
    this.fixed([["from", this.bodyLink(joint.a)], ["to", this.bodyLink(joint.b)], ["rows", String(joint.rows)]]);
    const [from, to] = joint.coordinates;
    for (let c = from; c < to; c++) {
      const { name, low, high, unit } = scene.coordinates[c]!;
      this.values(to - from > 1 ? `Coordinate ${name}` : "Coordinate", coordinateSignals(scene, c));
      if (low !== undefined || high !== undefined) this.fixed([["limits", `${format.quantity(low ?? -Infinity, unit)} … ${format.quantity(high ?? Infinity, unit)}`]]);
    }
    this.values("Reaction on the second body", reactionSignals(scene, { what: "joint", index }));
    this.sharedNote();
  }

  private aboutConstraint(scene: SceneInfo, index: number): void {
    const part = scene.constraints[index]!;
    this.head(part.name, part.kind, part.line);
    this.fixed([...part.bodies.slice(0, 8).map((body, i): [string, HTMLElement] => [i === 0 ? "bodies" : "", this.bodyLink(body)]), ["rows", String(part.rows)]]);
    this.values("Reaction on the last body", reactionSignals(scene, { what: "constraint", index }));
    this.sharedNote();
  }

  private sharedNote(): void {
    this.shared = h("div", { class: "empty", hidden: true }, h("span", { class: "tag warn" }, "shared"), " Redundant rows share this reaction; the split with the least norm is shown.");
    this.root.append(this.shared);
  }

  private aboutForce(scene: SceneInfo, index: number): void {
    const force = scene.forces[index]!;
    this.head(force.name, force.kind, force.line);
    this.fixed(force.bodies.map((body, i): [string, HTMLElement] => [i === 0 ? "acts on" : "and", this.bodyLink(body)]));
    this.values("Force", forceSignals(scene, index));
  }

  private aboutProbe(scene: SceneInfo, index: number): void {
    const probe = scene.probes[index]!;
    this.head(probe.name, "probe", probe.line);
    this.fixed([["on", this.bodyLink(probe.body)]]);
    this.values("Motion", probeSignals(scene, index));
  }
}
