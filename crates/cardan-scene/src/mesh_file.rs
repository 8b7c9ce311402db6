//! Surfaces of triangles from files: Wavefront OBJ and STL, as text or binary.
//!
//! Corners at the same position are merged, since an STL file repeats them in every triangle. Line numbers are kept for
//! messages.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use crate::import::FileFinder;

/// Largest file that is read, in bytes.
const MAX_SIZE: u64 = 512 << 20;

/// A surface as a file gives it.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct MeshFile {
    pub(crate) vertices: Vec<[f64; 3]>,
    pub(crate) triangles: Vec<[u32; 3]>,
    /// Of each triangle: its line in the file; empty if the file has none.
    pub(crate) lines: Vec<usize>,
}

impl MeshFile {
    /// Reads a file of at most so many triangles by its ending. The message is for people.
    pub(crate) fn read(path: &Path, scale: [f64; 3], most: usize) -> Result<Self, String> {
        MeshFile::of_bytes(path, || read(path), scale, most)
    }

    /// Reads a file that a robot file names.
    pub(crate) fn found(
        finder: &FileFinder<'_>,
        path: &Path,
        scale: [f64; 3],
        most: usize,
    ) -> Result<Self, String> {
        let from = || if finder.is_provided() { finder.read(path, MAX_SIZE as usize) } else { read(path) };
        MeshFile::of_bytes(path, from, scale, most)
    }

    /// Reads the bytes of a file, which `read` gives.
    pub(crate) fn of_bytes(
        path: &Path,
        read: impl FnOnce() -> io::Result<Vec<u8>>,
        scale: [f64; 3],
        most: usize,
    ) -> Result<Self, String> {
        let ending = path.extension().map(|e| e.to_string_lossy().to_lowercase()).unwrap_or_default();
        if ending != "obj" && ending != "stl" {
            return Err("it is neither an .obj nor an .stl file".to_string());
        }
        let bytes = read().map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => format!("there is no file {}", path.display()),
            _ => format!("it cannot be read: {error}"),
        })?;
        let mut mesh_file = match ending.as_str() {
            "obj" => obj(&text(&bytes)?, most)?,
            _ if is_binary_stl(&bytes) => {
                enough((bytes.len() - 84) / 50, most)?;
                binary_stl(&bytes)
            }
            _ => text_stl(&text(&bytes)?, most)?,
        };
        for v in &mut mesh_file.vertices {
            *v = [v[0] * scale[0], v[1] * scale[1], v[2] * scale[2]];
        }
        // A mirror image has its triangles the other way round.
        if scale.iter().filter(|s| **s < 0.0).count() % 2 == 1 {
            for triangle in &mut mesh_file.triangles {
                triangle.swap(1, 2);
            }
        }
        if let Some(v) = mesh_file.vertices.iter().find(|v| v.iter().any(|x| !x.is_finite())) {
            return Err(format!("the corner {v:?} is not finite"));
        }
        Ok(mesh_file)
    }

    /// Where a triangle is in the file.
    pub(crate) fn place(&self, triangle: usize) -> String {
        match self.lines.get(triangle) {
            Some(line) => format!("line {line}"),
            None => format!("triangle {triangle}"),
        }
    }
}

fn read(path: &Path) -> io::Result<Vec<u8>> {
    let file = File::open(path)?;
    if file.metadata()?.is_dir() {
        return Err(io::Error::other("it is a folder"));
    }
    let mut bytes = Vec::new();
    file.take(MAX_SIZE + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MAX_SIZE {
        return Err(io::Error::other(format!("it has more than {} MB", MAX_SIZE >> 20)));
    }
    Ok(bytes)
}

fn text(bytes: &[u8]) -> Result<String, String> {
    let broken = |error: std::str::Utf8Error| {
        let line = 1 + bytes[..error.valid_up_to()].iter().filter(|&&b| b == b'\n').count();
        format!("line {line}: it is not UTF-8 text")
    };
    std::str::from_utf8(bytes).map(str::to_string).map_err(broken)
}

/// Corners by place.
#[derive(Default)]
struct VertexTable {
    vertices: Vec<[f64; 3]>,
    known: BTreeMap<[u64; 3], u32>,
}

impl VertexTable {
    fn number(&mut self, at: [f64; 3]) -> u32 {
        // −0 is 0.
        let at = at.map(|x| x + 0.0);
        let next = self.vertices.len() as u32;
        let number = *self.known.entry(at.map(f64::to_bits)).or_insert(next);
        if number == next {
            self.vertices.push(at);
        }
        number
    }
}

fn numbers<'w>(line: usize, words: impl Iterator<Item = &'w str>) -> Result<[f64; 3], String> {
    let mut at = [0.0; 3];
    let mut count = 0;
    for (x, word) in at.iter_mut().zip(words) {
        *x = word.parse().map_err(|_| format!("line {line}: `{}` is not a number", clip(word)))?;
        count += 1;
    }
    if count < 3 {
        return Err(format!("line {line}: a corner needs three numbers"));
    }
    Ok(at)
}

