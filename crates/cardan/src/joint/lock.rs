//! Locks: any of the six motions of b seen from a may be locked, three shifts along a's axes and
//! three turns.
//!
//! Shifts: C = d_x, d_y, d_z, those that are locked. Turns do not add up like shifts, so their
//! equations depend on how many are locked. With R the axes of b's frame seen from a:
//!
//! | turns locked | C | G (torque) | what stays free |
//! |---|---|---|---|
//! | all three | 2 q_v | q_w e + q_v × e | nothing |
//! | two, all but about k | e·(k × z) for both e ⟂ k, z = R k | (k·z) e − (e·z) k | the turn about k, common to both |
//! | one, about i | −s a·x, x = R b, s = i·(a × b) | s a × x | a cross: the turn about a, of a's frame, and about b, of b's |
//! | none | | | all |
//!
//! The arms of the cross are the two axes other than i, the later in x, y, z on a: z_a and y_b for
//! x, z_a and x_b for y, y_a and x_b for z. One locked turn therefore keeps two axes perpendicular,
//! two keep an axis aligned. Signs are such that Ċ = e·w where closed, e the locked axis. The
//! remainders h of C̈ are the same rows with w × (w × z), or w × (w × x), in place of z or x; for 2
//! q_v see [`JointRows::lock_turn`].
//!
//! Rows: locked shifts x, y, z, then locked turns x, y, z. Coordinates: free shifts x, y, z, then
//! the angle about k, or the two angles of the cross, R = R_a(first) R_b(second); all angles count
//! turns. Three free turns are not reported. A lock that follows a law of time is the joint that
//! leaves that coordinate free, with a drive on it.
//!
//! Between planar bodies the rows are those of the locks that act in the plane: shifts along its
//! directions, and the turn about its normal.

use super::description::{Anchor, Axes, Coordinate, JointDescription, PlanarFit, PlanarVariant};
use super::drive::{CoordinateRow, about, shift_along};
use super::{JointCoordinates, JointKind, JointRows, Plane, Relative};
use crate::body::Wrench;
use crate::math::{Quat, Vec3};
use crate::tolerances::ALIGNED;

const AXES: [Vec3; 3] = [Vec3::X, Vec3::Y, Vec3::Z];

/// Which of the six motions of b's frame seen from a's are locked.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(from = "LockFlags", into = "LockFlags")
)]
pub struct Locks(u8);

/// Locks as they are saved: along and about x, y, z.
#[cfg(feature = "serde")]
#[derive(serde::Serialize, serde::Deserialize)]
struct LockFlags {
    shifts: [bool; 3],
    turns: [bool; 3],
}
#[cfg(feature = "serde")]
impl From<LockFlags> for Locks {
    fn from(flags: LockFlags) -> Self {
        Locks::new(flags.shifts, flags.turns)
    }
}
#[cfg(feature = "serde")]
impl From<Locks> for LockFlags {
    fn from(locks: Locks) -> Self {
        let flag = |i: usize| locks.0 >> i & 1 != 0;
        LockFlags { shifts: [0, 1, 2].map(flag), turns: [3, 4, 5].map(flag) }
    }
}

/// A coordinate that locks leave free and reported.
#[derive(Copy, Clone, Debug, PartialEq)]
enum FreeCoordinate {
    Shift(usize),
    Twist(usize),
    First,
    Second,
}

impl Locks {
    /// Shifts on the x–y plane of a's frame, no turn: the middle disc of an Oldham coupling.
    pub const OLDHAM: Locks = Locks::new([false, false, true], [true; 3]);
    /// Any shift, no turn.
    pub const ORIENTATION: Locks = Locks::new([false; 3], [true; 3]);
    /// a's z axis and b's x axis stay perpendicular; any shift.
    pub const PERPENDICULAR: Locks = Locks::new([false; 3], [false, true, false]);
    /// A universal joint whose cross slides along its first arm.
    pub const UNIVERSAL_ON_LINE: Locks = Locks::new([true, true, false], [false, true, false]);
    /// A universal joint whose cross slides on the plane across its first arm.
    pub const UNIVERSAL_ON_PLANE: Locks = Locks::new([false, false, true], [false, true, false]);

