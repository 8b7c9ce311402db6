// node web/tests/main.mjs [story] [features] [hashes] [random] [speed] [frames] [mujoco] [shots]; without a name the first four.

import { fileURLToPath } from "node:url";
import { features } from "./features.mjs";
import { hashes } from "./hashes.mjs";
import { random } from "./random.mjs";
import { shots } from "./shots.mjs";
import { frames, mujoco, speed } from "./speed.mjs";
import { story } from "./story.mjs";

const at = (path) => fileURLToPath(new URL(path, import.meta.url)).replace(/\/$/, "");
const dist = process.env.CARDAN_DIST ?? at("../dist/");
const cardan = process.env.CARDAN ?? "";
const [asked, rest] = [process.argv.slice(2).filter((word) => !word.includes("=")), Object.fromEntries(process.argv.slice(2).filter((word) => word.includes("=")).map((word) => word.split("=")))];
for (const name of asked.length ? asked : ["story", "features", "hashes", "random"]) {
  if (name === "story") await story(dist, cardan);
  else if (name === "features") await features(dist, cardan);
  else if (name === "hashes") await hashes(dist, cardan);
  else if (name === "random") await random(dist, Number(rest.seconds ?? 60), Number(rest.seed ?? 25));
  else if (name === "speed") await speed(dist, cardan);
  else if (name === "frames") await frames(dist, cardan);
  else if (name === "mujoco") await mujoco(dist, cardan);
  else if (name === "shots") await shots(dist, rest.to ?? at("../../docs/pictures/window/"), rest.only?.split(","));
  else throw new Error(`no test ${name}`);
}
