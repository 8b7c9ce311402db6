//! Sine, cosine and arctangent of several angles in SIMD lanes.
//!
//!   x = k π/2 + r,  |r| ≤ π/4        π/2 = P₁ + P₂ + P₃, of which k P₁ and k P₂ are exact for |k| < 2²⁰
//!   sin r = r + r³ S(r²)             cos r = 1 − r²/2 + r⁴ C(r²)
//!
//! S and C are minimax polynomials of degree five (Remez): errors of 6e-18 of the sine, 1.5e-19 of
//! the cosine. Each lane has the bits that a scalar evaluation would have: plain arithmetic in a
//! fixed order.
//!
//! ```text
//! atan t = t + t³ A(t²),  |t| ≤ tan π/8          t = (y, or y − x, or −x) / (x, or x + y, or y)   by octant
//! ```
//!
//! A is a minimax polynomial of degree eleven: error of 2e-19 of the arctangent.

use super::Lane;
use cardan_solve::simd::{Mask, Simd};

/// Angles up to this size are reduced without loss of accuracy \[rad\].
pub(crate) const MOST_ANGLE: f64 = 1e6;

const PER_QUARTER: f64 = core::f64::consts::FRAC_2_PI;
const P1: f64 = 1.5707963267341256;
const P2: f64 = 6.077_100_506_303_966e-11;
const P3: f64 = 2.022_266_248_795_950_6e-21;
/// 1.5 × 2⁵²: a number added to it is rounded to an integer.
const WHOLE: f64 = 6_755_399_441_055_744.0;

const S: [f64; 6] = [
    -0.166_666_666_666_666_44,
    0.008_333_333_333_323_673,
    -0.000_198_412_698_301_531_88,
    2.755_731_365_515_547_8e-6,
    -2.505_073_511_346_657_7e-8,
    1.589_474_297_200_662e-10,
];
const C: [f64; 6] = [
    0.041_666_666_666_666_65,
    -0.001_388_888_888_888_284_6,
    2.480_158_729_463_350_7e-5,
    -2.755_731_574_067_942e-7,
    2.087_589_807_804_573_3e-9,
    -1.136_800_214_634_675_2e-11,
];
const A: [f64; 12] = [
    -0.333_333_333_333_333_3,
    0.199_999_999_999_998,
    -0.142_857_142_856_593_26,
    0.111_111_111_051_067_05,
    -0.090_909_087_510_766_36,
    0.076_922_963_049_744_7,
    -0.066_664_236_280_692_58,
    0.058_789_145_444_006_215,
    -0.052_303_478_730_160_745,
    0.045_511_081_263_251_72,
    -0.034_558_092_551_413_795,
    0.016_271_944_751_624_06,
];
/// tan π/8, where the octants of the arctangent end.
const OCTANT: f64 = 0.414_213_562_373_095_03;

/// The angle in [−π/2, π/2] of a line through the origin and the point (`cos`, `sin`), whatever the length:
/// half the angle of a rotation from its quaternion, of which both signs are the same rotation. Zero for
/// the point (0, 0).
#[inline(always)]
pub(crate) fn line_angle<T: Simd>(sin: T, cos: T) -> T {
    let (zero, eighth) = (T::ZERO, T::splat(core::f64::consts::FRAC_PI_4));
    let (x, y) = (cos.abs(), sin.abs());
    // From the octants around π/4 and π/2 back to the one around zero.
    let (is_steep, is_middle) = ((y * T::splat(OCTANT)).above(x), y.above(x * T::splat(OCTANT)));
    let (above, below) = (T::select(is_middle, y - x, y), T::select(is_middle, x + y, x));
    let (above, below) = (T::select(is_steep, -x, above), T::select(is_steep, y, below));
    let base = T::select(is_steep, eighth + eighth, T::select(is_middle, eighth, zero));
    let t = T::select(below.above(zero), above / below, zero);
    let z = t * t;
    let angle = base + (t + t * z * arctangent_series(z));
    let is_opposite = (zero.above(sin) & !zero.above(cos)) | (zero.above(cos) & !zero.above(sin));
    T::select(is_opposite, -angle, angle)
}

/// Sine and cosine of angles up to [`MOST_ANGLE`]; the accuracy decreases for larger ones.
#[inline(always)]
pub(crate) fn sin_cos<T: Simd>(x: T) -> (T, T) {
    let is_turned = !T::splat(core::f64::consts::FRAC_PI_4).above(x.abs());
    // For k = 0 nothing changes.
    if !is_turned.any() {
        return near_zero(x);
    }
    let k = whole(x * T::splat(PER_QUARTER));
    let (s, c) = near_zero(((x - k * T::splat(P1)) - k * T::splat(P2)) - k * T::splat(P3));
    // k modulo full turns: −2 … 2.
    let quarter = k - T::splat(4.0) * whole(k * T::splat(0.25));
    let (one, half) = (T::splat(1.5), T::splat(0.5));
    let is_opposite = quarter.abs().above(one);
    let (is_next, is_last) = (quarter.above(half) & !is_opposite, (-quarter).above(half) & !is_opposite);
    let is_across = is_next | is_last;
    let (sin, cos) = (T::select(is_across, c, s), T::select(is_across, s, c));
    (T::select(is_opposite | is_last, -sin, sin), T::select(is_opposite | is_next, -cos, cos))
}

/// The nearest integer.
#[inline(always)]
fn whole<T: Lane>(x: T) -> T {
    (x + T::splat(WHOLE)) - T::splat(WHOLE)
}

#[inline(always)]
fn near_zero<T: Lane>(r: T) -> (T, T) {
    let z = r * r;
    let sin = r + r * z * series(&S, z);
    let half = T::splat(0.5) * z;
    let cos = T::ONE - half;
    // The rounding error of 1 − z/2.
    (sin, cos + (((T::ONE - cos) - half) + z * z * series(&C, z)))
}