    /// Names by the number of locked shifts and of locked turns, 0 to 3 each. The first name,
    /// `free`, is not a joint.
    pub const NAMES: [[&'static str; 4]; 4] = [
        ["free", "perpendicular", "aligned", "orientation"],
        ["point-on-plane", "universal-on-plane", "planar", "oldham"],
        ["point-on-line", "universal-on-line", "cylindrical", "prismatic"],
        ["spherical", "universal", "revolute", "fixed"],
    ];

    /// Locks from the locked shifts along x, y, z of a's frame, and the locked turns about them.
    pub const fn new(shifts: [bool; 3], turns: [bool; 3]) -> Self {
        let mut bits = 0;
        let mut i = 0;
        while i < 3 {
            bits |= (shifts[i] as u8) << i | (turns[i] as u8) << (i + 3);
            i += 1;
        }
        Locks(bits)
    }

    /// The locks that [`Locks::NAMES`] names for these numbers of shifts and turns (3 if more). One
    /// shift is along z, two leave z free; one turn is about y, two leave the turn about z free.
    pub const fn of_counts(shifts: usize, turns: usize) -> Self {
        let shifts = match shifts {
            0 => [false; 3],
            1 => [false, false, true],
            2 => [true, true, false],
            _ => [true; 3],
        };
        let turns = match turns {
            0 => [false; 3],
            1 => [false, true, false],
            2 => [true, true, false],
            _ => [true; 3],
        };
        Locks::new(shifts, turns)
    }

    /// All 63 locks that lock at least one motion.
    pub fn all() -> impl Iterator<Item = Locks> {
        (1..64).map(Locks)
    }

    /// Whether the shift along axis `i` (x, y, z) of a's frame is locked.
    pub const fn shift(self, i: usize) -> bool {
        i < 3 && self.0 >> i & 1 == 1
    }
    /// Whether the turn about axis `i` is locked.
    pub const fn turn(self, i: usize) -> bool {
        i < 3 && self.0 >> (i + 3) & 1 == 1
    }
    /// Number of locked shifts.
    pub const fn shifts(self) -> usize {
        (self.0 & 7).count_ones() as usize
    }
    /// Number of locked turns.
    pub const fn turns(self) -> usize {
        (self.0 >> 3).count_ones() as usize
    }
    /// Whether nothing is locked.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The joint kind with these locks: the named kind where one has the same rows, else
    /// [`JointKind::Lock`].
    pub const fn kind(self) -> JointKind {
        let mut i = 0;
        while i < JointKind::ALL.len() {
            let about = JointKind::ALL[i].about();
            // A kind with two axes needs one of them along the normal of the plane; locks fit
            // either way.
            let fits_less = matches!((about.axes, about.planar.fit), (Axes::Two, PlanarFit::AlongNormal(_)));
            if about.locks.0 == self.0 && !about.is_curved && !fits_less {
                return JointKind::ALL[i];
            }
            i += 1;
        }
        JointKind::Lock { locks: self }
    }

    /// The name of these locks, or `lock`; names of other kinds are not used.
    const fn name(self) -> &'static str {
        let is_named = self.0 != 0 && self.0 == Locks::of_counts(self.shifts(), self.turns()).0;
        match self.kind() {
            JointKind::Lock { .. } if is_named => Locks::NAMES[self.shifts()][self.turns()],
            _ => "lock",
        }
    }

    /// The only axis about which b can turn, if there is one: k above.
    pub(crate) const fn hinge(self) -> Option<usize> {
        match self.0 >> 3 {
            0b110 => Some(0),
            0b101 => Some(1),
            0b011 => Some(2),
            _ => None,
        }
    }

    /// The one turn that is locked, and the arms of the cross on a and b: i, a, b above.
    pub(crate) const fn cross(self) -> Option<(usize, usize, usize)> {
        match self.0 >> 3 {
            0b001 => Some((0, 2, 1)),
            0b010 => Some((1, 2, 0)),
            0b100 => Some((2, 1, 0)),
            _ => None,
        }
    }

