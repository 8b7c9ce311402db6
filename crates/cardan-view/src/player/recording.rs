//! Recordings: what a hand did after how many steps, from a saved state on, with hashes. A file to keep and to replay.

use super::hand::Action;
use super::{Player, ViewError};
use crate::base64;
use crate::load::{Files, Options, SceneText};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::VecDeque;

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

/// A recording that is replayed.
#[derive(Debug)]
pub(super) struct Playback {
    actions: VecDeque<Recorded>,
    hashes: VecDeque<(u64, String)>,
    /// Steps of the world where it began.
    first: u64,
    steps: u64,
    hash: String,
    differs_at: Option<u64>,
    is_done: bool,
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
        let mut player = Player::open_recording(text, files)?;
        while !player.is_replayed() {
            player.step()?;
        }
        let replayed = player.replayed().ok_or_else(|| ViewError::request("the recording was left"))?;
        Ok((player, replayed))
    }

    /// Opens a recording where it begins: steps do again what was done, and compare state hashes on the way.
    ///
    /// # Errors
    /// If the text is no recording, or its scene cannot be loaded.
    pub fn open_recording(text: &str, files: Files) -> Result<Player, ViewError> {
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
        player.playback = Some(Box::new(Playback {
            actions: file.actions.into(),
            hashes: file.hashes.into(),
            first: player.steps(),
            steps: file.steps,
            hash: file.hash,
            differs_at: None,
            is_done: false,
        }));
        if file.steps == 0 {
            player.play_due();
            player.compare_playback();
        }
        Ok(player)
    }

    /// How far the recording is that is replayed: steps taken, steps of it, and the first one that differs.
    pub fn playback(&self) -> Option<(u64, u64, Option<u64>)> {
        let playback = self.playback.as_ref()?;
        Some((self.steps() - playback.first, playback.steps, playback.differs_at))
    }

    /// Whether the recording that is replayed is at its end.
    pub fn is_replayed(&self) -> bool {
        self.playback.as_ref().is_some_and(|playback| playback.is_done)
    }

    /// Goes on without the recording.
    pub fn leave_recording(&mut self) {
        self.playback = None;
    }

    fn replayed(&self) -> Option<Replayed> {
        let playback = self.playback.as_ref()?;
        Some(Replayed { steps: playback.steps, hash: self.hash(), differs_at: playback.differs_at })
    }

    /// Does what the recorded hand did by now.
    pub(super) fn play_due(&mut self) {
        let Some(mut playback) = self.playback.take() else { return };
        let step = self.steps() - playback.first;
        while let Some(recorded) = playback.actions.pop_front_if(|recorded| recorded.step <= step) {
            // What was refused is refused again, and then the state differs.
            let _ = self.act(recorded.action);
        }
        self.playback = (!playback.is_done).then_some(playback);
    }

    /// Compares the state with the recorded one, where it has one.
    pub(super) fn compare_playback(&mut self) {
        let Some(step) = self.playback.as_ref().map(|playback| self.steps() - playback.first) else { return };
        if self.playback.as_ref().is_some_and(|playback| step >= playback.steps) {
            // The hand may have done something after the last step.
            self.play_due();
        }
        let hash = self.hash();
        let Some(playback) = &mut self.playback else { return };
        let wanted = match playback.hashes.pop_front_if(|(at, _)| *at == step) {
            _ if step >= playback.steps => Some(&playback.hash),
            Some((_, ref wanted)) if *wanted != hash => {
                playback.differs_at = playback.differs_at.or(Some(step));
                None
            }
            _ => None,
        };
        if wanted.is_some_and(|wanted| *wanted != hash) {
            playback.differs_at = playback.differs_at.or(Some(step));
        }
        playback.is_done = step >= playback.steps;
    }
}