/// A(z), in pairs: half as many roundings wait for each other as in [`series`].
#[inline(always)]
fn arctangent_series<T: Lane>(z: T) -> T {
    let pair = |k: usize| T::splat(A[2 * k]) + T::splat(A[2 * k + 1]) * z;
    let z2 = z * z;
    let z4 = z2 * z2;
    let (low, middle, high) = (pair(0) + pair(1) * z2, pair(2) + pair(3) * z2, pair(4) + pair(5) * z2);
    low + (middle + high * z4) * z4
}

#[inline(always)]
fn series<T: Lane>(c: &[f64; 6], z: T) -> T {
    let mut sum = T::splat(c[5]);
    for k in (0..5).rev() {
        sum = sum * z + T::splat(c[k]);
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use cardan_solve::simd::{Simd4, Simd4Task, run_simd4, run_simd4_array};

    /// Angles of all sizes, and those where quadrants end.
    fn angles() -> Vec<f64> {
        let mut all: Vec<f64> = (-4000..4000).map(|i| f64::from(i) * 0.003_7).collect();
        all.extend((-60..60).map(|i| f64::from(i) * core::f64::consts::FRAC_PI_4));
        all.extend((0..60).map(|i| libm::ldexp(1.234_567_89, -i)));
        all.extend((0..2000).map(|i| 499.7 * f64::from(i) - 5e5));
        all.extend([0.0, -0.0, MOST_ANGLE, -MOST_ANGLE]);
        all
    }

    #[test]
    fn sines_and_cosines_are_those_of_libm_to_rounding() {
        for x in angles() {
            let (s, c) = sin_cos(x);
            let (exact_s, exact_c) = libm::sincos(x);
            // One rounding of the result, and the error of the reduction by P₃: 2e-38 k,
            // negligible.
            let bound = |exact: f64| 1.5 * f64::EPSILON * exact.abs() + 1e-22 * x.abs();
            assert!((s - exact_s).abs() <= bound(exact_s), "sin {x}: {s} {exact_s}");
            assert!((c - exact_c).abs() <= bound(exact_c), "cos {x}: {c} {exact_c}");
        }
    }

    #[test]
    fn angles_of_lines_are_those_of_libm_to_rounding() {
        let most = core::f64::consts::FRAC_PI_2;
        for angle in angles().into_iter().filter(|x| x.abs() <= 8.0) {
            let (s, c) = libm::sincos(angle);
            for size in [1.0, 0.3, 1e-9] {
                let (sin, cos) = (size * s, size * c);
                let exact = if cos < 0.0 { libm::atan2(-sin, -cos) } else { libm::atan2(sin, cos) };
                let found = line_angle(sin, cos);
                // The roundings of the quotient, of the sum and of the reduction from the octant.
                let bound = 2.0 * f64::EPSILON * exact.abs();
                // At ± π/2 both signs name the same line.
                let apart = (found - exact).abs();
                assert!(apart <= bound || 2.0 * most - apart <= bound, "{sin} {cos}: {found} {exact}");
            }
        }
        assert_eq!(line_angle(0.0, 0.0), 0.0);
        assert!(line_angle(f64::NAN, 1.0).is_nan());
    }

    struct LineAngleTask(Vec<[f64; 2]>);
    impl Simd4Task for LineAngleTask {
        type Output = Vec<u64>;
        fn run<T: Simd4>(self) -> Vec<u64> {
            let four = |four: &[[f64; 2]]| {
                let angle = line_angle(T::from_lanes(|i| four[i][0]), T::from_lanes(|i| four[i][1]));
                (0..4).map(move |i| angle.lane(i).to_bits())
            };
            self.0.chunks_exact(4).flat_map(four).collect()
        }
    }

    #[test]
    fn every_lane_has_the_angle_of_a_line_alone() {
        let mut lines: Vec<[f64; 2]> = angles().into_iter().map(|x| libm::sincos(x).into()).collect();
        lines.truncate(lines.len() / 4 * 4);
        let alone: Vec<u64> = lines.iter().map(|[s, c]| line_angle(*s, *c).to_bits()).collect();
        assert_eq!(run_simd4(LineAngleTask(lines.clone())), alone);
        assert_eq!(run_simd4_array(LineAngleTask(lines)), alone);
    }

    struct SinCosTask(Vec<f64>);
    impl Simd4Task for SinCosTask {
        type Output = Vec<u64>;
        fn run<T: Simd4>(self) -> Vec<u64> {
            let mut out = Vec::new();
            for four in self.0.chunks_exact(4) {
                let (s, c) = sin_cos(T::from_lanes(|i| four[i]));
                out.extend((0..4).flat_map(|i| [s.lane(i).to_bits(), c.lane(i).to_bits()]));
            }
            out
        }
    }

    #[test]
    fn every_lane_has_the_bits_of_an_angle_alone() {
        // Lanes with angles of different sizes.
        let (few, many): (Vec<f64>, Vec<f64>) = angles().into_iter().partition(|x| x.abs() < 0.7);
        let mixed: Vec<f64> = many.iter().zip(few.iter().cycle()).flat_map(|(a, b)| [*a, *b]).collect();
        let alone: Vec<u64> = mixed[..mixed.len() / 4 * 4]
            .iter()
            .flat_map(|&x| {
                let (s, c) = sin_cos(x);
                [s.to_bits(), c.to_bits()]
            })
            .collect();
        assert_eq!(run_simd4(SinCosTask(mixed.clone())), alone);
        assert_eq!(run_simd4_array(SinCosTask(mixed)), alone);
    }
}
