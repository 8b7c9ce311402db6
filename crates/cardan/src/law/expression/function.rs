//! Functions of formulas, each with its first two derivatives.

use crate::law::{Jet, Smoothness};

/// A function of one to three arguments.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Function {
    Sin,
    Cos,
    Tan,
    Asin,
    Acos,
    Atan,
    Atan2,
    Sinh,
    Cosh,
    Tanh,
    Exp,
    Ln,
    Log10,
    Sqrt,
    Cbrt,
    Pow,
    Abs,
    Sign,
    Step,
    Floor,
    Ceil,
    Min,
    Max,
    Clamp,
    Smoothstep,
    Smootherstep,
}

/// Names, in the order in which errors list them.
pub(super) const NAMES: &[(&str, Function)] = &[
    ("sin", Function::Sin),
    ("cos", Function::Cos),
    ("tan", Function::Tan),
    ("asin", Function::Asin),
    ("acos", Function::Acos),
    ("atan", Function::Atan),
    ("atan2", Function::Atan2),
    ("sinh", Function::Sinh),
    ("cosh", Function::Cosh),
    ("tanh", Function::Tanh),
    ("exp", Function::Exp),
    ("ln", Function::Ln),
    ("log", Function::Ln),
    ("log10", Function::Log10),
    ("sqrt", Function::Sqrt),
    ("cbrt", Function::Cbrt),
    ("pow", Function::Pow),
    ("abs", Function::Abs),
    ("sign", Function::Sign),
    ("step", Function::Step),
    ("floor", Function::Floor),
    ("ceil", Function::Ceil),
    ("min", Function::Min),
    ("max", Function::Max),
    ("clamp", Function::Clamp),
    ("smoothstep", Function::Smoothstep),
    ("smootherstep", Function::Smootherstep),
];

/// `a` if `first`, else `b`.
fn pick(first: bool, a: Jet, b: Jet) -> Jet {
    if first { a } else { b }
}

impl Function {
    pub(super) fn arguments(self) -> usize {
        match self {
            Function::Clamp => 3,
            Function::Atan2 | Function::Pow | Function::Min | Function::Max => 2,
            _ => 1,
        }
    }

    /// Smoothness of the function over its whole range of arguments.
    pub(super) fn smoothness(self) -> Smoothness {
        match self {
            Function::Sign | Function::Step | Function::Floor | Function::Ceil => Smoothness::Jumps,
            Function::Abs | Function::Min | Function::Max | Function::Clamp => Smoothness::Value,
            Function::Smoothstep => Smoothness::Rate,
            Function::Smootherstep => Smoothness::Second,
            // Where these functions have no derivative it is infinite, and the run reports it.
            _ => Smoothness::All,
        }
    }

