//! Convex shapes against meshes and terrains, triangle by triangle.

use super::cylinder::{self, Cylinder};
use super::manifold::{Patch, PolyhedronPair, SAME};
use super::polytope::{directions, solid_of};
use super::solid::{Edge, Solid, thin_solid};
use super::{ContactCollector, Scratch};
use crate::aabb::{Aabb, greater};
use crate::pose::Pose;
use crate::shape::{Shape, Surface, boxed};
use cardan_solve::math::Vec3;

const EDGES: [Edge; 3] = [
    Edge { ends: [0, 1], wings: [2, 2] },
    Edge { ends: [1, 2], wings: [0, 0] },
    Edge { ends: [2, 0], wings: [1, 1] },
];
const STARTS: [u32; 2] = [0, 3];
const LOOP: [u32; 3] = [0, 1, 2];

fn triangle<'t>(vertices: &'t [Vec3; 3], normal: &'t [Vec3; 1]) -> Solid<'t> {
    let [a, b, c] = *vertices;
    Solid {
        vertices,
        normals: normal,
        edges: &EDGES,
        starts: &STARTS,
        loops: &LOOP,
        loop_edges: &LOOP,
        radius: 0.0,
        size: greater(greater((b - a).norm(), (c - b).norm()), (a - c).norm()),
    }
}

struct TrianglePatch<'s> {
    surface: &'s dyn Surface,
    corners: [u32; 3],
    sides: [u32; 3],
    triangle: u32,
}

/// True if a triangle faces the direction `out`.
fn in_front(surface: &dyn Surface, triangle: u32, out: Vec3) -> bool {
    out.dot(surface.normal(triangle)) >= -1e-9
}

impl TrianglePatch<'_> {
    fn in_front(&self, out: Vec3) -> bool {
        in_front(self.surface, self.triangle, out)
    }
}

impl Patch for TrianglePatch<'_> {
    fn vertex(&self, i: u32) -> u32 {
        self.corners[i as usize]
    }
    fn edge(&self, i: u32) -> u32 {
        self.sides[i as usize]
    }
    fn face(&self) -> u32 {
        self.triangle
    }
    fn vertex_pushes(&self, i: u32, out: Vec3) -> bool {
        self.in_front(out) && self.surface.vertex_pushes(self.corners[i as usize], out)
    }
    fn edge_pushes(&self, i: u32, out: Vec3) -> bool {
        self.in_front(out) && self.surface.edge_pushes(self.sides[i as usize], out)
    }
    fn vertex_sticks_out(&self, i: u32, out: Vec3) -> bool {
        let v = self.corners[i as usize];
        self.in_front(out)
            && (self.surface.vertex_pushes(v, out) || self.surface.sticks_out(v, self.triangle))
    }
    fn edge_sticks_out(&self, i: u32, out: Vec3) -> bool {
        self.in_front(out)
            && self.surface.edge_pushes(self.sides[i as usize], self.surface.normal(self.triangle))
    }
    fn below(&self, foot: Vec3, depth: f64) -> bool {
        self.surface.below(self.triangle, foot, depth)
    }
    fn inside(&self, x: Vec3, foot: Vec3) -> bool {
        let between = || self.surface.between(x, self.triangle, foot);
        self.surface.holds(x).unwrap_or_else(|| !between())
    }
}

/// One, convex, against the triangles of two that are near it; `rel` is two relative to one, `back` one
/// relative to two.
pub(super) fn meet(
    one: &Shape,
    surface: &dyn Surface,
    rel: &Pose,
    back: &Pose,
    scratch: &mut Scratch,
    collector: &mut ContactCollector<'_>,
) {
    let near = one.aabb(back).grown(greater(collector.margin, 0.0));
    let mut buffer = [Vec3::ZERO; 8];
    let solid = solid_of(one, &mut buffer);
    surface.near(&near, &mut |t| {
        let corners = surface.corners(t);
        let patch = TrianglePatch { surface, corners, sides: surface.sides(t), triangle: t };
        let (own_vertices, own_normal) = (corners.map(|v| surface.vertex(v)), [surface.normal(t)]);
        let local = triangle(&own_vertices, &own_normal);
        if let Some(one) = solid {
            let (vertices, normal) = (own_vertices.map(|v| rel.point(v)), own_normal.map(|n| rel.rot * n));
            solid_on_triangle(one, None, local, triangle(&vertices, &normal), rel, &patch, collector);
        } else if let Shape::Cylinder { radius, length } = *one {
            let cylinder = Cylinder { radius, length };
            // Entirely behind.
            let n = rel.rot * own_normal[0];
            let above = cylinder.support(n) - n.dot(rel.point(own_vertices[0]));
            if above >= 0.0 || surface.solid_below() {
                cylinder::meet(&cylinder, local, rel, false, Some(&patch), scratch, collector);
            }
        }
    });
    collector.remove_seam_duplicates();
    let place = *collector.pose_two();
    collector.remove_detours(|t, foot| place.point(surface.nearest_in(t, place.point_inverse(foot))));
    collector.merge_coplanar_faces(|t| surface.plane_of(t));
}

