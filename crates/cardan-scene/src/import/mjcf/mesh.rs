//! Mesh assets of a model: their corners, and volume, centre and inertia as MuJoCo takes them.
//!
//! ```text
//! d = a · (b × c)       of each triangle, seen from one point
//! V = Σ d/6,   V x̄ = Σ d/24 (a + b + c)
//! ∫ x xᵀ = Σ d/120 (a aᵀ + b bᵀ + c cᵀ + s sᵀ),   s = a + b + c
//! ```
//!
//! `inertia="legacy"`, the default, takes |d| from the centre of the surface: the same for bodies that are
//! seen from there whole, more for others. `exact` takes d, `convex` the convex hull, `shell` the area of the
//! triangles.

use std::collections::BTreeMap;
use std::path::Path;

use cardan::MassProperties;
use cardan::contact::Hull;
use cardan::math::{Quat, Sym3, Vec3, vec3};

use super::fields::{ElementReader, MAIN};
use super::files::Item;
use crate::document::clip;
use crate::error::{ErrorKind, SceneError};
use crate::import::paths::{FileFinder, FoundFile, outside};
use crate::import::xml::value_range;
use crate::mesh_file::MeshFile;

/// Most triangles of a mesh.
const MAX_TRIANGLES: usize = 2_000_000;

/// Largest .msh file, in bytes.
const MAX_MSH: usize = 256 << 20;

/// A mesh as the model describes it.
pub(super) struct MeshAsset<'a> {
    pub(super) item: Item<'a>,
    /// Its path from the folder of the model; `None` if its corners are written in the model.
    pub(super) uri: Option<String>,
    pub(super) scale: [f64; 3],
    /// Corners and triangles that are written in the model.
    written: Option<(Vec<Vec3>, Vec<[u32; 3]>)>,
    reference: Option<(Vec3, Quat)>,
    inertia: &'static str,
}

impl MeshAsset<'_> {
    /// Whether a scene can name its file: nothing but a scale is done to it.
    pub(super) fn is_plain(&self) -> bool {
        self.uri.is_some() && self.reference.is_none()
    }
}

/// The meshes of a model by name.
pub(super) fn read_meshes<'a>(
    reader: &ElementReader<'_, 'a>,
    sections: &[Item<'a>],
    all: &mut BTreeMap<String, MeshAsset<'a>>,
) -> Result<(), SceneError> {
    for item in sections.iter().filter(|item| item.tag() == "mesh").copied() {
        let fields = reader.fields(item, "mesh", MAIN)?;
        let file = item.node.attribute("file");
        let uri = file.map(|file| {
            let file = if reader.compiler.strip_path {
                file.rsplit(['/', '\\']).next().unwrap_or(file)
            } else {
                file
            };
            match reader.compiler.mesh_folder.trim_end_matches('/') {
                "" => file.to_string(),
                _ if file.starts_with('/') => file.to_string(),
                folder => format!("{folder}/{file}"),
            }
        });
        let uri = match (uri, reader.folder) {
            (Some(uri), Some(folder)) if !uri.contains("://") => {
                Some(folder.join(uri).to_string_lossy().into_owned())
            }
            (uri, _) => uri,
        };
        let stem = file.map(|file| {
            let name = file.rsplit(['/', '\\']).next().unwrap_or(file);
            name.rsplit_once('.').map_or(name, |(stem, _)| stem)
        });
        let Some(name) = item.node.attribute("name").or(stem) else {
            let help = "write <mesh name=\"…\" file=\"…\"/>";
            let message = "a mesh has neither a name nor a file".to_string();
            return Err(reader.files.error(item, ErrorKind::MissingField, message, help));
        };
        let written = match fields.numbers("vertex", 0..=3 * MAX_TRIANGLES)? {
            Some(all) if file.is_none() => {
                let corners: Vec<Vec3> = all.chunks_exact(3).map(|p| vec3(p[0], p[1], p[2])).collect();
                let faces = fields.numbers("face", 0..=3 * MAX_TRIANGLES)?.unwrap_or_default();
                if all.len() % 3 != 0 || faces.len() % 3 != 0 {
                    let message = "corners and faces have three numbers each".to_string();
                    return Err(fields.bad("vertex", message, "write vertex=\"x y z  x y z …\""));
                }
                if faces.iter().any(|&i| i < 0.0 || i >= corners.len() as f64 || i.fract() != 0.0) {
                    let message = "a face names a corner that is not there".to_string();
                    return Err(fields.bad("face", message, "corners are counted from 0"));
                }
                let faces = faces.chunks_exact(3).map(|f| [f[0] as u32, f[1] as u32, f[2] as u32]).collect();
                Some((corners, faces))
            }
            _ => None,
        };
        let refpos = fields.vector::<3>("refpos")?.unwrap_or_default();
        let [w, x, y, z] = fields.vector::<4>("refquat")?.unwrap_or([1.0, 0.0, 0.0, 0.0]);
        let refquat = Quat::from_wxyz(w, x, y, z).unwrap_or(Quat::IDENTITY);
        let moved = refpos != [0.0; 3] || refquat != Quat::IDENTITY;
        let scale = fields.vector::<3>("scale")?.unwrap_or([1.0; 3]);
        if scale.contains(&0.0) {
            return Err(fields.bad(
                "scale",
                "a scale is zero".to_string(),
                "1 leaves an axis as it is, -1 mirrors it",
            ));
        }
        let inertia = fields.choice("inertia", &["legacy", "exact", "convex", "shell"])?.unwrap_or("legacy");
        let reference = moved.then(|| (refpos.into(), refquat));
        let asset = MeshAsset { item, uri, scale, written, reference, inertia };
        if all.insert(format!("{}{name}", reader.prefix), asset).is_some() {
            let message = format!("two meshes are called `{}`", clip(name));
            return Err(reader.files.error(item, ErrorKind::Duplicate, message, "names are unique"));
        }
    }
    Ok(())
}

