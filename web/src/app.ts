/** The page: joins engine, picture, panels and keys. */

import { bundledName, type SceneRef } from "./scenes";
import type { Channel, EngineError, GalleryEntry, SceneInfo } from "./engine";
import type { Frame, Loaded } from "./protocol";
import { shareFragment, type Shared } from "./share";
import { ENERGIES, bodySignals, channelSignal, coordinateSignals, forceSignals, probeSignals, reactionSignals, type Signal } from "./signals";
import { askedScene, fromBase64, galleryData, isLocal, selfContained, toBase64, type News, type SceneSource } from "./source";
import { Controls } from "./ui/controls";
import { download, h, store, stored } from "./ui/dom";
import * as format from "./ui/format";
import { Gallery } from "./ui/gallery";
import { helpDialog } from "./ui/help";
import { Inspector } from "./ui/inspector";
import { Measures, measureSignals } from "./ui/measures";
import { Plots } from "./ui/plots";
import { Shell, Tabs } from "./ui/shell";
import { TextPanel } from "./ui/textpanel";
import { tipFor } from "./ui/tip";
import { Transport } from "./ui/transport";
import { Tree } from "./ui/tree";
import { ViewBar } from "./ui/viewbar";
import { Hand } from "./view/hand";
import { samePart, type Layers, type Part } from "./view/mechanism";
import { setTheme, themeChoice, type ThemeChoice } from "./view/palette";
import { Viewport, type Hit } from "./view/viewport";
import { EngineClient, EngineFailure } from "./worker/client";

const LAYERS: Layers = { joints: true, centres: false, frames: false, inertia: false, trails: true, names: false, reactions: false, contacts: false, forces: false, grid: true };
/** How often an engine is started again in one scene before the user is asked. */
const MOST_RESTARTS = 2;
/** Frequency of the hand's spring [Hz]. */
const HAND = 3;

export class App {
  readonly client: EngineClient;
  readonly view: Viewport;
  readonly plots: Plots;
  scene: SceneInfo | null = null;
  frame: Frame | null = null;
  private readonly shell: Shell;
  private readonly hand: Hand;
  private readonly tree: Tree;
  private readonly inspector: Inspector;
  private readonly controls: Controls;
  private readonly transport: Transport;
  private readonly measures: Measures;
  private readonly gallery: Gallery;
  private readonly text: TextPanel;
  private readonly viewBar: ViewBar;
  private readonly leftTabs: Tabs;
  private readonly rightTabs: Tabs;
  private readonly help = helpDialog();
  private readonly doctorBox = h("div", { class: "scroll" });
  private channels: Channel[] = [];
  private watched: number[] = [];
  private current: SceneRef | null = null;
  private entries: GalleryEntry[] = [];
  private wantsPlay = false;
  private holding: string | null = null;
  /** Of the scene that is shown; frames of another one are dropped. */
  private serial = 0;
  private recording = false;
  /** How often the engine was started again in this scene. */
  private deaths = 0;
  /** Whether a recording is replayed, and its end was told. */
  private replays = false;
  private doctorFor: SceneInfo | null = null;
  /** The next frame is the first of its scene: its arrival ends the wait. */
  private fresh = false;

