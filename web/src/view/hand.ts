/** Mouse, pen and fingers on the picture: turn the view, or take hold of a part. */

import type { Vector3 } from "three";
import type { Part } from "./mechanism";
import type { Hit, Viewport } from "./viewport";

/** Movement that makes a press a drag [px]; a finger is less steady. */
const SLOP = 4;
const FINGER_SLOP = 9;
/** A finger that rests so long asks for the menu [ms]. */
const LONG_PRESS = 550;

export interface HandEvents {
  grab(hit: Hit, inBody: [number, number, number]): void;
  drag(to: [number, number, number]): void;
  release(): void;
  /** A click on a part, or on nothing. */
  click(hit: Hit | null): void;
  hover(hit: Hit | null, event: { clientX: number; clientY: number }): void;
  menu(hit: Hit | null, event: { clientX: number; clientY: number }): void;
  /** Whether planar scenes keep their view: then the background pans instead of turning. */
  isPlanar(): boolean;
}

type Action = { kind: "none" } | { kind: "press"; hit: Hit | null; button: number } | { kind: "orbit" } | { kind: "pan" } | { kind: "hold"; point: Vector3 } | { kind: "pinch" };

export class Hand {
  private action: Action = { kind: "none" };
  private readonly pointers = new Map<number, { x: number; y: number }>();
  private start = { x: 0, y: 0 };
  private last = { x: 0, y: 0 };
  private hoverWanted: PointerEvent | null = null;
  private slop = SLOP;
  private longPress = 0;
  /** Where the pointer was last, over a part or not. */
  hit: Hit | null = null;

  constructor(private readonly view: Viewport, private readonly events: HandEvents) {
    const canvas = view.canvas;
    canvas.addEventListener("pointerdown", (e) => this.down(e));
    canvas.addEventListener("pointermove", (e) => this.move(e));
    canvas.addEventListener("pointerup", (e) => this.up(e));
    canvas.addEventListener("pointercancel", (e) => this.up(e));
    canvas.addEventListener("pointerleave", () => { this.hoverWanted = null; this.setHover(null, this.last); });
    canvas.addEventListener("contextmenu", (e) => e.preventDefault());
    canvas.addEventListener("wheel", (e) => {
      e.preventDefault();
      const lines = e.deltaMode === 1 ? 18 : e.deltaMode === 2 ? 300 : 1;
      const power = Math.min(Math.max(e.deltaY * lines, -240), 240) * (e.ctrlKey ? 0.01 : 0.0016);
      view.rig.zoom(Math.exp(power), view.toView(e));
    }, { passive: false });
    canvas.addEventListener("dblclick", () => { if (!this.hit) view.fit(); });
  }

  get isHolding(): boolean { return this.action.kind === "hold"; }

  /** Lets go, whatever is held. */
  cancel(): void {
    if (this.action.kind === "hold") this.events.release();
    this.action = { kind: "none" };
    this.view.canvas.style.cursor = "";
  }

  /** Looks for what is under the pointer; once a picture, not once an event. */
  tick(): void {
    const event = this.hoverWanted;
    this.hoverWanted = null;
    if (event && this.action.kind === "none") this.setHover(this.view.hit(this.view.toView(event)), event);
  }

  private setHover(hit: Hit | null, event: { clientX: number; clientY: number } | { x: number; y: number }): void {
    this.hit = hit;
    const at = "clientX" in event ? event : { clientX: event.x, clientY: event.y };
    this.view.canvas.style.cursor = hit ? (hit.part.what === "body" ? "grab" : "pointer") : "";
    this.events.hover(hit, at);
  }

  private down(e: PointerEvent): void {
    this.view.canvas.focus({ preventScroll: true });
    this.view.canvas.setPointerCapture(e.pointerId);
    this.pointers.set(e.pointerId, { x: e.clientX, y: e.clientY });
    clearTimeout(this.longPress);
    if (this.pointers.size === 2) {
      this.cancel();
      this.action = { kind: "pinch" };
      return;
    }
    this.start = this.last = { x: e.clientX, y: e.clientY };
    const touch = e.pointerType === "touch";
    const slack = touch ? 16 : 6;
    this.slop = touch ? FINGER_SLOP : SLOP;
    this.action = { kind: "press", hit: this.view.hit(this.view.toView(e), slack), button: e.shiftKey ? 1 : e.button };
    if (touch) this.longPress = window.setTimeout(() => this.pressedLong({ clientX: e.clientX, clientY: e.clientY }), LONG_PRESS);
    e.preventDefault();
  }

