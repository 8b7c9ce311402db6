//! The summary of a report for people: tables, certificate, energy, timing.

use super::format::{
    format_error, format_number, format_rough, format_vector, largest, plural, without_noise,
};
use super::{Report, contacts, impulses};
use crate::accounts::accounts_word;
use crate::tolerances::{CONTACTS_SOLVED, SHOWN_ROUNDING};
use cardan::Accounts;
use cardan::Wrench;
use cardan::math::Vec3;
use cardan::measure::JointReport;
use cardan::{BodyId, ForceId, JointId, ProbeId};
use cardan_scene::columns::screws::{own_constraints, thread_of};
use std::fmt::Write;

/// The summary shows this many bodies and joints; JSON has them all.
const SHOWN: usize = 12;

impl Report<'_> {
    /// What is simulated: the head of every summary.
    pub(crate) fn head(&self) -> String {
        let c = &self.counts;
        let redundant = match c.redundant_rows {
            0 => String::new(),
            n => format!(" ({n} redundant)"),
        };
        format!(
            "{}\n  {}, {}: {}, {}{redundant}, {}; solver: {}\n",
            self.title,
            plural(c.bodies, "body", "bodies"),
            plural(c.joints, "joint", "joints"),
            plural(c.coordinates, "coordinate", "coordinates"),
            plural(c.rows, "row", "rows"),
            plural(c.freedoms, "freedom", "freedoms"),
            self.solver,
        )
    }

    /// Why the run ended early; nothing if it did not.
    pub(crate) fn failure(&self) -> String {
        match self.status.strip_prefix("failed: ") {
            Some(why) => format!("  failed: {why}\n"),
            None => String::new(),
        }
    }

    /// The speed beside which what the contact solver of time stepping leaves is rounding: a body that rests may keep
    /// [`CONTACTS_SOLVED`] of the speed that gravity gives in a step.
    fn solved_speed(&self) -> f64 {
        match self.takes_impulses && self.steps > 0 {
            true => {
                let step = self.instant.time() / self.steps as f64;
                CONTACTS_SOLVED / SHOWN_ROUNDING * self.model.gravity().norm() * step
            }
            false => 0.0,
        }
    }

    /// Bodies, joints and probes as tables.
    pub(crate) fn tables(&self) -> String {
        const MOTION: [&str; 3] = ["position [m]", "velocity [m/s]", "acceleration [m/s²]"];
        let mut text = String::new();
        let model = self.model;
        let bodies: Vec<[Vec3; 3]> = (0..model.bodies().len())
            .map(|i| {
                let b = self.instant.body(BodyId::of_index(i));
                [b.position, b.velocity, b.acceleration]
            })
            .collect();
        let probes: Vec<[Vec3; 3]> = (0..model.probes().len())
            .map(|i| {
                let p = self.instant.probe(ProbeId::of_index(i));
                [p.position, p.velocity, p.acceleration]
            })
            .collect();
        // Rounding is relative to the whole mechanism.
        let mut sizes = [0, 1, 2].map(|k| largest(bodies.iter().chain(&probes).map(|row| row[k])));
        // Fast rotations have velocities that cancel, gravity accelerations that cancel.
        let spin =
            largest((0..bodies.len()).map(|i| self.instant.body(BodyId::of_index(i)).angular_velocity));
        sizes[1] = sizes[1].max(spin * sizes[0]).max(self.solved_speed());
        sizes[2] = sizes[2].max(model.gravity().norm()).max(spin * spin * sizes[0]);
        let cells =
            |row: &[Vec3; 3]| row.iter().zip(sizes).map(|(v, size)| format_vector(*v, size)).collect();
        let names = model.bodies().iter().map(|b| b.name.as_str());
        table(&mut text, "body", &MOTION, names, |i| cells(&bodies[i]));
        let turning: Vec<usize> =
            (0..bodies.len()).filter(|&i| spin > 0.0 && model.bodies()[i].kind.has_orientation()).collect();
        let names = turning.iter().map(|&i| model.bodies()[i].name.as_str());
        table(&mut text, "turning", &["angular velocity [rad/s]"], names, |row| {
            let size = spin.max(self.solved_speed());
            vec![format_vector(self.instant.body(BodyId::of_index(turning[row])).angular_velocity, size)]
        });

        let joints: Vec<JointReport<'_>> =
            (0..model.joints().len()).map(|i| self.instant.joint(JointId::of_index(i))).collect();
        let others = own_constraints(model);
        let constraints: Vec<Wrench> = others.iter().map(|&i| self.load(i)).collect();
        let threads: Vec<Option<usize>> = (0..joints.len()).map(|i| thread_of(model, i)).collect();
        let whole = |i: usize| joints[i].reaction.total() + threads[i].map_or(Wrench::ZERO, |c| self.load(c));
        let force = largest(joints.iter().map(|j| j.reaction.total().force));
        let force = largest(constraints.iter().map(|w| w.force)).max(force);
        let torque = largest(joints.iter().map(|j| j.reaction.total().torque)).max(force);
        let torque = largest(constraints.iter().map(|w| w.torque)).max(torque);
        let names = model.joints().iter().map(|j| j.name.as_str());
        let names: Vec<&str> =
            names.chain(others.iter().map(|&c| model.constraints()[c].name.as_str())).collect();
        let heads = ["kind", "coordinates [rad, m]", "force [N]", "torque [N·m]"];
        table(&mut text, "joint", &heads, names.into_iter(), |i| {
            let Some(j) = joints.get(i) else {
                let (c, w) = (others[i - joints.len()], constraints[i - joints.len()]);
                let kind = model.constraints()[c].kind().to_string();
                return vec![
                    kind,
                    String::new(),
                    format_vector(w.force, force),
                    format_vector(w.torque, torque),
                ];
            };
            let total = whole(i);
            let values: Vec<String> =
                j.coordinates[..j.count].iter().map(|&x| without_noise(x, 1.0)).collect();
            let kind = if threads[i].is_some() { "screw".into() } else { model.joints()[i].kind.to_string() };
            vec![
                kind,
                values.join(", "),
                format_vector(total.force, force),
                format_vector(total.torque, torque),
            ]
        });
        // Rates, where anything moves.
        let fastest = spin.max(sizes[1]);
        let moving: Vec<usize> =
            (0..joints.len()).filter(|&i| fastest > 0.0 && joints[i].count > 0).collect();
        let names = moving.iter().map(|&i| model.joints()[i].name.as_str());
        table(&mut text, "rate", &["[rad/s, m/s]"], names, |row| {
            let j = &joints[moving[row]];
            let rates: Vec<String> = j.rates[..j.count].iter().map(|&x| without_noise(x, fastest)).collect();
            vec![rates.join(", ")]
        });

        let driven: Vec<(usize, usize)> = model
            .joints()
            .iter()
            .enumerate()
            .flat_map(|(i, joint)| {
                (0..joint.kind.coordinates()).filter(|&k| joint.has_drive(k)).map(move |k| (i, k))
            })
            .collect();
        let names = driven.iter().map(|&(i, _)| model.joints()[i].name.as_str());
        table(&mut text, "drive", &["coordinate", "force [N, N·m]", "power [W]"], names, |row| {
            let (i, k) = driven[row];
            let (joint, size) = (&joints[i], force.max(torque));
            let (given, rate) = (joint.drives[k], joint.rates[k]);
            let power = without_noise(given * rate, size * rate.abs().max(1.0));
            vec![k.to_string(), without_noise(given, size), power]
        });

        self.force_table(&mut text);
        let names = model.probes().iter().map(|p| p.name.as_str());
        table(&mut text, "probe", &MOTION, names, |i| cells(&probes[i]));
        text
    }

    /// Forces by their length or angle, or by their load on the last body.
    fn force_table(&self, text: &mut String) {
        let forces = self.model.forces();
        let all: Vec<_> = (0..forces.len()).map(|i| self.instant.force(ForceId::of_index(i))).collect();
        let heads = ["kind", "force [N, N·m]", "length [m, rad]", "rate [m/s, rad/s]", "power [W]"];
        table(text, "force", &heads, forces.iter().map(|f| f.name.as_str()), |i| {
            let at = &all[i];
            let of_line = at.along.map(|at| [at.force, at.length, at.rate]);
            let numbers = of_line.or(at.twist.map(|at| [at.torque, at.angle, at.rate]));
            let kind = forces[i].kind.name().to_string();
            let [force, length, rate] = match (numbers, at.loads.last()) {
                (Some(numbers), _) => numbers.map(format_number),
                (None, Some((_, load))) => {
                    let size = load.force.norm().max(load.torque.norm());
                    let is_torque = load.force == Vec3::ZERO && load.torque != Vec3::ZERO;
                    let vector = if is_torque { load.torque } else { load.force };
                    [format_vector(vector, size), String::new(), String::new()]
                }
                (None, None) => [String::new(), String::new(), String::new()],
            };
            vec![kind, force, length, rate, format_number(at.power)]
        });
    }

    /// The run's certificate.
    pub(crate) fn certificate_text(&self) -> String {
        let instants = self.certificate.instants as usize;
        let taken = match (self.certificate.accounts, instants) {
            (Accounts::EveryStep, _) => "worst over the run".to_string(),
            (accounts, 0) => format!("accounts: {}; no error was measured", accounts_word(accounts)),
            (Accounts::Recorded, _) => {
                format!("worst over {}", plural(instants, "recorded instant", "recorded instants"))
            }
            (Accounts::End | Accounts::Off, _) => "at the end of the run".to_string(),
        };
        let mut text = format!("\ncertificate ({taken})\n");
        if self.is_certified() || self.certificate.accounts == Accounts::EveryStep {
            self.errors_text(&mut text);
        }
        let b = &self.balance;
        certificate_line(&mut text, "energy balance", b.energy_error, "relative to the largest energy seen");
        let what = "relative to the largest momentum seen";
        certificate_line(&mut text, "momentum balance", b.momentum_error, what);
        self.energy_text(&mut text);
        text
    }

    /// The certificate of a single solve: no time has passed, so there is no balance.
    pub(crate) fn solve_text(&self) -> String {
        let mut text = String::from("\ncertificate (at t = 0, nothing moved)\n");
        self.errors_text(&mut text);
        self.energy_text(&mut text);
        text
    }

    /// The certificate of a pose that was found.
    pub(crate) fn pose_text(&self) -> String {
        let mut text = String::from("\ncertificate (of this pose)\n");
        self.errors_text(&mut text);
        self.energy_text(&mut text);
        text
    }

    fn errors_text(&self, text: &mut String) {
        let c = &self.certificate;
        certificate_line(text, "position error", c.max_position_error, "joints closed: |C| in m or rad");
        let what = "and staying so: |J v| in m/s or rad/s";
        certificate_line(text, "velocity error", c.max_velocity_error, what);
        let what = "M v' − F − Jᵀλ and J v' + c, relative to their terms";
        certificate_line(text, "equation residual", c.max_equation_residual, what);
        if c.max_contact_residual > 0.0 {
            let what = "relative to the velocities that contacts stop";
            certificate_line(text, "contact residual", c.max_contact_residual, what);
        }
        if self.may_overlap() {
            let what = "largest penetration at the end of a step, in m or rad";
            certificate_line(text, "overlap", c.max_overlap, what);
        }
    }

    fn energy_text(&self, text: &mut String) {
        impulses::summary(text, &self.impulses);
        contacts::summary(text, self.model, &self.instant, &self.events);
        let e = &self.energy;
        let size = e.kinetic.abs().max(e.potential.abs());
        let [kinetic, potential, dissipated, work] =
            [e.kinetic, e.potential, e.dissipated, e.work].map(|x| without_noise(x, size));
        let loss = match without_noise(e.integration_loss, size).as_str() {
            "0" => String::new(),
            loss => format!(", taken by implicit efforts {loss} J"),
        };
        let _ = writeln!(
            text,
            "\nenergy: kinetic {kinetic} J, potential {potential} J, dissipated {dissipated} J, work {work} J{loss}\n\
             state hash: {:016x}",
            self.state_hash
        );
    }

    /// The warnings, a line each.
    pub(crate) fn warning_lines(&self) -> String {
        self.warnings.iter().map(|warning| format!("  warning: {warning}\n")).collect()
    }

    /// How long it took.
    pub(crate) fn timing(&self, dt: f64, settings: &cardan::Settings) -> String {
        let speed = match self.steps {
            0 => String::new(),
            _ => format!(", {} × real time", format_rough(self.real_time_factor())),
        };
        let steps = plural(self.steps as usize, "step", "steps");
        let steps = if settings.integrator.is_adaptive() {
            format!("{steps}, {} rejected", self.counts.rejected)
        } else {
            let size = if self.steps == 0 { dt } else { dt.min(self.instant.time()) };
            format!("{steps} of {} s", format_number(size))
        };
        format!(
            "  {} s in {steps} ({}) took {} s{speed}\n",
            format_number(self.instant.time()),
            settings_text(settings),
            format_rough(self.wall_seconds),
        )
    }
}

