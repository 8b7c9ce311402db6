/** Live plots: the last ten seconds of any value; paused, drag to zoom and double-click to zoom out. */

import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import type { Frame } from "../protocol";
import { Samples, type Signal } from "../signals";
import { onTheme, palette } from "../view/palette";
import { download, h, setText } from "./dom";
import * as format from "./format";
import { icon } from "./icons";

/** Length of the plots [s]. */
const SPAN = 10;

interface Plot { samples: Samples; root: HTMLElement; chart: uPlot; value: HTMLElement; colour: number; zoomed: boolean; hover: number | null }

export class Plots {
  readonly root: HTMLElement;
  private readonly list: HTMLElement;
  private readonly empty: HTMLElement;
  private readonly plots = new Map<string, Plot>();
  private running = false;
  private due = 0;
  /** Called when the set of plots changes. */
  changed: () => void = () => {};

  constructor(private readonly sceneName: () => string) {
    this.list = h("div");
    this.empty = h("div", { class: "empty" }, "Click any value, here or in the strip below, to plot it.");
    const csv = h("button", { class: "btn icon", title: "Save the plotted values as CSV", onclick: () => this.csv() }, icon("save"));
    csv.setAttribute("aria-label", "Save the plotted values as CSV");
    this.root = h("section", { class: "plots" }, h("div", { class: "head" }, h("span", { class: "grow" }, "Plots"), csv), this.empty, this.list);
    onTheme(() => { for (const plot of this.plots.values()) this.rebuild(plot); });
    new ResizeObserver(() => { for (const { chart, root } of this.plots.values()) chart.setSize({ width: Math.max(root.clientWidth - 4, 80), height: 132 }); }).observe(this.list);
  }

  has(key: string): boolean { return this.plots.has(key); }
  get signals(): Signal[] { return [...this.plots.values()].map((plot) => plot.samples.signal); }

  toggle(signal: Signal): void {
    const found = this.plots.get(signal.key);
    if (found) {
      found.chart.destroy();
      found.root.remove();
      this.plots.delete(signal.key);
    } else {
      this.add(signal);
    }
    this.empty.hidden = this.plots.size > 0;
    this.changed();
  }

  /** After a reload: signals of the new scene under the same keys; the others go. */
  adopt(find: (key: string) => Signal | undefined): void {
    for (const [key, plot] of [...this.plots]) {
      const signal = find(key);
      if (signal) { const samples = new Samples(signal); samples.times.push(...plot.samples.times); samples.values.push(...plot.samples.values); plot.samples = samples; }
      else { plot.chart.destroy(); plot.root.remove(); this.plots.delete(key); }
    }
    this.empty.hidden = this.plots.size > 0;
    this.changed();
  }

  clear(): void { for (const plot of this.plots.values()) { plot.samples.clear(); this.rebuild(plot); } }

  push(frame: Frame, channels: ReadonlyMap<number, number>): void {
    this.running = frame.playing;
    for (const { samples } of this.plots.values()) {
      if (samples.times[samples.times.length - 1] === frame.time) continue;
      samples.push(frame.time, samples.signal.read(frame, channels), SPAN * 1.2);
    }
    // Twenty pictures a second are enough for a curve.
    const now = performance.now();
    if (!frame.playing || now > this.due) {
      this.due = now + 50;
      for (const plot of this.plots.values()) this.draw(plot);
    }
  }

  private add(signal: Signal): void {
    const used = new Set([...this.plots.values()].map((plot) => plot.colour));
    let colour = 0;
    while (used.has(colour)) colour++;
    const value = h("span", { class: "num" });
    const dot = h("i");
    const close = h("button", { class: "btn icon", title: "Remove this plot", onclick: () => this.toggle(signal) }, icon("close", 14));
    close.setAttribute("aria-label", `Remove the plot of ${signal.key}`);
    const holder = h("div", { class: "chart" });
    const root = h("div", { class: "plot" }, h("header", {}, dot, h("span", { class: "grow clip", title: signal.key }, signal.key), value, close), holder);
    this.list.append(root);
    const plot: Plot = { samples: new Samples(signal), root, chart: null!, value, colour, zoomed: false, hover: null };
    this.plots.set(signal.key, plot);
    this.rebuild(plot);
  }

