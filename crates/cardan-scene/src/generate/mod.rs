//! Scenes of a family, made to measure: trees of any size for tests and benchmarks, and a humanoid.
//!
//! Everything is random but seeded: masses, inertias, orientations, anchors, axes and velocities. Places, orientations,
//! anchors and axes are short decimals, and since anchors and axes are given in the world the joints are closed by
//! construction. Velocities are carried from the root outwards, so that they satisfy the joints to rounding. The same kind,
//! size and seed give the same text on every machine: nothing but + − × ÷ √ is used.

mod humanoid;
mod mechanism;
mod random;
mod text;
mod tree;

use crate::nearest::nearest;
use mechanism::Mechanism;
use random::Random;
use std::str::FromStr;

/// Beyond this many bodies a scene has more values than the reader takes.
pub const MOST_BODIES: usize = 400_000;

/// A family of scenes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// One body after the other, on revolute joints.
    Chain,
    /// One body after the other, on spherical joints.
    SphericalChain,
    /// A hub on the ground, everything else on the hub; revolute joints.
    Star,
    /// A spine with a tooth on each of its bodies; revolute joints.
    Comb,
    /// Two children for each body; revolute joints.
    BinaryTree,
    /// A parent at random for each body; revolute, spherical and prismatic joints.
    RandomTree,
    /// Thirty rigid bodies, floating; revolute and spherical joints.
    Humanoid,
}

/// What cannot be generated.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GenerateError {
    /// No family has this name.
    #[error("there is no kind of scene called `{name}`\n{help}")]
    UnknownKind {
        /// What was asked for.
        name: String,
        /// The nearest name, or all of them.
        help: String,
    },
    /// A scene without bodies.
    #[error("a {family} needs at least one body; say how many with --n")]
    NoBodies {
        /// The family.
        family: &'static str,
    },
    /// Another number than the family has.
    #[error("a {family} has {bodies} bodies, not {asked}; leave --n out")]
    FixedSize {
        /// The family.
        family: &'static str,
        /// What it has.
        bodies: usize,
        /// What was asked for.
        asked: usize,
    },
    /// More than the reader takes.
    #[error("{asked} bodies are more than a scene can hold; the most is {MOST_BODIES}")]
    TooMany {
        /// What was asked for.
        asked: usize,
    },
}

impl Family {
    /// All of them.
    pub const ALL: [Family; 7] = [
        Family::Chain,
        Family::SphericalChain,
        Family::Star,
        Family::Comb,
        Family::BinaryTree,
        Family::RandomTree,
        Family::Humanoid,
    ];

    /// Its name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Family::Chain => "chain",
            Family::SphericalChain => "spherical-chain",
            Family::Star => "star",
            Family::Comb => "comb",
            Family::BinaryTree => "binary-tree",
            Family::RandomTree => "random-tree",
            Family::Humanoid => "humanoid",
        }
    }

    /// The number of bodies, where the family leaves no choice.
    pub const fn fixed_size(self) -> Option<usize> {
        match self {
            Family::Humanoid => Some(humanoid::BODIES),
            _ => None,
        }
    }

    /// A scene of this family with `n` bodies, as TOML.
    pub fn generate(self, n: usize, seed: u64) -> Result<String, GenerateError> {
        let family = self.name();
        match self.fixed_size() {
            Some(bodies) if n != bodies => {
                return Err(GenerateError::FixedSize { family, bodies, asked: n });
            }
            _ if n == 0 => return Err(GenerateError::NoBodies { family }),
            _ if n > MOST_BODIES => return Err(GenerateError::TooMany { asked: n }),
            _ => {}
        }
        let mut random = Random::new(seed);
        let mechanism: Mechanism = match self {
            Family::Humanoid => humanoid::humanoid(&mut random),
            _ => tree::tree(self, n, &mut random),
        };
        Ok(text::write(self, &mechanism, seed))
    }
}

impl FromStr for Family {
    type Err = GenerateError;

    fn from_str(name: &str) -> Result<Self, GenerateError> {
        if let Some(family) = Family::ALL.into_iter().find(|f| f.name() == name) {
            return Ok(family);
        }
        let names = Family::ALL.map(Family::name);
        let help = match nearest(name, names) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("known kinds: {}", names.join(", ")),
        };
        Err(GenerateError::UnknownKind { name: crate::document::clip(name).to_string(), help })
    }
}
