//! Geoms as shapes of a scene, and which of them touch.
//!
//! MuJoCo lets two geoms touch if a bit of `contype` of one is in `conaffinity` of the other, unless one body
//! is the parent of the other or the pair is excluded. A scene decides by bodies: two bodies touch if two of
//! their geoms may.

use std::collections::{BTreeMap, BTreeSet};

use cardan::math::{Vec3, vec3};

use super::files::Item;
use super::geom::{Geom, GeomForm, friction};
use super::mesh::MeshAsset;
use super::scene::SceneBuilder;
use super::tree::{MotionType, NamedPart};
use crate::document::clip;
use crate::error::{ErrorKind, SceneError};
use crate::import::report::Treatment;
use crate::import::shapes::ShapeWriter;
use crate::import::space::{compose, lengths, numbers, orientation};
use crate::import::urdf::{Form, Geometry};
use crate::import::xml::start;
use crate::quantity::{Length, Number};
use crate::scene::{
    BodyDesc, ContactFriction, ContactPairDesc, ContactsDesc, GROUND, GroundDesc, IntegratorDesc,
    MaterialDesc, OverlapsDesc, Planar, ShapeDesc, ShapeKind,
};

/// Most bodies whose pairs are asked one by one.
const MAX_PAIRED: usize = 400;

/// The friction of a floor that is asked for: rubber on concrete.
const FLOOR_FRICTION: f64 = 0.8;

pub(super) struct Shapes<'s, 'a> {
    writer: ShapeWriter<'s>,
    meshes: &'s BTreeMap<String, MeshAsset<'a>>,
    ground: Vec<ShapeDesc>,
    ground_masks: BTreeSet<[u32; 2]>,
    touching: Vec<Touching>,
    materials: BTreeMap<[u64; 3], String>,
    pairs: Pairs,
}

/// A body with shapes that may touch something.
struct Touching {
    body: usize,
    name: String,
    masks: BTreeSet<[u32; 2]>,
}

/// What `<contact>` says, by the bodies that move.
#[derive(Default)]
struct Pairs {
    excluded: BTreeSet<[usize; 2]>,
    listed: BTreeMap<[usize; 2], f64>,
    /// Geoms that `<pair>` lets touch whatever their bits are.
    geoms: BTreeSet<String>,
}

impl Pairs {
    fn read<'a>(builder: &mut SceneBuilder<'_, 'a>) -> Result<Self, SceneError> {
        let (reader, model) = (builder.reader, builder.model);
        let mut own = Self::default();
        let owner: BTreeMap<&str, usize> = (model.bodies.iter().enumerate())
            .flat_map(|(b, body)| body.geoms.iter().filter_map(move |geom| Some((geom.name.as_deref()?, b))))
            .collect();
        let items: Vec<Item<'a>> = super::compiler::sections(&reader.files, "contact")
            .flat_map(|item| reader.files.children(item))
            .collect();
        for item in items {
            match item.tag() {
                "exclude" => {
                    let fields = reader.plain(item);
                    let side = |name: &str| -> Result<usize, SceneError> {
                        reader.files.text(item).required(item.node, name)?;
                        Ok(builder.group_of[model.named(&fields, name, NamedPart::Body)?.unwrap_or(0)])
                    };
                    own.excluded.insert(ordered(side("body1")?, side("body2")?));
                    builder.note(Treatment::Used, "<exclude> of a contact", item);
                }
                "pair" => {
                    let fields = reader.fields(item, "pair", super::fields::MAIN)?;
                    let side = |name: &str| -> Result<(usize, String), SceneError> {
                        let geom = reader.files.text(item).required(item.node, name)?;
                        let found = owner.get(geom).ok_or_else(|| {
                            let message = format!("there is no geom `{}`", clip(geom));
                            let help = "name two geoms: <pair geom1=\"…\" geom2=\"…\"/>";
                            reader.files.error(item, ErrorKind::UnknownName, message, help)
                        })?;
                        Ok((builder.group_of[*found], geom.to_string()))
                    };
                    let ((a, first), (b, second)) = (side("geom1")?, side("geom2")?);
                    own.geoms.extend([first, second]);
                    own.listed.insert(ordered(a, b), friction(&fields)?[0]);
                    builder.note(
                        Treatment::Approximated,
                        "<pair> of a contact: all shapes of the two bodies",
                        item,
                    );
                }
                tag => {
                    let what = format!("<{}> of <contact>", clip(tag));
                    builder.note(Treatment::Ignored, &what, item);
                }
            }
        }
        Ok(own)
    }
}

