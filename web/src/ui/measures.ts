/** The strip of measures, always visible: how exact the run is, and what it costs. A click plots a measure. */

import type { Stats } from "../engine";
import type { Frame } from "../protocol";
import type { Signal } from "../signals";
import { h, setClass, setText } from "./dom";
import * as format from "./format";

interface Measure { key: string; unit: string; title: string; value(stats: Stats, frame: Frame): number; text(stats: Stats, frame: Frame): string; level?(stats: Stats): "" | "warn" | "bad" }

const MEASURES: Measure[] = [
  { key: "energy error", unit: "", title: "Relative error of the energy balance since the start: kinetic + potential + dissipated − work", value: (s) => s.energyError, text: (s) => format.error(s.energyError), level: (s) => (s.energyError > 1e-2 ? "bad" : s.energyError > 1e-4 ? "warn" : "") },
  { key: "joint error", unit: "m", title: "Largest distance [m] or angle [rad] by which a joint is open", value: (s) => s.jointError, text: (s) => `${format.error(s.jointError)} m`, level: (s) => (s.jointError > 1e-6 ? "bad" : s.jointError > 1e-9 ? "warn" : "") },
  { key: "equation residual", unit: "", title: "Relative residual of the equations of motion", value: (s) => s.residual, text: (s) => format.error(s.residual), level: (s) => (s.residual > 1e-6 ? "bad" : s.residual > 1e-9 ? "warn" : "") },
  { key: "rank of rows", unit: "", title: "Rank of the constraint rows, of how many; the difference is redundant", value: (s) => s.rank, text: (s) => `${s.rank} of ${s.rows}${s.redundant ? `, ${s.redundant} redundant` : ""}` },
  { key: "freedoms", unit: "", title: "Coordinates minus rank", value: (s) => s.freedoms, text: (s) => String(s.freedoms) },
  { key: "contacts", unit: "", title: "Active contacts", value: (s) => s.contacts, text: (s) => String(s.contacts) },
  { key: "islands", unit: "", title: "Groups of bodies that do not touch; how many of them sleep", value: (s) => s.islands, text: (s) => (s.sleeping ? `${s.islands}, ${s.sleeping} asleep` : String(s.islands)) },
  { key: "factorisations", unit: "", title: "Factorisations of the system so far, and per step", value: (s) => s.factorisations, text: (s) => `${count(s.factorisations)}, ${rate(s.factorisations, s.steps)} a step` },
  { key: "solves", unit: "", title: "Back-substitutions so far, and per step", value: (s) => s.solves, text: (s) => `${count(s.solves)}, ${rate(s.solves, s.steps)} a step` },
  { key: "engine time", unit: "ms", title: "Engine work for this picture", value: (_, f) => f.work, text: (_, f) => `${f.work.toFixed(1)} ms` },
];

function count(n: number): string { return n >= 1e6 ? `${(n / 1e6).toFixed(2)} M` : n >= 1e4 ? `${(n / 1e3).toFixed(1)} k` : String(n); }
function rate(n: number, steps: number): string { return steps > 0 ? (n / steps).toFixed(1) : "–"; }

export function measureSignals(): Signal[] {
  return MEASURES.map(({ key, unit, value }) => ({ key, label: key, unit, read: (frame) => value(frame.stats, frame) }));
}

export class Measures {
  readonly root: HTMLElement;
  private readonly cells: { button: HTMLButtonElement; value: HTMLElement; measure: Measure }[] = [];
  private due = 0;

  constructor(plot: (signal: Signal) => void) {
    const signals = measureSignals();
    this.root = h("footer", { class: "measures" });
    this.root.setAttribute("aria-label", "Measures");
    MEASURES.forEach((measure, i) => {
      const value = h("span", { class: "val" }, "–");
      const button = h("button", { class: "measure", title: `${measure.title}. Click to plot.`, onclick: () => plot(signals[i]!) }, h("span", { class: "key" }, measure.key), value);
      button.dataset.measure = measure.key;
      this.cells.push({ button, value, measure });
      this.root.append(button);
    });
  }

  show(frame: Frame): void {
    const now = performance.now();
    if (frame.playing && now < this.due) return;
    this.due = now + 120;
    for (const { button, value, measure } of this.cells) {
      setText(value, measure.text(frame.stats, frame));
      const level = measure.level?.(frame.stats) ?? "";
      setClass(button, "warn", level === "warn");
      setClass(button, "bad", level === "bad");
    }
  }

  mark(plotted: (key: string) => boolean): void { for (const { button, measure } of this.cells) setClass(button, "on", plotted(measure.key)); }
}
