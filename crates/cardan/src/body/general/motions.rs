//! Where everything is: motions of plain bodies, vectors and carriers of general ones.

use super::number::Pose;
use super::piece::MAX_BASIS;
use super::{BaseFrame, Basis, Carrier, FormVectors, GeneralBody};
use crate::body::{Frame, FrameMotion, Motion, Wrench};
use crate::law::Jet;
use crate::math::{Mat3, Quat, Vec3, larger, vec3};
use crate::model::{Attachment, Model};
use crate::state::State;
use core::ops::{Deref, DerefMut};

const E: [Vec3; 3] = [Vec3::new(1.0, 0.0, 0.0), Vec3::new(0.0, 1.0, 0.0), Vec3::new(0.0, 0.0, 1.0)];

/// The motion of every body, of its centre of mass and axes; and what else general bodies need. The last one is the ground's.
#[derive(Clone, Debug)]
pub(crate) struct Motions {
    all: Vec<Motion>,
    general: Option<Box<GeneralMotions>>,
}

#[derive(Clone, Debug)]
struct GeneralMotions {
    bodies: Vec<GeneralMotion>,
    /// Which of them a body of the model is, if it is one.
    of_body: Vec<u32>,
    carriers: Vec<CarrierMotion>,
}

const NONE: u32 = u32::MAX;

impl Deref for Motions {
    type Target = [Motion];
    #[inline(always)]
    fn deref(&self) -> &[Motion] {
        &self.all
    }
}
impl DerefMut for Motions {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [Motion] {
        &mut self.all
    }
}
impl<'a> IntoIterator for &'a Motions {
    type Item = &'a Motion;
    type IntoIter = core::slice::Iter<'a, Motion>;
    #[inline(always)]
    fn into_iter(self) -> Self::IntoIter {
        self.all.iter()
    }
}
impl<'a> IntoIterator for &'a mut Motions {
    type Item = &'a mut Motion;
    type IntoIter = core::slice::IterMut<'a, Motion>;
    #[inline(always)]
    fn into_iter(self) -> Self::IntoIter {
        self.all.iter_mut()
    }
}

impl Motions {
    pub(crate) fn new(model: &Model) -> Self {
        let mut of_body = vec![NONE; model.bodies.len()];
        let mut bodies = Vec::new();
        for (i, body) in model.bodies.iter().enumerate() {
            if let Some(made) = &body.general {
                of_body[i] = bodies.len() as u32;
                bodies.push(GeneralMotion::new(i, made));
            }
        }
        let carriers =
            model.carriers.iter().map(|c| CarrierMotion::new(c, &bodies[of_body[c.body] as usize]));
        let carriers = carriers.collect();
        let general = (!bodies.is_empty()).then(|| Box::new(GeneralMotions { bodies, of_body, carriers }));
        Motions { all: vec![Motion::GROUND; model.bodies.len() + 1], general }
    }

    pub(crate) fn bytes(&self) -> usize {
        let general = self.general.as_ref().map_or(0, |general| {
            general.bodies.iter().map(GeneralMotion::bytes).sum::<usize>()
                + general
                    .carriers
                    .iter()
                    .map(|c| c.columns.capacity() * size_of::<[Vec3; 2]>())
                    .sum::<usize>()
        });
        self.all.capacity() * size_of::<Motion>() + general
    }

    /// The same values, without allocating.
    pub(crate) fn copy_from(&mut self, other: &Motions) {
        self.all.copy_from_slice(&other.all);
        if let (Some(to), Some(from)) = (&mut self.general, &other.general) {
            to.bodies.iter_mut().zip(&from.bodies).for_each(|(to, from)| to.copy_from(from));
            to.carriers.iter_mut().zip(&from.carriers).for_each(|(to, from)| to.copy_from(from));
        }
    }

    /// Everything about general bodies from coordinates and velocities of a state.
    #[inline]
    pub(crate) fn write_general(&mut self, model: &Model, state: &State) {
        if self.general.is_some() {
            self.write_all_general(model, state);
        }
    }

