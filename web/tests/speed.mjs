// The engine in the page beside the native one on the same run: time of the steps alone, the best of five.

import { spawnSync } from "node:child_process";
import { frame, launch, open, serve } from "./browser.mjs";

const SCENES = [["double-pendulum", 20], ["standing-humanoid", 0.6], ["excavator", 3], ["billiard", 2], ["ragdoll", 0.6]];

/** Seconds that the command says it stepped for; NaN if it does not know the scene. */
function native(cardan, name, until) {
  const run = spawnSync(cardan, ["run", name, "--until", String(until), "--set", "simulation.accounts=off", "--json"], { encoding: "utf8", maxBuffer: 1 << 28 });
  return run.status === 0 ? JSON.parse(run.stdout).wall_seconds : NaN;
}

export async function speed(dist, cardan) {
  const server = await serve(dist);
  const browser = await launch();
  try {
    const { page } = await open(browser, `${server.url}?scene=pendulum`);
    await frame(page);
    await page.evaluate(() => window.cardan.setPlaying(false));
    const best = async (tries, measure) => { let least = Infinity; for (let i = 0; i < tries; i++) least = Math.min(least, await measure()); return least; };
    for (const [name, until] of SCENES) {
      const inPage = (end) => page.evaluate(([name, end]) => window.cardan.client.send({ do: "prove", name, until: end }).then(({ seconds }) => seconds), [name, end]);
      const here = await best(5, () => inPage(until));
      const line = [`${name} to ${until} s: page ${(here * 1000).toFixed(1)} ms`];
      if (cardan) {
        const there = await best(5, () => native(cardan, name, until));
        line.push(`native ${(there * 1000).toFixed(1)} ms`, `ratio ${(here / there).toFixed(2)}`);
      }
      console.log(`speed: ${line.join(", ")}`);
    }
  } finally {
    await browser.close();
    server.close();
  }
}
