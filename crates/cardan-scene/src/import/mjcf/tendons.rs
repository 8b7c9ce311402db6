//! Tendons: sums of joint coordinates (`<fixed>`) and lengths of lines through sites (`<spatial>`, without
//! wrapping).

use std::collections::BTreeMap;

use cardan::Frame;
use cardan::math::Vec3;

use super::fields::{ElementReader, Fields, MAIN};
use super::files::Item;
use super::scene::{SceneBuilder, plain};
use super::tree::{Joint, MotionType, NamedPart};
use crate::document::clip;
use crate::error::{ErrorKind, SceneError};
use crate::import::report::Treatment;
use crate::import::space::{compose, lengths};
use crate::nearest::nearest;
use crate::quantity::Length;
use crate::scene::{
    ForceDesc, ForceKindDesc, FrictionDesc, InequalityDesc, InequalityKind, JointSpringDesc, OneOrMany,
};

/// What a tendon goes along.
pub(super) enum TendonPath {
    /// Joints and their coefficients: Σ coefficient · coordinate.
    Joints(Vec<(usize, f64)>),
    /// Bodies and points in their groups' frames.
    Line(Vec<(usize, Vec3)>),
    /// What a scene cannot say: wrapping, pulleys.
    Other,
}

pub(super) struct Tendon<'a> {
    pub(super) item: Item<'a>,
    pub(super) name: String,
    pub(super) path: TendonPath,
    /// Its length in the pose of the file.
    pub(super) home: f64,
    stiffness: f64,
    damping: f64,
    frictionloss: f64,
    /// Lengths between which the spring is at rest.
    spring_band: [f64; 2],
    limits: Option<[f64; 2]>,
}

/// The tendons of a model, in the order of its files.
pub(super) struct Tendons<'a> {
    all: Vec<Tendon<'a>>,
    by_name: BTreeMap<String, usize>,
}

impl<'a> Tendons<'a> {
    /// The tendon that an attribute names.
    pub(super) fn find(&self, fields: &Fields<'_, 'a>, attribute: &str) -> Result<&Tendon<'a>, SceneError> {
        let name = &fields.name(attribute).unwrap_or_default();
        self.by_name.get(name).map(|&i| &self.all[i]).ok_or_else(|| {
            let message = format!("there is no tendon `{}`", clip(name));
            let item = fields.place(attribute).unwrap_or(fields.item());
            let range = crate::import::xml::value_range(item.node, attribute);
            let help = match nearest(name, self.by_name.keys().map(String::as_str)) {
                Some(near) => format!("did you mean `{near}`?"),
                None => "tendons are given as <tendon><fixed name=\"…\">…</fixed></tendon>".to_string(),
            };
            fields.files.text(item).error(ErrorKind::UnknownName, range, message, &help)
        })
    }
}

pub(super) fn read_tendons<'a>(builder: &mut SceneBuilder<'_, 'a>) -> Result<Tendons<'a>, SceneError> {
    let (mut all, mut by_name) = (Vec::new(), BTreeMap::new());
    let relaxed = builder.relaxed_poses();
    for (i, (reader, item)) in builder.section("tendon").into_iter().enumerate() {
        let fields = reader.fields(item, "tendon", MAIN)?;
        let path = match item.tag() {
            "fixed" => joints(builder, reader, item)?,
            "spatial" => line(builder, reader, item)?,
            tag => {
                let what = format!("<{}> of <tendon>", clip(tag));
                builder.note(Treatment::Ignored, &what, item);
                continue;
            }
        };
        let name = reader.name_of(item).unwrap_or_else(|| format!("tendon{i}"));
        if by_name.insert(name.clone(), all.len()).is_some() {
            let message = format!("two tendons are called `{}`", clip(&name));
            return Err(reader.files.error(item, ErrorKind::Duplicate, message, "names are unique"));
        }
        let range = fields.vector::<2>("range")?;
        let limited = match fields.flag("limited")? {
            Some(limited) => limited,
            None => reader.compiler.autolimits && range.is_some_and(|[low, high]| low < high),
        };
        // A negative length stands for the one where all joints are at their `springref`.
        let lengths = fields.numbers("springlength", 1..=2)?.filter(|all| all[0] >= 0.0);
        let spring_band = lengths.map(|all| [all[0], all[all.len() - 1]]);
        if let Some([low, high]) = spring_band.filter(|[low, high]| low > high) {
            let message = format!("the spring of a tendon is at rest from {low} to {high}");
            return Err(fields.bad("springlength", message, "write springlength=\"SHORT LONG\""));
        }
        let [stiffness, damping] = [
            super::tree::linear_part(&fields, "stiffness", "a tendon", &mut builder.report)?,
            super::tree::linear_part(&fields, "damping", "a tendon", &mut builder.report)?,
        ];
        let home = builder.length(&path, &builder.home, |joint| joint.reference);
        let rest = builder.length(&path, &relaxed, |joint| joint.spring_reference);
        all.push(Tendon {
            item,
            name,
            path,
            home,
            stiffness,
            damping,
            frictionloss: fields.positive("frictionloss")?.unwrap_or(0.0),
            spring_band: spring_band.unwrap_or([rest; 2]),
            limits: range.filter(|_| limited),
        });
        if fields.positive("armature")?.is_some_and(|own| own > 0.0) {
            builder.note(Treatment::Ignored, "`armature` of a tendon", item);
        }
    }
    Ok(Tendons { all, by_name })
}