  private rebuild(plot: Plot): void {
    const p = palette();
    const style = getComputedStyle(document.documentElement);
    const colour = p.plot[plot.colour % p.plot.length]!;
    (plot.root.querySelector("header i") as HTMLElement).style.background = colour;
    const [ink, line] = [style.getPropertyValue("--ink-3").trim(), style.getPropertyValue("--line").trim()];
    const font = `11px ${style.getPropertyValue("--font").split(",")[0] || "system-ui"}, sans-serif`;
    const axis = { stroke: ink, font, grid: { stroke: line, width: 1 }, ticks: { stroke: line, width: 1, size: 4 }, gap: 3 };
    const factor = format.shown(plot.samples.signal.unit).factor;
    plot.chart?.destroy();
    plot.chart = new uPlot({
      width: Math.max(plot.root.clientWidth - 4, 80), height: 132, padding: [8, 10, 0, 0], legend: { show: false },
      cursor: { drag: { x: true, y: false }, points: { size: 6 } },
      scales: { x: { time: false } },
      axes: [{ ...axis, size: 24, space: 50 }, { ...axis, size: 54, space: 26, values: (_u: uPlot, ticks: number[]) => ticks.map((t) => format.number(t, 3)) }],
      series: [{}, { stroke: colour, width: 1.6, points: { show: false } }],
      hooks: {
        setSelect: [(u: uPlot) => { plot.zoomed = u.select.width > 0; }],
        setCursor: [(u: uPlot) => { plot.hover = u.cursor.idx ?? null; this.label(plot, factor); }],
      },
    }, [[], []], plot.root.querySelector(".chart") as HTMLElement);
    plot.chart.over.addEventListener("dblclick", () => { plot.zoomed = false; this.draw(plot); });
    this.draw(plot);
  }

  private draw(plot: Plot): void {
    const { times, values, signal } = plot.samples;
    const factor = format.shown(signal.unit).factor;
    if (this.running) plot.zoomed = false;
    if (times.length === 0) return this.label(plot, factor);
    plot.chart.setData([times, factor === 1 ? values : values.map((v) => v * factor)], false);
    if (!plot.zoomed) {
      const end = Math.max(times[times.length - 1]!, times[0]! + 0.001);
      plot.chart.batch(() => {
        plot.chart.setScale("x", { min: Math.max(end - SPAN, Math.min(times[0]!, end - 0.5)), max: end });
      });
      const shown = values.filter((_, i) => times[i]! >= end - SPAN && Number.isFinite(values[i]!)).map((v) => v * factor);
      let [low, high] = [Math.min(...shown), Math.max(...shown)];
      if (Number.isFinite(low)) {
        // A value that does not change lies in the middle of a range that can be read.
        const room = Math.max((high - low) * 0.08, Math.abs(high) * 0.02, 1e-300);
        plot.chart.setScale("y", { min: low - room, max: high + room });
      }
    } else plot.chart.redraw();
    this.label(plot, factor);
  }

  private label(plot: Plot, factor: number): void {
    const { times, values, signal } = plot.samples;
    const at = plot.hover !== null && plot.hover < times.length ? plot.hover : times.length - 1;
    const unit = format.shown(signal.unit).unit;
    if (at < 0) return setText(plot.value, "");
    const when = plot.hover !== null ? ` @ ${format.clock(times[at]!)} s` : "";
    setText(plot.value, `${format.number(values[at]! * factor)} ${unit}${when}`);
  }

  /** All plots as one table: a row per instant, a column per value, in SI units. */
  csvText(): string {
    const plots = [...this.plots.values()];
    const times = [...new Set(plots.flatMap((plot) => plot.samples.times))].sort((a, b) => a - b);
    const maps = plots.map(({ samples }) => new Map(samples.times.map((t, i) => [t, samples.values[i]!])));
    const quoted = (text: string) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
    const rows = [["time [s]", ...plots.map(({ samples }) => `${samples.signal.key}${samples.signal.unit ? ` [${samples.signal.unit}]` : ""}`)].map(quoted).join(",")];
    for (const time of times) rows.push([time, ...maps.map((map) => map.get(time) ?? "")].join(","));
    return rows.join("\n") + "\n";
  }

  csv(): void {
    if (this.plots.size > 0) download(`${this.sceneName()}.csv`, new Blob([this.csvText()], { type: "text/csv" }));
  }
}
