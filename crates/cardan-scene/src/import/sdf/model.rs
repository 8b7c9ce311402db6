//! Models of SDF: links with inertials and shapes, frames, nested and included models.

use std::ops::Range;
use std::path::{Path, PathBuf};

use cardan::Frame;
use cardan::math::Sym3;
use roxmltree::Node;

use super::frames::{Frames, GivenFrame, MODEL};
use super::joint::{SdfJoint, read_joint};
use super::values::{self, flag, inner, number, pose, vector};
use super::{all, version};
use crate::document::clip;
use crate::error::{ErrorKind, SceneError};
use crate::import::paths::{FileFinder, FoundFile, outside};
use crate::import::report::ImportReport;
use crate::import::space::compose;
use crate::import::urdf::read::{Inertial, Link};
use crate::import::urdf::{Form, Geometry};
use crate::import::xml::{MAX_NAME, XmlText, child, elements, start, value_range};

/// Deepest nesting of models, by elements and by files.
const MAX_MODELS_DEEP: usize = 20;

/// Most files that are included.
const MAX_INCLUDES: usize = 1000;

/// Most bytes of all files that are included.
const MAX_INCLUDED: usize = 64 << 20;

/// A pose's frame: its name and where it is named.
pub(super) type Relative = Option<(String, Range<usize>)>;

/// A link whose parts may be given in other frames than its own.
pub(super) struct SdfLink {
    pub(super) name: String,
    scope: String,
    link: Link,
    inertial_in: Relative,
    collisions_in: Vec<Relative>,
    visuals_in: Vec<Relative>,
}

impl SdfLink {
    /// Brings all parts into the frame of the link.
    pub(super) fn bring_home(
        &mut self,
        frame: impl Fn(&str, &(String, Range<usize>)) -> Result<Frame, SceneError>,
    ) -> Result<(), SceneError> {
        let bring = |part: &mut Frame, relative: &Relative| -> Result<(), SceneError> {
            if let Some(relative) = relative {
                *part = compose(&frame(&self.scope, relative)?, part);
            }
            Ok(())
        };
        if let Some(inertial) = &mut self.link.inertial {
            bring(&mut inertial.frame, &self.inertial_in)?;
        }
        for (shape, relative) in self.link.collisions.iter_mut().zip(&self.collisions_in) {
            bring(&mut shape.frame, relative)?;
        }
        for (shape, relative) in self.link.visuals.iter_mut().zip(&self.visuals_in) {
            bring(&mut shape.frame, relative)?;
        }
        Ok(())
    }

    pub(super) fn into_link(self) -> Link {
        self.link
    }
}

/// What was read so far.
pub(super) struct ModelReader<'o> {
    pub(super) links: Vec<SdfLink>,
    pub(super) joints: Vec<SdfJoint>,
    pub(super) frames: Frames,
    finder: &'o FileFinder<'o>,
    /// Of the file that is read.
    pub(super) version: u32,
    /// Of an included file: where it is included, which errors and notes then show.
    place: Option<(Range<usize>, usize)>,
    /// Of an included file: its folder.
    folder: Option<PathBuf>,
    depth: usize,
    includes: usize,
    included: usize,
}

impl<'o> ModelReader<'o> {
    pub(super) fn new(finder: &'o FileFinder<'o>, version: u32) -> Self {
        let world = Link {
            name: "world".to_string(),
            at: 0..0,
            inertial: None,
            collisions: Vec::new(),
            visuals: Vec::new(),
        };
        let world = SdfLink {
            name: world.name.clone(),
            scope: String::new(),
            link: world,
            inertial_in: None,
            collisions_in: Vec::new(),
            visuals_in: Vec::new(),
        };
        Self {
            links: vec![world],
            joints: Vec::new(),
            frames: Frames::default(),
            finder,
            version,
            place: None,
            folder: None,
            depth: 0,
            includes: 0,
            included: 0,
        }
    }

    /// Where an element is shown: itself, or what includes its file.
    pub(super) fn at(&self, range: Range<usize>) -> Range<usize> {
        self.place.as_ref().map_or(range, |(place, _)| place.clone())
    }

    pub(super) fn line(&self, text: &XmlText<'_>, node: Node<'_, '_>) -> usize {
        self.place.as_ref().map_or_else(|| text.line_of(node), |(_, line)| *line)
    }

