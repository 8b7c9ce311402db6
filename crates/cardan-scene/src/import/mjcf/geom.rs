//! Geoms: their forms, masses and inertias, and what they touch.
//!
//! Sizes are half lengths; cylinders and capsules lie along z. Without a `mass` the density counts, 1000
//! kg/m³ unless said.

use std::cell::RefCell;
use std::collections::BTreeMap;

use cardan::math::{Quat, Sym3, Vec3};
use cardan::{Frame, MassProperties};

use super::fields::{ElementReader, Fields, shortest_to};
use super::files::Item;
use super::mesh::{MeshAsset, surface};
use crate::document::clip;
use crate::error::{ErrorKind, SceneError};
use crate::import::paths::FileFinder;
use crate::import::report::{ImportReport, Treatment};
use crate::import::xml::value_range;
use crate::nearest::nearest;

/// The form of a geom, with half lengths.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum GeomForm {
    Plane,
    Sphere(f64),
    Capsule {
        radius: f64,
        half: f64,
    },
    Cylinder {
        radius: f64,
        half: f64,
    },
    Box([f64; 3]),
    Ellipsoid([f64; 3]),
    Mesh(String),
    /// What has no form in a scene.
    Other,
}

pub(super) struct Geom<'a> {
    pub(super) item: Item<'a>,
    pub(super) name: Option<String>,
    /// In the frame of its body.
    pub(super) frame: Frame,
    pub(super) form: GeomForm,
    /// In the frame of its body; of mass zero if it has none.
    pub(super) mass: MassProperties,
    pub(super) contype: u32,
    pub(super) conaffinity: u32,
    pub(super) condim: u32,
    pub(super) friction: [f64; 3],
}

/// What geoms refer to.
pub(super) struct Assets<'r, 'a> {
    pub(super) meshes: &'r BTreeMap<String, MeshAsset<'a>>,
    pub(super) finder: &'r FileFinder<'r>,
    /// Volume and mass properties of the meshes that were read, at density 1; `None` without volume.
    pub(super) integrated: RefCell<BTreeMap<String, Option<(f64, MassProperties)>>>,
}

const TYPES: [&str; 9] =
    ["sphere", "plane", "hfield", "capsule", "ellipsoid", "cylinder", "box", "mesh", "sdf"];

pub(super) fn read_geom<'a>(
    reader: &ElementReader<'_, 'a>,
    assets: &Assets<'_, 'a>,
    item: Item<'a>,
    class: usize,
    report: &mut ImportReport,
) -> Result<Geom<'a>, SceneError> {
    let fields = reader.fields(item, "geom", class)?;
    let kind = fields.choice("type", &TYPES)?.unwrap_or("sphere");
    let size = fields.numbers("size", 1..=3)?.unwrap_or_default();
    let mut frame = reader.frame(&fields)?;
    let (form, half) = form(reader, assets, &fields, kind, size)?;
    if let Some([from, to]) = ends(&fields)?
        && half.is_some()
    {
        frame = Frame { pos: (from + to) * 0.5, rot: shortest_to(from - to).unwrap_or(Quat::IDENTITY) };
    }
    let mut geom = Geom {
        item,
        name: reader.name_of(item),
        frame,
        form,
        mass: MassProperties::of_point(0.0),
        contype: bits(&fields, "contype")?,
        conaffinity: bits(&fields, "conaffinity")?,
        condim: fields.number("condim")?.unwrap_or(3.0) as u32,
        friction: friction(&fields)?,
    };
    let group = fields.number("group")?.unwrap_or(0.0);
    let [first, last] = reader.compiler.inertia_groups;
    if (first..=last).contains(&group) {
        geom.mass = mass(reader, assets, &fields, &geom)?;
    }
    if fields.flag("shellinertia")? == Some(true) {
        reader.files.note(report, Treatment::Approximated, "geom with `shellinertia`: solid", item);
    }
    if ["solref", "solimp", "margin", "gap"].iter().any(|name| fields.has(name)) {
        let what = "`solref`, `solimp`, `margin` and `gap` of a geom: contacts are rigid";
        reader.files.note(report, Treatment::Ignored, what, item);
    }
    if fields.word("fluidshape").is_some_and(|word| word != "none") {
        reader.files.note(report, Treatment::Ignored, "`fluidshape`: forces of a fluid", item);
    }
    Ok(geom)
}

