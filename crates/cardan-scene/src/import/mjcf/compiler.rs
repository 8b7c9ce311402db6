//! `<compiler>` and `<option>`: how the numbers of a model are meant, and how it is simulated.

use cardan::math::{Quat, Vec3};

use super::fields::{Classes, ElementReader};
use super::files::{Files, Item};
use crate::error::SceneError;
use crate::import::report::{ImportReport, Treatment};
use crate::scene::IntegratorDesc;

/// Where the inertia of a body comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum InertiaSource {
    /// Its geoms, whatever it says itself.
    Geoms,
    /// Its own `<inertial>`.
    Own,
    /// Its own `<inertial>`, or its geoms if it has none.
    Auto,
}

/// The settings of `<compiler>`.
pub(super) struct Compiler {
    pub(super) degrees: bool,
    /// Axes of the Euler angles; small letters are carried along, capital ones are fixed.
    pub(super) euler: [u8; 3],
    pub(super) autolimits: bool,
    pub(super) inertia_from: InertiaSource,
    /// First and last group of geoms that have mass.
    pub(super) inertia_groups: [f64; 2],
    pub(super) bound_mass: f64,
    pub(super) bound_inertia: f64,
    pub(super) balance_inertia: bool,
    pub(super) total_mass: Option<f64>,
    pub(super) mesh_folder: String,
    pub(super) strip_path: bool,
}

impl Default for Compiler {
    fn default() -> Self {
        Self {
            degrees: true,
            euler: *b"xyz",
            autolimits: true,
            inertia_from: InertiaSource::Auto,
            inertia_groups: [0.0, 5.0],
            bound_mass: 0.0,
            bound_inertia: 0.0,
            balance_inertia: false,
            total_mass: None,
            mesh_folder: String::new(),
            strip_path: false,
        }
    }
}

/// Settings of `<compiler>` without a meaning for the mechanics.
const SILENT: [&str; 9] = [
    "texturedir",
    "discardvisual",
    "usethread",
    "fusestatic",
    "convexhull",
    "fitaabb",
    "saveinertial",
    "fastrender",
    "conflict",
];

impl Compiler {
    pub(super) fn radians(&self, angle: f64) -> f64 {
        if self.degrees { angle * (core::f64::consts::PI / 180.0) } else { angle }
    }

    /// The rotation of three angles, about axes that the rotations before carry along (small letters) or
    /// fixed ones.
    pub(super) fn euler(&self, angles: [f64; 3]) -> Quat {
        let mut rot = Quat::IDENTITY;
        for (axis, angle) in self.euler.iter().zip(angles) {
            let unit = match axis.to_ascii_lowercase() {
                b'x' => Vec3::X,
                b'y' => Vec3::Y,
                _ => Vec3::Z,
            };
            let turn = Quat::from_axis_angle(unit, self.radians(angle)).unwrap_or(Quat::IDENTITY);
            rot = if axis.is_ascii_lowercase() { rot * turn } else { turn * rot };
        }
        rot
    }

    pub(super) fn read<'a>(files: &Files<'a>, report: &mut ImportReport) -> Result<Self, SceneError> {
        let mut own = Self::default();
        for item in sections(files, "compiler") {
            own.read_one(files, item, report)?;
        }
        Ok(own)
    }

    fn read_one<'a>(
        &mut self,
        files: &Files<'a>,
        item: Item<'a>,
        report: &mut ImportReport,
    ) -> Result<(), SceneError> {
        let (classes, plain) = (Classes::none(), Self::default());
        let fields =
            ElementReader { files: *files, classes: &classes, compiler: &plain, prefix: "", folder: None }
                .plain(item);
        if let Some(word) = fields.choice("angle", &["degree", "radian"])? {
            self.degrees = word == "degree";
        }
        if let Some(word) = fields.word("eulerseq") {
            let axes: Vec<u8> = word.bytes().filter(|b| b"xyzXYZ".contains(b)).collect();
            match <[u8; 3]>::try_from(axes) {
                Ok(axes) if word.len() == 3 => self.euler = axes,
                _ => {
                    let help =
                        "write three of x, y, z (axes that turn) and X, Y, Z (fixed axes), as in \"xyz\"";
                    return Err(fields.bad(
                        "eulerseq",
                        "these are no axes of Euler angles".to_string(),
                        help,
                    ));
                }
            }
        }
        if fields.word("coordinate").is_some_and(|word| word != "local") {
            let help = "coordinates are those of the parent (local) since MuJoCo 2.3.4; load and save it with an older one";
            return Err(fields.bad("coordinate", "global coordinates are not read".to_string(), help));
        }
        for (name, place) in [
            ("autolimits", &mut self.autolimits),
            ("balanceinertia", &mut self.balance_inertia),
            ("strippath", &mut self.strip_path),
        ] {
            *place = fields.flag(name)?.unwrap_or(*place);
        }
        if let Some(word) = fields.choice("inertiafromgeom", &["true", "false", "auto"])? {
            self.inertia_from = match word {
                "true" => InertiaSource::Geoms,
                "false" => InertiaSource::Own,
                _ => InertiaSource::Auto,
            };
        }
        self.inertia_groups = fields.vector::<2>("inertiagrouprange")?.unwrap_or(self.inertia_groups);
        self.bound_mass = fields.positive("boundmass")?.unwrap_or(self.bound_mass);
        self.bound_inertia = fields.positive("boundinertia")?.unwrap_or(self.bound_inertia);
        if let Some(total) = fields.number("settotalmass")? {
            self.total_mass = (total > 0.0).then_some(total);
        }
        for name in ["assetdir", "meshdir"] {
            if let Some(folder) = fields.word(name) {
                self.mesh_folder = folder.to_string();
            }
        }
        const KNOWN: [&str; 14] = [
            "angle",
            "eulerseq",
            "coordinate",
            "autolimits",
            "balanceinertia",
            "strippath",
            "inertiafromgeom",
            "inertiagrouprange",
            "boundmass",
            "boundinertia",
            "settotalmass",
            "assetdir",
            "meshdir",
            "alignfree",
        ];
        for attribute in item.node.attributes() {
            let name = attribute.name();
            if !KNOWN.contains(&name) && !SILENT.contains(&name) {
                let what = format!("`{}` of <compiler>", crate::document::clip(name));
                files.note(report, Treatment::Ignored, &what, item);
            }
        }
        Ok(())
    }
}

