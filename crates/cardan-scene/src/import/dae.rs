//! Points of a COLLADA file (`.dae`), for the box around it: positions of its geometries, placed by the nodes of its
//! scene, in m.
//!
//! The format: <https://www.khronos.org/collada>. Materials, skins and lights are passed over; the axes are those of the
//! file, as other readers of robots take them (`up_axis` does not turn it).

use std::collections::BTreeMap;
use std::path::Path;

use cardan::math::{Mat3, Quat, Vec3, vec3};
use roxmltree::Node;

use super::xml::{self, XmlText, child, elements};

/// Most points of all copies of the geometries.
const MAX_POINTS: usize = 4_000_000;

/// A placement that may stretch: x → m x + t.
#[derive(Clone, Copy)]
struct Affine {
    m: Mat3,
    t: Vec3,
}

impl Affine {
    fn of(m: Mat3) -> Self {
        Self { m, t: Vec3::ZERO }
    }

    fn then(&self, inner: &Self) -> Self {
        Self { m: self.m * inner.m, t: self.t + self.m * inner.t }
    }
}

fn numbers(text: &str) -> Result<Vec<f64>, String> {
    let number = |word: &str| word.parse::<f64>().ok().filter(|x| x.is_finite());
    text.split_whitespace()
        .map(|word| number(word).ok_or_else(|| "a number cannot be read".to_string()))
        .collect()
}

fn is(node: &Node<'_, '_>, tag: &str) -> bool {
    node.is_element() && node.tag_name().name() == tag
}

/// The points of a geometry: what `<vertices>` names as its positions.
fn positions(mesh: Node<'_, '_>) -> Result<Vec<Vec3>, String> {
    let named = child(mesh, "vertices").into_iter().flat_map(|vertices| elements(vertices));
    let input = named
        .filter(|input| input.attribute("semantic") == Some("POSITION"))
        .find_map(|i| i.attribute("source"));
    let Some(id) = input.and_then(|source| source.strip_prefix('#')) else { return Ok(Vec::new()) };
    let source = elements(mesh).find(|node| is(node, "source") && node.attribute("id") == Some(id));
    let Some(array) = source.and_then(|source| child(source, "float_array")) else { return Ok(Vec::new()) };
    let all = numbers(array.text().unwrap_or_default())?;
    let accessor = source.and_then(|source| source.descendants().find(|node| is(node, "accessor")));
    let stride = accessor.and_then(|node| node.attribute("stride")?.parse::<usize>().ok()).unwrap_or(3);
    if stride < 3 {
        return Err("its positions have fewer than three coordinates".to_string());
    }
    Ok(all.chunks_exact(stride).map(|p| vec3(p[0], p[1], p[2])).collect())
}

/// The placement of a node in the one around it.
fn placement(node: Node<'_, '_>) -> Result<Affine, String> {
    let mut whole = Affine::of(Mat3::IDENTITY);
    for part in elements(node) {
        let tag = part.tag_name().name();
        if !matches!(tag, "translate" | "rotate" | "scale" | "matrix") {
            continue;
        }
        let all = numbers(part.text().unwrap_or_default())?;
        let step = match (tag, &all[..]) {
            ("translate", &[x, y, z]) => Affine { m: Mat3::IDENTITY, t: vec3(x, y, z) },
            ("scale", &[x, y, z]) => Affine::of(Mat3::from_columns(Vec3::X * x, Vec3::Y * y, Vec3::Z * z)),
            ("rotate", &[x, y, z, degrees]) => {
                let turn = Quat::from_axis_angle(vec3(x, y, z), degrees * (core::f64::consts::PI / 180.0));
                Affine::of(turn.unwrap_or(Quat::IDENTITY).matrix())
            }
            ("matrix", m) if m.len() == 16 => {
                let column = |k: usize| vec3(m[k], m[4 + k], m[8 + k]);
                Affine { m: Mat3::from_columns(column(0), column(1), column(2)), t: column(3) }
            }
            _ => return Err(format!("<{tag}> has {} numbers", all.len())),
        };
        whole = whole.then(&step);
    }
    Ok(whole)
}

/// All points of a file, or why there are none.
pub(crate) fn points(finder: &super::FileFinder<'_>, file: &Path) -> Result<Vec<Vec3>, String> {
    let bytes = finder.read(file, xml::MAX_SIZE).map_err(|error| error.to_string())?;
    if bytes.len() > xml::MAX_SIZE {
        return Err(format!("it has more than {} MB", xml::MAX_SIZE >> 20));
    }
    let text = String::from_utf8(bytes).map_err(|_| "it is not UTF-8 text".to_string())?;
    let name = file.display().to_string();
    let source = XmlText::new(&name, text.strip_prefix('\u{feff}').unwrap_or(&text));
    let tree = source.parse().map_err(|error| error.message().to_string())?;
    let root = tree.root_element();
    let unit = root.descendants().find(|node| is(node, "unit")).and_then(|node| node.attribute("meter"));
    let unit =
        unit.and_then(|word| word.parse::<f64>().ok()).filter(|u| *u > 0.0 && u.is_finite()).unwrap_or(1.0);
    let mut geometries: BTreeMap<&str, Vec<Vec3>> = BTreeMap::new();
    for geometry in root.descendants().filter(|node| is(node, "geometry")) {
        if let (Some(id), Some(mesh)) = (geometry.attribute("id"), child(geometry, "mesh")) {
            geometries.insert(id, positions(mesh)?);
        }
    }
    let mut found: Vec<Vec3> = Vec::new();
    let scene = root.descendants().find(|node| is(node, "visual_scene"));
    let mut open: Vec<(Node<'_, '_>, Affine)> = Vec::new();
    open.extend(
        scene.into_iter().flat_map(|scene| elements(scene)).map(|node| (node, Affine::of(Mat3::IDENTITY))),
    );
    while let Some((node, around)) = open.pop() {
        if is(&node, "instance_geometry") {
            let id = node.attribute("url").and_then(|url| url.strip_prefix('#'));
            let all = id.and_then(|id| geometries.get(id)).map_or(&[][..], |all| &all[..]);
            if found.len() + all.len() > MAX_POINTS {
                return Err(format!("it has more than {MAX_POINTS} points"));
            }
            found.extend(all.iter().map(|&p| around.t + around.m * p));
        } else if is(&node, "node") {
            let own = around.then(&placement(node)?);
            open.extend(elements(node).map(|inner| (inner, own)));
        }
    }
    if found.is_empty() {
        found = geometries.into_values().flatten().collect();
    }
    let all: Vec<Vec3> = found.into_iter().map(|p| p * unit).collect();
    if all.is_empty() || !all.iter().all(|p| p.is_finite()) {
        return Err("it has no points that can be read".to_string());
    }
    Ok(all)
}