fn certificate_line(text: &mut String, name: &str, value: f64, what: &str) {
    let _ = writeln!(text, "  {name:20} {:>9}   {what}", format_error(value));
}

fn settings_text(settings: &cardan::Settings) -> String {
    let integrator = match settings.integrator {
        cardan::Integrator::ExplicitEuler => "explicit Euler",
        cardan::Integrator::SemiImplicitEuler => "semi-implicit Euler",
        cardan::Integrator::Rk4 | cardan::Integrator::Auto => "RK4",
        cardan::Integrator::Dopri5 => "Dormand–Prince 5(4)",
        cardan::Integrator::Rattle => "RATTLE",
        cardan::Integrator::TimeStepping if settings.is_chosen() => {
            "time stepping, chosen for contacts at many points"
        }
        cardan::Integrator::TimeStepping => "time stepping",
        cardan::Integrator::FirstOrder => "first order, f = m v",
    };
    let stabilization = match settings.stabilization {
        cardan::Stabilization::Projection => "projection",
        cardan::Stabilization::Baumgarte { .. } => "Baumgarte",
        cardan::Stabilization::None => "no stabilisation",
    };
    let coordinates = match settings.coordinates {
        cardan::Coordinates::Bodies | cardan::Coordinates::Auto => "",
        cardan::Coordinates::Joints => ", joint coordinates",
    };
    match settings.integrator {
        cardan::Integrator::Dopri5 => {
            let cardan::ErrorControl { relative, absolute, .. } = settings.control;
            format!("{integrator} to {relative:e} and {absolute:e}, {stabilization}{coordinates}")
        }
        cardan::Integrator::Rattle => integrator.to_string(),
        _ => format!("{integrator}, {stabilization}{coordinates}"),
    }
}

