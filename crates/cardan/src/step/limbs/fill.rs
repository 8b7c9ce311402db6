//! What goes into the places of the elimination, body by body: masses, forces, and the joint to the parent.

use super::Fault;
use super::hold::Hold;
use crate::body::{BodyKind, Motion};
use crate::math::{Lane, Mat3, Six, Sym3, Sym6, Vec3};
use crate::model::Model;
use cardan_solve::System;
use cardan_solve::spatial::wide::{Padded, Quad, Quads, Wide, cross, pick, times};
use cardan_solve::spatial::{Fill, Limb, More, Plain};
use std::ops::Deref;
use std::sync::Arc;

/// One body and the joint to its parent, in elimination order.
#[derive(Clone, Debug)]
pub(super) struct Place {
    lump: Arc<Lump>,
    pub(super) body: u32,
    pub(super) q_at: u32,
    pub(super) v_at: u32,
    /// A rigid body on a hinge: most places of most mechanisms.
    pub(super) is_plain: bool,
    /// A rigid body on a ball joint that nothing drives.
    pub(super) is_ball: bool,
    /// A rigid body on a slide along another one, likewise.
    pub(super) is_slide: bool,
    pub(super) hold: Option<Hold>,
}

/// What of a place is its body's alone. Those behind one another whose bodies are alike share it: of a long chain it stays in the cache.
#[derive(Debug)]
pub(super) struct Lump {
    pub(super) mass: f64,
    pub(super) inertia: Sym3,
    pub(super) kind: BodyKind,
    /// Square of the radius of gyration, or about that.
    pub(super) gyration_squared: f64,
    /// 1/m².
    pub(super) mass_inverse_squared: f64,
    /// The body's axes are principal ones: less to compute.
    pub(super) is_principal: bool,
}

impl Deref for Place {
    type Target = Lump;
    #[inline(always)]
    fn deref(&self) -> &Lump {
        &self.lump
    }
}

/// No such number.
pub(super) const NONE: u32 = u32::MAX;

/// What is needed of a place to read or write its answers, apart from the rest: it is little, and read in a row.
#[derive(Copy, Clone, Debug)]
pub(super) struct Name {
    /// The joint to the parent, or [`NONE`].
    pub(super) joint: u32,
    pub(super) body: u32,
    /// Where the unknowns of a rigid body begin; [`NONE`] for others.
    pub(super) rigid_at: u32,
}

impl Name {
    pub(super) fn of(place: &Place) -> Self {
        Name {
            joint: place.hold.as_ref().map_or(NONE, |hold| hold.index),
            body: place.body,
            rigid_at: if place.kind == BodyKind::Rigid { place.v_at } else { NONE },
        }
    }
}

/// I of a rigid body in world axes.
#[inline(always)]
pub(super) fn inertia_along<T: Lane>(is_principal: bool, inertia: &Sym3<T>, axes: &Mat3<T>) -> Sym3<T> {
    if is_principal { inertia.rotated_diagonal(axes) } else { inertia.rotated(axes) }
}

/// Gravity with gyroscopic terms of a rigid body, whose I is given in world axes.
#[inline(always)]
pub(super) fn weight_of_rigid<T: Lane>(
    mass: T,
    inertia: &Sym3<T>,
    gravity: Vec3<T>,
    at: &Motion<T>,
) -> Six<T> {
    let spin = *inertia * at.omega;
    Six::new(gravity * mass, spin.cross(at.omega))
}

impl Lump {
    fn new(model: &Model, body: usize) -> Self {
        let entry = &model.bodies[body];
        let mass = entry.mass.mass;
        let inertia = match entry.kind {
            BodyKind::Rigid => entry.mass.inertia,
            BodyKind::Planar => {
                let turning = entry.mass.inertia.zz;
                Sym3::diagonal(turning, turning, turning)
            }
            // General bodies never come here.
            BodyKind::Particle | BodyKind::PlanarParticle | BodyKind::General(_) => {
                Sym3::diagonal(0.0, 0.0, 0.0)
            }
        };
        Lump {
            is_principal: inertia.xy == 0.0 && inertia.xz == 0.0 && inertia.yz == 0.0,
            mass,
            inertia,
            kind: entry.kind,
            gyration_squared: entry.mass.inertia.trace() / mass,
            mass_inverse_squared: 1.0 / (mass * mass),
        }
    }
}