    #[cold]
    fn write_all_general(&mut self, model: &Model, state: &State) {
        let Some(general) = &mut self.general else { return };
        let GeneralMotions { bodies, of_body, carriers } = &mut **general;
        for body in bodies.iter_mut() {
            let entry = &model.bodies[body.index];
            if let Some(made) = &entry.general {
                body.write(made, &state.q[entry.q_range()], &state.v[entry.v_range()]);
            }
        }
        for carrier in carriers.iter_mut() {
            carrier.write(&bodies[of_body[carrier.carrier.body] as usize]);
        }
        for body in bodies {
            let own = model.bodies[body.index].general.as_ref().and_then(|made| made.carriers[0]);
            let axes = own.map_or(Motion::GROUND, |at| carriers[at as usize].motion);
            self.all[body.index] = Motion { pos: body.center, vel: body.center_velocity, ..axes };
        }
    }

    /// A general body by its index in the model.
    #[inline]
    pub(crate) fn general(&self, body: usize) -> Option<&GeneralMotion> {
        let general = self.general.as_ref()?;
        general.bodies.get(*general.of_body.get(body)? as usize)
    }
    pub(crate) fn general_mut(&mut self, body: usize) -> Option<&mut GeneralMotion> {
        let general = self.general.as_mut()?;
        general.bodies.get_mut(*general.of_body.get(body)? as usize)
    }
    #[inline]
    fn carried(&self, at: &Attachment) -> Option<&CarrierMotion> {
        let carrier = at.carrier()? as usize;
        self.general.as_ref().map(|general| &general.carriers[carrier])
    }

    /// The kinematics of an attached frame.
    #[inline]
    pub(crate) fn frame(&self, at: &Attachment) -> FrameMotion {
        match (at.body(), at.carrier()) {
            (Some(i), None) => self.all[i].attach(&at.local),
            (None, _) => Motion::GROUND.attach(&at.local),
            _ => self.carried(at).map_or(FrameMotion::default(), |carried| carried.attach(&at.local)),
        }
    }

    /// Writes the generalised force of a wrench at the end of `arm`, as [`FrameMotion::arm`] gives it for this attachment.
    #[inline]
    pub(crate) fn pull_back(
        &self,
        model: &Model,
        at: &Attachment,
        arm: Vec3,
        wrench: Wrench,
        out: &mut [f64],
    ) {
        let Some(body) = at.body() else { return };
        match self.carried(at) {
            None => model.bodies[body].kind.pull_back(arm, wrench, out),
            Some(carried) => carried.pull_back(arm, wrench, out),
        }
    }

    /// Sizes of what forms rows on a general body where something is attached: of a unit force, and of a unit torque, at its carrier; the largest over all freedoms, each
    /// times its unit. A row on a shaft, across its axis, cancels to rounding of these.
    pub(crate) fn sizes_of_rows(&self, at: &Attachment, units: &[f64]) -> Option<[f64; 2]> {
        let (carried, general) = (self.carried(at)?, self.general(at.body()?)?);
        let mut most = [0.0; 2];
        for (j, unit) in units.iter().enumerate() {
            let [shift, spin] = carried.sizes_of_column(general, j);
            most = [larger(most[0], shift * unit), larger(most[1], spin * unit)];
        }
        Some(most)
    }

    /// Linear and angular rate of the point at the end of `arm` for generalised rates of its body.
    #[inline]
    pub(crate) fn push_forward(&self, model: &Model, at: &Attachment, arm: Vec3, v: &[f64]) -> (Vec3, Vec3) {
        let Some(body) = at.body() else { return (Vec3::ZERO, Vec3::ZERO) };
        match self.carried(at) {
            None => model.bodies[body].kind.push_forward(arm, v),
            Some(carried) => carried.push_forward(arm, v),
        }
    }

