// Pictures of twelve scenes for docs/window.md and for eyes: docs/pictures/window/NAME.png.

import { mkdir } from "node:fs/promises";
import { frame, launch, open, serve } from "./browser.mjs";

/** Scene, time to run [s], what to do with the page before the picture. */
const SHOTS = [
  ["four-bar", 0.6, { layers: ["reactions"], select: "joint:1", plots: ["A angle", "energy error"] }],
  ["double-pendulum", 2.0, { plots: ["kinetic energy", "potential energy"] }],
  ["excavator", 0.4, { layers: ["centres"], select: "body:1" }],
  ["delta-robot", 0.5, { dark: true }],
  ["stewart-platform", 0.5, { layers: ["frames"] }],
  ["billiard", 0.6, { layers: ["contacts"] }],
  ["box-stack", 0.5, { layers: ["contacts"], dark: true }],
  ["strandbeest", 1.0, {}],
  ["standing-humanoid", 0.3, { layers: ["contacts"] }],
  ["soft-block", 0.5, {}],
  ["terrain", 0.6, { layers: ["contacts"] }],
  ["hanging-chain", 1.0, { layers: ["names"], dark: true }],
];

export async function shots(dist, folder, only) {
  await mkdir(folder, { recursive: true });
  const server = await serve(dist);
  const browser = await launch();
  try {
    for (const [name, time, how] of SHOTS.filter(([name]) => !only || only.includes(name))) {
      const { page, errors, context } = await open(browser, `${server.url}?scene=${name}`, { colorScheme: how.dark ? "dark" : "light", viewport: { width: 1200, height: 750 } });
      await page.evaluate(() => localStorage.setItem("cardan.hinted", "1"));
      await frame(page);
      await page.evaluate((how) => {
        const app = window.cardan;
        for (const layer of how.layers ?? []) app.viewBar.set(layer, true);
        if (how.select) { const [what, index] = how.select.split(":"); app.select({ what, index: Number(index) }); }
        for (const key of how.plots ?? []) { const signal = app.signal(key); if (signal) app.plots.toggle(signal); }
        app.shell.setHint(null);
      }, how);
      await frame(page, `(f) => f.time >= ${time}`, 60_000);
      await page.evaluate(() => window.cardan.setPlaying(false));
      await frame(page, "(f) => !f.playing");
      await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
      await page.screenshot({ path: `${folder}/${name}.png` });
      if (errors.length) throw new Error(`${name}: ${errors.join("\n")}`);
      console.log(`shots: ${name}`);
      await context.close();
    }
  } finally {
    await browser.close();
    server.close();
  }
}
