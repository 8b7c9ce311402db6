//! The bodies of a model: `<body>`, `<frame>` and `<replicate>` with joints, geoms, sites and inertias.
//!
//! Bodies are numbered depth first, as MuJoCo does; body 0 is the world. The walk has a stack of its own,
//! since a chain of bodies nests as deep as it is long, and a bound on what replication makes.

use std::collections::BTreeMap;
use std::rc::Rc;

use cardan::math::{Quat, Vec3};
use cardan::{Frame, MassProperties};

use super::attach::ModelPart;
use super::fields::{ElementReader, Fields, MAIN};
use super::files::Item;
use super::geom::{Assets, Geom, read_geom};
use super::inertia::read_inertial;
use crate::document::clip;
use crate::error::{ErrorKind, SceneError};
use crate::import::report::{ImportReport, Treatment};
use crate::import::space::compose;
use crate::import::xml::{MAX_NAME, value_range};
use crate::nearest::nearest;

/// Most elements of a model after replication.
const MAX_ELEMENTS: usize = 200_000;

/// A model as its files describe it.
pub(super) struct Model<'a> {
    pub(super) bodies: Vec<Body<'a>>,
    /// Body after body, each in the order of the file.
    pub(super) joints: Vec<Joint<'a>>,
    pub(super) sites: Vec<Site<'a>>,
    names: [BTreeMap<String, usize>; 3],
}

/// What a name may belong to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NamedPart {
    Body,
    Joint,
    Site,
}

pub(super) struct Body<'a> {
    pub(super) item: Option<Item<'a>>,
    /// The part of the model that it comes from.
    pub(super) part: usize,
    pub(super) name: String,
    pub(super) parent: usize,
    /// In the frame of its parent, with all joints as the file shows them.
    pub(super) frame: Frame,
    /// Its joints, as indices of the model's.
    pub(super) joints: Vec<usize>,
    pub(super) geoms: Vec<Geom<'a>>,
    pub(super) inertial: Option<(Item<'a>, MassProperties)>,
    /// Part of its weight that is carried.
    pub(super) gravcomp: f64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MotionType {
    Free,
    Ball,
    Slide,
    Hinge,
}

pub(super) struct Joint<'a> {
    pub(super) item: Option<Item<'a>>,
    pub(super) name: String,
    pub(super) body: usize,
    pub(super) kind: MotionType,
    /// In the frame of the body.
    pub(super) pos: Vec3,
    pub(super) axis: Vec3,
    pub(super) limits: Option<[f64; 2]>,
    /// The coordinate in the pose of the file.
    pub(super) reference: f64,
    pub(super) spring_reference: f64,
    pub(super) stiffness: f64,
    pub(super) damping: f64,
    pub(super) armature: f64,
    pub(super) frictionloss: f64,
    /// Time constant and damping ratio of a spring that is made for the inertia in the pose of the file.
    pub(super) spring_damper: Option<[f64; 2]>,
}

impl Joint<'_> {
    fn free() -> Self {
        Self {
            item: None,
            name: String::new(),
            body: 0,
            kind: MotionType::Free,
            pos: Vec3::ZERO,
            axis: Vec3::Z,
            limits: None,
            reference: 0.0,
            spring_reference: 0.0,
            stiffness: 0.0,
            damping: 0.0,
            armature: 0.0,
            frictionloss: 0.0,
            spring_damper: None,
        }
    }
}

pub(super) struct Site<'a> {
    pub(super) item: Item<'a>,
    pub(super) name: String,
    pub(super) body: usize,
    pub(super) frame: Frame,
}

