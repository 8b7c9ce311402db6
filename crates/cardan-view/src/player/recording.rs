//! Recordings: what a hand did after how many steps, from a saved state on, with hashes. A file to keep and to replay.

use super::hand::Action;
use super::{Player, ViewError};
use crate::base64;
use crate::load::{Files, Options, SceneText};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// A recording that goes on.
#[derive(Debug)]
pub(super) struct Recorder {
    start: Vec<u8>,
    first: u64,
    actions: Vec<Recorded>,
    hashes: Vec<(u64, String)>,
}

/// An action, after so many steps of the recording.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Recorded {
    step: u64,
    action: Action,
}

/// The file of a recording.
#[derive(Serialize, Deserialize)]
struct RecordingFile {
    format: u32,
    name: String,
    text: String,
    options: Options,
    start: String,
    actions: Vec<Recorded>,
    /// State hashes after so many steps.
    hashes: Vec<(u64, String)>,
    steps: u64,
    hash: String,
}

/// The end of a replay.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replayed {
    /// Steps taken.
    pub steps: u64,
    /// The state hash at the end.
    pub hash: String,
    /// The first recorded step after which the state was another one.
    pub differs_at: Option<u64>,
}

impl Replayed {
    /// As JSON.
    pub fn json(&self) -> Value {
        let mut all = json!({ "steps": self.steps, "hash": self.hash, "same": self.differs_at.is_none() });
        if let Some(step) = self.differs_at {
            all["differsAt"] = json!(step);
        }
        all
    }
}

/// Steps between the hashes of a recording.
const HASH_EVERY: u64 = 100;

impl Player {
    /// Starts a recording at the present state; what is held is let go.
    ///
    /// # Errors
    /// If the parts cannot be put together.
    pub fn record(&mut self) -> Result<(), ViewError> {
        self.release()?;
        let start = self.save()?;
        // A replay continues from these bytes too.
        self.restore(&start)?;
        self.recorder =
            Some(Recorder { start, first: self.steps(), actions: Vec::new(), hashes: Vec::new() });
        Ok(())
    }

    /// Whether a recording goes on.
    pub fn is_recording(&self) -> bool {
        self.recorder.is_some()
    }

    pub(super) fn record_action(&mut self, action: &Action) {
        let steps = self.steps();
        if let Some(recorder) = &mut self.recorder {
            let step = steps - recorder.first;
            recorder.actions.push(Recorded { step, action: action.clone() });
        }
    }

    pub(super) fn record_step(&mut self) {
        let (steps, hash) = (self.steps(), self.recorder.is_some().then(|| self.hash()));
        if let (Some(recorder), Some(hash)) = (&mut self.recorder, hash) {
            let step = steps - recorder.first;
            if step.is_multiple_of(HASH_EVERY) {
                recorder.hashes.push((step, hash));
            }
        }
    }

    /// Ends the recording: the text of a file to keep.
    ///
    /// # Errors
    /// If there is no recording.
    pub fn stop_recording(&mut self) -> Result<String, ViewError> {
        let Some(recorder) = self.recorder.take() else {
            return Err(ViewError::request("nothing is being recorded"));
        };
        let file = RecordingFile {
            format: 1,
            name: self.source.name.clone(),
            text: self.source.text.clone(),
            options: self.source.options.clone(),
            start: base64::encode(&recorder.start),
            actions: recorder.actions,
            hashes: recorder.hashes,
            steps: self.steps() - recorder.first,
            hash: self.hash(),
        };
        serde_json::to_string(&file).map_err(|error| ViewError::request(error.to_string()))
    }

    /// Replays a recording to its end and compares state hashes on the way. Returns the player at the end.
    ///
    /// # Errors
    /// If the text is no recording, or its scene cannot be loaded.
    pub fn replay(text: &str, files: Files) -> Result<(Player, Replayed), ViewError> {
        let file: RecordingFile = serde_json::from_str(text)
            .map_err(|error| ViewError::request(format!("this is no recording: {error}")))?;
        if file.format != 1 {
            return Err(ViewError::request(format!(
                "a recording of format {}; this one reads 1",
                file.format
            )));
        }
        let start = base64::decode(&file.start)
            .ok_or_else(|| ViewError::request("the state that the recording starts with is damaged"))?;
        let source = SceneText { name: file.name, text: file.text, files, options: file.options };
        let mut player = Player::new(source)?;
        player.restore(&start)?;
        let (mut actions, mut hashes) =
            (file.actions.into_iter().peekable(), file.hashes.into_iter().peekable());
        let (mut step, mut differs_at) = (0, None);
        loop {
            while let Some(recorded) = actions.next_if(|recorded| recorded.step <= step) {
                // What was refused is refused again, and then the state differs.
                let _ = player.act(recorded.action);
            }
            if step >= file.steps {
                break;
            }
            player.step()?;
            step += 1;
            if let Some((_, hash)) = hashes.next_if(|(at, _)| *at == step)
                && hash != player.hash()
            {
                differs_at = differs_at.or(Some(step));
            }
        }
        let hash = player.hash();
        if hash != file.hash {
            differs_at = differs_at.or(Some(step));
        }
        Ok((player, Replayed { steps: step, hash, differs_at }))
    }
}
