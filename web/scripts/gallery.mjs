// Collects what the gallery shows: the groups of docs/scenes-catalogue.md and the pictures of the scenes, as one compressed file.

import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";

const [out] = process.argv.slice(2);
const root = new URL("../../", import.meta.url);
const groups = [];
for (const line of readFileSync(new URL("docs/scenes-catalogue.md", root), "utf8").split("\n")) {
  const title = /^## (.+)$/.exec(line)?.[1];
  if (title) groups.push({ title, scenes: [] });
  const scene = /^\|.*\[`([\w.-]+)`\]/.exec(line)?.[1];
  if (scene && groups.length) groups.at(-1).scenes.push(scene);
}
const folder = new URL("docs/pictures/scenes/", root);
const pictures = {};
for (const file of readdirSync(folder).filter((name) => name.endsWith(".svg")).sort()) {
  // Drawn at a third of its size, a path needs no tenths of a pixel.
  const whole = (path) => path.replace(/\d+\.\d+/g, (number) => String(Math.round(Number(number))));
  pictures[file.slice(0, -4)] = readFileSync(new URL(file, folder), "utf8").replace(/\n/g, "").replace(/ d="[^"]*"/g, whole);
}
const packed = gzipSync(JSON.stringify({ groups: groups.filter(({ scenes }) => scenes.length), pictures }), { level: 9 });
packed[9] = 255; // the operating system is no part of the contents
writeFileSync(out, packed);
console.log(`gallery: ${groups.reduce((sum, { scenes }) => sum + scenes.length, 0)} scenes, ${Object.keys(pictures).length} pictures, ${packed.length} bytes`);