    fn shown(&self, relative: Relative) -> Relative {
        relative.map(|(name, at)| (name, self.at(at)))
    }

    /// Adds a frame of a scope. `default` is what its pose is relative to unless it says.
    pub(super) fn add_frame(
        &mut self,
        text: &XmlText<'_>,
        node: Node<'_, '_>,
        scope: &str,
        default: Option<String>,
        attached_to: Option<String>,
    ) -> Result<String, SceneError> {
        let own = text.name(node, "name")?;
        if own.contains("::") || (own.starts_with("__") && own.ends_with("__")) || own == "world" {
            let message = format!("`{}` cannot be a name", clip(own));
            let help = "`world`, `::` and names between two underscores are reserved";
            return Err(text.bad(value_range(node, "name"), message, help));
        }
        let name = format!("{scope}{own}");
        if name.len() > MAX_NAME {
            let message = format!("a name of {} characters is not read", name.len());
            let help = format!("names of models and links together have at most {MAX_NAME}");
            return Err(text.bad(value_range(node, "name"), message, &help));
        }
        self.place_frame(text, node, (name.clone(), scope), default, attached_to)?;
        Ok(name)
    }

    fn place_frame(
        &mut self,
        text: &XmlText<'_>,
        node: Node<'_, '_>,
        (name, scope): (String, &str),
        default: Option<String>,
        attached_to: Option<String>,
    ) -> Result<(), SceneError> {
        let given = pose(text, node)?;
        // Before 1.7 no pose is relative to a named frame.
        let named = given.relative_to.filter(|_| self.version >= 107);
        let relative_to = named.map(|(frame, _)| format!("{scope}{frame}")).or(default);
        let (pose, at) = (given.pose, self.at(start(node)));
        let is_new = self.frames.add(name.clone(), GivenFrame { pose, relative_to, attached_to, at });
        if !is_new {
            let message = format!("two parts of the model are called `{}`", clip(&name));
            let help = "links, joints, frames and nested models have names of their own";
            return Err(text.error(ErrorKind::Duplicate, value_range(node, "name"), message, help));
        }
        Ok(())
    }

    /// Reads a model whose names get `scope` before them.
    pub(super) fn read_model(
        &mut self,
        text: &XmlText<'_>,
        node: Node<'_, '_>,
        scope: &str,
        report: &mut ImportReport,
    ) -> Result<(), SceneError> {
        self.depth += 1;
        if self.depth > MAX_MODELS_DEEP {
            let message = format!("models nest more than {MAX_MODELS_DEEP} deep");
            return Err(text.error(ErrorKind::TooDeep, start(node), message, "does a model include itself?"));
        }
        if flag(node, "static") {
            let help = "remove <static>, or read a model that moves";
            return Err(text.error(ErrorKind::Empty, start(node), "the model is static", help));
        }
        let first_link = child(node, "link").and_then(|link| link.attribute("name"));
        let canonical = node.attribute("canonical_link").or(first_link).map(|name| format!("{scope}{name}"));
        let model = format!("{scope}{MODEL}");
        if scope.is_empty() {
            // The model in the world.
            let given = pose(text, node)?;
            let at = self.at(start(node));
            let frame = GivenFrame { pose: given.pose, relative_to: None, attached_to: canonical, at };
            self.frames.add(model.clone(), frame);
        } else {
            let at = self.at(start(node));
            let own = scope.trim_end_matches("::").to_string();
            let identity = Frame::default();
            let frame = GivenFrame { pose: identity, relative_to: Some(own), attached_to: canonical, at };
            self.frames.add(model.clone(), frame);
        }
        for part in elements(node) {
            let line = self.line(text, part);
            match part.tag_name().name() {
                "link" => {
                    let name = self.add_frame(text, part, scope, Some(model.clone()), None)?;
                    self.frames.attach(&name, name.clone());
                    let link = self.link(text, part, name, scope, report)?;
                    self.links.push(link);
                    report.used("link", line);
                }
                "joint" => read_joint(self, text, part, scope, report)?,
                "frame" => {
                    let attached = part.attribute("attached_to").filter(|name| !name.is_empty());
                    let attached = attached.map_or(model.clone(), |name| format!("{scope}{name}"));
                    self.add_frame(text, part, scope, Some(attached.clone()), Some(attached))?;
                    report.used("frame", line);
                }
                "model" => {
                    self.refuse_placement(text, part)?;
                    let inner = format!("{}{}::{MODEL}", scope, text.name(part, "name")?);
                    let name = self.add_frame(text, part, scope, Some(model.clone()), Some(inner))?;
                    report.used("nested model: its names have its own before them", line);
                    self.read_model(text, part, &format!("{name}::"), report)?;
                }
                "include" => self.include(text, part, scope, report)?,
                "pose" | "static" | "allow_auto_disable" | "enable_wind" => {}
                tag => report.ignored(format!("<{}> of a model", clip(tag)), line),
            }
        }
        self.depth -= 1;
        Ok(())
    }

