//! Attributes of MJCF elements with their default classes, as numbers, words and orientations.
//!
//! `<default>` elements form a tree of classes. An attribute that an element does not have is that of its
//! class, or of the classes above. The class is the element's own `class`, else the `childclass` of the
//! nearest body around it, else the main one.

use std::collections::BTreeMap;
use std::path::Path;

use cardan::Frame;
use cardan::math::{Mat3, Quat, Vec3};

use super::compiler::Compiler;
use super::files::{Files, Item};
use crate::document::clip;
use crate::error::{ErrorKind, SceneError};
use crate::import::xml::value_range;
use crate::nearest::nearest;

struct Class<'a> {
    parent: Option<usize>,
    /// The defaults of elements, by the name of the element.
    of_tag: BTreeMap<&'a str, Defaults<'a>>,
    /// The defaults of actuators in the order of the file: each kind of actuator says something about all.
    actuators: Vec<Item<'a>>,
}

/// What a class says about elements of one name. An attribute is looked up, however many defaults there are.
#[derive(Default)]
struct Defaults<'a> {
    /// Of each attribute: the last element that has it.
    attributes: BTreeMap<&'a str, Item<'a>>,
    /// The last element that has an orientation.
    orientation: Option<Item<'a>>,
}

impl<'a> Class<'a> {
    fn below(parent: Option<usize>) -> Self {
        Self { parent, of_tag: BTreeMap::new(), actuators: Vec::new() }
    }

    fn add(&mut self, item: Item<'a>) {
        let own = self.of_tag.entry(item.tag()).or_default();
        for attribute in item.node.attributes() {
            own.attributes.insert(attribute.name(), item);
            if ORIENTATIONS.contains(&attribute.name()) {
                own.orientation = Some(item);
            }
        }
        if super::actuators::TAGS.contains(&item.tag()) {
            self.actuators.push(item);
        }
    }
}

/// The default classes of a model; the first is the main one.
pub(super) struct Classes<'a> {
    all: Vec<Class<'a>>,
    by_name: BTreeMap<&'a str, usize>,
}

/// The class that holds where none is named.
pub(super) const MAIN: usize = 0;

/// Most classes above one another.
const MAX_LEVELS: usize = 200;

/// Ways to give an orientation.
const ORIENTATIONS: [&str; 5] = ["quat", "axisangle", "euler", "xyaxes", "zaxis"];

impl<'a> Classes<'a> {
    /// No classes, for elements that have none.
    pub(super) fn none() -> Self {
        Self { all: vec![Class::below(None)], by_name: BTreeMap::new() }
    }

    pub(super) fn read(files: &Files<'a>) -> Result<Self, SceneError> {
        let mut classes = Self { by_name: BTreeMap::from([("main", MAIN)]), ..Self::none() };
        let mut open: Vec<(Item<'a>, Option<usize>, usize)> = Vec::new();
        let top = files.children(files.root()).into_iter().filter(|item| item.tag() == "default");
        open.extend(top.map(|item| (item, None, 0)));
        open.reverse();
        while let Some((item, parent, level)) = open.pop() {
            let own = match (item.node.attribute("class"), parent) {
                (None, None) => MAIN,
                // The name of the outermost class is free.
                (Some(name), None) => *classes.by_name.entry(name).or_insert(MAIN),
                (None, Some(_)) => {
                    let message = "a <default> inside another has no class".to_string();
                    let help = "write <default class=\"…\">";
                    return Err(files.error(item, ErrorKind::MissingField, message, help));
                }
                (Some(name), Some(parent)) => {
                    let new = classes.all.len();
                    if classes.by_name.insert(name, new).is_some() {
                        let message = format!("two classes are called `{}`", clip(name));
                        let range = value_range(item.node, "class");
                        let help = "names of classes are unique: rename or remove one of the two";
                        return Err(files.text(item).error(ErrorKind::Duplicate, range, message, help));
                    }
                    classes.all.push(Class::below(Some(parent)));
                    new
                }
            };
            if level > MAX_LEVELS {
                let message = format!("classes nest more than {MAX_LEVELS} deep");
                return Err(files.error(item, ErrorKind::TooDeep, message, "put them beside each other"));
            }
            let mut inner = Vec::new();
            for child in files.children(item) {
                match child.tag() {
                    "default" => inner.push((child, Some(own), level + 1)),
                    _ => classes.all[own].add(child),
                }
            }
            open.extend(inner.into_iter().rev());
        }
        Ok(classes)
    }

    /// A class by its name.
    pub(super) fn named(
        &self,
        files: &Files<'a>,
        item: Item<'a>,
        attribute: &str,
    ) -> Result<Option<usize>, SceneError> {
        let Some(name) = item.node.attribute(attribute) else { return Ok(None) };
        if let Some(&class) = self.by_name.get(name) {
            return Ok(Some(class));
        }
        let help = match nearest(name, self.by_name.keys().copied()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => "classes are given as <default class=\"…\">".to_string(),
        };
        let message = format!("there is no class `{}`", clip(name));
        let range = value_range(item.node, attribute);
        Err(files.text(item).error(ErrorKind::UnknownName, range, message, &help))
    }

    /// The class above one.
    pub(super) fn parent(&self, class: usize) -> Option<usize> {
        self.all[class].parent
    }

    /// The defaults of actuators that a class itself has, the strongest last.
    pub(super) fn actuators(&self, class: usize) -> &[Item<'a>] {
        &self.all[class].actuators
    }

    /// What a class and those above it say about elements of a name, the strongest first.
    fn defaults<'c>(&'c self, class: usize, tag: &'c str) -> impl Iterator<Item = &'c Defaults<'a>> {
        let chain = std::iter::successors(Some(class), |&class| self.all[class].parent);
        chain.filter_map(move |class| self.all[class].of_tag.get(tag))
    }
}