  constructor(root: HTMLElement, engine: Promise<Uint8Array>) {
    this.client = new EngineClient(engine, {
      frame: () => {},
      stopped: (error) => { this.wantsPlay = false; this.shell.setError("The run stopped: a step could not be solved", error); },
      restarted: (message, state) => void this.afterDeath(message, state),
    });
    this.starting = this.client.start();
    this.starting.catch(() => {});
    this.plots = new Plots(() => this.scene?.name.replace(/\.\w+$/, "") ?? "cardan");
    this.transport = new Transport({
      toggle: () => this.toggle(), step: () => this.stepOnce(), back: () => this.stepBack(), reset: () => this.reset(),
      speed: (power) => this.setSpeed(power), seek: (time) => { this.wantsPlay = false; this.client.tell({ do: "seek", time }); },
    });
    const plot = (signal: Signal) => this.plots.toggle(signal);
    this.measures = new Measures(plot);
    this.shell = new Shell(root, this.transport.root, this.measures.root, {
      gallery: () => void this.openGallery(), share: (at) => this.shareMenu(at), png: () => void this.png(), csv: () => this.csv(), sceneFile: () => this.saveText(), record: () => void this.record(), replay: () => this.chooseRecording(), page: () => void this.savePage(),
      theme: () => this.nextTheme(), help: () => this.help.showModal(), doctor: () => { this.rightTabs.choose(2); this.shell.right.classList.add("open"); },
    });
    this.view = new Viewport(this.shell.stage, this.shell.labels, { ...LAYERS, ...JSON.parse(stored("layers", "{}")) });
    this.viewBar = new ViewBar(this.view, () => { store("layers", JSON.stringify(this.view.layers)); this.ask(); });
    this.shell.stage.append(this.viewBar.root, this.viewBar.panel, this.viewBar.triad);
    this.view.drawn = () => this.viewBar.drawTriad();
    this.tree = new Tree({ select: (part) => this.select(part), hover: (part) => this.view.hover(part), toggle: (part) => this.toggleHidden(part), isolate: (part) => this.isolate(part) });
    this.text = new TextPanel((text) => void this.reload({ name: this.current?.name ?? "scene.toml", text }, "page"));
    this.leftTabs = new Tabs([{ title: "Parts", panel: this.tree.root }, { title: "Scene text", panel: this.text.root }]);
    this.leftTabs.chosen = (i) => this.shell.left.classList.toggle("wide", i === 1);
    this.shell.left.append(this.leftTabs.root, this.tree.root, this.text.root);
    this.inspector = new Inspector({ plot, plotted: (key) => this.plots.has(key), select: (part) => this.select(part), line: (line) => this.showLine(line) });
    this.controls = new Controls({
      drive: (drive, value) => this.client.tell({ do: "setDrive", drive, value }), clearDrive: (drive) => this.client.tell({ do: "clearDrive", drive }),
      coordinate: (coordinate, value) => { this.wantsPlay = false; this.client.tell({ do: "setCoordinate", coordinate, value }); },
      hoverJoint: (joint) => this.view.hover(joint === null ? null : { what: "joint", index: joint }),
    });
    this.rightTabs = new Tabs([{ title: "Values", panel: this.inspector.root }, { title: "Controls", panel: this.controls.root }, { title: "Check", panel: this.doctorBox }]);
    this.rightTabs.chosen = (i) => { if (i === 2) void this.doctor(); this.ask(); };
    const plotPane = h("div", { class: "scroll plot-pane" }, this.plots.root);
    this.shell.right.append(this.rightTabs.root, this.inspector.root, this.controls.root, this.doctorBox, plotPane);
    this.plots.changed = () => { this.ask(); this.inspector.mark(); this.measures.mark((key) => this.plots.has(key)); };
    this.gallery = new Gallery((name) => void this.openBundled(name), galleryData);
    root.append(this.gallery.root, this.help);
    this.hand = new Hand(this.view, {
      grab: (hit, inBody) => this.grab(hit, inBody), drag: (to) => this.client.tell({ do: "drag", to }), release: () => this.release(),
      click: (hit) => this.select(hit && !samePart(hit.part, this.view.selected) ? hit.part : null),
      hover: (hit, at) => this.hover(hit, at), menu: (hit, at) => this.partMenu(hit, at), isPlanar: () => (this.scene?.planar ?? false) && this.view.rig.ortho,
    });
    this.shell.setTheme(themeChoice());
    this.transport.setEnabled(false);
    this.shell.wait("Starting the engine …");
    const loop = () => { requestAnimationFrame(loop); this.tick(); };
    requestAnimationFrame(loop);
  }

  private readonly starting: Promise<void>;

  async start(): Promise<void> {
    await this.starting;
  }

  get isPlaying(): boolean { return this.frame?.playing ?? false; }
  /** All bundled scenes. Their texts are read for it: a page that opens one scene does not wait for that. */
  async list(): Promise<GalleryEntry[]> {
    if (!this.entries.length) this.entries = await this.client.send({ do: "gallery" });
    return this.entries;
  }

  // --- scenes ---

  /** Opens a scene; on an error the old one stays. */
  async open(ref: SceneRef, options: { state?: Uint8Array; play?: boolean; keepView?: boolean; again?: boolean } = {}): Promise<boolean> {
    this.hand.cancel();
    if (!this.scene) this.shell.wait("Building the scene …");
    try {
      const { name, text, base, files } = ref;
      const loaded = await this.client.send({ do: "load", name, text, ...(base ? { base } : {}), ...(files ? { files } : {}), ...(options.state ? { state: options.state } : {}) });
      this.current = ref;
      if (!options.again) this.deaths = 0;
      this.show(loaded, options.keepView ?? false, false, loaded.reach);
      this.text.load(text);
      this.shell.setError(null);
      this.gallery.hide();
      this.setPlaying(options.play ?? true);
      return true;
    } catch (failure) {
      this.refuse(failure, ref.text, ref.name);
      return false;
    }
  }

