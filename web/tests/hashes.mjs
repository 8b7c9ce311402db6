// Every bundled scene ends in the native state hash: crates/cardan-cli/tests/golden.txt, which native builds are held to, in Chromium.

import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { frame, launch, open, serve } from "./browser.mjs";

/** Scenes that cannot agree, each with its reason. */
const EXCEPTIONS = new Map();

const golden = readFileSync(new URL("../../crates/cardan-cli/tests/golden.txt", import.meta.url), "utf8")
  .split("\n").filter((line) => line && !line.startsWith("#")).map((line) => line.split(" "));
// Lines are "scene steps dt hash" or "scene/integrator steps dt hash"; see golden.rs for how far each runs.
const seen = new Set();
// `cardan run` lets an adaptive integrator choose its steps; a window takes steps of dt, so the lines of dopri5 are not for it.
const wanted = golden.filter(([label]) => !label.endsWith("/dopri5")).map(([label, steps, dt, hash]) => {
  const [name, other] = label.split("/");
  const first = !seen.has(label);
  seen.add(label);
  return { name, other, first, steps: Number(steps), dt: Number(dt), hash };
});

export async function hashes(dist, cardan) {
  const server = await serve(dist);
  const browser = await launch();
  const wrong = [];
  let count = 0;
  try {
    const { page, errors } = await open(browser, `${server.url}?scene=pendulum`);
    await frame(page);
    const entries = await page.evaluate(async () => (await window.cardan.list()).map(({ name, format }) => ({ name, format })));
    const names = entries.map(({ name }) => name);
    const until = await page.evaluate(async (all) => {
      const ends = {};
      for (const name of all) {
        const text = (await window.cardan.client.send({ do: "bundled", name })).text;
        const found = /^\s*until\s*=\s*"?([\d.e+-]+)\s*(ms|s|min)?"?/m.exec(text);
        ends[name] = found ? Number(found[1]) * ({ ms: 1e-3, min: 60 }[found[2]] ?? 1) : 10;
      }
      return ends;
    }, names);
    const dts = Object.fromEntries(wanted.filter(({ other }) => !other).map(({ name, dt }) => [name, dt]));
    const scenes = wanted.filter(({ name }) => names.includes(name));
    if (scenes.length === 0) throw new Error(`no scene of the page has a native hash: ${names.length} scenes, ${wanted.length} hashes`);
    for (const { name, other, first, steps, dt, hash } of scenes) {
      const end = other ? 100 * dt : first ? 200 * dt : until[name];
      const set = ["simulation.coordinates=bodies", ...(other ? [`simulation.integrator=${other === "long" ? "rattle" : other}`] : []), ...(dt === dts[name] ? [] : [`simulation.dt=${dt}`])];
      const result = await page.evaluate(([name, until, set]) => window.cardan.client.send({ do: "prove", name, until, set }).catch((e) => ({ hash: String(e), steps: 0 })), [name, end, set]);
      count++;
      // The state has the time in it; steps are not compared, since the command counts the parts of divided ones.
      if (result.hash !== hash && !EXCEPTIONS.has(name)) wrong.push(`${name}${other ? `/${other}` : ""}: ${steps} steps to ${end} s: native ${hash}, page ${result.hash} after ${result.steps}`);
    }
    // Robot files have no line there: the command says what their start ends in.
    for (const name of cardan ? names.filter((name) => !scenes.some((scene) => scene.name === name)) : []) {
      const run = spawnSync(cardan, ["run", name, "--until", "0.1", "--set", "simulation.coordinates=bodies", "--json"], { encoding: "utf8", maxBuffer: 1 << 28 });
      const hash = run.status === 0 ? JSON.parse(run.stdout).state_hash : run.stderr;
      const result = await page.evaluate((name) => window.cardan.client.send({ do: "prove", name, until: 0.1, set: ["simulation.coordinates=bodies"] }).catch((e) => ({ hash: String(e), steps: 0 })), name);
      count++;
      scenes.push({ name });
      if (result.hash !== hash) wrong.push(`${name}: native ${hash}, page ${result.hash} after ${result.steps}`);
    }
    const missing = names.filter((name) => !scenes.some((scene) => scene.name === name));
    if (errors.length) throw new Error(errors.join("\n"));
    console.log(`hashes: ${count - wrong.length} of ${count} runs of ${new Set(scenes.map(({ name }) => name)).size} scenes end in the native state hash${missing.length ? `; without a native hash: ${missing.join(", ")}` : ""}`);
    // Robot files are compared only where the command is at hand.
    const unknown = entries.filter(({ name, format }) => missing.includes(name) && (cardan || format === "toml")).map(({ name }) => name);
    if (unknown.length) throw new Error(`scenes without a native hash: ${unknown.join(", ")}`);
    if (wrong.length) throw new Error(`state hashes differ:\n${wrong.join("\n")}`);
  } finally {
    await browser.close();
    server.close();
  }
}