impl Place {
    /// The place of a body and of its joint, behind the one of `before`.
    pub(super) fn new(model: &Model, body: usize, joint: Option<usize>, before: Option<&Place>) -> Self {
        let entry = &model.bodies[body];
        let is_alike = |before: &&Place| {
            let other = &model.bodies[before.body as usize];
            other.kind == entry.kind && Arc::ptr_eq(&other.mass, &entry.mass)
        };
        let hold = joint.map(|index| Hold::new(model, index, body));
        Place {
            lump: match before.filter(is_alike) {
                Some(before) => before.lump.clone(),
                None => Arc::new(Lump::new(model, body)),
            },
            is_plain: entry.kind == BodyKind::Rigid && hold.as_ref().is_some_and(Hold::is_plain),
            is_ball: entry.kind == BodyKind::Rigid && hold.as_ref().is_some_and(Hold::is_free_ball),
            is_slide: entry.kind == BodyKind::Rigid
                && hold.as_ref().is_some_and(|hold| hold.is_free_slide(model.bodies.len())),
            body: body as u32,
            q_at: entry.q_at,
            v_at: entry.v_at,
            hold,
        }
    }

    /// Whether what is its body's alone is the same memory.
    pub(super) fn shares_lump(&self, other: &Place) -> bool {
        Arc::ptr_eq(&self.lump, &other.lump)
    }

    /// Whether it has no parent but the ground.
    pub(super) fn is_root(&self, model: &Model) -> bool {
        self.hold.as_ref().is_none_or(|hold| hold.sides().0 == model.bodies.len())
    }

    /// I of a rigid body in world axes.
    #[inline(always)]
    pub(super) fn inertia_along(&self, axes: &Mat3) -> Sym3 {
        inertia_along(self.is_principal, &self.inertia, axes)
    }

    /// The same with wide registers.
    #[inline(always)]
    pub(super) fn inertia_wide(&self, wide: Wide, axes: &Axes) -> [Quad; 2] {
        let i = &self.inertia;
        let [x, y, z] = axes.0;
        let [xx, yy, zz] = [Quad::splat(wide, i.xx), Quad::splat(wide, i.yy), Quad::splat(wide, i.zz)];
        let (ax, ay, az) = if self.is_principal {
            (x * xx, y * yy, z * zz)
        } else {
            let [xy, xz, yz] = [Quad::splat(wide, i.xy), Quad::splat(wide, i.xz), Quad::splat(wide, i.yz)];
            (x * xx + y * xy + z * xz, x * xy + y * yy + z * yz, x * xz + y * yz + z * zz)
        };
        [ax * x + ay * y + az * z, ax * x.next() + ay * y.next() + az * z.next()]
    }

    /// Gravity with gyroscopic terms of a rigid body, whose I is given in world axes.
    #[inline(always)]
    pub(super) fn weight_of_rigid(&self, inertia: &Sym3, gravity: Vec3, at: &Motion) -> Six {
        weight_of_rigid(self.mass, inertia, gravity, at)
    }

    /// M and gravity with gyroscopic terms.
    #[inline(always)]
    pub(super) fn mass_and_weight(&self, gravity: Vec3, at: &Motion) -> (Sym6, Six) {
        if self.kind == BodyKind::Rigid {
            let inertia = self.inertia_along(&at.axes);
            let weight = self.weight_of_rigid(&inertia, gravity, at);
            return (Sym6::of_mass(self.mass, inertia), weight);
        }
        let mut weight = gravity * self.mass;
        if self.kind.is_planar() {
            weight.z = 0.0;
        }
        (Sym6::of_mass(self.mass, self.inertia), Six::new(weight, Vec3::ZERO))
    }

    /// Everything that goes into its place. `extra` has the forces besides gravity, if there are any.
    #[inline(never)]
    pub(super) fn write(
        &self,
        model: &Model,
        motions: &[Motion],
        extra: Option<&System>,
        limb: &mut Limb,
        more: &mut More,
    ) {
        let at = &motions[self.body as usize];
        (limb.diag, limb.force) = self.mass_and_weight(model.gravity, at);
        if let Some(system) = extra {
            limb.force += self.extra(model, system);
        }
        if let Some(hold) = &self.hold {
            hold.write(model, motions, limb, more);
        }
    }

    /// The same where it slides along another body, and that joint is closed.
    #[inline(never)]
    fn write_slide(&self, model: &Model, motions: &[Motion], extra: Option<&System>, limb: &mut Limb) {
        (limb.diag, limb.force) = self.mass_and_weight(model.gravity, &motions[self.body as usize]);
        if let Some(system) = extra {
            limb.force += self.extra(model, system);
        }
        if let Some(hold) = &self.hold {
            (limb.shift, limb.first, limb.gamma) = hold.write_slide(motions);
        }
    }

    pub(super) fn extra(&self, model: &Model, system: &System) -> Six {
        let wrench = self.kind.as_wrench(system.force_of(model.bodies[self.body as usize].block));
        Six::new(wrench.force, wrench.torque)
    }

