//! The present instant as arrays of numbers, in the order of the scene's parts. A part that is switched off has NaN.
//!
//! What needs no solution of the equations is read from the kinematics; the rest is solved once per instant, for all.

use super::{Player, ViewError};
use crate::info;
use cardan::math::Vec3;
use cardan::measure::BodyMotion;
use cardan::{BodyId, ConstraintId, Energy, ForceId, JointId, Model, ProbeId, Wrench};
use cardan_scene::{Column, Columns};
use std::collections::BTreeMap;

/// What was solved for one instant.
#[derive(Debug, Default)]
pub(super) struct Solved {
    contacts: Vec<f64>,
    reactions: Vec<f64>,
    forces: Vec<f64>,
    /// Force or torque of drives by joint and coordinate.
    driven: BTreeMap<(usize, usize), f64>,
    grip: [f64; 3],
    /// Values of all channels, where they were asked for.
    channels: Option<Vec<f64>>,
}

/// More rows than this and self-stresses are not looked for: all reactions count as unique if rank and rows agree.
const MOST_ROWS: usize = 600;

/// Three numbers of a record.
fn put(out: &mut [f64], at: usize, v: Vec3) {
    out[at..at + 3].copy_from_slice(&v.to_array());
}

impl Player {
    pub(super) fn motions_by_body(&mut self) -> Result<Vec<Option<BodyMotion>>, ViewError> {
        let mut all = Vec::new();
        self.scripted.world.body_motions(&mut all)?;
        let mut out = vec![None; self.model.bodies().len()];
        for (id, motion) in all {
            if let Some(place) = out.get_mut(id.index()) {
                *place = Some(motion);
            }
        }
        Ok(out)
    }

    /// Seven numbers per body: origin of its frame, and its orientation w, x, y, z.
    ///
    /// # Errors
    /// If the parts cannot be put together.
    pub fn poses(&mut self) -> Result<Vec<f64>, ViewError> {
        let number = |motion: Option<BodyMotion>| {
            motion.map_or([f64::NAN; 7], |m| {
                let ([x, y, z], [a, b, c, d]) = (m.frame_position.to_array(), m.orientation.to_wxyz());
                [x, y, z, a, b, c, d]
            })
        };
        Ok(self.motions_by_body()?.into_iter().flat_map(number).collect())
    }

    /// Nine numbers per body: centre of mass, its velocity, angular velocity.
    ///
    /// # Errors
    /// If the parts cannot be put together.
    pub fn motions(&mut self) -> Result<Vec<f64>, ViewError> {
        let number = |motion: Option<BodyMotion>| {
            let mut out = [f64::NAN; 9];
            if let Some(m) = motion {
                put(&mut out, 0, m.position);
                put(&mut out, 3, m.velocity);
                put(&mut out, 6, m.angular_velocity);
            }
            out
        };
        Ok(self.motions_by_body()?.into_iter().flat_map(number).collect())
    }

    /// Twelve numbers per piece that deforms: axes as columns, origin.
    ///
    /// # Errors
    /// If the parts cannot be put together.
    pub fn deformations(&mut self) -> Result<Vec<f64>, ViewError> {
        let pieces = info::deformed(&self.model);
        let mut out = vec![f64::NAN; 12 * pieces.len()];
        if pieces.is_empty() {
            return Ok(out);
        }
        self.scripted.world.each_island(|island| {
            for (i, id) in island.bodies().enumerate() {
                for (k, (_, piece)) in pieces.iter().enumerate().filter(|(_, p)| p.0 == id.index()) {
                    let at = island.instant.point_of_piece(BodyId::of_index(i), *piece, Vec3::ZERO);
                    let Some((origin, mut axes)) = at else { continue };
                    if *piece == 0 {
                        axes = island.instant.deformation_of_body(BodyId::of_index(i));
                    }
                    for (c, v) in [axes.x, axes.y, axes.z, origin].into_iter().enumerate() {
                        put(&mut out, 12 * k + 3 * c, v);
                    }
                }
            }
        })?;
        Ok(out)
    }