/// Everything that reading an element needs.
#[derive(Clone, Copy)]
pub(super) struct ElementReader<'r, 'a> {
    pub(super) files: Files<'a>,
    pub(super) classes: &'r Classes<'a>,
    pub(super) compiler: &'r Compiler,
    /// Put before every name, of a model that is attached.
    pub(super) prefix: &'r str,
    /// The folder of a model that is attached.
    pub(super) folder: Option<&'r Path>,
}

impl<'r, 'a> ElementReader<'r, 'a> {
    /// The attributes of an element whose defaults are those of `tag`; `class` is that of the body around it.
    pub(super) fn fields(
        &self,
        item: Item<'a>,
        tag: &'static str,
        class: usize,
    ) -> Result<Fields<'r, 'a>, SceneError> {
        let class = self.classes.named(&self.files, item, "class")?.unwrap_or(class);
        Ok(Fields {
            files: self.files,
            item,
            prefix: self.prefix,
            defaults: Some((self.classes, class, tag)),
        })
    }

    /// The name that an element has; nothing without one.
    pub(super) fn name_of(&self, item: Item<'a>) -> Option<String> {
        item.node.attribute("name").map(|name| format!("{}{name}", self.prefix))
    }

    /// The attributes of an element that has no defaults.
    pub(super) fn plain(&self, item: Item<'a>) -> Fields<'r, 'a> {
        Fields { files: self.files, item, prefix: self.prefix, defaults: None }
    }

    /// Position and orientation of an element.
    pub(super) fn frame(&self, fields: &Fields<'_, 'a>) -> Result<Frame, SceneError> {
        let pos = fields.vector::<3>("pos")?.unwrap_or_default();
        Ok(Frame { pos: pos.into(), rot: self.orientation(fields)?.unwrap_or(Quat::IDENTITY) })
    }

    /// The rotation of an element; `None` if it says nothing.
    pub(super) fn orientation(&self, fields: &Fields<'_, 'a>) -> Result<Option<Quat>, SceneError> {
        // The element's own way of saying it overrides that of its class.
        let Some(item) = fields.orientation() else { return Ok(None) };
        let given: Vec<&str> = ORIENTATIONS.into_iter().filter(|way| item.node.has_attribute(*way)).collect();
        if let [first, second, ..] = given[..] {
            let message = format!("the orientation is given twice, by `{first}` and by `{second}`");
            return Err(self.files.bad(item, message, "keep one of the two"));
        }
        let text = self.files.text(item);
        let way = given[0];
        let zero = || {
            let help = "an axis has a direction, a quaternion is not zero";
            self.files.bad_value(item, way, format!("`{way}` gives no direction"), help)
        };
        let found = match way {
            "quat" => {
                let [w, x, y, z] = text.vector::<4>(item.node, way)?.unwrap_or([1.0, 0.0, 0.0, 0.0]);
                Quat::from_wxyz(w, x, y, z)
            }
            "axisangle" => {
                let [x, y, z, angle] = text.vector::<4>(item.node, way)?.unwrap_or([0.0, 0.0, 1.0, 0.0]);
                Quat::from_axis_angle([x, y, z].into(), self.compiler.radians(angle))
            }
            "euler" => {
                let angles = text.vector::<3>(item.node, way)?.unwrap_or_default();
                Some(self.compiler.euler(angles))
            }
            "xyaxes" => {
                let [a, b, c, d, e, f] = text.vector::<6>(item.node, way)?.unwrap_or_default();
                let x = Vec3::from([a, b, c]).normalized();
                x.and_then(|x| {
                    let y = Vec3::from([d, e, f]);
                    let y = (y - x * x.dot(y)).normalized()?;
                    Some(Quat::from_matrix(&Mat3::from_columns(x, y, x.cross(y))))
                })
            }
            _ => shortest_to(text.vector::<3>(item.node, way)?.unwrap_or_default().into()),
        };
        found.map(Some).ok_or_else(zero)
    }
}

