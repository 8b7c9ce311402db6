/** The gallery of bundled scenes, with their pictures. */

import type { GalleryEntry } from "../engine";
import { h } from "./dom";
import { icon } from "./icons";

/** What web/build collects: groups of the catalogue and pictures. */
export interface GalleryData { groups: { title: string; scenes: string[] }[]; pictures: Record<string, string> }

export class Gallery {
  readonly root: HTMLElement;
  private readonly body = h("div", { class: "gallery" });
  private readonly search: HTMLInputElement;
  private readonly closer: HTMLButtonElement;
  private filled = false;

  constructor(private readonly open: (name: string) => void, private readonly read: () => Promise<GalleryData | null>) {
    this.search = h("input", { type: "search", placeholder: "Find a scene", oninput: () => this.filter(), onkeydown: (e: KeyboardEvent) => { if (e.key !== "Escape") e.stopPropagation(); if (e.key === "Enter") this.root.querySelector<HTMLElement>(".card:not([hidden])")?.click(); } });
    this.search.setAttribute("aria-label", "Find a scene");
    this.closer = h("button", { class: "btn icon", title: "Close (Esc)", onclick: () => this.hide() }, icon("close"));
    this.closer.setAttribute("aria-label", "Close the gallery");
    this.root = h("div", { class: "sheet", hidden: true, role: "dialog" },
      h("header", {}, h("span", { class: "brand" }, icon("logo", 22)), h("h1", { class: "grow" }, "Scenes"), h("div", { class: "filter" }, icon("search", 14), this.search), this.closer), this.body);
    this.root.setAttribute("aria-label", "Scenes");
  }

  get isOpen(): boolean { return !this.root.hidden; }

  async show(entries: GalleryEntry[], closable: boolean): Promise<void> {
    this.closer.hidden = !closable;
    this.root.hidden = false;
    if (!this.filled) {
      this.filled = true;
      this.fill(entries, null);
      this.fill(entries, await this.read());
    }
    this.search.focus({ preventScroll: true });
  }

  hide(): void { this.root.hidden = true; }

  private fill(entries: GalleryEntry[], data: GalleryData | null): void {
    const left = new Map(entries.map((entry) => [entry.name, entry]));
    const groups = (data?.groups ?? []).map(({ title, scenes }) => {
      const own = scenes.map((name) => left.get(name)).filter((entry) => entry !== undefined);
      for (const { name } of own) left.delete(name);
      return { title, own };
    });
    if (left.size) groups.push({ title: data ? "More" : "", own: [...left.values()] });
    this.body.replaceChildren(...groups.filter(({ own }) => own.length).map(({ title, own }) =>
      h("section", {}, h("h2", {}, title), h("div", { class: "cards" }, ...own.map((entry) => this.card(entry, data?.pictures[entry.name]))))));
    this.filter();
  }

  private card(entry: GalleryEntry, picture: string | undefined): HTMLElement {
    const image = picture ? h("img", { alt: "", loading: "lazy", decoding: "async", src: `data:image/svg+xml,${encodeURIComponent(picture)}` }) : null;
    return h("a", { class: "card", href: `?scene=${encodeURIComponent(entry.name)}`, "data-scene": entry.name, onclick: (e: MouseEvent) => {
      if (e.ctrlKey || e.metaKey || e.shiftKey) return;
      e.preventDefault();
      this.open(entry.name);
    } }, h("span", { class: "pic" }, image), h("span", { class: "about" }, h("b", { class: "clip" }, entry.title || entry.name), h("span", {}, entry.description)));
  }

  private filter(): void {
    const wanted = this.search.value.trim().toLowerCase();
    for (const card of this.body.querySelectorAll<HTMLElement>(".card")) card.hidden = wanted !== "" && !`${card.dataset.scene} ${card.textContent}`.toLowerCase().includes(wanted);
    for (const section of this.body.querySelectorAll("section")) section.hidden = !section.querySelector(".card:not([hidden])");
  }
}
