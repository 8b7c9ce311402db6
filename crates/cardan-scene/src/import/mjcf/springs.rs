//! `springdamper`: a spring and damper for a time constant T and a damping ratio ζ at the inertia that a
//! joint feels.
//!
//! ```text
//! 1/m = (H⁻¹)_jj,   k = m / (T ζ)²,   c = 2 m / T      H: joint-space inertia in the pose of the file
//! H = Σ_b J_bᵀ diag(m 1, I) J_b + armatures            J_b: motion of the centre of mass of body b
//! ```

use std::collections::BTreeMap;

use cardan::MassProperties;
use cardan::math::{Sym3, Vec3};

use super::scene::SceneBuilder;
use super::tree::MotionType;
use crate::import::report::Treatment;

/// Most freedoms of a model whose inertia is inverted.
const MAX_FREEDOMS: usize = 400;

/// A freedom: its body, an axis and a point on it, in the world; a rotation or a translation.
struct Freedom {
    body: usize,
    axis: Vec3,
    at: Vec3,
    turns: bool,
    armature: f64,
}

impl SceneBuilder<'_, '_> {
    /// Stiffness and damping of the joints with a `springdamper`.
    pub(super) fn make_springs(&mut self) {
        let model = self.model;
        let given = |j: usize| model.joints[j].spring_damper;
        if (0..model.joints.len()).all(|j| given(j).is_none()) {
            return;
        }
        let (freedoms, first) = self.freedoms();
        let inverse =
            (freedoms.len() <= MAX_FREEDOMS).then(|| self.inertia(&freedoms)).and_then(inverse_diagonal);
        for (j, joint) in model.joints.iter().enumerate() {
            let (Some([time, ratio]), Some(item)) = (given(j), joint.item) else { continue };
            let is_single = matches!(joint.kind, MotionType::Hinge | MotionType::Slide);
            match &inverse {
                Some(inverse)
                    if is_single && (1.0 / (inverse[first[j]] * time * time * ratio * ratio)).is_finite() =>
                {
                    let inertia = 1.0 / inverse[first[j]];
                    let stiffness = inertia / (time * time * ratio * ratio);
                    self.made_springs.insert(j, (stiffness, 2.0 * inertia / time));
                    self.note(Treatment::Used, "`springdamper` of a joint", item);
                }
                _ => self.note(
                    Treatment::Ignored,
                    "`springdamper` of a ball joint, or of too many joints",
                    item,
                ),
            }
        }
    }

    /// What the first freedom of each joint feels, m = 1/(H⁻¹)_jj; `None` for too many freedoms.
    pub(super) fn joint_inertias(&self) -> Option<Vec<f64>> {
        let (freedoms, first) = self.freedoms();
        let h = (freedoms.len() <= MAX_FREEDOMS).then(|| self.inertia(&freedoms))?;
        let inverse = inverse_diagonal(h)?;
        Some(first.into_iter().map(|i| 1.0 / inverse[i]).collect())
    }

    /// All freedoms, and the first of each joint.
    fn freedoms(&self) -> (Vec<Freedom>, Vec<usize>) {
        let (mut all, mut first) = (Vec::new(), Vec::new());
        for joint in &self.model.joints {
            first.push(all.len());
            let frame = &self.home[joint.body];
            let (body, at, armature) = (joint.body, frame.pos + frame.rot * joint.pos, joint.armature);
            let units = [Vec3::X, Vec3::Y, Vec3::Z];
            let add = |axis: Vec3, turns: bool| Freedom { body, axis, at, turns, armature };
            match joint.kind {
                MotionType::Hinge => all.push(add(frame.rot * joint.axis, true)),
                MotionType::Slide => all.push(add(frame.rot * joint.axis, false)),
                MotionType::Ball => all.extend(units.map(|unit| add(frame.rot * unit, true))),
                MotionType::Free => {
                    all.extend(units.map(|unit| add(unit, false)));
                    all.extend(units.map(|unit| add(frame.rot * unit, true)));
                }
            }
        }
        (all, first)
    }