  /** Opens a bundled scene; false if there is none of this name. */
  async openBundled(name: string): Promise<boolean> {
    const ref = await bundledName(this.client, name);
    if (!ref) return false;
    if (await this.open(ref)) {
      const url = new URL(location.href);
      url.hash = "";
      if (!this.given) { url.searchParams.set("scene", name); history.replaceState(null, "", url); }
    }
    return true;
  }

  /** The scene that the page was given by `cardan view`, or that is in it. */
  given: SceneSource | null = null;

  /** News of the file behind the page. */
  async hear(news: News): Promise<void> {
    if (news.text !== undefined) { await this.reload({ name: news.name, text: news.text, changed: news.changed ?? [] }, "file"); return; }
    const error: EngineError = { kind: "scene", message: news.error ?? "", rendered: news.error ?? "" };
    this.shell.setError(`${news.name} cannot be read${this.scene ? "; the old scene keeps running" : ""}`, error);
    this.shell.setLive("file has an error", "bad");
  }

  /** The same scene with another text: states are taken over by name, camera and plots stay. */
  async reload(scene: { name: string; text: string; changed?: string[] }, from: "file" | "page"): Promise<boolean> {
    // Another scene may be open; a file that is saved is what its author wants to see.
    if (!this.current || (from === "file" && this.current.name !== scene.name)) return this.open({ ...scene, base: new URL("files/", document.baseURI).href });
    const playing = this.wantsPlay;
    try {
      const reply = await this.client.send({ do: "reload", ...scene });
      this.current = { ...this.current, name: scene.name, text: scene.text, own: true };
      this.deaths = 0;
      this.show(reply, true, true);
      this.text.load(scene.text);
      this.shell.setError(null);
      if (from === "file") this.shell.setLive("follows the file", "good");
      const fresh = reply.adopted.fresh.length;
      this.shell.toast(`Scene updated: ${reply.adopted.kept} bodies kept their state${fresh ? `, ${fresh} new` : ""}${reply.adopted.lostNails ? `, ${reply.adopted.lostNails} nails are out` : ""}`);
      this.setPlaying(playing);
      return true;
    } catch (failure) {
      this.refuse(failure, scene.text, scene.name);
      if (from === "file") this.shell.setLive("file has an error", "bad");
      return false;
    }
  }

  private refuse(failure: unknown, text: string, name: string): void {
    const error: EngineError = failure instanceof EngineFailure ? failure.error : { kind: "run", message: String(failure), rendered: String(failure) };
    this.text.refuse(text, error);
    const where = error.line ? ` at line ${error.line}` : "";
    const old = this.scene ? "; the old scene keeps running" : "";
    this.shell.setError(`${name} has an error${where}${old}`, error, error.line ? { text: "Show in the text", act: () => this.showLine(error.line!) } : undefined);
    if (!this.scene) { this.shell.wait(null); this.leftTabs.choose(1); }
  }

  private show({ serial, scene, channels }: Loaded, keepView: boolean, keepPlots: boolean, reach?: Float64Array): void {
    const selected = this.view.selected && this.scene ? nameOf(this.scene, this.view.selected) : null;
    this.serial = serial;
    this.replays = false;
    this.scene = scene;
    this.channels = channels;
    this.frame = null;
    this.fresh = true;
    this.doctorFor = null;
    this.view.load(scene, keepView, reach);
    this.tree.load(scene, this.view.mechanism!);
    this.inspector.load(scene);
    this.controls.load(scene, this.view.sceneSize);
    this.transport.restart();
    this.transport.setEnabled(true);
    this.shell.setTitle(scene.title || scene.name, scene.description);
    this.viewBar.refresh();
    if (keepPlots) this.plots.adopt((key) => this.signal(key));
    else { this.plots.adopt((key) => this.signal(key)); this.plots.clear(); }
    const again = selected && findPart(scene, selected);
    if (again) this.select(again);
    this.ask();
    if (this.rightTabs.current === 2) void this.doctor();
    const seen = stored("hinted", "") === "1";
    this.shell.setHint(seen ? null : scene.planar ? "Drag a part to pull it · drag the background to move the view · wheel zooms · ? shows all keys" : "Drag a part to pull it · drag the background to turn the view · wheel zooms · ? shows all keys");
  }

