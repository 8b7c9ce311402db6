// A static server for web/dist and Chromium with software rendering, for all tests.

import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import { existsSync } from "node:fs";
import { extname, join, normalize, sep } from "node:path";
import { chromium } from "playwright-core";

const TYPES = { ".html": "text/html; charset=utf-8", ".js": "text/javascript", ".css": "text/css", ".gz": "application/gzip", ".json": "application/json", ".toml": "text/plain; charset=utf-8", ".wasm": "application/wasm" };

/** Serves a folder on a free port of the loopback, and others below it by their names; `close` ends it. */
export async function serve(root, beside = {}) {
  const server = createServer(async (request, answer) => {
    const asked = decodeURIComponent(new URL(request.url, "http://x").pathname);
    const other = Object.keys(beside).find((name) => asked.startsWith(`/${name}/`));
    const folder = other ? beside[other] : root;
    const path = normalize(join(folder, other ? asked.slice(other.length + 1) : asked));
    try {
      if (path !== folder && !path.startsWith(folder + sep)) throw new Error("outside");
      const file = path.endsWith(sep) || path === folder ? join(path, "index.html") : path;
      const body = await readFile(file);
      answer.writeHead(200, { "content-type": TYPES[extname(file)] ?? "application/octet-stream", "cache-control": "no-store" });
      answer.end(body);
    } catch {
      answer.writeHead(404);
      answer.end();
    }
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${server.address().port}/`, close: () => server.close() };
}

/** Debian's Chromium, or what CHROMIUM names. */
export function executable() {
  return [process.env.CHROMIUM, "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find((path) => path && existsSync(path));
}

export async function launch() {
  return chromium.launch({
    executablePath: executable(),
    args: ["--headless", "--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--disable-quic", "--no-first-run",
      "--disable-background-networking", "--disable-component-update", "--disable-sync", "--enable-precise-memory-info", "--js-flags=--expose-gc"],
  });
}

/** A page that fails the test on any error in its console. */
export async function open(browser, url, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, deviceScaleFactor: 1, ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  const errors = [];
  page.on("pageerror", (error) => errors.push(String(error.stack ?? error)));
  page.on("console", (message) => { if (message.type() === "error") errors.push(message.text()); });
  await page.goto(url);
  return { page, errors, context };
}

/** Waits until an expression holds in the page. Asked from outside: the page's policy forbids eval, which Playwright's own wait uses. */
export async function until(page, expression, timeout = 60_000) {
  const end = Date.now() + timeout;
  while (!(await page.evaluate(expression))) {
    if (Date.now() > end) throw new Error(`not within ${timeout} ms: ${expression}`);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}

/** Waits until the page has a frame for which `test` (a function of the frame, as text) holds. */
export async function frame(page, test = "() => true", timeout = 60_000) {
  await until(page, `(() => { const f = window.cardan?.frame; return Boolean(f && (${test})(f)); })()`, timeout);
  return page.evaluate(() => { const { time, steps, hash, stats, playing, speed, work } = window.cardan.frame; return { time, steps, hash, stats, playing, speed, work }; });
}

/** Slow motion, once the pictures show it. */
export async function slowly(page) {
  await page.evaluate(() => window.cardan.setSpeed(-6));
  let last = -1;
  for (let k = 0; k < 200; k++) {
    const time = await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve(window.cardan.frame?.time ?? -1)))));
    if (last >= 0 && time - last < 0.01) return;
    last = time;
  }
}
