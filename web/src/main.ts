/** Starts the page. */

import "./theme.css";
import { App } from "./app";
import { askedScene, fetchScene, givenScene, isLive, packedEngine, savedState, watchFile } from "./source";
import { sharedState } from "./share";

async function main(): Promise<void> {
  const root = document.getElementById("app")!;
  const engine = packedEngine();
  let app: App;
  try {
    // The worker unpacks the engine while the page makes its picture.
    app = new App(root, engine);
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
  app.given = given;
  await openAny(app);
  // Whatever is open: a file that is saved is what its author wants to see.
  if (isLive && given) watchFile((news) => void app.hear(news), (on) => app.setLive(on));
}

async function openAny(app: App): Promise<void> {
  const { given } = app;
  try {
    const shared = await sharedState(location.hash);
    if (shared && (await app.openShared(shared))) return;
  } catch { app.fail("This link does not hold a state", "It may have been cut when it was copied."); }
  if (savedState && (await app.openShared(savedState))) return;
  if (given) {
    await app.open(given);
  } else {
    const asked = askedScene();
    if (asked === null) await app.openGallery();
    else if (!(await app.openBundled(asked))) try { await app.open(await fetchScene(asked)); } catch (failure) { app.fail(`The scene "${asked}" could not be read`, failure instanceof Error ? failure.message : String(failure)); await app.openGallery(); }
  }
}

void main();
