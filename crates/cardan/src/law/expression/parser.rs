//! Recursive-descent parser of formulas; the grammar is on the module page.

use super::function::{Function, NAMES};
use super::{Operation, STACK};
use crate::law::Smoothness;

/// The largest number of characters of a formula.
const MOST_CHARACTERS: usize = 10_000;
/// The largest nesting of parentheses, signs and powers.
const MOST_DEPTH: usize = 64;

/// Why a formula cannot be parsed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("column {column}: {fault}")]
pub struct ExpressionError {
    /// Column of the error, in characters from 1.
    pub column: usize,
    /// What is wrong.
    pub fault: ExpressionFault,
}

/// What is wrong with a formula.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ExpressionFault {
    /// The formula is empty, or its end is missing.
    #[error("the formula ends where a value should be")]
    Ends,
    /// A character that does not fit.
    #[error("`{0}` does not fit here")]
    Unexpected(char),
    /// A parenthesis that is not closed.
    #[error("the parenthesis opened in column {0} is not closed")]
    Open(usize),
    /// A malformed number.
    #[error("`{0}` is not a finite number")]
    Number(String),
    /// An unknown name.
    #[error(
        "there is no `{name}`; a formula knows t, {}pi, tau, e and the functions {}",
        listed(variables),
        known()
    )]
    UnknownName {
        /// The name.
        name: String,
        /// The known variables.
        variables: Vec<String>,
    },
    /// An unknown function.
    #[error("there is no function `{name}`; there are {}", known())]
    UnknownFunction {
        /// The name.
        name: String,
    },
    /// A function without its arguments.
    #[error("the function `{0}` needs its argument in parentheses")]
    NoArguments(String),
    /// Too few or too many arguments.
    #[error("`{name}` takes {wants}, not {has}")]
    WrongCount {
        /// The function.
        name: String,
        /// The number of arguments that it takes.
        wants: String,
        /// The number of arguments given.
        has: usize,
    },
    /// Nested too deeply.
    #[error("the formula is nested too deeply")]
    TooDeep,
    /// Too long.
    #[error("the formula is longer than {MOST_CHARACTERS} characters")]
    TooLong,
}

fn listed(variables: &[String]) -> String {
    variables.iter().map(|name| format!("{name}, ")).collect()
}

fn known() -> String {
    NAMES.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ")
}

type Read<T> = Result<T, ExpressionError>;

/// The operations of a formula in the order of evaluation, and its smoothness.
pub(super) fn parse(text: &str, variables: &[String]) -> Read<(Vec<Operation>, Smoothness)> {
    let letters: Vec<char> = text.chars().take(MOST_CHARACTERS + 1).collect();
    if letters.len() > MOST_CHARACTERS {
        return Err(ExpressionError { column: MOST_CHARACTERS + 1, fault: ExpressionFault::TooLong });
    }
    let mut parser = Parser {
        letters,
        variables,
        at: 0,
        out: Vec::new(),
        moves: Vec::new(),
        depth: 0,
        smoothness: Smoothness::All,
    };
    parser.sum()?;
    match parser.peek() {
        None => Ok((parser.out, parser.smoothness)),
        Some(c) => Err(parser.fault(ExpressionFault::Unexpected(c))),
    }
}

struct Parser<'n> {
    letters: Vec<char>,
    /// Names besides t.
    variables: &'n [String],
    at: usize,
    out: Vec<Operation>,
    /// For every value on the stack, whether it changes with time.
    moves: Vec<bool>,
    depth: usize,
    smoothness: Smoothness,
}

