//! The engine for the browser: a thin handle over `cardan-view`. Arrays go out as fresh typed arrays, everything else as JSON;
//! errors are thrown as JSON text. `web/src/engine.d.ts` describes it for the page.

use cardan_view::{Action, Files as SceneFiles, Options, Player, SceneText, ViewError};
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_namespace = performance, js_name = now)]
    fn clock() -> f64;
    #[wasm_bindgen(js_namespace = console, js_name = error)]
    fn console_error(text: &str);
}

/// What a method throws: JSON of an error.
fn thrown(error: ViewError) -> JsValue {
    JsValue::from_str(&error.json().to_string())
}

/// A method that can fail.
type Thrown<T> = Result<T, JsValue>;

/// Panics write their message to the console.
#[wasm_bindgen]
pub fn setup() {
    std::panic::set_hook(Box::new(|panic| console_error(&panic.to_string())));
}

/// Version of the engine.
#[wasm_bindgen]
pub fn version() -> String {
    env!("CARGO_PKG_VERSION").to_string()
}

/// Bundled scenes.
#[wasm_bindgen]
pub fn gallery() -> String {
    serde_json::to_string(&cardan_view::gallery()).unwrap_or_default()
}

/// The text of a bundled scene.
#[wasm_bindgen(js_name = bundledText)]
pub fn bundled_text(name: &str) -> Option<String> {
    cardan_view::bundled_scene(name).map(|scene| scene.text.to_string())
}

/// JSON Schema of the scene format.
#[wasm_bindgen]
pub fn schema() -> String {
    cardan_scene::schema().to_string()
}

/// Files that a scene names.
#[wasm_bindgen]
#[derive(Default)]
pub struct Files(SceneFiles);

#[wasm_bindgen]
impl Files {
    /// No files.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Files {
        Files::default()
    }
    /// Adds a file by its path from the folder of the scene.
    pub fn set(&mut self, path: &str, bytes: &[u8]) {
        self.0.set(path, bytes);
    }
    /// Forgets a file, or that it is not there.
    pub fn forget(&mut self, path: &str) {
        self.0.forget(path);
    }
    /// Notes that there is no such file.
    #[wasm_bindgen(js_name = setAbsent)]
    pub fn set_absent(&mut self, path: &str) {
        self.0.set_absent(path);
    }
}

/// A scene that runs.
#[wasm_bindgen]
pub struct Engine {
    player: Player,
    options: Options,
}

fn scene_text(name: &str, text: &str, files: &Files, options: &Options) -> SceneText {
    SceneText {
        name: name.to_string(),
        text: text.to_string(),
        files: files.0.clone(),
        options: options.clone(),
    }
}

/// True until so many milliseconds have passed.
fn budget(milliseconds: f64) -> impl FnMut() -> bool {
    let end = clock() + milliseconds;
    move || clock() < end
}

#[wasm_bindgen]
#[allow(missing_docs, reason = "web/src/engine.d.ts describes each")]
impl Engine {
    #[wasm_bindgen(constructor)]
    pub fn new(name: &str, text: &str, files: &Files, options: &str) -> Thrown<Engine> {
        let options: Options = match options.trim() {
            "" => Options::default(),
            text => serde_json::from_str(text)
                .map_err(|error| thrown(ViewError::Request(format!("options: {error}"))))?,
        };
        let player = Player::new(scene_text(name, text, files, &options)).map_err(thrown)?;
        Ok(Engine { player, options })
    }
    pub fn scene(&mut self) -> Thrown<String> {
        self.player.scene_info().map(|json| json.to_string()).map_err(thrown)
    }
    #[wasm_bindgen(js_name = sceneText)]
    pub fn scene_text(&self) -> String {
        self.player.text().to_string()
    }
    pub fn reload(&mut self, name: &str, text: &str, files: &Files) -> Thrown<String> {
        let source = scene_text(name, text, files, &self.options);
        self.player.reload(source).map(|json| json.to_string()).map_err(thrown)
    }
    pub fn reset(&mut self) -> Thrown<()> {
        self.player.reset().map_err(thrown)
    }