/// Corners and triangles in the frame of a geom.
pub(super) struct Surface {
    pub(super) corners: Vec<Vec3>,
    triangles: Vec<[u32; 3]>,
}

/// MuJoCo's own format: four counts (corners, normals, texture coordinates, faces), then their numbers, in little endian.
fn read_msh(finder: &FileFinder<'_>, file: &Path) -> Result<(Vec<Vec3>, Vec<[u32; 3]>), String> {
    let bytes = finder.read(file, MAX_MSH).map_err(|error| format!("it cannot be read: {error}"))?;
    let word = |i: usize| -> Option<[u8; 4]> { bytes.get(4 * i..4 * i + 4)?.try_into().ok() };
    let count = |i: usize| usize::try_from(i32::from_le_bytes(word(i)?)).ok();
    let real = |i: usize| word(i).map(f32::from_le_bytes).filter(|x| x.is_finite()).map(f64::from);
    let parsed = || {
        let [corners, normals, texture, faces] = [count(0)?, count(1)?, count(2)?, count(3)?];
        let first = 4 + 3 * corners + 3 * normals + 2 * texture;
        if bytes.len() != 4 * (first + 3 * faces) {
            return None;
        }
        let corner = |i: usize| Some(vec3(real(4 + 3 * i)?, real(5 + 3 * i)?, real(6 + 3 * i)?));
        let corner_of = |i: usize| word(i).map(u32::from_le_bytes).filter(|c| (*c as usize) < corners);
        let face = |i: usize| {
            let at = first + 3 * i;
            Some([corner_of(at)?, corner_of(at + 1)?, corner_of(at + 2)?])
        };
        Some(((0..corners).map(corner).collect::<Option<_>>()?, (0..faces).map(face).collect::<Option<_>>()?))
    };
    parsed().ok_or_else(|| "its counts and its size do not agree".to_string())
}