  /** A worker died: the scene goes on from the last good state. */
  private async afterDeath(message: string, state: Uint8Array | undefined): Promise<void> {
    console.warn(`the engine was started again: ${message}`);
    this.wantsPlay = false;
    if (!this.current) return;
    this.deaths++;
    const again = async (from: Uint8Array | undefined) => this.current !== null && this.open(this.current, { ...(from ? { state: from } : {}), play: false, keepView: true, again: true });
    const error: EngineError = { kind: "run", message, rendered: message };
    if (this.deaths > MOST_RESTARTS) {
      // A scene that kills every engine is not tried for ever. What is shown is its last picture.
      const last = this.view.frame;
      if (last) this.transport.show({ ...last, playing: false, speed: 0 });
      this.shell.setError(`The engine stopped ${this.deaths} times in this scene`, error, { text: "Start it again", act: () => { this.deaths = 0; void again(undefined); } });
    } else if ((state && (await again(state))) || (await again(undefined))) {
      this.shell.toast(state ? "The engine was started again from the last good state" : "The engine was started again");
    }
  }

  // --- every picture ---

  private tick(): void {
    const frame = this.client.take();
    if (frame && this.scene && frame.serial === this.serial) {
      this.frame = frame;
      this.follow(frame);
      if (this.fresh) { this.fresh = false; this.shell.wait(null); }
      this.view.show(frame);
      const channels = new Map(this.watched.map((channel, i) => [channel, frame.channels?.[i] ?? NaN]));
      this.plots.push(frame, channels);
      this.transport.show(frame);
      this.measures.show(frame);
      this.inspector.update(frame);
      this.controls.update(frame);
      if (this.holding) this.showHold(frame);
    }
    this.hand.tick();
    this.view.render();
  }

  /** Recording and replay end by themselves too: with a reload, an undo, a new engine. */
  private follow(frame: Frame): void {
    if (frame.recording !== this.recording) {
      this.recording = frame.recording;
      this.shell.setRecording(frame.recording);
      if (!frame.recording && !this.saving) this.shell.toast("The recording ended: what was recorded is not the past of this state");
    }
    if (!this.replays) return;
    const [at, of, differs] = frame.playback ?? [];
    if (at === undefined) { this.replays = false; this.shell.setMode(null); return; }
    if (!this.holding) this.shell.setMode([["muted", "Replay"], ["b", `step ${at} of ${of}`]]);
    if (at < of! || frame.playing) return;
    this.replays = this.wantsPlay = false;
    this.shell.setMode(null);
    this.shell.toast(differs! < 0 ? `Replayed ${of} steps: the same state to the bit` : `The replay differs from step ${differs} on`);
  }

  // --- run ---

  setPlaying(on: boolean): void {
    this.wantsPlay = on;
    this.client.tell(on ? { do: "play", speed: 2 ** this.transport.power } : { do: "pause" });
    if (on) this.shell.setError(null);
  }
  toggle(): void { this.setPlaying(!this.wantsPlay); }
  stepOnce(): void { this.wantsPlay = false; this.client.send({ do: "step" }).catch((failure: unknown) => { if (failure instanceof EngineFailure) this.shell.setError("This step could not be solved", failure.error); }); }
  stepBack(): void {
    this.wantsPlay = false;
    this.client.send({ do: "stepBack" }).then((moved) => { if (!moved) this.shell.toast("This is the first step that was kept"); }).catch(() => {});
  }
  reset(): void {
    this.hand.cancel();
    this.setPlaying(false);
    this.client.tell({ do: "reset" });
    this.view.clearTrails();
    this.plots.clear();
  }
  setSpeed(power: number): void {
    this.transport.setSpeed(Math.min(Math.max(power, -6), 3));
    if (this.wantsPlay) this.client.tell({ do: "play", speed: 2 ** this.transport.power });
  }

  // --- hand ---

  private grab(hit: Hit, inBody: [number, number, number]): void {
    if (!this.scene) return;
    this.holding = this.scene.bodies[hit.part.index]!.name;
    this.client.send({ do: "grab", body: hit.part.index, piece: hit.piece, inBody, mode: "spring", frequency: HAND })
      .catch((failure: unknown) => { this.holding = null; this.shell.setMode(null); this.shell.toast(failure instanceof Error ? failure.message : "cannot be held"); });
    if (stored("hinted", "") !== "1") { store("hinted", "1"); this.shell.setHint(null); }
  }

  private showHold(frame: Frame): void {
    if (!frame.playing) return this.shell.setMode([["muted", "Posing"], ["b", this.holding!], ["muted", "no inertia: it stays where you let go"]]);
    const force = frame.gripForce ? Math.hypot(...frame.gripForce) : 0;
    this.shell.setMode([["muted", "Pulling"], ["b", this.holding!], ["force", `${format.steady(force)} N`]]);
  }