impl Model<'_> {
    fn names(&self, part: NamedPart) -> &BTreeMap<String, usize> {
        &self.names[part as usize]
    }

    pub(super) fn find(&self, part: NamedPart, name: &str) -> Option<usize> {
        if part == NamedPart::Body && name == "world" {
            return Some(0);
        }
        self.names(part).get(name).copied()
    }

    /// What an attribute names; it must be there.
    pub(super) fn named<'a>(
        &self,
        fields: &Fields<'_, 'a>,
        attribute: &str,
        part: NamedPart,
    ) -> Result<Option<usize>, SceneError> {
        let Some(name) = &fields.name(attribute) else { return Ok(None) };
        let is_world = part == NamedPart::Body && fields.word(attribute) == Some("world");
        if let Some(found) = self.find(part, if is_world { "world" } else { name }) {
            return Ok(Some(found));
        }
        let what = match part {
            NamedPart::Body => "body",
            NamedPart::Joint => "joint",
            NamedPart::Site => "site",
        };
        let help = match nearest(name, self.names(part).keys().map(String::as_str)) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("the model has no {what} with a name like it"),
        };
        let item = fields.place(attribute).unwrap_or(fields.item());
        let message = format!("there is no {what} `{}`", clip(name));
        let range = value_range(item.node, attribute);
        Err(fields.files.text(item).error(ErrorKind::UnknownName, range, message, &help))
    }
}

/// An element that waits to be read.
#[derive(Clone)]
struct OpenElement<'a> {
    item: Item<'a>,
    /// The part of the model that it comes from.
    part: usize,
    body: usize,
    /// The frame around it, in the frame of the body.
    frame: Frame,
    class: usize,
    /// Added to names, from replication.
    suffix: String,
    /// Of a replication: which copy comes next, and its frame.
    copy: Option<(usize, Frame)>,
}

struct Walk<'w, 'a> {
    parts: &'w [ModelPart<'a>],
    readers: &'w [ElementReader<'w, 'a>],
    assets: &'w Assets<'w, 'a>,
    bodies: Vec<Body<'a>>,
    /// Joints of each body.
    joints: Vec<Vec<Joint<'a>>>,
    sites: Vec<Site<'a>>,
    open: Vec<OpenElement<'a>>,
    /// The elements inside those that were opened, by file and byte: copies ask again.
    children: BTreeMap<(usize, usize), Rc<[Item<'a>]>>,
}

pub(super) fn read_tree<'a>(
    parts: &[ModelPart<'a>],
    readers: &[ElementReader<'_, 'a>],
    assets: &Assets<'_, 'a>,
    floating: bool,
    report: &mut ImportReport,
) -> Result<Model<'a>, SceneError> {
    let reader = &readers[0];
    let world = Body {
        item: None,
        part: 0,
        name: String::new(),
        parent: 0,
        frame: Frame::default(),
        joints: Vec::new(),
        geoms: Vec::new(),
        inertial: None,
        gravcomp: 0.0,
    };
    let (bodies, joints) = (vec![world], vec![Vec::new()]);
    let (sites, open, children) = (Vec::new(), Vec::new(), BTreeMap::new());
    let mut walk = Walk { parts, readers, assets, bodies, joints, sites, open, children };
    let sections: Vec<Item<'a>> = super::compiler::sections(&reader.files, "worldbody").collect();
    for item in sections.into_iter().rev() {
        let class = reader.classes.named(&reader.files, item, "childclass")?.unwrap_or(MAIN);
        let around = OpenElement {
            item,
            part: 0,
            body: 0,
            frame: Frame::default(),
            class,
            suffix: String::new(),
            copy: None,
        };
        walk.push_children(&around);
    }
    let mut count = 0;
    while let Some(open) = walk.open.pop() {
        count += 1;
        if count > MAX_ELEMENTS {
            let message = format!("the model has more than {MAX_ELEMENTS} elements after replication");
            let help = "reduce `count` of <replicate>";
            return Err(reader.files.error(open.item, ErrorKind::TooLarge, message, help));
        }
        walk.read(open, report)?;
    }
    if floating {
        for b in (1..walk.bodies.len()).filter(|&b| walk.bodies[b].parent == 0) {
            if walk.joints[b].is_empty() {
                walk.joints[b].push(Joint { item: walk.bodies[b].item, ..Joint::free() });
            }
        }
    }
    walk.finish()
}

