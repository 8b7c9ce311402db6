//! Shapes of a URDF file: box, cylinder, capsule, sphere, mesh.

use std::ops::Range;

use cardan::Frame;
use roxmltree::Node;

use super::read::origin;
use crate::document::clip;
use crate::error::{ErrorKind, SceneError};
use crate::import::report::ImportReport;
use crate::import::xml::{XmlText, child, elements, start, value_range};

/// A shape in the frame of its link.
pub(in crate::import) struct Geometry {
    pub(in crate::import) frame: Frame,
    pub(in crate::import) form: Form,
    pub(in crate::import) at: Range<usize>,
}

/// Its form; cylinders lie along z.
pub(in crate::import) enum Form {
    Box([f64; 3]),
    Sphere(f64),
    Cylinder { radius: f64, length: f64 },
    Capsule { radius: f64, length: f64 },
    Mesh { uri: String, scale: [f64; 3] },
}

impl Form {
    fn is_empty(&self) -> bool {
        match self {
            Form::Box(size) => size.contains(&0.0),
            Form::Sphere(radius) => *radius == 0.0,
            Form::Cylinder { radius, length } => *radius == 0.0 || *length == 0.0,
            Form::Capsule { radius, .. } => *radius == 0.0,
            Form::Mesh { .. } => false,
        }
    }
}

/// The shape of a `<collision>` or `<visual>`; `None` if it has none that is known.
pub(in crate::import) fn read<'t>(
    text: &XmlText<'t>,
    node: Node<'_, 't>,
    report: &mut ImportReport,
) -> Result<Option<Geometry>, SceneError> {
    let frame = origin(text, node)?;
    let Some(shape) = child(node, "geometry").and_then(|geometry| elements(geometry).next()) else {
        report.ignored(format!("<{}> without a geometry", node.tag_name().name()), text.line_of(node));
        return Ok(None);
    };
    let length = |name: &str| -> Result<f64, SceneError> {
        text.required(shape, name)?;
        let value = text.number(shape, name)?.unwrap_or(0.0);
        positive(text, shape, name, value)?;
        Ok(value)
    };
    let form = match shape.tag_name().name() {
        "box" => {
            text.required(shape, "size")?;
            let size = text.vector::<3>(shape, "size")?.unwrap_or_default();
            for edge in size {
                positive(text, shape, "size", edge)?;
            }
            Form::Box(size)
        }
        "sphere" => Form::Sphere(length("radius")?),
        "cylinder" => Form::Cylinder { radius: length("radius")?, length: length("length")? },
        "capsule" => Form::Capsule { radius: length("radius")?, length: length("length")? },
        "mesh" => {
            let uri = text.name(shape, "filename")?.to_string();
            // One factor for all axes is no URDF, but written.
            let scale = match text.numbers(shape, "scale", 1..=3)?.as_deref() {
                None => [1.0; 3],
                Some([s]) => [*s; 3],
                Some([x, y, z]) => [*x, *y, *z],
                Some(_) => {
                    let help = "write scale=\"0.001 0.001 0.001\"";
                    let message = "`scale` has 2 numbers, not 3";
                    return Err(text.error(ErrorKind::WrongType, value_range(shape, "scale"), message, help));
                }
            };
            text.finite(shape, "scale", &scale)?;
            if scale.contains(&0.0) {
                let help = "1 leaves an axis as it is, -1 mirrors it";
                return Err(text.bad(value_range(shape, "scale"), "a scale is zero", help));
            }
            Form::Mesh { uri, scale }
        }
        tag => {
            report.ignored(format!("shape <{}>", clip(tag)), text.line_of(shape));
            return Ok(None);
        }
    };
    if form.is_empty() {
        report.ignored("shape without a size", text.line_of(shape));
        return Ok(None);
    }
    Ok(Some(Geometry { frame, form, at: start(shape) }))
}

/// Sizes are not negative; a shape of size zero is left out.
fn positive<'t>(text: &XmlText<'t>, node: Node<'_, 't>, name: &str, value: f64) -> Result<(), SceneError> {
    if value >= 0.0 {
        return Ok(());
    }
    Err(text.bad(
        value_range(node, name),
        format!("`{name}` is {value}"),
        "a shape has a positive size, in m",
    ))
}
