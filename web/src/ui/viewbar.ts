/** Tools of the picture: fit, projection, axes views, layers, and the triad. */

import { Vector3 } from "three";
import type { Layers } from "../view/mechanism";
import type { Viewport } from "../view/viewport";
import { h } from "./dom";
import { icon } from "./icons";

export const LAYERS: { key: keyof Layers; text: string; letter: string }[] = [
  { key: "joints", text: "Joints", letter: "J" }, { key: "names", text: "Names", letter: "B" }, { key: "trails", text: "Trails of probes", letter: "T" }, { key: "centres", text: "Centres of mass", letter: "C" },
  { key: "frames", text: "Axes of body frames", letter: "A" }, { key: "inertia", text: "Boxes of equal inertia", letter: "M" }, { key: "reactions", text: "Reactions", letter: "V" },
  { key: "contacts", text: "Contact forces", letter: "K" }, { key: "forces", text: "Applied forces", letter: "X" }, { key: "grid", text: "Grid", letter: "G" },
];

/** Views along the axes, and the oblique one. */
export const VIEWS: Record<string, [number, number, number]> = { "1": [1, 0, 0], "2": [0, -1, 0], "3": [0, 0, 1] };

export class ViewBar {
  readonly root: HTMLElement;
  readonly panel: HTMLElement;
  readonly triad: SVGSVGElement;
  private readonly boxes = new Map<keyof Layers, HTMLInputElement>();
  private readonly ortho: HTMLButtonElement;
  private readonly layersButton: HTMLButtonElement;

  constructor(private readonly view: Viewport, private readonly changed: () => void) {
    const tool = (name: string, text: string, key: string, act: () => void) => {
      const made = h("button", { class: "btn icon", title: `${text} (${key})`, onclick: act }, icon(name));
      made.setAttribute("aria-label", text);
      return made;
    };
    const axis = (name: string, key: string) => h("button", { class: "btn icon", title: `Look along ${name} (${key})`, onclick: () => this.look(key) }, name);
    this.ortho = tool("ortho", "Orthographic", "O", () => this.toggleOrtho());
    this.layersButton = tool("layers", "What is drawn", "layers", () => { this.panel.hidden = !this.panel.hidden; this.layersButton.setAttribute("aria-pressed", String(!this.panel.hidden)); });
    this.root = h("div", { class: "float viewbar" }, tool("fit", "Fit", "F", () => view.fit()), this.ortho, h("hr"), axis("X", "1"), axis("Y", "2"), axis("Z", "3"), h("hr"), this.layersButton);
    const scale = h("input", { type: "range", min: -2, max: 2, step: 0.1, value: 0, oninput: () => { if (view.arrows) view.arrows.factor = 2 ** Number(scale.value); view.refresh(); } });
    scale.setAttribute("aria-label", "Length of arrows");
    this.panel = h("div", { class: "float layers", hidden: true }, ...LAYERS.map(({ key, text, letter }) => {
      const box = h("input", { type: "checkbox", onchange: () => this.set(key, box.checked) });
      this.boxes.set(key, box);
      return h("label", {}, box, text, h("kbd", {}, letter));
    }), h("div", { class: "scale" }, "Length of arrows", scale));
    this.triad = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    this.triad.setAttribute("class", "triad");
    this.triad.setAttribute("viewBox", "-38 -38 76 76");
    this.triad.setAttribute("role", "img");
    this.triad.setAttribute("aria-label", "Axes of the world");
    this.refresh();
  }

  set(key: keyof Layers, on: boolean): void {
    this.view.layers[key] = on;
    this.view.refresh();
    this.refresh();
    this.changed();
  }

  toggleOrtho(): void { this.view.rig.setOrtho(!this.view.rig.ortho); this.refresh(); }

  /** Along an axis; a second time from behind. */
  look(key: string): void {
    const direction = new Vector3(...VIEWS[key]!);
    if (this.view.rig.direction().dot(direction) > 0.999) direction.negate();
    this.view.rig.lookFrom(direction);
  }

  oblique(): void { this.view.rig.lookFrom(new Vector3(0.62, -1, 0).addScaledVector(this.view.rig.up, 0.55)); }

  refresh(): void {
    for (const [key, box] of this.boxes) box.checked = this.view.layers[key];
    this.ortho.setAttribute("aria-pressed", String(this.view.rig.ortho));
  }

  /** Turns the triad with the camera. */
  drawTriad(): void {
    const turn = this.view.rig.orientation().invert();
    const axes = [["x", 1, 0, 0, "#d64545"], ["y", 0, 1, 0, "#3a9d4a"], ["z", 0, 0, 1, "#4a7cf0"]] as const;
    const items = axes.map(([name, x, y, z, colour]) => ({ name, colour, p: new Vector3(x, y, z).applyQuaternion(turn) }));
    items.sort((a, b) => a.p.z - b.p.z);
    const text = items.map(({ name, colour, p }) => {
      const [x, y] = [p.x * 24, -p.y * 24];
      const end = Math.hypot(x, y) > 5 ? `<line x1="0" y1="0" x2="${x.toFixed(1)}" y2="${y.toFixed(1)}" stroke="${colour}" stroke-width="2.4" stroke-linecap="round"/>` : `<circle r="3.5" fill="${colour}"/>`;
      return `${end}<text x="${(p.x * 32).toFixed(1)}" y="${(-p.y * 32 + 4).toFixed(1)}" fill="${colour}" text-anchor="middle">${name}</text>`;
    }).join("");
    if (this.triad.innerHTML !== text) this.triad.innerHTML = text;
  }
}
