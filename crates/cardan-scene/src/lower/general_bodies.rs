//! Bodies whose coordinates are not a position and an orientation: shafts, bodies that scale or deform, beads on curves,
//! formulas.

use cardan::body::{Elastic, FormulaPiece, Formulas, InternalMass, ScaleSpring};
use cardan::math::{Sym3, Vec3};
use cardan::{Body, MassProperties, PlacedShape, SolidShape};

use crate::document::FieldPath;
use crate::error::SceneError;
use crate::lower::{Lower, Pose, point, rotation, vector};
use crate::quantity::Number;
use crate::scene::{BodyDesc, BodyKindDesc, Inertia, PieceDesc};
use crate::tolerances::ALONG_AXIS;

impl Lower<'_> {
    /// Where the pieces of general bodies are in the pose of the file.
    pub(crate) fn pose_general(&mut self) -> Result<(), SceneError> {
        for (i, (name, desc)) in
            self.scene.bodies.iter().enumerate().filter(|(_, (_, d))| d.kind.is_general())
        {
            let body = self.body(name, desc)?;
            for piece in 0..desc.piece_count() {
                if let Some((pos, rot, lengths)) = body.piece_at_start(piece) {
                    let scales = matches!(desc.kind, BodyKindDesc::Scaled | BodyKindDesc::Scaled3);
                    self.posed.insert((i, piece as u32), Pose { pos, rot, scale: scales.then_some(lengths) });
                }
            }
        }
        Ok(())
    }

    pub(crate) fn general_body(
        &self,
        name: &str,
        desc: &BodyDesc,
        shapes: Vec<PlacedShape>,
    ) -> Result<Body, SceneError> {
        let path = FieldPath::item("bodies", name);
        self.general_numbers(&path, desc)?;
        let number = |x: Option<Number>| x.map_or(0.0, f64::from);
        let mass = match desc.kind {
            BodyKindDesc::Formula => MassProperties::default(),
            _ => self.mass_properties(&path, desc, &shapes)?,
        };
        let elastic = || Elastic {
            young: desc.young.map_or(0.0, f64::from),
            poisson: number(desc.poisson),
            damping: number(desc.damping),
        };
        let stretch = ScaleSpring { stiffness: number(desc.stiffness), damping: number(desc.damping) };
        let made = match desc.kind {
            BodyKindDesc::Shaft => Body::shaft(mass, self.direction(&path, "axis", desc.axis.as_ref())?),
            BodyKindDesc::Scaled => Body::scaled(mass, stretch),
            BodyKindDesc::Scaled3 => Body::scaled3(mass, stretch),
            BodyKindDesc::Affine => Body::affine_of(mass, shapes.clone(), elastic()),
            BodyKindDesc::Soft => match shapes.as_slice() {
                [PlacedShape { shape: SolidShape::Box { size }, frame }]
                    if *frame == cardan::Frame::default() =>
                {
                    Body::soft_block(*size, mass.mass, elastic())
                }
                _ => {
                    let help =
                        "give shape = { kind = \"box\", size = [x, y, z] }, without a position of its own";
                    return Err(self.bad(
                        path.join("shape"),
                        "a soft body is one box about its origin",
                        help,
                    ));
                }
            },
            BodyKindDesc::InternalMass => {
                let Some(inside) = &desc.inside else { return Err(self.bad(path, "nothing is inside", "")) };
                let inside_path = path.join("inside");
                let inside = InternalMass {
                    mass: inside.mass.0,
                    origin: point(inside.origin.as_ref()),
                    axis: self.direction(&inside_path, "axis", Some(&inside.axis))?,
                    stiffness: inside.stiffness.map_or(0.0, f64::from),
                    damping: number(inside.damping),
                    rest: inside.rest.map_or(0.0, f64::from),
                };
                Body::with_internal_mass(mass, inside)
            }
            BodyKindDesc::Bead => {
                let Some(curve) = &desc.curve else { return Err(self.bad(path, "it has no curve", "")) };
                Body::bead(mass.mass, self.curve(&path.join("curve"), curve)?)
            }
            _ => Body::formulas(self.formulas(&path, desc)?),
        };
        let numbers =
            |list: &Option<Vec<Number>>| -> Vec<f64> { list.iter().flatten().map(|x| x.0).collect() };
        Ok(Body {
            name: name.to_string(),
            pos: desc.position.map_or(Vec3::ZERO, |p| p.in_space().into()),
            rot: rotation(desc.orientation.as_ref()),
            vel: desc.velocity.map_or(Vec3::ZERO, |v| v.in_space().into()),
            omega: desc.angular_velocity.map_or(Vec3::ZERO, |w| w.in_space().into()),
            shapes,
            start: numbers(&desc.start),
            start_rate: numbers(&desc.start_rate),
            ..made
        })
    }

    /// Numbers of general bodies that are out of range, each at its own field.
    fn general_numbers(&self, path: &FieldPath, desc: &BodyDesc) -> Result<(), SceneError> {
        let bounded = |at: FieldPath, value: Option<f64>, (least, most): (f64, f64), help: &str| match value {
            Some(x) if !(x >= least && x <= most) => Err(self.bad(at, format!("it is {x}"), help)),
            _ => Ok(()),
        };
        let (any, tiny) = ((0.0, f64::MAX), f64::MIN_POSITIVE);
        let positive = (tiny, f64::MAX);
        let (not_negative, more) = ("it must not be negative", "it must be positive");
        bounded(path.join("young"), desc.young.map(f64::from), positive, more)?;
        let between = "it must be between -1 and 0.5";
        bounded(path.join("poisson"), desc.poisson.map(f64::from), (-1.0 + 1e-9, 0.5 - 1e-9), between)?;
        bounded(path.join("stiffness"), desc.stiffness.map(f64::from), any, not_negative)?;
        bounded(path.join("damping"), desc.damping.map(f64::from), any, not_negative)?;
        if let Some(inside) = &desc.inside {
            let at = |field: &str| path.join("inside").join(field);
            bounded(at("mass"), Some(inside.mass.0), positive, more)?;
            bounded(at("stiffness"), inside.stiffness.map(f64::from), any, not_negative)?;
            bounded(at("damping"), inside.damping.map(f64::from), any, not_negative)?;
        }
        for (i, piece) in desc.pieces.iter().flatten().enumerate() {
            let at = path.join("pieces").join(i);
            bounded(at.join("mass"), Some(piece.mass.0), any, not_negative)?;
            let MassProperties { inertia, .. } = formula_piece(piece).mass;
            let moments = inertia.eigenvalues();
            if piece.inertia.is_some() && moments[0] < -1e-12 * moments[2].abs() {
                let message = format!("its smallest principal moment is {} kg·m²", moments[0]);
                return Err(self.bad(at.join("inertia"), message, "no moment may be negative"));
            }
        }
        if matches!(desc.kind, BodyKindDesc::Scaled | BodyKindDesc::Scaled3) {
            for (i, scale) in desc.start.iter().flatten().enumerate() {
                bounded(path.join("start").join(i), Some(scale.0), positive, "a scale must be positive")?;
            }
        }
        if let (BodyKindDesc::Shaft, Some(omega), Some(axis)) = (desc.kind, desc.angular_velocity, &desc.axis)
        {
            let omega: Vec3 = omega.in_space().into();
            let axis = rotation(desc.orientation.as_ref()) * vector(axis);
            if omega.cross(axis).norm() > ALONG_AXIS * omega.norm() * axis.norm() {
                let help = "give one along its axis, or `start_rate`";
                return Err(self.bad(
                    path.join("angular_velocity"),
                    "a shaft turns about its axis alone",
                    help,
                ));
            }
        }
        Ok(())
    }

    fn direction(
        &self,
        path: &FieldPath,
        field: &str,
        axis: Option<&[Number; 3]>,
    ) -> Result<Vec3, SceneError> {
        let axis = axis.map_or(Vec3::ZERO, vector);
        let help = "give a direction such as [0, 0, 1]";
        axis.normalized().ok_or_else(|| self.bad(path.join(field), "the axis has zero length", help))
    }

    fn formulas(&self, path: &FieldPath, desc: &BodyDesc) -> Result<Formulas, SceneError> {
        const MAX_COORDINATES: usize = 16;
        let names = desc.coordinates.as_deref().unwrap_or_default();
        let name_of = |text: &str| {
            let mut letters = text.chars();
            letters.next().is_some_and(|c| c.is_ascii_alphabetic() || c == '_')
                && letters.all(|c| c.is_ascii_alphanumeric() || c == '_')
                && !["t", "e", "pi", "tau"].contains(&text)
        };
        for (i, name) in names.iter().enumerate() {
            if !name_of(name) || names[..i].contains(name) {
                let help =
                    "letters, digits and _, each name once; t, e, pi and tau have meanings of their own";
                return Err(self.bad(
                    path.join("coordinates").join(i),
                    "this is no name for a coordinate",
                    help,
                ));
            }
        }
        if names.is_empty() || names.len() > MAX_COORDINATES {
            let message = format!("{} coordinates", names.len());
            return Err(self.bad(path.join("coordinates"), message, "from 1 to 16 are possible"));
        }
        let pieces: Vec<FormulaPiece> = desc.pieces.iter().flatten().map(formula_piece).collect();
        if pieces.is_empty() {
            return Err(self.bad(path.join("pieces"), "the body has no pieces", "give one at least"));
        }
        // Each formula by itself first, so that a mistake is shown at its field.
        let read = |at: FieldPath, text: &str| {
            let one = FormulaPiece { mass: MassProperties::of_point(1.0), place: zero(), turn: None };
            Formulas::new(names, &[one], Some(text))
                .map_err(|error| error.to_string())
                .and_then(|made| match made.unfit() {
                    Some(_) => Err("it jumps, has a kink, or depends on time".to_string()),
                    None => Ok(()),
                })
                .map_err(|message| {
                    let help = format!("a smooth formula in {}", names.join(", "));
                    self.bad(at, message, &help)
                })
        };
        for (i, piece) in desc.pieces.iter().flatten().enumerate() {
            let at = path.join("pieces").join(i);
            let all = [("x", &piece.x), ("y", &piece.y), ("z", &piece.z), ("angle", &piece.angle)];
            for (field, text) in all {
                text.as_ref().map_or(Ok(()), |text| read(at.join(field), text))?;
            }
            if piece.axis.is_some() {
                self.direction(&at, "axis", piece.axis.as_ref())?;
            }
        }
        if let Some(energy) = &desc.energy {
            read(path.join("energy"), energy)?;
        }
        Formulas::new(names, &pieces, desc.energy.as_deref())
            .map_err(|error| self.bad(path.join("pieces"), error.to_string(), "check the formulas"))
    }
}

fn zero() -> [String; 3] {
    ["0", "0", "0"].map(String::from)
}

fn formula_piece(desc: &PieceDesc) -> FormulaPiece {
    let text = |text: &Option<String>| text.clone().unwrap_or_else(|| "0".to_string());
    let inertia = match desc.inertia {
        None => Sym3::default(),
        Some(Inertia::Planar(zz)) => Sym3::diagonal(0.0, 0.0, zz.0),
        Some(Inertia::Principal([xx, yy, zz])) => Sym3::diagonal(xx.0, yy.0, zz.0),
        Some(Inertia::Full([xx, yy, zz, xy, xz, yz])) => {
            Sym3 { xx: xx.0, yy: yy.0, zz: zz.0, xy: xy.0, xz: xz.0, yz: yz.0 }
        }
    };
    let center = point(desc.center_of_mass.as_ref());
    let axis = desc.axis.as_ref().map_or(Vec3::Z, vector);
    FormulaPiece {
        mass: MassProperties { mass: desc.mass.0, center, inertia },
        place: [text(&desc.x), text(&desc.y), text(&desc.z)],
        turn: desc.angle.as_ref().map(|angle| (axis, angle.clone())),
    }
}