    const fn free(self, k: usize) -> Option<FreeCoordinate> {
        let mut left = k;
        let mut i = 0;
        while i < 3 {
            if !self.shift(i) {
                if left == 0 {
                    return Some(FreeCoordinate::Shift(i));
                }
                left -= 1;
            }
            i += 1;
        }
        match (self.hinge(), self.cross(), left) {
            (Some(k), _, 0) => Some(FreeCoordinate::Twist(k)),
            (_, Some(_), 0) => Some(FreeCoordinate::First),
            (_, Some(_), 1) => Some(FreeCoordinate::Second),
            _ => None,
        }
    }

    /// Rows between planar bodies.
    pub(super) fn planar_rows(self, plane: &Plane) -> usize {
        self.planar_shifts(plane).into_iter().flatten().count() + self.holds_turn(plane.normal) as usize
    }

    /// Directions of the shifts that are locked in the plane.
    fn planar_shifts(self, plane: &Plane) -> [Option<Vec3>; 2] {
        let along = |i: usize| is_along(AXES[i], plane.normal);
        let axis = |locked: bool| (0..3).find(|&i| self.shift(i) == locked);
        match (self.shifts(), axis(true), axis(false)) {
            (1, Some(i), _) if !along(i) => [Some(AXES[i]), None],
            (2, _, Some(k)) if !along(k) => [Some(plane.normal.cross(AXES[k])), None],
            (2, _, Some(k)) => [Some(AXES[(k + 1) % 3]), Some(AXES[(k + 2) % 3])],
            (3, ..) => plane.in_plane.map(Some),
            _ => [None; 2],
        }
    }

    /// Whether the turn about the plane's normal is locked.
    fn holds_turn(self, normal: Vec3) -> bool {
        match (self.hinge(), self.cross()) {
            (Some(k), _) => !is_along(AXES[k], normal),
            (_, Some((i, ..))) => is_along(AXES[i], normal),
            _ => self.turns() == 3,
        }
    }

    /// Free motions of b seen from a, in a's axes, shift as `force` and turn as `torque`, in the
    /// order of the coordinates. Those in `held` are left out; in the plane only motions of the
    /// plane are visited.
    pub(crate) fn each_free(
        self,
        at: &Relative,
        plane: Option<&Plane>,
        held: impl Fn(usize) -> bool,
        mut push: impl FnMut(Wrench),
    ) {
        if let Some(plane) = plane {
            let locked = self.planar_shifts(plane);
            let [u, w] = plane.in_plane;
            let across = |e: Vec3| plane.normal.cross(e);
            match locked {
                [None, _] => [u, w].iter().for_each(|&e| push(along(e))),
                [Some(e), None] => push(along(across(e))),
                _ => {}
            }
            if !self.holds_turn(plane.normal) {
                push(about(plane.normal));
            }
            return;
        }
        for k in (0..description(self).coordinates.len()).filter(|&k| !held(k)) {
            push(coordinate_row(self, k, at).column);
        }
        if self.turns() == 0 {
            AXES.iter().for_each(|&e| push(about(e)));
        }
    }

    /// Why the joint cannot be between planar bodies with frames of these orientations in the
    /// world; `None` if it can.
    pub(crate) fn misfit(self, rot_a: Quat, rot_b: Quat) -> Option<&'static str> {
        let (on_a, on_b) = (rot_a.inverse() * Vec3::Z, rot_b.inverse() * Vec3::Z);
        let fits = |i: usize, normal: Vec3| {
            let off = normal[i].abs();
            off <= ALIGNED || (normal - AXES[i] * normal[i]).largest() <= ALIGNED
        };
        let one = |locked: bool| (0..3).find(|&i| self.shift(i) == locked);
        let shifts_fit = match self.shifts() {
            1 => one(true).is_none_or(|i| fits(i, on_a)),
            2 => one(false).is_none_or(|k| fits(k, on_a)),
            _ => true,
        };
        if !shifts_fit {
            return Some("the shifts that it locks must be along z or in the x–y plane");
        }
        let same = |i: usize| fits(i, on_b) && is_along(AXES[i], on_a) == is_along(AXES[i], on_b);
        let turns_fit = match (self.hinge(), self.cross()) {
            (Some(k), _) => fits(k, on_a) && same(k),
            // Both arms in the plane, or one along its normal and the other in it.
            (_, Some((i, a, b))) => {
                let both = is_along(AXES[i], on_a) && is_along(AXES[i], on_b);
                let (a, b) = (on_a[a].abs(), on_b[b].abs());
                both || (a >= 1.0 - ALIGNED && b <= ALIGNED) || (b >= 1.0 - ALIGNED && a <= ALIGNED)
            }
            _ => true,
        };
        if !turns_fit {
            return Some("the axes of the turns that it locks must be along z or in the x–y plane");
        }
        let rows = Plane::seen_from(rot_a).map_or(0, |plane| self.planar_rows(&plane));
        (rows == 0).then_some("what it locks is out of the x–y plane: it would hold nothing")
    }
}

