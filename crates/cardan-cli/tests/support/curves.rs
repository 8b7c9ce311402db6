//! Curves and surfaces, judged from the scene's text and the printed motion: splines are solved here by elimination, surfaces are polynomials,
//! ellipsoids have their support functions.
//!
//! | kind | the motion must satisfy |
//! |---|---|
//! | point-on-curve | p = c(s), v = c′ ṡ, a = c″ ṡ² + c′ s̈ for some s, ṡ, s̈ |
//! | point-on-surface | f = 0, ∇f·v = 0, ∇f·a + vᵀ f″ v = 0 |
//! | tangent (ellipsoids) | the largest of n·d − h_a(n) − h_b(−n) over directions is zero, with two derivatives |
//! | cam (roller) | the roller's centre runs at the distance r from the profile, on a curve of radius 1/κ + r |

use super::math::*;
use super::outside::{ForceBalance, Motion, Report};
use super::scene::{number, vector};
use serde_json::Value;

/// Value and two derivatives.
type Jet = [f64; 3];

/// A cubic spline through values at growing knots; closed if there is one more knot than values.
struct Spline<'a> {
    knots: &'a [f64],
    values: Vec<f64>,
    bends: Vec<f64>,
}

impl<'a> Spline<'a> {
    fn new(knots: &'a [f64], values: &[f64]) -> Self {
        let (n, closed) = (values.len(), knots.len() > values.len());
        let mut system = vec![vec![0.0; n + 1]; n];
        for i in 0..n {
            let row = &mut system[i];
            if !closed && (i == 0 || i == n - 1) {
                row[i] = 1.0;
                continue;
            }
            let (before, after) = ((i + n - 1) % n, (i + 1) % n);
            let (h, g) = (knots[before + 1] - knots[before], knots[i + 1] - knots[i]);
            row[before] += h;
            row[i] += 2.0 * (h + g);
            row[after] += g;
            row[n] = 6.0 * ((values[after] - values[i]) / g - (values[i] - values[before]) / h);
        }
        let (mut values, mut bends) = (values.to_vec(), eliminate(system));
        if closed {
            values.push(values[0]);
            bends.push(bends[0]);
        }
        Spline { knots, values, bends }
    }

    fn at(&self, s: f64) -> Jet {
        let last = self.knots.len() - 2;
        let i = (0..=last).rev().find(|&i| self.knots[i] <= s).unwrap_or(0);
        let h = self.knots[i + 1] - self.knots[i];
        let (t, m) = (s - self.knots[i], self.bends[i]);
        // Powers of t: v, b, m/2, (m₁ − m)/(6 h).
        let b = (self.values[i + 1] - self.values[i]) / h - h * (2.0 * m + self.bends[i + 1]) / 6.0;
        let d = (self.bends[i + 1] - m) / (6.0 * h);
        [self.values[i] + t * (b + t * (0.5 * m + t * d)), b + t * (m + 3.0 * t * d), m + 6.0 * t * d]
    }
}

/// Gauss, with the largest pivot of the column.
fn eliminate(mut a: Vec<Vec<f64>>) -> Vec<f64> {
    let n = a.len();
    for k in 0..n {
        let pivot = (k..n).max_by(|&i, &j| a[i][k].abs().total_cmp(&a[j][k].abs())).expect("a row");
        a.swap(k, pivot);
        for i in k + 1..n {
            let f = a[i][k] / a[k][k];
            for j in k..=n {
                a[i][j] -= f * a[k][j];
            }
        }
    }
    let mut x = vec![0.0; n];
    for k in (0..n).rev() {
        let known: f64 = (k + 1..n).map(|j| a[k][j] * x[j]).sum();
        x[k] = (a[k][n] - known) / a[k][k];
    }
    x
}

/// A point with its velocity and acceleration, and the sizes that these are formed from.
struct Moving {
    at: V,
    vel: V,
    acc: V,
    speed_size: f64,
    size: f64,
}

fn point_of(joint: &Value, motion: &Motion) -> Moving {
    let own = joint.get("point_in_b").map_or(ZERO, |p| vector(p, "point_in_b"));
    let at = motion.world(own);
    let ((vel, acc), (speed_size, size)) = (motion.at(at), motion.sizes_at(at));
    Moving { at, vel, acc, speed_size, size }
}