    /// Two numbers per joint coordinate: value, turns counted, and rate.
    ///
    /// # Errors
    /// If the parts cannot be put together.
    pub fn coordinates(&mut self) -> Result<Vec<f64>, ViewError> {
        let first = info::first_coordinates(&self.model);
        let count = info::coordinates(&self.model).count();
        let mut out = vec![f64::NAN; 2 * count];
        self.scripted.world.each_island(|island| {
            for (j, id) in island.joints().enumerate() {
                let Some(&at) = first.get(id.index()) else { continue };
                let joint = island.instant.joint(JointId::of_index(j));
                for k in 0..joint.count {
                    out[2 * (at + k)] = joint.coordinates[k];
                    out[2 * (at + k) + 1] = joint.rates[k];
                }
            }
        })?;
        Ok(out)
    }

    /// Six numbers per probe: position and velocity.
    ///
    /// # Errors
    /// If the parts cannot be put together.
    pub fn probes(&mut self) -> Result<Vec<f64>, ViewError> {
        let mut out = vec![f64::NAN; 6 * self.model.probes().len()];
        for (i, probe) in self.model.probes().iter().enumerate().filter(|(_, probe)| probe.body().is_none()) {
            // A probe on the ground is in no island.
            if let Some(described) = self.scripted.world.find_probe(&probe.name) {
                let at = self.scripted.world.describe_probe(described).map(|probe| probe.point);
                put(&mut out, 6 * i, at.unwrap_or(Vec3::ZERO));
                put(&mut out, 6 * i + 3, Vec3::ZERO);
            }
        }
        self.scripted.world.each_island(|island| {
            for (i, id) in island.probes().enumerate() {
                if 6 * id.index() >= out.len() {
                    continue;
                }
                let probe = island.instant.probe(ProbeId::of_index(i));
                put(&mut out, 6 * id.index(), probe.position);
                put(&mut out, 6 * id.index() + 3, probe.velocity);
            }
        })?;
        Ok(out)
    }

    /// Lines that constraints draw: records of 1 for those on top of bodies or 0, the number of points, the points.
    ///
    /// # Errors
    /// If the parts cannot be put together.
    pub fn outlines(&mut self) -> Result<Vec<f64>, ViewError> {
        let own = self.model.constraints().len();
        let mut out = Vec::new();
        self.scripted.world.each_island(|island| {
            let constraints = island.instant.model().constraints().iter().zip(island.constraints());
            for (i, (constraint, id)) in constraints.enumerate() {
                if id.index() >= own {
                    continue;
                }
                let outline = island.instant.constraint_outline(ConstraintId::of_index(i));
                let count = outline.len();
                for (n, line) in outline.into_iter().enumerate() {
                    let on_top = count - n <= constraint.marks();
                    out.extend([f64::from(u8::from(on_top)), line.len() as f64]);
                    out.extend(line.iter().flat_map(|p| p.to_array()));
                }
            }
        })?;
        Ok(out)
    }

    /// Grips and nails: records of 8: kind (0 spring, 1 exact, 2 nail, 3 first order), body, point on the body, target.
    ///
    /// # Errors
    /// If the parts cannot be put together.
    pub fn grips(&mut self) -> Result<Vec<f64>, ViewError> {
        let mut all: Vec<(f64, usize, usize, Vec3, Vec3)> = Vec::new();
        if let Some(grip) = &self.hand.grip {
            let kind = if grip.exact { 1.0 } else { 0.0 };
            all.push((kind, grip.body, grip.end.piece(), grip.point, grip.target));
        }
        if let Some(held) = &self.manipulation {
            all.push((3.0, held.body, held.piece(), held.point, held.target));
        }
        for nail in self.hand.nails.iter().flatten() {
            all.push((2.0, nail.body, nail.piece as usize, nail.point, nail.at));
        }
        let mut out = Vec::with_capacity(8 * all.len());
        for (kind, body, piece, point, target) in all {
            let nowhere = Vec3::new(f64::NAN, f64::NAN, f64::NAN);
            let at = self.place_of(BodyId::of_index(body), piece, point).unwrap_or(nowhere);
            out.extend([kind, body as f64]);
            out.extend(at.to_array());
            out.extend(target.to_array());
        }
        Ok(out)
    }

    /// Lowest and highest corner of a box around centres of mass, joints and shapes of bodies \[m\].
    pub(super) fn extent(&mut self) -> Result<(Vec3, Vec3), ViewError> {
        let motions = self.motions_by_body()?;
        let [low, high] = info::bounds(&self.model, &self.scripted.world, &motions);
        Ok((low.into(), high.into()))
    }

