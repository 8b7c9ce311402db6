//! The scenes that come with the program: the files of the repository folder `scenes/`, by name.

/// A scene that comes with the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bundled {
    /// The file name without its ending.
    pub name: &'static str,
    /// The TOML text.
    pub text: &'static str,
}

/// All bundled scenes, by name.
pub fn bundled() -> &'static [Bundled] {
    BUNDLED
}

const BUNDLED: &[Bundled] = include!(concat!(env!("OUT_DIR"), "/bundled.rs"));
