//! Robot files out: a scene as URDF or MJCF, with a list of what these formats cannot say.
//!
//! Bodies become a tree: a joint that reaches a body first is its joint in the tree, in the order of the file; the others
//! close loops. URDF has no loops; they go into a file beside it (`NAME.loops.toml`), which cardan reads again.

mod mechanism;
mod mjcf;
mod urdf;

use cardan::Frame;
use cardan::math::{Quat, Vec3};

use crate::document::Document;
use crate::error::SceneError;
use crate::scene::Scene;

/// The format of a robot file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RobotFormat {
    /// URDF, with a file of loops beside it.
    Urdf,
    /// MJCF, the format of MuJoCo.
    Mjcf,
}

/// A scene as a robot file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exported {
    /// The robot file.
    pub text: String,
    /// Of URDF: the file beside it, if there are loops.
    pub loops: Option<String>,
    /// What the format cannot say, one line each.
    pub unsaid: Vec<String>,
}

impl Scene {
    /// The scene as a robot file. `document` is the text of this scene: mistakes are shown in it.
    ///
    /// ```
    /// let document = cardan_scene::Source::resolve("pendulum").read()?;
    /// let scene = cardan_scene::Scene::from_document(&document)?;
    /// let robot = scene.export(&document, cardan_scene::RobotFormat::Urdf)?;
    /// assert!(robot.text.contains("<joint name="));
    /// # Ok::<(), cardan_scene::SceneError>(())
    /// ```
    ///
    /// # Errors
    /// If the scene is wrong, or a body is not rigid.
    pub fn export(&self, document: &Document, format: RobotFormat) -> Result<Exported, SceneError> {
        let mechanism = mechanism::Mechanism::of(self, document)?;
        match format {
            RobotFormat::Urdf => urdf::write(&mechanism),
            RobotFormat::Mjcf => Ok(mjcf::write(&mechanism)),
        }
    }
}

/// A name or text between quotes of XML.
fn escaped(word: &str) -> String {
    let mut out = String::with_capacity(word.len());
    for c in word.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

/// Numbers with all their digits, between blanks.
fn numbers(all: &[f64]) -> String {
    // −0 reads as 0.
    let words: Vec<String> = all.iter().map(|x| format!("{:?}", x + 0.0)).collect();
    words.join(" ").replace(".0 ", " ").trim_end_matches(".0").to_string()
}

fn vector(v: Vec3) -> String {
    numbers(&v.to_array())
}

/// Roll, pitch and yaw of a rotation. Any yaw will do where roll and yaw turn about the same axis.
fn rpy(rot: Quat) -> [f64; 3] {
    let m = rot.matrix();
    let yaw = libm::atan2(m.x.y, m.x.x);
    let back = Quat::from_axis_angle(Vec3::Z, -yaw).unwrap_or(Quat::IDENTITY).matrix();
    // R_z(−yaw) R = R_y(pitch) R_x(roll), column by column.
    let [x, y, z] = [back * m.x, back * m.y, back * m.z];
    [libm::atan2(-z.y, y.y), libm::atan2(-x.z, x.x), yaw]
}

/// The motion of b's joint frame seen from a's, for coordinates of a lower pair along or about z.
fn along_z(shift: f64, angle: f64) -> Frame {
    let rot = Quat::from_axis_angle(Vec3::Z, angle).unwrap_or(Quat::IDENTITY);
    Frame { pos: Vec3::Z * shift, rot }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::import::from_rpy;

    #[test]
    fn roll_pitch_and_yaw_give_the_rotation_back() {
        for angles in [
            [0.3, -1.2, 2.9],
            [0.0, core::f64::consts::FRAC_PI_2, 0.4],
            [2.0, -core::f64::consts::FRAC_PI_2, 1.0],
        ] {
            let rot = from_rpy(angles);
            let again = from_rpy(rpy(rot));
            assert!((again.inverse() * rot).log().norm() < 1e-15, "{angles:?}");
        }
    }

    #[test]
    fn numbers_are_short_and_exact() {
        assert_eq!(numbers(&[1.0, -0.0, 0.1, 1e-7, 2.0]), "1 0 0.1 1e-7 2");
    }
}