    /// Solves the present instant, unless that was done.
    fn solve(&mut self) -> Result<&mut Solved, ViewError> {
        if self.solved.is_none() {
            let solved = self.solve_now()?;
            self.solved = Some(Box::new(solved));
        }
        self.solved.as_deref_mut().ok_or_else(|| ViewError::request("nothing was solved"))
    }

    fn solve_now(&mut self) -> Result<Solved, ViewError> {
        let (model, grip) = (self.model.clone(), self.hand.grip.as_ref().map(|grip| grip.part()));
        let (joints, constraints) = (model.joints().len(), model.constraints().len());
        let mut solved = Solved {
            reactions: vec![f64::NAN; 10 * (joints + constraints)],
            forces: vec![f64::NAN; 10 * model.forces().len()],
            ..Solved::default()
        };
        self.scripted.world.each_island_solved(|island| {
            let (now, own) = (&island.instant, island.instant.model());
            let bodies: Vec<BodyId> = island.bodies().collect();
            let body = |id: Option<BodyId>| id.map_or(-1.0, |id| bodies[id.index()].index() as f64);
            for contact in now.contacts() {
                let mut out = [0.0; 12];
                put(&mut out, 0, contact.point);
                put(&mut out, 3, contact.normal);
                put(&mut out, 6, contact.force);
                (out[9], out[10]) = (body(contact.bodies[0]), body(contact.bodies[1]));
                out[11] = f64::from(u8::from(contact.slides));
                solved.contacts.extend(out);
            }
            let rows = own.counts().rows;
            let stresses = if now.rank() == rows { Some(Vec::new()) } else { now.self_stresses(MOST_ROWS) };
            let all_unique =
                |(force, torque): ([bool; 3], [bool; 3])| force == [true; 3] && torque == [true; 3];
            for (j, id) in island.joints().enumerate().filter(|(_, id)| id.index() < joints) {
                let local = JointId::of_index(j);
                let joint = now.joint(local);
                let unique = stresses
                    .as_ref()
                    .is_some_and(|null| all_unique(now.unique_joint_components(local, null)));
                let total = joint.reaction.total();
                write_reaction(&mut solved.reactions[10 * id.index()..], joint.position, total, unique);
                for k in 0..joint.count {
                    solved.driven.insert((id.index(), k), joint.drives[k]);
                }
            }
            for (c, id) in island.constraints().enumerate().filter(|(_, id)| id.index() < constraints) {
                let local = ConstraintId::of_index(c);
                let Some(load) = now.constraint_loads(local).last() else { continue };
                let unique = stresses
                    .as_ref()
                    .is_some_and(|null| all_unique(now.unique_constraint_components(local, null)));
                let at = 10 * (joints + id.index());
                write_reaction(&mut solved.reactions[at..], load.position, load.at_frame, unique);
            }
            for (f, id) in island.forces().enumerate() {
                let loads = now.force_loads(ForceId::of_index(f));
                let (Some(first), Some(last)) = (loads.first(), loads.last()) else { continue };
                if grip == Some(id.into()) {
                    solved.grip = last.1.force.to_array();
                }
                if 10 * id.index() >= solved.forces.len() {
                    continue;
                }
                let out = &mut solved.forces[10 * id.index()..];
                put(out, 0, first.0);
                put(out, 3, last.0);
                put(out, 6, last.1.force);
                // Tension pulls the last point towards the first.
                let apart = (last.0 - first.0).normalized();
                out[9] = match apart.filter(|_| loads.len() > 1) {
                    Some(apart) => -last.1.force.dot(apart),
                    None => last.1.force.norm(),
                };
            }
        })?;
        Ok(solved)
    }

    /// Twelve numbers per contact: point, normal, force on the second body, both bodies, whether it slides.
    ///
    /// # Errors
    /// If the parts cannot be put together.
    pub fn contacts(&mut self) -> Result<Vec<f64>, ViewError> {
        Ok(self.solve()?.contacts.clone())
    }

    /// Ten numbers per joint, then per constraint: point, force, torque, 1 if they are unique.
    ///
    /// # Errors
    /// If the parts cannot be put together.
    pub fn reactions(&mut self) -> Result<Vec<f64>, ViewError> {
        Ok(self.solve()?.reactions.clone())
    }