  private release(): void {
    this.holding = null;
    this.shell.setMode(null);
    this.client.tell({ do: "release" });
  }

  private async nailHere(hit: Hit): Promise<void> {
    if (hit.part.what !== "body" || !this.view.mechanism) return;
    const inBody = this.view.mechanism.inBody(hit.part.index, hit.piece, hit.point);
    try { await this.client.send({ do: "nail", body: hit.part.index, piece: hit.piece, inBody }); }
    catch (failure) { this.shell.toast(failure instanceof Error ? failure.message : "cannot be nailed"); }
  }

  private get nails(): number[] { return [...(this.frame?.nails ?? [])]; }
  private unnail(nail: number | undefined): void { if (nail !== undefined) this.client.tell({ do: "unnail", nail }); }
  private unnailAll(): void { for (const nail of this.nails) this.unnail(nail); }

  private hover(hit: Hit | null, at: { clientX: number; clientY: number }): void {
    const part = hit?.part ?? null;
    if (!samePart(part, this.view.hovered)) { this.view.hover(part); this.tree.hot(part); }
    const tip = this.shell.tip;
    tip.hidden = !hit || !this.scene || !this.frame;
    if (tip.hidden) return;
    tip.replaceChildren(...tipFor(this.scene!, this.frame!, hit!.part));
    const stage = this.shell.stage.getBoundingClientRect();
    const [x, y] = [at.clientX - stage.left, at.clientY - stage.top];
    const { width, height } = tip.getBoundingClientRect();
    tip.style.left = `${x + 18 + width > stage.width ? x - width - 12 : x + 18}px`;
    tip.style.top = `${Math.min(y + 14, stage.height - height - 8)}px`;
  }

  private partMenu(hit: Hit | null, at: { clientX: number; clientY: number }): void {
    const where = { left: at.clientX, bottom: at.clientY };
    const general: [string, string, () => void][] = [["Fit", "F", () => this.view.fit()], ["Show everything", "Shift+H", () => this.showAll()]];
    if (this.nails.length) general.unshift([`Take out ${this.nails.length === 1 ? "the nail" : `all ${this.nails.length} nails`}`, "", () => this.unnailAll()]);
    if (!hit || !this.scene) return this.shell.menu(where, general);
    const line = lineOf(this.scene, hit.part);
    const own: [string, string, () => void][] = [["Select", "", () => this.select(hit.part)]];
    if (hit.part.what === "body") own.push(["Nail this point", "N", () => void this.nailHere(hit)]);
    own.push(["Hide", "H", () => this.toggleHidden(hit.part)], ["Show alone", "I", () => this.isolate(hit.part)]);
    if (line) own.push([`Show line ${line}`, "", () => this.showLine(line)]);
    this.shell.menu(where, [...own, ...general]);
  }

  // --- parts ---

  select(part: Part | null): void {
    this.view.select(part);
    this.tree.refresh(part);
    this.inspector.show(part);
    if (part) this.rightTabs.choose(0);
    this.ask();
    if (this.frame) this.inspector.update(this.frame);
  }
  private toggleHidden(part: Part): void { this.view.mechanism?.toggle(part); this.view.refresh(); this.tree.refresh(this.view.selected); }
  private isolate(part: Part | null): void { this.view.mechanism?.isolate(part); this.view.refresh(); this.tree.refresh(this.view.selected); }
  private showAll(): void {
    const mechanism = this.view.mechanism;
    if (!mechanism) return;
    mechanism.hidden.clear();
    mechanism.isolate(mechanism.isolatedPart);
    this.view.refresh();
    this.tree.refresh(this.view.selected);
  }
  private showLine(line: number): void { this.leftTabs.choose(1); this.shell.left.classList.add("open"); this.text.goTo(line); }

  /** Tells the worker which arrays the page needs now. */
  private ask(): void {
    if (!this.scene) return;
    const { layers, selected } = this.view;
    const plotted = this.plots.signals;
    const any = (pattern: RegExp) => plotted.some((signal) => signal.channel === undefined && pattern.test(signal.label));
    this.client.tell({
      do: "show", contacts: layers.contacts, drives: this.scene.drives.length > 0 && this.rightTabs.current === 1,
      reactions: layers.reactions || selected?.what === "joint" || selected?.what === "constraint" || any(/^(force|torque)/),
      forces: layers.forces || this.scene.forces.some((force) => force.spring) || selected?.what === "force" || any(/^force/),
    });
    this.watched = plotted.flatMap((signal) => (signal.channel === undefined ? [] : [signal.channel]));
    this.client.tell({ do: "watch", channels: this.watched });
  }

