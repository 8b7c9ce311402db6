// One minute of random clicks, drags and keys (seeded): no exception, no NaN, no joint open, memory flat.

import assert from "node:assert/strict";
import { frame, launch, open, serve } from "./browser.mjs";

/** Seeded numbers in [0, 1). */
function generator(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

export async function random(dist, seconds = 60, seed = 25) {
  const server = await serve(dist);
  const browser = await launch();
  const next = generator(seed);
  const pick = (list) => list[Math.floor(next() * list.length)];
  const scenes = ["four-bar", "double-pendulum", "excavator", "hanging-chain", "slider-crank", "five-bar", "knee-stop", "billiard", "box-stack", "driven-four-bar"];
  try {
    const { page, errors } = await open(browser, `${server.url}?scene=four-bar`);
    await frame(page, "(f) => f.time > 0");
    // What every frame must hold, checked in the page itself.
    await page.evaluate(() => {
      const app = window.cardan;
      const seen = window.seen = { frames: 0, worst: 0, bad: [] };
      const show = app.view.show.bind(app.view);
      app.view.show = (f) => {
        seen.frames++;
        for (const key of ["poses", "motions", "coordinates", "probes"]) if (f[key].some((value) => !Number.isFinite(value))) { const name = app.scene.name; if (seen.bad.length < 20) seen.bad.push(`${key} of ${name} at ${f.time}`); }
        seen.worst = Math.max(seen.worst, f.stats.jointError);
        if (f.stats.jointError > 1e-9 && seen.bad.length < 20) seen.bad.push(`joint error ${f.stats.jointError} of ${app.scene.name} at ${f.time}`);
        show(f);
      };
    });
    const keys = ["Space", "Space", "ArrowRight", "ArrowLeft", "r", "[", "]", "f", "1", "2", "3", "0", "o", "j", "c", "a", "m", "t", "b", "v", "k", "x", "g", "h", "H", "i", "n", "d", "Escape", "Control+z", "Control+Shift+z"];
    const end = Date.now() + seconds * 1000;
    const memory = [];
    let actions = 0;
    let marked = Date.now();
    while (Date.now() < end) {
      const what = next();
      const box = await page.locator("canvas.gl").boundingBox();
      const spot = () => ({ x: box.x + box.width * (0.1 + 0.75 * next()), y: box.y + box.height * (0.1 + 0.8 * next()) });
      if (what < 0.45) {
        // From a body, if one is in sight, else from anywhere.
        const from = await page.evaluate((r) => {
          const { scene, view } = window.cardan;
          const i = Math.floor(r * scene.bodies.length);
          return view.toPage(view.mechanism.worldPoint(i, scene.bodies[i].centre));
        }, next());
        const inside = from.x > box.x && from.x < box.x + box.width && from.y > box.y && from.y < box.y + box.height;
        const start = inside && next() < 0.8 ? from : spot();
        await page.mouse.move(start.x, start.y);
        await page.mouse.down({ button: next() < 0.85 ? "left" : "right" });
        for (let i = 0; i < 2 + next() * 6; i++) { const to = spot(); await page.mouse.move(to.x, to.y, { steps: 3 }); if (next() < 0.15) await page.keyboard.press("Space"); }
        await page.mouse.up({ button: "left" });
        await page.mouse.up({ button: "right" });
      } else if (what < 0.8) {
        await page.keyboard.press(pick(keys));
      } else if (what < 0.9) {
        const at = spot();
        await page.mouse.click(at.x, at.y, { button: next() < 0.8 ? "left" : "right" });
      } else if (what < 0.95) {
        await page.mouse.wheel(0, (next() - 0.5) * 600);
      } else {
        await page.keyboard.press("Escape");
        await page.evaluate((name) => window.cardan.openBundled(name), pick(scenes));
        await frame(page, "() => true");
      }
      actions++;
      if (Date.now() - marked > 5000) {
        marked = Date.now();
        memory.push(await page.evaluate(() => { globalThis.gc?.(); return { heap: performance.memory.usedJSHeapSize, engine: window.cardan.frame?.stats.memory ?? 0 }; }));
      }
    }
    const seen = await page.evaluate(() => window.seen);
    assert.deepEqual(errors, []);
    assert.deepEqual(seen.bad, []);
    // Flat: the last third is not above twice the first and some room; the engine's memory has a ring of at most 64 MB.
    const third = Math.max(Math.floor(memory.length / 3), 1);
    const most = (list, key) => Math.max(...list.map((m) => m[key]));
    const [early, late] = [most(memory.slice(0, third), "heap"), most(memory.slice(-third), "heap")];
    assert.ok(late < 2 * early + 40e6, `heap ${early} → ${late}`);
    const [before, after] = [most(memory.slice(0, third), "engine"), most(memory.slice(-third), "engine")];
    assert.ok(after < before + 300e6, `engine ${before} → ${after}`);
    console.log(`random: ${actions} actions, ${seen.frames} frames in ${seconds} s; worst joint error ${seen.worst.toExponential(1)}; heap ${(early / 1e6).toFixed(0)} → ${(late / 1e6).toFixed(0)} MB, engine ${(before / 1e6).toFixed(0)} → ${(after / 1e6).toFixed(0)} MB`);
  } finally {
    await browser.close();
    server.close();
  }
}
