// The engine in the page beside the native one on the same run: time of the second half of a run, so that building does not count.

import { spawnSync } from "node:child_process";
import { frame, launch, open, serve } from "./browser.mjs";

const SCENES = [["double-pendulum", 20], ["standing-humanoid", 0.6], ["excavator", 3], ["billiard", 2], ["ragdoll", 0.6]];

function native(cardan, name, until) {
  const args = ["run", name, "--until", String(until), "--set", "simulation.accounts=off", "--json"];
  const started = process.hrtime.bigint();
  const run = spawnSync(cardan, args, { encoding: "utf8", maxBuffer: 1 << 28 });
  if (run.status !== 0) throw new Error(run.stderr);
  return Number(process.hrtime.bigint() - started) / 1e9;
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
      const page1 = await best(3, () => inPage(until / 2));
      const page2 = await best(3, () => inPage(until));
      const line = [`${name} to ${until} s: page ${((page2 - page1) * 1000).toFixed(1)} ms for the second half`];
      if (cardan) {
        const native1 = await best(5, () => native(cardan, name, until / 2));
        const native2 = await best(5, () => native(cardan, name, until));
        line.push(`native ${((native2 - native1) * 1000).toFixed(1)} ms`, `ratio ${((page2 - page1) / (native2 - native1)).toFixed(2)}`);
      }
      console.log(`speed: ${line.join(", ")}`);
    }
  } finally {
    await browser.close();
    server.close();
  }
}
