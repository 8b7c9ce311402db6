// The engine in the page: beside the native one on the same run, beside MuJoCo's in the same page, and 60 frames a second over all scenes.
// Times of a busy machine mean nothing: limits are asserted where CARDAN_QUIET is set.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { frame, launch, open, serve } from "./browser.mjs";

/** Runs of some milliseconds, many of them, ours and theirs in turn: the least is a run that nothing interrupted. */
const SCENES = [["double-pendulum", 2], ["standing-humanoid", 0.15], ["excavator", 0.4], ["billiard", 0.2], ["ragdoll", 0.15]];
const TRIES = 60;
/** Largest time in the page, in times of the native one. */
const FLOOR = 1.6;
const MUJOCO = "3.14.0";
const quiet = Boolean(process.env.CARDAN_QUIET);

const native = (cardan, args) => {
  const run = spawnSync(cardan, args, { encoding: "utf8", maxBuffer: 1 << 28 });
  return run.status === 0 ? run.stdout : null;
};

/** Seconds that the command says it stepped for; NaN if it does not know the scene. */
function nativeSeconds(cardan, name, until, set = []) {
  const out = native(cardan, ["run", name, "--until", String(until), ...set.flatMap((one) => ["--set", one]), "--json"]);
  return out === null ? NaN : JSON.parse(out).wall_seconds;
}

/** The least of several tries. A browser optimises code while it runs: some seconds of running come first. */
const best = async (tries, measure, warm = 0) => {
  for (const end = performance.now() + warm; performance.now() < end;) await measure();
  let least = Infinity;
  for (let i = 0; i < tries; i++) least = Math.min(least, await measure());
  return least;
};
/** Time for the browser to optimise [ms]. */
const WARM = 3000;
const ms = (seconds) => `${(seconds * 1000).toFixed(2)} ms`;

async function withPage(dist, work, beside = {}) {
  const server = await serve(dist, beside);
  const browser = await launch();
  try {
    const { page, errors } = await open(browser, `${server.url}?scene=pendulum`);
    await frame(page);
    await page.evaluate(() => window.cardan.setPlaying(false));
    await work(page);
    assert.deepEqual(errors, []);
  } finally {
    await browser.close();
    server.close();
  }
}

export async function speed(dist, cardan) {
  await withPage(dist, async (page) => {
    const slow = [];
    for (const [name, until] of SCENES) {
      const inPage = () => page.evaluate(([name, until]) => window.cardan.client.send({ do: "prove", name, until }).then(({ seconds }) => seconds), [name, until]);
      let [here, there] = [await best(1, inPage, WARM), Infinity];
      for (let k = 0; k < TRIES; k++) {
        here = Math.min(here, await inPage());
        // The page keeps accounts at every step, as the strip of measures shows them: so does the command here.
        if (cardan) there = Math.min(there, nativeSeconds(cardan, name, until, ["simulation.accounts=every-step"]));
      }
      const line = [`${name} to ${until} s: page ${ms(here)}`];
      if (cardan) {
        line.push(`native ${ms(there)}`, `ratio ${(here / there).toFixed(2)}`);
        if (!(here / there <= FLOOR)) slow.push(`${name}: ${(here / there).toFixed(2)}`);
      }
      console.log(`speed: ${line.join(", ")}`);
    }
    if (quiet) assert.deepEqual(slow, [], `slower than ${FLOOR} times native`);
  });
}

/** Time of a frame at 60 a second [ms], and the share of frames that must keep it: the one with the first impact of many may be late. */
const FRAME = 1000 / 60;
const ON_TIME = 0.95;

