//! Drives, servos, motors, springs and friction of joint coordinates, and their laws over time.

use cardan::joint::{DryFriction, EffortKind, JointCurveSpring, Motor, Servo, SpeedCurve};
use cardan::law::{Blend, LawError, Nurbs, Ramp, Segments, Sine, Table, TableEnds};
use cardan::{Drive, DriveMode, Effort, Joint, JointKind, JointSpring};

use crate::document::{FieldPath, Span};
use crate::error::{ErrorKind, SceneError};
use crate::lower::Lower;
use crate::quantity::{Dimension, Number, Quantity, Time};
use crate::scene::{self, DriveLevel, FrictionDesc, JointDesc, JointSpringDesc, LawDesc, SplineEnds};

/// Dimensions of the quantities along a coordinate.
struct CoordinateDimensions {
    value: Dimension,
    speed: Dimension,
    force: Dimension,
    stiffness: Dimension,
    damping: Dimension,
    acceleration: Dimension,
    inertia: Dimension,
}

fn coordinate_dimensions(kind: JointKind, k: usize) -> CoordinateDimensions {
    if kind.is_angle(k) {
        CoordinateDimensions {
            value: Dimension::Angle,
            speed: Dimension::AngularSpeed,
            force: Dimension::Torque,
            stiffness: Dimension::AngularStiffness,
            damping: Dimension::AngularDamping,
            acceleration: Dimension::AngularAcceleration,
            inertia: Dimension::Number,
        }
    } else {
        CoordinateDimensions {
            value: Dimension::Length,
            speed: Dimension::Speed,
            force: Dimension::Force,
            stiffness: Dimension::Stiffness,
            damping: Dimension::Damping,
            acceleration: Dimension::Acceleration,
            inertia: Dimension::Mass,
        }
    }
}