fn bits(fields: &Fields<'_, '_>, name: &str) -> Result<u32, SceneError> {
    let value = fields.number(name)?.unwrap_or(1.0);
    if value >= 0.0 && value <= f64::from(i32::MAX) && value.fract() == 0.0 {
        return Ok(value as u32);
    }
    Err(fields.bad(name, format!("`{name}` is {value}"), "it is a whole number whose bits count"))
}

pub(super) fn friction(fields: &Fields<'_, '_>) -> Result<[f64; 3], SceneError> {
    let mut all = [1.0, 0.005, 0.0001];
    for (place, value) in all.iter_mut().zip(fields.numbers("friction", 1..=5)?.unwrap_or_default()) {
        *place = value;
    }
    if all.iter().any(|mu| *mu < 0.0) {
        let message = "a coefficient of friction is negative".to_string();
        return Err(fields.bad(
            "friction",
            message,
            "write friction=\"1 0.005 0.0001\": sliding, spin, rolling",
        ));
    }
    Ok(all)
}

/// The two points of `fromto`.
fn ends(fields: &Fields<'_, '_>) -> Result<Option<[Vec3; 2]>, SceneError> {
    let Some([a, b, c, d, e, f]) = fields.vector::<6>("fromto")? else { return Ok(None) };
    Ok(Some([[a, b, c].into(), [d, e, f].into()]))
}

/// The form, and the half length of one that `fromto` may place.
fn form<'a>(
    reader: &ElementReader<'_, 'a>,
    assets: &Assets<'_, 'a>,
    fields: &Fields<'_, 'a>,
    kind: &str,
    size: Vec<f64>,
) -> Result<(GeomForm, Option<f64>), SceneError> {
    let files = &reader.files;
    let half = ends(fields)?.map(|[from, to]| 0.5 * (from - to).norm());
    if fields.has("mesh") && kind != "mesh" {
        let message = format!("a {kind} that is fitted to a mesh is not read");
        let help = "write the size of the geom, or type=\"mesh\"";
        return Err(files.error(fields.item(), ErrorKind::NotAvailable, message, help));
    }
    let want = |count: usize| -> Result<(), SceneError> {
        if size.len() >= count && size[..count].iter().all(|edge| *edge > 0.0) {
            return Ok(());
        }
        let have = if size.len() < count {
            format!("has {} numbers", size.len())
        } else {
            "is not positive".to_string()
        };
        let message = format!("the `size` of a {kind} {have}");
        let help = match kind {
            "sphere" => "write size=\"RADIUS\"",
            "capsule" | "cylinder" => {
                "write size=\"RADIUS HALF-LENGTH\", or fromto=\"…\" with size=\"RADIUS\""
            }
            _ => "write three half lengths: size=\"X Y Z\"",
        };
        Err(fields.bad("size", message, help))
    };
    let form = match kind {
        "plane" => (GeomForm::Plane, None),
        "sphere" => {
            want(1)?;
            (GeomForm::Sphere(size[0]), None)
        }
        "capsule" | "cylinder" => {
            want(if half.is_some() { 1 } else { 2 })?;
            let length = half.unwrap_or(size.get(1).copied().unwrap_or(0.0));
            let radius = size[0];
            match kind {
                "capsule" => (GeomForm::Capsule { radius, half: length }, half),
                _ => (GeomForm::Cylinder { radius, half: length }, half),
            }
        }
        "box" | "ellipsoid" => {
            want(if half.is_some() { 1 } else { 3 })?;
            // Along a line the section is square or round.
            let edges = half.map_or_else(|| [size[0], size[1], size[2]], |half| [size[0], size[0], half]);
            match kind {
                "box" => (GeomForm::Box(edges), half),
                _ => (GeomForm::Ellipsoid(edges), half),
            }
        }
        "mesh" => {
            let name = &fields.name("mesh").unwrap_or_default();
            if !assets.meshes.contains_key(name) {
                let item = fields.place("mesh").unwrap_or(fields.item());
                let help = match nearest(name, assets.meshes.keys().map(String::as_str)) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => "meshes are given as <asset><mesh name=\"…\" file=\"…\"/></asset>".to_string(),
                };
                let message = format!("there is no mesh `{}`", clip(name));
                let range = value_range(item.node, "mesh");
                return Err(files.text(item).error(ErrorKind::UnknownName, range, message, &help));
            }
            (GeomForm::Mesh(name.to_string()), None)
        }
        _ => (GeomForm::Other, None),
    };
    Ok(form)
}

