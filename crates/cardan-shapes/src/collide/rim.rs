//! Places of a rim that are nearest to a line or to another rim.

use crate::primitive::Circle;
use cardan_solve::math::Vec3;

/// Cosines and sines of sixteenths of a turn.
const C1: f64 = 0.923_879_532_511_286_7;
const C2: f64 = std::f64::consts::FRAC_1_SQRT_2;
const C3: f64 = 0.382_683_432_365_089_8;
const TURN: [[f64; 2]; 16] = [
    [1.0, 0.0],
    [C1, C3],
    [C2, C2],
    [C3, C1],
    [0.0, 1.0],
    [-C3, C1],
    [-C2, C2],
    [-C1, C3],
    [-1.0, 0.0],
    [-C1, -C3],
    [-C2, -C2],
    [-C3, -C1],
    [0.0, -1.0],
    [C3, -C1],
    [C2, -C2],
    [C1, -C3],
];

/// Directions, as cosine and sine, of up to two places of a circle where `slope` of a distance changes from
/// negative to positive.
///
/// Between sixteenths of a turn the zero is found by false position (Illinois).
pub(super) fn local_minima(slope: impl Fn([f64; 2]) -> f64) -> [Option<[f64; 2]>; 2] {
    let values = TURN.map(&slope);
    let steep = values.iter().fold(0.0, |m: f64, v| if v.abs() > m { v.abs() } else { m });
    let mut out = [None; 2];
    let mut count = 0;
    let mut see = |a: [f64; 2], b: [f64; 2], before: f64, after: f64| {
        if before < 0.0 && after >= 0.0 && count < 2 {
            out[count] = Some(false_position(a, b, before, after, &slope));
            count += 1;
        }
    };
    for i in 0..16 {
        let (a, b, before, after) = (TURN[i], TURN[(i + 1) & 15], values[i], values[(i + 1) & 15]);
        if before.abs() > 0.15 * steep && after.abs() > 0.15 * steep {
            see(a, b, before, after);
            continue;
        }
        // Where the slope is small it may change its sign more than once.
        let (mut from, mut value) = (a, before);
        for k in 1..=8 {
            let (to, next) = if k == 8 {
                (b, after)
            } else {
                let t = f64::from(k) / 8.0;
                let (x, y) = (a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t);
                let len = (x * x + y * y).sqrt();
                let to = [x / len, y / len];
                (to, slope(to))
            };
            see(from, to, value, next);
            (from, value) = (to, next);
        }
    }
    out
}

fn false_position(
    a: [f64; 2],
    b: [f64; 2],
    mut low: f64,
    mut high: f64,
    slope: &impl Fn([f64; 2]) -> f64,
) -> [f64; 2] {
    let on = |t: f64| {
        let (x, y) = (a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t);
        let len = (x * x + y * y).sqrt();
        [x / len, y / len]
    };
    let (mut s, mut t) = (0.0, 1.0);
    let mut last = 0;
    let mut mid = b;
    for _ in 0..10 {
        if high == 0.0 || high <= low {
            break;
        }
        let r = s + (t - s) * (low / (low - high));
        mid = on(r);
        let value = slope(mid);
        if value < 0.0 {
            (s, low) = (r, value);
            if last == -1 {
                high *= 0.5;
            }
            last = -1;
        } else {
            (t, high) = (r, value);
            if last == 1 {
                low *= 0.5;
            }
            last = 1;
        }
    }
    mid
}

/// Two unit vectors in the plane of a circle.
pub(super) fn plane_of(circle: &Circle) -> [Vec3; 2] {
    let x = circle.axis.any_perpendicular().unwrap_or(Vec3::Y);
    [x, circle.axis.cross(x)]
}

/// Where a rim is nearest to the line through p along u, as directions from its centre.
///
/// With d = a cos φ + b sin φ and all vectors projected normal to the line, the slope of the squared distance
/// is f_b cos φ − f_a sin φ + R ((b² − a²) sin φ cos φ + a·b (cos² φ − sin² φ)).
pub(super) fn nearest_on_rim(p: Vec3, u: Vec3, rim: &Circle) -> [Option<Vec3>; 2] {
    let across = |v: Vec3| v - u * v.dot(u);
    let from = across(rim.center - p);
    let [x, y] = plane_of(rim);
    let (a, b) = (across(x), across(y));
    let (fa, fb) = (from.dot(a), from.dot(b));
    let (twice, once) = (rim.radius * (b.dot(b) - a.dot(a)), rim.radius * a.dot(b));
    let slope = |[c, s]: [f64; 2]| c * fb - s * fa + twice * (s * c) + once * (c * c - s * s);
    let mut places = local_minima(slope);
    if let [Some(place), None] = places {
        places[1] = second_minimum(place, slope, |[c, s]| {
            let (cc, ss) = (c * c - s * s, 2.0 * s * c);
            [
                -fb * s - fa * c + twice * cc - 2.0 * once * ss,
                -fb * c + fa * s - 2.0 * twice * ss - 4.0 * once * cc,
                fb * s + fa * c - 4.0 * twice * cc + 8.0 * once * ss,
            ]
        });
    }
    places.map(|place| place.map(|[c, s]| x * c + y * s))
}

/// The second of two minima so close together that one step passed both: the far root of the slope's Taylor
/// series after the first, refined by Newton's method.
fn second_minimum(
    [c, s]: [f64; 2],
    slope: impl Fn([f64; 2]) -> f64,
    rates: impl Fn([f64; 2]) -> [f64; 3],
) -> Option<[f64; 2]> {
    let turned = |[c, s]: [f64; 2], by: f64| {
        let t = 0.5 * by;
        let (co, si) = ((1.0 - t * t) / (1.0 + t * t), 2.0 * t / (1.0 + t * t));
        [c * co - s * si, s * co + c * si]
    };
    let [first, second, third] = rates([c, s]);
    let (a, b) = (third / 6.0, second / 2.0);
    let disc = b * b - 4.0 * a * first;
    if disc <= 0.0 || a <= 0.0 {
        return None;
    }
    // Both roots are on the same side: a maximum and after it the minimum.
    let by = if b < 0.0 { (-b + disc.sqrt()) / (2.0 * a) } else { (-b - disc.sqrt()) / (2.0 * a) };
    if by.abs() > 1.0 {
        return None;
    }
    let mut at = turned([c, s], by);
    for _ in 0..4 {
        let [rate, ..] = rates(at);
        if rate <= 0.0 {
            return None;
        }
        let step = -slope(at) / rate;
        at = turned(at, if step.abs() < 0.3 { step } else { 0.0 });
    }
    // Not the first minimum again.
    ((at[0] - c).abs() + (at[1] - s).abs() > 1e-9).then_some(at)
}

/// On which side of the product of two tangents the other shape is, and the unit vector to it: by the product
/// itself, or, if the tangents are parallel, by the direction `from` the rim. `out` points out of the rim's
/// shape. `None` if neither has a direction.
pub(super) fn side_of_rim(product: Vec3, from: Vec3, out: Vec3) -> Option<(f64, Vec3)> {
    let len = product.norm();
    if len > 1e-3 {
        let n = product / len;
        // The pair's normal points from the other shape to the rim, against `out`.
        return Some(if n.dot(out) > 0.0 { (-1.0, n) } else { (1.0, -n) });
    }
    from.normalized().map(|n| (0.0, n))
}
