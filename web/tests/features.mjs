// What a user finds in the window besides the story: each thing once, as a user does it.

import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { frame, launch, open, serve, slowly, until } from "./browser.mjs";

const say = (text) => console.log(`features: ${text}`);
/** Pictures of what is tested go here, for eyes. */
const pictures = process.env.CARDAN_PICTURES;
const shot = async (page, name) => { if (pictures) await page.screenshot({ path: join(pictures, `${name}.png`) }); };
const settle = (page) => page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
const bodyAt = (page, name) => page.evaluate((name) => {
  const { scene, view } = window.cardan;
  const index = scene.bodies.findIndex((body) => body.name === name);
  return view.toPage(view.mechanism.worldPoint(index, scene.bodies[index].centre));
}, name);
const pause = async (page) => { await page.evaluate(() => window.cardan.setPlaying(false)); await frame(page, "(f) => !f.playing"); };
const tip = (page) => page.locator(".tip").innerText();

/** Hands and frames meet by chance on a busy machine: what fails is tried again, twice at most. */
async function patiently(test, ...args) {
  for (let left = 2; ; left--) {
    try {
      return await test(...args);
    } catch (error) {
      if (left === 0) throw error;
      say(`${test.name} failed and is tried again: ${error.message.split("\n")[0]}`);
    }
  }
}

export async function features(dist, cardan) {
  if (pictures) await mkdir(pictures, { recursive: true });
  const server = await serve(dist);
  const browser = await launch();
  try {
    for (const test of [looking, walls, arrows, recordings, nails, saving, foreign, restarts, finger, sizes]) await patiently(test, browser, server.url, dist);
    if (cardan) for (const test of [following, robots]) await patiently(test, browser, cardan);
  } finally {
    await browser.close();
    server.close();
  }
}

/** Hover, tree, isolate, axes views, projection, theme, speed. */
async function looking(browser, url) {
  const { page, errors, context } = await open(browser, `${url}?scene=four-bar`);
  await frame(page, "(f) => f.time > 0.1");
  await pause(page);
  const at = await bodyAt(page, "coupler");
  await page.mouse.move(at.x, at.y);
  await until(page, "!document.querySelector(\".tip\").hidden");
  assert.match(await tip(page), /coupler[\s\S]*mass[\s\S]*2\.2[\s\S]*kg[\s\S]*speed[\s\S]*m\/s[\s\S]*line \d+/);
  await shot(page, "hover-body");
  const joint = await page.evaluate(() => window.cardan.view.toPage(window.cardan.view.mechanism.joints[1].group.position));
  await page.mouse.move(joint.x, joint.y);
  await until(page, "/angle/.test(document.querySelector(\".tip\").textContent)");
  assert.match(await tip(page), /revolute[\s\S]*angle[\s\S]*rate[\s\S]*between[\s\S]*line \d+/);
  // Hide, isolate, show all: by the tree and by keys.
  const visible = () => page.evaluate(() => window.cardan.view.mechanism.bodies.filter(({ group }) => group.visible).map(({ info }) => info.name));
  assert.deepEqual(await visible(), ["crank", "coupler", "rocker"]);
  const row = page.locator('.row[data-part="body:1"]');
  await row.hover();
  await row.getByLabel(/Show this alone/).click();
  assert.deepEqual(await visible(), ["coupler"]);
  await shot(page, "isolated");
  await row.getByLabel(/Show this alone/).click();
  await row.getByLabel(/Hide/).click();
  assert.deepEqual(await visible(), ["crank", "rocker"]);
  await page.locator("canvas.gl").focus();
  await page.keyboard.press("Shift+H");
  assert.deepEqual(await visible(), ["crank", "coupler", "rocker"]);
  // Axes views look along the axes; fit brings everything into sight; zoom keeps the point under the pointer.
  const direction = () => page.evaluate(() => window.cardan.view.rig.direction().toArray().map((x) => Math.round(x * 1e6) / 1e6 + 0));
  for (const [key, wanted] of [["1", [1, 0, 0]], ["2", [0, -1, 0]], ["3", [0, 0, 1]]]) {
    await page.keyboard.press(key);
    const found = await direction();
    assert.ok(found.every((x, i) => Math.abs(x - wanted[i]) < 2e-3), `${key}: ${found}`);
  }
  await page.keyboard.press("o");
  await page.keyboard.press("0");
  await settle(page);
  await shot(page, "oblique");
  await page.keyboard.press("f");
  await settle(page);
  for (const name of ["crank", "coupler", "rocker"]) { const { x, y } = await bodyAt(page, name); assert.ok(x > 250 && x < 1000 && y > 40 && y < 720, `${name} at ${x}, ${y}`); }
  const before = await bodyAt(page, "crank");
  await page.mouse.move(before.x, before.y);
  await page.mouse.wheel(0, -400);
  await settle(page);
  const after = await bodyAt(page, "crank");
  assert.ok(Math.hypot(after.x - before.x, after.y - before.y) < 12, "zoom to the pointer");
  // Speed: 1/64 … 8 ×.
  for (let i = 0; i < 9; i++) await page.keyboard.press("[");
  assert.match(await page.locator(".speed output").innerText(), /1\/64/);
  for (let i = 0; i < 12; i++) await page.keyboard.press("]");
  assert.match(await page.locator(".speed output").innerText(), /8/);
  await page.keyboard.press("Space");
  // Eight times real time, or the page says that it cannot.
  await until(page, "(window.cardan.frame?.playing && window.cardan.frame.speed > 4) || !document.querySelector(\".rtf .tag.bad\").hidden", 20_000);
  await frame(page, "(f) => f.playing && f.speed > 1.5", 20_000);
  await page.keyboard.press("d");
  await page.keyboard.press("d");
  await settle(page);
  await shot(page, "dark");
  assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), "dark");
  assert.deepEqual(errors, []);
  await context.close();
  say("hover, tree, hide, isolate, axes views, fit, zoom to the pointer, speed, theme");
}

