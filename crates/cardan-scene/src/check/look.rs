//! Checks of colours and of the camera.

use super::{Check, CheckResult};
use crate::document::FieldPath;
use crate::scene::{CameraDesc, LookDesc};

impl Check<'_> {
    pub(super) fn look(&self, path: &FieldPath, look: Option<&LookDesc>) -> CheckResult {
        let Some(look) = look else { return Ok(()) };
        let path = path.join("look");
        let is_hex = |text: &str| {
            let digits = text.strip_prefix('#').filter(|digits| digits.len() == 6);
            digits.is_some_and(|digits| digits.bytes().all(|digit| digit.is_ascii_hexdigit()))
        };
        if let Some(color) = look.color.as_ref().filter(|color| !is_hex(color)) {
            let message = format!("`{}` is not a colour", color.chars().take(40).collect::<String>());
            return Err(self.bad(
                path.join("color"),
                message,
                "red, green and blue as \"#rrggbb\", such as \"#2f6fde\"",
            ));
        }
        if let Some(opacity) = look.opacity.filter(|opacity| !(0.0..=1.0).contains(&opacity.0)) {
            let message = format!("an opacity of {}", opacity.0);
            return Err(self.bad(path.join("opacity"), message, "from 0, invisible, to 1"));
        }
        Ok(())
    }

    pub(super) fn camera(&self, camera: Option<&CameraDesc>) -> CheckResult {
        let Some(camera) = camera else { return Ok(()) };
        let path = FieldPath::from("camera");
        if let Some(body) = &camera.follow {
            self.known_body(&path, "follow", body)?;
        }
        if camera.angle.is_some() && camera.height.is_some() {
            let help = "an `angle` for a view in perspective, a `height` for parallel projection";
            return Err(self.bad(path.join("height"), "both `angle` and `height` are given", help));
        }
        let turn = core::f64::consts::PI;
        if let Some(angle) = camera.angle.filter(|angle| !(angle.0 > 0.0 && angle.0 < turn)) {
            let message = format!("an angle of view of {} rad", angle.0);
            return Err(self.bad(
                path.join("angle"),
                message,
                "more than 0° and less than 180°, such as \"40 deg\"",
            ));
        }
        if let Some(height) = camera.height.filter(|height| !(height.0 > 0.0 && height.0.is_finite())) {
            let message = format!("a height of {} m", height.0);
            return Err(self.bad(path.join("height"), message, "it must be positive"));
        }
        let numbers = |p: [crate::quantity::Length; 3]| p.map(|x| x.0);
        if let (Some(from), Some(to)) = (camera.position.map(numbers), camera.target.map(numbers))
            && from == to
        {
            let help = "where the camera is, and what it looks at";
            return Err(self.bad(path.join("target"), "it is where the camera is", help));
        }
        if let Some(up) = camera.up.filter(|up| up.iter().all(|x| x.0 == 0.0)) {
            let message = format!("no direction is up: {:?}", up.map(|x| x.0));
            return Err(self.bad(path.join("up"), message, "a direction such as [0, 0, 1]"));
        }
        Ok(())
    }
}