impl<'a> Walk<'_, 'a> {
    fn push_children(&mut self, around: &OpenElement<'a>) {
        let (files, item) = (self.readers[around.part].files, around.item);
        let place = (item.file, item.node.range().start);
        let inside = self.children.entry(place).or_insert_with(|| files.children(item).into()).clone();
        for &item in inside.iter().rev() {
            self.open.push(OpenElement { item, copy: None, ..around.clone() });
        }
    }

    fn read(&mut self, open: OpenElement<'a>, report: &mut ImportReport) -> Result<(), SceneError> {
        let (reader, item) = (&self.readers[open.part], open.item);
        let used = |report: &mut ImportReport, what: &str| {
            reader.files.note(report, Treatment::Used, what, item);
        };
        match item.tag() {
            "body" => {
                used(report, "body");
                self.body(open, report)?;
            }
            "frame" => {
                let fields = reader.plain(item);
                let frame = compose(&open.frame, &reader.frame(&fields)?);
                let class = reader.classes.named(&reader.files, item, "childclass")?.unwrap_or(open.class);
                self.push_children(&OpenElement { frame, class, ..open });
            }
            "replicate" => self.replicate(open)?,
            "attach" => {
                used(report, "attach: a part of another model");
                self.attach(&open)?;
            }
            "joint" | "freejoint" => {
                let joint = joint(reader, &open, report)?;
                used(report, &format!("joint of type {}", type_name(joint.kind)));
                self.joints[open.body].push(joint);
            }
            "geom" => {
                let mut geom = read_geom(reader, self.assets, item, open.class, report)?;
                geom.frame = compose(&open.frame, &geom.frame);
                geom.mass.center = open.frame.pos + open.frame.rot * geom.mass.center;
                if open.frame.rot != Quat::IDENTITY {
                    geom.mass.inertia = geom.mass.inertia.rotated(&open.frame.rot.matrix());
                }
                geom.name = geom.name.map(|name| name + &open.suffix);
                used(report, "geom");
                self.bodies[open.body].geoms.push(geom);
            }
            "site" => {
                let fields = reader.fields(item, "site", open.class)?;
                let mut frame = reader.frame(&fields)?;
                if let Some([a, b, c, d, e, f]) = fields.vector::<6>("fromto")? {
                    let (from, to) = (Vec3::from([a, b, c]), Vec3::from([d, e, f]));
                    let rot = super::fields::shortest_to(from - to).unwrap_or(Quat::IDENTITY);
                    frame = Frame { pos: (from + to) * 0.5, rot };
                }
                let name = reader.name_of(item).map_or(String::new(), |name| name + &open.suffix);
                self.sites.push(Site { item, name, body: open.body, frame: compose(&open.frame, &frame) });
            }
            "inertial" => {
                let mut own = read_inertial(reader, item)?;
                own.center = open.frame.pos + open.frame.rot * own.center;
                if open.frame.rot != Quat::IDENTITY {
                    own.inertia = own.inertia.rotated(&open.frame.rot.matrix());
                }
                used(report, "inertial");
                self.bodies[open.body].inertial = Some((item, own));
            }
            "camera" | "light" => {}
            tag => {
                let what = format!("<{}>", clip(tag));
                reader.files.note(report, Treatment::Ignored, &what, item);
            }
        }
        Ok(())
    }

    fn body(&mut self, open: OpenElement<'a>, report: &mut ImportReport) -> Result<(), SceneError> {
        let (reader, item) = (&self.readers[open.part], open.item);
        let fields = reader.plain(item);
        let frame = compose(&open.frame, &reader.frame(&fields)?);
        let class = reader.classes.named(&reader.files, item, "childclass")?.unwrap_or(open.class);
        let name = reader.name_of(item).map_or(String::new(), |name| name + &open.suffix);
        if fields.flag("mocap")? == Some(true) {
            reader.files.note(report, Treatment::Approximated, "mocap body: held in its place", item);
        }
        let body = self.bodies.len();
        self.bodies.push(Body {
            item: Some(item),
            part: open.part,
            name,
            parent: open.body,
            frame,
            joints: Vec::new(),
            geoms: Vec::new(),
            inertial: None,
            gravcomp: fields.number("gravcomp")?.unwrap_or(0.0),
        });
        self.joints.push(Vec::new());
        self.push_children(&OpenElement { body, frame: Frame::default(), class, ..open });
        Ok(())
    }

    /// A body of another model, or all that is in its world.
    fn attach(&mut self, open: &OpenElement<'a>) -> Result<(), SceneError> {
        let files = self.readers[open.part].files;
        let refuse = |message: &str, help: &str| {
            Err(files.error(open.item, ErrorKind::NotAvailable, message.to_string(), help))
        };
        if open.part != 0 {
            let help = "write the parts of the model that is attached into one file";
            return refuse("a model that is attached attaches another one", help);
        }
        if !open.suffix.is_empty() {
            let help = "attach it several times, with a prefix each";
            return refuse("a model cannot be attached inside <replicate>", help);
        }
        let is_this = |part: &ModelPart<'a>| part.at.is_some_and(|at| at.node == open.item.node);
        let Some(part) = self.parts.iter().position(is_this) else { return Ok(()) };
        for (item, class) in self.parts[part].roots(open.item)?.into_iter().rev() {
            self.open.push(OpenElement { item, part, class, copy: None, ..open.clone() });
        }
        Ok(())
    }

    /// One copy, and the rest once more on the stack.
    fn replicate(&mut self, open: OpenElement<'a>) -> Result<(), SceneError> {
        let reader = &self.readers[open.part];
        let fields = reader.plain(open.item);
        let count = fields.number("count")?.unwrap_or(0.0);
        if !(1.0..=1e6).contains(&count) || count.fract() != 0.0 {
            let message = format!("`count` is {count}");
            return Err(fields.bad("count", message, "write count=\"N\", a whole number from 1 on"));
        }
        let count = count as usize;
        let offset: Vec3 = fields.vector::<3>("offset")?.unwrap_or_default().into();
        let turn = fields.vector::<3>("euler")?.unwrap_or_default();
        let class = reader.classes.named(&reader.files, open.item, "childclass")?.unwrap_or(open.class);
        let (i, at) = open.copy.unwrap_or((0, Frame::default()));
        // The number has as many digits as the count.
        let (separator, digits) = (fields.word("sep").unwrap_or(""), count.to_string().len());
        let suffix = format!("{separator}{i:0digits$}{}", open.suffix);
        if suffix.len() > MAX_NAME {
            let message = format!("copies would have names of {} characters and more", suffix.len());
            let help = "use a short `sep`, and fewer copies of copies";
            return Err(reader.files.bad(open.item, message, help));
        }
        if i + 1 < count {
            let step = Frame { pos: offset, rot: reader.compiler.euler(turn) };
            let next = compose(&at, &step);
            // Angles are counted from the first copy on, so that nothing adds up.
            let rot = reader.compiler.euler(turn.map(|angle| angle * (i + 1) as f64));
            let copy = Some((i + 1, Frame { pos: next.pos, rot }));
            self.open.push(OpenElement { copy, suffix: open.suffix.clone(), ..open });
        }
        let frame = compose(&open.frame, &at);
        self.push_children(&OpenElement { frame, class, suffix, copy: None, ..open });
        Ok(())
    }

    /// Numbers joints, names what has no name, and refuses names that are given twice.
    fn finish(self) -> Result<Model<'a>, SceneError> {
        let files = self.readers[0].files;
        let Self { mut bodies, joints, mut sites, .. } = self;
        let mut all: Vec<Joint<'a>> = Vec::new();
        for (b, own) in joints.into_iter().enumerate() {
            let is_free = |joint: &Joint<'_>| joint.kind == MotionType::Free;
            if let Some(free) = own.iter().find(|joint| is_free(joint))
                && let Some(item) = free.item
                && (own.len() > 1 || bodies[b].parent != 0)
            {
                let message = "a free joint is neither alone nor of a child of the world".to_string();
                let help = "move its body to <worldbody>, or remove its other joints";
                return Err(files.bad(item, message, help));
            }
            if b == 0
                && let Some(item) = own.first().and_then(|joint| joint.item)
            {
                let message = "the world has a joint".to_string();
                return Err(files.bad(item, message, "a joint belongs into a <body>"));
            }
            for joint in own {
                bodies[b].joints.push(all.len());
                all.push(Joint { body: b, ..joint });
            }
        }
        let mut names: [BTreeMap<String, usize>; 3] = Default::default();
        let twice = |item: Option<Item<'a>>, what: &str, name: &str| {
            let message = format!("two {what} are called `{}`", clip(name));
            let help = "names are unique: rename or remove one of the two";
            let item = item.unwrap_or(files.root());
            files.text(item).error(ErrorKind::Duplicate, value_range(item.node, "name"), message, help)
        };
        for (i, body) in bodies.iter().enumerate().skip(1).filter(|(_, body)| !body.name.is_empty()) {
            if names[0].insert(body.name.clone(), i).is_some() || body.name == "world" {
                return Err(twice(body.item, "bodies", &body.name));
            }
        }
        for (i, joint) in all.iter().enumerate().filter(|(_, joint)| !joint.name.is_empty()) {
            if names[1].insert(joint.name.clone(), i).is_some() {
                return Err(twice(joint.item, "joints", &joint.name));
            }
        }
        for (i, site) in sites.iter().enumerate().filter(|(_, site)| !site.name.is_empty()) {
            if names[2].insert(site.name.clone(), i).is_some() {
                return Err(twice(Some(site.item), "sites", &site.name));
            }
        }
        let mut seen = BTreeMap::new();
        for geom in bodies.iter().flat_map(|body| &body.geoms) {
            if let Some(name) = &geom.name
                && seen.insert(name.clone(), ()).is_some()
            {
                return Err(twice(Some(geom.item), "geoms", name));
            }
        }
        // Numbers as MuJoCo counts them.
        let fresh = |names: &BTreeMap<String, usize>, what: &str, i: usize| {
            let mut name = format!("{what}{i}");
            while names.contains_key(&name) {
                name.push('_');
            }
            name
        };
        for (i, body) in bodies.iter_mut().enumerate().skip(1).filter(|(_, body)| body.name.is_empty()) {
            body.name = fresh(&names[0], "body", i);
        }
        for (i, joint) in all.iter_mut().enumerate().filter(|(_, joint)| joint.name.is_empty()) {
            joint.name = fresh(&names[1], "joint", i);
        }
        sites.retain(|site| !site.name.is_empty());
        names[2] = sites.iter().enumerate().map(|(i, site)| (site.name.clone(), i)).collect();
        Ok(Model { bodies, joints: all, sites, names })
    }
}