/** Every scene that runs at twice real time natively keeps 60 frames of engine work a second in the page. */
export async function frames(dist, cardan) {
  assert.ok(cardan, "frames are compared with the command: build it first");
  await withPage(dist, async (page) => {
    const names = await page.evaluate(async () => (await window.cardan.list()).map(({ name }) => name));
    const seconds = 1;
    const [failed, unknown] = [[], []];
    let count = 0;
    for (const name of names) {
      const factor = seconds / Math.min(nativeSeconds(cardan, name, seconds), nativeSeconds(cardan, name, seconds));
      if (!Number.isFinite(factor)) { unknown.push(name); continue; }
      if (!(factor >= 2)) { console.log(`frames: ${name}: ${factor.toFixed(2)} × real time natively, not held to it`); continue; }
      const once = () => page.evaluate(([name, seconds]) => window.cardan.client.send({ do: "timeFrames", name, seconds }).then((all) => [...all]), [name, seconds]);
      const total = (all) => all.reduce((a, b) => a + b, 0);
      let taken = await once();
      // The least of each frame: what else runs on the machine, and the browser that optimises, do not count.
      for (let k = 0; k < 4 && taken.some((one) => one > FRAME); k++) { const again = await once(); taken = taken.map((one, i) => Math.min(one, again[i])); }
      const sum = total(taken);
      assert.ok(taken.length === 60 * seconds && Number.isFinite(sum), `${name}: ${taken.length} frames, ${sum} ms`);
      const late = taken.filter((one) => one > FRAME).length;
      count++;
      if (sum > 1000 * seconds || late > (1 - ON_TIME) * taken.length) failed.push(`${name}: ${sum.toFixed(0)} ms for ${seconds} s, ${late} frames late (native ${factor.toFixed(1)} ×)`);
      else if (late) console.log(`frames: ${name}: ${late} of ${taken.length} frames take longer than 16.7 ms, worst ${Math.max(...taken).toFixed(1)} ms`);
    }
    console.log(`frames: ${count - failed.length} of ${count} scenes that run at twice real time natively keep 60 frames a second, ${100 * ON_TIME} % of them or more in time`);
    assert.deepEqual(unknown, [], "scenes that the command cannot run");
    assert.ok(count > 0, "no scene was held to it");
    if (quiet) assert.deepEqual(failed, []); else for (const line of failed) console.log(`frames: ${line}`);
  });
}

/** The humanoid that stands on its feet: a step in the page, ours and that of `@mujoco/mujoco` on the model that we export. */
export async function mujoco(dist, cardan) {
  const folder = process.env.CARDAN_MUJOCO ?? await mkdtemp(join(tmpdir(), "cardan-mujoco-"));
  const made = join(folder, "node_modules/@mujoco/mujoco");
  if (!existsSync(made)) {
    const install = spawnSync("npm", ["install", "--no-save", "--no-audit", "--no-fund", "--loglevel=error", "--prefix", folder, `@mujoco/mujoco@${MUJOCO}`], { encoding: "utf8" });
    assert.equal(install.status, 0, install.stderr);
  }
  try {
    const file = join(folder, "humanoid.xml");
    const exported = spawnSync(cardan, ["export", "standing-humanoid", "-o", file], { encoding: "utf8" });
    assert.equal(exported.status, 0, exported.stderr);
    // Stiff servos: MuJoCo's explicit Euler step of 1 ms would throw the robot into the air.
    const xml = (await readFile(file, "utf8")).replace("<option ", "<option integrator=\"implicitfast\" ");
    await withPage(dist, async (page) => {
      const theirs = await page.evaluate(async ([xml, steps, warm]) => {
        const engine = await (await import(new URL("mujoco/mujoco.js", document.baseURI).href)).default();
        const model = engine.MjModel.from_xml_string(xml);
        const data = new engine.MjData(model);
        let least = Infinity;
        const end = performance.now() + warm;
        for (let tries = 0; tries < 5 || performance.now() < end; tries++) {
          engine.mj_resetData(model, data);
          for (let k = 0; k < 50; k++) engine.mj_step(model, data);
          const start = performance.now();
          for (let k = 0; k < steps; k++) engine.mj_step(model, data);
          least = Math.min(least, performance.now() - start);
        }
        return { ms: least / steps, dt: model.opt.timestep, contacts: data.ncon, height: data.qpos[2] };
      }, [xml, 400, WARM]);
      assert.ok(theirs.contacts >= 4 && Math.abs(theirs.height - 0.945) < 0.02, `it stands: ${JSON.stringify(theirs)}`);
      const one = () => page.evaluate((set) => window.cardan.client.send({ do: "prove", name: "standing-humanoid", until: 0.45, set }).then(({ seconds, steps }) => ({ ms: (seconds * 1000) / steps, steps })), ["simulation.accounts=off"]);
      let [ours, steps] = [Infinity, 0];
      const end = performance.now() + WARM;
      for (let tries = 0; tries < 5 || performance.now() < end; tries++) { const now = await one(); ours = Math.min(ours, now.ms); steps = now.steps; }
      console.log(`mujoco: standing humanoid, a step in the page: cardan ${(ours * 1000).toFixed(1)} µs (${steps} steps to 0.45 s), @mujoco/mujoco ${MUJOCO} ${(theirs.ms * 1000).toFixed(1)} µs (of ${theirs.dt} s, ${theirs.contacts} contacts)`);
    }, { mujoco: made });
  } finally {
    if (!process.env.CARDAN_MUJOCO) await rm(folder, { recursive: true });
  }
}
