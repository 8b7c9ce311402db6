/** Starts the page. */

import "./theme.css";
import { App } from "./app";
import { askedScene, engineModule, fetchScene, givenScene, isLive, watchFile } from "./source";
import { sharedState } from "./share";

async function main(): Promise<void> {
  const root = document.getElementById("app")!;
  const module = engineModule();
  let app: App;
  try {
    app = new App(root, await module);
    await app.start();
  } catch (failure) {
    const reason = failure instanceof Error ? failure.message : String(failure);
    root.innerHTML = "";
    root.append(Object.assign(document.createElement("p"), { textContent: `The page could not start: ${reason}`, style: "padding:2rem;max-width:40rem" }));
    throw failure;
  }
  // For tests, and for the curious in the console.
  (window as unknown as { cardan: App }).cardan = app;
  addEventListener("keydown", (e) => app.key(e));
  await openFirst(app);
  addEventListener("hashchange", () => void sharedState(location.hash).then((shared) => { if (shared) void app.openShared(shared); }));
}

async function openFirst(app: App): Promise<void> {
  const given = givenScene();
  app.isServed = given !== null;
  try {
    const shared = await sharedState(location.hash);
    if (shared && (await app.openShared(shared))) return;
  } catch { app.fail("This link does not hold a state", "It may have been cut when it was copied."); }
  if (given) {
    await app.open(given);
  } else {
    const asked = askedScene();
    if (asked === null) await app.openGallery();
    else if (app.bundled.some((entry) => entry.name === asked)) await app.openBundled(asked);
    else try { await app.open(await fetchScene(asked)); } catch (failure) { app.fail(`The scene "${asked}" could not be read`, failure instanceof Error ? failure.message : String(failure)); await app.openGallery(); }
  }
  if (isLive && given) watchFile((scene) => void app.reload(scene, "file"), (on) => app.setLive(on));
}

void main();