pub(crate) fn table<'n>(
    text: &mut String,
    head: &str,
    columns: &[&str],
    names: impl ExactSizeIterator<Item = &'n str>,
    cells: impl Fn(usize) -> Vec<String>,
) {
    table_of(SHOWN, text, head, columns, names, cells);
}

/// A table of at most so many rows.
pub(crate) fn table_of<'n>(
    most: usize,
    text: &mut String,
    head: &str,
    columns: &[&str],
    names: impl ExactSizeIterator<Item = &'n str>,
    cells: impl Fn(usize) -> Vec<String>,
) {
    let total = names.len();
    if total == 0 {
        return;
    }
    let shown: Vec<_> = names.take(most).enumerate().map(|(i, name)| (name, cells(i))).collect();
    let wide = |s: &str| s.chars().count();
    let mut widths: Vec<usize> = columns.iter().map(|c| wide(c)).collect();
    for (_, cells) in &shown {
        for (width, cell) in widths.iter_mut().zip(cells) {
            *width = (*width).max(wide(cell));
        }
    }
    let first = shown.iter().map(|(name, _)| wide(name)).max().unwrap_or(0).max(wide(head));
    let mut line = |name: &str, cells: &[&str]| {
        let mut row = format!("{name}{}", " ".repeat(first.saturating_sub(wide(name))));
        for (cell, width) in cells.iter().zip(&widths) {
            let _ = write!(row, "   {cell}{}", " ".repeat(width.saturating_sub(wide(cell))));
        }
        let _ = writeln!(text, "{}", row.trim_end());
    };
    line("", &[]);
    line(head, columns);
    for (name, cells) in &shown {
        line(name, &cells.iter().map(String::as_str).collect::<Vec<_>>());
    }
    if total > most {
        let _ = writeln!(text, "… and {} more (all of them with --json)", total - most);
    }
}
