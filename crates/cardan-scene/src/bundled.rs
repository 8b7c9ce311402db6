//! The scenes and robots that come with the program: the files of the repository folders `scenes/` and `scenes/robots/`,
//! by name.

/// A scene or robot that comes with the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bundled {
    /// The file name without its ending.
    pub name: &'static str,
    /// The text: TOML, or XML of a robot.
    pub text: &'static str,
}

impl Bundled {
    /// The file name of a robot, with the ending of its format.
    pub(crate) fn robot_file(&self) -> String {
        let ending = if self.text.contains("<mujoco") { "xml" } else { "urdf" };
        format!("{}.{ending}", self.name)
    }
}

/// All bundled scenes, by name.
pub fn bundled() -> &'static [Bundled] {
    BUNDLED
}

/// All bundled robot files, by name.
pub fn bundled_robots() -> &'static [Bundled] {
    ROBOTS
}

const BUNDLED: &[Bundled] = include!(concat!(env!("OUT_DIR"), "/bundled.rs"));
const ROBOTS: &[Bundled] = include!(concat!(env!("OUT_DIR"), "/robots.rs"));