    fn refuse_placement(&self, text: &XmlText<'_>, node: Node<'_, '_>) -> Result<(), SceneError> {
        let placed = node.attribute("placement_frame").is_some() || child(node, "placement_frame").is_some();
        if !placed {
            return Ok(());
        }
        let help = "give the pose of the model's own frame";
        Err(text.error(ErrorKind::NotAvailable, start(node), "placement_frame is not read", help))
    }

    /// `<include><uri>model://arm</uri><name>left</name><pose>…</pose></include>`.
    fn include(
        &mut self,
        text: &XmlText<'_>,
        node: Node<'_, '_>,
        scope: &str,
        report: &mut ImportReport,
    ) -> Result<(), SceneError> {
        let (uri, at) = values::word(text, node, "uri")?;
        self.refuse_placement(text, node)?;
        if node.attribute("merge").is_some_and(|word| matches!(word, "true" | "1")) {
            let help = "include it under a name: its links are NAME::LINK";
            return Err(text.error(ErrorKind::NotAvailable, start(node), "merge is not read", help));
        }
        self.includes += 1;
        if self.includes > MAX_INCLUDES {
            let message = format!("more than {MAX_INCLUDES} files are included");
            return Err(text.error(
                ErrorKind::TooLarge,
                start(node),
                message,
                "does a model include itself?",
            ));
        }
        let file = self.find(text, uri, at.clone())?;
        let bad = |message: String, help: &str| text.error(ErrorKind::Io, at.clone(), message, help);
        let left = MAX_INCLUDED - self.included;
        let bytes = self
            .finder
            .read(&file, left)
            .map_err(|error| bad(format!("`{}` cannot be read: {error}", clip(uri)), "name an SDF file"))?;
        if bytes.len() > left {
            let message = format!("included files have more than {} MB", MAX_INCLUDED >> 20);
            return Err(text.error(ErrorKind::TooLarge, at, message, "include fewer or smaller files"));
        }
        self.included += bytes.len();
        let name = file.display().to_string();
        let inside = crate::import::utf8(&name, bytes)?;
        let other = XmlText::new(&name, inside.strip_prefix('\u{feff}').unwrap_or(&inside));
        let tree = other.parse()?;
        let root = tree.root_element();
        let model = only_model(&other, root, report)?;
        let own = match child(node, "name").map(inner) {
            Some((own, _)) if !own.is_empty() => own,
            _ => other.name(model, "name")?,
        };
        let full = format!("{scope}{own}");
        // The pose of the include stands for that of the model.
        let posed = if child(node, "pose").is_some() { (text, node) } else { (&other, model) };
        let model_frame = Some(format!("{scope}{MODEL}"));
        let place = (self.at(start(node)), self.line(text, node));
        let outer = (self.version, self.place.clone(), self.folder.clone());
        let inner_model = Some(format!("{full}::{MODEL}"));
        if own.contains("::") || own.is_empty() {
            let message = format!("`{}` cannot be a name", clip(own));
            return Err(text.bad(start(node), message, "names have no `::`"));
        }
        self.place_frame(posed.0, posed.1, (full.clone(), scope), model_frame, inner_model)?;
        self.place = Some(place);
        self.version = version(&other, root)?;
        self.folder = file.parent().map(Path::to_path_buf);
        report.used("included model: its names have its own before them", self.line(text, node));
        self.read_model(&other, model, &format!("{full}::"), report)?;
        (self.version, self.place, self.folder) = outer;
        Ok(())
    }

