//! Bodies and their shapes.

use schemars::JsonSchema;
use serde::de::{self, Deserialize, Deserializer};
use serde::{Deserialize as DeriveDeserialize, Serialize};

use super::curve::CurveDesc;
use super::space::ScalarOrList;
use super::{AngularVelocity, LookDesc, Orientation, Planar};
use crate::document::FieldPath;
use crate::quantity::{Density, Length, Mass, Number, Pressure, Speed, Stiffness};

/// The kind of a body: its degrees of freedom.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, DeriveDeserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum BodyKindDesc {
    /// Moves and turns in space: 6 freedoms.
    #[default]
    Rigid,
    /// A point mass in space: 3 freedoms.
    Particle,
    /// Moves and turns in the x–y plane: 3 freedoms.
    Planar,
    /// A point mass in the x–y plane: 2 freedoms.
    PlanarParticle,
    /// Turns about an `axis` that is fixed in the world: 1 freedom.
    Shaft,
    /// Rigid, with one scale for the whole body: 7 freedoms.
    Scaled,
    /// Rigid, with a scale along each of its axes: 9 freedoms.
    Scaled3,
    /// Elastic, with a uniform deformation (affine body): 12 freedoms.
    Affine,
    /// Elastic box with a quadratic displacement field, so that it also bends: 30 freedoms.
    Soft,
    /// Rigid, with a mass that slides on a line inside it: 7 freedoms.
    InternalMass,
    /// A point mass on a `curve`: 1 freedom, the parameter of the curve from 0 to 1.
    Bead,
    /// Pieces whose poses are formulas in generalised `coordinates`: as many freedoms.
    Formula,
}

impl BodyKindDesc {
    /// True for the kinds that stay in the x–y plane.
    pub fn is_planar(self) -> bool {
        matches!(self, BodyKindDesc::Planar | BodyKindDesc::PlanarParticle)
    }

    /// True for the kinds that have no orientation.
    pub fn is_particle(self) -> bool {
        matches!(self, BodyKindDesc::Particle | BodyKindDesc::PlanarParticle | BodyKindDesc::Bead)
    }

    /// True for the kinds whose coordinates are not a position and an orientation.
    pub fn is_general(self) -> bool {
        use BodyKindDesc::{Affine, Bead, Formula, InternalMass, Scaled, Scaled3, Shaft, Soft};
        matches!(self, Shaft | Scaled | Scaled3 | Affine | Soft | InternalMass | Bead | Formula)
    }
}

/// A body, as it is at t = 0.
#[derive(Clone, Debug, Default, PartialEq, Serialize, DeriveDeserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BodyDesc {
    /// Default rigid.
    #[serde(default)]
    pub kind: BodyKindDesc,
    /// Its shape; rods, cylinders and capsules lie along the body's x axis.
    pub shape: Option<ShapeDesc>,
    /// Several shapes, for a compound body.
    pub shapes: Option<Vec<ShapeDesc>>,
    /// Mass. With a shape the inertia follows from it.
    pub mass: Option<Mass>,
    /// Density in kg/m³, instead of the mass.
    pub density: Option<Density>,
    /// Origin of the body frame, world axes. Default zero.
    pub position: Option<Planar<Length>>,
    /// Orientation of the body frame. Default none.
    pub orientation: Option<Orientation>,
    /// Velocity of the centre of mass, world axes. Default zero.
    pub velocity: Option<Planar<Speed>>,
    /// Angular velocity, world axes. Default zero.
    pub angular_velocity: Option<AngularVelocity>,
    /// Centre of mass in the body frame. Default: that of the shapes, else the origin.
    pub center_of_mass: Option<Planar<Length>>,
    /// Inertia about the centre of mass in body axes, kg·m²: [xx, yy, zz] or [xx, yy, zz, xy, xz, yz]; a number for planar
    /// bodies.
    pub inertia: Option<Inertia>,
    /// Accept an inertia that no mass distribution has (it breaks the triangle inequality), with a warning.
    pub allow_unphysical_inertia: Option<bool>,
    /// Of a shaft: the axis, through the origin of the body frame, in that frame.
    pub axis: Option<[Number; 3]>,
    /// Coordinates at the start besides the pose: the angle of a shaft in rad (default 0), scales (default 1), the curve
    /// parameter of a bead (default 0), the coordinates of formulas (default 0).
    pub start: Option<Vec<Number>>,
    /// Rates of these coordinates at the start. Default zero.
    pub start_rate: Option<Vec<Number>>,
    /// Of a body that scales: k of its energy ½ k Σ (s − 1)², in J.
    pub stiffness: Option<Number>,
    /// Of a body that scales: d of the dissipated power d Σ ṡ², in J·s. Of an elastic body: stress per rate of strain, in
    /// Pa·s. Default zero.
    pub damping: Option<Number>,
    /// Young's modulus of an elastic body.
    pub young: Option<Pressure>,
    /// Poisson's ratio of an elastic body. Default 0.
    pub poisson: Option<Number>,
    /// The mass that slides inside the body.
    pub inside: Option<InsideDesc>,
    /// The curve that a bead moves on, in the body frame, which is fixed in the world.
    pub curve: Option<CurveDesc>,
    /// Names of the coordinates that the formulas use.
    pub coordinates: Option<Vec<String>>,
    /// The pieces of a body by formulas; joints name them as "body/0", "body/1", …, the first also as "body".
    pub pieces: Option<Vec<PieceDesc>>,
    /// Potential energy of a body by formulas beyond that of gravity, in J: a formula in its coordinates.
    pub energy: Option<String>,
    /// How it is drawn.
    pub look: Option<LookDesc>,
}

