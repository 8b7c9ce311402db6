//! A formula in t, read once and evaluated as a list of operations on a small stack.
//!
//! ```text
//! sum     = product { ("+" | "-") product }
//! product = signed { ("*" | "/") signed }
//! signed  = [ "-" | "+" ] signed | power
//! power   = atom [ ("^" | "**") signed ]            2^3^2 is 2^9, -2^2 is -4
//! atom    = number | "t" | "pi" | "tau" | "e" | name "(" sum { "," sum } ")" | "(" sum ")"
//! ```
//!
//! Angles are in radians. Operations act on [`Jet`]s, so that the derivatives are exact, and call `libm`, so that the bits are the same on every
//! machine.

mod function;
mod parser;

pub use parser::{ExpressionError, ExpressionFault};

use super::{Jet, Smoothness};
use function::Function;

/// Values that may be waiting at once; deeper formulas are refused when they are read.
const STACK: usize = 32;

/// A formula in t.
#[derive(Clone, Debug, PartialEq)]
pub struct Expression {
    text: String,
    operations: Vec<Operation>,
    smoothness: Smoothness,
}

#[derive(Copy, Clone, Debug, PartialEq)]
enum Operation {
    Number(f64),
    Time,
    Add,
    Subtract,
    Multiply,
    Divide,
    Negate,
    Call(Function),
}

impl Expression {
    /// Reads a formula.
    ///
    /// # Errors
    /// When it cannot be read, with the column.
    pub fn parse(text: &str) -> Result<Self, ExpressionError> {
        let (operations, smoothness) = parser::parse(text)?;
        Ok(Expression { text: text.to_string(), operations, smoothness })
    }

    /// As it was written.
    pub fn text(&self) -> &str {
        &self.text
    }

    pub(super) fn at(&self, t: f64) -> Jet {
        let mut stack = [Jet::default(); STACK];
        let mut top = 0;
        for operation in &self.operations {
            let takes = operation.takes();
            let value = operation.apply(t, &stack[top - takes..top]);
            top -= takes;
            stack[top] = value;
            top += 1;
        }
        stack[0]
    }

    pub(super) fn smoothness(&self) -> Smoothness {
        self.smoothness
    }
    pub(super) fn bytes(&self) -> usize {
        self.text.capacity() + self.operations.capacity() * size_of::<Operation>()
    }
}

impl Operation {
    /// How many values it takes from the stack; it leaves one.
    fn takes(self) -> usize {
        match self {
            Operation::Number(_) | Operation::Time => 0,
            Operation::Negate => 1,
            Operation::Add | Operation::Subtract | Operation::Multiply | Operation::Divide => 2,
            Operation::Call(function) => function.arguments(),
        }
    }

    fn apply(self, t: f64, of: &[Jet]) -> Jet {
        match self {
            Operation::Number(x) => Jet::constant(x),
            Operation::Time => Jet::time(t),
            Operation::Add => of[0] + of[1],
            Operation::Subtract => of[0] - of[1],
            Operation::Multiply => of[0] * of[1],
            Operation::Divide => of[0] / of[1],
            Operation::Negate => -of[0],
            Operation::Call(function) => function.apply(of),
        }
    }
}