  /** A finger has no second button: it shows what it rests on, and the menu. */
  private pressedLong(at: { clientX: number; clientY: number }): void {
    if (this.action.kind !== "press") return;
    const { hit } = this.action;
    this.action = { kind: "none" };
    this.setHover(hit, at);
    this.events.menu(hit, at);
  }

  private move(e: PointerEvent): void {
    if (this.action.kind === "none") { this.hoverWanted = e; return; }
    const before = this.pointers.get(e.pointerId);
    if (!before) return;
    if (this.action.kind === "pinch") { this.pinch(e, before); return; }
    this.pointers.set(e.pointerId, { x: e.clientX, y: e.clientY });
    if (this.action.kind === "press") {
      if (Math.hypot(e.clientX - this.start.x, e.clientY - this.start.y) < this.slop) return;
      clearTimeout(this.longPress);
      this.begin(this.action.hit, this.action.button);
    }
    const [dx, dy] = [e.clientX - this.last.x, e.clientY - this.last.y];
    this.last = { x: e.clientX, y: e.clientY };
    const height = this.view.canvas.clientHeight;
    const action = this.action as Action;
    if (action.kind === "orbit") this.view.rig.orbit((dx / height) * 3.2, (dy / height) * 3.2);
    else if (action.kind === "pan") this.view.rig.pan(dx / height, dy / height);
    else if (action.kind === "hold") this.events.drag(this.view.rig.onTargetPlane(this.view.toView(e), action.point).toArray());
  }

  private begin(hit: Hit | null, button: number): void {
    this.events.hover(null, { clientX: 0, clientY: 0 });
    if (button !== 0) { this.action = { kind: "pan" }; return; }
    const body = hit && this.bodyOf(hit.part);
    if (hit && body !== null && body !== undefined && this.view.mechanism) {
      // The part has moved on since the press: hold the point that is under the pointer now, if it still is.
      const now = this.view.hit(this.view.toView({ clientX: this.start.x, clientY: this.start.y })) ?? hit;
      const held = this.bodyOf(now.part) === body ? now : hit;
      this.action = { kind: "hold", point: held.point.clone() };
      this.view.canvas.style.cursor = "grabbing";
      this.events.grab({ ...held, part: { what: "body", index: body } }, this.view.mechanism.inBody(body, held.piece, held.point));
      return;
    }
    this.action = { kind: this.events.isPlanar() ? "pan" : "orbit" };
    this.view.canvas.style.cursor = this.action.kind === "pan" ? "move" : "";
  }

  /** A joint is held by its body b, or a. */
  private bodyOf(part: Part): number | null {
    if (part.what === "body") return part.index;
    const scene = this.view.mechanism?.scene;
    if (part.what === "joint" && scene) {
      const joint = scene.joints[part.index]!;
      return joint.b >= 0 ? joint.b : joint.a >= 0 ? joint.a : null;
    }
    return null;
  }

  private pinch(e: PointerEvent, before: { x: number; y: number }): void {
    const other = [...this.pointers.entries()].find(([id]) => id !== e.pointerId)?.[1];
    this.pointers.set(e.pointerId, { x: e.clientX, y: e.clientY });
    if (!other) return;
    const [was, is] = [Math.hypot(before.x - other.x, before.y - other.y), Math.hypot(e.clientX - other.x, e.clientY - other.y)];
    const height = this.view.canvas.clientHeight;
    this.view.rig.pan((e.clientX - before.x) / 2 / height, (e.clientY - before.y) / 2 / height);
    const middle = { clientX: (e.clientX + other.x) / 2, clientY: (e.clientY + other.y) / 2 };
    if (is > 8 && was > 8) this.view.rig.zoom(was / is, this.view.toView(middle));
  }

  private up(e: PointerEvent): void {
    this.pointers.delete(e.pointerId);
    clearTimeout(this.longPress);
    const action = this.action;
    if (action.kind === "pinch") { if (this.pointers.size === 0) this.action = { kind: "none" }; return; }
    this.cancel();
    if (action.kind !== "press" || e.type === "pointercancel") return;
    if (action.button === 2) this.events.menu(action.hit, e);
    else if (action.button === 0) this.events.click(action.hit);
  }
}

