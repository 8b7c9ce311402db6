//! `<equality>`: exact loop joints and couplers. `solref` and `solimp`, which make MuJoCo's soft, are not
//! needed.
//!
//! | element | scene |
//! |---|---|
//! | `connect` | a `spherical` joint; the second anchor is where the first is in the pose of the file |
//! | `weld` | a `fixed` joint |
//! | `joint` | a `coupler`: q₁ − p(q₂) = offset, with the polynomial about the pose of the file |
//! | `tendon` | a `coupler` along joints, a `rope` through points |

use cardan::Frame;
use cardan::math::Quat;

use super::fields::{Fields, MAIN};
use super::scene::SceneBuilder;
use super::tendons::{Tendon, TendonPath, Tendons};
use super::tree::{MotionType, NamedPart};
use crate::document::clip;
use crate::error::{ErrorKind, SceneError};
use crate::import::report::Treatment;
use crate::import::space::{compose, frame_desc, inverse, lengths};
use crate::quantity::{Length, Number};
use crate::scene::{JointDesc, JointKindDesc, RopePointDesc, TermDesc};

impl<'a> SceneBuilder<'_, 'a> {
    pub(super) fn equalities(&mut self, tendons: &Tendons<'a>) -> Result<(), SceneError> {
        for (i, (reader, item)) in self.section("equality").into_iter().enumerate() {
            let fields = reader.fields(item, "equality", MAIN)?;
            let tag = item.tag();
            if fields.flag("active")? == Some(false) || !self.settings.equality {
                self.note(Treatment::Ignored, &format!("<{}> that is not active", clip(tag)), item);
                continue;
            }
            let desc = match tag {
                "connect" | "weld" => self.held(&fields, tag)?,
                "joint" => self.coupled(&fields)?,
                "tendon" => self.coupled_tendons(&fields, tendons)?,
                _ => {
                    self.note(Treatment::Ignored, &format!("<{}> of <equality>", clip(tag)), item);
                    continue;
                }
            };
            for name in ["solref", "solimp", "torquescale"] {
                if fields.has(name) {
                    let what = format!("`{name}` of <equality>: the joint is exact");
                    self.note(Treatment::Ignored, &what, item);
                }
            }
            let Some(desc) = desc else { continue };
            let kind = match desc.kind {
                JointKindDesc::Spherical => "a spherical joint",
                JointKindDesc::Fixed => "a fixed joint",
                JointKindDesc::Rope => "a rope",
                _ => "a coupler",
            };
            self.note(Treatment::Used, &format!("<{tag}> of <equality>: {kind}, exact"), item);
            let own = reader.name_of(item).unwrap_or_else(|| format!("{tag}{i}"));
            let name = self.taken.joints.take(self.name(&own));
            self.line("joints", &name, Some(item));
            self.scene.joints.push(name, desc);
        }
        Ok(())
    }

    /// `connect` and `weld`, by bodies or by sites.
    fn held(&mut self, fields: &Fields<'_, 'a>, tag: &str) -> Result<Option<JointDesc>, SceneError> {
        let (item, model) = (fields.item(), self.model);
        let is_weld = tag == "weld";
        let by_sites = fields.has("site1");
        // Each side: a body, and the frame of the joint in it.
        let (first, second, in_first, in_second) = if by_sites {
            let site = |name: &str| -> Result<(usize, Frame), SceneError> {
                fields.files.text(item).required(item.node, name)?;
                let site = &model.sites[model.named(fields, name, NamedPart::Site)?.unwrap_or(0)];
                Ok((site.body, site.frame))
            };
            let ((first, in_first), (second, in_second)) = (site("site1")?, site("site2")?);
            (first, second, in_first, in_second)
        } else {
            fields.files.text(item).required(item.node, "body1")?;
            let first = model.named(fields, "body1", NamedPart::Body)?.unwrap_or(0);
            let second = model.named(fields, "body2", NamedPart::Body)?.unwrap_or(0);
            let between = |from: usize, to: usize| compose(&inverse(&self.home[from]), &self.home[to]);
            if is_weld {
                // The anchor is a point of the second body. `relpose` says where it is in the first, and how the
                // second is turned there; without one both are kept from the pose of the file.
                let in_second = Frame::at(fields.vector::<3>("anchor")?.unwrap_or_default());
                let in_first = match fields.vector::<7>("relpose")? {
                    Some([x, y, z, q @ ..]) if q != [0.0; 4] => {
                        let rot = Quat::from_wxyz(q[0], q[1], q[2], q[3]).unwrap_or(Quat::IDENTITY);
                        Frame { pos: [x, y, z].into(), rot }
                    }
                    _ => compose(&between(first, second), &in_second),
                };
                (first, second, in_first, in_second)
            } else {
                let Some(anchor) = fields.vector::<3>("anchor")? else {
                    let help = "write anchor=\"x y z\", a point in the frame of body1";
                    let message = "<connect> has no `anchor`".to_string();
                    return Err(fields.files.error(item, ErrorKind::MissingField, message, help));
                };
                let in_first = Frame::at(anchor);
                let in_second = Frame::at(compose(&between(second, first), &in_first).pos);
                (first, second, in_first, in_second)
            }
        };
        if self.group_of[first] == self.group_of[second] {
            self.note(Treatment::Ignored, &format!("<{tag}> of a body to itself"), item);
            return Ok(None);
        }
        let kind = if is_weld { JointKindDesc::Fixed } else { JointKindDesc::Spherical };
        let mut desc = JointDesc::new(kind, self.body_of(first), self.body_of(second));
        let in_a = compose(&self.in_group[first], &in_first);
        let in_b = compose(&self.in_group[second], &in_second);
        let (in_a, in_b) = if is_weld { (in_a, in_b) } else { (Frame::at(in_a.pos), Frame::at(in_b.pos)) };
        (desc.frame_in_a, desc.frame_in_b) = (Some(frame_desc(&in_a)), Some(frame_desc(&in_b)));
        Ok(Some(desc))
    }

    fn polynomial(fields: &Fields<'_, 'a>) -> Result<[f64; 5], SceneError> {
        let mut all = [0.0, 1.0, 0.0, 0.0, 0.0];
        for (place, value) in all.iter_mut().zip(fields.numbers("polycoef", 1..=5)?.unwrap_or_default()) {
            *place = value;
        }
        Ok(all)
    }

    /// q₁ − r₁ = p(q₂ − r₂), where r are the coordinates in the pose of the file.
    fn coupled(&mut self, fields: &Fields<'_, 'a>) -> Result<Option<JointDesc>, SceneError> {
        let (item, model) = (fields.item(), self.model);
        fields.files.text(item).required(item.node, "joint1")?;
        let first = model.named(fields, "joint1", NamedPart::Joint)?.unwrap_or(0);
        let second = model.named(fields, "joint2", NamedPart::Joint)?;
        for j in [Some(first), second].into_iter().flatten() {
            if !matches!(model.joints[j].kind, MotionType::Hinge | MotionType::Slide) {
                let message = "a coupled joint has several coordinates".to_string();
                return Err(fields.files.bad(item, message, "couple hinges and slides"));
            }
        }
        let p = Self::polynomial(fields)?;
        let term = |builder: &Self, j: usize| builder.name(&model.joints[j].name);
        let mut terms =
            vec![TermDesc { joint: term(self, first), coordinate: 0, factor: None, polynomial: None }];
        let mut offset = model.joints[first].reference + p[0];
        if let Some(second) = second {
            let moved = shifted(p, model.joints[second].reference);
            offset = model.joints[first].reference + moved[0];
            let (factor, polynomial) = match moved {
                [_, one, 0.0, 0.0, 0.0] => (Some(Number(-one)), None),
                [_, more @ ..] => {
                    (None, Some([0.0].into_iter().chain(more.map(|c| -c)).map(Number).collect()))
                }
            };
            terms.push(TermDesc { joint: term(self, second), coordinate: 0, factor, polynomial });
        }
        let mut desc = JointDesc::new(JointKindDesc::Coupler, "", "");
        (desc.a, desc.b) = (None, None);
        (desc.terms, desc.offset) = (Some(terms), Some(Number(offset)));
        Ok(Some(desc))
    }

    /// L₁ − l₁ = p(L₂ − l₂): linear along joints; a constant length through points.
    fn coupled_tendons(
        &mut self,
        fields: &Fields<'_, 'a>,
        tendons: &Tendons<'a>,
    ) -> Result<Option<JointDesc>, SceneError> {
        let item = fields.item();
        fields.files.text(item).required(item.node, "tendon1")?;
        let named = |name: &str| -> Result<Option<&Tendon<'a>>, SceneError> {
            if !fields.has(name) {
                return Ok(None);
            }
            tendons.find(fields, name).map(Some)
        };
        let (Some(first), second) = (named("tendon1")?, named("tendon2")?) else { return Ok(None) };
        let p = Self::polynomial(fields)?;
        let refuse = |builder: &mut Self, what: &str| {
            builder.note(Treatment::Ignored, what, item);
            Ok(None)
        };
        match (&first.path, second.map(|second| &second.path)) {
            (TendonPath::Joints(own), None | Some(TendonPath::Joints(_)))
                if second.is_none() || p[2..] == [0.0; 3] =>
            {
                let mut sums: std::collections::BTreeMap<usize, f64> =
                    own.iter().fold(std::collections::BTreeMap::new(), |mut sums, (j, coef)| {
                        *sums.entry(*j).or_insert(0.0) += coef;
                        sums
                    });
                let mut offset = first.home + p[0];
                if let Some(second) = second
                    && let TendonPath::Joints(more) = &second.path
                {
                    for (j, coef) in more {
                        *sums.entry(*j).or_insert(0.0) -= p[1] * coef;
                    }
                    offset -= p[1] * second.home;
                }
                let terms = sums.into_iter().filter(|(_, coef)| *coef != 0.0).map(|(j, coef)| TermDesc {
                    joint: self.name(&self.model.joints[j].name),
                    coordinate: 0,
                    factor: Some(Number(coef)),
                    polynomial: None,
                });
                let terms: Vec<TermDesc> = terms.collect();
                if terms.is_empty() {
                    return refuse(self, "<tendon> of <equality> that couples nothing");
                }
                let mut desc = JointDesc::new(JointKindDesc::Coupler, "", "");
                (desc.a, desc.b) = (None, None);
                (desc.terms, desc.offset) = (Some(terms), Some(Number(offset)));
                Ok(Some(desc))
            }
            (TendonPath::Line(points), None) => {
                let point = |(body, at): &(usize, cardan::math::Vec3)| RopePointDesc {
                    body: self.body_of(*body),
                    point: Some(lengths(at.to_array())),
                };
                let mut desc = JointDesc::new(JointKindDesc::Rope, "", "");
                (desc.a, desc.b) = (None, None);
                desc.points = Some(points.iter().map(point).collect());
                desc.length = Some(Length(first.home + p[0]));
                Ok(Some(desc))
            }
            _ => refuse(self, "<tendon> of <equality> along wrapped lines, or by a polynomial"),
        }
    }
}

/// The coefficients of p(s − r) as a polynomial of s.
fn shifted(p: [f64; 5], r: f64) -> [f64; 5] {
    // Horner: p₀ + (s − r)(p₁ + (s − r)(…)).
    let mut all = [0.0; 5];
    for c in p.into_iter().rev() {
        let before = all;
        for k in 0..5 {
            all[k] = -r * before[k] + if k > 0 { before[k - 1] } else { c };
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::shifted;

    #[test]
    fn polynomials_are_shifted() {
        // (s − 2)² = 4 − 4 s + s².
        assert_eq!(shifted([0.0, 0.0, 1.0, 0.0, 0.0], 2.0), [4.0, -4.0, 1.0, 0.0, 0.0]);
        assert_eq!(shifted([1.0, 2.0, 0.0, 0.0, 0.0], 0.5), [0.0, 2.0, 0.0, 0.0, 0.0]);
    }
}
