/** Colours of the drawing in light and dark; bodies have the colours of `cardan draw`. */

import { Color } from "three";
import { stored, store } from "../ui/dom";

/** Okabe and Ito's colours, which people with colour-blindness can tell apart. */
export const BODY_COLOURS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7d858e"];

export interface Palette {
  dark: boolean;
  background: string; ground: string; grid: string; gridStrong: string; ink: string; joint: string; jointDark: string;
  reaction: string; shared: string; contact: string; force: string; hand: string; trail: string; spring: string; select: string;
  plot: string[];
}

const LIGHT: Palette = {
  dark: false, background: "#eceff3", ground: "#dfe4ea", grid: "#d3d9e0", gridStrong: "#bdc5cf", ink: "#22262c", joint: "#f7f9fb", jointDark: "#3a424c",
  reaction: "#7a3ea8", shared: "#a06a00", contact: "#0f7a4d", force: "#c0391e", hand: "#c0391e", trail: "#0072b2", spring: "#555e68", select: "#1f5fd0",
  plot: ["#0068a3", "#c24f00", "#007f5c", "#a8467c", "#8a5f00", "#3a6fd0"],
};
const DARK: Palette = {
  dark: true, background: "#0f1216", ground: "#1a1f25", grid: "#232930", gridStrong: "#333b44", ink: "#dfe4ea", joint: "#d5dbe2", jointDark: "#8d97a3",
  reaction: "#c792f0", shared: "#f0b454", contact: "#5fd39b", force: "#ff8066", hand: "#ff8066", trail: "#62b6ff", spring: "#aab3bd", select: "#78a9ff",
  plot: ["#5cb3ff", "#ff9a57", "#4fd6a8", "#f09ccb", "#f0c04a", "#9db8ff"],
};

export type ThemeChoice = "auto" | "light" | "dark";

const media = matchMedia("(prefers-color-scheme: dark)");
const listeners: (() => void)[] = [];

export function themeChoice(): ThemeChoice { return stored("theme", "auto") as ThemeChoice; }

export function setTheme(choice: ThemeChoice): void {
  store("theme", choice === "auto" ? null : choice);
  apply();
}

export function palette(): Palette {
  const choice = themeChoice();
  return choice === "dark" || (choice === "auto" && media.matches) ? DARK : LIGHT;
}

/** Calls back when the theme changes. */
export function onTheme(call: () => void): void { listeners.push(call); }

function apply(): void {
  const choice = themeChoice();
  const root = document.documentElement;
  if (choice === "auto") delete root.dataset.theme; else root.dataset.theme = choice;
  root.toggleAttribute("data-dark", palette().dark);
  for (const call of listeners) call();
}
media.addEventListener("change", apply);
apply();

/** The colour of a body: its own, or one by its number. */
export function bodyColour(index: number, own: string | undefined): string {
  return own ?? BODY_COLOURS[index % BODY_COLOURS.length]!;
}

/** A body's colour as a surface: lighter on a light ground, softer on a dark one. */
export function surface(colour: string): Color {
  const c = new Color(colour);
  return palette().dark ? c.lerp(new Color("#ffffff"), 0.04) : c.lerp(new Color("#ffffff"), 0.13);
}