  /** The signal of a key in the present scene. */
  signal(key: string): Signal | undefined {
    const scene = this.scene;
    if (!scene) return undefined;
    const groups = [
      () => measureSignals(), () => ENERGIES, ...scene.bodies.map((_, i) => () => bodySignals(scene, i)), ...scene.coordinates.map((_, i) => () => coordinateSignals(scene, i)),
      ...scene.joints.map((_, index) => () => reactionSignals(scene, { what: "joint", index })), ...scene.constraints.map((_, index) => () => reactionSignals(scene, { what: "constraint", index })),
      ...scene.forces.map((_, i) => () => forceSignals(scene, i)), ...scene.probes.map((_, i) => () => probeSignals(scene, i)),
    ];
    for (const group of groups) { const found = group().find((signal) => signal.key === key); if (found) return found; }
    const channel = this.channels.findIndex(({ name }) => name === key);
    return channel < 0 ? undefined : channelSignal(this.channels[channel]!, channel);
  }

  private async doctor(): Promise<void> {
    if (!this.scene || this.doctorFor === this.scene) return;
    const scene = this.doctorFor = this.scene;
    this.doctorBox.replaceChildren(h("div", { class: "empty" }, "Counting rows and freedoms …"));
    try {
      const report = await this.client.send({ do: "doctor" });
      if (scene !== this.scene) return;
      const tag = report.redundant ? h("span", { class: "tag warn" }, `${report.redundant} redundant ${report.redundant === 1 ? "row" : "rows"}`) : h("span", { class: "tag good" }, "no redundant rows");
      this.doctorBox.replaceChildren(h("div", { class: "title-line" }, h("b", { class: "grow" }, `${report.freedoms} ${report.freedoms === 1 ? "freedom" : "freedoms"}`), tag),
        ...(report.involved.length ? [h("div", { class: "head" }, "Rows that depend on each other"), h("div", { class: "empty", style: "padding-top:2px" }, report.involved.join(", "))] : []),
        ...(report.remedies.length ? [h("div", { class: "head" }, "Remedies"), ...report.remedies.map((text) => h("div", { class: "empty", style: "padding-top:2px" }, text))] : []),
        h("div", { class: "head" }, "Report of cardan check"), h("pre", { style: "margin:2px 12px 14px;font:11px/1.5 var(--mono);white-space:pre-wrap;user-select:text" }, report.text));
    } catch (failure) { this.doctorFor = null; this.doctorBox.replaceChildren(h("div", { class: "empty" }, failure instanceof Error ? failure.message : String(failure))); }
  }

  // --- page ---

  async openGallery(): Promise<void> { this.shell.wait(null); await this.gallery.show(await this.list(), this.scene !== null); }

  async link(): Promise<string> {
    const url = new URL(location.href);
    url.hash = await shareFragment(await this.shared());
    return url.href;
  }

  private async shared(): Promise<Shared> {
    const ref = this.current!;
    const state = await this.client.send({ do: "save" });
    return { ...(ref.bundled && !ref.own ? { scene: ref.bundled } : { name: ref.name, text: ref.text }), state: toBase64(state), camera: this.view.rig.state(), layers: this.view.layers, plots: this.plots.signals.map(({ key }) => key) };
  }

  /** A page of this machine has an address that nobody else can open: a file goes instead. */
  private shareMenu(at?: { left: number; bottom: number }): void {
    if (!this.current) return;
    if (!isLocal || !at) return void this.share();
    this.shell.menu(at, [["Save one file with this state, to send", "", () => void this.savePage()], ["Copy a link: it opens on this machine only", "L", () => void this.share()]]);
  }

  /** One page with everything in it, in this very state. */
  async page(): Promise<Blob> {
    const { name, text } = this.current!;
    return selfContained(name, text, await this.client.send({ do: "files" }), { ...(await this.shared()), name, text });
  }
  private async savePage(): Promise<void> { if (this.current) download(`${this.fileName}.html`, await this.page()); }

  private async share(): Promise<void> {
    if (!this.current) return;
    const link = await this.link();
    history.replaceState(null, "", link);
    try { await navigator.clipboard.writeText(link); this.shell.toast(isLocal ? "Link copied: it opens this very state, on this machine" : "Link copied: it opens this very state"); } catch { this.shell.toast("The address of this page now opens this very state"); }
  }