    /// Acceleration of a body's centre of mass, and its angular acceleration, from generalised accelerations of the body.
    pub(crate) fn acceleration(&self, model: &Model, body: usize, acc: &[f64]) -> (Vec3, Vec3) {
        let Some(general) = self.general(body) else {
            return model.bodies[body].kind.push_forward(Vec3::ZERO, acc);
        };
        let mut sum = general.center_bias;
        for (column, a) in general.center_columns.iter().zip(acc) {
            sum += *column * *a;
        }
        let own = model.bodies[body].general.as_ref().and_then(|made| made.carriers[0]);
        let carried = own.zip(self.general.as_ref()).map(|(at, general)| &general.carriers[at as usize]);
        let turning = carried
            .map_or(Vec3::ZERO, |carried| carried.push_forward(Vec3::ZERO, acc).1 + carried.bias_omega);
        (sum, turning)
    }
}

/// Kinematics of one general body.
#[derive(Clone, Debug)]
pub(crate) struct GeneralMotion {
    index: usize,
    dim: usize,
    base: BaseFrame,
    /// Basis, first vector, moments of each piece.
    pieces: Vec<(Basis, usize, Vec<f64>)>,
    // of the form, in its base
    local: [Vec<Vec3>; 3],
    local_columns: Vec<Vec3>,
    jets: Vec<Jet>,
    poses: Vec<Pose<Jet>>,
    // in the world: g_k, ġ_k, b_k; G_k, and Σ_l m_kl G_l
    value: Vec<Vec3>,
    rate: Vec<Vec3>,
    bias: Vec<Vec3>,
    columns: Vec<Vec3>,
    weighted_columns: Vec<Vec3>,
    /// Σ_l m_kl b_l and Σ_l m_kl ġ_l.
    weighted_bias: Vec<Vec3>,
    momentum: Vec<Vec3>,
    /// Sizes of the numbers that formed g_k and ġ_k.
    sizes: Vec<[f64; 2]>,
    center: Vec3,
    center_velocity: Vec3,
    center_bias: Vec3,
    center_columns: Vec<Vec3>,
    mass: f64,
    base_pos: Vec3,
}

impl GeneralMotion {
    pub(crate) fn new(index: usize, made: &GeneralBody) -> Self {
        let form = &*made.form;
        let mut at = 0;
        let mut pieces = Vec::new();
        for piece in form.pieces() {
            pieces.push((piece.basis, at, piece.moments.clone()));
            at += piece.len();
        }
        let base = form.base();
        let own = form.freedoms();
        let dim = own + if base == BaseFrame::Floating { 6 } else { 0 };
        let zeros = |n: usize| vec![Vec3::ZERO; n];
        GeneralMotion {
            index,
            dim,
            base,
            mass: form.pieces().iter().map(|piece| piece.mass()).sum(),
            local: core::array::from_fn(|_| zeros(at)),
            local_columns: zeros(at * own),
            jets: vec![Jet::default(); 2 * own],
            poses: vec![Pose::at([Jet::default(); 3]); pieces.len()],
            pieces,
            value: zeros(at),
            rate: zeros(at),
            bias: zeros(at),
            columns: zeros(at * dim),
            weighted_columns: zeros(at * dim),
            weighted_bias: zeros(at),
            momentum: zeros(at),
            sizes: vec![[0.0; 2]; at],
            center: Vec3::ZERO,
            center_velocity: Vec3::ZERO,
            center_bias: Vec3::ZERO,
            center_columns: zeros(dim),
            base_pos: Vec3::ZERO,
        }
    }

    fn bytes(&self) -> usize {
        let vectors = self.columns.capacity()
            + self.weighted_columns.capacity()
            + self.local_columns.capacity()
            + 8 * self.value.capacity()
            + self.center_columns.capacity();
        vectors * size_of::<Vec3>()
    }

    fn copy_from(&mut self, other: &GeneralMotion) {
        let pairs = [
            (&mut self.value, &other.value),
            (&mut self.rate, &other.rate),
            (&mut self.bias, &other.bias),
            (&mut self.columns, &other.columns),
            (&mut self.weighted_columns, &other.weighted_columns),
            (&mut self.weighted_bias, &other.weighted_bias),
            (&mut self.momentum, &other.momentum),
            (&mut self.center_columns, &other.center_columns),
        ];
        pairs.into_iter().for_each(|(to, from)| to.copy_from_slice(from));
        (self.center, self.center_velocity) = (other.center, other.center_velocity);
        (self.center_bias, self.base_pos) = (other.center_bias, other.base_pos);
    }