/// The smallest rotation that takes z to a direction; half a turn about x for −z.
pub(super) fn shortest_to(direction: Vec3) -> Option<Quat> {
    let to = direction.normalized()?;
    let axis = Vec3::Z.cross(to);
    let sine = axis.norm();
    let axis = if sine < 1e-10 { Vec3::X } else { axis };
    Quat::from_axis_angle(axis, libm::atan2(sine, to.z))
}

/// The attributes of one element and of its defaults.
pub(super) struct Fields<'r, 'a> {
    pub(super) files: Files<'a>,
    item: Item<'a>,
    prefix: &'r str,
    /// The class, and the name that its defaults have.
    defaults: Option<(&'r Classes<'a>, usize, &'static str)>,
}

impl<'a> Fields<'_, 'a> {
    /// The element itself.
    pub(super) fn item(&self) -> Item<'a> {
        self.item
    }

    fn in_defaults(&self, find: impl Fn(&Defaults<'a>) -> Option<Item<'a>>) -> Option<Item<'a>> {
        let (classes, class, tag) = self.defaults?;
        classes.defaults(class, tag).find_map(find)
    }

    /// The element or default that has an attribute.
    pub(super) fn place(&self, name: &str) -> Option<Item<'a>> {
        if self.item.node.has_attribute(name) {
            return Some(self.item);
        }
        self.in_defaults(|own| own.attributes.get(name).copied())
    }

    /// The element or default that gives the orientation.
    fn orientation(&self) -> Option<Item<'a>> {
        if ORIENTATIONS.iter().any(|way| self.item.node.has_attribute(*way)) {
            return Some(self.item);
        }
        self.in_defaults(|own| own.orientation)
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.place(name).is_some()
    }

    /// The attribute as text.
    pub(super) fn word(&self, name: &str) -> Option<&'a str> {
        self.place(name).and_then(|item| item.node.attribute(name))
    }

    /// The attribute as a name of the whole model, where a part has a prefix.
    pub(super) fn name(&self, name: &str) -> Option<String> {
        self.word(name).map(|word| format!("{}{word}", self.prefix))
    }

    pub(super) fn number(&self, name: &str) -> Result<Option<f64>, SceneError> {
        let Some(item) = self.place(name) else { return Ok(None) };
        self.files.text(item).number(item.node, name)
    }

    /// A number that is not negative.
    pub(super) fn positive(&self, name: &str) -> Result<Option<f64>, SceneError> {
        let found = self.number(name)?;
        if let (Some(value), Some(item)) = (found, self.place(name))
            && value < 0.0
        {
            let help = "it is zero or more";
            return Err(self.files.bad_value(item, name, format!("`{name}` is {value}"), help));
        }
        Ok(found)
    }

    pub(super) fn vector<const N: usize>(&self, name: &str) -> Result<Option<[f64; N]>, SceneError> {
        let Some(item) = self.place(name) else { return Ok(None) };
        self.files.text(item).vector::<N>(item.node, name)
    }

    /// Numbers, `count` of them, all finite.
    pub(super) fn numbers(
        &self,
        name: &str,
        count: std::ops::RangeInclusive<usize>,
    ) -> Result<Option<Vec<f64>>, SceneError> {
        let Some(item) = self.place(name) else { return Ok(None) };
        let text = self.files.text(item);
        let found = text.numbers(item.node, name, count)?;
        text.finite(item.node, name, found.as_deref().unwrap_or_default())?;
        Ok(found)
    }

    /// One of some words.
    pub(super) fn choice(
        &self,
        name: &str,
        words: &[&'static str],
    ) -> Result<Option<&'static str>, SceneError> {
        let Some(item) = self.place(name) else { return Ok(None) };
        let own = item.node.attribute(name).unwrap_or_default();
        if let Some(word) = words.iter().find(|word| **word == own) {
            return Ok(Some(word));
        }
        let help = match nearest(own, words.iter().copied()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("`{name}` is one of {}", words.join(", ")),
        };
        let message = format!("`{name}` cannot be `{}`", clip(own));
        let range = value_range(item.node, name);
        Err(self.files.text(item).error(ErrorKind::UnknownKind, range, message, &help))
    }

    /// `true` or `false`; `None` for `auto` and where nothing is said.
    pub(super) fn flag(&self, name: &str) -> Result<Option<bool>, SceneError> {
        Ok(match self.choice(name, &["true", "false", "auto"])? {
            Some("true") => Some(true),
            Some("false") => Some(false),
            _ => None,
        })
    }

    pub(super) fn bad(&self, name: &str, message: String, help: &str) -> SceneError {
        let item = self.place(name).unwrap_or(self.item());
        self.files.bad_value(item, name, message, help)
    }
}