    /// What of x is the body's own; the rest is nobody's.
    #[inline(always)]
    pub(super) fn write_x(&self, x: &Six, out: &mut [f64]) {
        let out = &mut out[self.v_at as usize..];
        match self.kind {
            BodyKind::Rigid => x.write(out),
            BodyKind::Particle => out[..3].copy_from_slice(&x.lin.to_array()),
            BodyKind::Planar => out[..3].copy_from_slice(&[x.lin.x, x.lin.y, x.ang.z]),
            BodyKind::PlanarParticle => out[..2].copy_from_slice(&[x.lin.x, x.lin.y]),
            BodyKind::General(_) => {}
        }
    }
}

/// How much goes into the places: everything, wherever the joints are;
pub(super) const ANYWHERE: u8 = 0;
/// everything, all joints being closed;
pub(super) const CLOSED: u8 = 1;
/// what is factored, and no right side.
pub(super) const FACTOR: u8 = 2;

/// Motions and forces as what goes into the places. `extra` has the forces besides gravity, if there are any.
pub(super) struct Filling<'w, const EXTENT: u8> {
    pub(super) model: &'w Model,
    pub(super) places: &'w [Place],
    pub(super) names: &'w [Name],
    pub(super) motions: &'w [Motion],
    pub(super) extra: Option<&'w System>,
    /// Accelerations, once they are known, and their sum times zero: nothing, unless a number is not finite.
    pub(super) acc: &'w mut [f64],
    pub(super) nothing: Nothing,
}

/// A sum of numbers times zero.
#[derive(Copy, Clone, Debug, Default)]
pub(super) struct Nothing([Padded; 2]);

impl Nothing {
    /// False if a number was not finite.
    pub(super) fn is_nothing(&self) -> bool {
        self.0.iter().flat_map(|half| &half.0[..3]).all(|&x| x == 0.0)
    }
    #[inline(always)]
    pub(super) fn note(&mut self, x: &Six) {
        for (half, x) in self.0.iter_mut().zip([x.lin, x.ang]) {
            half.0[0] += x.x * 0.0;
            half.0[1] += x.y * 0.0;
            half.0[2] += x.z * 0.0;
        }
    }
    #[inline(always)]
    pub(super) fn note_quads(&mut self, wide: Wide, x: [Quad; 2]) {
        let zero = Quad::splat(wide, 0.0);
        let [lin, ang] = &mut self.0;
        (Quad::from_padded(wide, lin) + x[0] * zero).pad(lin);
        (Quad::from_padded(wide, ang) + x[1] * zero).pad(ang);
    }
}

/// The columns of a rotation in wide registers.
#[derive(Copy, Clone)]
pub(super) struct Axes([Quad; 3]);

impl Axes {
    #[inline(always)]
    pub(super) fn load(wide: Wide, m: &Mat3) -> Self {
        Axes([Quad::load(wide, &m.x), Quad::load(wide, &m.y), Quad::load(wide, &m.z)])
    }
    /// Of a unit quaternion, w and (x, y, z); as [`Quat::matrix`](crate::math::Quat::matrix) sums them up.
    #[inline(always)]
    pub(super) fn of_quaternion(wide: Wide, w: f64, v: &[f64; 3]) -> Self {
        let v = Quad::three(wide, v);
        let twice = v + v;
        let squares = v * twice;
        let w = twice * Quad::splat(wide, w);
        // The entries of the diagonal, behind it and two behind it.
        let on = Quad::splat(wide, 1.0) - (squares.next() + squares.last());
        let (behind, last) = (v * twice.next() - w.last(), v * twice.last() + w.next());
        Axes([pick(on, last, behind), pick(behind, on, last), pick(last, behind, on)])
    }
    /// Times a vector.
    #[inline(always)]
    pub(super) fn turn(&self, wide: Wide, v: &Vec3) -> Quad {
        let [x, y, z] = self.0;
        x * Quad::splat(wide, v.x) + y * Quad::splat(wide, v.y) + z * Quad::splat(wide, v.z)
    }
}