    pub(super) fn apply(self, of: &[Jet]) -> Jet {
        let jet = of[0];
        let x = jet.value;
        match self {
            Function::Sin => {
                let (s, c) = libm::sincos(x);
                jet.chain(s, c, -s)
            }
            Function::Cos => {
                let (s, c) = libm::sincos(x);
                jet.chain(c, -s, -c)
            }
            Function::Tan => {
                let t = libm::tan(x);
                let first = 1.0 + t * t;
                jet.chain(t, first, 2.0 * t * first)
            }
            Function::Asin => {
                let r2 = 1.0 - x * x;
                let r = r2.sqrt();
                jet.chain(libm::asin(x), 1.0 / r, x / (r2 * r))
            }
            Function::Acos => {
                let r2 = 1.0 - x * x;
                let r = r2.sqrt();
                jet.chain(libm::acos(x), -1.0 / r, -x / (r2 * r))
            }
            Function::Atan => {
                let first = 1.0 / (1.0 + x * x);
                jet.chain(libm::atan(x), first, -2.0 * x * first * first)
            }
            Function::Atan2 => atan2(of[0], of[1]),
            Function::Sinh => jet.chain(libm::sinh(x), libm::cosh(x), libm::sinh(x)),
            Function::Cosh => jet.chain(libm::cosh(x), libm::sinh(x), libm::cosh(x)),
            Function::Tanh => {
                let t = libm::tanh(x);
                let first = 1.0 - t * t;
                jet.chain(t, first, -2.0 * t * first)
            }
            Function::Exp => {
                let e = libm::exp(x);
                jet.chain(e, e, e)
            }
            Function::Ln => jet.chain(libm::log(x), 1.0 / x, -1.0 / (x * x)),
            Function::Log10 => {
                let k = core::f64::consts::LOG10_E;
                jet.chain(libm::log10(x), k / x, -k / (x * x))
            }
            Function::Sqrt => {
                let r = x.sqrt();
                jet.chain(r, 0.5 / r, -0.25 / (x * r))
            }
            Function::Cbrt => {
                let r = libm::cbrt(x);
                jet.chain(r, 1.0 / (3.0 * r * r), -2.0 / (9.0 * x * r * r))
            }
            Function::Pow => power(of[0], of[1]),
            Function::Abs => pick(x >= 0.0, jet, -jet),
            Function::Sign => Jet::constant(if x > 0.0 {
                1.0
            } else if x < 0.0 {
                -1.0
            } else {
                // Zero, or not a number.
                x
            }),
            Function::Step => Jet::constant(if x >= 0.0 { 1.0 } else { 0.0 * x }),
            Function::Floor => Jet::constant(libm::floor(x)),
            Function::Ceil => Jet::constant(libm::ceil(x)),
            Function::Min => pick(x <= of[1].value || x.is_nan(), jet, of[1]),
            Function::Max => pick(x >= of[1].value || x.is_nan(), jet, of[1]),
            Function::Clamp => {
                let low = pick(x >= of[1].value || x.is_nan(), jet, of[1]);
                pick(low.value <= of[2].value || low.value.is_nan(), low, of[2])
            }
            Function::Smoothstep => {
                blend(jet, |s| [s * s * (3.0 - 2.0 * s), 6.0 * s * (1.0 - s), 6.0 - 12.0 * s])
            }
            Function::Smootherstep => blend(jet, |s| {
                let r = 1.0 - s;
                [
                    s * s * s * (10.0 + s * (6.0 * s - 15.0)),
                    30.0 * s * s * r * r,
                    60.0 * s * r * (1.0 - 2.0 * s),
                ]
            }),
        }
    }
}

/// 0 below 0, 1 above 1, a polynomial between.
fn blend(x: Jet, polynomial: impl Fn(f64) -> [f64; 3]) -> Jet {
    if x.value < 0.0 {
        return Jet::constant(0.0);
    }
    if x.value >= 1.0 {
        return Jet::constant(1.0);
    }
    let [f, first, second] = polynomial(x.value);
    x.chain(f, first, second)
}

/// φ with (x, y) = r (cos φ, sin φ):  φ̇ = (x ẏ − y ẋ)/r²,  φ̈ = (x ÿ − y ẍ − 2 φ̇ (x ẋ + y ẏ))/r².
fn atan2(y: Jet, x: Jet) -> Jet {
    let r2 = x.value * x.value + y.value * y.value;
    let rate = (x.value * y.rate - y.value * x.rate) / r2;
    let along = x.value * x.rate + y.value * y.rate;
    let second = (x.value * y.second - y.value * x.second - 2.0 * rate * along) / r2;
    Jet::new(libm::atan2(y.value, x.value), rate, second)
}

/// x^y; with a constant exponent by the power rule, which also holds where x is not positive.
fn power(x: Jet, y: Jet) -> Jet {
    if y.is_constant() {
        let c = y.value;
        let term = |factor: f64, exponent: f64| {
            if factor == 0.0 { 0.0 } else { factor * libm::pow(x.value, exponent) }
        };
        return x.chain(libm::pow(x.value, c), term(c, c - 1.0), term(c * (c - 1.0), c - 2.0));
    }
    Function::Exp.apply(&[y * Function::Ln.apply(&[x])])
}