/// A mass that slides along a line inside a body, on a spring.
#[derive(Clone, Debug, PartialEq, Serialize, DeriveDeserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct InsideDesc {
    /// Its mass, besides that of the body.
    pub mass: Mass,
    /// Where its coordinate is zero, in the body frame. Default the origin.
    pub origin: Option<[Length; 3]>,
    /// The direction of the line, in the body frame.
    pub axis: [Number; 3],
    /// Stiffness of its spring, in N/m. Default none.
    pub stiffness: Option<Stiffness>,
    /// Damping of the spring, in N·s/m. Default none.
    pub damping: Option<Number>,
    /// Coordinate at which the spring is relaxed. Default 0.
    pub rest: Option<Length>,
}

/// A piece of a body by formulas.
#[derive(Clone, Debug, PartialEq, Serialize, DeriveDeserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PieceDesc {
    /// Its mass.
    pub mass: Mass,
    /// x of its origin in the body frame, in metres: a formula in the coordinates. Default "0".
    pub x: Option<String>,
    /// y of its origin in the body frame, in metres: a formula in the coordinates. Default "0".
    pub y: Option<String>,
    /// z of its origin in the body frame, in metres: a formula in the coordinates. Default "0".
    pub z: Option<String>,
    /// Its rotation angle in rad: a formula. Without it the piece is a point mass.
    pub angle: Option<String>,
    /// Axis of this rotation, in the body frame. Default z.
    pub axis: Option<[Number; 3]>,
    /// Centre of mass in the piece's frame. Default its origin.
    pub center_of_mass: Option<[Length; 3]>,
    /// Inertia about the centre of mass in the piece's axes, kg·m². Default none.
    pub inertia: Option<Inertia>,
}

impl BodyDesc {
    /// Number of pieces that joints can be attached to.
    pub fn piece_count(&self) -> usize {
        match self.kind {
            BodyKindDesc::Formula => self.pieces.as_ref().map_or(0, Vec::len),
            BodyKindDesc::InternalMass => 2,
            _ => 1,
        }
    }

    /// Its shapes, from `shape` or from `shapes`.
    pub fn all_shapes(&self) -> &[ShapeDesc] {
        match (&self.shape, &self.shapes) {
            (Some(shape), _) => std::slice::from_ref(shape),
            (None, Some(shapes)) => shapes,
            (None, None) => &[],
        }
    }
}

impl BodyDesc {
    /// Path of the field that gives the shape of this index.
    pub(crate) fn path_of_shape(&self, body: &FieldPath, i: usize) -> FieldPath {
        if self.shape.is_some() { body.join("shape") } else { body.join("shapes").join(i) }
    }
}

/// The ground. Its frame is the world.
#[derive(Clone, Debug, Default, PartialEq, Serialize, DeriveDeserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GroundDesc {
    /// Shapes fixed to the world.
    #[serde(default)]
    pub shapes: Vec<ShapeDesc>,
}

/// An inertia about the centre of mass in body axes, kg·m².
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Inertia {
    /// About z, for planar bodies.
    Planar(Number),
    /// [xx, yy, zz].
    Principal([Number; 3]),
    /// [xx, yy, zz, xy, xz, yz].
    Full([Number; 6]),
}

impl<'de> Deserialize<'de> for Inertia {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match ScalarOrList::read(deserializer, "an array of 3 or 6 numbers, or a number for planar bodies")? {
            ScalarOrList::One(number) => Ok(Inertia::Planar(number)),
            ScalarOrList::Many(items) => match items[..] {
                [xx, yy, zz] => Ok(Inertia::Principal([xx, yy, zz])),
                [xx, yy, zz, xy, xz, yz] => Ok(Inertia::Full([xx, yy, zz, xy, xz, yz])),
                _ => Err(de::Error::invalid_length(
                    items.len(),
                    &"an array of 3 ([xx, yy, zz]) or 6 ([xx, yy, zz, xy, xz, yz])",
                )),
            },
        }
    }
}

/// Factors from the numbers of a mesh file to metres.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum MeshScale {
    /// The same for all axes.
    All(Number),
    /// [x, y, z]; a negative factor mirrors.
    Each([Number; 3]),
}