/// The elements of a name at the top of a model.
pub(super) fn sections<'a>(files: &Files<'a>, tag: &str) -> impl Iterator<Item = Item<'a>> {
    files.children(files.root()).into_iter().filter(move |item| item.tag() == tag)
}

/// The settings of `<option>`.
pub(super) struct ModelOptions {
    pub(super) timestep: f64,
    pub(super) gravity: [f64; 3],
    pub(super) integrator: IntegratorDesc,
    /// What `<flag>` switches off.
    pub(super) contact: bool,
    pub(super) equality: bool,
    pub(super) limit: bool,
    pub(super) frictionloss: bool,
    pub(super) spring: bool,
    pub(super) damper: bool,
    pub(super) actuation: bool,
    pub(super) filterparent: bool,
}

impl ModelOptions {
    pub(super) fn read<'a>(
        reader: &ElementReader<'_, 'a>,
        report: &mut ImportReport,
    ) -> Result<Self, SceneError> {
        let mut own = Self {
            timestep: 0.002,
            gravity: [0.0, 0.0, -9.81],
            integrator: IntegratorDesc::SemiImplicitEuler,
            contact: true,
            equality: true,
            limit: true,
            frictionloss: true,
            spring: true,
            damper: true,
            actuation: true,
            filterparent: true,
        };
        for item in sections(&reader.files, "option") {
            own.read_one(reader, item, report)?;
        }
        Ok(own)
    }

    fn read_one<'a>(
        &mut self,
        reader: &ElementReader<'_, 'a>,
        item: Item<'a>,
        report: &mut ImportReport,
    ) -> Result<(), SceneError> {
        let files = &reader.files;
        let fields = reader.plain(item);
        if let Some(step) = fields.number("timestep")? {
            if step <= 0.0 {
                let message = format!("the time step is {step} s");
                return Err(fields.bad("timestep", message, "a time step is positive, such as 0.002"));
            }
            self.timestep = step;
        }
        self.gravity = fields.vector::<3>("gravity")?.unwrap_or(self.gravity);
        if let Some(word) = fields.choice("integrator", &["Euler", "RK4", "implicit", "implicitfast"])? {
            self.integrator = match word {
                "RK4" => IntegratorDesc::Rk4,
                _ => IntegratorDesc::SemiImplicitEuler,
            };
        }
        for name in ["density", "viscosity"] {
            if fields.number(name)?.is_some_and(|value| value != 0.0) {
                let what = format!("`{name}` of <option>: forces of a fluid");
                files.note(report, Treatment::Ignored, &what, item);
            }
        }
        if fields.vector::<3>("wind")?.is_some_and(|wind| wind != [0.0; 3]) {
            files.note(report, Treatment::Ignored, "`wind` of <option>", item);
        }
        for child in files.children(item) {
            if child.tag() == "flag" {
                self.flags(reader, child)?;
            } else {
                let what = format!("<{}> of <option>", crate::document::clip(child.tag()));
                files.note(report, Treatment::Ignored, &what, child);
            }
        }
        Ok(())
    }

    fn flags<'a>(&mut self, reader: &ElementReader<'_, 'a>, item: Item<'a>) -> Result<(), SceneError> {
        let fields = reader.plain(item);
        let is_off = |name: &str| -> Result<bool, SceneError> {
            Ok(fields.choice(name, &["enable", "disable"])? == Some("disable"))
        };
        for (name, place) in [
            ("contact", &mut self.contact),
            ("equality", &mut self.equality),
            ("limit", &mut self.limit),
            ("frictionloss", &mut self.frictionloss),
            ("spring", &mut self.spring),
            ("damper", &mut self.damper),
            ("actuation", &mut self.actuation),
            ("filterparent", &mut self.filterparent),
        ] {
            *place &= !is_off(name)?;
        }
        if is_off("passive")? {
            (self.spring, self.damper) = (false, false);
        }
        if is_off("constraint")? {
            (self.contact, self.equality, self.limit, self.frictionloss) = (false, false, false, false);
        }
        if is_off("gravity")? {
            self.gravity = [0.0; 3];
        }
        Ok(())
    }
}