/** Walls that are inequalities are seen. */
async function walls(browser, url) {
  for (const [scene, count] of [["billiard", 2], ["corner", 2], ["obtuse-corner", 2]]) {
    const { page, errors, context } = await open(browser, `${url}?scene=${scene}`);
    await frame(page, "(f) => f.time > 0.05");
    const drawn = await page.evaluate(() => ({ walls: window.cardan.scene.ground.filter((look) => look.wall).length, lines: window.cardan.view.ground.fat.map((line) => line.geometry.instanceCount) }));
    assert.equal(drawn.walls, count, scene);
    assert.ok(drawn.lines.length === 2 * count && drawn.lines.every((n) => n > 0), `${scene}: ${drawn.lines}`);
    await shot(page, `walls-${scene}`);
    assert.deepEqual(errors, []);
    await context.close();
  }
  say("walls that are inequalities are drawn");
}

/** Reactions (shared ones marked), contact forces and applied forces with numbers, in the page and in its PNG. */
async function arrows(browser, url) {
  const { page, errors, context } = await open(browser, `${url}?scene=four-bar`);
  await frame(page, "(f) => f.time > 0.1");
  await page.locator("canvas.gl").focus();
  await page.keyboard.press("v");
  await frame(page, "(f) => f.reactions");
  await pause(page);
  await settle(page);
  await until(page, "[...document.querySelectorAll('.labels .label:not([hidden])')].some((label) => /\\d N shared$/.test(label.innerText))", 30_000);
  await shot(page, "reactions");
  const [png] = await Promise.all([page.waitForEvent("download"), page.keyboard.press("p")]);
  if (pictures) await png.saveAs(join(pictures, "saved.png"));
  await page.evaluate(() => window.cardan.openBundled("box-stack"));
  await frame(page, "(f) => f.time > 0.3");
  await page.keyboard.press("v");
  await page.keyboard.press("k");
  await frame(page, "(f) => f.contacts && f.contacts.length >= 12");
  await pause(page);
  await settle(page);
  // The lowest box carries the stack: contact forces add up to its weight (they push up; the stack rests).
  const sum = await page.evaluate(() => { const { contacts } = window.cardan.frame; let up = 0; for (let i = 0; i < contacts.length; i += 12) if (contacts[i + 9] < 0 || contacts[i + 10] < 0) up += Math.abs(contacts[i + 8]); return up; });
  const weight = await page.evaluate(() => window.cardan.scene.bodies.reduce((all, body) => all + body.mass, 0) * Math.hypot(...window.cardan.scene.gravity));
  assert.ok(Math.abs(sum - weight) < 0.05 * weight, `contacts ${sum} N, weight ${weight} N`);
  assert.ok((await page.locator(".labels .label:not([hidden])").allInnerTexts()).some((text) => /N$/.test(text)));
  await shot(page, "contacts");
  for (const key of ["c", "a", "m", "b"]) await page.keyboard.press(key);
  await settle(page);
  await shot(page, "layers");
  assert.deepEqual(errors, []);
  await context.close();
  say(`arrows with numbers; contact forces of the stack add up to ${sum.toFixed(2)} N of ${weight.toFixed(2)} N`);
}