    /// From coordinates and velocities.
    pub(crate) fn write(&mut self, made: &GeneralBody, q: &[f64], v: &[f64]) {
        let own = self.jets.len() / 2;
        let floats = self.base == BaseFrame::Floating;
        let skip = self.dim - own;
        let [value, rate, bias] = &mut self.local;
        let (jets, poses) = (&mut self.jets[..], &mut self.poses[..]);
        let mut local = FormVectors { value, rate, bias, column: &mut self.local_columns, jets, poses };
        made.form.write(&q[q.len() - own..], &v[skip..], &mut local);

        let (pos, rot) = match self.base {
            BaseFrame::Fixed => made.base,
            BaseFrame::Floating => (vec3(q[0], q[1], q[2]), Quat { w: q[3], v: vec3(q[4], q[5], q[6]) }),
            BaseFrame::World => (Vec3::ZERO, Quat::IDENTITY),
        };
        self.base_pos = pos;
        let axes = rot.matrix();
        let moving =
            if floats { (vec3(v[0], v[1], v[2]), vec3(v[3], v[4], v[5])) } else { Default::default() };
        let (vel, omega) = moving;
        let dim = self.dim;
        // Places inside of the body are sums of lengths that are not known; the largest of them stands for these.
        let places = self.pieces.iter().map(|(_, first, _)| self.local[0][*first].largest());
        let extent = places.fold(0.0, larger);
        for (basis, first, _) in &self.pieces {
            for k in *first..*first + basis.len() {
                let is_place = k == *first;
                let arm = axes * self.local[0][k];
                let flow = axes * self.local[1][k];
                let spin = omega.cross(arm);
                self.value[k] = if is_place { pos + arm } else { arm };
                self.rate[k] = if is_place { vel + (spin + flow) } else { spin + flow };
                let (inside, base, base_rate) =
                    if is_place { (extent, pos.largest(), vel.largest()) } else { (0.0, 0.0, 0.0) };
                self.sizes[k] =
                    [base + larger(inside, arm.largest()), base_rate + spin.largest() + flow.largest()];
                self.bias[k] = omega.cross(spin) + omega.cross(flow) * 2.0 + axes * self.local[2][k];
                let columns = &mut self.columns[k * dim..(k + 1) * dim];
                if floats {
                    for (j, e) in E.into_iter().enumerate() {
                        columns[j] = if is_place { e } else { Vec3::ZERO };
                        columns[3 + j] = e.cross(arm);
                    }
                }
                for i in 0..own {
                    columns[skip + i] = axes * self.local_columns[k * own + i];
                }
            }
        }
        self.weigh();
    }

    /// What follows from the vectors with the moments of mass.
    fn weigh(&mut self) {
        let dim = self.dim;
        self.weighted_columns.fill(Vec3::ZERO);
        (self.center, self.center_velocity, self.center_bias) = Default::default();
        self.center_columns.fill(Vec3::ZERO);
        for (basis, first, moments) in &self.pieces {
            let n = basis.len();
            for k in 0..n {
                let (mut momentum, mut bias) = (Vec3::ZERO, Vec3::ZERO);
                for l in 0..n {
                    let m = moments[k * n + l];
                    if m == 0.0 {
                        continue;
                    }
                    momentum += self.rate[first + l] * m;
                    bias += self.bias[first + l] * m;
                    let (weighted_columns, columns) = (
                        &mut self.weighted_columns[(first + k) * dim..][..dim],
                        &self.columns[(first + l) * dim..][..dim],
                    );
                    weighted_columns.iter_mut().zip(columns).for_each(|(h, c)| *h += *c * m);
                }
                (self.momentum[first + k], self.weighted_bias[first + k]) = (momentum, bias);
            }
            for l in 0..n {
                self.center += self.value[first + l] * (moments[l] / self.mass);
            }
            self.center_velocity += self.momentum[*first] / self.mass;
            self.center_bias += self.weighted_bias[*first] / self.mass;
            let weighted_columns = &self.weighted_columns[first * dim..][..dim];
            self.center_columns.iter_mut().zip(weighted_columns).for_each(|(c, h)| *c += *h / self.mass);
        }
    }

