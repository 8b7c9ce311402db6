//! Curves and surfaces of joints.

use cardan::geometry::{Curve, GeometryError, SplineTerrain, Surface};
use cardan::law::{LawError, Nurbs};
use cardan::math::Vec3;
use cardan::{End, Frame};

use crate::document::{FieldPath, clip};
use crate::error::{ErrorKind, SceneError};
use crate::lower::{Lower, frame, point};
use crate::nearest::nearest;
use crate::quantity::{Length, Number};
use crate::scene::{CurveDesc, CurveNurbs, FormulaDesc, JointDesc, SurfaceDesc, TerrainDesc};

impl Lower<'_> {
    /// A field that must be there, with its place.
    pub(crate) fn field<'d, T>(
        &self,
        path: &FieldPath,
        name: &'static str,
        given: Option<&'d T>,
        example: &str,
    ) -> Result<(FieldPath, &'d T), SceneError> {
        given.map(|given| (path.join(name), given)).ok_or_else(|| {
            let (message, help) =
                (format!("the field `{name}` is missing"), format!("for example {name} = {example}"));
            let error = SceneError::at(self.document, path.clone(), message, Some(help.as_str()));
            error.with_kind(ErrorKind::MissingField)
        })
    }

    /// The frames on a and on b: given, or the bodies' own; on b a point may be given alone.
    pub(crate) fn frames(&self, desc: &JointDesc) -> Vec<(End, Frame)> {
        let (a, b) = desc.ends();
        let on_a = desc.frame_in_a.as_ref().map_or_else(Frame::default, frame);
        let on_b = match (&desc.frame_in_b, &desc.point_in_b) {
            (Some(given), _) => frame(given),
            (None, place) => Frame::at(point(place.as_ref())),
        };
        vec![(self.end(a), on_a), (self.end(b), on_b)]
    }

    /// Whether both bodies stay in the plane.
    pub(crate) fn both_flat(&self, desc: &JointDesc) -> bool {
        let (a, b) = desc.ends();
        let flat = |name: &str| self.kind_of(name).is_none_or(|kind| kind.is_planar());
        flat(a) && flat(b)
    }

    pub(crate) fn curve(&self, path: &FieldPath, desc: &CurveDesc) -> Result<Curve, SceneError> {
        match desc {
            CurveDesc::Through(through) => {
                let at = path.join("through");
                let points = self.points(&at, &through.points)?;
                Curve::through(&points, through.closed == Some(true)).map_err(|e| self.misfit(&at, &e))
            }
            CurveDesc::Nurbs(nurbs) => self.curve_nurbs(&path.join("nurbs"), nurbs),
            CurveDesc::Formula(formula) => self.formula(&path.join("formula"), formula),
            CurveDesc::Polar(radii) => {
                let radii: Vec<f64> = radii.iter().map(|r| r.0).collect();
                Curve::polar(&radii).map_err(|e| self.misfit(&path.join("polar"), &e))
            }
            CurveDesc::Circle(radius) => {
                Curve::circle(radius.0).map_err(|e| self.misfit(&path.join("circle"), &e))
            }
        }
    }

    fn curve_nurbs(&self, path: &FieldPath, desc: &CurveNurbs) -> Result<Curve, SceneError> {
        let points: Vec<[f64; 3]> = self.points(path, &desc.points)?.iter().map(|p| p.to_array()).collect();
        let number = |n: &Number| n.0;
        let weights: Vec<f64> = desc.weights.iter().flatten().map(number).collect();
        let degree = desc.degree.unwrap_or(3) as usize;
        let made = match &desc.knots {
            Some(knots) => {
                let knots: Vec<f64> = knots.iter().map(number).collect();
                Nurbs::new(degree, &knots, &points, &weights)
            }
            None => Nurbs::even(degree, 0.0, 1.0, &points, &weights),
        };
        let nurbs = made.map_err(|error| {
            let at = match &error {
                LawError::Knot { knot, .. } => path.join("knots").join(*knot),
                LawError::KnotCount { .. } => path.join("knots"),
                LawError::Weights { .. } => path.join("weights"),
                LawError::Degree { .. } if desc.degree.is_some() => path.join("degree"),
                _ => path.join("points"),
            };
            self.bad(at, error.to_string(), "knots grow, and are points + degree + 1 in number")
        })?;
        Curve::nurbs(nurbs, desc.closed == Some(true)).map_err(|e| self.misfit(path, &e))
    }

    fn formula(&self, path: &FieldPath, desc: &FormulaDesc) -> Result<Curve, SceneError> {
        let z = desc.z.as_deref().unwrap_or("0");
        let texts = [("x", desc.x.as_str()), ("y", desc.y.as_str()), ("z", z)];
        for (name, text) in texts {
            if let Err(error) = cardan::Law::expression(text) {
                let help = "a formula in t, such as \"0.2*cos(t)\"";
                return Err(self.bad(path.join(name), error.to_string(), help));
            }
        }
        let span = [desc.from.map_or(0.0, |n| n.0), desc.to.0];
        let made = Curve::formula(texts.map(|(_, text)| text), span, desc.closed == Some(true));
        made.map_err(|error| match &error {
            GeometryError::Number { field, .. } => {
                self.bad(path.join(*field), error.to_string(), "t runs from `from` to `to`")
            }
            _ => self.misfit(path, &error),
        })
    }

    fn points(&self, path: &FieldPath, points: &[Vec<Length>]) -> Result<Vec<Vec3>, SceneError> {
        let read = |(i, p): (usize, &Vec<Length>)| match p.as_slice() {
            [x, y] => Ok(Vec3::new(x.0, y.0, 0.0)),
            [x, y, z] => Ok(Vec3::new(x.0, y.0, z.0)),
            other => {
                let message = format!("expected [x, y, z] or [x, y], found {} numbers", other.len());
                Err(self.bad(path.join("points").join(i), message, "in metres, or \"10 mm\""))
            }
        };
        points.iter().enumerate().map(read).collect()
    }

    pub(crate) fn surface(&self, path: &FieldPath, desc: &SurfaceDesc) -> Result<Surface, SceneError> {
        let (name, surface) = match desc {
            SurfaceDesc::Named(name) => return self.named_surface(&path.join("named"), name),
            SurfaceDesc::Plane => ("plane", Surface::Plane),
            SurfaceDesc::Sphere(radius) => ("sphere", Surface::Sphere { radius: radius.0 }),
            SurfaceDesc::Cylinder(radius) => ("cylinder", Surface::Cylinder { radius: radius.0 }),
            SurfaceDesc::Cone(angle) => ("cone", Surface::Cone { half_angle: angle.0 }),
            SurfaceDesc::Ellipsoid(radii) => ("ellipsoid", Surface::Ellipsoid { radii: point(Some(radii)) }),
            SurfaceDesc::Torus(torus) => ("torus", Surface::Torus { ring: torus.ring.0, tube: torus.tube.0 }),
            SurfaceDesc::Terrain(terrain) => ("terrain", self.terrain(&path.join("terrain"), terrain)?),
        };
        surface.check().map_err(|error| {
            let at = path.join(name);
            let at = match &error {
                GeometryError::Number { field, .. } if name == "torus" => at.join(*field),
                _ => at,
            };
            self.bad(at, error.to_string(), "sizes are positive lengths, in metres, or \"10 mm\"")
        })?;
        Ok(surface)
    }

    /// A surface of the table `surfaces`.
    fn named_surface(&self, path: &FieldPath, name: &str) -> Result<Surface, SceneError> {
        let own = || self.scene.surfaces.iter().map(|(own, _)| own);
        match self.scene.surfaces.get(name) {
            Some(SurfaceDesc::Named(_)) => {
                let (at, message) =
                    (FieldPath::item("surfaces", name), "a surface cannot be another one's name");
                Err(self.bad(at, message, "give its shape, such as { cylinder = 0.5 }"))
            }
            Some(desc) => self.surface(&FieldPath::item("surfaces", name), desc),
            None => {
                let help = match nearest(name, own()) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None if own().next().is_none() => format!("add a table [surfaces.{}]", clip(name)),
                    None => format!("known: {}", own().collect::<Vec<_>>().join(", ")),
                };
                let message = format!("there is no surface `{}`", clip(name));
                let error = SceneError::at(self.document, path.clone(), message, Some(help.as_str()));
                Err(error.with_kind(ErrorKind::UnknownName))
            }
        }
    }

    fn terrain(&self, path: &FieldPath, desc: &TerrainDesc) -> Result<Surface, SceneError> {
        let heights: Vec<Vec<f64>> =
            desc.heights.iter().map(|row| row.iter().map(|z| z.0).collect()).collect();
        let two = |v: [Length; 2]| v.map(|x| x.0);
        SplineTerrain::new(two(desc.corner), two(desc.spacing), &heights).map(Surface::Terrain).map_err(
            |error| {
                let at = match &error {
                    GeometryError::NotRectangular { row, .. } => path.join("heights").join(*row),
                    GeometryError::Number { field, .. } => path.join(*field),
                    _ => path.join("heights"),
                };
                self.bad(at, error.to_string(), "a row per y, a number per x, all rows of one length")
            },
        )
    }

    /// The error of a curve or surface that is invalid or does not fit here.
    pub(crate) fn misfit(&self, path: &FieldPath, error: &GeometryError) -> SceneError {
        let help = match error {
            GeometryError::Crosses { .. } => "keep its branches apart, or use two curves",
            GeometryError::Kink { .. }
            | GeometryError::ZeroTangent { .. }
            | GeometryError::NotSmooth { .. } => {
                "a point can only follow a curve whose direction is continuous"
            }
            GeometryError::NotClosed { .. } => "let it end where it starts, or leave out `closed`",
            GeometryError::Open => "add `closed = true`, or give `polar` or `circle`",
            GeometryError::NotFlat { .. } => "give points [x, y], or turn the frame of the joint",
            _ => "in metres, or \"10 mm\"",
        };
        self.bad(path.clone(), error.to_string(), help)
    }
}