fn solid_on_triangle(
    one: Solid<'_>,
    edge_patch: Option<&EdgePatch<'_>>,
    local: Solid<'_>,
    two: Solid<'_>,
    rel: &Pose,
    patch: &TrianglePatch<'_>,
    collector: &mut ContactCollector<'_>,
) {
    let front = two.normals[0];
    let size = one.size + two.size;
    let tol = SAME * size;
    // An edge belongs to a body that may reach through.
    let foremost = edge_patch.map_or_else(|| one.support(front) + one.radius, |m| m.foremost(front));
    let above = foremost - front.dot(two.vertices[0]);
    if above < -tol && !patch.surface.solid_below() {
        return;
    }
    let reach = collector.margin + one.radius;
    let Some((axis, widest)) = directions(&one, &two, reach, size, Some((front, edge_patch.is_some())))
    else {
        return;
    };
    PolyhedronPair {
        one,
        two,
        local,
        rel,
        tol,
        patch: Some(patch),
        edge_patch: edge_patch.map(|m| m as &dyn Patch),
        least: f64::INFINITY,
        collector,
    }
    .contacts(&axis, &widest);
}

/// An edge of a surface, tested against another surface.
struct EdgePatch<'s> {
    surface: &'s dyn Surface,
    ends: [u32; 2],
    edge: u32,
    /// One of its two triangles.
    triangle: u32,
}

impl EdgePatch<'_> {
    /// Greatest n·x of the box around the whole surface.
    fn foremost(&self, n: Vec3) -> f64 {
        let b = self.surface.bounds();
        let h = b.half();
        n.dot(b.center()) + h.x * n.x.abs() + h.y * n.y.abs() + h.z * n.z.abs()
    }
}

impl Patch for EdgePatch<'_> {
    fn vertex(&self, i: u32) -> u32 {
        self.ends[i as usize]
    }
    fn edge(&self, _i: u32) -> u32 {
        self.edge
    }
    fn face(&self) -> u32 {
        0
    }
    fn vertex_pushes(&self, i: u32, out: Vec3) -> bool {
        self.surface.vertex_pushes(self.ends[i as usize], out)
    }
    fn edge_pushes(&self, _i: u32, out: Vec3) -> bool {
        self.surface.edge_pushes(self.edge, out)
    }
    fn vertex_sticks_out(&self, i: u32, out: Vec3) -> bool {
        let v = self.ends[i as usize];
        self.surface.vertex_pushes(v, out)
            || in_front(self.surface, self.triangle, out) && self.surface.sticks_out(v, self.triangle)
    }
    fn edge_sticks_out(&self, _i: u32, out: Vec3) -> bool {
        in_front(self.surface, self.triangle, out)
            && self.surface.edge_pushes(self.edge, self.surface.normal(self.triangle))
    }
    fn inside(&self, _x: Vec3, _foot: Vec3) -> bool {
        false
    }
    fn below(&self, _foot: Vec3, _depth: f64) -> bool {
        false
    }
}

/// Two surfaces: edges of either, with their ends, against triangles of the other. `rel` is two relative to
/// one, `back` one relative to two.
pub(super) fn surfaces(
    one: &dyn Surface,
    two: &dyn Surface,
    rel: &Pose,
    back: &Pose,
    collector: &mut ContactCollector<'_>,
) {
    edges_on(one, two, rel, back, collector);
    collector.exchange();
    edges_on(two, one, back, rel, collector);
    collector.exchange();
    collector.remove_deep_edge_crossings(SAME * one.bounds().half().norm());
}

/// Edges of one against triangles of two.
fn edges_on(
    one: &dyn Surface,
    two: &dyn Surface,
    rel: &Pose,
    back: &Pose,
    collector: &mut ContactCollector<'_>,
) {
    let margin = greater(collector.margin, 0.0);
    // A terrain is solid below without end.
    let mut room = two.bounds();
    if two.solid_below() {
        room.min.z -= 2.0 * one.bounds().half().norm();
    }
    let room = boxed(&room, rel).grown(margin);
    one.near(&room, &mut |t| {
        let (corners, sides) = (one.corners(t), one.sides(t));
        for k in 0..3 {
            let ends = [corners[k], corners[(k + 1) % 3]];
            let edge_patch = EdgePatch { surface: one, ends, edge: sides[k], triangle: t };
            let vertices = ends.map(|v| one.vertex(v));
            let solid = thin_solid(&vertices, 0.0, 0.5 * (vertices[1] - vertices[0]).norm());
            let here = Aabb::of(vertices.map(|v| back.point(v))).grown(margin);
            two.near(&here, &mut |f| {
                let corners = two.corners(f);
                let patch = TrianglePatch { surface: two, corners, sides: two.sides(f), triangle: f };
                let (own_vertices, own_normal) = (corners.map(|v| two.vertex(v)), [two.normal(f)]);
                let (vertices, normal) =
                    (own_vertices.map(|v| rel.point(v)), own_normal.map(|n| rel.rot * n));
                let local = triangle(&own_vertices, &own_normal);
                solid_on_triangle(
                    solid,
                    Some(&edge_patch),
                    local,
                    triangle(&vertices, &normal),
                    rel,
                    &patch,
                    collector,
                );
            });
        }
    });
    // Every edge was tested from both of its triangles.
    collector.remove_duplicates();
    collector.remove_seam_duplicates();
    let place = *collector.pose_two();
    collector.remove_detours(|t, foot| place.point(two.nearest_in(t, place.point_inverse(foot))));
    collector.merge_coplanar_faces(|t| two.plane_of(t));
}