    pub(crate) fn center_velocity(&self) -> Vec3 {
        self.center_velocity
    }
    pub(crate) fn is_finite(&self) -> bool {
        let all = [&self.value, &self.rate, &self.bias, &self.columns];
        all.into_iter().all(|vectors| vectors.iter().all(|v| v.is_finite()))
    }
    /// The angular velocity of the first piece.
    pub(crate) fn turning(&self) -> Vec3 {
        let (basis, first, _) = &self.pieces[0];
        if *basis == Basis::Point {
            return Vec3::ZERO;
        }
        let turn = |i: usize| self.value[first + i].cross(self.rate[first + i]);
        (turn(1) + turn(2) + turn(3)) * 0.5
    }
    /// Where the body's own frame has its origin.
    pub(crate) fn origin(&self) -> Vec3 {
        self.value[0]
    }
    /// Images of the first piece's axes: what a drawing stretches shapes by. Of unit length and perpendicular for rigid pieces.
    pub(crate) fn shape(&self) -> Mat3 {
        self.frame_of_piece(0).1
    }

    /// Origin, images of the axes, and the frame made from these, at the origin of a piece.
    pub(crate) fn frame_of_piece(&self, piece: usize) -> (Vec3, Mat3, Quat) {
        self.frame_at(piece, Vec3::ZERO)
    }

    /// The same at a material point of a piece.
    pub(crate) fn frame_at(&self, piece: usize, at: Vec3) -> (Vec3, Mat3, Quat) {
        let (basis, first, _) = &self.pieces[piece];
        let vectors = &self.value[*first..*first + basis.len()];
        if *basis == Basis::Point {
            return (vectors[0], Mat3::IDENTITY, Quat::IDENTITY);
        }
        let sum = |weights: [f64; MAX_BASIS]| {
            let counted = weights.into_iter().zip(vectors).filter(|(w, _)| *w != 0.0);
            counted.fold(Vec3::ZERO, |sum, (w, g)| sum + *g * w)
        };
        let (place, [x, y, z]) = (sum(basis.at(at)), basis.slopes(at).map(sum));
        let still = |v: Vec3| v.to_array().map(Jet::constant);
        let axes = orthonormal([still(x), still(y)]).map(|a| vec3(a[0].value, a[1].value, a[2].value));
        let rot = Quat::from_matrix(&Mat3::from_columns(axes[0], axes[1], axes[2]));
        (place, Mat3::from_columns(x, y, z), rot)
    }

    /// The centre of mass of a piece; its place if it has no mass.
    pub(crate) fn center_of_piece(&self, piece: usize) -> Vec3 {
        let (basis, first, moments) = &self.pieces[piece];
        let (mass, vectors) = (moments[0], &self.value[*first..*first + basis.len()]);
        match mass > 0.0 {
            true => vectors.iter().zip(moments).fold(Vec3::ZERO, |sum, (g, m)| sum + *g * (m / mass)),
            false => vectors[0],
        }
    }
    /// How many pieces it has.
    pub(crate) fn pieces(&self) -> usize {
        self.pieces.len()
    }
    /// Whether the axes of a piece differ from point to point.
    pub(crate) fn bends(&self, piece: usize) -> bool {
        self.pieces[piece].0 == Basis::Quadratic
    }
    /// Whether a piece has axes, and not a place alone.
    pub(crate) fn piece_has_axes(&self, piece: usize) -> bool {
        self.pieces[piece].0 != Basis::Point
    }

    /// Packed lower half of M.
    pub(crate) fn mass_matrix(&self, out: &mut [f64]) {
        let dim = self.dim;
        out.fill(0.0);
        for (columns, weighted_columns) in
            self.columns.chunks_exact(dim).zip(self.weighted_columns.chunks_exact(dim))
        {
            let mut at = 0;
            for (i, column) in columns.iter().enumerate() {
                if *column == Vec3::ZERO {
                    at += i + 1;
                    continue;
                }
                for h in &weighted_columns[..=i] {
                    out[at] += column.dot(*h);
                    at += 1;
                }
            }
        }
    }