pub(super) fn check(name: &str, joint: &Value, balance: &ForceBalance, report: &mut Report) {
    let end = |key: &str| joint[key].as_str().expect("a body");
    let (a, b) = (balance.motion(end("a")), balance.motion(end("b")));
    let on_ground = end("a") == "ground" && joint.get("frame_in_a").is_none();
    let kind = joint["kind"].as_str().unwrap_or_default();
    let known = match kind {
        "point-on-curve" if on_ground => curve(name, joint, b, balance, report),
        "point-on-surface" if on_ground => surface(name, joint, b, balance, report),
        "tangent" => ellipsoids(name, joint, (a, b), report),
        "cam" => roller(name, joint, (a, b), balance, report),
        _ => None,
    };
    if known.is_none() {
        report.skipped.push(format!("joints.{name} ({kind})"));
    }
}

fn curve(name: &str, joint: &Value, b: &Motion, balance: &ForceBalance, report: &mut Report) -> Option<()> {
    let through = joint["curve"].get("through")?;
    let points: Vec<V> = through["points"].as_array()?.iter().map(|p| vector(p, "a point")).collect();
    let closed = through.get("closed").and_then(Value::as_bool).unwrap_or(false);
    let mut knots = vec![0.0];
    for i in 0..points.len() - usize::from(!closed) {
        knots.push(knots[i] + norm(sub(points[(i + 1) % points.len()], points[i])));
    }
    let splines = [0, 1, 2].map(|k| Spline::new(&knots, &points.iter().map(|p| p[k]).collect::<Vec<_>>()));
    let jet = |s: f64| {
        let parts = [0, 1, 2].map(|k| splines[k].at(s));
        [0, 1, 2].map(|d| [0, 1, 2].map(|k| parts[k][d]))
    };
    let p = point_of(joint, b);
    let length = knots[knots.len() - 1];
    let far = |s: f64| norm(sub(jet(s)[0], p.at));
    let mut s =
        (0..2000).map(|i| length * f64::from(i) / 2000.0).min_by(|x, y| far(*x).total_cmp(&far(*y)))?;
    for _ in 0..30 {
        let [c, d, _] = jet(s);
        s += dot(sub(p.at, c), d) / dot(d, d);
    }
    let [c, d, e] = jet(s);
    report.push(
        format!("joints.{name}: off the curve"),
        norm(sub(p.at, c)),
        norm(p.at) + balance.scale.reach,
    );
    let rate = dot(p.vel, d) / dot(d, d);
    let slip = norm(sub(p.vel, scale(rate, d)));
    report.push(format!("joints.{name}: velocity"), slip, p.speed_size + balance.scale.speed);
    let rest = sub(p.acc, scale(rate * rate, e));
    let across = sub(rest, scale(dot(rest, d) / dot(d, d), d));
    report.push(format!("joints.{name}: acceleration"), norm(across), p.size + rate * rate * norm(e));
    Some(())
}

/// A landscape: splines along x in every row, and along y through what they give.
pub(super) struct Landscape {
    xs: Vec<f64>,
    ys: Vec<f64>,
    rows: Vec<Vec<f64>>,
}

impl Landscape {
    pub(super) fn of(surface: &Value) -> Option<Self> {
        let terrain = surface.get("terrain")?;
        let two = |key: &str| [0, 1].map(|i| number(&terrain[key][i], key));
        let (corner, spacing) = (two("corner"), two("spacing"));
        let rows: Vec<Vec<f64>> = terrain["heights"]
            .as_array()?
            .iter()
            .map(|row| row.as_array().expect("a row").iter().map(|z| number(z, "a height")).collect())
            .collect();
        let knots =
            |k: usize, n: usize| (0..n).map(|i| corner[k] + spacing[k] * i as f64).collect::<Vec<_>>();
        Some(Landscape { xs: knots(0, rows[0].len()), ys: knots(1, rows.len()), rows })
    }

    /// Height and slopes, with the splines along x at hand.
    pub(super) fn heights(&self) -> impl Fn(f64, f64) -> [f64; 3] + '_ {
        let along: Vec<Spline<'_>> = self.rows.iter().map(|row| Spline::new(&self.xs, row)).collect();
        move |x, y| {
            let jets: Vec<Jet> = along.iter().map(|spline| spline.at(x)).collect();
            let [h, hx] = [0, 1]
                .map(|d| Spline::new(&self.ys, &jets.iter().map(|jet| jet[d]).collect::<Vec<_>>()).at(y));
            [h[0], hx[0], h[1]]
        }
    }
}