fn ordered(a: usize, b: usize) -> [usize; 2] {
    if a < b { [a, b] } else { [b, a] }
}

impl<'s, 'a> Shapes<'s, 'a> {
    pub(super) fn new(
        builder: &mut SceneBuilder<'_, 'a>,
        writer: ShapeWriter<'s>,
        meshes: &'s BTreeMap<String, MeshAsset<'a>>,
    ) -> Result<Self, SceneError> {
        let pairs = Pairs::read(builder)?;
        let mut own = Self {
            writer,
            meshes,
            ground: Vec::new(),
            ground_masks: BTreeSet::new(),
            touching: Vec::new(),
            materials: BTreeMap::new(),
            pairs,
        };
        let mut masks = BTreeSet::new();
        own.ground = own.shapes(builder, 0, &mut masks)?;
        own.ground_masks = masks;
        if let Some(height) = builder.options.floor {
            let position = (height != 0.0).then(|| lengths([0.0, 0.0, height]));
            let material = Some(own.material(builder, [FLOOR_FRICTION, 0.0, 0.0]));
            let normal = Some(numbers([0.0, 0.0, 1.0]));
            own.ground.push(ShapeDesc { position, normal, material, ..ShapeDesc::new(ShapeKind::Plane) });
            own.ground_masks.insert([u32::MAX; 2]);
        }
        Ok(own)
    }

    /// A body of the scene with its shapes.
    pub(super) fn add_body(
        &mut self,
        builder: &mut SceneBuilder<'_, 'a>,
        body: usize,
        name: &str,
        mut desc: BodyDesc,
    ) -> Result<(), SceneError> {
        let mut masks = BTreeSet::new();
        let mut found = self.shapes(builder, body, &mut masks)?;
        if !masks.is_empty() {
            self.touching.push(Touching { body, name: name.to_string(), masks });
        }
        match found.len() {
            0 => {}
            1 => desc.shape = found.pop(),
            _ => desc.shapes = Some(found),
        }
        builder.scene.bodies.push(name, desc);
        Ok(())
    }

    fn shapes(
        &mut self,
        builder: &mut SceneBuilder<'_, 'a>,
        group: usize,
        masks: &mut BTreeSet<[u32; 2]>,
    ) -> Result<Vec<ShapeDesc>, SceneError> {
        let model = builder.model;
        let mut found = Vec::new();
        for b in builder.members[group].clone() {
            let frame = builder.in_group[b];
            for geom in &model.bodies[b].geoms {
                let paired = geom.name.as_ref().is_some_and(|name| self.pairs.geoms.contains(name));
                let touches =
                    builder.settings.contact && (paired || geom.contype != 0 || geom.conaffinity != 0);
                let Some(mut shape) = self.shape(builder, geom, &frame, group == 0, touches)? else {
                    continue;
                };
                if touches {
                    masks.insert([geom.contype, geom.conaffinity]);
                    let [slide, spin, roll] = geom.friction;
                    let slide = if geom.condim == 1 { 0.0 } else { slide };
                    let spin = if geom.condim >= 4 { spin } else { 0.0 };
                    let roll = if geom.condim >= 6 { roll } else { 0.0 };
                    shape.material = Some(self.material(builder, [slide, spin, roll]));
                } else {
                    shape.collide = Some(false);
                }
                found.push(shape);
            }
        }
        Ok(found)
    }

    /// The name of a material with coefficients of sliding, spin and rolling.
    fn material(&mut self, builder: &SceneBuilder<'_, 'a>, own: [f64; 3]) -> String {
        let next = self.materials.len() + 1;
        let key = own.map(f64::to_bits);
        self.materials.entry(key).or_insert_with(|| builder.name(&format!("contact{next}"))).clone()
    }

