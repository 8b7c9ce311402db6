//! Line drawings of shapes: edges, rims, the grid of a terrain.

use super::Shape;
use super::surface::Surface;
use cardan_solve::math::{Vec3, vec3};
use std::collections::BTreeSet;

/// Cosine and sine of ten degrees, of which a circle has 36.
const TURN: (f64, f64) = (0.984_807_753_012_208, 0.173_648_177_666_930_33);

fn circle(center: Vec3, u: Vec3, v: Vec3) -> Vec<Vec3> {
    let (mut c, mut s) = (1.0, 0.0);
    (0..=36)
        .map(|_| {
            let point = center + u * c + v * s;
            (c, s) = (c * TURN.0 - s * TURN.1, s * TURN.0 + c * TURN.1);
            point
        })
        .collect()
}

impl Shape {
    /// Polylines in the shape's frame that show it; none for a plane, which is infinite.
    pub fn outline(&self) -> Vec<Vec<Vec3>> {
        match self {
            Shape::Plane => Vec::new(),
            &Shape::Sphere { radius } => [(Vec3::X, Vec3::Y), (Vec3::Y, Vec3::Z), (Vec3::Z, Vec3::X)]
                .map(|(u, v)| circle(Vec3::ZERO, u * radius, v * radius))
                .to_vec(),
            &Shape::Cylinder { radius, length } | &Shape::Capsule { radius, length } => {
                let (y, z, end) = (Vec3::Y * radius, Vec3::Z * radius, Vec3::X * (0.5 * length));
                let mut lines = vec![circle(end, y, z), circle(-end, y, z)];
                lines.extend([y, z, -y, -z].map(|side| vec![side - end, side + end]));
                lines
            }
            &Shape::Box { size } => {
                let corner = |i: usize| {
                    let side = |k: usize| if i >> k & 1 == 0 { -0.5 * size[k] } else { 0.5 * size[k] };
                    vec3(side(0), side(1), side(2))
                };
                let ends =
                    (0..8_usize).flat_map(|i| [1, 2, 4].map(|bit| (i, i | bit))).filter(|(i, j)| i != j);
                ends.map(|(i, j)| vec![corner(i), corner(j)]).collect()
            }
            Shape::Hull(hull) => {
                let mut edges = BTreeSet::new();
                for f in 0..hull.faces() {
                    let ring = hull.corners(f);
                    let pairs = ring.iter().zip(ring.iter().cycle().skip(1));
                    edges.extend(pairs.map(|(&a, &b)| if a < b { (a, b) } else { (b, a) }));
                }
                let at = |v: u32| hull.vertices()[v as usize];
                edges.into_iter().map(|(a, b)| vec![at(a), at(b)]).collect()
            }
            Shape::Mesh(mesh) => mesh.bends().map(|ends| ends.to_vec()).collect(),
            Shape::Terrain(terrain) => {
                let [w, h] = terrain.count();
                let at = |i: u32, j: u32| terrain.vertex(j * w + i);
                let rows = (0..h).map(|j| (0..w).map(|i| at(i, j)).collect());
                let columns = (0..w).map(|i| (0..h).map(|j| at(i, j)).collect());
                rows.chain(columns).collect()
            }
        }
    }
}