/// f, ∇f and v·f″v.
fn implicit(surface: &Value, p: V, v: V) -> Option<(f64, V, f64)> {
    if let Some(torus) = surface.get("torus") {
        let (ring, tube) = (number(&torus["ring"], "ring"), number(&torus["tube"], "tube"));
        // (|p|² + R² − r²)² − 4 R² (x² + y²)
        let (flat, flat_v) = ([p[0], p[1], 0.0], [v[0], v[1], 0.0]);
        let q = dot(p, p) + ring * ring - tube * tube;
        let f = q * q - 4.0 * ring * ring * dot(flat, flat);
        let g = sub(scale(4.0 * q, p), scale(8.0 * ring * ring, flat));
        let pv = dot(p, v);
        return Some((f, g, 8.0 * pv * pv + 4.0 * q * dot(v, v) - 8.0 * ring * ring * dot(flat_v, flat_v)));
    }
    let terrain = surface.get("terrain")?;
    let two = |key: &str| [0, 1].map(|i| number(&terrain[key][i], key));
    let (corner, spacing) = (two("corner"), two("spacing"));
    let rows: Vec<Vec<f64>> = terrain["heights"]
        .as_array()?
        .iter()
        .map(|row| row.as_array().expect("a row").iter().map(|z| number(z, "a height")).collect())
        .collect();
    let knots = |k: usize, n: usize| (0..n).map(|i| corner[k] + spacing[k] * i as f64).collect::<Vec<_>>();
    let (xs, ys) = (knots(0, rows[0].len()), knots(1, rows.len()));
    // Along x in every row, then along y through what that gives.
    let along: Vec<Jet> = rows.iter().map(|row| Spline::new(&xs, row).at(p[0])).collect();
    let [h, hx, hxx] =
        [0, 1, 2].map(|d| Spline::new(&ys, &along.iter().map(|jet| jet[d]).collect::<Vec<_>>()).at(p[1]));
    let bend = hxx[0] * v[0] * v[0] + 2.0 * hx[1] * v[0] * v[1] + h[2] * v[1] * v[1];
    Some((p[2] - h[0], [-hx[0], -h[1], 1.0], -bend))
}

fn surface(name: &str, joint: &Value, b: &Motion, balance: &ForceBalance, report: &mut Report) -> Option<()> {
    let p = point_of(joint, b);
    let (f, g, bend) = implicit(&joint["surface"], p.at, p.vel)?;
    let steep = norm(g);
    report.push(
        format!("joints.{name}: off the surface"),
        f.abs(),
        steep * (norm(p.at) + balance.scale.reach),
    );
    let speed = dot(g, p.vel).abs();
    report.push(format!("joints.{name}: velocity"), speed, steep * (p.speed_size + balance.scale.speed));
    let change = (dot(g, p.acc) + bend).abs();
    report.push(format!("joints.{name}: acceleration"), change, steep * p.size + bend.abs());
    Some(())
}

/// h(n) = |A Rᵀ n| of an ellipsoid: value, the place x with that normal, and the matrix of its derivatives S.
fn support(rot: Q, radii: V, n: V) -> (f64, V, M) {
    let m = rotate_back(rot, n);
    let squares = radii.map(|r| r * r);
    let am: V = [0, 1, 2].map(|i| squares[i] * m[i]);
    let h = dot(am, m).sqrt();
    let own: M = [0, 1, 2]
        .map(|i| [0, 1, 2].map(|j| if i == j { squares[i] / h } else { 0.0 } - am[i] * am[j] / (h * h * h)));
    (h, rotate(rot, scale(1.0 / h, am)), turned_inertia(rot, own))
}

