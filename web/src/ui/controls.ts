/** Sliders for drives and joints, made from the model: with limits and units. */

import type { SceneInfo } from "../engine";
import type { Frame } from "../protocol";
import { h, setText } from "./dom";
import * as format from "./format";

export interface ControlEvents {
  drive(drive: number, value: number): void;
  clearDrive(drive: number): void;
  coordinate(coordinate: number, value: number): void;
  hoverJoint(joint: number | null): void;
}

/** More joints than this get no sliders. */
const MOST = 40;

export class Controls {
  readonly root = h("div", { class: "scroll" });
  private driveRows: { input: HTMLInputElement; value: HTMLElement; force: HTMLElement; follow: HTMLButtonElement; unit: string; held: boolean; now(frame: Frame): number }[] = [];
  private jointRows: { c: number; input: HTMLInputElement; value: HTMLElement; unit: string; wraps: boolean; held: boolean }[] = [];
  private due = 0;

  constructor(private readonly events: ControlEvents) {}

  load(scene: SceneInfo, size: number): void {
    this.driveRows = [];
    this.jointRows = [];
    this.root.replaceChildren();
    if (scene.drives.length) {
      this.root.append(h("div", { class: "head" }, "Drives"));
      scene.drives.forEach((drive, i) => this.root.append(this.driveRow(scene, i, drive.name)));
    }
    const free = scene.coordinates.map((info, c) => ({ info, c })).slice(0, MOST);
    if (free.length) {
      this.root.append(h("div", { class: "head" }, "Joints"), h("div", { class: "empty", style: "padding-top:0" }, "Moving a slider pauses the run and sets the pose; loops stay closed."));
      for (const { c } of free) this.root.append(this.jointRow(scene, c, size));
      if (scene.coordinates.length > MOST) this.root.append(h("div", { class: "empty" }, `${scene.coordinates.length - MOST} more coordinates: select a joint to see its values.`));
    }
    if (!scene.drives.length && !free.length) this.root.append(h("div", { class: "empty" }, "No drives and no joint coordinates in this scene. Take a part and pull it instead."));
  }

  private driveRow(scene: SceneInfo, index: number, name: string): HTMLElement {
    const drive = scene.drives[index]!;
    const as = format.shown(drive.unit);
    const value = h("span", { class: "val num" });
    const force = h("span", { class: "muted num" });
    const input = h("input", { type: "range", min: drive.low, max: drive.high, step: (drive.high - drive.low) / 400, oninput: () => { row.held = true; this.events.drive(index, Number(input.value)); }, onchange: () => { row.held = false; } });
    input.setAttribute("aria-label", `Set point of ${name}`);
    const follow = h("button", { class: "btn line", style: "height:22px;padding:0 6px;font-size:11px", hidden: true, title: "Follow the law of the scene again", onclick: () => this.events.clearDrive(index) }, "as in scene");
    const joint = scene.joints[drive.joint];
    const c = joint ? joint.coordinates[0] + drive.k : -1;
    const now = (frame: Frame) => (c < 0 || drive.kind === "force" ? NaN : frame.coordinates[2 * c + (drive.unit.endsWith("/s") ? 1 : 0)]!);
    const row = { input, value, force, follow, unit: drive.unit, held: false, now };
    this.driveRows.push(row);
    return h("div", { class: "slider", onpointerenter: () => this.events.hoverJoint(drive.joint), onpointerleave: () => this.events.hoverJoint(null) },
      h("div", { class: "line" }, h("span", { class: "grow clip" }, name), h("span", { class: "tag" }, drive.kind), follow, value), input,
      h("div", { class: "ends" }, h("span", {}, format.number(drive.low * as.factor, 3)), force, h("span", {}, `${format.number(drive.high * as.factor, 3)} ${as.unit}`)));
  }

  private jointRow(scene: SceneInfo, c: number, size: number): HTMLElement {
    const info = scene.coordinates[c]!;
    const as = format.shown(info.unit);
    const wraps = info.unit === "rad" && (info.low === undefined || info.high === undefined);
    const reach = info.unit === "rad" ? Math.PI : size / 2;
    const [low, high] = [info.low ?? -reach, info.high ?? reach];
    const value = h("span", { class: "val num" });
    const input = h("input", { type: "range", min: low, max: high, step: (high - low) / 1000, oninput: () => { row.held = true; this.events.coordinate(c, Number(input.value)); }, onchange: () => { row.held = false; } });
    input.setAttribute("aria-label", `Coordinate ${info.name}`);
    const row = { c, input, value, unit: info.unit, wraps, held: false };
    this.jointRows.push(row);
    return h("div", { class: "slider", "data-coordinate": info.name, onpointerenter: () => this.events.hoverJoint(info.joint), onpointerleave: () => this.events.hoverJoint(null) },
      h("div", { class: "line" }, h("span", { class: "grow clip" }, info.name), value), input,
      h("div", { class: "ends" }, h("span", {}, format.number(low * as.factor, 3)), h("span", {}, `${format.number(high * as.factor, 3)} ${as.unit}`)));
  }

  update(frame: Frame): void {
    const now = performance.now();
    if (now < this.due || this.root.offsetParent === null) return;
    this.due = now + 60;
    for (const row of this.jointRows) {
      const value = frame.coordinates[2 * row.c]!;
      setText(row.value, format.quantity(value, row.unit));
      if (!row.held) row.input.value = String(row.wraps ? value - 2 * Math.PI * Math.round(value / (2 * Math.PI)) : value);
    }
    if (frame.drives) {
      this.driveRows.forEach((row, i) => {
        const [set, force] = [frame.drives![2 * i]!, frame.drives![2 * i + 1]!];
        const follows = Number.isNaN(set);
        // Without a set point of the user the slider shows what the law of the scene does.
        const now = row.now(frame);
        setText(row.value, format.quantity(follows ? now : set, row.unit));
        if (follows && !row.held && Number.isFinite(now)) row.input.value = String(now);
        row.follow.hidden = follows;
        if (!follows && !row.held) row.input.value = String(set);
        setText(row.force, Number.isNaN(force) ? "" : `${format.steady(force)} ${/^(rad|N·m)/.test(row.unit) ? "N·m" : "N"}`);
      });
    }
  }
}