    /// −Σ m_kl G_kᵀ b_l.
    pub(crate) fn inertial_force(&self, out: &mut [f64]) {
        out.fill(0.0);
        for (columns, bias) in self.columns.chunks_exact(self.dim).zip(&self.weighted_bias) {
            out.iter_mut().zip(columns).for_each(|(out, column)| *out -= column.dot(*bias));
        }
    }

    /// Adds weight, elastic forces and damping; returns the power that becomes heat.
    pub(crate) fn add_own_forces(
        &mut self,
        made: &GeneralBody,
        gravity: Vec3,
        (q, v): (&[f64], &[f64]),
        out: &mut [f64],
    ) -> f64 {
        let weight = gravity * self.mass;
        out.iter_mut().zip(&self.center_columns).for_each(|(out, column)| *out += column.dot(weight));
        let own = self.jets.len() / 2;
        let skip = self.dim - own;
        made.form.push(&q[q.len() - own..], &v[skip..], &mut self.jets, &mut out[skip..])
    }

    /// ½ Σ m_kl ġ_k·ġ_l.
    pub(crate) fn kinetic_energy(&self) -> f64 {
        0.5 * self.rate.iter().zip(&self.momentum).map(|(rate, p)| rate.dot(*p)).sum::<f64>()
    }
    /// Sizes of the terms of [`GeneralMotion::momentum`].
    pub(crate) fn momentum_sizes(&self) -> (f64, f64) {
        let terms = self.value.iter().zip(&self.momentum).map(|(g, p)| (p.reach(), g.reach() * p.reach()));
        terms.fold((0.0, 0.0), |sum, term| (sum.0 + term.0, sum.1 + term.1))
    }
    /// Momentum, and angular momentum about the world's origin.
    pub(crate) fn momentum(&self) -> (Vec3, Vec3) {
        self.sum(|k| self.momentum[k])
    }
    /// The change of both with generalised accelerations (`with_bias`), or with a jump of velocities (without).
    pub(crate) fn momentum_rate(&self, acc: &[f64], with_bias: bool) -> (Vec3, Vec3) {
        self.sum(|k| {
            let weighted_columns = &self.weighted_columns[k * self.dim..][..self.dim];
            let start = if with_bias { self.weighted_bias[k] } else { Vec3::ZERO };
            weighted_columns.iter().zip(acc).fold(start, |sum, (h, a)| sum + *h * *a)
        })
    }
    /// Σ of the first vector of each piece, Σ g × p.
    fn sum(&self, of: impl Fn(usize) -> Vec3) -> (Vec3, Vec3) {
        let (mut linear, mut angular) = (Vec3::ZERO, Vec3::ZERO);
        for (basis, first, _) in &self.pieces {
            for k in *first..*first + basis.len() {
                let p = of(k);
                angular += self.value[k].cross(p);
                if k == *first {
                    linear += p;
                }
            }
        }
        (linear, angular)
    }

    /// A generalised force as the mechanism as a whole feels it: force, and moment about the world's origin. Nothing where the world
    /// holds the body: what it has then follows from its motion.
    pub(crate) fn resultant(&self, pull: &[f64]) -> (Vec3, Vec3) {
        let at = |i: usize| vec3(pull[i], pull[i + 1], pull[i + 2]);
        match self.base {
            BaseFrame::Fixed => (Vec3::ZERO, Vec3::ZERO),
            BaseFrame::Floating => (at(0), self.base_pos.cross(at(0)) + at(3)),
            BaseFrame::World => self.sum(|k| at(3 * k)),
        }
    }
}

/// Kinematics of a carrier.
#[derive(Clone, Debug)]
struct CarrierMotion {
    carrier: Carrier,
    turns: bool,
    rigid: bool,
    first: usize,
    weights: [f64; MAX_BASIS],
    slopes: [[f64; MAX_BASIS]; 3],
    count: usize,
    motion: Motion,
    bias: Vec3,
    bias_omega: Vec3,
    /// Sizes of the numbers that formed place and velocity.
    sizes: [f64; 2],
    /// ∂x/∂v_j and the angular part.
    columns: Vec<[Vec3; 2]>,
}

