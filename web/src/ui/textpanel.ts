/** The scene text with line numbers; an error stands at its line while the old scene keeps running. */

import type { EngineError } from "../engine";
import { h, setText } from "./dom";

export class TextPanel {
  readonly root: HTMLElement;
  private readonly area: HTMLTextAreaElement;
  private readonly gutter: HTMLElement;
  private readonly scroller: HTMLElement;
  private readonly message: HTMLElement;
  private readonly apply: HTMLButtonElement;
  private readonly revert: HTMLButtonElement;
  private loaded = "";
  /** What was put there last, by a load or an error; another text is the user's. */
  private put = "";
  private badLine = 0;
  private lines = 0;

  constructor(run: (text: string) => void) {
    this.area = h("textarea", { spellcheck: "false", autocapitalize: "off", autocomplete: "off", wrap: "off", oninput: () => this.edited(),
      onkeydown: (e: KeyboardEvent) => { if (e.key === "Enter" && (e.ctrlKey || e.metaKey)) { e.preventDefault(); run(this.area.value); } e.stopPropagation(); } });
    this.area.setAttribute("aria-label", "Scene text");
    this.gutter = h("div", { class: "gutter" });
    this.gutter.setAttribute("aria-hidden", "true");
    this.scroller = h("div", { class: "code" }, this.gutter, this.area);
    this.message = h("div", { class: "code-error", hidden: true, role: "alert" });
    this.apply = h("button", { class: "btn primary", title: "Ctrl+Enter", disabled: true, onclick: () => run(this.area.value) }, "Apply");
    this.revert = h("button", { class: "btn line", disabled: true, onclick: () => { this.area.value = this.loaded; this.edited(); this.setError(null); } }, "Revert");
    this.root = h("div", { class: "panel grow" }, this.scroller, this.message,
      h("div", { class: "code-foot" }, this.apply, this.revert, h("span", { class: "grow muted", style: "font-size:11px" }, "Changes stay in this page.")));
  }

  /** The text that runs. */
  load(text: string): void {
    const untouched = this.area.value === this.put || this.area.value === this.loaded || this.area.value === text;
    this.loaded = text;
    if (untouched) this.area.value = this.put = text;
    this.setError(null);
    this.edited();
  }

  get text(): string { return this.area.value; }

  /** Shows a text that was refused, with its error. */
  refuse(text: string, error: EngineError): void {
    this.area.value = this.put = text;
    this.edited();
    this.setError(error);
    if (error.line) this.goTo(error.line);
  }

  setError(error: EngineError | null): void {
    this.badLine = error?.line ?? 0;
    this.message.hidden = !error;
    if (error) setText(this.message, `${error.line ? `Line ${error.line}: ` : ""}${error.message}${error.help ? `\n${error.help}` : ""}`);
    this.number(true);
  }

  goTo(line: number): void {
    this.scroller.scrollTop = Math.max((line - 6) * 18, 0);
    this.scroller.scrollLeft = 0;
    const rows = this.area.value.split("\n");
    const start = rows.slice(0, line - 1).reduce((sum, row) => sum + row.length + 1, 0);
    if (document.activeElement === this.area || this.root.contains(document.activeElement)) this.area.focus({ preventScroll: true });
    this.area.setSelectionRange(start, start + (rows[line - 1]?.length ?? 0));
  }

  private edited(): void {
    const changed = this.area.value !== this.loaded;
    this.apply.disabled = !changed;
    this.revert.disabled = !changed;
    this.number(false);
  }

  private number(force: boolean): void {
    const rows = this.area.value.split("\n");
    if (rows.length === this.lines && !force) return;
    this.lines = rows.length;
    this.gutter.replaceChildren(...rows.map((_, i) => h("div", { class: i + 1 === this.badLine ? "bad" : "" }, String(i + 1))));
    // The text is as tall as its lines and as wide as its longest; the box around it scrolls.
    this.area.style.height = `${rows.length * 18 + 16}px`;
    this.area.style.width = `max(100%, ${Math.max(...rows.map((row) => row.length)) + 2}ch)`;
  }
}