    fn shape(
        &mut self,
        builder: &mut SceneBuilder<'_, 'a>,
        geom: &Geom<'a>,
        frame: &cardan::Frame,
        is_ground: bool,
        touches: bool,
    ) -> Result<Option<ShapeDesc>, SceneError> {
        let form = match &geom.form {
            GeomForm::Plane if is_ground => {
                let at = compose(frame, &geom.frame);
                let position = (at.pos != Vec3::ZERO).then(|| lengths(at.pos.to_array()));
                // A plane without a normal would turn with gravity.
                let normal = Some(numbers((at.rot * Vec3::Z).to_array()));
                return Ok(Some(ShapeDesc { position, normal, ..ShapeDesc::new(ShapeKind::Plane) }));
            }
            GeomForm::Plane => {
                builder.note(Treatment::Ignored, "plane of a body that moves", geom.item);
                return Ok(None);
            }
            GeomForm::Other => {
                builder.note(
                    Treatment::Ignored,
                    "geom of a type that has no shape here (hfield, sdf)",
                    geom.item,
                );
                return Ok(None);
            }
            GeomForm::Sphere(radius) => Form::Sphere(*radius),
            GeomForm::Capsule { radius, half } => Form::Capsule { radius: *radius, length: 2.0 * half },
            GeomForm::Cylinder { radius, half } => Form::Cylinder { radius: *radius, length: 2.0 * half },
            GeomForm::Box(half) => Form::Box(half.map(|edge| 2.0 * edge)),
            GeomForm::Ellipsoid([x, y, z]) if x == y && y == z => Form::Sphere(*x),
            GeomForm::Ellipsoid(axes) => {
                builder.note(
                    Treatment::Approximated,
                    "ellipsoid: a hull of 74 corners for contact",
                    geom.item,
                );
                let at = compose(frame, &geom.frame);
                let position = (at.pos != Vec3::ZERO).then(|| lengths(at.pos.to_array()));
                let vertices = Some(corners(*axes));
                let orientation = orientation(at.rot);
                return Ok(Some(ShapeDesc {
                    position,
                    orientation,
                    vertices,
                    ..ShapeDesc::new(ShapeKind::Hull)
                }));
            }
            GeomForm::Mesh(_) if !touches => {
                builder.note(Treatment::Ignored, "mesh without contact", geom.item);
                return Ok(None);
            }
            GeomForm::Mesh(name) => match self.meshes.get(name) {
                Some(asset) if asset.is_plain() => {
                    Form::Mesh { uri: asset.uri.clone().unwrap_or_default(), scale: asset.scale }
                }
                _ => {
                    let what = "contact of a mesh that is not a file, or is moved by refpos or refquat";
                    builder.note(Treatment::Ignored, what, geom.item);
                    return Ok(None);
                }
            },
        };
        let geometry = Geometry { frame: geom.frame, form, at: start(geom.item.node) };
        let text = builder.reader.files.text(geom.item);
        self.writer.shape(text, &geometry, frame, &mut builder.report)
    }

