//! Masses and inertias of the bodies of a model: their own or those of their geoms, with the bounds of
//! `<compiler>`.

use cardan::MassProperties;
use cardan::math::Sym3;

use super::compiler::InertiaSource;
use super::fields::ElementReader;
use super::files::Item;
use super::tree::Model;
use crate::error::{ErrorKind, SceneError};

/// An `<inertial>`: mass, centre of mass and inertia, in the frame of its body.
pub(super) fn read_inertial<'a>(
    reader: &ElementReader<'_, 'a>,
    item: Item<'a>,
) -> Result<MassProperties, SceneError> {
    let fields = reader.plain(item);
    let missing = |name: &str| {
        let message = format!("<inertial> has no `{name}`");
        let help = "write <inertial pos=\"0 0 0\" mass=\"1\" diaginertia=\"0.1 0.1 0.1\"/>";
        reader.files.error(item, ErrorKind::MissingField, message, help)
    };
    let mass = fields.positive("mass")?.ok_or_else(|| missing("mass"))?;
    let pos = fields.vector::<3>("pos")?.ok_or_else(|| missing("pos"))?;
    let turn = reader.orientation(&fields)?;
    let diagonal = fields.vector::<3>("diaginertia")?;
    let full = fields.vector::<6>("fullinertia")?;
    let (inertia, turn) = match (diagonal, full) {
        (Some(_), Some(_)) => {
            let message = "`diaginertia` and `fullinertia` are both given".to_string();
            return Err(fields.bad("fullinertia", message, "keep one of the two"));
        }
        (_, Some(_)) if turn.is_some() => {
            let message = "`fullinertia` has axes of its own".to_string();
            let help = "give it in the axes of the body, without an orientation; or give `diaginertia`";
            return Err(fields.bad("fullinertia", message, help));
        }
        (_, Some([xx, yy, zz, xy, xz, yz])) => (Sym3 { xx, yy, zz, xy, xz, yz }, None),
        (Some([xx, yy, zz]), None) => (Sym3::diagonal(xx, yy, zz), turn),
        // A point mass, which another body must carry.
        (None, None) => (Sym3::default(), None),
    };
    let inertia = turn.map_or(inertia, |turn| inertia.rotated(&turn.matrix()));
    Ok(MassProperties { mass, center: pos.into(), inertia })
}

/// The mass properties of every body, in its frame; of mass zero where it has none.
pub(super) fn masses<'a>(readers: &[ElementReader<'_, 'a>], model: &Model<'a>) -> Vec<MassProperties> {
    let mut all: Vec<MassProperties> = Vec::new();
    for (b, body) in model.bodies.iter().enumerate() {
        let compiler = readers[body.part].compiler;
        let own = body.inertial.as_ref().map(|(_, own)| *own);
        let from_geoms = match compiler.inertia_from {
            InertiaSource::Geoms => true,
            InertiaSource::Own => false,
            InertiaSource::Auto => own.is_none(),
        };
        let mut found = if from_geoms {
            let parts: Vec<MassProperties> =
                body.geoms.iter().map(|geom| geom.mass).filter(|part| part.mass > 0.0).collect();
            match &parts[..] {
                [] => MassProperties::of_point(0.0),
                [one] => *one,
                several => MassProperties::compound(several),
            }
        } else {
            own.unwrap_or(MassProperties::of_point(0.0))
        };
        if b > 0 {
            found.mass = larger(found.mass, compiler.bound_mass);
            found.inertia = bounded(&found.inertia, compiler.bound_inertia, compiler.balance_inertia);
        } else {
            found = MassProperties::of_point(0.0);
        }
        all.push(found);
    }
    if let Some(total) = readers[0].compiler.total_mass {
        let sum: f64 = all.iter().map(|own| own.mass).sum();
        let factor = total / sum;
        for own in all.iter_mut().filter(|_| factor.is_finite()) {
            own.mass *= factor;
            own.inertia = own.inertia.scaled(factor);
        }
    }
    all
}

/// Principal moments of at least `least`; those that break the triangle rule become their mean if they are
/// balanced.
fn bounded(inertia: &Sym3, least: f64, balance: bool) -> Sym3 {
    if least == 0.0 && !balance {
        return *inertia;
    }
    let (mut moments, axes) = inertia.principal();
    let before = moments;
    for moment in &mut moments {
        *moment = larger(*moment, least);
    }
    let [a, b, c] = moments;
    if balance && (a + b < c || b + c < a || a + c < b) {
        moments = [(a + b + c) / 3.0; 3];
    }
    if moments == before {
        return *inertia;
    }
    Sym3::diagonal(moments[0], moments[1], moments[2]).rotated(&axes)
}

fn larger(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}
