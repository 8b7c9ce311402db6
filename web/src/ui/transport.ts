/** Transport: play and pause, steps, speed, and whether the engine keeps up. */

import type { Frame } from "../protocol";
import { h, setClass, setText } from "./dom";
import * as format from "./format";
import { icon } from "./icons";

export interface TransportEvents {
  toggle(): void; step(): void; back(): void; reset(): void;
  /** Power of two. */
  speed(power: number): void;
  seek(time: number): void;
}

export class Transport {
  readonly root: HTMLElement;
  private readonly playButton: HTMLButtonElement;
  private readonly clock = h("span", { class: "clock num" }, "0.000");
  private readonly state = h("span", { class: "state muted" }, "Paused");
  private readonly slider: HTMLInputElement;
  private readonly speedText = h("output", { class: "num" }, "1 ×");
  private readonly rtf: HTMLElement;
  private readonly rtfText = h("span", { class: "num" });
  private readonly bar = h("i");
  private readonly slow = h("span", { class: "tag bad", hidden: true }, "cannot keep up");
  private readonly history: HTMLInputElement;
  private readonly buttons: HTMLButtonElement[];
  private playing: boolean | null = null;
  /** Since when it is late [ms]; 0: it is not. */
  private behind = 0;
  power = 0;

  constructor(events: TransportEvents) {
    const button = (name: string, text: string, key: string, act: () => void, extra = "") => {
      const made = h("button", { class: `btn icon ${extra}`, title: `${text} (${key})`, onclick: act }, icon(name));
      made.setAttribute("aria-label", text);
      return made;
    };
    const reset = button("reset", "Back to the start", "R", events.reset);
    const back = button("back", "One step back", "←", events.back);
    this.playButton = button("play", "Play", "Space", events.toggle, "primary play");
    const step = button("step", "One step", "→", events.step);
    this.buttons = [reset, back, this.playButton, step];
    this.slider = h("input", { type: "range", min: -6, max: 3, step: 1, value: 0, title: "Speed ( [ and ] )", oninput: () => events.speed(Number(this.slider.value)) });
    this.slider.setAttribute("aria-label", "Speed");
    this.history = h("input", { type: "range", min: 0, max: 1, step: "any", value: 0, class: "history", title: "Back through what was kept", oninput: () => events.seek(Number(this.history.value)) });
    this.history.setAttribute("aria-label", "History");
    this.rtf = h("div", { class: "rtf", title: "Simulated seconds per second of clock" }, h("span", { class: "meter" }, this.bar), this.rtfText, this.slow);
    this.root = h("footer", { class: "transport" },
      h("div", { class: "group-t" }, reset, back, this.playButton, step), this.state, h("span", {}, this.clock, h("span", { class: "unit" }, " s")), this.history,
      h("span", { class: "grow wide-only" }),
      h("label", { class: "speed" }, h("span", { class: "muted wide-only" }, "Speed"), this.slider, this.speedText), this.rtf);
  }

  setSpeed(power: number): void {
    this.power = power;
    this.slider.value = String(power);
    setText(this.speedText, format.speed(power));
  }

  setEnabled(on: boolean): void { for (const button of this.buttons) button.disabled = !on; }

  show(frame: Frame): void {
    if (this.playing !== frame.playing) {
      this.playing = frame.playing;
      const name = frame.playing ? "Pause" : "Play";
      this.playButton.replaceChildren(icon(frame.playing ? "pause" : "play"));
      this.playButton.title = `${name} (Space)`;
      this.playButton.setAttribute("aria-label", name);
      setText(this.state, frame.playing ? "Running" : "Paused");
      setClass(this.state, "muted", !frame.playing);
    }
    setText(this.clock, format.clock(frame.time));
    if (document.activeElement !== this.history || frame.playing) {
      this.history.min = String(frame.stats.ring.earliest);
      this.history.max = String(Math.max(frame.time, Number(this.history.max) > frame.time && !frame.playing ? Number(this.history.max) : frame.time));
      this.history.value = String(frame.time);
    }
    this.history.disabled = frame.time <= frame.stats.ring.earliest && Number(this.history.max) <= frame.time;
    const asked = 2 ** this.power;
    const share = frame.playing ? Math.min(frame.speed / asked, 1) : 0;
    this.bar.style.transform = `scaleX(${share.toFixed(3)})`;
    setText(this.rtfText, frame.playing ? `${frame.speed < 0.0995 ? frame.speed.toPrecision(2) : frame.speed.toFixed(2)} × real time` : "–");
    // One slow tick is not a sign; most of a second of them is, whether the engine or the drawing takes the time.
    const late = frame.playing && ((!frame.keepsUp && share < 0.93) || share < 0.7);
    const now = performance.now();
    this.behind = late ? this.behind || now : 0;
    const slow = late && now - this.behind > 700;
    setClass(this.rtf, "slow", slow);
    this.slow.hidden = !slow;
  }

  /** A new scene: history begins. */
  restart(): void { this.history.max = "0"; this.history.min = "0"; this.playing = null; this.behind = 0; }
}
