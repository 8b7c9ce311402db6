/** The frame of the page: bar, panels, stage, transport, measures, and the things that float on the stage. */

import type { EngineError } from "../engine";
import { h, setText } from "./dom";
import { icon } from "./icons";

export interface ShellEvents { gallery(): void; share(at: { left: number; bottom: number }): void; replay(): void; page(): void; png(): void; csv(): void; sceneFile(): void; record(): void; theme(): void; help(): void; doctor(): void }

export class Shell {
  readonly stage = h("main", { class: "stage" });
  readonly labels = h("div", { class: "labels" });
  readonly left = h("aside", { class: "panel left" });
  readonly right = h("aside", { class: "panel right" });
  private readonly title = h("b", { class: "clip" });
  private readonly subtitle = h("span", { class: "clip" });
  private readonly live = h("span", { class: "tag", hidden: true });
  private readonly veil = h("div", { class: "veil" });
  private readonly mode = h("div", { class: "float mode", hidden: true, role: "status" });
  private readonly banner = h("div", { class: "float banner", hidden: true, role: "alert" });
  private readonly toastBox = h("div", { class: "float toast", hidden: true, role: "status" });
  readonly tip = h("div", { class: "float tip", hidden: true });
  readonly hint = h("div", { class: "float hint", hidden: true });
  private readonly themeButton: HTMLButtonElement;
  private readonly menuBox = h("div", { class: "float menu", hidden: true });
  private readonly recordText: { on: boolean } = { on: false };
  private readonly recordSign = h("span", { class: "tag bad", hidden: true }, "recording");
  private toastTimer = 0;

  constructor(root: HTMLElement, transport: HTMLElement, measures: HTMLElement, events: ShellEvents) {
    const tool = (name: string, text: string, key: string, act: (e: MouseEvent) => void, extra = "") => {
      const made = h("button", { class: `btn icon ${extra}`, title: key ? `${text} (${key})` : text, onclick: act }, icon(name));
      made.setAttribute("aria-label", text);
      return made;
    };
    this.themeButton = tool("auto", "Light, dark or as the system", "D", events.theme);
    const save = tool("save", "Save", "", (e) => {
      e.stopPropagation();
      this.menu((e.currentTarget as HTMLElement).getBoundingClientRect(), [
        ["Picture (PNG)", "P", events.png], ["Plotted values (CSV)", "", events.csv], ["Scene text (TOML)", "", events.sceneFile], ["Page with this state (HTML)", "", events.page], [this.recordText.on ? "Stop and save the recording" : "Record what happens", "", events.record], ["Replay a recording …", "", events.replay],
      ]);
    });
    const drawer = (name: string, text: string, panel: HTMLElement, other: HTMLElement) => tool(name, text, "", () => { panel.classList.toggle("open"); other.classList.remove("open"); }, "only-narrow");
    const bar = h("header", { class: "topbar" }, drawer("tree", "Parts", this.left, this.right),
      h("span", { class: "brand wide-only" }, icon("logo", 22), "cardan"),
      h("button", { class: "btn line", title: "All scenes (S)", onclick: events.gallery }, icon("grid"), h("span", { class: "wide-only" }, "Scenes")),
      h("div", { class: "scene-title grow" }, this.title, this.subtitle, this.live, this.recordSign),
      h("button", { class: "btn wide-only", title: "Freedoms, redundant rows and remedies, as `cardan check`", onclick: events.doctor }, "Check"),
      h("button", { class: "btn", title: "Send this state to somebody (L: copy a link)", onclick: (e: MouseEvent) => { e.stopPropagation(); events.share((e.currentTarget as HTMLElement).getBoundingClientRect()); } }, icon("share"), h("span", { class: "wide-only" }, "Share")), save, this.themeButton, tool("help", "Keys and gestures", "?", events.help),
      drawer("sliders", "Values and controls", this.right, this.left));
    this.stage.append(this.labels, this.veil, this.mode, this.hint, this.tip, this.banner, this.toastBox);
    root.append(bar, this.left, this.stage, this.right, transport, measures, this.menuBox);
    addEventListener("pointerdown", (e) => { if (!this.menuBox.contains(e.target as Node)) this.menuBox.hidden = true; }, true);
    this.stage.addEventListener("pointerdown", () => { this.left.classList.remove("open"); this.right.classList.remove("open"); });
  }