    /// The file of a URI: a model's folder stands for the `model.sdf` in it.
    fn find(&self, text: &XmlText<'_>, uri: &str, at: Range<usize>) -> Result<PathBuf, SceneError> {
        let mut found = self.finder.find(&self.path_here(uri));
        if matches!(found, FoundFile::Missing(_)) {
            let inside = format!("{}/model.sdf", uri.trim_end_matches('/'));
            if let FoundFile::At(file) = self.finder.find(&self.path_here(&inside)) {
                found = FoundFile::At(file);
            }
        }
        match found {
            FoundFile::At(file) => Ok(file),
            FoundFile::Missing(why) => {
                let message = format!("`{}` cannot be included: {why}", clip(uri));
                Err(text.error(ErrorKind::Io, at, message, "its folder is given by --package NAME=DIR"))
            }
            FoundFile::Outside(folder) => {
                let (message, help) = outside(uri, &folder);
                Err(text.bad(at, message, &help))
            }
        }
    }

    /// A path of an included file starts in its own folder.
    fn path_here(&self, uri: &str) -> String {
        match &self.folder {
            Some(folder) if !uri.contains("://") => folder.join(uri).to_string_lossy().into_owned(),
            _ => uri.to_string(),
        }
    }

    fn link(
        &self,
        text: &XmlText<'_>,
        node: Node<'_, '_>,
        name: String,
        scope: &str,
        report: &mut ImportReport,
    ) -> Result<SdfLink, SceneError> {
        let at = self.at(start(node));
        let link =
            Link { name: name.clone(), at, inertial: None, collisions: Vec::new(), visuals: Vec::new() };
        let (collisions_in, visuals_in) = (Vec::new(), Vec::new());
        let scope = scope.to_string();
        let mut link = SdfLink { name, scope, link, inertial_in: None, collisions_in, visuals_in };
        for part in elements(node) {
            match part.tag_name().name() {
                "inertial" if link.link.inertial.is_some() => {
                    report.ignored("second <inertial> of a link", self.line(text, part));
                }
                "inertial" => {
                    let (inertial, relative) = self.inertial(text, part)?;
                    (link.link.inertial, link.inertial_in) = (Some(inertial), self.shown(relative));
                }
                tag @ ("collision" | "visual") => {
                    let Some((shape, relative)) = self.shape(text, part, report)? else { continue };
                    let relative = self.shown(relative);
                    let (shapes, frames) = if tag == "collision" {
                        (&mut link.link.collisions, &mut link.collisions_in)
                    } else {
                        (&mut link.link.visuals, &mut link.visuals_in)
                    };
                    shapes.push(shape);
                    frames.push(relative);
                }
                "pose" => {}
                tag => report.ignored(format!("<{}> of a link", clip(tag)), self.line(text, part)),
            }
        }
        if link.link.inertial.is_none() {
            // The default of the format.
            let what = "link without <inertial>: 1 kg and 1 kg·m² about every axis, as the format says";
            report.approximated(what, self.line(text, node));
            let (frame, at) = (Frame::default(), link.link.at.clone());
            link.link.inertial =
                Some(Inertial { mass: 1.0, frame, inertia: Sym3::diagonal(1.0, 1.0, 1.0), at });
        }
        Ok(link)
    }

    fn inertial(&self, text: &XmlText<'_>, node: Node<'_, '_>) -> Result<(Inertial, Relative), SceneError> {
        if node.attribute("auto").is_some_and(|word| matches!(word, "true" | "1")) {
            let message = "an inertia computed from shapes (auto) is not read";
            let help = "give <mass> and <inertia>; `gz sdf --inertial-stats` prints them";
            return Err(text.error(ErrorKind::NotAvailable, start(node), message, help));
        }
        let mass = number(text, node, "mass")?.unwrap_or(1.0);
        if mass <= 0.0 {
            let at = child(node, "mass").map_or(start(node), |mass| inner(mass).1);
            return Err(text.bad(at, format!("the mass is {mass} kg"), "a mass is positive"));
        }
        let moment = |tag: &str, default: f64| -> Result<f64, SceneError> {
            let Some(inertia) = child(node, "inertia") else { return Ok(default) };
            Ok(number(text, inertia, tag)?.unwrap_or(default))
        };
        let [xx, yy, zz] = [moment("ixx", 1.0)?, moment("iyy", 1.0)?, moment("izz", 1.0)?];
        let [xy, xz, yz] = [moment("ixy", 0.0)?, moment("ixz", 0.0)?, moment("iyz", 0.0)?];
        let given = pose(text, node)?;
        let at = self.at(start(child(node, "inertia").unwrap_or(node)));
        let inertia = Sym3 { xx, yy, zz, xy, xz, yz };
        Ok((Inertial { mass, frame: given.pose, inertia, at }, self.relative(given.relative_to)))
    }