/** A recording is made, saved and replayed to the bit; it ends when the past is another one. */
async function recordings(browser, url) {
  const { page, errors, context } = await open(browser, `${url}?scene=double-pendulum`);
  await frame(page, "(f) => f.time > 0.05");
  const choose = async (text) => { await page.getByRole("button", { name: "Save", exact: true }).click(); await page.locator(".menu button", { hasText: text }).click(); };
  await choose("Record what happens");
  await frame(page, "(f) => f.recording");
  assert.ok(await page.getByText("recording", { exact: true }).isVisible());
  // Taken in slow motion: the test's hand is slower than a person's on a busy machine.
  await slowly(page);
  const at = await bodyAt(page, await page.evaluate(() => window.cardan.scene.bodies[1].name));
  await page.mouse.move(at.x, at.y);
  await page.mouse.down();
  await page.mouse.move(at.x + 10, at.y - 8);
  await until(page, "window.cardan.hand.isHolding");
  await page.evaluate(() => window.cardan.setSpeed(0));
  await page.mouse.move(at.x + 60, at.y - 40, { steps: 8 });
  // The hand must have held it for some steps: two drags within one are one.
  const held = await frame(page);
  await frame(page, `(f) => f.time > ${held.time} + 0.05`);
  await page.mouse.up();
  await page.keyboard.press("Space");
  await frame(page, "(f) => !f.playing");
  const end = await frame(page);
  const [file] = await Promise.all([page.waitForEvent("download"), choose("Stop and save the recording")]);
  const text = await readFile(await file.path(), "utf8");
  await frame(page, "(f) => !f.recording");
  await page.evaluate(() => window.cardan.openBundled("four-bar"));
  const [chooser] = await Promise.all([page.waitForEvent("filechooser"), choose("Replay a recording")]);
  await chooser.setFiles({ name: "a.recording.json", mimeType: "application/json", buffer: Buffer.from(text) });
  await until(page, "window.cardan.scene.name.startsWith(\"double-pendulum\")");
  await frame(page, "(f) => f.playback && f.playback[0] > 0");
  await shot(page, "replay");
  await until(page, "/same state to the bit/.test(document.querySelector(\".toast\").textContent)", 120_000);
  const replayed = await frame(page, "(f) => !f.playing");
  assert.equal(replayed.hash, end.hash, "the replay ends in the recorded state");
  // Another hand: the replay says where it differs.
  const other = JSON.parse(text);
  const drags = other.actions.filter(({ action }) => action.do === "drag");
  assert.ok(drags.length > 0, "the recording has drags");
  drags.forEach(({ action }) => (action.to[0] += 0.05));
  await page.evaluate((text) => window.cardan.replay(text), JSON.stringify(other));
  await until(page, "/differs from step/.test(document.querySelector(\".toast\").textContent)", 120_000);
  assert.equal(await page.evaluate(() => window.cardan.replay("{}")), false);
  assert.match(await page.locator(".banner").innerText(), /cannot be replayed/);
  // A recording that is lost says so, and can be started anew.
  await page.evaluate(() => window.cardan.openBundled("double-pendulum"));
  await frame(page, "(f) => f.time > 0.02");
  await choose("Record what happens");
  await frame(page, "(f) => f.recording");
  await page.keyboard.press("r");
  await frame(page, "(f) => !f.recording");
  assert.ok(await page.getByText("recording", { exact: true }).isHidden());
  await choose("Record what happens");
  await frame(page, "(f) => f.recording");
  assert.deepEqual(errors, []);
  await context.close();
  say(`a recording of ${JSON.parse(text).steps} steps replays to hash ${end.hash}; a changed one is noticed; a lost one is told`);
}