/// Mass, centre and inertia in the frame of the body.
fn mass<'a>(
    reader: &ElementReader<'_, 'a>,
    assets: &Assets<'_, 'a>,
    fields: &Fields<'_, 'a>,
    geom: &Geom<'a>,
) -> Result<MassProperties, SceneError> {
    use core::f64::consts::PI;
    let none = MassProperties::of_point(0.0);
    let given = fields.positive("mass")?;
    let density = fields.positive("density")?.unwrap_or(1000.0);
    if given == Some(0.0) || given.is_none() && density == 0.0 {
        return Ok(none);
    }
    let own = |volume: f64| given.unwrap_or(density * volume);
    let mut found = MassProperties::of_point(0.0);
    match &geom.form {
        GeomForm::Plane | GeomForm::Other => return Ok(none),
        GeomForm::Sphere(r) => {
            found.mass = own(4.0 / 3.0 * PI * r * r * r);
            found.inertia = diagonal([0.4 * found.mass * r * r; 3]);
        }
        GeomForm::Capsule { radius: r, half } => {
            let h = 2.0 * half;
            found.mass = own(PI * (r * r * h + 4.0 / 3.0 * r * r * r));
            // Two half spheres and a cylinder.
            let caps = found.mass * 4.0 * r / (4.0 * r + 3.0 * h);
            let middle = found.mass - caps;
            let across = middle * (3.0 * r * r + h * h) / 12.0
                + 0.4 * caps * r * r
                + caps * h * (3.0 * r + 2.0 * h) / 8.0;
            let along = 0.5 * middle * r * r + 0.4 * caps * r * r;
            found.inertia = diagonal([across, across, along]);
        }
        GeomForm::Cylinder { radius: r, half } => {
            let h = 2.0 * half;
            found.mass = own(PI * r * r * h);
            let across = found.mass * (3.0 * r * r + h * h) / 12.0;
            found.inertia = diagonal([across, across, 0.5 * found.mass * r * r]);
        }
        GeomForm::Box([x, y, z]) => {
            found.mass = own(8.0 * x * y * z);
            let k = found.mass / 3.0;
            found.inertia = diagonal([k * (y * y + z * z), k * (x * x + z * z), k * (x * x + y * y)]);
        }
        GeomForm::Ellipsoid([x, y, z]) => {
            found.mass = own(4.0 / 3.0 * PI * x * y * z);
            let k = found.mass / 5.0;
            found.inertia = diagonal([k * (y * y + z * z), k * (x * x + z * z), k * (x * x + y * y)]);
        }
        GeomForm::Mesh(name) => {
            let Some(asset) = assets.meshes.get(name) else { return Ok(none) };
            let known = assets.integrated.borrow().get(name).copied();
            let integral = match known {
                Some(known) => known,
                None => {
                    let found = surface(reader, asset, assets.finder)?.properties(asset);
                    assets.integrated.borrow_mut().insert(name.clone(), found);
                    found
                }
            };
            let Some((volume, shape)) = integral else {
                let message = format!("the mesh `{}` has no volume", clip(name));
                let help = "give the geom mass=\"0\", the body an <inertial>, or the mesh inertia=\"shell\"";
                return Err(reader.files.bad(geom.item, message, help));
            };
            found.mass = own(volume);
            found.center = shape.center;
            found.inertia = shape.inertia.scaled(found.mass / volume);
        }
    }
    found.center = geom.frame.pos + geom.frame.rot * found.center;
    if geom.frame.rot != Quat::IDENTITY {
        found.inertia = found.inertia.rotated(&geom.frame.rot.matrix());
    }
    Ok(found)
}

fn diagonal([xx, yy, zz]: [f64; 3]) -> Sym3 {
    Sym3 { xx, yy, zz, ..Sym3::default() }
}