fn enough(triangles: usize, most: usize) -> Result<(), String> {
    if triangles > most { Err(format!("it has more than {most} triangles")) } else { Ok(()) }
}

fn clip(word: &str) -> String {
    word.chars().take(40).collect()
}

/// `v x y z` are corners, `f i j k …` faces of three or more of them, counted from 1, or from the end if negative; other lines are ignored.
fn obj(text: &str, most: usize) -> Result<MeshFile, String> {
    let mut corners = VertexTable::default();
    let mut names: Vec<u32> = Vec::new();
    let mut mesh_file = MeshFile::default();
    for (i, line) in text.lines().enumerate() {
        let line_number = i + 1;
        let mut words = line.split_whitespace();
        match words.next() {
            Some("v") => names.push(corners.number(numbers(line_number, words)?)),
            Some("f") => {
                let mut face = Vec::new();
                for word in words {
                    // corner/texture/normal
                    let first = word.split('/').next().unwrap_or_default();
                    let number: i64 = first
                        .parse()
                        .map_err(|_| format!("line {line_number}: `{}` is no corner", clip(word)))?;
                    let index = if number < 0 { names.len() as i64 + number } else { number - 1 };
                    let known = usize::try_from(index).ok().and_then(|index| names.get(index));
                    let Some(&corner) = known else {
                        let so_far = names.len();
                        return Err(format!(
                            "line {line_number}: there is no corner {number}, only {so_far} so far"
                        ));
                    };
                    face.push(corner);
                }
                if face.len() < 3 {
                    return Err(format!("line {line_number}: a face needs three corners"));
                }
                enough(mesh_file.triangles.len() + face.len() - 2, most)?;
                for k in 2..face.len() {
                    mesh_file.triangles.push([face[0], face[k - 1], face[k]]);
                    mesh_file.lines.push(line_number);
                }
            }
            _ => {}
        }
    }
    mesh_file.vertices = corners.vertices;
    Ok(mesh_file)
}

/// 80 bytes of title, the number of triangles, and 50 bytes for each.
fn is_binary_stl(bytes: &[u8]) -> bool {
    let count = bytes.get(80..84).and_then(|b| b.try_into().ok()).map(u32::from_le_bytes);
    count.is_some_and(|count| bytes.len() as u64 == 84 + 50 * u64::from(count))
}

fn binary_stl(bytes: &[u8]) -> MeshFile {
    let mut corners = VertexTable::default();
    let mut mesh_file = MeshFile::default();
    for record in bytes[84..].chunks_exact(50) {
        let number = |k: usize| {
            let at = 12 + 4 * k;
            f64::from(f32::from_le_bytes([record[at], record[at + 1], record[at + 2], record[at + 3]]))
        };
        let corner = |k: usize| [number(3 * k), number(3 * k + 1), number(3 * k + 2)];
        mesh_file.triangles.push([0, 1, 2].map(|k| corners.number(corner(k))));
    }
    mesh_file.vertices = corners.vertices;
    mesh_file
}