fn joints<'a>(
    builder: &SceneBuilder<'_, 'a>,
    reader: &ElementReader<'_, 'a>,
    item: Item<'a>,
) -> Result<TendonPath, SceneError> {
    let mut all = Vec::new();
    for part in reader.files.children(item) {
        let fields = reader.plain(part);
        let text = reader.files.text(part);
        text.required(part.node, "joint")?;
        text.required(part.node, "coef")?;
        let joint = builder.model.named(&fields, "joint", NamedPart::Joint)?.unwrap_or(0);
        if !matches!(builder.model.joints[joint].kind, MotionType::Hinge | MotionType::Slide) {
            let message = "a tendon goes along a joint of several coordinates".to_string();
            return Err(fields.bad("joint", message, "name a hinge or a slide"));
        }
        all.push((joint, fields.number("coef")?.unwrap_or(0.0)));
    }
    Ok(TendonPath::Joints(all))
}

fn line<'a>(
    builder: &SceneBuilder<'_, 'a>,
    reader: &ElementReader<'_, 'a>,
    item: Item<'a>,
) -> Result<TendonPath, SceneError> {
    let mut all = Vec::new();
    for part in reader.files.children(item) {
        if part.tag() != "site" {
            return Ok(TendonPath::Other);
        }
        let fields = reader.plain(part);
        reader.files.text(part).required(part.node, "site")?;
        let site = &builder.model.sites[builder.model.named(&fields, "site", NamedPart::Site)?.unwrap_or(0)];
        let at = compose(&builder.in_group[site.body], &site.frame);
        all.push((site.body, at.pos));
    }
    Ok(if all.len() < 2 { TendonPath::Other } else { TendonPath::Line(all) })
}