fn along(e: Vec3) -> Wrench {
    Wrench { force: e, torque: Vec3::ZERO }
}

fn is_along(e: Vec3, normal: Vec3) -> bool {
    e.dot(normal).abs() > 0.5
}

/// Description of a joint with these locks.
#[inline]
pub(super) const fn description(locks: Locks) -> &'static JointDescription {
    &ABOUT[locks.0 as usize & 63]
}

static ABOUT: [JointDescription; 64] = {
    let mut all = [describe(Locks(0)); 64];
    let mut bits = 0;
    while bits < 64 {
        all[bits] = describe(Locks(bits as u8));
        bits += 1;
    }
    all
};

/// As many shifts and angles as any lock reports.
const COORDINATES: &[Coordinate] = &[
    Coordinate::SHIFT.in_space_only(),
    Coordinate::SHIFT.in_space_only(),
    Coordinate::SHIFT.in_space_only(),
    Coordinate::ANGLE.in_space_only(),
    Coordinate::ANGLE.in_space_only(),
];

const fn describe(locks: Locks) -> JointDescription {
    let angles = match locks.turns() {
        1 => 2,
        2 => 1,
        _ => 0,
    };
    let (_, coordinates) = COORDINATES.split_at(locks.shifts());
    let (coordinates, _) = coordinates.split_at(3 - locks.shifts() + angles);
    let planar_shifts = if locks.shifts() > 2 { 2 } else { locks.shifts() };
    JointDescription {
        coordinates,
        needs_orientation: (true, locks.turns() > 0),
        axes: match locks.cross() {
            Some((1, ..)) => Axes::Cross,
            _ => Axes::One,
        },
        aligned_axis: match locks.hinge() {
            Some(k) => Some(AXES[k]),
            None => None,
        },
        anchor: if locks.turns() == 0 { Anchor::Along } else { Anchor::Shared },
        planar: PlanarVariant { rows: planar_shifts + (locks.turns() > 0) as usize, fit: PlanarFit::ByLocks },
        ..JointDescription::of(locks.name(), locks)
    }
}

pub(super) fn rows(locks: Locks, at: &Relative, plane: Option<&Plane>, out: &mut JointRows) {
    if let Some(plane) = plane {
        return planar_rows(locks, at, plane, out);
    }
    (0..3).filter(|&i| locks.shift(i)).for_each(|i| out.lock_shift(at, AXES[i]));
    match (locks.hinge(), locks.cross()) {
        (Some(k), _) => (0..3).filter(|&i| i != k).for_each(|i| out.lock_tilt_of(at, AXES[k], AXES[i])),
        (_, Some((i, a, b))) => out.lock_arms(at, AXES[i], AXES[a], AXES[b]),
        _ if locks.turns() == 3 => AXES.iter().for_each(|&e| out.lock_turn(at, e)),
        _ => {}
    }
}

fn planar_rows(locks: Locks, at: &Relative, plane: &Plane, out: &mut JointRows) {
    let normal = plane.normal;
    locks.planar_shifts(plane).into_iter().flatten().for_each(|e| out.lock_shift(at, e));
    if !locks.holds_turn(normal) {
        return;
    }
    match (locks.hinge(), locks.cross()) {
        (Some(k), _) => out.lock_tilt_of(at, AXES[k], normal),
        (_, Some((i, a, b))) => out.lock_arms(at, AXES[i], AXES[a], AXES[b]),
        _ => out.lock_turn(at, normal),
    }
}

