//! Formulas in t, or in t and other variables; parsed once and evaluated as a list of operations on
//! a stack.
//!
//! ```text
//! sum     = product { ("+" | "-") product }
//! product = signed { ("*" | "/") signed }
//! signed  = [ "-" | "+" ] signed | power
//! power   = atom [ ("^" | "**") signed ]            2^3^2 is 2^9, -2^2 is -4
//! atom    = number | "t" | variable | "pi" | "tau" | "e" | name "(" sum { "," sum } ")" | "(" sum ")"
//! ```
//!
//! Angles are in radians. Operations act on [`Jet`]s, so that the derivatives are exact, and call
//! `libm`, so that the bits are equal on every machine.

mod function;
mod parser;

pub use parser::{ExpressionError, ExpressionFault};

use super::{Jet, Smoothness};
use function::Function;

/// Depth of the stack; formulas that need more are refused when they are parsed.
const STACK: usize = 32;

/// A formula in t, and in variables if it was parsed with some.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize), serde(try_from = "String"))]
pub struct Expression {
    text: String,
    operations: Vec<Operation>,
    smoothness: Smoothness,
}

#[derive(Copy, Clone, Debug, PartialEq)]
enum Operation {
    Number(f64),
    Time,
    Variable(u16),
    Add,
    Subtract,
    Multiply,
    Divide,
    Negate,
    Call(Function),
}

impl Expression {
    /// Parses a formula in t.
    ///
    /// # Errors
    /// If it cannot be parsed, with the column.
    pub fn parse(text: &str) -> Result<Self, ExpressionError> {
        Expression::in_variables(text, &[])
    }

    /// Parses a formula in t and in variables of these names; a name may contain a dot.
    ///
    /// # Errors
    /// If it cannot be parsed, with the column.
    pub fn in_variables(text: &str, names: &[String]) -> Result<Self, ExpressionError> {
        let (operations, smoothness) = parser::parse(text, names)?;
        Ok(Expression { text: text.to_string(), operations, smoothness })
    }

    /// The text of the formula.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether the formula depends on time.
    pub fn is_timed(&self) -> bool {
        self.operations.contains(&Operation::Time)
    }

    /// Whether the formula depends on the variable of this index.
    pub fn uses(&self, variable: usize) -> bool {
        self.operations.iter().any(|o| matches!(o, Operation::Variable(v) if usize::from(*v) == variable))
    }

    pub(super) fn at(&self, t: f64) -> Jet {
        self.along(Jet::time(t), &[])
    }

    /// Value and derivatives along a path on which time and the variables change as given. A
    /// variable that is not given is zero.
    pub fn along(&self, time: Jet, variables: &[Jet]) -> Jet {
        let mut stack = [Jet::default(); STACK];
        let mut top = 0;
        for operation in &self.operations {
            let takes = operation.takes();
            let value = operation.apply(time, variables, &stack[top - takes..top]);
            top -= takes;
            stack[top] = value;
            top += 1;
        }
        stack[0]
    }

    /// Smoothness of the functions in the formula, over their whole range of arguments.
    pub fn smoothness(&self) -> Smoothness {
        self.smoothness
    }
    pub(super) fn bytes(&self) -> usize {
        self.text.capacity() + self.operations.capacity() * size_of::<Operation>()
    }
}

impl Operation {
    /// Number of values the operation takes from the stack; it leaves one.
    fn takes(self) -> usize {
        match self {
            Operation::Number(_) | Operation::Time | Operation::Variable(_) => 0,
            Operation::Negate => 1,
            Operation::Add | Operation::Subtract | Operation::Multiply | Operation::Divide => 2,
            Operation::Call(function) => function.arguments(),
        }
    }

    fn apply(self, time: Jet, variables: &[Jet], of: &[Jet]) -> Jet {
        match self {
            Operation::Number(x) => Jet::constant(x),
            Operation::Time => time,
            Operation::Variable(v) => variables.get(usize::from(v)).copied().unwrap_or_default(),
            Operation::Add => of[0] + of[1],
            Operation::Subtract => of[0] - of[1],
            Operation::Multiply => of[0] * of[1],
            Operation::Divide => of[0] / of[1],
            Operation::Negate => -of[0],
            Operation::Call(function) => function.apply(of),
        }
    }
}

#[cfg(feature = "serde")]
impl TryFrom<String> for Expression {
    type Error = ExpressionError;
    fn try_from(text: String) -> Result<Self, ExpressionError> {
        Expression::parse(&text)
    }
}
/// As its text. A formula in variables cannot be saved: their names are not known here.
#[cfg(feature = "serde")]
impl serde::Serialize for Expression {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.operations.iter().any(|operation| matches!(operation, Operation::Variable(_))) {
            return Err(serde::ser::Error::custom("a formula in variables cannot be saved"));
        }
        serializer.serialize_str(&self.text)
    }
}