  setTitle(title: string, description: string): void {
    setText(this.title, title);
    setText(this.subtitle, description);
    document.title = title ? `${title} · cardan` : "cardan";
  }

  setLive(text: string, level: "" | "good" | "warn" | "bad"): void {
    this.live.hidden = text === "";
    this.live.className = `tag ${level}`;
    setText(this.live, text);
  }

  setTheme(choice: string): void { this.themeButton.replaceChildren(icon(choice === "light" ? "sun" : choice === "dark" ? "moon" : "auto")); }
  setRecording(on: boolean): void { this.recordText.on = on; this.recordSign.hidden = !on; }

  /** Something that is waited for; null when it is there. */
  wait(text: string | null): void {
    this.veil.hidden = text === null;
    if (text !== null) this.veil.replaceChildren(h("div", { style: "text-align:center" }, h("div", { class: "spin" }), text));
  }

  /** What the hand does. */
  setMode(parts: [string, string][] | null): void {
    this.mode.hidden = parts === null;
    if (!parts) return;
    const key = JSON.stringify(parts);
    if (this.mode.dataset.key === key) return;
    this.mode.dataset.key = key;
    this.mode.replaceChildren(...parts.map(([cls, text]) => (cls === "b" ? h("b", {}, text) : h("span", { class: cls }, text))));
  }

  setHint(text: string | null): void { this.hint.hidden = text === null; if (text !== null) setText(this.hint, text); }

  /** An error that stays until it is closed or mended. */
  setError(title: string | null, error?: EngineError, remedy?: { text: string; act: () => void }): void {
    this.banner.hidden = title === null;
    if (title === null) return;
    const close = h("button", { class: "btn icon", title: "Close", onclick: () => { this.banner.hidden = true; } }, icon("close"));
    close.setAttribute("aria-label", "Close");
    this.banner.replaceChildren(icon("alert", 18), h("div", { class: "grow" }, h("b", {}, title), error ? h("pre", {}, error.rendered || error.message) : null,
      remedy ? h("button", { class: "btn line", style: "margin-top:8px", onclick: remedy.act }, remedy.text) : null), close);
  }

  toast(text: string): void {
    setText(this.toastBox, text);
    this.toastBox.hidden = false;
    clearTimeout(this.toastTimer);
    this.toastTimer = window.setTimeout(() => { this.toastBox.hidden = true; }, 2600);
  }

  menu(at: { left: number; bottom: number }, items: [string, string, () => void][]): void {
    this.menuBox.replaceChildren(...items.map(([text, key, act]) => h("button", { onclick: () => { this.menuBox.hidden = true; act(); } }, h("span", { class: "grow" }, text), key ? h("kbd", {}, key) : null)));
    this.menuBox.hidden = false;
    const { width, height } = this.menuBox.getBoundingClientRect();
    this.menuBox.style.left = `${Math.max(4, Math.min(at.left, innerWidth - width - 8))}px`;
    this.menuBox.style.top = `${Math.max(4, Math.min(at.bottom + 4, innerHeight - height - 8))}px`;
  }

  closeMenu(): boolean { const open = !this.menuBox.hidden; this.menuBox.hidden = true; return open; }
}

/** Panels behind tabs. */
export class Tabs {
  readonly root: HTMLElement;
  private readonly buttons: HTMLButtonElement[] = [];
  current = 0;
  /** Called with the number of the tab. */
  chosen: (index: number) => void = () => {};

  constructor(private readonly panels: { title: string; panel: HTMLElement }[]) {
    this.root = h("div", { class: "tabs", role: "tablist" });
    panels.forEach(({ title }, i) => {
      const button = h("button", { class: "tab", role: "tab", onclick: () => this.choose(i) }, title);
      this.buttons.push(button);
      this.root.append(button);
    });
    this.choose(0);
  }

  choose(index: number): void {
    this.current = index;
    this.panels.forEach(({ panel }, i) => { panel.hidden = i !== index; });
    this.buttons.forEach((button, i) => button.setAttribute("aria-selected", String(i === index)));
    this.chosen(index);
  }
}