impl JointRows {
    /// Keeps b's axis k from tilting about a direction e ⟂ k: C = e·(k × z), z = R k.
    fn lock_tilt_of(&mut self, at: &Relative, k: Vec3, e: Vec3) {
        let z = at.turn * k;
        let curve = at.spin.cross(at.spin.cross(z));
        let gradient = Wrench { force: Vec3::ZERO, torque: e * k.dot(z) - k * e.dot(z) };
        self.push(e.dot(k.cross(z)), gradient, e.dot(k.cross(curve)), 1.0);
    }

    /// Keeps arm a of a's frame perpendicular to arm b of b's: C = −s a·x, x = R b, s = i·(a × b).
    fn lock_arms(&mut self, at: &Relative, i: Vec3, a: Vec3, b: Vec3) {
        let (x, a) = (at.turn * b, a * i.dot(a.cross(b)));
        let curve = at.spin.cross(at.spin.cross(x));
        let gradient = Wrench { force: Vec3::ZERO, torque: a.cross(x) };
        self.push(-a.dot(x), gradient, -a.dot(curve), 1.0);
    }
}

pub(super) fn coordinates(locks: Locks, at: &Relative, out: &mut JointCoordinates) {
    for k in 0..description(locks).coordinates.len() {
        let row = coordinate_row(locks, k, at);
        // The wrench of a unit force along the coordinate is its gradient, also where the joint is
        // open.
        let rate = row.gradient.force.dot(at.rate) + row.gradient.torque.dot(at.spin);
        out.set(k, row.value, rate, row.gradient);
    }
}

/// Coordinate `k` as a condition; see the table of [`super::drive`], with axes renamed.
pub(super) fn coordinate_row(locks: Locks, k: usize, at: &Relative) -> CoordinateRow {
    match (locks.free(k), locks.cross()) {
        (Some(FreeCoordinate::Shift(i)), _) => shift_along(at, AXES[i]),
        (Some(FreeCoordinate::Twist(k)), _) => twist(at, AXES[k]),
        (Some(angle), Some((_, a, b))) => cross(at, AXES[a], AXES[b], angle == FreeCoordinate::First),
        _ => CoordinateRow { value: 0.0, gradient: Wrench::ZERO, velocity_term: 0.0, column: Wrench::ZERO },
    }
}

fn twist(at: &Relative, k: Vec3) -> CoordinateRow {
    let z = at.turn * k;
    let (both, size) = (k + z, 1.0 + k.dot(z));
    // Where b's axis points in the opposite direction the angle is undefined.
    let over = if size > 0.0 { 1.0 / size } else { 0.0 };
    CoordinateRow {
        value: at.turn.twist_angle(k),
        gradient: about(both * over),
        velocity_term: -at.spin.dot(both) * at.spin.cross(z).dot(k) * over * over,
        column: about(z),
    }
}

fn cross(at: &Relative, a: Vec3, b: Vec3, is_first: bool) -> CoordinateRow {
    let n = a.cross(b);
    let x = at.turn * b;
    let rate = at.spin.cross(x);
    let flat = x - a * a.dot(x);
    let square = flat.dot(flat);
    // With both arms in line (far from closed) the angles have no direction.
    let over = if square > 0.0 { 1.0 / square } else { 0.0 };
    let way = flat * over;
    let way_rate = (rate - a * a.dot(rate) - way * (2.0 * flat.dot(rate))) * over;
    if is_first {
        let velocity_term = -(way_rate * a.dot(x) + way * a.dot(rate)).dot(at.spin);
        let value = libm::atan2(n.dot(x), b.dot(x));
        return CoordinateRow { value, gradient: about(a - way * a.dot(x)), velocity_term, column: about(a) };
    }
    let value = libm::atan2(a.dot(at.turn * n), a.dot(at.turn * a));
    CoordinateRow { value, gradient: about(way), velocity_term: way_rate.dot(at.spin), column: about(x) }
}