    pub fn time(&self) -> f64 {
        self.player.time()
    }
    pub fn steps(&self) -> f64 {
        self.player.steps() as f64
    }
    pub fn step(&mut self) -> Thrown<f64> {
        self.player.step().map_err(thrown)?;
        Ok(self.player.time())
    }
    #[wasm_bindgen(js_name = stepTo)]
    pub fn step_to(&mut self, t: f64, milliseconds: f64) -> Thrown<f64> {
        self.player.step_to(t, budget(milliseconds)).map(|n| n as f64).map_err(thrown)
    }
    pub fn run(&mut self, until: f64) -> Thrown<f64> {
        self.player.run(until).map(|n| n as f64).map_err(thrown)
    }
    #[wasm_bindgen(js_name = stepBack)]
    pub fn step_back(&mut self) -> Thrown<bool> {
        self.player.step_back().map_err(thrown)
    }
    pub fn seek(&mut self, t: f64, milliseconds: f64) -> Thrown<f64> {
        self.player.seek(t, budget(milliseconds)).map_err(thrown)
    }
    pub fn earliest(&self) -> f64 {
        self.player.earliest()
    }
    pub fn dt(&self) -> f64 {
        self.player.dt()
    }
    #[wasm_bindgen(js_name = setDt)]
    pub fn set_dt(&mut self, dt: f64) -> Thrown<()> {
        self.player.set_dt(dt).map_err(thrown)
    }
    #[wasm_bindgen(js_name = setSleep)]
    pub fn set_sleep(&mut self, on: bool) -> Thrown<()> {
        self.act(Action::SetSleep { on }).map(|_| ())
    }
    pub fn hash(&self) -> String {
        self.player.hash()
    }

    pub fn poses(&mut self) -> Thrown<Vec<f64>> {
        self.player.poses().map_err(thrown)
    }
    pub fn motions(&mut self) -> Thrown<Vec<f64>> {
        self.player.motions().map_err(thrown)
    }
    pub fn deformations(&mut self) -> Thrown<Vec<f64>> {
        self.player.deformations().map_err(thrown)
    }
    pub fn coordinates(&mut self) -> Thrown<Vec<f64>> {
        self.player.coordinates().map_err(thrown)
    }
    pub fn probes(&mut self) -> Thrown<Vec<f64>> {
        self.player.probes().map_err(thrown)
    }
    pub fn outlines(&mut self) -> Thrown<Vec<f64>> {
        self.player.outlines().map_err(thrown)
    }
    pub fn grips(&mut self) -> Thrown<Vec<f64>> {
        self.player.grips().map_err(thrown)
    }
    pub fn contacts(&mut self) -> Thrown<Vec<f64>> {
        self.player.contacts().map_err(thrown)
    }
    pub fn reactions(&mut self) -> Thrown<Vec<f64>> {
        self.player.reactions().map_err(thrown)
    }
    pub fn forces(&mut self) -> Thrown<Vec<f64>> {
        self.player.forces().map_err(thrown)
    }
    #[wasm_bindgen(js_name = gripForce)]
    pub fn grip_force(&mut self) -> Thrown<Vec<f64>> {
        self.player.grip_force().map(|force| force.to_vec()).map_err(thrown)
    }
    pub fn drives(&mut self) -> Thrown<Vec<f64>> {
        self.player.drives().map_err(thrown)
    }

    pub fn stats(&mut self) -> Thrown<String> {
        self.player.stats().map(|json| json.to_string()).map_err(thrown)
    }
    #[wasm_bindgen(js_name = takeEvents)]
    pub fn take_events(&mut self) -> String {
        self.player.take_events().to_string()
    }
    pub fn doctor(&mut self) -> Thrown<String> {
        self.player.doctor().map(|json| json.to_string()).map_err(thrown)
    }
    #[wasm_bindgen(js_name = channelNames)]
    pub fn channel_names(&self) -> String {
        let one = |column: &cardan_scene::Column| serde_json::json!({ "name": column.name, "unit": column.unit });
        self.player.channel_names().iter().map(one).collect::<serde_json::Value>().to_string()
    }
    pub fn channels(&mut self, indices: &[u32]) -> Thrown<Vec<f64>> {
        self.player.channels(indices).map_err(thrown)
    }

