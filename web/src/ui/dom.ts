/** Small helpers for building elements: the page has no framework, its parts are few and long-lived. */

type Child = Node | string | null | undefined | false;
type Attributes = Record<string, string | number | boolean | null | undefined | ((event: never) => void)>;

/** An element: `h("button", { class: "btn", onclick: … }, "Play")`. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K, attributes: Attributes = {}, ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") element.addEventListener(name.slice(2), value as EventListener);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  for (const child of children) if (child) element.append(child);
  return element;
}

/** Sets text only if it changed, so that a running page does not lay itself out again for nothing. */
export function setText(element: Element, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}

/** Sets or clears a class. */
export function setClass(element: Element, name: string, on: boolean): void {
  if (element.classList.contains(name) !== on) element.classList.toggle(name, on);
}

/** Offers data as a file to keep. */
export function download(name: string, data: Blob): void {
  const url = URL.createObjectURL(data);
  const link = h("a", { href: url, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** Reads a setting of this browser; `fallback` where storage is denied. */
export function stored(key: string, fallback: string): string {
  try { return localStorage.getItem(`cardan.${key}`) ?? fallback; } catch { return fallback; }
}

/** Keeps a setting of this browser; nothing where storage is denied. */
export function store(key: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(`cardan.${key}`);
    else localStorage.setItem(`cardan.${key}`, value);
  } catch { /* private windows */ }
}