impl<const EXTENT: u8> Fill<f64> for Filling<'_, EXTENT> {
    #[inline(always)]
    fn any(&mut self, at: usize, limb: &mut Limb, more: &mut More) {
        if !self.places[at].is_plain {
            if EXTENT == FACTOR {
                return self.places[at].write_frame(self.model, self.motions, limb, more);
            }
            if EXTENT == CLOSED && self.places[at].is_slide {
                return self.places[at].write_slide(self.model, self.motions, self.extra, limb);
            }
            return self.places[at].write(self.model, self.motions, self.extra, limb, more);
        }
        let plain = self.plain::<false, false>(at, limb, more);
        limb.diag = Sym6::of_mass(plain.mass, plain.inertia);
        (limb.force, limb.gamma) = (plain.force, plain.gamma);
        (limb.shift, limb.first) = (plain.shift, plain.first);
    }
    #[inline(always)]
    fn plain<const BALL: bool, const TURNED: bool>(
        &mut self,
        at: usize,
        _: &mut Limb,
        _: &mut More,
    ) -> Plain {
        let place = &self.places[at];
        let Some(hold) = &place.hold else { return Plain::default() };
        let motion = &self.motions[place.body as usize];
        let (mass, inertia) = (place.mass, place.inertia_along(&motion.axes));
        if EXTENT == FACTOR {
            let (shift, first) = match BALL {
                false => hold.write_plain_geometry(self.motions),
                true => hold.write_ball_geometry(self.motions),
            };
            return Plain { mass, inertia, shift, first, ..Plain::default() };
        }
        let (shift, first, gamma) = match BALL {
            false => hold.write_plain(self.motions, EXTENT == CLOSED),
            true => hold.write_ball(self.motions),
        };
        let mut force = place.weight_of_rigid(&inertia, self.model.gravity, motion);
        if let Some(system) = self.extra {
            force += place.extra(self.model, system);
        }
        Plain { mass, inertia, force, gamma, shift, first }
    }
    #[inline(always)]
    fn answer(&mut self, at: usize, x: &Six) {
        match self.names[at].rigid_at {
            NONE => self.places[at].write_x(x, self.acc),
            first => x.write(&mut self.acc[first as usize..first as usize + 6]),
        }
        self.nothing.note(x);
    }
    #[inline(always)]
    fn quads<const BALL: bool>(&mut self, wide: Wide, at: usize) -> Option<Quads> {
        let place = &self.places[at];
        let hold = place.hold.as_ref().filter(|hold| hold.onto_b())?;
        let motion = &self.motions[place.body as usize];
        let axes = Axes::load(wide, &motion.axes);
        let zero = Quad::splat(wide, 0.0);
        let mass = Quad::splat(wide, place.mass);
        let inertia = place.inertia_wide(wide, &axes);
        if EXTENT == FACTOR {
            let (shift, first) = hold.write_wide_geometry::<BALL>(wide, self.motions, &axes);
            return Some(Quads { mass, inertia, force: [zero; 2], gamma: [zero; 2], shift, first });
        }
        let (shift, first, gamma) = hold.write_wide::<EXTENT, BALL>(wide, self.motions, &axes);
        let omega = Quad::load(wide, &motion.omega);
        let weight = Quad::load(wide, &self.model.gravity) * mass;
        let mut force = [weight, cross(times(inertia, omega), omega)];
        if let Some(system) = self.extra {
            let extra = place.extra(self.model, system);
            force = [force[0] + Quad::load(wide, &extra.lin), force[1] + Quad::load(wide, &extra.ang)];
        }
        Some(Quads { mass, inertia, force, gamma, shift, first })
    }
    #[inline(always)]
    fn answer_quads(&mut self, wide: Wide, at: usize, x: [Quad; 2]) -> bool {
        let first = self.names[at].rigid_at;
        let Some(out) = self.acc.get_mut(first as usize..).and_then(<[f64]>::first_chunk_mut) else {
            return false;
        };
        Quad::store_six(x, out);
        self.nothing.note_quads(wide, x);
        true
    }
}

/// What is filled in, spoilt.
pub(super) struct Faulty<'f, 'w> {
    pub(super) filling: &'f mut Filling<'w, ANYWHERE>,
    pub(super) fault: Fault,
}

impl Fill<f64> for Faulty<'_, '_> {
    fn any(&mut self, at: usize, limb: &mut Limb, more: &mut More) {
        self.filling.any(at, limb, more);
        let place = &self.filling.places[at];
        let motion = &self.filling.motions[place.body as usize];
        plant(self.fault, motion, place.hold.is_some(), limb, more);
    }
    fn answer(&mut self, at: usize, x: &Six) {
        self.filling.answer(at, x);
    }
}

/// Spoils what was just written for one body.
#[cold]
fn plant(fault: Fault, at: &Motion, jointed: bool, limb: &mut Limb, more: &mut More) {
    match fault {
        Fault::None => {}
        Fault::FlippedBias if jointed => {
            limb.gamma = limb.gamma.scaled(-1.0);
            more.bias.iter_mut().for_each(|c| *c = -*c);
        }
        Fault::NoGyroscopic => limb.force.ang -= (limb.diag.c * at.omega).cross(at.omega),
        Fault::LopsidedRow if jointed => limb.shift = limb.shift * (1.0 + 1e-6),
        Fault::FlippedBias | Fault::LopsidedRow => {}
    }
}