  async openShared(shared: Shared): Promise<boolean> {
    const ref = shared.scene && shared.text === undefined ? await bundledName(this.client, shared.scene) : this.sharedText(shared);
    if (!ref) return false;
    if (!(await this.open(ref, { state: fromBase64(shared.state), play: false }))) return false;
    Object.assign(this.view.layers, shared.layers);
    this.view.rig.restore(shared.camera);
    this.viewBar.refresh();
    this.view.refresh();
    for (const key of shared.plots) { const signal = this.signal(key); if (signal && !this.plots.has(key)) this.plots.toggle(signal); }
    this.ask();
    return true;
  }

  /** A text from a link; the files that it names are those of the scene that the page was given or asked for. */
  private sharedText({ name = "scene.toml", text = "" }: Shared): SceneRef {
    const { given } = this;
    const asked = askedScene();
    const folder = given?.base ?? (asked && /\.\w+$/.test(asked) ? new URL(".", new URL(asked, document.baseURI)).href : "");
    const own = folder !== "" && (folder.startsWith("file:") || new URL(folder).origin === location.origin);
    return { name, text, own: true, ...(own ? { base: folder } : {}), ...(given?.files ? { files: given.files } : {}) };
  }

  setLive(on: boolean): void { this.shell.setLive(on ? "follows the file" : "server gone", on ? "good" : "warn"); }
  fail(title: string, detail: string): void { this.shell.wait(null); this.shell.setError(title, { kind: "run", message: detail, rendered: detail }); }

  private get fileName(): string { return (this.scene?.name ?? "cardan").replace(/\.\w+$/, ""); }
  private async png(): Promise<void> { download(`${this.fileName}.png`, await this.view.png()); }
  private csv(): void { if (this.plots.signals.length) this.plots.csv(); else this.shell.toast("Nothing is plotted yet: click a value first"); }
  private saveText(): void { if (this.current) download(this.current.name.includes(".") ? this.current.name : `${this.current.name}.toml`, new Blob([this.current.text], { type: "text/plain" })); }
  private async record(): Promise<void> {
    try {
      if (this.recording) {
        this.saving = true;
        download(`${this.fileName}.recording.json`, new Blob([await this.client.send({ do: "stopRecording" })], { type: "application/json" }));
      } else {
        await this.client.send({ do: "record" });
        this.shell.toast("Recording: stop it in the same menu");
      }
    } catch (failure) { this.shell.toast(failure instanceof Error ? failure.message : "cannot be recorded"); }
    setTimeout(() => { this.saving = false; }, 500);
  }
  /** The recording ends because it is saved. */
  private saving = false;

  private chooseRecording(): void {
    const input = h("input", { type: "file", accept: ".json,application/json", onchange: () => { const file = input.files?.[0]; if (file) void file.text().then((text) => this.replay(text)); } });
    input.click();
  }

  /** Shows a recording from its beginning: the hand does again what it did, and hashes are compared. */
  async replay(recording: string): Promise<boolean> {
    this.hand.cancel();
    try {
      const folder = this.recordedFiles(recording);
      const loaded = await this.client.send({ do: "openRecording", recording, ...folder });
      const { name, text } = loaded;
      this.current = this.current?.text === text ? this.current : { name, text, own: true, ...folder };
      this.deaths = 0;
      this.show(loaded, false, false, loaded.reach);
      this.text.load(text);
      this.shell.setError(null);
      this.gallery.hide();
      this.replays = true;
      this.setPlaying(true);
      return true;
    } catch (failure) {
      const message = failure instanceof Error ? failure.message : String(failure);
      this.shell.setError("This recording cannot be replayed", { kind: "run", message, rendered: message });
      return false;
    }
  }
  /** Where the files of a recorded scene are: a recording holds none. They are those of the scene that is open if it is the same, or of
   *  the page's own scene; of no other one, whose files may have the same names. */
  private recordedFiles(recording: string): { base?: string; files?: Record<string, Uint8Array> } {
    let [name, text]: unknown[] = [];
    try { ({ name, text } = JSON.parse(recording)); } catch { /* the engine says what is wrong */ }
    const from = this.current?.text === text ? this.current : this.given?.name === name ? this.given : null;
    return { ...(from?.base ? { base: from.base } : {}), ...(from?.files ? { files: from.files } : {}) };
  }

