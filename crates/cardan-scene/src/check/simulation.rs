//! Checks of `[simulation]`: times, tolerances, and what each integrator can do.

use super::{Check, CheckResult};
use crate::document::FieldPath;
use crate::scene::{
    CoordinatesDesc, FrictionDesc, IntegratorDesc, JointDesc, OverlapsDesc, Scene, SimulationDesc,
    StabilizationDesc, StartDesc,
};

impl Check<'_> {
    pub(super) fn simulation(&self, scene: &Scene) -> CheckResult {
        let path = FieldPath::from("simulation");
        let times = &scene.simulation;
        let all =
            [("until", times.until), ("dt", times.dt), ("record", times.record), ("max_dt", times.max_dt)];
        for (field, time) in all {
            let Some(time) = time else { continue };
            if time.0 < 0.0 || (time.0 == 0.0 && field != "until") {
                return Err(self.bad(
                    path.join(field),
                    format!("{} s is out of range", time.0),
                    "give a positive time",
                ));
            }
        }
        if times.start == Some(StartDesc::Equilibrium) && !scene.script.is_empty() {
            let message = "an equilibrium is of all parts, and a script switches some of them";
            let help = "leave out `start` or the script; `cardan equilibrium --save` and `cardan run --from` go on from a state";
            return Err(self.bad(path.join("start"), message, help));
        }
        self.tolerances(&path, times)?;
        self.integrator(&path, times)
    }

    fn tolerances(&self, path: &FieldPath, times: &SimulationDesc) -> CheckResult {
        const LEAST: f64 = cardan::ErrorControl::LEAST;
        let relative = times.relative_tolerance.map(|t| t.0);
        if let Some(t) = relative.filter(|t| !(LEAST..=0.1).contains(t)) {
            let help = format!("give a number from {LEAST:e} to 0.1, such as 1e-8");
            return Err(self.bad(path.join("relative_tolerance"), format!("{t:e} cannot be kept"), &help));
        }
        if let Some(t) = times.absolute_tolerance.map(|t| t.0).filter(|t| *t <= 0.0) {
            let help = "give a number larger than zero, such as 1e-10 (m, rad, m/s, rad/s)";
            return Err(self.bad(path.join("absolute_tolerance"), format!("{t:e} cannot be kept"), help));
        }
        const LOOSEST: f64 = cardan::Settings::LOOSEST_GEOMETRY;
        if let Some(t) = times.geometry_tolerance.map(|t| t.0).filter(|t| !(0.0..=LOOSEST).contains(t)) {
            let help = format!("give a number from 0 to {LOOSEST:e}, such as 1e-6");
            return Err(self.bad(path.join("geometry_tolerance"), format!("{t:e} is out of range"), &help));
        }
        Ok(())
    }

    /// Settings that belong to one integrator, and combinations that an integrator cannot do.
    fn integrator(&self, path: &FieldPath, times: &SimulationDesc) -> CheckResult {
        let integrator = times.integrator.unwrap_or_default();
        let given = [
            ("relative_tolerance", times.relative_tolerance.is_some()),
            ("absolute_tolerance", times.absolute_tolerance.is_some()),
            ("max_dt", times.max_dt.is_some()),
        ];
        if integrator != IntegratorDesc::Dopri5
            && let Some((field, _)) = given.iter().find(|(_, given)| *given)
        {
            let message = format!("`{field}` does not belong to an integrator with steps of one size");
            let help = "it belongs to: integrator = \"dopri5\"".to_string();
            return Err(self.misplaced(path, field, message, Some(help)));
        }
        let by_size = [
            IntegratorDesc::Auto,
            IntegratorDesc::Rk4,
            IntegratorDesc::ExplicitEuler,
            IntegratorDesc::SemiImplicitEuler,
        ];
        if times.studies() && !by_size.contains(&integrator) {
            let message = "a rule for study takes steps of one size";
            let help = "use integrator = \"rk4\", \"explicit-euler\" or \"semi-implicit-euler\"";
            return Err(self.bad(path.join("inequality_study"), message, help));
        }
        let projects = times.stabilization.unwrap_or_default() == StabilizationDesc::Projection
            && times.coordinates != Some(CoordinatesDesc::Joints);
        if times.overlaps == Some(OverlapsDesc::Resolve) && !projects {
            let message = "overlaps are resolved by projection of the poses of bodies";
            let help = "leave out `stabilization` and `coordinates`, or this";
            return Err(self.bad(path.join("overlaps"), message, help));
        }
        let other = times.stabilization.is_some_and(|s| s != StabilizationDesc::Projection);
        if integrator == IntegratorDesc::Rattle && other {
            let message = "the integrator `rattle` closes the joints itself";
            return Err(self.bad(path.join("stabilization"), message, "leave it out"));
        }
        if let IntegratorDesc::Rattle | IntegratorDesc::FirstOrder = integrator
            && times.coordinates == Some(CoordinatesDesc::Joints)
        {
            let name = if integrator == IntegratorDesc::Rattle { "rattle" } else { "first-order" };
            let message = format!("the integrator `{name}` cannot carry joint coordinates");
            let help = "leave it out, or use rk4, dopri5, semi-implicit-euler or explicit-euler";
            return Err(self.bad(path.join("coordinates"), message, help));
        }
        Ok(())
    }

    pub(super) fn restitution_threshold(&self, simulation: &SimulationDesc) -> CheckResult {
        let Some(speed) = simulation.restitution_threshold.filter(|speed| speed.0 < 0.0) else {
            return Ok(());
        };
        let path = FieldPath::item("simulation", "restitution_threshold");
        Err(self.bad(
            path,
            format!("{} is out of range", speed.0),
            "give 0 or more: at 0 every impact rebounds",
        ))
    }

    /// The rules for study take inequalities and limits only.
    pub(super) fn inequality_study(&self, scene: &Scene) -> CheckResult {
        if !scene.simulation.studies() {
            return Ok(());
        }
        if scene.has_contacts() {
            let path = FieldPath::item("simulation", "inequality_study");
            let message = "the rules for study take inequalities and limits, but no contacts";
            let help = "leave it out, or the contacts; a wall may be an inequality of kind `half-plane`";
            return Err(self.bad(path, message, help));
        }
        let holds =
            |friction: &FrictionDesc| friction.regularization_speed.is_none() && friction.coulomb.is_some();
        let sticks =
            |desc: &JointDesc| desc.friction.as_ref().is_some_and(|list| list.as_slice().iter().any(holds));
        if let Some((name, _)) = scene.joints.iter().find(|(_, desc)| sticks(desc)) {
            let message = "the rules for study take inequalities and limits, but no static friction";
            let help = "give the friction a `regularization_speed`, or leave `inequality_study` out";
            return Err(self.bad(FieldPath::item("joints", name).join("friction"), message, help));
        }
        Ok(())
    }
}