fn text_stl(text: &str, most: usize) -> Result<MeshFile, String> {
    if !text.trim_start().starts_with("solid") {
        return Err(
            "it is no STL file: text starts with `solid`, and a binary one has 84 + 50 n bytes".into()
        );
    }
    let mut corners = VertexTable::default();
    let mut mesh_file = MeshFile::default();
    let (mut open, mut begun): (Vec<u32>, usize) = (Vec::new(), 0);
    for (i, line) in text.lines().enumerate() {
        let mut words = line.split_whitespace();
        match words.next() {
            Some("facet") => (open, begun) = (Vec::new(), i + 1),
            Some("vertex") => open.push(corners.number(numbers(i + 1, words)?)),
            Some("endfacet") => match open[..] {
                [a, b, c] => {
                    mesh_file.triangles.push([a, b, c]);
                    enough(mesh_file.triangles.len(), most)?;
                    mesh_file.lines.push(begun);
                }
                _ => return Err(format!("line {begun}: a facet of {} corners, not 3", open.len())),
            },
            _ => {}
        }
    }
    mesh_file.vertices = corners.vertices;
    Ok(mesh_file)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The tetrahedron of 0, x, y, z: four triangles that share four corners, however it is written.
    #[test]
    fn a_tetrahedron_is_read_from_every_kind_of_file() {
        let points = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        let faces = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]];
        let mut wavefront = String::from("# a corner\no thing\n");
        let mut stl = String::from("solid thing\n");
        let mut binary = vec![b' '; 80];
        binary.extend(4_u32.to_le_bytes());
        for p in points {
            wavefront += &format!("v {} {} {} 1.0\nvn 0 0 1\n", p[0], p[1], p[2]);
        }
        for (i, f) in faces.iter().enumerate() {
            let last = f[2] as i64 - 4;
            wavefront += &match i {
                0 => format!("f {}//1 {}//1 {last}\n", f[0] + 1, f[1] + 1),
                _ => format!("f {} {}/3/2 {}\n", f[0] + 1, f[1] + 1, f[2] + 1),
            };
            stl += "  facet normal 0 0 0\n    outer loop\n";
            binary.extend([0; 12]);
            for &c in f {
                let p = points[c as usize];
                // A zero with a sign is still that place.
                stl += &format!("      vertex {:e} {} -{}\n", p[0], p[1], p[2])
                    .replace("--", "")
                    .replace("-1", "1");
                for x in p {
                    binary.extend((x as f32).to_le_bytes());
                }
            }
            stl += "    endloop\n  endfacet\n";
            binary.extend([0; 2]);
        }
        let read =
            [obj(&wavefront, 4), text_stl(&stl, 4), Ok(binary_stl(&binary))].map(|f| f.expect("a surface"));
        assert!([obj(&wavefront, 3), text_stl(&stl, 3)].iter().all(|f| f.is_err()));
        assert!(is_binary_stl(&binary) && !is_binary_stl(stl.as_bytes()));
        for mesh_file in read {
            assert_eq!((mesh_file.vertices.len(), mesh_file.triangles.len()), (4, 4));
            for (t, f) in mesh_file.triangles.iter().zip(faces) {
                assert_eq!(t.map(|v| mesh_file.vertices[v as usize]), f.map(|v| points[v as usize]));
            }
        }
        // A face of four corners is two triangles.
        let plate = obj("v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n", 2).expect("a plate");
        assert_eq!(plate.triangles, [[0, 1, 2], [0, 2, 3]]);
        assert_eq!(plate.lines, [5, 5]);
    }

    #[test]
    fn what_is_no_surface_is_refused_with_its_line() {
        for (text, says) in [
            ("v 0 0\n", "line 1: a corner needs three numbers"),
            ("v 0 0 0\nv 0 x 0\n", "line 2: `x` is not a number"),
            ("v 0 0 0\nf 1 2 3\n", "line 2: there is no corner 2, only 1 so far"),
            ("v 0 0 0\nf 0 1 1\n", "line 2: there is no corner 0"),
            ("v 0 0 0\nf 1 1\n", "line 2: a face needs three corners"),
            ("v 0 0 0\nf a b c\n", "line 2: `a` is no corner"),
        ] {
            assert!(obj(text, 9).expect_err(text).starts_with(says), "{text}");
        }
        let one = "solid\nfacet normal 0 0 1\nvertex 0 0 0\nendfacet\nendsolid\n";
        assert_eq!(text_stl(one, 9).expect_err("one corner"), "line 2: a facet of 1 corners, not 3");
        assert!(text_stl("hello", 9).expect_err("no STL").starts_with("it is no STL file"));
        assert!(text(&[b'v', b'\n', 0xff]).expect_err("no text").starts_with("line 2"));
    }
}