/// Reads the surface of a mesh.
pub(super) fn surface<'a>(
    reader: &ElementReader<'_, 'a>,
    asset: &MeshAsset<'a>,
    finder: &FileFinder<'_>,
) -> Result<Surface, SceneError> {
    let files = &reader.files;
    let refuse = |message: String, help: &str| {
        let range = value_range(asset.item.node, "file");
        files.text(asset.item).error(ErrorKind::Io, range, message, help)
    };
    let (mut corners, mut triangles) = match (&asset.uri, &asset.written) {
        (Some(uri), _) => {
            let file = match finder.find(uri) {
                FoundFile::At(file) => file,
                FoundFile::Missing(why) => {
                    let message = format!("the mesh `{}` cannot be read: {}", clip(uri), clip(&why));
                    return Err(refuse(message, "the path is from the folder of the model, and `meshdir`"));
                }
                FoundFile::Outside(folder) => {
                    let (message, help) = outside(uri, &folder);
                    return Err(refuse(message, &help));
                }
            };
            let read = match file.extension().is_some_and(|own| own.eq_ignore_ascii_case("msh")) {
                true => read_msh(finder, &file),
                false => MeshFile::found(finder, &file, [1.0; 3], MAX_TRIANGLES)
                    .map(|mesh| (mesh.vertices.iter().map(|&v| v.into()).collect(), mesh.triangles)),
            };
            read.map_err(|why| {
                let message = format!("the mesh `{}`: {}", clip(uri), clip(&why));
                refuse(message, ".stl, .obj and .msh are read")
            })?
        }
        (None, Some((corners, triangles))) => (corners.clone(), triangles.clone()),
        (None, None) => {
            let help = "write file=\"…\" or vertex=\"…\"; built-in meshes are not made";
            return Err(files.error(
                asset.item,
                ErrorKind::NotAvailable,
                "a mesh without a file".to_string(),
                help,
            ));
        }
    };
    if triangles.len() > MAX_TRIANGLES {
        return Err(refuse(format!("the mesh has more than {MAX_TRIANGLES} triangles"), "reduce it"));
    }
    // MuJoCo reads corners in single precision.
    let single = |p: Vec3| vec3(f64::from(p.x as f32), f64::from(p.y as f32), f64::from(p.z as f32));
    for corner in &mut corners {
        *corner = single(*corner);
        if let Some((pos, rot)) = asset.reference {
            *corner = rot.inverse() * (*corner - pos);
        }
        *corner = vec3(corner.x * asset.scale[0], corner.y * asset.scale[1], corner.z * asset.scale[2]);
    }
    if asset.scale.iter().filter(|s| **s < 0.0).count() % 2 == 1 {
        triangles.iter_mut().for_each(|triangle| triangle.swap(1, 2));
    }
    if asset.inertia == "convex" || triangles.is_empty() {
        let hull = Hull::new(&corners)
            .map_err(|error| refuse(format!("the mesh has no convex hull: {error}"), "check it"))?;
        corners = hull.vertices().to_vec();
        triangles = (0..hull.faces())
            .flat_map(|f| {
                let ring = hull.corners(f);
                (1..ring.len().saturating_sub(1)).map(|i| [ring[0], ring[i], ring[i + 1]]).collect::<Vec<_>>()
            })
            .collect();
    }
    Ok(Surface { corners, triangles })
}

impl Surface {
    fn corners_of(&self) -> impl Iterator<Item = [Vec3; 3]> {
        self.triangles.iter().map(|t| t.map(|i| self.corners.get(i as usize).copied().unwrap_or(Vec3::ZERO)))
    }

    /// Volume (or area), and mass properties at density 1; `None` without volume.
    pub(super) fn properties(&self, asset: &MeshAsset<'_>) -> Option<(f64, MassProperties)> {
        let shell = asset.inertia == "shell";
        let area = |[a, b, c]: [Vec3; 3]| 0.5 * (b - a).cross(c - a).norm();
        let (mut total, mut middle) = (0.0, Vec3::ZERO);
        for t in self.corners_of() {
            total += area(t);
            middle += (t[0] + t[1] + t[2]) * (area(t) / 3.0);
        }
        middle = middle * (1.0 / total);
        let weigh = |t: [Vec3; 3], from: Vec3| {
            let d = (t[0] - from).dot((t[1] - from).cross(t[2] - from)) / 6.0;
            match asset.inertia {
                "shell" => area(t),
                "legacy" => d.abs(),
                _ => d,
            }
        };
        let (mut volume, mut center) = (0.0, Vec3::ZERO);
        for t in self.corners_of() {
            let part = weigh(t, middle);
            volume += part;
            center += if shell {
                (t[0] + t[1] + t[2]) * (part / 3.0)
            } else {
                (t[0] + t[1] + t[2] + middle) * (part / 4.0)
            };
        }
        center = center * (1.0 / volume);
        // Σ of P(r) = |r|² 1 − r rᵀ, which is ∫ over each part. What counts as the volume is what is seen
        // from the centre.
        let mut inertia = Sym3::default();
        volume = 0.0;
        for t in self.corners_of() {
            let [a, b, c] = t.map(|p| p - center);
            volume += weigh(t, center);
            let part = weigh(t, center) / if shell { 12.0 } else { 20.0 };
            for r in [a, b, c, a + b + c] {
                inertia = inertia + Sym3::of_point(r).scaled(part);
            }
        }
        let found = MassProperties { mass: volume, center, inertia };
        (volume > 0.0 && volume.is_finite() && center.is_finite()).then_some((volume, found))
    }
}
