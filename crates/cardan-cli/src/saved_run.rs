//! Which run a saved state is of: `--resume` goes on with the run that was begun, and with no other.
//!
//! A state that `run --save` wrote ends in a mark: a digest of everything that the motion depends on, the interval
//! of the rows, and a word. The end of the run is no part of it, so that a run can be made longer.

use crate::load::LoadedScene;
use std::fmt::Write;

/// The last bytes of a state with a mark.
const WORD: &[u8; 8] = b"run mark";
const LENGTH: usize = 24;

#[derive(Copy, Clone, Debug, PartialEq)]
pub(crate) struct RunMark {
    digest: u64,
    interval: f64,
}

/// FNV-1a, 64 bits, of a text as it is made.
struct Checksum(u64);

impl Write for Checksum {
    fn write_str(&mut self, text: &str) -> std::fmt::Result {
        for byte in text.bytes() {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
        Ok(())
    }
}

impl RunMark {
    /// Of the scene with its overrides and its files, as they were worked out, and of the step.
    pub(crate) fn new(loaded: &LoadedScene, dt: f64, interval: f64) -> Self {
        let mut scene = loaded.scene.clone();
        (scene.title, scene.description) = (None, None);
        (scene.simulation.until, scene.simulation.accounts) = (None, None);
        let mut sum = Checksum(0xcbf2_9ce4_8422_2325);
        // The model has the contents of files; numbers are printed with all their digits.
        let _ = write!(sum, "{scene:?} {:?} {:?} {dt:?}", loaded.all, loaded.script);
        RunMark { digest: sum.0, interval }
    }

    /// Puts the mark behind a state.
    pub(crate) fn put(self, state: &mut Vec<u8>) {
        state.extend(self.digest.to_le_bytes());
        state.extend(self.interval.to_le_bytes());
        state.extend(WORD);
    }

    /// A state and its mark; states of `equilibrium --save` have none.
    pub(crate) fn split(bytes: &[u8]) -> (&[u8], Option<RunMark>) {
        let Some((state, mark)) = bytes.split_last_chunk::<LENGTH>().filter(|(_, mark)| mark.ends_with(WORD))
        else {
            return (bytes, None);
        };
        let number = |at: usize| {
            let mut eight = [0; 8];
            eight.copy_from_slice(&mark[at..at + 8]);
            u64::from_le_bytes(eight)
        };
        (state, Some(RunMark { digest: number(0), interval: f64::from_bits(number(8)) }))
    }

    /// Why a run with this mark cannot go on from a state with that one.
    pub(crate) fn refuse(self, saved: Option<RunMark>) -> Option<String> {
        let Some(saved) = saved else {
            return Some(
                "the state does not say which run it is of; --from goes on from it all the same".into(),
            );
        };
        if saved.digest != self.digest {
            return Some(
                "the state is of another version of the scene, of other --set or of another --dt, and so are the rows; \
                 remove it to begin anew, or go on with --from and a table of its own"
                    .into(),
            );
        }
        (saved.interval != self.interval).then(|| {
            format!(
                "the rows are {} s apart, and with this --until they would be {} s apart; begin anew with \
                 simulation.record, which fixes it",
                saved.interval, self.interval
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_comes_back_and_tells_runs_apart() {
        let mark = RunMark { digest: 7, interval: 0.1 };
        let mut bytes = b"state".to_vec();
        assert_eq!(RunMark::split(&bytes), (&b"state"[..], None));
        mark.put(&mut bytes);
        assert_eq!(RunMark::split(&bytes), (&b"state"[..], Some(mark)));
        assert_eq!(mark.refuse(Some(mark)), None);
        for other in [None, Some(RunMark { digest: 8, ..mark }), Some(RunMark { interval: 0.2, ..mark })] {
            assert!(mark.refuse(other).is_some(), "{other:?}");
        }
    }
}