  private nextTheme(): void {
    const order: ThemeChoice[] = ["auto", "light", "dark"];
    const next = order[(order.indexOf(themeChoice()) + 1) % 3]!;
    setTheme(next);
    this.shell.setTheme(next);
    this.shell.toast(next === "auto" ? "Colours as the system has them" : next === "light" ? "Light" : "Dark");
  }

  // --- keys ---

  key(e: KeyboardEvent): void {
    const target = e.target as HTMLElement;
    if (target.matches("input:not([type=range]):not([type=checkbox]), textarea, select") || this.help.open) return;
    if (e.key === "Escape") {
      if (this.shell.closeMenu()) return;
      if (this.gallery.isOpen) { if (this.scene) this.gallery.hide(); return; }
      if (this.hand.isHolding) this.hand.cancel(); else this.select(null);
      return;
    }
    if (this.gallery.isOpen) return;
    if ((e.ctrlKey || e.metaKey) && e.key.toLowerCase() === "z") {
      e.preventDefault();
      const redo = e.shiftKey;
      this.client.send({ do: redo ? "redo" : "undo" }).then((done) => { if (!done) this.shell.toast(redo ? "Nothing to redo" : "Nothing to undo"); }).catch(() => {});
      return;
    }
    if (e.ctrlKey || e.metaKey || e.altKey) return;
    const part = this.view.selected ?? this.hand.hit?.part ?? null;
    const layer = (key: keyof Layers) => this.viewBar.set(key, !this.view.layers[key]);
    const keys: Record<string, () => void> = {
      " ": () => this.toggle(), ArrowRight: () => this.stepOnce(), ArrowLeft: () => this.stepBack(), r: () => this.reset(), "[": () => this.setSpeed(this.transport.power - 1), "]": () => this.setSpeed(this.transport.power + 1),
      f: () => this.view.fit(), "1": () => this.viewBar.look("1"), "2": () => this.viewBar.look("2"), "3": () => this.viewBar.look("3"), "0": () => this.viewBar.oblique(), o: () => this.viewBar.toggleOrtho(),
      j: () => layer("joints"), c: () => layer("centres"), a: () => layer("frames"), m: () => layer("inertia"), t: () => layer("trails"), b: () => layer("names"), v: () => layer("reactions"), k: () => layer("contacts"), x: () => layer("forces"), g: () => layer("grid"),
      h: () => { if (part) this.toggleHidden(part); }, H: () => this.showAll(), i: () => this.isolate(part), n: () => this.nailKey(),
      s: () => void this.openGallery(), e: () => this.leftTabs.choose(1 - this.leftTabs.current), p: () => void this.png(), l: () => void this.share(), d: () => this.nextTheme(), "?": () => this.help.showModal(),
    };
    const act = keys[e.key.length === 1 && e.key !== "H" ? e.key.toLowerCase() : e.key];
    if (!act || (target.matches("button, [role=tab], input") && (e.key === " " || e.key.startsWith("Arrow")))) return;
    e.preventDefault();
    act();
  }

  /** Nails the point under the pointer; on a nail, takes it out. */
  private nailKey(): void {
    const hit = this.hand.hit;
    const grips = this.frame?.grips;
    if (!hit || !grips) return;
    let count = 0;
    for (let at = 0; at + 8 <= grips.length; at += 8) {
      if (grips[at] !== 2) continue;
      const away = Math.hypot(grips[at + 2]! - hit.point.x, grips[at + 3]! - hit.point.y, grips[at + 4]! - hit.point.z);
      if (away < this.view.sceneSize * 0.03) return this.unnail(this.nails[count]);
      count++;
    }
    void this.nailHere(hit);
  }
}

function nameOf(scene: SceneInfo, { what, index }: Part): string | null {
  const lists = { body: scene.bodies, joint: scene.joints, constraint: scene.constraints, force: scene.forces, probe: scene.probes, ground: [] as { name: string }[] };
  const name = lists[what][index]?.name;
  return name === undefined ? null : `${what}:${name}`;
}

function findPart(scene: SceneInfo, name: string): Part | null {
  const kinds = ["body", "joint", "constraint", "force", "probe"] as const;
  const counts = { body: scene.bodies.length, joint: scene.joints.length, constraint: scene.constraints.length, force: scene.forces.length, probe: scene.probes.length };
  for (const what of kinds) for (let index = 0; index < counts[what]; index++) if (nameOf(scene, { what, index }) === name) return { what, index };
  return null;
}

function lineOf(scene: SceneInfo, { what, index }: Part): number | undefined {
  if (what === "body") return scene.bodies[index]?.line;
  if (what === "joint") return scene.joints[index]?.line;
  return undefined;
}
