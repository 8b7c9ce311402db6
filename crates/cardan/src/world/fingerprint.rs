//! A fingerprint of descriptions, for saved worlds: it tells worlds with other parts apart, and stays the same when types, fields or variants of
//! this crate get other names.
//!
//! Kinds count by their words in scenes and reports. All else counts by the numbers and texts that the `Debug` form of a description has, and by
//! the nesting of these; names of Rust are left out. So parts of users' own count, too, whose fields only `Debug` shows.

use crate::body::Body;
use crate::contact::ContactShape;
use crate::force::{Constant, Force, ForceKind, Heading};
use crate::impulse::TimedImpulse;
use crate::inequality::Inequality;
use crate::joint::Joint;
use crate::model::ConstraintSpec;
use crate::state::Fnv;
use crate::step::{Accounts, Settings, Stabilization};
use core::fmt::{Debug, Write};

/// Hashes descriptions in sequence.
#[derive(Default)]
pub(super) struct Fingerprint(Fnv);

impl Fingerprint {
    pub(super) fn value(&self) -> u64 {
        self.0.value()
    }
    /// The numbers and texts of a description.
    pub(super) fn values(&mut self, place: u32, part: &dyn Debug) {
        self.0.bits(u64::from(place));
        let mut out = Values { hash: &mut self.0, token: Token::None, name: String::new() };
        // It never fails: it only hashes.
        let _ = write!(out, "{part:?}");
        out.end_token();
    }
    pub(super) fn body(&mut self, place: u32, body: &Body) {
        self.0.word(body.kind.name());
        self.0.word(body.form.as_ref().map_or("", |form| form.0.name()));
        self.values(place, body);
    }
    pub(super) fn joint(&mut self, place: u32, joint: &Joint, is_auxiliary: bool) {
        self.0.word(joint.kind.name());
        for drive in &joint.drives {
            self.0.word(drive.mode.name());
            self.0.word(drive.law.name());
        }
        joint.efforts.iter().for_each(|effort| self.0.word(effort.name()));
        self.values(place, &(joint, is_auxiliary));
    }
    pub(super) fn constraint(&mut self, place: u32, constraint: &ConstraintSpec) {
        self.0.word(match constraint {
            ConstraintSpec::User(user) => user.rule.kind(),
            ConstraintSpec::Coupler(coupler) => coupler.kind,
            ConstraintSpec::Follow(_) => "follow",
        });
        self.values(place, constraint);
    }
    pub(super) fn inequality(&mut self, place: u32, inequality: &Inequality) {
        self.0.word(inequality.rule.kind());
        self.values(place, inequality);
    }
    pub(super) fn shape(&mut self, place: u32, shape: &ContactShape) {
        self.0.word(shape.shape.kind());
        self.values(place, shape);
    }
    pub(super) fn force(&mut self, place: u32, force: &Force) {
        self.0.word(force.kind.name());
        match &force.kind {
            ForceKind::Constant(Constant { heading, .. }) => self.heading(*heading),
            ForceKind::Scheduled(scheduled) => {
                self.0.word(scheduled.law.name());
                self.heading(scheduled.full.heading);
            }
            _ => {}
        }
        self.values(place, force);
    }
    pub(super) fn impulse(&mut self, place: u32, timed: &TimedImpulse) {
        self.heading(timed.impulse.heading);
        self.values(place, timed);
    }
    fn heading(&mut self, heading: Heading) {
        self.0.word(match heading {
            Heading::World => "world",
            Heading::Body => "body",
        });
    }
    pub(super) fn settings(&mut self, settings: &Settings) {
        let Settings { integrator, stabilization, solver, elimination, coordinates, .. } = *settings;
        let Settings { efforts, impacts, restitution_law, overlaps, inequality_study, .. } = *settings;
        let stabilization = match stabilization {
            Stabilization::Projection => 0,
            Stabilization::Baumgarte { .. } => 1,
            Stabilization::None => 2,
        };
        let choices = [
            integrator as u64,
            stabilization,
            solver as u64,
            elimination as u64,
            coordinates as u64,
            efforts as u64,
            impacts as u64,
            restitution_law as u64,
            overlaps as u64,
            inequality_study.map_or(0, |study| 1 + study.rule as u64),
        ];
        choices.into_iter().for_each(|choice| self.0.bits(choice));
        // When accounts are taken changes no state.
        self.values(0, &Settings { accounts: Accounts::default(), ..*settings });
    }
}

