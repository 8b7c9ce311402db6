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
use crate::import::shapes::{FLOOR_FRICTION, ShapeWriter, floor_plane, group_name};
use crate::import::space::{compose, lengths, numbers, orientation};
use crate::import::urdf::{Form, Geometry};
use crate::import::xml::start;
use crate::quantity::{Length, Number};
use crate::scene::{
    BodyDesc, ContactFriction, ContactPairDesc, ContactsDesc, GROUND, GroundDesc, IntegratorDesc,
    MaterialDesc, OverlapsDesc, Planar, ShapeDesc, ShapeKind,
};

/// Most pairs of bodies that bits keep apart.
const MAX_PAIRS: usize = 100_000;

/// Most combinations of bits that are compared with each other.
const MAX_CLASSES: usize = 1000;

pub(super) struct Shapes<'s, 'a> {
    writer: ShapeWriter<'s>,
    meshes: &'s BTreeMap<String, MeshAsset<'a>>,
    ground: Vec<ShapeDesc>,
    ground_bits: Option<ContactBits>,
    touching: Vec<Touching>,
    materials: BTreeMap<[u64; 3], String>,
    pairs: Pairs<'a>,
}

/// A body with shapes that may touch something.
struct Touching {
    body: usize,
    /// In the list of the scene's bodies.
    place: usize,
    name: String,
    bits: ContactBits,
}

/// All bits of `contype` and of `conaffinity` of the geoms of a body. That a bit of one geom is in that of
/// another is that a bit of one body's sum is in that of the other's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct ContactBits {
    contype: u32,
    conaffinity: u32,
}

impl ContactBits {
    fn add(&mut self, geom: &Geom<'_>) {
        self.contype |= geom.contype;
        self.conaffinity |= geom.conaffinity;
    }

    fn meet(self, other: Self) -> bool {
        self.contype & other.conaffinity != 0 || other.contype & self.conaffinity != 0
    }
}

/// What `<contact>` says, by the bodies that move.
#[derive(Default)]
struct Pairs<'a> {
    excluded: BTreeSet<[usize; 2]>,
    /// Friction, and the element.
    listed: BTreeMap<[usize; 2], (f64, Item<'a>)>,
    /// Geoms that `<pair>` lets touch whatever their bits are.
    geoms: BTreeSet<String>,
}

impl<'a> Pairs<'a> {
    fn read(builder: &mut SceneBuilder<'_, 'a>) -> Result<Self, SceneError> {
        let model = builder.model;
        let mut own = Self::default();
        let owner: BTreeMap<&str, usize> = (model.bodies.iter().enumerate())
            .flat_map(|(b, body)| body.geoms.iter().filter_map(move |geom| Some((geom.name.as_deref()?, b))))
            .collect();
        for (reader, item) in builder.section("contact") {
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
                        reader.files.text(item).required(item.node, name)?;
                        let geom = fields.name(name).unwrap_or_default();
                        let found = owner.get(geom.as_str()).ok_or_else(|| {
                            let message = format!("there is no geom `{}`", clip(&geom));
                            let help = "name two geoms: <pair geom1=\"…\" geom2=\"…\"/>";
                            reader.files.error(item, ErrorKind::UnknownName, message, help)
                        })?;
                        Ok((builder.group_of[*found], geom))
                    };
                    let ((a, first), (b, second)) = (side("geom1")?, side("geom2")?);
                    own.geoms.extend([first, second]);
                    own.listed.insert(ordered(a, b), (friction(&fields)?[0], item));
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
            ground_bits: None,
            touching: Vec::new(),
            materials: BTreeMap::new(),
            pairs,
        };
        (own.ground, own.ground_bits) = own.shapes(builder, 0)?;
        if let Some(height) = builder.options.floor {
            let material = own.material(builder, [FLOOR_FRICTION, 0.0, 0.0]);
            own.ground.push(floor_plane(height, material));
            own.ground_bits = Some(ContactBits { contype: u32::MAX, conaffinity: u32::MAX });
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
        let (mut found, bits) = self.shapes(builder, body)?;
        if let Some(bits) = bits {
            let (name, place) = (name.to_string(), builder.scene.bodies.len());
            self.touching.push(Touching { body, place, name, bits });
        }
        match found.len() {
            0 => {}
            1 => desc.shape = found.pop(),
            _ => desc.shapes = Some(found),
        }
        builder.scene.bodies.push(name, desc);
        Ok(())
    }

