//! Just enough vectors and quaternions, in plain arrays.

pub(crate) type V = [f64; 3];
pub(crate) type M = [[f64; 3]; 3];
/// Unit quaternion w x y z; turns body vectors into world vectors.
pub(crate) type Q = [f64; 4];

pub(crate) const ZERO: V = [0.0; 3];
pub(crate) const IDENTITY: Q = [1.0, 0.0, 0.0, 0.0];

pub(crate) fn add(a: V, b: V) -> V {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

pub(crate) fn sub(a: V, b: V) -> V {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

pub(crate) fn scale(s: f64, a: V) -> V {
    [s * a[0], s * a[1], s * a[2]]
}

pub(crate) fn dot(a: V, b: V) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

pub(crate) fn cross(a: V, b: V) -> V {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

pub(crate) fn norm(a: V) -> f64 {
    dot(a, a).sqrt()
}

pub(crate) fn unit(a: V) -> V {
    scale(1.0 / norm(a), a)
}

/// The part of `a` along the unit vector `u`.
pub(crate) fn along(u: V, a: V) -> V {
    scale(dot(u, a), u)
}

pub(crate) fn mat_vec(m: M, a: V) -> V {
    [dot(m[0], a), dot(m[1], a), dot(m[2], a)]
}

pub(crate) fn mat_mul(a: M, b: M) -> M {
    let b = transposed(b);
    [0, 1, 2].map(|i| [0, 1, 2].map(|j| dot(a[i], b[j])))
}

pub(crate) fn transposed(m: M) -> M {
    [0, 1, 2].map(|i| [0, 1, 2].map(|j| m[j][i]))
}

pub(crate) fn mat_add(a: M, b: M) -> M {
    [0, 1, 2].map(|i| add(a[i], b[i]))
}

pub(crate) fn mat_scale(s: f64, m: M) -> M {
    m.map(|row| scale(s, row))
}

pub(crate) fn diagonal(d: V) -> M {
    [[d[0], 0.0, 0.0], [0.0, d[1], 0.0], [0.0, 0.0, d[2]]]
}

/// `|d|² 1 − d dᵀ`: inertia of a unit mass at `d`.
pub(crate) fn point_inertia(d: V) -> M {
    let square = dot(d, d);
    [0, 1, 2].map(|i| [0, 1, 2].map(|j| if i == j { square } else { 0.0 } - d[i] * d[j]))
}

/// Inertia in body axes, seen in world axes.
pub(crate) fn turned_inertia(q: Q, inertia: M) -> M {
    let r = matrix(q);
    mat_mul(mat_mul(r, inertia), transposed(r))
}

pub(crate) fn quat_mul(a: Q, b: Q) -> Q {
    [
        a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
        a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
        a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
        a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0],
    ]
}

pub(crate) fn conjugate(q: Q) -> Q {
    [q[0], -q[1], -q[2], -q[3]]
}

pub(crate) fn normalized(q: Q) -> Q {
    let n = q.iter().map(|c| c * c).sum::<f64>().sqrt();
    q.map(|c| c / n)
}

pub(crate) fn axis_angle(axis: V, angle: f64) -> Q {
    let (s, c) = (0.5 * angle).sin_cos();
    let u = unit(axis);
    [c, s * u[0], s * u[1], s * u[2]]
}

pub(crate) fn matrix(q: Q) -> M {
    let [w, x, y, z] = q;
    [
        [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y)],
        [2.0 * (x * y + w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x)],
        [2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y)],
    ]
}

pub(crate) fn rotate(q: Q, a: V) -> V {
    mat_vec(matrix(q), a)
}

pub(crate) fn rotate_back(q: Q, a: V) -> V {
    mat_vec(transposed(matrix(q)), a)
}
