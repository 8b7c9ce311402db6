//! Drives: a joint coordinate that follows a law of time, as one more row of the joint.
//!
//!   C = s_k(d, q) − s(t)         Ċ = G·(ḋ, w) − ṡ         C̈ = G·(d̈, ẇ) + h − s̈
//!
//! | coordinate | s_k | G | h |
//! |---|---|---|---|
//! | shift along e | e·d | (e, 0) | 0 |
//! | angle about z | twist of q about z | (0, (z_a + z)/(1 + z_z)) | −(w·(z_a + z)) (w × z)_z/(1 + z_z)² |
//! | first angle of a cross | atan2(x_y, x_x) | (0, z_a − x_z n), n = (x_x, x_y, 0)/ρ² | w·Ġ |
//! | second angle of a cross | atan2(y_z, z_z) | (0, n) | w·ṅ |
//! | angle of a bead | atan2(d_y, d_x) | (τ, 0), τ = (−d_y, d_x, 0)/r² | −2 (d·ḋ)/r² τ·ḋ, d in the plane |
//!
//! x, y, z: axes of b's frame seen from a; ρ² = x_x² + x_y². All h vanish where the joint is
//! closed. The drive's force or torque is the multiplier of its row.
//!
//! The motion along one coordinate alone, its *column*, has G·column = 1; the other free motions of
//! the joint are orthogonal to G. A drive therefore removes one column from the motion subspace and
//! leaves the others unchanged. Angles are compared within half a turn, so the law decides the
//! number of turns.

use super::{JointKind, JointRows, MAX_COORDINATES, Relative};
use crate::body::Wrench;
use crate::law::{Jet, Law, Smoothness};
use crate::math::{Vec3, unwrap_near};

/// What a drive prescribes.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum DriveMode {
    /// The coordinate equals the law \[m or rad\].
    Position,
    /// The rate of the coordinate equals the law \[m/s or rad/s\]; the coordinate follows its
    /// starting value plus the integral of the law.
    Speed,
    /// The second derivative of the coordinate equals the law \[m/s² or rad/s²\]; coordinate and
    /// rate follow their starting values plus the integrals of the law.
    Acceleration,
    /// The force or torque along the coordinate equals the law \[N or N·m\]: on b, and the opposite
    /// on a.
    Force,
}

impl DriveMode {
    /// The name used in scene files.
    pub const fn name(self) -> &'static str {
        match self {
            DriveMode::Position => "position",
            DriveMode::Speed => "speed",
            DriveMode::Acceleration => "acceleration",
            DriveMode::Force => "force",
        }
    }

    /// Smoothness that the law must have so that accelerations stay finite.
    pub const fn needs(self) -> Smoothness {
        match self {
            DriveMode::Position => Smoothness::Rate,
            DriveMode::Speed => Smoothness::Value,
            DriveMode::Acceleration | DriveMode::Force => Smoothness::Jumps,
        }
    }
}

impl core::fmt::Display for DriveMode {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.name())
    }
}

/// A law on one coordinate of a joint.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Drive {
    /// Index of the coordinate.
    pub coordinate: usize,
    /// What the law prescribes.
    #[cfg_attr(feature = "serde", serde(alias = "level"))]
    pub mode: DriveMode,
    /// Value over time: m, rad, their rates, or N, N·m, by `mode`.
    pub law: Law,
}

/// One coordinate as a constraint row: its value within half a turn, G, h, and the motion along it
/// alone.
#[derive(Copy, Clone, Debug)]
pub(crate) struct CoordinateRow {
    pub(crate) value: f64,
    pub(crate) gradient: Wrench,
    pub(crate) velocity_term: f64,
    /// Motion along this coordinate alone: shift as `force`, turn as `torque`.
    pub(crate) column: Wrench,
}

pub(super) fn shift_along(at: &Relative, e: Vec3) -> CoordinateRow {
    let along = Wrench { force: e, torque: Vec3::ZERO };
    CoordinateRow { value: e.dot(at.shift), gradient: along, velocity_term: 0.0, column: along }
}

pub(super) fn about(e: Vec3) -> Wrench {
    Wrench { force: Vec3::ZERO, torque: e }
}

pub(crate) fn twist(at: &Relative) -> CoordinateRow {
    let z = at.turn * Vec3::Z;
    let (both, size) = (Vec3::Z + z, 1.0 + z.z);
    CoordinateRow {
        value: at.turn.twist_angle(Vec3::Z),
        gradient: about(both / size),
        velocity_term: -at.spin.dot(both) * at.spin.cross(z).z / (size * size),
        column: about(z),
    }
}

/// The drives of one joint that are constraints: which coordinates, and the indices of their laws
/// in the model.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
pub(crate) struct Driven {
    /// By coordinate, the index into the model's drives.
    pub(crate) by: [Option<u32>; MAX_COORDINATES],
    /// Values of the coordinates where the frames coincide.
    pub(crate) zero: [f64; MAX_COORDINATES],
}

impl Driven {
    pub(crate) fn count(&self) -> usize {
        self.by.iter().flatten().count()
    }
    pub(crate) fn is_any(&self) -> bool {
        self.count() > 0
    }
    /// Driven coordinates and the indices of their laws, in the order of the rows.
    pub(crate) fn each(&self) -> impl Iterator<Item = (usize, usize)> + use<> {
        self.by.into_iter().enumerate().filter_map(|(k, at)| at.map(|at| (k, at as usize)))
    }

    /// Error of a driven coordinate, and the size of the numbers that formed it.
    pub(crate) fn off(
        &self,
        kind: JointKind,
        k: usize,
        row: &CoordinateRow,
        target: &Jet,
        at: &Relative,
    ) -> (f64, f64) {
        if !kind.is_angle(k) {
            let off = row.value + self.zero[k] - target.value;
            return (off, at.reach + self.zero[k].abs() + target.value.abs());
        }
        // The law may have many turns; the remainder of one turn is exact.
        let wanted = libm::remainder(target.value - self.zero[k], core::f64::consts::TAU);
        (unwrap_near(row.value - wanted, 0.0), 1.0)
    }

    /// Appends the rows of the drives to those of the joint. `targets` are those of the model, or
    /// empty where only gradients are needed.
    pub(crate) fn write_rows(&self, kind: JointKind, at: &Relative, targets: &[Jet], out: &mut JointRows) {
        for (k, drive) in self.each() {
            let row = kind.coordinate_row(k, at);
            let target = targets.get(drive).copied().unwrap_or_default();
            let (off, scale) = self.off(kind, k, &row, &target, at);
            out.rates[out.count] = -target.rate;
            out.push(off, row.gradient, row.velocity_term - target.second, scale);
        }
    }
}
