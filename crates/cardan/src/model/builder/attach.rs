//! Attachments: frames of descriptions become frames from centres of mass, or from carriers of general bodies.

use super::ModelBuilder;
use super::check::{finite, unit};
use crate::body::general::{self, Carrier, GeneralBody, GeneralMotion};
use crate::body::{Body, Frame};
use crate::joint::{Anchor, Axes, Joint, Placement};
use crate::math::{Quat, Vec3};
use crate::model::{Attachment, BuildError, End, ModelBody};

impl ModelBuilder {
    /// The description behind an end; `None` for the ground.
    pub(super) fn lookup(
        &self,
        part: &'static str,
        name: &str,
        end: End,
    ) -> Result<Option<(usize, &Body)>, BuildError> {
        match end {
            End::Ground => Ok(None),
            End::Body(id) | End::Piece(id, _) => {
                let index = self.id_source.place_of(id);
                let found = index.and_then(|index| Some((index, self.bodies.get(index)?)));
                found.map(Some).ok_or_else(|| BuildError::UnknownBody { part, name: name.into() })
            }
        }
    }

    /// A frame from a body's frame becomes one from its centre of mass.
    pub(super) fn attach(
        &self,
        part: &'static str,
        name: &str,
        kind: &'static str,
        end: End,
        frame: &Frame,
        needs_orientation: bool,
    ) -> Result<Attachment, BuildError> {
        finite(part, name, "attachment point", frame.pos)?;
        let frame = &Frame { pos: frame.pos, rot: unit(part, name, frame.rot)? };
        let Some((index, body)) = self.lookup(part, name, end)? else {
            return Ok(Attachment::new(None, *frame));
        };
        let piece = match end {
            End::Piece(_, piece) => piece,
            _ => 0,
        };
        let misfit = |why| BuildError::DoesNotFit {
            part,
            name: name.into(),
            kind,
            body: body.name.clone(),
            body_kind: body.kind.name(),
            why,
        };
        if let Some(figure) = &body.form {
            let Some(of) = figure.0.pieces().get(piece as usize) else {
                return Err(misfit("the body has no piece of that number"));
            };
            if needs_orientation && !of.turns() {
                return Err(misfit("a point has no orientation"));
            }
            // What meets others has a size that is known.
            if part == "shape" && !of.rigid && kind != "sphere" {
                return Err(misfit("it changes its own shape; put spheres on its points"));
            }
            if !of.turns() && frame.pos.largest() > 1e-9 * (1.0 + body.pos.largest()) {
                return Err(misfit("a point has no other points than itself; attach at [0, 0, 0]"));
            }
            let local = if of.turns() { *frame } else { Frame { pos: Vec3::ZERO, ..*frame } };
            return Ok(Attachment::on_piece(index, piece, local));
        }
        if piece != 0 {
            return Err(misfit("the body is of one piece, which has the number 0"));
        }
        if needs_orientation && !body.kind.has_orientation() {
            return Err(misfit("a point mass has no orientation"));
        }
        let pos = frame.pos - body.mass.center;
        // Rounding of an anchor given in the world is not an offset.
        if !body.kind.has_orientation() && pos.largest() > 1e-9 * (1.0 + body.pos.largest()) {
            return Err(misfit("a point mass has no other points than itself; attach at [0, 0, 0]"));
        }
        let pos = if body.kind.has_orientation() { pos } else { Vec3::ZERO };
        let local = Frame { pos, rot: frame.rot };
        Ok(Attachment::new(Some(index), local))
    }

    pub(super) fn resolve_frames(
        &self,
        part: &'static str,
        name: &str,
        kind: &'static str,
        frames: &[(End, Frame)],
        needs_orientation: impl Fn(usize) -> bool,
    ) -> Result<Vec<Attachment>, BuildError> {
        let each = frames.iter().enumerate();
        each.map(|(i, (end, frame))| self.attach(part, name, kind, *end, frame, needs_orientation(i)))
            .collect()
    }

