/** Keys and gestures, on `?`. */

import { h } from "./dom";
import { icon } from "./icons";

const HELP: [string, [string, string][]][] = [
  ["Run", [["Space", "play, pause"], ["→", "one step"], ["←", "one step back"], ["R", "back to the start"], ["[  ]", "slower, faster"]]],
  ["Hand", [["drag a part", "running: a spring pulls it; let go while moving to throw it"], ["drag a part", "paused: the pose follows, without inertia, and stays"], ["N", "nail the point under the pointer, or take the nail out"], ["right click, long press", "menu of the part"], ["Ctrl+Z", "undo what the hand did; with Shift: redo"]]],
  ["View", [["drag", "turn (planar scenes: move)"], ["right drag, Shift+drag", "move"], ["wheel, pinch", "zoom to the pointer"], ["F", "fit"], ["1 2 3", "look along x, y, z; again: from behind"], ["0", "oblique view"], ["O", "orthographic or perspective"]]],
  ["Show", [["J", "joints"], ["C", "centres of mass"], ["A", "axes of body frames"], ["M", "boxes of equal inertia"], ["T", "trails of probes"], ["B", "names"], ["V", "reactions"], ["K", "contacts"], ["X", "forces"], ["G", "grid"], ["H", "hide the selected part"], ["I", "show it alone"], ["Shift+H", "show everything"]]],
  ["Page", [["S", "scenes"], ["E", "scene text"], ["P", "save the picture (PNG)"], ["L", "copy a link to this state"], ["D", "light, dark, as the system"], ["Esc", "let go, close, select nothing"], ["?", "this help"]]],
];

export function helpDialog(): HTMLDialogElement {
  const close = h("button", { class: "btn icon", title: "Close", onclick: () => dialog.close() }, icon("close"));
  close.setAttribute("aria-label", "Close");
  const dialog = h("dialog", {}, h("header", {}, h("h2", {}, "Keys and gestures"), close),
    h("div", { class: "keys" }, ...HELP.map(([title, rows]) => h("section", {}, h("h3", {}, title), ...rows.map(([keys, text]) => h("div", { class: "k" }, h("span", {}, h("kbd", {}, keys)), h("span", {}, text)))))));
  dialog.addEventListener("click", (e) => { if (e.target === dialog) dialog.close(); });
  return dialog;
}
