//! What presses, as bytes.

use super::{Held, Key, Mode, Turn, Turning};
use crate::bytes::{Reader, SaveError, Writer};
use crate::model::Model;
use cardan_shapes::{Feature, Part};

const UNKNOWN: SaveError = SaveError::Damaged { why: "a condition is of an unknown kind" };

fn write_part(part: Part, out: &mut Writer) {
    let (kind, first, second) = match part {
        Part::Whole => (0, 0, 0),
        Part::Vertex(i) => (1, i, 0),
        Part::Edge(i) => (2, i, 0),
        Part::Face(i) => (3, i, 0),
        Part::Rim(i) => (4, i, 0),
        Part::RimPoint(i, k) => (5, i, k),
    };
    out.byte(kind);
    out.word(first);
    out.word(second);
}

fn read_part(input: &mut Reader<'_>) -> Result<Part, SaveError> {
    let (kind, first, second) = (input.byte()?, input.word()?, input.word()?);
    Ok(match kind {
        0 => Part::Whole,
        1 => Part::Vertex(first),
        2 => Part::Edge(first),
        3 => Part::Face(first),
        4 => Part::Rim(first),
        5 => Part::RimPoint(first, second),
        _ => return Err(UNKNOWN),
    })
}

pub(crate) fn write_feature(feature: Feature, out: &mut Writer) {
    write_part(feature.a, out);
    write_part(feature.b, out);
    out.byte(feature.nth);
}

pub(crate) fn read_feature(input: &mut Reader<'_>) -> Result<Feature, SaveError> {
    Ok(Feature { a: read_part(input)?, b: read_part(input)?, nth: input.byte()? })
}

impl Turn {
    fn write(self, out: &mut Writer) {
        match self {
            Turn::Free => out.byte(0),
            Turn::Rest => out.byte(1),
            Turn::Turns(axis) => {
                out.byte(2);
                out.vector(axis);
            }
        }
    }
    fn read(input: &mut Reader<'_>) -> Result<Self, SaveError> {
        match input.byte()? {
            0 => Ok(Turn::Free),
            1 => Ok(Turn::Rest),
            2 => input.vector().map(Turn::Turns),
            _ => Err(UNKNOWN),
        }
    }
}

impl Key {
    /// Whether a model has it.
    pub(crate) fn is_in(self, model: &Model) -> bool {
        let shapes = model.contacts.shapes.len();
        match self {
            Key::Declared(i) => (i as usize) < model.inequalities.len(),
            Key::Joint(i) => (i as usize) < model.frictions.len(),
            Key::Contact(a, b, _) => (a as usize) < shapes && (b as usize) < shapes,
        }
    }
}

impl Held {
    pub(crate) fn write(&self, out: &mut Writer) {
        match self.key {
            Key::Declared(i) => {
                out.byte(0);
                out.word(i);
            }
            Key::Joint(i) => {
                out.byte(1);
                out.word(i);
            }
            Key::Contact(a, b, feature) => {
                out.byte(2);
                out.word(a);
                out.word(b);
                write_feature(feature, out);
            }
        }
        self.write_rest(out);
    }

    pub(crate) fn read(input: &mut Reader<'_>) -> Result<Self, SaveError> {
        let key = match input.byte()? {
            0 => Key::Declared(input.word()?),
            1 => Key::Joint(input.word()?),
            2 => Key::Contact(input.word()?, input.word()?, read_feature(input)?),
            _ => return Err(UNKNOWN),
        };
        Held::read_rest(key, input)
    }

    /// All but which condition it is.
    fn write_rest(&self, out: &mut Writer) {
        match self.mode {
            Mode::Smooth => out.byte(0),
            Mode::Stick => out.byte(1),
            Mode::Slip(way) => {
                out.byte(2);
                out.vector(way);
            }
        }
        self.turning.roll.write(out);
        self.turning.spin.write(out);
        out.byte(self.turning.axes as u8);
        out.number(self.grip);
        self.push.iter().for_each(|x| out.number(*x));
    }

    fn read_rest(key: Key, input: &mut Reader<'_>) -> Result<Self, SaveError> {
        let mode = match input.byte()? {
            0 => Mode::Smooth,
            1 => Mode::Stick,
            2 => Mode::Slip(input.vector()?),
            _ => return Err(UNKNOWN),
        };
        let (roll, spin) = (Turn::read(input)?, Turn::read(input)?);
        let turning = Turning { roll, spin, axes: usize::from(input.byte()?).min(2) };
        let grip = input.number()?;
        let push = [input.number()?, input.number()?, input.number()?];
        Ok(Held { key, mode, turning, grip, push })
    }
}