    /// The joint frames seen from the two body frames.
    pub(crate) fn frames_of(
        joint: &Joint,
        a: Option<&Body>,
        b: Option<&Body>,
    ) -> Result<(Frame, Frame), BuildError> {
        let name = &joint.name;
        let (anchor, axis, axis2) = match joint.placement {
            Placement::Frames { in_a, in_b } => return Ok((in_a, in_b)),
            Placement::World { anchor, axis, axis2 } => (anchor, axis, axis2),
        };
        let no_axis = || BuildError::NoAxis { joint: name.clone(), kind: joint.kind.name() };
        let rot = match axis {
            Some(axis) if matches!(joint.kind.about().axes, Axes::Cross | Axes::Two) => {
                let cross = || BuildError::NoCross { joint: name.clone() };
                let (z, x) = (axis.normalized().ok_or_else(no_axis)?, axis2.and_then(Vec3::normalized));
                // Beyond the rounding of a few decimals it is another joint than the one meant.
                let x = x.filter(|x| x.dot(z).abs() <= 1e-6).ok_or_else(cross)?;
                Quat::with_z_along(z, Some(x)).ok_or_else(cross)?
            }
            Some(axis) => Quat::with_z_along(axis, None).ok_or_else(no_axis)?,
            None if joint.kind.needs_axis() => return Err(no_axis()),
            None => Quat::IDENTITY,
        };
        // A weld may be put anywhere; where b is, unless said otherwise. A bead's own point is b's origin.
        let origin =
            |b: &Body| piece_of(b, joint.b).map_or(b.pos, |(posed, piece)| posed.frame_of_piece(piece).0);
        let anchor = anchor.unwrap_or(b.map_or(Vec3::ZERO, origin));
        finite("joint", name, "anchor", anchor)?;
        let seen_from = |body: Option<&Body>, end: End| match body {
            None => Ok(Frame { pos: anchor, rot }),
            Some(body) if body.form.is_some() => {
                // A piece that there is not is refused where it is attached, one that is flattened when the body is checked.
                let Some((posed, piece)) = piece_of(body, end) else {
                    return Ok(Frame { pos: Vec3::ZERO, rot });
                };
                let seen = general::seen_from(&posed, piece, Frame { pos: anchor, rot });
                match seen {
                    None if posed.bends(piece) => Err(BuildError::DoesNotFit {
                        part: "joint",
                        name: name.clone(),
                        kind: joint.kind.name(),
                        body: body.name.clone(),
                        body_kind: body.kind.name(),
                        why: "it is bent so that none of its points is at the anchor; give a point of the body",
                    }),
                    seen => Ok(seen.unwrap_or(Frame { pos: Vec3::ZERO, rot })),
                }
            }
            Some(body) => {
                let back = body.rot.inverse();
                Ok(Frame { pos: back * (anchor - body.pos), rot: back * rot })
            }
        };
        let turns = |b: &Body| match (&b.form, joint.b) {
            (Some(figure), End::Piece(_, piece)) => {
                figure.0.pieces().get(piece as usize).is_none_or(|p| p.turns())
            }
            (Some(figure), _) => figure.0.pieces()[0].turns(),
            (None, _) => b.kind.has_orientation(),
        };
        let point_mass = b.is_some_and(|b| !turns(b));
        let in_b = match joint.kind.about().anchor {
            Anchor::Around => Frame::default(),
            // Any place on the line or plane will do for the anchor; a point mass has only one point to be there.
            Anchor::Along if point_mass => Frame::default(),
            _ => seen_from(b, joint.b)?,
        };
        Ok((seen_from(a, joint.a)?, in_b))
    }
}

/// A general body as described, and the piece of it that an end means, if there is such a one.
fn piece_of(body: &Body, end: End) -> Option<(GeneralMotion, usize)> {
    let figure = body.form.as_ref()?;
    let piece = match end {
        End::Piece(_, piece) => piece as usize,
        _ => 0,
    };
    (piece < figure.0.pieces().len()).then(|| (general::posed(body, figure), piece))
}

/// Gives general bodies what only they have, and every attachment on one its carrier: that of its piece if it is rigid, else one of its own, which
/// attachments at the same point share.
pub(super) fn carry(
    described: &[Body],
    bodies: &mut [ModelBody],
    ends: &mut [&mut Attachment],
) -> Vec<Carrier> {
    let mut carriers: Vec<Carrier> = Vec::new();
    for (i, (described, body)) in described.iter().zip(bodies.iter_mut()).enumerate() {
        let Some(figure) = &described.form else { continue };
        let mut of_pieces = Vec::new();
        for (piece, of) in figure.0.pieces().iter().enumerate() {
            of_pieces.push((of.rigid || piece == 0).then_some(carriers.len() as u32));
            if of.rigid || piece == 0 {
                carriers.push(Carrier { body: i, piece, at: Vec3::ZERO, rigid: of.rigid });
            }
        }
        let units = general::units(described, figure);
        let (form, base) = (figure.0.clone(), (described.pos, described.rot));
        body.general = Some(Box::new(GeneralBody { form, base, units, carriers: of_pieces }));
    }
    for end in ends {
        let Some((body, general)) = end.body().and_then(|i| Some((i, bodies[i].general.as_ref()?))) else {
            continue;
        };
        let piece = end.piece as usize;
        if general.form.pieces()[piece].rigid {
            end.set_carrier(general.carriers[piece]);
            continue;
        }
        let wanted = |c: &Carrier| (c.body, c.piece, c.at) == (body, piece, end.local.pos);
        let at = carriers.iter().position(wanted).unwrap_or_else(|| {
            carriers.push(Carrier { body, piece, at: end.local.pos, rigid: false });
            carriers.len() - 1
        });
        end.set_carrier(Some(at as u32));
        end.local.pos = Vec3::ZERO;
    }
    carriers
}