    /// The shapes of a body, and the bits of those that may touch something.
    fn shapes(
        &mut self,
        builder: &mut SceneBuilder<'_, 'a>,
        group: usize,
    ) -> Result<(Vec<ShapeDesc>, Option<ContactBits>), SceneError> {
        let model = builder.model;
        let (mut found, mut bits) = (Vec::new(), None::<ContactBits>);
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
                    bits.get_or_insert_default().add(geom);
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
        Ok((found, bits))
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
        any |= self.with_ground(builder, &mut contacts);
        any |= self.between_bodies(builder, &tree_of, &mut contacts);
        if !builder.options.self_collision {
            self.group_trees(builder, &tree_of);
        }
        any |= self.listed_pairs(builder, &tree_of, &mut contacts);
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

    /// Which bodies touch the ground; whether any does.
    fn with_ground(&self, builder: &SceneBuilder<'_, 'a>, contacts: &mut ContactsDesc) -> bool {
        let Some(ground) = self.ground_bits else { return false };
        let mut any = false;
        for own in &self.touching {
            let joints = &builder.model.bodies[own.body].joints;
            let joined = builder.group_of[builder.model.bodies[own.body].parent] == 0
                && joints.len() == 1
                && builder.model.joints[joints[0]].kind != MotionType::Free;
            let pair = [0, own.body];
            let is_allowed = !self.pairs.excluded.contains(&pair)
                && (own.bits.meet(ground) || self.pairs.listed.contains_key(&pair));
            any |= is_allowed;
            match (is_allowed, joined) {
                (true, true) => contacts.add.push([GROUND.to_string(), own.name.clone()]),
                (false, false) => contacts.exclude.push(vec![GROUND.to_string(), own.name.clone()]),
                _ => {}
            }
        }
        any
    }

    /// Which bodies do not touch each other; whether any may. Those of one tree are asked with
    /// `--self-collision` only.
    fn between_bodies(
        &self,
        builder: &mut SceneBuilder<'_, 'a>,
        tree_of: &[usize],
        contacts: &mut ContactsDesc,
    ) -> bool {
        let within = builder.options.self_collision;
        let index = self.index();
        let tree = |i: usize| tree_of[self.touching[i].body];
        let is_asked = |i: usize, j: usize| i != j && (within || tree(i) != tree(j));
        let mut apart: BTreeSet<[usize; 2]> = BTreeSet::new();
        for [a, b] in &self.pairs.excluded {
            if let (Some(&i), Some(&j)) = (index.get(a), index.get(b)) {
                apart.insert(ordered(i, j));
            }
        }
        for (i, own) in self.touching.iter().enumerate().filter(|_| builder.settings.filterparent) {
            let parent = builder.group_of[builder.model.bodies[own.body].parent];
            if let Some(&j) = index.get(&parent) {
                apart.insert(ordered(i, j));
            }
        }
        let mut classes: BTreeMap<ContactBits, Vec<usize>> = BTreeMap::new();
        for (i, own) in self.touching.iter().enumerate() {
            classes.entry(own.bits).or_default().push(i);
        }
        let all: Vec<(&ContactBits, &Vec<usize>)> = classes.iter().collect();
        // Pairs of classes that do not meet; a list of pairs of bodies has a bound.
        let mut strangers = Vec::new();
        let mut size = 0_usize;
        for (k, (bits, own)) in all.iter().enumerate().take(MAX_CLASSES) {
            for (_, bodies) in all[k..].iter().filter(|(other, _)| !bits.meet(**other)) {
                size += own.len() * bodies.len();
                strangers.push((own, bodies));
            }
        }
        let is_complete = size <= MAX_PAIRS && all.len() <= MAX_CLASSES;
        for (own, bodies) in strangers.into_iter().filter(|_| is_complete) {
            for (&i, &j) in own.iter().flat_map(|i| bodies.iter().map(move |j| (i, j))) {
                let pair = ordered(self.touching[i].body, self.touching[j].body);
                if is_asked(i, j) && !self.pairs.listed.contains_key(&pair) {
                    apart.insert(ordered(i, j));
                }
            }
        }
        if !is_complete {
            let what = "contype and conaffinity of so many bodies: those that a bit keeps apart touch";
            builder.note(Treatment::Approximated, what, builder.reader.files.root());
        }
        apart.retain(|&[i, j]| is_asked(i, j));
        let pairs = |n: usize| n * n.saturating_sub(1) / 2;
        let mut in_tree: BTreeMap<usize, usize> = BTreeMap::new();
        (0..self.touching.len()).for_each(|i| *in_tree.entry(tree(i)).or_default() += 1);
        let inside: usize = in_tree.values().map(|&n| pairs(n)).sum();
        let asked = pairs(self.touching.len()) - if within { 0 } else { inside };
        for [i, j] in &apart {
            let names = [*i, *j].map(|i| self.touching[i].name.clone());
            contacts.exclude.push(names.to_vec());
        }
        asked > apart.len()
    }

    /// The bodies of each tree are one collision group: they do not touch each other.
    fn group_trees(&self, builder: &mut SceneBuilder<'_, 'a>, tree_of: &[usize]) {
        let mut trees: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for own in &self.touching {
            trees.entry(tree_of[own.body]).or_default().push(own.place);
        }
        let is_one = trees.len() == 1;
        for (root, places) in trees.into_iter().filter(|(_, places)| places.len() > 1) {
            let tree = (!is_one).then(|| builder.model.bodies[root].name.as_str());
            let group = group_name(builder.options, tree);
            for place in places {
                let body = &mut builder.scene.bodies.0[place].1;
                let shapes = body.shape.iter_mut().chain(body.shapes.iter_mut().flatten());
                for shape in shapes.filter(|shape| shape.collide != Some(false)) {
                    shape.group = Some(group.clone());
                }
            }
        }
    }

    /// Friction of the pairs that are listed; whether there are any.
    fn listed_pairs(
        &self,
        builder: &mut SceneBuilder<'_, 'a>,
        tree_of: &[usize],
        contacts: &mut ContactsDesc,
    ) -> bool {
        let index = self.index();
        let is_known = |g: usize| g == 0 || index.contains_key(&g);
        let mut any = false;
        for (pair @ [a, b], (mu, item)) in &self.pairs.listed {
            if a == b || !is_known(*a) || !is_known(*b) || self.pairs.excluded.contains(pair) {
                continue;
            }
            if *a != 0 && tree_of[*a] == tree_of[*b] && !builder.options.self_collision {
                let what = "<pair> of a contact within a tree: asked with --self-collision";
                builder.note(Treatment::Ignored, what, *item);
                continue;
            }
            let friction = Some(ContactFriction::Both(Number(*mu)));
            let (a, b) = (builder.body_of(*a), builder.body_of(*b));
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
        any
    }

    /// Of each body that may touch something: its place in the list of them.
    fn index(&self) -> BTreeMap<usize, usize> {
        self.touching.iter().enumerate().map(|(i, own)| (own.body, i)).collect()
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