impl CarrierMotion {
    fn new(carrier: &Carrier, general: &GeneralMotion) -> Self {
        let (basis, first, _) = &general.pieces[carrier.piece];
        CarrierMotion {
            carrier: *carrier,
            turns: *basis != Basis::Point,
            rigid: carrier.rigid,
            first: *first,
            weights: basis.at(carrier.at),
            slopes: basis.slopes(carrier.at),
            count: basis.len(),
            motion: Motion::GROUND,
            bias: Vec3::ZERO,
            bias_omega: Vec3::ZERO,
            sizes: [0.0; 2],
            columns: vec![[Vec3::ZERO; 2]; general.dim],
        }
    }

    fn copy_from(&mut self, other: &CarrierMotion) {
        (self.motion, self.bias, self.bias_omega) = (other.motion, other.bias, other.bias_omega);
        self.columns.copy_from_slice(&other.columns);
        self.sizes = other.sizes;
    }

    fn write(&mut self, general: &GeneralMotion) {
        let of = |vectors: &[Vec3]| self.sum(&self.weights, vectors, 0, 1);
        let (pos, vel, bias) = (of(&general.value), of(&general.rate), of(&general.bias));
        (self.motion.pos, self.motion.vel, self.bias) = (pos, vel, bias);
        self.sizes = [0.0; 2];
        for (w, sizes) in self.weights[..self.count].iter().zip(&general.sizes[self.first..]) {
            self.sizes[0] += w.abs() * sizes[0];
            self.sizes[1] += w.abs() * sizes[1];
        }
        for j in 0..general.dim {
            self.columns[j][0] = self.sum(&self.weights, &general.columns, j, general.dim);
        }
        if self.turns {
            self.turn(general);
        }
    }

    /// Σ_k w_k g_k, of vectors that come in rows of `width`.
    #[inline]
    fn sum(&self, weights: &[f64; MAX_BASIS], vectors: &[Vec3], column: usize, width: usize) -> Vec3 {
        let mut sum = Vec3::ZERO;
        for (k, w) in weights[..self.count].iter().enumerate() {
            if *w != 0.0 {
                sum += vectors[(self.first + k) * width + column] * *w;
            }
        }
        sum
    }

    /// Axes, angular velocity, its bias and columns, from the images of the body's directions.
    fn turn(&mut self, general: &GeneralMotion) {
        let of = |vectors: &[Vec3]| images_of(self, vectors, 0, 1);
        let (value, rate, bias) = (of(&general.value), of(&general.rate), of(&general.bias));
        // ω = ½ Σ a × ȧ, and likewise its rate, since ȧ × ȧ = 0.
        let turning = |axes: [Vec3; 3], rates: [Vec3; 3]| {
            (axes[0].cross(rates[0]) + axes[1].cross(rates[1]) + axes[2].cross(rates[2])) * 0.5
        };
        if self.rigid {
            let [x, y, z] = value;
            let axes = Mat3::from_columns(x, y, z);
            let (omega, bias_omega) = (turning(value, rate), turning(value, bias));
            for j in 0..general.dim {
                self.columns[j][1] = turning(value, images_of(self, &general.columns, j, general.dim));
            }
            return self.set_turn(axes, omega, bias_omega);
        }
        let jets = |i: usize| {
            let (a, b, c) = (value[i], rate[i], bias[i]);
            [Jet::new(a.x, b.x, c.x), Jet::new(a.y, b.y, c.y), Jet::new(a.z, b.z, c.z)]
        };
        let moving = orthonormal([jets(0), jets(1)]);
        let part = |of: fn(&Jet) -> f64| moving.map(|axis| vec3(of(&axis[0]), of(&axis[1]), of(&axis[2])));
        let axes = part(|x| x.value);
        let (omega, bias_omega) = (turning(axes, part(|x| x.rate)), turning(axes, part(|x| x.second)));
        // With l = |a|, b = p x + r y for the images a and b of x and y: what their changes turn.
        let [x, y, z] = axes;
        let (l, p, r) = (value[0].norm(), value[1].dot(x), value[1].dot(y));
        for j in 0..general.dim {
            let [da, db, _] = images_of(self, &general.columns, j, general.dim);
            let (up, aside) = (da.dot(z) / l, da.dot(y) / l);
            self.columns[j][1] = x * ((db.dot(z) - p * up) / r) - y * up + z * aside;
        }
        self.set_turn(Mat3::from_columns(x, y, z), omega, bias_omega);
    }