impl<'a> SceneBuilder<'_, 'a> {
    /// The length of a tendon where the bodies have these poses and the joints these coordinates.
    fn length(&self, path: &TendonPath, poses: &[Frame], coordinate: impl Fn(&Joint<'a>) -> f64) -> f64 {
        match path {
            TendonPath::Joints(all) => {
                all.iter().map(|(j, coef)| coef * coordinate(&self.model.joints[*j])).sum()
            }
            TendonPath::Line(all) => {
                let place = |(body, point): &(usize, Vec3)| match self.group_of[*body] {
                    0 => *point,
                    group => poses[group].pos + poses[group].rot * *point,
                };
                all.windows(2).map(|w| (place(&w[1]) - place(&w[0])).norm()).sum()
            }
            TendonPath::Other => 0.0,
        }
    }

    /// Springs, dampers and limits of tendons, as far as a scene can say them.
    pub(super) fn tendons(&mut self, tendons: &Tendons<'a>) {
        for tendon in &tendons.all {
            let forces = [
                ("stiffness", tendon.stiffness > 0.0 && self.settings.spring),
                ("damping", tendon.damping > 0.0 && self.settings.damper),
                ("frictionloss", tendon.frictionloss > 0.0 && self.settings.frictionloss),
                ("range", tendon.limits.is_some() && self.settings.limit),
            ];
            let [mut spring, damper, dry, limit] = forces.map(|(_, given)| given);
            if spring && tendon.spring_band[0] < tendon.spring_band[1] {
                let what = "spring of a tendon with two values of `springlength`: at rest between them";
                self.note(Treatment::Ignored, what, tendon.item);
                spring = false;
            }
            let said = match &tendon.path {
                TendonPath::Joints(joints) if joints.len() == 1 && joints[0].1 != 0.0 => {
                    self.along_joint(tendon, joints[0], [spring, damper, dry]);
                    [true, true, true, false]
                }
                TendonPath::Line(points) if points.len() == 2 => {
                    self.along_line(tendon, points, [spring, damper, limit]);
                    [true, true, false, true]
                }
                _ => [false; 4],
            };
            for ((name, given), said) in forces.into_iter().zip(said) {
                if given && !said {
                    let what = format!("`{name}` of a tendon along several joints or points");
                    self.note(Treatment::Ignored, &what, tendon.item);
                }
            }
        }
    }

    /// A tendon along one joint: coefficient² of stiffness and damping.
    fn along_joint(
        &mut self,
        tendon: &Tendon<'a>,
        (j, coef): (usize, f64),
        [spring, damper, dry]: [bool; 3],
    ) {
        let Some(desc) = &mut self.joints[j] else { return };
        if spring {
            let rest = tendon.spring_band[0] / coef;
            desc.spring = Some(added(
                desc.spring.take(),
                JointSpringDesc {
                    coordinate: 0,
                    stiffness: Some(plain(coef * coef * tendon.stiffness)),
                    curve: None,
                    damping: None,
                    rest: (rest != 0.0).then(|| plain(rest)),
                    preload: None,
                },
            ));
        }
        if damper || dry {
            desc.friction = Some(added(
                desc.friction.take(),
                FrictionDesc {
                    coordinate: 0,
                    viscous: damper.then(|| plain(coef * coef * tendon.damping)),
                    coulomb: dry.then(|| plain(coef.abs() * tendon.frictionloss)),
                    static_: None,
                    regularization_speed: None,
                    stribeck_speed: None,
                },
            ));
        }
        self.note(Treatment::Used, "tendon along one joint: spring and friction of the joint", tendon.item);
    }

    /// A line between two points: a spring, and a rope of a largest length.
    fn along_line(
        &mut self,
        tendon: &Tendon<'a>,
        points: &[(usize, Vec3)],
        [spring, damper, limit]: [bool; 3],
    ) {
        let [(a, in_a), (b, in_b)] = [points[0], points[1]];
        if self.group_of[a] == self.group_of[b] {
            self.note(Treatment::Ignored, "tendon between two points of one body", tendon.item);
            return;
        }
        let (a, b) = (Some(self.body_of(a)), Some(self.body_of(b)));
        let (point_in_a, point_in_b) = (Some(lengths(in_a.to_array())), Some(lengths(in_b.to_array())));
        if spring || damper {
            let force = ForceDesc {
                a: a.clone(),
                b: b.clone(),
                point_in_a,
                point_in_b,
                stiffness: Some(plain(if spring { tendon.stiffness } else { 0.0 })),
                damping: damper.then(|| plain(tendon.damping)),
                rest_length: Some(Length(tendon.spring_band[0])),
                ..ForceDesc::new(ForceKindDesc::Spring)
            };
            let name = self.taken.forces.take(self.name(&tendon.name));
            self.line("forces", &name, Some(tendon.item));
            self.scene.forces.push(name, force);
            self.note(Treatment::Used, "tendon between two points: a spring", tendon.item);
        }
        let Some([low, high]) = tendon.limits.filter(|_| limit) else { return };
        for (end, is_max) in [(low, false), (high, true)] {
            if end <= 0.0 {
                continue;
            }
            let rule = InequalityDesc {
                kind: InequalityKind::Distance,
                a: a.clone(),
                b: b.clone(),
                point_in_a,
                point_in_b,
                min: (!is_max).then_some(Length(end)),
                max: is_max.then_some(Length(end)),
                body: None,
                point: None,
                of: None,
                normal: None,
                offset: None,
                radius: None,
                expression: None,
                points: None,
                restitution: None,
            };
            let wanted = self.name(&format!("{}{}", tendon.name, if is_max { "" } else { " least" }));
            let name = self.taken.inequalities.take(wanted);
            self.line("inequalities", &name, Some(tendon.item));
            self.scene.inequalities.push(name, rule);
            self.note(Treatment::Used, "limit of a tendon between two points: a rope", tendon.item);
        }
    }
}

/// One more of what may be one or several.
pub(super) fn added<T>(have: Option<OneOrMany<T>>, new: T) -> OneOrMany<T> {
    match have {
        None => OneOrMany::One(new),
        Some(OneOrMany::One(first)) => OneOrMany::Many(vec![first, new]),
        Some(OneOrMany::Many(mut all)) => {
            all.push(new);
            OneOrMany::Many(all)
        }
    }
}