/// What the text is in.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Token {
    None,
    /// A name of Rust: it counts as there being one. Words of the language for values count.
    Name,
    Number,
    Text,
    /// The character after a backslash in a text.
    Escape,
}

/// Hashes the numbers, texts and brackets of a `Debug` form.
struct Values<'h> {
    hash: &'h mut Fnv,
    token: Token,
    name: String,
}

impl Values<'_> {
    fn end_token(&mut self) {
        if self.token == Token::Name {
            let is_value = ["true", "false", "None", "NaN", "inf"].contains(&self.name.as_str());
            self.hash.word(if is_value { &self.name } else { "" });
            self.name.clear();
        }
        self.token = Token::None;
    }
    fn take(&mut self, c: char) {
        let part_of_word = c.is_alphanumeric() || c == '_' || c == '.';
        match self.token {
            Token::Text | Token::Escape => {
                self.hash.bits(u64::from(u32::from(c)));
                self.token = match (self.token, c) {
                    (Token::Text, '"') => Token::None,
                    (Token::Text, '\\') => Token::Escape,
                    _ => Token::Text,
                };
            }
            Token::Name if part_of_word => self.name.push(c),
            Token::Number if part_of_word || c == '-' || c == '+' => self.hash.byte(c as u8),
            _ => {
                self.end_token();
                self.token = match c {
                    '"' => Token::Text,
                    '-' | '0'..='9' => Token::Number,
                    _ if part_of_word => Token::Name,
                    _ => Token::None,
                };
                match self.token {
                    Token::Name => self.name.push(c),
                    _ if c.is_whitespace() => {}
                    _ => self.hash.bits(u64::from(u32::from(c))),
                }
            }
        }
    }
}

impl Write for Values<'_> {
    fn write_str(&mut self, text: &str) -> core::fmt::Result {
        text.chars().for_each(|c| self.take(c));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::Fingerprint;

    #[derive(Debug)]
    #[allow(dead_code, reason = "shown by Debug alone")]
    struct Rope {
        length: f64,
        name: &'static str,
        is_slack: Option<bool>,
    }
    #[derive(Debug)]
    #[allow(dead_code, reason = "shown by Debug alone")]
    struct Cable {
        size: f64,
        called: &'static str,
        loose: Option<bool>,
    }

    fn of(part: &dyn core::fmt::Debug) -> u64 {
        let mut all = Fingerprint::default();
        all.values(3, part);
        all.value()
    }

    #[test]
    fn names_of_rust_do_not_count_and_values_do() {
        let rope = Rope { length: -1.5e-7, name: "a \"b\": 2", is_slack: Some(true) };
        assert_eq!(of(&rope), of(&Cable { size: -1.5e-7, called: "a \"b\": 2", loose: Some(true) }));
        for other in [
            Rope { length: 1.5e-7, name: "a \"b\": 2", is_slack: Some(true) },
            Rope { length: -1.5e-7, name: "a \"b\": 3", is_slack: Some(true) },
            Rope { length: -1.5e-7, name: "a \"b\": 2", is_slack: Some(false) },
            Rope { length: -1.5e-7, name: "a \"b\": 2", is_slack: None },
            Rope { length: f64::NAN, name: "a \"b\": 2", is_slack: Some(true) },
        ] {
            assert_ne!(of(&rope), of(&other), "{other:?}");
        }
        // Nesting counts: what is in which list.
        assert_ne!(of(&vec![vec![1, 2], vec![3]]), of(&vec![vec![1], vec![2, 3]]));
        assert_ne!(of(&(1, 23)), of(&(12, 3)));
    }
}