fn ellipsoids(name: &str, joint: &Value, (a, b): (&Motion, &Motion), report: &mut Report) -> Option<()> {
    if joint.get("frame_in_a").or(joint.get("frame_in_b")).or(joint.get("inside")).is_some() {
        return None;
    }
    let ra = vector(joint["surface"].get("ellipsoid")?, "radii");
    let rb = vector(joint["feature"].get("ellipsoid")?, "radii");
    let (pa, pb) = (a.world(ZERO), b.world(ZERO));
    let ((va, aa), (vb, ab)) = (a.at(pa), b.at(pb));
    let d = sub(pb, pa);
    // Newton's method on the directions: the gradient is d − x_a − x_b, the curvature −(S_a + S_b + gap).
    let mut n = unit(d);
    let solve = |n: V, k: M, gap: f64, g: V| {
        let e = unit(cross(n, if n[0].abs() < 0.6 { [1.0, 0.0, 0.0] } else { [0.0, 1.0, 0.0] }));
        let f = cross(n, e);
        let entry = |u: V, v: V| dot(u, mat_vec(k, v)) + if u == v { gap } else { 0.0 };
        let (p, q, r) = (entry(e, e), entry(e, f), entry(f, f));
        let (x, y, det) = (dot(e, g), dot(f, g), p * r - q * q);
        add(scale((r * x - q * y) / det, e), scale((p * y - q * x) / det, f))
    };
    for _ in 0..60 {
        let ((ha, xa, sa), (hb, xb, sb)) = (support(a.rot, ra, n), support(b.rot, rb, n));
        let step = solve(n, mat_add(sa, sb), dot(n, d) - ha - hb, sub(sub(d, xa), xb));
        n = unit(add(n, scale(1.0_f64.min(0.5 / norm(step).max(1e-300)), step)));
    }
    let ((ha, xa, sa), (hb, xb, sb)) = (support(a.rot, ra, n), support(b.rot, rb, n));
    let size = norm(ra) + norm(rb) + norm(pa) + norm(pb);
    report.push(format!("joints.{name}: gap"), (dot(n, d) - ha - hb).abs(), size);
    report.push(format!("joints.{name}: places apart"), norm(sub(sub(d, xa), xb)), size);
    // At n held: h = |A Rᵀ n|, x = ∇h; u = −ω × n is how n turns as the body sees it.
    let turning = |m: &Motion, x: V, s: M| {
        let u = scale(-1.0, cross(m.omega, n));
        let second = add(scale(-1.0, cross(m.alpha, n)), cross(m.omega, cross(m.omega, n)));
        (dot(x, u), dot(x, second) + dot(u, mat_vec(s, u)), add(cross(m.omega, x), mat_vec(s, u)))
    };
    let ((ha1, ha2, xa1), (hb1, hb2, xb1)) = (turning(a, xa, sa), turning(b, xb, sb));
    let rate = sub(vb, va);
    let speeds = norm(va) + norm(vb) + norm(a.omega) * norm(ra) + norm(b.omega) * norm(rb);
    report.push(format!("joints.{name}: velocity"), (dot(n, rate) - ha1 - hb1).abs(), speeds);
    let moved = sub(sub(rate, xa1), xb1);
    let followed = dot(moved, solve(n, mat_add(sa, sb), 0.0, moved));
    let change = dot(n, sub(ab, aa)) - ha2 - hb2 + followed;
    let sizes = a.sizes_at(pa).1 + b.sizes_at(pb).1 + ha2.abs() + hb2.abs() + followed;
    report.push(format!("joints.{name}: acceleration"), change.abs(), sizes);
    Some(())
}

fn roller(
    name: &str,
    joint: &Value,
    (a, b): (&Motion, &Motion),
    balance: &ForceBalance,
    report: &mut Report,
) -> Option<()> {
    if joint.get("frame_in_a").or(joint.get("frame_in_b")).is_some() {
        return None;
    }
    let radii = joint["curve"].get("polar")?.as_array()?;
    let radii: Vec<f64> = radii.iter().map(|r| number(r, "a radius")).collect();
    let r = number(joint["follower"].get("roller")?, "roller");
    const TURN: f64 = 2.0 * std::f64::consts::PI;
    let knots: Vec<f64> = (0..=radii.len()).map(|i| TURN * i as f64 / radii.len() as f64).collect();
    let profile = Spline::new(&knots, &radii);
    let jet = |s: f64| {
        let ([r, r1, r2], (sin, cos)) = (profile.at(s.rem_euclid(TURN)), s.sin_cos());
        let (out, round) = ([cos, sin, 0.0], [-sin, cos, 0.0]);
        [scale(r, out), add(scale(r1, out), scale(r, round)), add(scale(r2 - r, out), scale(2.0 * r1, round))]
    };
    // The roller as the cam sees it.
    let p = point_of(joint, b);
    let (carried, dragged) = a.at(p.at);
    let rate = sub(p.vel, carried);
    let acc = sub(sub(p.acc, dragged), scale(2.0, cross(a.omega, rate)));
    let back = |v: V| rotate_back(a.rot, v);
    let (y, rate, acc) = (back(sub(p.at, a.world(ZERO))), back(rate), back(acc));
    let far = |s: f64| norm(sub(jet(s)[0], y));
    let mut s = (0..720).map(|i| TURN * f64::from(i) / 720.0).min_by(|x, z| far(*x).total_cmp(&far(*z)))?;
    for _ in 0..50 {
        let [c, d, e] = jet(s);
        s += dot(sub(y, c), d) / (dot(d, d) - dot(sub(y, c), e));
    }
    let [c, d, e] = jet(s);
    let out = unit([d[1], -d[0], 0.0]);
    let bend = -dot(e, out) / dot(d, d);
    let gap = dot(out, sub(y, c)) - r;
    report.push(format!("joints.{name}: gap"), gap.abs(), norm(y) + norm(p.at) + balance.scale.reach);
    report.push(format!("joints.{name}: velocity"), dot(out, rate).abs(), p.speed_size + balance.scale.speed);
    let along = dot(rate, unit(d));
    let turn = along * along * bend / (1.0 + bend * r);
    report.push(
        format!("joints.{name}: acceleration"),
        (dot(out, acc) + turn).abs(),
        p.size + a.sizes_at(p.at).1,
    );
    Some(())
}