    #[allow(clippy::too_many_arguments, reason = "two vectors and a number, as scripts pass them")]
    pub fn pick(
        &mut self,
        ox: f64,
        oy: f64,
        oz: f64,
        dx: f64,
        dy: f64,
        dz: f64,
        radius: f64,
    ) -> Thrown<String> {
        let hit = self.player.pick([ox, oy, oz], [dx, dy, dz], radius);
        hit.map(|json| json.to_string()).map_err(thrown)
    }
    #[allow(clippy::too_many_arguments, reason = "a part, a vector and a mode, as scripts pass them")]
    pub fn grab(
        &mut self,
        body: usize,
        piece: u32,
        x: f64,
        y: f64,
        z: f64,
        mode: &str,
        frequency: f64,
    ) -> Thrown<()> {
        let exact = mode == "exact";
        self.act(Action::Grab { body, piece, point: [x, y, z], exact, frequency }).map(|_| ())
    }
    pub fn drag(&mut self, x: f64, y: f64, z: f64) -> Thrown<()> {
        self.player.drag([x, y, z]).map_err(thrown)
    }
    pub fn release(&mut self) -> Thrown<()> {
        self.player.release().map_err(thrown)
    }
    #[wasm_bindgen(js_name = isHeld)]
    pub fn is_held(&self) -> bool {
        self.player.is_held()
    }
    pub fn manipulate(&mut self, body: usize, piece: u32, x: f64, y: f64, z: f64) -> Thrown<()> {
        self.player.manipulate(body, piece, [x, y, z]).map_err(thrown)
    }
    pub fn nail(&mut self, body: usize, piece: u32, x: f64, y: f64, z: f64) -> Thrown<usize> {
        let made = self.act(Action::Nail { body, piece, point: [x, y, z], at: None })?;
        Ok(made.unwrap_or_default())
    }
    pub fn unnail(&mut self, nail: usize) -> Thrown<()> {
        self.act(Action::Unnail { nail }).map(|_| ())
    }
    pub fn nails(&self) -> Vec<u32> {
        self.player.nails()
    }
    #[wasm_bindgen(js_name = setDrive)]
    pub fn set_drive(&mut self, drive: usize, value: f64) -> Thrown<()> {
        self.act(Action::SetDrive { drive, value }).map(|_| ())
    }
    #[wasm_bindgen(js_name = clearDrive)]
    pub fn clear_drive(&mut self, drive: usize) -> Thrown<()> {
        self.act(Action::ClearDrive { drive }).map(|_| ())
    }
    #[wasm_bindgen(js_name = setCoordinate)]
    pub fn set_coordinate(&mut self, coordinate: usize, value: f64) -> Thrown<()> {
        self.act(Action::SetCoordinate { coordinate, value }).map(|_| ())
    }
    #[allow(clippy::too_many_arguments, reason = "a part and two vectors, as scripts pass them")]
    pub fn impulse(
        &mut self,
        body: usize,
        x: f64,
        y: f64,
        z: f64,
        ix: f64,
        iy: f64,
        iz: f64,
    ) -> Thrown<()> {
        self.act(Action::Impulse { body, point: [x, y, z], impulse: [ix, iy, iz] }).map(|_| ())
    }

    pub fn save(&mut self) -> Thrown<Vec<u8>> {
        self.player.save().map_err(thrown)
    }
    pub fn restore(&mut self, bytes: &[u8]) -> Thrown<()> {
        self.player.restore(bytes).map_err(thrown)
    }
    pub fn undo(&mut self) -> Thrown<bool> {
        self.player.undo().map_err(thrown)
    }
    pub fn redo(&mut self) -> Thrown<bool> {
        self.player.redo().map_err(thrown)
    }

    pub fn record(&mut self) -> Thrown<()> {
        self.player.record().map_err(thrown)
    }
    #[wasm_bindgen(js_name = isRecording)]
    pub fn is_recording(&self) -> bool {
        self.player.is_recording()
    }
    #[wasm_bindgen(js_name = stopRecording)]
    pub fn stop_recording(&mut self) -> Thrown<String> {
        self.player.stop_recording().map_err(thrown)
    }
    #[wasm_bindgen(js_name = openRecording)]
    pub fn open_recording(recording: &str, files: &Files) -> Thrown<Engine> {
        let player = Player::open_recording(recording, files.0.clone()).map_err(thrown)?;
        let options = player.options().clone();
        Ok(Engine { player, options })
    }
    pub fn name(&self) -> String {
        self.player.name().to_string()
    }
    pub fn playback(&self) -> Vec<f64> {
        let Some((at, of, differs)) = self.player.playback() else { return Vec::new() };
        vec![at as f64, of as f64, differs.map_or(-1.0, |step| step as f64)]
    }
    #[wasm_bindgen(js_name = isReplayed)]
    pub fn is_replayed(&self) -> bool {
        self.player.is_replayed()
    }
    #[wasm_bindgen(js_name = leaveRecording)]
    pub fn leave_recording(&mut self) {
        self.player.leave_recording();
    }
    pub fn replay(recording: &str, files: &Files) -> Thrown<String> {
        let (_, replayed) = Player::replay(recording, files.0.clone()).map_err(thrown)?;
        Ok(replayed.json().to_string())
    }
}

impl Engine {
    fn act(&mut self, action: Action) -> Thrown<Option<usize>> {
        self.player.act(action).map_err(thrown)
    }
}
