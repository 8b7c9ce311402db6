//! Nails as a window sees them: their numbers, and what becomes of them in another scene.

use super::{Player, ViewError};

impl Player {
    /// Numbers of the nails, in the order of [`Player::grips`].
    pub fn nails(&self) -> Vec<u32> {
        let there = self.hand.nails.iter().enumerate().filter(|(_, nail)| nail.is_some());
        there.map(|(number, _)| number as u32).collect()
    }

    /// Drives in the nails of another window on a scene with the same names. Returns how many hold, and how many do not.
    pub(super) fn take_nails(&mut self, other: &Player) -> Result<(usize, usize), ViewError> {
        let (mut kept, mut lost) = (0, 0);
        for nail in other.hand.nails.iter().flatten() {
            let name = &other.model.bodies()[nail.body].name;
            let body = self.model.find_body(name).map(|id| id.index());
            let before = self.mark()?;
            let driven = body.ok_or_else(|| ViewError::request("the body is gone")).and_then(|body| {
                self.nail_down(body, nail.piece, nail.point, Some(nail.at))?;
                self.scripted.world.assemble()?;
                Ok(())
            });
            match driven {
                Ok(()) => kept += 1,
                Err(_) => {
                    self.restore_mark(&before);
                    lost += 1;
                }
            }
        }
        Ok((kept, lost))
    }
}