    /// The ground, materials, and which bodies touch.
    pub(super) fn finish(mut self, builder: &mut SceneBuilder<'_, 'a>) {
        let meets = |a: &BTreeSet<[u32; 2]>, b: &BTreeSet<[u32; 2]>| {
            a.iter().any(|[t, f]| b.iter().any(|[u, g]| t & g != 0 || u & f != 0))
        };
        let mut tree_of = vec![0; builder.model.bodies.len()];
        for (b, body) in builder.model.bodies.iter().enumerate().skip(1) {
            tree_of[b] = match builder.group_of[b] {
                0 => 0,
                _ if builder.group_of[body.parent] == 0 => b,
                _ => tree_of[body.parent],
            };
        }
        let mut contacts = ContactsDesc::default();
        let mut any = builder.options.is_part;
        let is_allowed = |a: usize, b: usize, masks: bool| {
            let pair = ordered(a, b);
            !self.pairs.excluded.contains(&pair) && (masks || self.pairs.listed.contains_key(&pair))
        };
        // With the ground.
        for own in &self.touching {
            let joints = &builder.model.bodies[own.body].joints;
            let joined = builder.group_of[builder.model.bodies[own.body].parent] == 0
                && joints.len() == 1
                && builder.model.joints[joints[0]].kind != MotionType::Free;
            let allowed = !self.ground_masks.is_empty()
                && is_allowed(0, own.body, meets(&self.ground_masks, &own.masks));
            any |= allowed;
            match (allowed, joined) {
                (true, true) => contacts.add.push([GROUND.to_string(), own.name.clone()]),
                (false, false) if !self.ground_masks.is_empty() => {
                    contacts.exclude.push(vec![GROUND.to_string(), own.name.clone()]);
                }
                _ => {}
            }
        }
        // Of one tree, unless asked.
        let mut trees: BTreeMap<usize, Vec<String>> = BTreeMap::new();
        for own in &self.touching {
            trees.entry(tree_of[own.body]).or_default().push(own.name.clone());
        }
        if !builder.options.self_collision {
            contacts.exclude.extend(trees.values().filter(|list| list.len() > 1).cloned());
        }
        any |= trees.len() > 1;
        if self.touching.len() <= MAX_PAIRED {
            for (i, a) in self.touching.iter().enumerate() {
                for b in &self.touching[i + 1..] {
                    let same = tree_of[a.body] == tree_of[b.body];
                    if same && !builder.options.self_collision {
                        continue;
                    }
                    let parent = |of: &Touching| builder.group_of[builder.model.bodies[of.body].parent];
                    let family =
                        builder.settings.filterparent && (parent(a) == b.body || parent(b) == a.body);
                    if family || !is_allowed(a.body, b.body, meets(&a.masks, &b.masks)) {
                        contacts.exclude.push(vec![a.name.clone(), b.name.clone()]);
                    } else {
                        any = true;
                    }
                }
            }
        } else {
            let root = builder.reader.files.root();
            builder.note(
                Treatment::Approximated,
                "contype and conaffinity of so many bodies: all touch",
                root,
            );
        }
        for (&[a, b], &mu) in &self.pairs.listed {
            let known = |g: usize| g == 0 || self.touching.iter().any(|own| own.body == g);
            if a != b && known(a) && known(b) && is_allowed(a, b, true) {
                let friction = Some(ContactFriction::Both(Number(mu)));
                let (a, b) = (builder.body_of(a), builder.body_of(b));
                let (rolling_resistance, torsional_resistance, restitution) = (None, None, None);
                contacts.pairs.push(ContactPairDesc {
                    a,
                    b,
                    friction,
                    restitution,
                    rolling_resistance,
                    torsional_resistance,
                });
                any = true;
            }
        }
        if any {
            let slides: BTreeSet<u64> = self.materials.keys().map(|[slide, ..]| *slide).collect();
            if slides.len() > 1 {
                let what = "friction of two geoms: the geometric mean, where MuJoCo takes the larger";
                builder.note(Treatment::Approximated, what, builder.reader.files.root());
            }
            self.write_materials(builder);
            builder.scene.contacts = Some(contacts);
            builder.scene.simulation.integrator = Some(IntegratorDesc::TimeStepping);
            builder.scene.simulation.overlaps = Some(OverlapsDesc::Resolve);
        } else {
            self.forget_contacts(builder);
        }
        if !self.ground.is_empty() {
            builder.scene.ground = Some(GroundDesc { shapes: self.ground });
        }
    }

    fn write_materials(&self, builder: &mut SceneBuilder<'_, 'a>) {
        let mut all: Vec<(&String, [f64; 3])> =
            self.materials.iter().map(|(key, name)| (name, key.map(f64::from_bits))).collect();
        all.sort_by_key(|(name, _)| (name.len(), name.to_string()));
        for (name, [slide, spin, roll]) in all {
            let some = |x: f64| (x > 0.0).then_some(Length(x));
            let material = MaterialDesc {
                friction: Some(ContactFriction::Both(Number(slide))),
                restitution: None,
                rolling_resistance: some(roll),
                torsional_resistance: some(spin),
            };
            builder.scene.materials.push(name.clone(), material);
        }
    }

    /// Nothing can touch: shapes are for drawing.
    fn forget_contacts(&mut self, builder: &mut SceneBuilder<'_, 'a>) {
        for shape in &mut self.ground {
            (shape.material, shape.collide) = (None, Some(false));
        }
        for (_, body) in &mut builder.scene.bodies.0 {
            let all = body.shape.iter_mut().chain(body.shapes.iter_mut().flatten());
            all.for_each(|shape| shape.material = None);
        }
    }
}

/// Corners on an ellipsoid: the poles, and six rings of twelve.
fn corners([x, y, z]: [f64; 3]) -> Vec<Planar<Length>> {
    use core::f64::consts::PI;
    let mut all = vec![vec3(0.0, 0.0, z), vec3(0.0, 0.0, -z)];
    for ring in 1..=6 {
        let (s, c) = libm::sincos(PI * f64::from(ring) / 7.0);
        for k in 0..12 {
            let (sk, ck) = libm::sincos(2.0 * PI * f64::from(k) / 12.0);
            all.push(vec3(x * s * ck, y * s * sk, z * c));
        }
    }
    all.into_iter().map(|p| Planar::Space(lengths(p.to_array()))).collect()
}