pub(super) fn type_name(kind: MotionType) -> &'static str {
    match kind {
        MotionType::Free => "free",
        MotionType::Ball => "ball",
        MotionType::Slide => "slide",
        MotionType::Hinge => "hinge",
    }
}

fn joint<'a>(
    reader: &ElementReader<'_, 'a>,
    open: &OpenElement<'a>,
    report: &mut ImportReport,
) -> Result<Joint<'a>, SceneError> {
    let item = open.item;
    let fields = match item.tag() {
        "freejoint" => reader.plain(item),
        _ => reader.fields(item, "joint", open.class)?,
    };
    let kind = match fields.choice("type", &["hinge", "slide", "ball", "free"])? {
        _ if item.tag() == "freejoint" => MotionType::Free,
        Some("free") => MotionType::Free,
        Some("ball") => MotionType::Ball,
        Some("slide") => MotionType::Slide,
        _ => MotionType::Hinge,
    };
    let axis = Vec3::from(fields.vector::<3>("axis")?.unwrap_or([0.0, 0.0, 1.0])).normalized();
    let Some(axis) = axis else {
        let help = "give a direction such as 0 0 1";
        return Err(fields.bad("axis", "the axis has zero length".to_string(), help));
    };
    let pos = Vec3::from(fields.vector::<3>("pos")?.unwrap_or_default());
    let turns = matches!(kind, MotionType::Hinge | MotionType::Ball);
    let angle = |x: f64| if turns { reader.compiler.radians(x) } else { x };
    let range = fields.vector::<2>("range")?.map(|range| range.map(angle));
    let limited = match fields.flag("limited")? {
        Some(limited) => limited,
        None => reader.compiler.autolimits && range.is_some_and(|[low, high]| low < high),
    };
    let limits = match (limited, range) {
        (true, Some([low, high])) if low >= high => {
            let message = format!("the lower limit {low} is not below the upper limit {high}");
            return Err(fields.bad("range", message, "write range=\"LOWER UPPER\""));
        }
        (true, None) => {
            let message = "a joint is limited and has no range".to_string();
            return Err(fields.bad("limited", message, "write range=\"LOWER UPPER\", or limited=\"false\""));
        }
        (limited, range) => range.filter(|_| limited),
    };
    let name = reader.name_of(item).map_or(String::new(), |name| name + &open.suffix);
    let joint = Joint {
        item: Some(item),
        name,
        body: open.body,
        kind,
        pos: open.frame.pos + open.frame.rot * pos,
        axis: open.frame.rot * axis,
        limits,
        reference: angle(fields.number("ref")?.unwrap_or(0.0)),
        spring_reference: angle(fields.number("springref")?.unwrap_or(0.0)),
        stiffness: linear_part(&fields, "stiffness", "a joint", report)?,
        damping: linear_part(&fields, "damping", "a joint", report)?,
        armature: fields.positive("armature")?.unwrap_or(0.0),
        frictionloss: fields.positive("frictionloss")?.unwrap_or(0.0),
        spring_damper: fields.vector::<2>("springdamper")?.filter(|s| s.iter().all(|x| *x > 0.0)),
    };
    if ["solreflimit", "solimplimit", "solreffriction", "solimpfriction", "margin"]
        .iter()
        .any(|name| fields.has(name))
    {
        let what = "`solreflimit`, `solimplimit`, `margin` of a joint: limits and friction are exact";
        reader.files.note(report, Treatment::Ignored, what, item);
    }
    for name in ["actuatorfrcrange", "actuatorgravcomp"] {
        if fields.has(name) {
            let what = format!("`{name}` of a joint");
            reader.files.note(report, Treatment::Ignored, &what, item);
        }
    }
    Ok(joint)
}

/// The first number of a stiffness or damping; further ones are coefficients of a polynomial, which a scene
/// does not have.
pub(super) fn linear_part(
    fields: &Fields<'_, '_>,
    name: &str,
    of: &str,
    report: &mut ImportReport,
) -> Result<f64, SceneError> {
    let all = fields.numbers(name, 1..=3)?.unwrap_or_default();
    if all.iter().skip(1).any(|more| *more != 0.0) {
        let what = format!("`{name}` of {of} as a polynomial: its linear part counts");
        fields.files.note(report, Treatment::Approximated, &what, fields.item());
    }
    let value = all.first().copied().unwrap_or(0.0);
    if value >= 0.0 {
        return Ok(value);
    }
    Err(fields.bad(name, format!("`{name}` is {value}"), "it is zero or more"))
}
