//! Names of parts: automatic ones, and that each is there once.

use super::{ConstraintSpec, ModelBuilder};
use crate::model::BuildError;

impl ModelBuilder {
    pub(super) fn name_parts(&mut self) {
        fn fill<'a>(names: impl Iterator<Item = &'a mut String>, letter: char) {
            for (i, name) in names.enumerate() {
                if name.is_empty() {
                    *name = format!("{letter}{i}");
                }
            }
        }
        fill(self.bodies.iter_mut().map(|b| &mut b.name), 'b');
        fill(self.joints.iter_mut().map(|j| &mut j.name), 'j');
        fill(self.constraints.iter_mut().map(ConstraintSpec::name_mut), 'c');
        fill(self.inequalities.iter_mut().map(|i| &mut i.name), 'i');
        fill(self.forces.iter_mut().map(|f| &mut f.name), 'f');
        fill(self.impulses.iter_mut().map(|k| &mut k.name), 'k');
        fill(self.probes.iter_mut().map(|p| &mut p.name), 'p');
    }

    pub(super) fn check_names(&self) -> Result<(), BuildError> {
        // Sorted, and not in a tree of pieces, which would leave holes between what is made later. Told is the first that has been there before.
        fn unique<'a>(part: &'static str, names: impl Iterator<Item = &'a String>) -> Result<(), BuildError> {
            let mut sorted: Vec<(&str, u32)> = names.map(String::as_str).zip(0..).collect();
            sorted.sort_unstable();
            let again = sorted.windows(2).filter(|pair| pair[0].0 == pair[1].0).map(|pair| pair[1]);
            match again.min_by_key(|&(_, at)| at) {
                Some((name, _)) => Err(BuildError::DuplicateName { part, name: name.to_string() }),
                None => Ok(()),
            }
        }
        if self.bodies.iter().any(|b| b.name == "ground") {
            return Err(BuildError::ReservedName);
        }
        unique("bodies", self.bodies.iter().map(|b| &b.name))?;
        let joints = self.joints.iter().map(|j| &j.name);
        let conditions = self.inequalities.iter().map(|i| &i.name);
        unique("joints", joints.chain(self.constraints.iter().map(ConstraintSpec::name)).chain(conditions))?;
        unique("forces", self.forces.iter().map(|f| &f.name))?;
        unique("impulses", self.impulses.iter().map(|k| &k.name))?;
        unique("probes", self.probes.iter().map(|p| &p.name))
    }
}