impl Parser<'_> {
    fn fault(&self, fault: ExpressionFault) -> ExpressionError {
        ExpressionError { column: self.at + 1, fault }
    }

    /// The next character that is not a space.
    fn peek(&mut self) -> Option<char> {
        while self.letters.get(self.at).is_some_and(|c| c.is_whitespace()) {
            self.at += 1;
        }
        self.letters.get(self.at).copied()
    }

    fn take(&mut self, wanted: char) -> bool {
        let found = self.peek() == Some(wanted);
        self.at += usize::from(found);
        found
    }

    fn push(&mut self, operation: Operation) -> Read<()> {
        let takes = operation.takes();
        let kept = self.moves.len() - takes;
        let given = matches!(operation, Operation::Time | Operation::Variable(_));
        let moves = given || self.moves[kept..].contains(&true);
        self.moves.truncate(kept);
        self.moves.push(moves);
        if self.moves.len() > STACK {
            return Err(self.fault(ExpressionFault::TooDeep));
        }
        if let Operation::Call(function) = operation
            && moves
        {
            self.smoothness = self.smoothness.min(function.smoothness());
        }
        self.out.push(operation);
        Ok(())
    }

    fn sum(&mut self) -> Read<()> {
        self.product()?;
        loop {
            let operation = match self.peek() {
                Some('+') => Operation::Add,
                Some('-') => Operation::Subtract,
                _ => return Ok(()),
            };
            self.at += 1;
            self.product()?;
            self.push(operation)?;
        }
    }

    fn product(&mut self) -> Read<()> {
        self.signed()?;
        loop {
            let operation = match self.peek() {
                Some('*') => Operation::Multiply,
                Some('/') => Operation::Divide,
                _ => return Ok(()),
            };
            self.at += 1;
            self.signed()?;
            self.push(operation)?;
        }
    }

    fn signed(&mut self) -> Read<()> {
        self.depth += 1;
        if self.depth > MOST_DEPTH {
            return Err(self.fault(ExpressionFault::TooDeep));
        }
        if self.take('-') {
            self.signed()?;
            self.push(Operation::Negate)?;
        } else if self.take('+') {
            self.signed()?;
        } else {
            self.power()?;
        }
        self.depth -= 1;
        Ok(())
    }

    fn power(&mut self) -> Read<()> {
        self.atom()?;
        let doubled = self.peek() == Some('*') && self.letters.get(self.at + 1) == Some(&'*');
        if doubled {
            self.at += 1;
        }
        if doubled || self.peek() == Some('^') {
            self.at += 1;
            self.signed()?;
            self.push(Operation::Call(Function::Pow))?;
        }
        Ok(())
    }

    fn atom(&mut self) -> Read<()> {
        match self.peek() {
            None => Err(self.fault(ExpressionFault::Ends)),
            Some('(') => {
                let opened = self.at + 1;
                self.at += 1;
                self.sum()?;
                self.close(opened)
            }
            Some(c) if c.is_ascii_digit() || c == '.' => self.number(),
            Some(c) if c.is_alphabetic() || c == '_' => self.name(),
            Some(c) => Err(self.fault(ExpressionFault::Unexpected(c))),
        }
    }

    fn close(&mut self, opened: usize) -> Read<()> {
        match self.peek() {
            Some(')') => {
                self.at += 1;
                Ok(())
            }
            Some(c) => Err(self.fault(ExpressionFault::Unexpected(c))),
            None => Err(self.fault(ExpressionFault::Open(opened))),
        }
    }

    fn number(&mut self) -> Read<()> {
        let start = self.at;
        let digit = |c: Option<&char>| c.is_some_and(|c| c.is_ascii_digit() || *c == '.');
        while digit(self.letters.get(self.at)) {
            self.at += 1;
        }
        // An exponent only if digits follow: `2e` is malformed, and `2*e` contains Euler's number.
        if matches!(self.letters.get(self.at), Some('e' | 'E')) {
            let sign = usize::from(matches!(self.letters.get(self.at + 1), Some('+' | '-')));
            if self.letters.get(self.at + 1 + sign).is_some_and(char::is_ascii_digit) {
                self.at += 1 + sign;
                while self.letters.get(self.at).is_some_and(char::is_ascii_digit) {
                    self.at += 1;
                }
            }
        }
        let text: String = self.letters[start..self.at].iter().collect();
        match text.parse::<f64>() {
            Ok(x) if x.is_finite() => self.push(Operation::Number(x)),
            _ => Err(ExpressionError { column: start + 1, fault: ExpressionFault::Number(text) }),
        }
    }

    fn name(&mut self) -> Read<()> {
        let start = self.at;
        let part = |c: &char| c.is_alphanumeric() || *c == '_';
        while self.letters.get(self.at).is_some_and(part) {
            self.at += 1;
            // A coordinate of a point: `p.x`.
            let more = !self.variables.is_empty() && self.letters.get(self.at + 1).is_some_and(part);
            self.at += usize::from(more && self.letters.get(self.at) == Some(&'.'));
        }
        let name: String = self.letters[start..self.at].iter().collect();
        let wrong = |fault| Err(ExpressionError { column: start + 1, fault });
        let function = NAMES.iter().find(|(known, _)| *known == name).map(|(_, f)| *f);
        if self.peek() == Some('(') {
            return match function {
                Some(function) => self.call(start, name, function),
                None => wrong(ExpressionFault::UnknownFunction { name }),
            };
        }
        if let Some(variable) = self.variables.iter().position(|known| *known == name) {
            return self.push(Operation::Variable(variable as u16));
        }
        match (name.as_str(), function) {
            ("t", _) => self.push(Operation::Time),
            ("pi", _) => self.push(Operation::Number(core::f64::consts::PI)),
            ("tau", _) => self.push(Operation::Number(core::f64::consts::TAU)),
            ("e", _) => self.push(Operation::Number(core::f64::consts::E)),
            (_, Some(_)) => wrong(ExpressionFault::NoArguments(name)),
            _ => wrong(ExpressionFault::UnknownName { name, variables: self.variables.to_vec() }),
        }
    }

    fn call(&mut self, start: usize, name: String, function: Function) -> Read<()> {
        let opened = self.at + 1;
        self.at += 1;
        let mut has = 0;
        if self.peek() != Some(')') {
            loop {
                self.sum()?;
                has += 1;
                if !self.take(',') {
                    break;
                }
            }
        }
        self.close(opened)?;
        let wants = function.arguments();
        if has != wants {
            let wants = format!("{wants} argument{}", if wants == 1 { "" } else { "s" });
            let fault = ExpressionFault::WrongCount { name, wants, has };
            return Err(ExpressionError { column: start + 1, fault });
        }
        self.push(Operation::Call(function))
    }
}