impl MeshScale {
    /// The factor of each axis.
    pub fn factors(self) -> [f64; 3] {
        match self {
            MeshScale::All(scale) => [scale.0; 3],
            MeshScale::Each(each) => each.map(f64::from),
        }
    }
}

impl<'de> Deserialize<'de> for MeshScale {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match ScalarOrList::read(deserializer, "a number, or one per axis")? {
            ScalarOrList::One(scale) => Ok(MeshScale::All(scale)),
            ScalarOrList::Many(items) => match items[..] {
                [x, y, z] => Ok(MeshScale::Each([x, y, z])),
                _ => Err(de::Error::invalid_length(items.len(), &"a number, or an array of 3")),
            },
        }
    }
}

/// The geometry of a shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, DeriveDeserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ShapeKind {
    /// `size`: full edge lengths.
    Box,
    /// `radius`.
    Sphere,
    /// `radius`, `length` along x.
    Cylinder,
    /// `radius`, `length` along x between the centres of the caps.
    Capsule,
    /// `length` along x. Thin: `radius` gives only its volume and its inertia about x.
    Rod,
    /// `size` = [x, y]. Thin: `thickness` gives only its volume.
    Plate,
    /// `normal`: the half-space below a plane through its position. For the ground only.
    Plane,
    /// The convex hull of `vertices`, or of those of a `file`; of corners [x, y], a prism of this `thickness`.
    Hull,
    /// `vertices` and `triangles`, or a `file`: a surface of triangles, each counter-clockwise seen from outside. Closed, it gives a body its
    /// inertia.
    Mesh,
    /// Height field: `heights` on a grid of this `spacing` from `corner` on, two triangles per cell, solid below. For the
    /// ground only.
    Terrain,
}

/// A shape: it gives a body its inertia, its drawing and its contact geometry. Its fields depend on its kind.
#[derive(Clone, Debug, PartialEq, Serialize, DeriveDeserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ShapeDesc {
    /// The geometry.
    pub kind: ShapeKind,
    /// Its name in events and contacts, which say `BODY/NAME`. Default none.
    pub name: Option<String>,
    /// Full edge lengths: three for a box, two for a plate.
    pub size: Option<Vec<Length>>,
    /// Radius of a sphere, cylinder, capsule or rod.
    pub radius: Option<Length>,
    /// Length along x of a cylinder, capsule or rod.
    pub length: Option<Length>,
    /// Thickness along z of a plate, or of a hull of corners [x, y].
    pub thickness: Option<Length>,
    /// Corners of a hull or mesh: [x, y, z]; of a hull also [x, y].
    pub vertices: Option<Vec<Planar<Length>>>,
    /// Triangles of a mesh: three numbers of corners each, from 0, counter-clockwise seen from outside.
    pub triangles: Option<Vec<[u32; 3]>>,
    /// File with the corners of a hull or the triangles of a mesh: .obj or .stl, its path from the folder of the scene.
    pub file: Option<String>,
    /// Factor from the numbers of the file to metres, or one per axis; a negative one mirrors. Default 1; 0.001 for
    /// millimetres.
    pub scale: Option<MeshScale>,
    /// Of a terrain: [x, y] of the first height. Default zero.
    pub corner: Option<[Length; 2]>,
    /// Distance between heights, along x and along y.
    pub spacing: Option<[Length; 2]>,
    /// Of a terrain: a row per y, a height per x.
    pub heights: Option<Vec<Vec<Length>>>,
    /// Of a plane: its outward normal. Default z, or the z of its `orientation`, whatever gravity is.
    pub normal: Option<[Number; 3]>,
    /// Its centre in the body frame. Default zero.
    pub position: Option<[Length; 3]>,
    /// Its orientation in the body frame. Default none.
    pub orientation: Option<Orientation>,
    /// Name of its material: one of the file, or of the bundled surfaces (asphalt-clean, asphalt-wet, stone-clean, stone-wet,
    /// rail-clean, rail-wet-clean, rail-wet-dirty).
    pub material: Option<String>,
    /// False keeps it out of contacts. Default true.
    pub collide: Option<bool>,
    /// Name of a collision group: shapes of the same group never touch each other. Default none.
    pub group: Option<String>,
    /// How it is drawn. Default: as its body says.
    pub look: Option<LookDesc>,
}

impl ShapeDesc {
    /// A shape of a kind, with no sizes yet.
    pub fn new(kind: ShapeKind) -> Self {
        Self {
            kind,
            name: None,
            size: None,
            radius: None,
            length: None,
            thickness: None,
            vertices: None,
            triangles: None,
            file: None,
            scale: None,
            corner: None,
            spacing: None,
            heights: None,
            normal: None,
            position: None,
            orientation: None,
            material: None,
            collide: None,
            group: None,
            look: None,
        }
    }
}