    /// Ten numbers per force: first point, last point, force on the last one, its signed size.
    ///
    /// # Errors
    /// If the parts cannot be put together.
    pub fn forces(&mut self) -> Result<Vec<f64>, ViewError> {
        Ok(self.solve()?.forces.clone())
    }

    /// Force of the hand on the body that it holds by a spring \[N\].
    ///
    /// # Errors
    /// If the parts cannot be put together.
    pub fn grip_force(&mut self) -> Result<[f64; 3], ViewError> {
        Ok(self.solve()?.grip)
    }

    /// Two numbers per drive: set point, or NaN; force or torque.
    ///
    /// # Errors
    /// If the parts cannot be put together.
    pub fn drives(&mut self) -> Result<Vec<f64>, ViewError> {
        let drives = info::drives(&self.model, &self.scripted.world);
        let set_points = self.hand.set_points.clone();
        let driven = &self.solve()?.driven;
        let number = |(drive, set): (info::Drive, Option<f64>)| {
            [set.unwrap_or(f64::NAN), driven.get(&(drive.joint, drive.k)).copied().unwrap_or(f64::NAN)]
        };
        Ok(drives.into_iter().zip(set_points).flat_map(number).collect())
    }

    /// Names and units of all channels: the columns that `cardan run --out` writes.
    pub fn channel_names(&self) -> Vec<Column> {
        Columns::of(&self.model).all().to_vec()
    }

    /// Values of channels, by index; NaN for those of parts that are switched off.
    ///
    /// # Errors
    /// If the parts cannot be put together.
    pub fn channels(&mut self, indices: &[u32]) -> Result<Vec<f64>, ViewError> {
        if self.solve()?.channels.is_none() {
            let all = self.all_channels()?;
            self.solve()?.channels = Some(all);
        }
        let all = self.solve()?.channels.as_deref().unwrap_or_default();
        Ok(indices.iter().map(|i| all.get(*i as usize).copied().unwrap_or(f64::NAN)).collect())
    }

    fn all_channels(&mut self) -> Result<Vec<f64>, ViewError> {
        let model = self.model.clone();
        let columns = self.columns.get_or_insert_with(|| Box::new(ColumnIndex::of(&model)));
        let energy = self.scripted.world.energy();
        let mut out = vec![f64::NAN; columns.all.all().len()];
        let of_world = out.len() - 5;
        let mut row = Vec::new();
        self.scripted.world.each_island_solved(|island| {
            let own: &Model = island.instant.model();
            row.clear();
            let same = |list: usize, all: usize| list == all;
            let is_whole = same(own.bodies().len(), model.bodies().len())
                && same(own.joints().len(), model.joints().len())
                && same(own.constraints().len(), model.constraints().len())
                && same(own.inequalities().len(), model.inequalities().len())
                && same(own.forces().len(), model.forces().len())
                && same(own.shapes().len(), model.shapes().len())
                && same(own.probes().len(), model.probes().len());
            if is_whole {
                columns.all.write_row(own, &island.instant, &Energy::default(), &mut row);
                out.copy_from_slice(&row);
                return;
            }
            // Part of the mechanism: by name.
            let some = Columns::of(own);
            some.write_row(own, &island.instant, &Energy::default(), &mut row);
            for (column, value) in some.all().iter().zip(&row) {
                if let Some(&at) = columns.by_name.get(&column.name).filter(|at| **at < of_world) {
                    out[at] = *value;
                }
            }
        })?;
        out[0] = self.time();
        let Energy { kinetic, potential, dissipated, work, .. } = energy;
        out[of_world..].copy_from_slice(&[kinetic, potential, dissipated, work, energy.mechanical()]);
        Ok(out)
    }
}

/// Columns of the whole scene, and where they are by name.
#[derive(Debug)]
pub(super) struct ColumnIndex {
    all: Columns,
    by_name: BTreeMap<String, usize>,
}

impl ColumnIndex {
    fn of(model: &Model) -> Self {
        let all = Columns::of(model);
        let by_name = all.all().iter().enumerate().map(|(i, column)| (column.name.clone(), i)).collect();
        ColumnIndex { all, by_name }
    }
}

fn write_reaction(out: &mut [f64], at: Vec3, Wrench { force, torque }: Wrench, unique: bool) {
    put(out, 0, at);
    put(out, 3, force);
    put(out, 6, torque);
    out[9] = f64::from(u8::from(unique));
}