    /// Sizes of the terms that form a column of ∂x/∂v and of its angular part.
    fn sizes_of_column(&self, general: &GeneralMotion, j: usize) -> [f64; 2] {
        let sizes = |weights: &[f64; MAX_BASIS]| {
            let mut sum = 0.0;
            for (k, w) in weights[..self.count].iter().enumerate() {
                sum += w.abs() * general.columns[(self.first + k) * general.dim + j].largest();
            }
            sum
        };
        let shift = sizes(&self.weights);
        if !self.turns {
            return [shift, 0.0];
        }
        let images = [0, 1, 2].map(|i| sizes(&self.slopes[i]));
        if self.rigid {
            return [shift, 0.5 * (images[0] + images[1] + images[2])];
        }
        // As in `turn`, with p no larger than b.
        let value = images_of(self, &general.value, 0, 1);
        let (l, b, r) = (value[0].norm(), value[1].norm(), value[1].dot(self.motion.axes.y));
        [shift, images[0] / l * (1.0 + b / r.abs()) + images[1] / r.abs()]
    }

    fn set_turn(&mut self, axes: Mat3, omega: Vec3, bias_omega: Vec3) {
        (self.motion.axes, self.motion.rot) = (axes, Quat::from_matrix(&axes));
        (self.motion.omega, self.bias_omega) = (omega, bias_omega);
    }

    #[inline]
    fn attach(&self, local: &Frame) -> FrameMotion {
        let motion = &self.motion;
        let arm = motion.axes * local.pos;
        let spin = motion.omega.cross(arm);
        FrameMotion {
            pos: motion.pos + arm,
            rot: motion.rot * local.rot,
            arm,
            vel: motion.vel + spin,
            omega: motion.omega,
            bias: self.bias + self.bias_omega.cross(arm) + motion.omega.cross(spin),
            bias_omega: self.bias_omega,
            reach: self.sizes[0] + arm.largest(),
            flow: self.sizes[1],
        }
    }

    fn pull_back(&self, arm: Vec3, wrench: Wrench, out: &mut [f64]) {
        let turn = wrench.torque + arm.cross(wrench.force);
        for (out, [shift, spin]) in out.iter_mut().zip(&self.columns) {
            *out = shift.dot(wrench.force) + spin.dot(turn);
        }
    }

    fn push_forward(&self, arm: Vec3, v: &[f64]) -> (Vec3, Vec3) {
        let (mut vel, mut omega) = (Vec3::ZERO, Vec3::ZERO);
        for ([shift, spin], v) in self.columns.iter().zip(v) {
            vel += *shift * *v;
            omega += *spin * *v;
        }
        (vel + omega.cross(arm), omega)
    }
}

/// Images of the body's directions in rows of vectors.
#[inline]
fn images_of(carried: &CarrierMotion, vectors: &[Vec3], column: usize, width: usize) -> [Vec3; 3] {
    [0, 1, 2].map(|i| carried.sum(&carried.slopes[i], vectors, column, width))
}

/// A frame from two directions (Gram and Schmidt): x along the first, y in their plane, z across.
fn orthonormal([a, b]: [[Jet; 3]; 2]) -> [[Jet; 3]; 3] {
    use super::Number;
    let dot = |a: &[Jet; 3], b: &[Jet; 3]| a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    let unit = |v: [Jet; 3]| {
        let size = Number::sqrt(dot(&v, &v));
        v.map(|x| x / size)
    };
    let x = unit(a);
    let along = dot(&b, &x);
    let y = unit(core::array::from_fn(|k| b[k] - x[k] * along));
    let z = core::array::from_fn(|k| x[(k + 1) % 3] * y[(k + 2) % 3] - x[(k + 2) % 3] * y[(k + 1) % 3]);
    [x, y, z]
}