    fn relative(&self, relative: Relative) -> Relative {
        relative.filter(|_| self.version >= 107)
    }

    fn shape(
        &self,
        text: &XmlText<'_>,
        node: Node<'_, '_>,
        report: &mut ImportReport,
    ) -> Result<Option<(Geometry, Relative)>, SceneError> {
        let given = pose(text, node)?;
        let Some(shape) = child(node, "geometry").and_then(|geometry| elements(geometry).next()) else {
            let what = format!("<{}> without a geometry", node.tag_name().name());
            report.ignored(what, self.line(text, node));
            return Ok(None);
        };
        let positive = |part: Node<'_, '_>, value: f64| -> Result<f64, SceneError> {
            if value > 0.0 {
                return Ok(value);
            }
            let message = format!("<{}> is {value}", clip(part.tag_name().name()));
            Err(text.bad(inner(part).1, message, "a shape has a positive size, in m"))
        };
        let length = |tag: &'static str| -> Result<f64, SceneError> {
            values::word(text, shape, tag)?;
            let part = all(shape, tag).next().unwrap_or(shape);
            positive(part, vector::<1>(text, part)?[0])
        };
        let form = match shape.tag_name().name() {
            "box" => {
                values::word(text, shape, "size")?;
                let part = child(shape, "size").unwrap_or(shape);
                let size = vector::<3>(text, part)?;
                for edge in size {
                    positive(part, edge)?;
                }
                Form::Box(size)
            }
            "sphere" => Form::Sphere(length("radius")?),
            "cylinder" => Form::Cylinder { radius: length("radius")?, length: length("length")? },
            "capsule" => Form::Capsule { radius: length("radius")?, length: length("length")? },
            "mesh" => {
                let (uri, _) = values::word(text, shape, "uri")?;
                let scale = child(shape, "scale").map(|scale| vector::<3>(text, scale)).transpose()?;
                let scale = scale.unwrap_or([1.0; 3]);
                if scale.contains(&0.0) {
                    let help = "1 leaves an axis as it is, -1 mirrors it";
                    return Err(text.bad(start(shape), "a scale is zero", help));
                }
                if child(shape, "submesh").is_some() {
                    report.approximated("submesh: the whole mesh", self.line(text, shape));
                }
                Form::Mesh { uri: self.path_here(uri), scale }
            }
            tag => {
                report.ignored(format!("shape <{}>", clip(tag)), self.line(text, shape));
                return Ok(None);
            }
        };
        let geometry = Geometry { frame: given.pose, form, at: self.at(start(shape)) };
        Ok(Some((geometry, self.relative(given.relative_to))))
    }
}

/// The model of a file, which has one.
pub(super) fn only_model<'n, 't>(
    text: &XmlText<'t>,
    root: Node<'n, 't>,
    report: &mut ImportReport,
) -> Result<Node<'n, 't>, SceneError> {
    let mut models = all(root, "model");
    let Some(model) = models.next().filter(|_| root.tag_name().name() == "sdf") else {
        let (message, help) = if root.tag_name().name() != "sdf" {
            (
                format!("<{}> is no SDF", clip(root.tag_name().name())),
                "an SDF file starts with <sdf version=\"1.9\">",
            )
        } else if child(root, "world").is_some() {
            ("a <world> is no robot".to_string(), "put its <model> into a file of its own: <sdf><model>…")
        } else {
            ("the file has no <model>".to_string(), "an SDF file has <sdf><model name=\"…\">…</model></sdf>")
        };
        return Err(text.error(ErrorKind::Empty, start(root), message, help));
    };
    if let Some(second) = models.next() {
        report.ignored("second <model> of a file", text.line_of(second));
    }
    Ok(model)
}