/** Nails are those of the engine: through undo, redo and a changed text. */
async function nails(browser, url) {
  const { page, errors, context } = await open(browser, `${url}?scene=double-pendulum`);
  await frame(page, "(f) => f.time > 0.05");
  await pause(page);
  const names = await page.evaluate(() => window.cardan.scene.bodies.map(({ name }) => name));
  for (const [i, name] of names.entries()) {
    const at = await bodyAt(page, name);
    await page.mouse.move(at.x, at.y);
    await until(page, "!document.querySelector(\".tip\").hidden");
    await page.keyboard.press("n");
    await frame(page, `(f) => f.nails.length === ${i + 1}`);
  }
  await shot(page, "nails");
  await page.keyboard.press("Control+z");
  await frame(page, "(f) => f.nails.length === 1");
  await page.keyboard.press("Control+Shift+z");
  await frame(page, "(f) => f.nails.length === 2");
  const text = await page.evaluate(() => window.cardan.text.text);
  assert.equal(await page.evaluate((text) => window.cardan.reload({ name: "double-pendulum.toml", text: `${text}\n# changed\n` }, "page"), text), true);
  await frame(page, "(f) => f.nails.length === 2");
  const at = await bodyAt(page, names[0]);
  await page.mouse.move(at.x, at.y);
  await page.mouse.click(at.x, at.y, { button: "right" });
  await page.locator(".menu button", { hasText: "Take out all 2 nails" }).click();
  await frame(page, "(f) => f.nails.length === 0 && f.grips.length === 0");
  assert.deepEqual(errors, []);
  await context.close();
  say("nails through undo, redo and a changed text");
}

