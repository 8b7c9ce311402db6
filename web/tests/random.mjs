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

/** Opens the four-bar afresh, with the layers as they are at first, and says what the page holds once rubbish is collected. */
async function rest(page) {
  await page.evaluate(() => { for (const key of Object.keys(window.cardan.view.layers)) window.cardan.viewBar.set(key, ["joints", "trails", "grid"].includes(key)); });
  for (let round = 0; round < 2; round++) {
    await page.evaluate(() => window.cardan.openBundled("four-bar"));
    await frame(page, "(f) => f.time > 0 && f.time < 5");
    await page.evaluate(() => { window.cardan.setPlaying(false); window.cardan.plots.clear(); });
    await frame(page, "(f) => !f.playing");
  }
  return page.evaluate(async () => {
    // Drawn: what is on the graphics card is there only then.
    for (let k = 0; k < 4; k++) await new Promise((resolve) => requestAnimationFrame(resolve));
    for (let k = 0; k < 4; k++) { globalThis.gc?.(); await new Promise((resolve) => setTimeout(resolve, 60)); }
    return { heap: performance.memory.usedJSHeapSize, engine: window.cardan.frame.stats.memory, ...window.cardan.view.held, nodes: document.querySelectorAll("*:not(.label)").length };
  });
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
    const before = await rest(page);
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
    let actions = 0;
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
    }
    const seen = await page.evaluate(() => window.seen);
    assert.deepEqual(errors, []);
    assert.deepEqual(seen.bad, []);
    // Flat: the same scene, opened afresh after the minute, holds what it held before it.
    await page.keyboard.press("Escape");
    const after = await rest(page);
    const [grown, engine] = [after.heap - before.heap, after.engine - before.engine];
    assert.ok(grown < 12e6, `heap ${before.heap} → ${after.heap}`);
    // Memory of the engine does not shrink: it is what its largest scene took, with a ring of 64 MB and a copy that looks ahead.
    assert.ok(engine < 128e6, `engine ${before.engine} → ${after.engine}`);
    assert.ok(after.geometries <= before.geometries + 4 && after.textures <= before.textures + 1, `on the graphics card: ${JSON.stringify([before, after])}`);
    assert.ok(after.nodes <= before.nodes + 60, `elements ${before.nodes} → ${after.nodes}`);
    // Each scene of the minute opened six times over: a leak of a scene shows six times.
    const rounds = [];
    for (let round = 0; round < 6; round++) {
      for (const name of scenes) await page.evaluate((name) => window.cardan.openBundled(name), name);
      rounds.push(await rest(page));
    }
    const [first, last] = [rounds[1], rounds[5]];
    assert.ok(last.heap < first.heap + 6e6, `heap ${rounds.map(({ heap }) => heap)}`);
    assert.ok(last.engine <= first.engine, `engine ${rounds.map(({ engine }) => engine)}`);
    assert.ok(last.geometries === first.geometries && last.textures === first.textures, `on the graphics card: ${JSON.stringify(rounds)}`);
    assert.deepEqual(errors, []);
    const mb = (bytes) => (bytes / 1e6).toFixed(1);
    console.log(`random: ${actions} actions, ${seen.frames} frames in ${seconds} s; worst joint error ${seen.worst.toExponential(1)}; heap ${mb(before.heap)} → ${mb(after.heap)} MB, engine ${mb(before.engine)} → ${mb(after.engine)} MB; ${6 * scenes.length} scenes more: heap ${mb(first.heap)} → ${mb(last.heap)} MB, engine ${mb(first.engine)} → ${mb(last.engine)} MB, ${last.geometries} geometries`);
  } finally {
    await browser.close();
    server.close();
  }
}
