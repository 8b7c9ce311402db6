/** The tree of parts: find, select, hide, isolate. */

import type { SceneInfo } from "../engine";
import { key, samePart, type Mechanism, type Part } from "../view/mechanism";
import { bodyColour, onTheme, surface } from "../view/palette";
import { h, setClass } from "./dom";
import { icon } from "./icons";

export interface TreeEvents {
  select(part: Part): void;
  hover(part: Part | null): void;
  toggle(part: Part): void;
  isolate(part: Part): void;
}

export class Tree {
  readonly root: HTMLElement;
  private readonly list: HTMLElement;
  private readonly search: HTMLInputElement;
  private rows: { part: Part; row: HTMLElement; text: string; hide: HTMLButtonElement; solo: HTMLButtonElement }[] = [];
  private mechanism: Mechanism | null = null;

  constructor(private readonly events: TreeEvents) {
    this.search = h("input", { type: "search", placeholder: "Find a part", oninput: () => this.filter() });
    this.search.setAttribute("aria-label", "Find a part");
    this.list = h("div", { class: "scroll", role: "tree" });
    this.root = h("div", { class: "panel grow" }, h("div", { class: "filter" }, icon("search", 14), this.search), this.list);
    onTheme(() => this.paint());
  }

  load(scene: SceneInfo, mechanism: Mechanism): void {
    this.mechanism = mechanism;
    this.rows = [];
    this.search.value = "";
    const groups: [string, Part["what"], { name: string; kind: string; icon: string }[]][] = [
      ["Bodies", "body", scene.bodies.map((b) => ({ name: b.name, kind: b.kind === "rigid" ? "" : b.kind, icon: "" }))],
      ["Joints", "joint", scene.joints.map((j) => ({ name: j.name, kind: j.kind, icon: symbolIcon(j.symbol) }))],
      ["Constraints", "constraint", scene.constraints.map((c) => ({ name: c.name, kind: c.kind, icon: "constraint" }))],
      ["Forces", "force", scene.forces.map((f) => ({ name: f.name, kind: f.kind, icon: "spring" }))],
      ["Probes", "probe", scene.probes.map((p) => ({ name: p.name, kind: scene.bodies[p.body]?.name ?? "ground", icon: "probe" }))],
    ];
    this.list.replaceChildren();
    for (const [title, what, parts] of groups) {
      if (parts.length === 0) continue;
      const group = h("details", { class: "group", open: parts.length <= 60 }, h("summary", {}, h("span", { class: "grow" }, title), h("span", { class: "num" }, String(parts.length))));
      parts.forEach(({ name, kind, icon: picture }, index) => group.append(this.row({ what, index }, name, kind, picture)));
      this.list.append(group);
    }
    if (this.rows.length === 0) this.list.append(h("div", { class: "empty" }, "This scene has no parts."));
    this.paint();
    this.refresh(null);
  }

  private row(part: Part, name: string, kind: string, picture: string): HTMLElement {
    const act = (symbol: string, text: string, call: (part: Part) => void) => {
      const button = h("button", { title: text, tabindex: -1, onclick: (e: Event) => { e.stopPropagation(); call(part); } }, icon(symbol));
      button.setAttribute("aria-label", `${text}: ${name}`);
      return button;
    };
    const hide = act("eye", "Hide (H)", this.events.toggle);
    const solo = act("solo", "Show this alone (I)", this.events.isolate);
    const sign = picture ? icon(picture, 14) : h("span", { class: "swatch" });
    sign.classList.add("muted");
    const row = h("div", {
      class: "row", role: "treeitem", tabindex: 0, "data-part": key(part),
      onclick: () => this.events.select(part),
      onkeydown: (e: KeyboardEvent) => { if (e.key === "Enter") this.events.select(part); },
      onpointerenter: () => this.events.hover(part), onpointerleave: () => this.events.hover(null),
    }, sign, h("span", { class: "name clip grow", title: name }, name), h("span", { class: "kind clip" }, kind), h("span", { class: "acts" }, solo, hide));
    this.rows.push({ part, row, text: `${name} ${kind}`.toLowerCase(), hide, solo });
    return row;
  }

  private paint(): void {
    for (const { part, row } of this.rows) {
      const swatch = row.querySelector<HTMLElement>(".swatch");
      const info = this.mechanism?.scene.bodies[part.index];
      if (swatch && info) swatch.style.background = `#${surface(bodyColour(part.index, info.colour ?? info.looks[0]?.colour)).getHexString()}`;
    }
  }

  refresh(selected: Part | null): void {
    const only = this.mechanism?.isolatedPart ?? null;
    for (const { part, row, hide, solo } of this.rows) {
      const off = this.mechanism?.hidden.has(key(part)) ?? false;
      setClass(row, "selected", samePart(part, selected));
      setClass(row, "off", off);
      setClass(row, "solo", samePart(part, only));
      row.setAttribute("aria-selected", String(samePart(part, selected)));
      hide.replaceChildren(icon(off ? "eyeOff" : "eye"));
      hide.setAttribute("aria-pressed", String(off));
      solo.setAttribute("aria-pressed", String(samePart(part, only)));
    }
    const shown = this.rows.find(({ part }) => samePart(part, selected));
    shown?.row.scrollIntoView({ block: "nearest" });
  }

  hot(part: Part | null): void { for (const { part: own, row } of this.rows) setClass(row, "hot", samePart(own, part)); }

  private filter(): void {
    const wanted = this.search.value.trim().toLowerCase();
    for (const { row, text } of this.rows) row.hidden = wanted !== "" && !text.includes(wanted);
    for (const group of this.list.querySelectorAll("details")) {
      group.hidden = ![...group.querySelectorAll<HTMLElement>(".row")].some((row) => !row.hidden);
      if (wanted) group.open = true;
    }
  }
}

export function symbolIcon(symbol: string): string {
  switch (symbol) {
    case "pin": return "revolute";
    case "ball": return "spherical";
    case "slider": case "sleeve": return "prismatic";
    default: return "joint";
  }
}