/** One file with this state, saved by the page, opened from the disk. */
async function saving(browser, url) {
  const folder = await mkdtemp(join(tmpdir(), "cardan-window-"));
  try {
    const { page, errors, context } = await open(browser, `${url}?scene=slider-crank`);
    await frame(page, "(f) => f.time > 0.2");
    await pause(page);
    const here = await frame(page);
    await page.getByRole("button", { name: "Share" }).click();
    await shot(page, "share");
    const [file] = await Promise.all([page.waitForEvent("download"), page.locator(".menu button", { hasText: "Save one file" }).click()]);
    let saved = join(folder, "page.html");
    await file.saveAs(saved);
    assert.deepEqual(errors, []);
    await context.close();
    // From the file a page is saved again, and again it is the same state.
    for (let round = 0; round < 2; round++) {
      const second = await open(browser, `file://${saved}`);
      const there = await frame(second.page);
      assert.equal(there.hash, here.hash);
      assert.equal(there.time, here.time);
      await second.page.keyboard.press("Space");
      await frame(second.page, `(f) => f.time > ${here.time}`);
      await second.page.keyboard.press("Space");
      await second.page.evaluate(() => window.cardan.client.send({ do: "seek", time: 0 }).catch(() => {}));
      if (round === 0) {
        await second.page.reload();
        await frame(second.page);
        saved = join(folder, "again.html");
        const text = await second.page.evaluate(async () => (await window.cardan.page()).text());
        await writeFile(saved, text);
      }
      assert.deepEqual(second.errors, []);
      await second.context.close();
    }
    say("a page saved with its state opens from the disk in the same state, twice over");
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** A text from elsewhere makes no request to another host, whatever it names. */
async function foreign(browser, url) {
  const context = await browser.newContext();
  const page = await context.newPage();
  const asked = [];
  page.on("request", (request) => { if (!/^(data|blob):/.test(request.url())) asked.push(request.url()); });
  await page.goto(`${url}?scene=four-bar`);
  const state = await page.evaluate(async () => { while (!window.cardan?.frame) await new Promise((r) => setTimeout(r, 50)); return (await window.cardan.link()).split("#state=")[1]; });
  const shared = JSON.parse((await import("node:zlib")).gunzipSync(Buffer.from(state, "base64url")).toString());
  for (const file of ["https://foreign.example/x.obj", "//foreign.example/x.obj", "http:foreign.example/x.obj", "\\\\\\\\foreign.example\\\\x.obj", "../x.obj", "a b#c?d.obj"]) {
    const text = `[bodies.b]\nmass = 1\nshape = { kind = "mesh", file = "${file}" }\n`;
    const link = (await import("node:zlib")).gzipSync(JSON.stringify({ ...shared, scene: undefined, name: "a.toml", text })).toString("base64url");
    const all = ["", "?scene=https://foreign.example/a.toml", "?scene=//foreign.example/a.toml", "?scene=dir/a.toml"];
    for (const from of file.startsWith("https") ? all : all.slice(3)) {
      await page.goto("about:blank");
      await page.goto(`${url}${from}#state=${link}`);
      await page.locator(".banner").waitFor();
    }
  }
  const others = asked.filter((one) => !one.startsWith(url));
  assert.deepEqual(others, [], "requests to other hosts");
  // Below the folder of the scene names are encoded.
  assert.ok(asked.some((one) => one.endsWith("/dir/a%20b%23c%3Fd.obj")), asked.filter((one) => /obj/.test(one)).join(" "));
  await context.close();
  say(`links with addresses of other hosts ask none (${asked.length} requests, all to the page's own)`);
}

/** An engine that dies is started again twice, then the user is asked. */
async function restarts(browser, url) {
  const { page, errors, context } = await open(browser, `${url}?scene=four-bar`);
  for (let k = 1; k <= 3; k++) {
    await frame(page, "(f) => f.time > 0");
    await page.evaluate(() => window.cardan.setPlaying(true));
    await frame(page, "(f) => f.playing");
    // A state is kept about once a second.
    await page.waitForTimeout(2500);
    const before = await frame(page);
    await page.evaluate(() => { window.cardan.frame = null; window.cardan.client.revive("a fault that was planted"); });
    if (k < 3) {
      await until(page, "/started again/.test(document.querySelector(\".toast\").textContent) && window.cardan.frame !== null");
      const after = await frame(page, "(f) => !f.playing");
      assert.ok(after.time > 0 && after.time <= before.time + 1, `from the last good state: ${before.time} → ${after.time}`);
    }
  }
  await page.locator(".banner").waitFor();
  assert.match(await page.locator(".banner").innerText(), /stopped 3 times in this scene/);
  await shot(page, "restarts");
  await page.getByRole("button", { name: "Start it again" }).click();
  await frame(page);
  await page.evaluate(() => window.cardan.setPlaying(true));
  await frame(page, "(f) => f.time > 0.05");
  assert.deepEqual(errors, []);
  await context.close();
  say("a dead engine is started again twice, then the user is asked");
}

/** A phone: fingers select, drag, turn, pinch, and ask for the menu. */
async function finger(browser, url) {
  const { page, errors, context } = await open(browser, `${url}?scene=four-bar`, { viewport: { width: 390, height: 780 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 });
  await frame(page, "(f) => f.time > 0.05");
  await pause(page);
  await page.evaluate(() => window.cardan.shell.setHint(null));
  await settle(page);
  await shot(page, "phone");
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true, "nothing is wider than the screen");
  const touch = await context.newCDPSession(page);
  const send = (type, ...points) => touch.send("Input.dispatchTouchEvent", { type, touchPoints: points.map(({ x, y }, id) => ({ x, y, id })) });
  const at = await bodyAt(page, "coupler");
  // A tap selects.
  await send("touchStart", at);
  await send("touchEnd");
  await until(page, "window.cardan.view.selected?.what === \"body\"");
  // A drag poses the paused mechanism.
  const before = await page.evaluate(() => [...window.cardan.frame.poses]);
  await send("touchStart", at);
  for (let k = 1; k <= 10; k++) { await send("touchMove", { x: at.x + 4 * k, y: at.y + 3 * k }); await settle(page); }
  await send("touchEnd");
  await frame(page, "(f) => f.grips.length === 0");
  assert.ok((await page.evaluate(() => [...window.cardan.frame.poses])).some((x, i) => Math.abs(x - before[i]) > 1e-3), "the pose followed the finger");
  // Two fingers zoom.
  const scale = () => page.evaluate(() => { const { view } = window.cardan; return view.rig.pixel(view.rig.target, view.height); });
  const wide = await scale();
  const middle = { x: 195, y: 300 };
  await send("touchStart", { x: middle.x - 30, y: middle.y }, { x: middle.x + 30, y: middle.y });
  for (let k = 1; k <= 8; k++) await send("touchMove", { x: middle.x - 30 - 8 * k, y: middle.y }, { x: middle.x + 30 + 8 * k, y: middle.y });
  await send("touchEnd");
  await settle(page);
  assert.ok((await scale()) < 0.6 * wide, "pinch zooms");
  await page.evaluate(() => window.cardan.view.fit());
  await settle(page);
  // A long press shows the menu; the point is nailed from there.
  const now = await bodyAt(page, "rocker");
  await send("touchStart", now);
  await page.locator(".menu button", { hasText: "Nail this point" }).waitFor();
  await shot(page, "phone-menu");
  await send("touchEnd");
  await page.locator(".menu button", { hasText: "Nail this point" }).tap();
  await frame(page, "(f) => f.nails.length === 1");
  // Panels are drawers.
  await page.getByRole("button", { name: "Values and controls" }).tap();
  await page.getByRole("tab", { name: "Controls" }).tap();
  await page.waitForTimeout(300);
  await shot(page, "phone-controls");
  assert.ok(await page.locator('[data-coordinate="A"] input').isVisible());
  assert.deepEqual(errors, []);
  await context.close();
  say("fingers: tap, drag, pinch, long press, drawers");
}

/** Page and engine are below 3 MB compressed, and the first picture of a scene comes within 2 s. */
async function sizes(browser, url, dist) {
  const { gzipSync } = await import("node:zlib");
  let total = 0;
  for (const file of ["index.html", "app.js", "app.css", "engine.wasm.zst"]) total += gzipSync(await readFile(join(dist, file)), { level: 9 }).length;
  assert.ok(total < 3e6, `${total} bytes compressed`);
  const times = [];
  for (let tries = 0; tries < 3; tries++) {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
    const page = await context.newPage();
    await page.addInitScript(() => {
      const look = () => { const view = window.cardan?.view; if (view?.frame) window.pictured ??= performance.now(); else requestAnimationFrame(look); };
      requestAnimationFrame(look);
    });
    await page.goto(`${url}?scene=four-bar`);
    await until(page, "window.pictured !== undefined");
    times.push(await page.evaluate(() => Math.round(window.pictured)));
    await context.close();
  }
  if (process.env.CARDAN_QUIET) assert.ok(Math.min(...times) < 2000, `first picture after ${times} ms`);
  say(`${(total / 1e6).toFixed(2)} MB compressed; from an empty tab to the first picture ${times.join(", ")} ms`);
}

async function view(cardan, file) {
  const child = spawn(cardan, ["view", file, "--no-open"], { stdio: ["ignore", "pipe", "inherit"] });
  const url = await new Promise((resolve, reject) => {
    let heard = "";
    child.stdout.on("data", (data) => { heard += data; const found = /http:\/\/\S+/.exec(heard); if (found) resolve(found[0]); });
    child.on("exit", () => reject(new Error(`cardan view ended: ${heard}`)));
  });
  return { url, kill: () => child.kill() };
}

const OBJ = (size) => `v 0 0 0\nv ${size} 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n`;

/** Under `cardan view`: a link and F5 keep following the file; meshes are followed too; broken text is mended from outside. */
async function following(browser, cardan) {
  const folder = await mkdtemp(join(tmpdir(), "cardan-window-"));
  const file = join(folder, "part.toml");
  const text = (mass) => `title = "Part"\n[bodies.part]\nmass = ${mass}\nshape = { kind = "mesh", file = "meshes/a part.obj" }\n[joints.pin]\nkind = "revolute"\na = "ground"\nb = "part"\nanchor = [0, 0, 0]\naxis = [0, 1, 0]\n`;
  await mkdir(join(folder, "meshes"));
  await writeFile(join(folder, "meshes/a part.obj"), OBJ(1));
  await writeFile(file, text("1.0"));
  const server = await view(cardan, file);
  try {
    const { page, errors, context } = await open(browser, server.url);
    await frame(page, "(f) => f.time > 0.1");
    const reach = () => page.evaluate(() => Math.max(...window.cardan.scene.bodies[0].looks[0].vertices));
    assert.equal(await reach(), 1);
    await until(page, "/follows/.test(document.querySelector(\".scene-title\").textContent)");
    await writeFile(join(folder, "meshes/a part.obj"), OBJ(2));
    await until(page, "Math.max(...window.cardan.scene.bodies[0].looks[0].vertices) === 2");
    assert.ok((await frame(page)).time > 0.1, "the state goes on");
    // A recording of this scene finds its mesh while another scene is open; one of a scene elsewhere does not take it.
    const recording = await page.evaluate(async () => {
      const { client } = window.cardan;
      await client.send({ do: "record" });
      await client.send({ do: "step" });
      return client.send({ do: "stopRecording" });
    });
    await page.evaluate(() => window.cardan.openBundled("four-bar"));
    const replay = (text) => page.evaluate((text) => window.cardan.replay(text), text);
    assert.equal(await replay(recording), true);
    assert.equal(await reach(), 2);
    const other = JSON.parse(recording);
    assert.equal(await replay(JSON.stringify({ ...other, name: "elsewhere.toml", text: `${other.text}\n` })), false);
    assert.match(await page.locator(".banner").innerText(), /cannot be replayed[\s\S]*a part\.obj/);
    // A file that cannot be fetched is not one that is not there.
    await page.route("**/files/**", (route) => route.fulfill({ status: 503 }));
    assert.equal(await replay(recording), false);
    assert.match(await page.locator(".banner").innerText(), /a part\.obj` cannot be fetched: 503/);
    await page.unroute("**/files/**");
    assert.equal(await replay(recording), true);
    // Share, reload the page: the same state, and the file is still followed.
    await pause(page);
    await page.locator("canvas.gl").focus();
    await page.keyboard.press("l");
    await until(page, "location.hash.startsWith(\"#state=\")");
    const hash = (await frame(page)).hash;
    await page.reload();
    assert.equal((await frame(page)).hash, hash, "F5 opens the same state, with its mesh");
    assert.equal(await reach(), 2);
    await until(page, "/follows/.test(document.querySelector(\".scene-title\").textContent)");
    await writeFile(file, text("2.5"));
    await until(page, "window.cardan.scene.bodies[0].mass === 2.5");
    // Broken, then mended by an editor: the text panel has the mended text; what the user typed stays.
    await writeFile(file, text("oops"));
    await page.locator(".banner").waitFor();
    await page.getByRole("tab", { name: "Scene text" }).click();
    const area = page.getByLabel("Scene text", { exact: true });
    assert.match(await area.inputValue(), /mass = oops/);
    await shot(page, "broken");
    await writeFile(file, text("3.5"));
    await until(page, "window.cardan.scene.bodies[0].mass === 3.5");
    assert.match(await area.inputValue(), /mass = 3.5/);
    assert.ok(await page.locator(".banner").isHidden());
    await area.fill(text("9.0"));
    await writeFile(file, text("4.5"));
    await until(page, "window.cardan.scene.bodies[0].mass === 4.5");
    assert.match(await area.inputValue(), /mass = 9.0/, "what the user types is not overwritten");
    // The file is gone, and comes back.
    await rm(file);
    await page.locator(".banner").waitFor();
    assert.match(await page.locator(".banner").innerText(), /part\.toml cannot be read; the old scene keeps running/);
    await writeFile(file, text("1.5"));
    await until(page, "window.cardan.scene.bodies[0].mass === 1.5");
    // The server is gone: the page says so and goes on.
    server.kill();
    await until(page, "/server gone/.test(document.querySelector(\".scene-title\").textContent)", 30_000);
    await page.evaluate(() => window.cardan.setPlaying(true));
    const now = await frame(page, "(f) => f.playing");
    await frame(page, `(f) => f.time > ${now.time} + 0.05`);
    assert.deepEqual(errors.filter((one) => !/ERR_CONNECTION|ERR_EMPTY|ERR_INCOMPLETE/.test(one)), []);
    await context.close();
    say("under `cardan view`: meshes are followed, F5 on a shared state follows, broken text is mended from outside, a lost server is told");
  } finally {
    server.kill();
    await rm(folder, { recursive: true });
  }
}

const URDF = `<robot name="arm"><link name="base"/>
  <link name="rod"><inertial><mass value="2"/><inertia ixx="0.2" iyy="0.2" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial>
    <collision><geometry><mesh filename="package://arms/meshes/rod.obj"/></geometry></collision></link>
  <joint name="hinge" type="continuous"><parent link="base"/><child link="rod"/><axis xyz="0 1 0"/></joint></robot>`;

/** Robots with meshes, in a scene and by themselves, in the page and in one self-contained file. */
async function robots(browser, cardan) {
  const folder = await mkdtemp(join(tmpdir(), "cardan-window-"));
  try {
    for (const part of ["arms/urdf", "arms/meshes"]) await mkdir(join(folder, part), { recursive: true });
    await writeFile(join(folder, "arms/package.xml"), "<package><name>arms</name></package>");
    await writeFile(join(folder, "arms/urdf/arm.urdf"), URDF);
    await writeFile(join(folder, "arms/meshes/rod.obj"), OBJ(1));
    await writeFile(join(folder, "cell.toml"), "[robots.one]\nfile = \"arms/urdf/arm.urdf\"\n[robots.two]\nfile = \"arms/urdf/arm.urdf\"\nposition = [2, 0, 0]\n");
    for (const [file, count] of [["cell.toml", 2], ["arms/urdf/arm.urdf", 1]]) {
      const looks = "window.cardan.scene.bodies.map((body) => body.looks.length).join()";
      const wanted = Array(count).fill(1).join();
      const server = await view(cardan, join(folder, file));
      try {
        const { page, errors, context } = await open(browser, server.url);
        await frame(page, "(f) => f.time > 0.02");
        assert.equal(await page.evaluate(looks), wanted, file);
        await shot(page, `robots-${count}`);
        if (count === 1) {
          await writeFile(join(folder, file), URDF.replace("<link name=\"base\"/>", "<link name=\"base\">"));
          await page.locator(".banner").waitFor();
          await writeFile(join(folder, file), URDF.replace("value=\"2\"", "value=\"3\""));
          await until(page, "window.cardan.scene.bodies[0].mass === 3");
          assert.ok(await page.locator(".banner").isHidden());
        }
        // A robot may have a file of loops beside it: that it has none is no fault.
        assert.deepEqual(errors.filter((text) => !/404/.test(text)), []);
        await context.close();
      } finally { server.kill(); }
      const made = spawnSync(cardan, ["view", join(folder, file), "-o", join(folder, "page.html")], { encoding: "utf8" });
      assert.equal(made.status, 0, made.stderr);
      const { page, errors, context } = await open(browser, `file://${join(folder, "page.html")}`);
      await frame(page, "(f) => f.time > 0.02");
      assert.equal(await page.evaluate(looks), wanted, `${file} as one file`);
      assert.deepEqual(errors, []);
      await context.close();
    }
    say("robots with meshes: in a scene, by themselves, and in one self-contained file; a broken robot file is told");
  } finally {
    await rm(folder, { recursive: true });
  }
}