impl Lower<'_> {
    /// Everything that acts along the coordinates of a joint.
    pub(crate) fn actions(
        &self,
        path: &FieldPath,
        desc: &JointDesc,
        joint: &mut Joint,
    ) -> Result<(), SceneError> {
        let place = |field: &str,
                     i: usize,
                     coordinate: u32|
         -> Result<(FieldPath, usize, CoordinateDimensions), SceneError> {
            let path = self.list_item(path.join(field), i);
            let k = self.coordinate(&path, joint.kind, coordinate)?;
            Ok((path, k, coordinate_dimensions(joint.kind, k)))
        };
        let (mut drives, mut efforts, mut springs) = (Vec::new(), Vec::new(), Vec::new());
        for (i, drive) in items(&desc.drive).iter().enumerate() {
            let (path, k, of) = place("drive", i, drive.coordinate)?;
            let (level, want) = match drive.level {
                DriveLevel::Position => (DriveMode::Position, of.value),
                DriveLevel::Speed => (DriveMode::Speed, of.speed),
                DriveLevel::Acceleration => (DriveMode::Acceleration, of.acceleration),
                DriveLevel::Force => (DriveMode::Force, of.force),
            };
            let law = self.law(&path.join("law"), &drive.law, want)?;
            let drive = Drive { coordinate: k, mode: level, law };
            self.check_smooth(&path, &drive)?;
            let prescribes = |d: &Drive| d.coordinate == k && d.mode != DriveMode::Force;
            if level != DriveMode::Force && drives.iter().any(prescribes) {
                let message = format!("two drives prescribe coordinate {k}");
                return Err(self.bad(
                    path,
                    message,
                    "leave one of them out; a force may act beside a motion",
                ));
            }
            drives.push(drive);
        }
        for (i, servo) in items(&desc.servo).iter().enumerate() {
            let (path, k, of) = place("servo", i, servo.coordinate)?;
            let kind = EffortKind::Servo(Servo {
                stiffness: self.positive_or_zero(
                    path.join("stiffness"),
                    Some(servo.stiffness),
                    of.stiffness,
                )?,
                damping: self.positive_or_zero(path.join("damping"), servo.damping, of.damping)?,
                law: self.law(&path.join("law"), &servo.law, of.value)?,
                limit: self.limit(path.join("limit"), servo.limit, of.force)?,
            });
            efforts.push(Effort { coordinate: k, kind });
        }
        for (i, motor) in items(&desc.motor).iter().enumerate() {
            let (path, k, of) = place("motor", i, motor.coordinate)?;
            let rows = self.rows(&path.join("curve"), &motor.curve, of.speed, of.force)?;
            let curve = SpeedCurve::new(&rows).map_err(|error| {
                self.bad(path.join("curve"), error.to_string(), "rows are [speed, torque]")
            })?;
            let law = match &motor.law {
                None => cardan::Law::Constant(1.0),
                Some(law) => self.law(&path.join("law"), law, Dimension::Number)?,
            };
            let limit = self.limit(path.join("limit"), motor.limit, of.force)?;
            efforts.push(Effort { coordinate: k, kind: EffortKind::Motor(Motor { curve, law, limit }) });
        }
        for (i, spring) in items(&desc.spring).iter().enumerate() {
            let (path, k, of) = place("spring", i, spring.coordinate)?;
            match &spring.curve {
                None => springs.push(self.linear_spring(&path, spring, k, &of)?),
                Some(curve) => {
                    let spring = self.curve_spring(&path, spring, curve, &of)?;
                    efforts.push(Effort { coordinate: k, kind: EffortKind::Curve(spring) });
                }
            }
        }
        for (i, friction) in items(&desc.friction).iter().enumerate() {
            let (path, k, of) = place("friction", i, friction.coordinate)?;
            let damping = self.positive_or_zero(path.join("viscous"), friction.viscous, of.damping)?;
            if friction.coulomb.is_none() && friction.static_.is_none() {
                springs.push(JointSpring {
                    coordinate: k,
                    stiffness: 0.0,
                    damping,
                    rest: 0.0,
                    is_friction: true,
                });
                continue;
            }
            let kind = EffortKind::Friction(self.dry_friction(&path, friction, damping, &of)?);
            efforts.push(Effort { coordinate: k, kind });
        }
        if let Some(armature) = desc.armature {
            let of = coordinate_dimensions(joint.kind, 0);
            joint.armature = self.positive_or_zero(path.join("armature"), Some(armature), of.inertia)?;
        }
        joint.drives.extend(drives);
        joint.efforts.extend(efforts);
        joint.springs.extend(springs);
        Ok(())
    }

    fn check_smooth(&self, path: &FieldPath, drive: &Drive) -> Result<(), SceneError> {
        let (has, level) = (drive.law.smoothness(), drive.mode);
        if has >= level.needs() {
            return Ok(());
        }
        let message = format!(
            "{} law is not smooth enough to drive a {level}: {has}",
            crate::lower::with_article(drive.law.name())
        );
        let help = match level {
            DriveMode::Position => {
                "a position needs a continuous rate: take `cubic`, `quintic`, `table` or a smoother formula, or drive the speed"
            }
            _ => {
                "a speed must be continuous: take `ramp`, `cubic` or a smoother formula, or drive the acceleration"
            }
        };
        Err(self.bad(path.join("law"), message, help))
    }

    fn linear_spring(
        &self,
        path: &FieldPath,
        spring: &JointSpringDesc,
        coordinate: usize,
        of: &CoordinateDimensions,
    ) -> Result<JointSpring, SceneError> {
        if spring.stiffness.is_none() {
            let message = "the field `stiffness` is missing".to_string();
            let help = "give a `stiffness`, or a `curve` of [deflection, force]";
            let error = SceneError::at(self.document, path.clone(), message, Some(help));
            return Err(error.with_kind(ErrorKind::MissingField));
        }
        let stiffness = self.positive_or_zero(path.join("stiffness"), spring.stiffness, of.stiffness)?;
        let damping = self.positive_or_zero(path.join("damping"), spring.damping, of.damping)?;
        let rest = self.optional(path.join("rest"), spring.rest, of.value)?;
        let preload = self.optional(path.join("preload"), spring.preload, of.force)?;
        if preload == 0.0 {
            return Ok(JointSpring { coordinate, stiffness, damping, rest, is_friction: false });
        }
        if stiffness == 0.0 {
            let message = "a spring without stiffness has no preload";
            return Err(self.bad(
                path.join("preload"),
                message,
                "a constant push is a drive of level \"force\"",
            ));
        }
        Ok(JointSpring::preloaded(coordinate, stiffness, damping, rest, preload))
    }

    fn curve_spring(
        &self,
        path: &FieldPath,
        spring: &JointSpringDesc,
        curve: &[(Quantity, Quantity)],
        of: &CoordinateDimensions,
    ) -> Result<JointCurveSpring, SceneError> {
        for (field, given) in [("stiffness", spring.stiffness), ("preload", spring.preload)] {
            if given.is_some() {
                let message = format!("`{field}` does not belong to a spring with a `curve`");
                return Err(self.bad(path.join(field), message, "the curve gives the whole force"));
            }
        }
        let rows = self.rows(&path.join("curve"), curve, of.value, of.force)?;
        let damping = self.positive_or_zero(path.join("damping"), spring.damping, of.damping)?;
        let rest = self.optional(path.join("rest"), spring.rest, of.value)?;
        JointCurveSpring::new(&rows, damping, rest).map_err(|error| self.bad_rows(path.join("curve"), &error))
    }

    fn dry_friction(
        &self,
        path: &FieldPath,
        friction: &FrictionDesc,
        viscous: f64,
        of: &CoordinateDimensions,
    ) -> Result<DryFriction, SceneError> {
        let coulomb = self.positive_or_zero(path.join("coulomb"), friction.coulomb, of.force)?;
        let breakaway = match friction.static_ {
            None => coulomb,
            given => self.positive_or_zero(path.join("static"), given, of.force)?,
        };
        if breakaway < coulomb {
            let help = "friction at rest is at least that while sliding; without `static` it is the same";
            return Err(self.bad(path.join("static"), "`static` is below `coulomb`", help));
        }
        let regularization_speed =
            self.optional(path.join("regularization_speed"), friction.regularization_speed, of.speed)?;
        if friction.regularization_speed.is_some() && regularization_speed <= 0.0 {
            let help = "it is the speed below which dry friction falls off to zero, such as 0.001; without it static friction sticks";
            return Err(self.bad(path.join("regularization_speed"), "the speed must be positive", help));
        }
        let stribeck_speed = self.optional(path.join("stribeck_speed"), friction.stribeck_speed, of.speed)?;
        if friction.stribeck_speed.is_some() {
            if stribeck_speed <= 0.0 {
                let help = "it is the speed at which friction has come down from `static` to `coulomb`, such as 0.01; leave it out for `coulomb` at every speed";
                return Err(self.bad(path.join("stribeck_speed"), "the speed must be positive", help));
            }
            if breakaway <= coulomb {
                let help = "friction falls from `static` to `coulomb`: give a `static` above `coulomb`, or leave `stribeck_speed` out";
                return Err(self.bad(
                    path.join("stribeck_speed"),
                    "there is no curve without `static`",
                    help,
                ));
            }
        }
        Ok(DryFriction { coulomb, breakaway, regularization_speed, stribeck_speed, viscous })
    }

    fn not_negative(&self, path: FieldPath, value: f64) -> Result<f64, SceneError> {
        if value >= 0.0 {
            return Ok(value);
        }
        Err(self.bad(path, format!("{value} is negative"), "it must be zero or more"))
    }

    fn optional(&self, path: FieldPath, value: Option<Quantity>, want: Dimension) -> Result<f64, SceneError> {
        value.map_or(Ok(0.0), |value| self.quantity(path, value, want))
    }

    fn positive_or_zero(
        &self,
        path: FieldPath,
        value: Option<Quantity>,
        want: Dimension,
    ) -> Result<f64, SceneError> {
        let value = self.optional(path.clone(), value, want)?;
        self.not_negative(path, value)
    }

    fn limit(&self, path: FieldPath, value: Option<Quantity>, want: Dimension) -> Result<f64, SceneError> {
        match value {
            None => Ok(f64::INFINITY),
            given => self.positive_or_zero(path, given, want),
        }
    }

    fn rows(
        &self,
        path: &FieldPath,
        rows: &[(Quantity, Quantity)],
        first: Dimension,
        second: Dimension,
    ) -> Result<Vec<[f64; 2]>, SceneError> {
        let row = |(i, (x, y)): (usize, &(Quantity, Quantity))| {
            let path = path.join(i);
            Ok([self.quantity(path.join(0), *x, first)?, self.quantity(path.join(1), *y, second)?])
        };
        rows.iter().enumerate().map(row).collect()
    }

    /// Rows that a spline cannot be made of; the row is pointed at where it is known.
    pub(crate) fn bad_rows(&self, path: FieldPath, error: &LawError) -> SceneError {
        match error {
            LawError::Unsorted { row, time, before } => {
                let message = format!("row {row} starts with {time}, not more than the {before} before it");
                self.bad(path.join(*row), message, "the first numbers must grow from row to row")
            }
            LawError::TooFewRows { have } => {
                let message = format!(
                    "there {} {}",
                    if *have == 1 { "is" } else { "are" },
                    crate::lower::count(*have, "row")
                );
                self.bad(path, message, "give at least two")
            }
            other => self.bad(path, other.to_string(), "check the rows"),
        }
    }

    // Laws.

    /// A law whose values measure `want`.
    pub(crate) fn law(
        &self,
        path: &FieldPath,
        law: &LawDesc,
        want: Dimension,
    ) -> Result<cardan::Law, SceneError> {
        let timed = |path: &FieldPath, rows: &[(Time, Quantity)]| -> Result<Vec<[f64; 2]>, SceneError> {
            let row = |(i, (t, v)): (usize, &(Time, Quantity))| {
                Ok([t.0, self.quantity(path.join(i).join(1), *v, want)?])
            };
            rows.iter().enumerate().map(row).collect()
        };
        Ok(match law {
            LawDesc::Constant(value) => self.quantity(path.join("constant"), *value, want)?.into(),
            LawDesc::Ramp(ramp) => {
                let path = path.join("ramp");
                if ramp.duration.0 <= 0.0 {
                    let message = format!("a ramp cannot take {} s", ramp.duration.0);
                    return Err(self.bad(path.join("duration"), message, "give a positive time"));
                }
                let from = self.optional(path.join("from"), ramp.from, want)?;
                let to = self.quantity(path.join("to"), ramp.to, want)?;
                Ramp { from, to, start: ramp.start.map_or(0.0, f64::from), duration: ramp.duration.0 }.into()
            }
            LawDesc::Sine(sine) => {
                let path = path.join("sine");
                Sine {
                    amplitude: self.quantity(path.join("amplitude"), sine.amplitude, want)?,
                    frequency: sine.frequency.0,
                    phase: sine.phase.map_or(0.0, f64::from),
                    offset: self.optional(path.join("offset"), sine.offset, want)?,
                }
                .into()
            }
            LawDesc::Cubic(rows) => {
                self.segments(path.join("cubic"), Blend::Cubic, &timed(&path.join("cubic"), rows)?)?
            }
            LawDesc::Quintic(rows) => {
                self.segments(path.join("quintic"), Blend::Quintic, &timed(&path.join("quintic"), rows)?)?
            }
            LawDesc::Table(table) => {
                let at = path.join("table");
                let at = if matches!(table, scene::Rows::WithEnds(_)) { at.join("rows") } else { at };
                let ends = match table.ends() {
                    SplineEnds::Rest => TableEnds::Rest,
                    SplineEnds::Free => TableEnds::Free,
                };
                let rows = timed(&at, table.rows())?;
                Table::new(ends, &rows).map_err(|error| self.bad_rows(at, &error))?.into()
            }
            LawDesc::Nurbs(nurbs) => self.nurbs(&path.join("nurbs"), nurbs, want)?,
            LawDesc::Expression(text) => cardan::Law::expression(text)
                .map_err(|error| self.bad_formula(path.join("expression"), text, &error))?,
        })
    }

    fn segments(&self, path: FieldPath, blend: Blend, rows: &[[f64; 2]]) -> Result<cardan::Law, SceneError> {
        Ok(Segments::new(blend, rows).map_err(|error| self.bad_rows(path, &error))?.into())
    }

    fn nurbs(
        &self,
        path: &FieldPath,
        nurbs: &scene::NurbsDesc,
        want: Dimension,
    ) -> Result<cardan::Law, SceneError> {
        let point = |(i, value): (usize, &Quantity)| {
            Ok([self.quantity(path.join("points").join(i), *value, want)?])
        };
        let points: Vec<[f64; 1]> =
            nurbs.points.iter().enumerate().map(point).collect::<Result<_, SceneError>>()?;
        let (knots, start) = (nurbs.knots.as_deref(), nurbs.start);
        let shape = (nurbs.degree, nurbs.weights.as_deref());
        self.spline(path, &points, shape, (knots, start, nurbs.duration)).map(cardan::Law::from)
    }

    /// A rational B-spline in any number of dimensions, from its points, its degree and weights, and its times.
    pub(crate) fn spline<const N: usize>(
        &self,
        path: &FieldPath,
        points: &[[f64; N]],
        (degree, weights): (Option<u32>, Option<&[Number]>),
        (knots, start, duration): (Option<&[Time]>, Option<Time>, Option<Time>),
    ) -> Result<Nurbs<N>, SceneError> {
        let weights: Vec<f64> = weights.iter().flat_map(|w| w.iter()).map(|w| w.0).collect();
        let degree = degree.unwrap_or(3) as usize;
        let made = match (knots, duration) {
            (Some(_), _) if duration.is_some() || start.is_some() => {
                let message = "knots are times already: `start` and `duration` do not go with them";
                return Err(self.bad(path.join("knots"), message, "give knots, or start and duration"));
            }
            (Some(knots), _) => {
                let knots: Vec<f64> = knots.iter().map(|k| k.0).collect();
                Nurbs::new(degree, &knots, points, &weights)
            }
            (None, Some(duration)) => {
                Nurbs::even(degree, start.map_or(0.0, f64::from), duration.0, points, &weights)
            }
            (None, None) => {
                let error = SceneError::at(
                    self.document,
                    path.clone(),
                    "the field `duration` is missing",
                    Some("or give `knots`"),
                );
                return Err(error.with_kind(ErrorKind::MissingField));
            }
        };
        made.map_err(|error| {
            let (field, help) = match &error {
                LawError::Knot { knot, .. } => {
                    (path.join("knots").join(*knot), "knots are times in growing order")
                }
                LawError::KnotCount { .. } => {
                    (path.join("knots"), "give as many, or leave them out for even ones")
                }
                LawError::Degree { .. } => (path.join("degree"), "a cubic curve has degree 3"),
                LawError::Weights { .. } => (path.join("weights"), "one positive number per point"),
                LawError::NoDuration { .. } => (path.join("duration"), "give a positive time"),
                _ => (path.join("points"), "check the numbers"),
            };
            let given = self.document.get(&field).is_some();
            self.bad(if given { field } else { path.clone() }, error.to_string(), help)
        })
    }

    /// A formula that cannot be read, with the caret under the column where the file shows the text as it is.
    fn bad_formula(&self, path: FieldPath, text: &str, error: &LawError) -> SceneError {
        let LawError::Expression(fault) = error else {
            return self.bad(path, error.to_string(), "check the formula");
        };
        self.unreadable(path, text, fault)
    }

    /// A formula that cannot be read, at any field.
    pub(crate) fn unreadable(
        &self,
        path: FieldPath,
        text: &str,
        fault: &cardan::law::ExpressionError,
    ) -> SceneError {
        let help =
            "a formula is made of t, numbers, + - * / ^, parentheses and functions, such as \"0.1*sin(3*t)\"";
        let (whole, column) = (self.document.span_of(&path), fault.column - 1);
        let source = self.document.origin(whole.origin).1;
        let plain = source
            .get(whole.range())
            .is_some_and(|raw| raw.get(1..raw.len().saturating_sub(1)) == Some(text));
        if !plain {
            return self.bad(path, fault.to_string(), help);
        }
        let offset: usize = text.chars().take(column).map(char::len_utf8).sum();
        let start = whole.range().start + 1 + offset;
        let end = start + text[offset..].chars().next().map_or(1, char::len_utf8);
        let span = Span::new(start..end, whole.origin);
        SceneError::new(
            self.document,
            ErrorKind::BadValue,
            span,
            path,
            fault.to_string(),
            Some(help.to_string()),
        )
    }
}

/// One, several or none.
fn items<T>(field: &Option<scene::OneOrMany<T>>) -> &[T] {
    field.as_ref().map_or(&[], |field| field.as_slice())
}