    /// The mass properties of a body in the world, in the pose of the file.
    fn at_home(&self, body: usize) -> MassProperties {
        let (own, frame) = (self.masses[body], &self.home[body]);
        let inertia = own.inertia.rotated(&frame.rot.matrix());
        MassProperties { mass: own.mass, center: frame.pos + frame.rot * own.center, inertia }
    }

    /// H, row by row.
    fn inertia(&self, freedoms: &[Freedom]) -> Vec<Vec<f64>> {
        let n = freedoms.len();
        let mut h = vec![vec![0.0; n]; n];
        let mut own: Vec<Vec<usize>> = vec![Vec::new(); self.model.bodies.len()];
        for (i, freedom) in freedoms.iter().enumerate() {
            own[freedom.body].push(i);
        }
        // Freedoms of each body that moves and of those above it; bodies without joints are parts of it.
        let mut moves: BTreeMap<usize, Vec<usize>> = BTreeMap::from([(0, Vec::new())]);
        for (b, body) in self.model.bodies.iter().enumerate().skip(1).filter(|(_, b)| !b.joints.is_empty()) {
            let above = &moves[&self.group_of[body.parent]];
            let all: Vec<usize> = above.iter().copied().chain(own[b].iter().copied()).collect();
            let parts: Vec<MassProperties> = self.members[b].iter().map(|&part| self.at_home(part)).collect();
            let MassProperties { mass, center, inertia } = match &parts[..] {
                [one] => *one,
                several => MassProperties::compound(several),
            };
            for &i in &all {
                let (p, w) = motion(&freedoms[i], center);
                let (force, torque) = (p * mass, times(&inertia, w));
                for &k in all.iter().take_while(|&&k| k <= i) {
                    let (q, u) = motion(&freedoms[k], center);
                    h[i][k] += force.dot(q) + torque.dot(u);
                }
            }
            moves.insert(b, all);
        }
        for (i, freedom) in freedoms.iter().enumerate() {
            h[i][i] += freedom.armature;
        }
        h
    }
}

/// Velocity of a point and angular velocity at unit rate.
fn motion(freedom: &Freedom, point: Vec3) -> (Vec3, Vec3) {
    match freedom.turns {
        true => (freedom.axis.cross(point - freedom.at), freedom.axis),
        false => (freedom.axis, Vec3::ZERO),
    }
}

fn times(own: &Sym3, v: Vec3) -> Vec3 {
    let Sym3 { xx, yy, zz, xy, xz, yz } = *own;
    Vec3::from([
        xx * v.x + xy * v.y + xz * v.z,
        xy * v.x + yy * v.y + yz * v.z,
        xz * v.x + yz * v.y + zz * v.z,
    ])
}

/// The diagonal of the inverse of a symmetric matrix by Cholesky, of which the lower half is given; `None` if
/// it is singular.
fn inverse_diagonal(mut a: Vec<Vec<f64>>) -> Option<Vec<f64>> {
    let n = a.len();
    for i in 0..n {
        for k in 0..=i {
            let sum = a[i][k] - (0..k).map(|l| a[i][l] * a[k][l]).sum::<f64>();
            if k < i {
                a[i][k] = sum / a[k][k];
            } else if sum > 0.0 {
                a[i][i] = sum.sqrt();
            } else {
                return None;
            }
        }
    }
    // (A⁻¹)_jj = |L⁻¹ e_j|².
    let column = |j: usize| {
        let mut x = vec![0.0; n];
        for i in j..n {
            let unit = if i == j { 1.0 } else { 0.0 };
            x[i] = (unit - (j..i).map(|l| a[i][l] * x[l]).sum::<f64>()) / a[i][i];
        }
        x.iter().map(|x| x * x).sum()
    };
    Some((0..n).map(column).collect())
}
