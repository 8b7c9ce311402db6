//! Names of what a robot file leaves without one: unique in their table of the scene.

use std::collections::{BTreeMap, BTreeSet};

/// The names of one table of a scene.
#[derive(Default)]
pub(crate) struct UniqueNames {
    taken: BTreeSet<String>,
    /// The number to try next, by the name that was wanted.
    next: BTreeMap<String, usize>,
}

impl UniqueNames {
    /// Names that the file gives.
    pub(crate) fn given(names: impl IntoIterator<Item = String>) -> Self {
        Self { taken: names.into_iter().collect(), next: BTreeMap::new() }
    }

    /// The name itself, or with a number if it is taken.
    pub(crate) fn take(&mut self, wanted: String) -> String {
        if self.taken.insert(wanted.clone()) {
            return wanted;
        }
        let next = self.next.entry(wanted.clone()).or_insert(2);
        loop {
            let name = format!("{wanted} {next}");
            *next += 1;
            if self.taken.insert(name.clone()) {
                return name;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_are_taken_get_numbers() {
        let mut names = UniqueNames::given(["a".to_string(), "a 2".to_string()]);
        let mut take = |name: &str| names.take(name.to_string());
        assert_eq!([take("b"), take("a"), take("a"), take("b")], ["b", "a 3", "a 4", "b 2"]);
    }
}
