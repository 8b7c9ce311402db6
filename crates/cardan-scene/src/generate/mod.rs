//! Generated scenes of a family and a size: trees and mechanisms with loops of any size for tests and benchmarks, and a humanoid.
//!
//! Everything is random but seeded (but for the row of four-bars, which is a benchmark with given numbers): masses, inertias,
//! orientations, anchors, axes and velocities. Places, orientations, anchors and axes are short decimals, and since anchors and
//! axes are given in the world the joints are closed by construction. Velocities are carried from the root outwards, and
//! round loops, so that they satisfy the joints to rounding. The same kind, size and seed give the same text on every
//! machine: nothing but + − × ÷ √ is used, and `libm` for the ring.

mod four_bars;
mod humanoid;
mod mechanism;
mod net;
mod random;
mod ring;
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
    /// A row of n four-bar loops: n + 1 cranks on the ground, n couplers between their tips, revolute joints; IFToMM's A02.
    NFourBar,
    /// A free ring of bodies on spherical joints.
    ClosedChain,
    /// n columns of n bodies on spherical joints, hung from the ground, joined row by row with n − 1 rods.
    Net,
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
    /// A scene without loops in a family that is made of them.
    #[error("`{family}` needs at least {least} {what}; say how many with --n")]
    TooFew {
        /// The family.
        family: &'static str,
        /// What it takes.
        least: usize,
        /// What is counted.
        what: &'static str,
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
    #[error("{asked} bodies are more than a scene can have; the most is {MOST_BODIES}")]
    TooMany {
        /// What was asked for.
        asked: usize,
    },
}

impl Family {
    /// All of them.
    pub const ALL: [Family; 10] = [
        Family::Chain,
        Family::SphericalChain,
        Family::Star,
        Family::Comb,
        Family::BinaryTree,
        Family::RandomTree,
        Family::Humanoid,
        Family::NFourBar,
        Family::ClosedChain,
        Family::Net,
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
            Family::NFourBar => "n-four-bar",
            Family::ClosedChain => "closed-chain",
            Family::Net => "net",
        }
    }

    /// The number of bodies, where the family leaves no choice.
    pub const fn fixed_size(self) -> Option<usize> {
        match self {
            Family::Humanoid => Some(humanoid::BODIES),
            _ => None,
        }
    }

    /// Whether the seed decides anything.
    pub const fn is_random(self) -> bool {
        !matches!(self, Family::NFourBar)
    }

    /// The number of bodies in a scene of size `n`.
    pub const fn bodies(self, n: usize) -> usize {
        match self {
            Family::Humanoid => humanoid::BODIES,
            Family::NFourBar => n.saturating_mul(2).saturating_add(1),
            Family::Net => n.saturating_mul(n),
            _ => n,
        }
    }

    /// The least size of families with loops, and what it counts.
    const fn least(self) -> Option<(usize, &'static str)> {
        match self {
            Family::NFourBar => Some((1, "loop")),
            Family::ClosedChain => Some((3, "bodies")),
            Family::Net => Some((2, "columns")),
            _ => None,
        }
    }

    /// A scene of this family as TOML, with `n` bodies; or `n` loops, or `n` columns of `n` bodies.
    pub fn generate(self, n: usize, seed: u64) -> Result<String, GenerateError> {
        let family = self.name();
        if let Some(bodies) = self.fixed_size()
            && n != bodies
        {
            return Err(GenerateError::FixedSize { family, bodies, asked: n });
        }
        if let Some((least, what)) = self.least()
            && n < least
        {
            return Err(GenerateError::TooFew { family, least, what });
        }
        let bodies = self.bodies(n);
        if bodies == 0 {
            return Err(GenerateError::NoBodies { family });
        }
        if bodies > MOST_BODIES {
            return Err(GenerateError::TooMany { asked: bodies });
        }
        let mut random = Random::new(seed);
        let mechanism: Mechanism = match self {
            Family::Humanoid => humanoid::humanoid(&mut random),
            Family::NFourBar => four_bars::four_bars(n),
            Family::ClosedChain => ring::ring(n, &mut random),
            Family::Net => net::net(n, &mut random),
            _ => tree::tree(self, n, &mut random),
        };
        Ok(text::write(self, n, &mechanism, seed))
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
