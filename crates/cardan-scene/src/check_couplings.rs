//! Checks of couplers, transmissions, ropes and paths: what must be given is given, names refer to something.

use crate::check::{Check, Checked};
use crate::document::FieldPath;
use crate::error::ErrorKind;
use crate::nearest::nearest;
use crate::scene::{GROUND, JointDesc, JointKind, TermDesc};

impl Check<'_> {
    pub(crate) fn coupling(&self, path: &FieldPath, joint: &JointDesc) -> Checked {
        match joint.kind {
            JointKind::Coupler => self.coupler(path, joint),
            JointKind::Screw => self.screw(path, joint),
            JointKind::RackPinion => {
                self.two_joints(path, joint, "the pinion's hinge and the rack's slide")?;
                self.given(path, "radius", joint.radius.is_some(), "of the pinion: radius = \"20 mm\"")
            }
            JointKind::Worm => self.worm(path, joint),
            JointKind::Belt => self.belt(path, joint),
            JointKind::Rope => self.rope(path, joint),
            JointKind::Follow => self.follow(path, joint),
            JointKind::Orient => {
                let help =
                    "turns = [{ axis = [0, 0, 1], law = { sine = { amplitude = 0.3, frequency = 1 } } }]";
                self.given(path, "turns", joint.turns.is_some(), help)
            }
            _ => Ok(()),
        }
    }

    fn given(&self, path: &FieldPath, field: &str, is_given: bool, help: &str) -> Checked {
        if is_given {
            return Ok(());
        }
        Err(self.missing(path, format!("the field `{field}` is missing"), help))
    }

    fn known_joint(&self, path: &FieldPath, field: FieldPath, name: &str) -> Checked {
        if *path == FieldPath::item("joints", name) {
            return Err(self.bad(field, "it names itself", "name a joint that it couples"));
        }
        if self.document_names("joints").any(|own| own == name) {
            return Ok(());
        }
        let help = match nearest(name, self.document_names("joints")) {
            Some(near) => format!("did you mean `{near}`?"),
            None => "name a joint of this scene".to_string(),
        };
        let message = format!("there is no joint `{}`", crate::document::clip(name));
        Err(self.error(ErrorKind::UnknownName, field, message, Some(help)))
    }

    fn coupler(&self, path: &FieldPath, coupler: &JointDesc) -> Checked {
        if let Some(terms) = &coupler.terms {
            if coupler.equations.is_some() {
                let message = "give `terms` or `equations`, not both".to_string();
                let help = Some("`terms` are those of one equation".to_string());
                return Err(self.misplaced(path, "equations", message, help));
            }
            return self.terms(path, &path.join("terms"), terms);
        }
        let example =
            "what is summed: terms = [{ joint = \"A\", factor = 2 }, { joint = \"B\", factor = -1 }]";
        self.given(path, "terms", coupler.equations.is_some(), example)?;
        if coupler.offset.is_some() {
            let help = Some("every equation has its own `offset`".to_string());
            let message = "`offset` does not belong to a coupler with `equations`".to_string();
            return Err(self.misplaced(path, "offset", message, help));
        }
        let equations = coupler.equations.as_deref().unwrap_or_default();
        if equations.is_empty() {
            let help = "give one or more: equations = [{ terms = […] }, …]";
            return Err(self.bad(path.join("equations"), "the coupler couples nothing", help));
        }
        for (i, equation) in equations.iter().enumerate() {
            self.terms(path, &path.join("equations").join(i).join("terms"), &equation.terms)?;
        }
        Ok(())
    }

    fn terms(&self, path: &FieldPath, at: &FieldPath, terms: &[TermDesc]) -> Checked {
        if terms.is_empty() {
            let help = "give one or more: terms = [{ joint = \"A\", factor = 2 }, …]";
            return Err(self.bad(at.clone(), "the coupler couples nothing", help));
        }
        for (i, term) in terms.iter().enumerate() {
            let at = at.join(i);
            self.known_joint(path, at.join("joint"), &term.joint)?;
            if term.factor.is_some() && term.polynomial.is_some() {
                let message = "give `factor` or `polynomial`, not both".to_string();
                let help = Some("a factor f is the polynomial [0, f]".to_string());
                return Err(self.misplaced(&at, "polynomial", message, help));
            }
            if term.factor.is_some_and(|factor| factor.0 == 0.0) {
                let help = "leave out a joint that has no part";
                return Err(self.bad(at.join("factor"), "a factor cannot be zero", help));
            }
            if term.polynomial.as_ref().is_some_and(|p| p.iter().skip(1).all(|c| c.0 == 0.0)) {
                let message = "a polynomial that does not change with its joint couples nothing";
                let help = "leave out a joint that has no part; [0, 2] is twice the coordinate, and a constant is the `offset`";
                return Err(self.bad(at.join("polynomial"), message, help));
            }
            let same = |other: &TermDesc| other.joint == term.joint && other.coordinate == term.coordinate;
            if terms[..i].iter().any(same) {
                let message = format!("coordinate {} of `{}` is summed twice", term.coordinate, term.joint);
                return Err(self.bad(at, message, "name it once, with the sum of both"));
            }
        }
        Ok(())
    }

    fn screw(&self, path: &FieldPath, screw: &JointDesc) -> Checked {
        let help = "how far it goes in a turn: lead = \"5 mm\"";
        self.given(path, "lead", screw.lead.is_some(), help)?;
        if screw.lead.is_some_and(|lead| lead.0 == 0.0) {
            return Err(self.bad(
                path.join("lead"),
                "a lead cannot be zero",
                "a joint that only turns is `revolute`",
            ));
        }
        Ok(())
    }

    /// The two joints of a transmission.
    fn two_joints(&self, path: &FieldPath, joint: &JointDesc, what: &str) -> Checked {
        let help = format!("name two: {what}");
        self.given(path, "joints", joint.joints.is_some(), &help)?;
        let names = joint.joints.as_deref().unwrap_or_default();
        if names.len() != 2 {
            let message = format!("{} in the place of two", crate::lower::count(names.len(), "joint"));
            return Err(self.bad(path.join("joints"), message, &help));
        }
        for (i, name) in names.iter().enumerate() {
            self.known_joint(path, path.join("joints").join(i), name)?;
        }
        if names[0] == names[1] {
            let message = "both joints are the same";
            return Err(self.bad(path.join("joints").join(1), message, &help));
        }
        Ok(())
    }

    fn worm(&self, path: &FieldPath, worm: &JointDesc) -> Checked {
        self.two_joints(path, worm, "the worm's hinge and the wheel's")?;
        self.given(path, "teeth", worm.teeth.is_some(), "of the wheel: teeth = 40")?;
        for (field, value) in [("starts", worm.starts), ("teeth", worm.teeth)] {
            if value.is_some_and(|n| n.0 == 0.0) {
                let message = format!("a worm gear cannot have no {field}");
                return Err(self.bad(path.join(field), message, "give a number that is not zero"));
            }
            if value.is_some_and(|n| n.0.fract() != 0.0) {
                let message = format!("a worm gear has whole {field}");
                return Err(self.bad(
                    path.join(field),
                    message,
                    "a ratio that is none of teeth is a `coupler`",
                ));
            }
        }
        Ok(())
    }

    fn belt(&self, path: &FieldPath, belt: &JointDesc) -> Checked {
        self.two_joints(path, belt, "the hinges of the two pulleys")?;
        self.given(path, "radii", belt.radii.is_some(), "one per pulley: radii = [0.1, 0.2]")?;
        let radii = belt.radii.as_deref().unwrap_or_default();
        if radii.len() != 2 {
            let message = format!("{} for two pulleys", crate::lower::count(radii.len(), "radius"));
            return Err(self.bad(path.join("radii"), message, "one per pulley: radii = [0.1, 0.2]"));
        }
        if let Some(i) = radii.iter().position(|r| r.0 <= 0.0) {
            let message = "a radius must be positive";
            return Err(self.bad(path.join("radii").join(i), message, "in metres, or \"10 mm\""));
        }
        Ok(())
    }

    fn rope(&self, path: &FieldPath, rope: &JointDesc) -> Checked {
        let help = "where it runs: points = [{ body = \"ground\", point = [0, 0, 2] }, { body = \"load\" }]";
        self.given(path, "points", rope.points.is_some(), help)?;
        let points = rope.points.as_deref().unwrap_or_default();
        if points.len() < 2 || points.iter().all(|at| at.body == GROUND) {
            let message = "a rope has two ends or more points, and a body among them";
            return Err(self.bad(path.join("points"), message, help));
        }
        for (i, at) in points.iter().enumerate() {
            self.known_body(&path.join("points").join(i), "body", &at.body)?;
        }
        let Some(weights) = &rope.weights else { return Ok(()) };
        if weights.len() + 1 != points.len() {
            let message = format!(
                "{} for {}",
                crate::lower::count(weights.len(), "weight"),
                crate::lower::count(points.len() - 1, "part")
            );
            return Err(self.bad(path.join("weights"), message, "give one per part between two points"));
        }
        if let Some(i) = weights.iter().position(|w| w.0 <= 0.0) {
            let help = "how many strands there are between the two points";
            return Err(self.bad(path.join("weights").join(i), "a weight must be positive", help));
        }
        Ok(())
    }

    fn follow(&self, path: &FieldPath, follow: &JointDesc) -> Checked {
        self.given(path, "b", follow.b.is_some(), "the body whose point follows the path")?;
        for (field, end) in [("a", &follow.a), ("b", &follow.b)] {
            if let Some(end) = end {
                self.known_body(path, field, end)?;
            }
        }
        if follow.a.as_ref().is_some_and(|a| a != GROUND) {
            let help = "leave `a` out: the path is in the world";
            return Err(self.bad(path.join("a"), "a path that moves with a body is not available", help));
        }
        if follow.b.as_deref() == Some(GROUND) {
            return Err(self.bad(path.join("b"), "the ground follows nothing", "name a body"));
        }
        let help = "path = { nurbs = { points = [[x, y, z], …], duration = 2 } }";
        self.given(path, "path", follow.path.is_some(), help)?;
        if let Some(directions) = &follow.directions {
            if directions.is_empty() || directions.len() > 3 {
                let message = format!("{} to follow", crate::lower::count(directions.len(), "direction"));
                return Err(self.bad(path.join("directions"), message, "give one to three"));
            }
            if let Some(i) = directions.iter().position(|e| e.iter().all(|c| c.0 == 0.0)) {
                let message = "the direction is zero";
                return Err(self.bad(path.join("directions").join(i), message, "for example [0, 0, 1]"));
            }
        }
        for (i, motor) in follow.motors.iter().flatten().enumerate() {
            self.known_joint(path, path.join("motors").join(i), motor)?;
        }
        Ok(())
    }
}
