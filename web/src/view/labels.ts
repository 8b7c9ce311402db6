/** Texts beside points of the scene, as elements over the picture: sharp, selectable by the theme, and few. */

import type { Camera, Vector3 } from "three";

export class Labels {
  private readonly pool: HTMLSpanElement[] = [];
  private used = 0;
  private wanted: { at: Vector3; text: string; kind: string }[] = [];

  constructor(private readonly root: HTMLElement) {}

  begin(): void { this.wanted = []; }
  put(at: Vector3, text: string, kind = ""): void { this.wanted.push({ at, text, kind }); }

  /** Places the texts; those that would cover an earlier one move down, or are left out. */
  commit(camera: Camera, width: number, height: number): void {
    const taken: { x: number; y: number; w: number }[] = [];
    this.used = 0;
    for (const { at, text, kind } of this.wanted) {
      const p = at.clone().project(camera);
      if (p.z > 1 || Math.abs(p.x) > 1.1 || Math.abs(p.y) > 1.1) continue;
      const x = ((p.x + 1) / 2) * width + 8;
      let y = ((1 - p.y) / 2) * height - 8;
      const w = text.length * 6.4 + 12;
      const hits = () => taken.find((t) => Math.abs(t.y - y) < 16 && x < t.x + t.w && t.x < x + w);
      let tries = 0;
      while (hits() && tries++ < 2) y += 17;
      if (tries > 2) continue;
      taken.push({ x, y, w });
      const element = this.element(this.used++);
      const cls = kind ? `label ${kind}` : "label";
      if (element.className !== cls) element.className = cls;
      if (element.textContent !== text) element.textContent = text;
      element.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`;
      element.hidden = false;
    }
    for (let i = this.used; i < this.pool.length; i++) this.pool[i]!.hidden = true;
  }

  /** Draws the texts into a picture of so many pixels per pixel of the page. */
  draw(paint: CanvasRenderingContext2D, ratio: number): void {
    for (const element of this.pool.slice(0, this.used)) {
      const at = /translate\(([-\d.]+)px, ([-\d.]+)px\)/.exec(element.style.transform);
      if (!at) continue;
      const style = getComputedStyle(element);
      paint.font = `${style.fontWeight} ${parseFloat(style.fontSize) * ratio}px ${style.fontFamily}`;
      paint.textBaseline = "top";
      const [x, y] = [(Number(at[1]) + parseFloat(style.paddingLeft || "0")) * ratio, (Number(at[2]) + parseFloat(style.paddingTop || "0")) * ratio];
      const { width } = paint.measureText(element.textContent ?? "");
      paint.fillStyle = style.backgroundColor;
      paint.fillRect(x - 4 * ratio, y - 2 * ratio, width + 8 * ratio, parseFloat(style.fontSize) * ratio + 4 * ratio);
      paint.fillStyle = style.color;
      paint.fillText(element.textContent ?? "", x, y);
    }
  }

  private element(index: number): HTMLSpanElement {
    let element = this.pool[index];
    if (!element) {
      element = document.createElement("span");
      this.pool.push(element);
      this.root.append(element);
    }
    return element;
  }
}
