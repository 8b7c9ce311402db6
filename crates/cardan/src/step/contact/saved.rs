//! Active contacts in snapshots: serialisation to bytes.

use crate::bytes::{Reader, SaveError, Writer};
use crate::model::Model;
use crate::step::contact::{ActiveContact, ContactKey, FrictionMode, RollSpin, RollingMode};
use cardan_shapes::{FeatureId, FeaturePair};

/// The error for an unknown tag.
const UNKNOWN: SaveError = SaveError::Damaged { why: "a condition is of an unknown kind" };

/// Writes a feature of one shape.
fn write_part(part: FeatureId, out: &mut Writer) {
    let (kind, first, second) = match part {
        FeatureId::Whole => (0, 0, 0),
        FeatureId::Vertex(i) => (1, i, 0),
        FeatureId::Edge(i) => (2, i, 0),
        FeatureId::Face(i) => (3, i, 0),
        FeatureId::Rim(i) => (4, i, 0),
        FeatureId::RimPoint(i, k) => (5, i, k),
    };
    out.byte(kind);
    out.word(first);
    out.word(second);
}

/// Reads a feature of one shape.
fn read_part(input: &mut Reader<'_>) -> Result<FeatureId, SaveError> {
    let (kind, first, second) = (input.byte()?, input.word()?, input.word()?);
    Ok(match kind {
        0 => FeatureId::Whole,
        1 => FeatureId::Vertex(first),
        2 => FeatureId::Edge(first),
        3 => FeatureId::Face(first),
        4 => FeatureId::Rim(first),
        5 => FeatureId::RimPoint(first, second),
        _ => return Err(UNKNOWN),
    })
}

/// Writes a feature pair.
pub(crate) fn write_feature(feature: FeaturePair, out: &mut Writer) {
    write_part(feature.a, out);
    write_part(feature.b, out);
    out.byte(feature.nth);
}

/// Reads a feature pair.
pub(crate) fn read_feature(input: &mut Reader<'_>) -> Result<FeaturePair, SaveError> {
    Ok(FeaturePair { a: read_part(input)?, b: read_part(input)?, nth: input.byte()? })
}

impl RollingMode {
    fn write(self, out: &mut Writer) {
        match self {
            RollingMode::Free => out.byte(0),
            RollingMode::Rest => out.byte(1),
            RollingMode::Turns(axis) => {
                out.byte(2);
                out.vector(axis);
            }
        }
    }
    fn read(input: &mut Reader<'_>) -> Result<Self, SaveError> {
        match input.byte()? {
            0 => Ok(RollingMode::Free),
            1 => Ok(RollingMode::Rest),
            2 => input.vector().map(RollingMode::Turns),
            _ => Err(UNKNOWN),
        }
    }
}

impl ContactKey {
    /// Whether a model has this constraint.
    pub(crate) fn is_in(self, model: &Model) -> bool {
        let shapes = model.contacts.shapes.len();
        match self {
            ContactKey::Declared(i) => (i as usize) < model.inequalities.len(),
            ContactKey::Joint(i) => (i as usize) < model.frictions.len(),
            ContactKey::Contact(a, b, _) => (a as usize) < shapes && (b as usize) < shapes,
        }
    }
}

impl ActiveContact {
    /// Writes an active contact.
    pub(crate) fn write(&self, out: &mut Writer) {
        match self.key {
            ContactKey::Declared(i) => {
                out.byte(0);
                out.word(i);
            }
            ContactKey::Joint(i) => {
                out.byte(1);
                out.word(i);
            }
            ContactKey::Contact(a, b, feature) => {
                out.byte(2);
                out.word(a);
                out.word(b);
                write_feature(feature, out);
            }
        }
        self.write_rest(out);
    }

    /// Reads an active contact.
    pub(crate) fn read(input: &mut Reader<'_>) -> Result<Self, SaveError> {
        let key = match input.byte()? {
            0 => ContactKey::Declared(input.word()?),
            1 => ContactKey::Joint(input.word()?),
            2 => ContactKey::Contact(input.word()?, input.word()?, read_feature(input)?),
            _ => return Err(UNKNOWN),
        };
        ActiveContact::read_rest(key, input)
    }

    /// Writes everything but the key.
    fn write_rest(&self, out: &mut Writer) {
        match self.mode {
            FrictionMode::Frictionless => out.byte(0),
            FrictionMode::Stick => out.byte(1),
            FrictionMode::Slip(direction) => {
                out.byte(2);
                out.vector(direction);
            }
        }
        self.roll_spin.roll.write(out);
        self.roll_spin.spin.write(out);
        out.byte(self.roll_spin.axes as u8);
        out.number(self.grip);
        self.push.iter().for_each(|x| out.number(*x));
    }

    /// Reads everything but the key.
    fn read_rest(key: ContactKey, input: &mut Reader<'_>) -> Result<Self, SaveError> {
        let mode = match input.byte()? {
            0 => FrictionMode::Frictionless,
            1 => FrictionMode::Stick,
            2 => FrictionMode::Slip(input.vector()?),
            _ => return Err(UNKNOWN),
        };
        let (roll, spin) = (RollingMode::read(input)?, RollingMode::read(input)?);
        let roll_spin = RollSpin { roll, spin, axes: usize::from(input.byte()?).min(2) };
        let grip = input.number()?;
        let push = [input.number()?, input.number()?, input.number()?];
        Ok(ActiveContact { key, mode, roll_spin, grip, push })
    }
}
