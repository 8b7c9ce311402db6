//! Files that a robot file names: `package://NAME/…`, `model://NAME/…`, `file://…` and paths from its own folder.
//!
//! A file outside the folder of the robot file, its package and the packages that are given is not read unless
//! [`ImportOptions::allow_outside`](super::ImportOptions::allow_outside) says so: a robot file may come from anywhere.

use std::path::{Component, Path, PathBuf};

use super::{ImportOptions, read_at_most};
use crate::document::FileProvider;

/// What became of the name of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum FoundFile {
    At(PathBuf),
    /// It cannot be found; the reason and a remedy.
    Missing(String),
    /// It lies where nothing is read from; the folder that would have to be allowed.
    Outside(PathBuf),
}

/// Message and help for a file that lies in a folder where nothing is read from.
pub(crate) fn outside(uri: &str, folder: &Path) -> (String, String) {
    let message = format!("`{}` lies outside the folder of the robot file", crate::document::clip(uri));
    let help = format!(
        "move it there, name its folder (--package NAME={}), or read files from anywhere with --allow-outside",
        folder.display()
    );
    (message, help)
}

/// Finds files named in a robot file.
pub(crate) struct FileFinder<'o> {
    folder: PathBuf,
    options: &'o ImportOptions,
    /// The ROS package that the robot file lies in: the nearest folder above it with a `package.xml`.
    own_package: Option<PathBuf>,
    /// Gives files by their paths from the folder of the scene; the file system without one.
    files: Option<FileProvider>,
}

impl<'o> FileFinder<'o> {
    pub(crate) fn new(folder: &Path, options: &'o ImportOptions) -> Self {
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        let folder = folder.canonicalize().unwrap_or(folder.to_path_buf());
        let own_package = folder.ancestors().find(|above| above.join("package.xml").is_file());
        let own_package = own_package.map(Path::to_path_buf);
        Self { folder, options, own_package, files: None }
    }

    /// Finds files that a provider gives. Paths are those from the folder of the scene, where `folder` lies.
    pub(crate) fn provided(folder: &Path, options: &'o ImportOptions, files: FileProvider) -> Self {
        Self { folder: folder.to_path_buf(), options, own_package: None, files: Some(files) }
    }

    /// The bytes of a file that was found, and one more than `most` if it has more.
    pub(crate) fn read(&self, file: &Path, most: usize) -> std::io::Result<Vec<u8>> {
        match &self.files {
            Some(files) => files.read(file),
            None => read_at_most(file, most),
        }
    }

    /// Whether files come from a provider.
    pub(crate) fn is_provided(&self) -> bool {
        self.files.is_some()
    }

    /// Finds files that another file names, which lies in this folder.
    pub(crate) fn within(&self, folder: &Path) -> Self {
        Self {
            folder: folder.to_path_buf(),
            options: self.options,
            own_package: self.own_package.clone(),
            files: self.files.clone(),
        }
    }

    /// The folder of the robot file.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    pub(crate) fn find(&self, uri: &str) -> FoundFile {
        let named = uri.strip_prefix("package://").or(uri.strip_prefix("model://"));
        let wanted = if let Some(rest) = named {
            let (package, path) = rest.split_once('/').unwrap_or((rest, ""));
            match self.package(package) {
                Some(root) => root.join(path),
                None => {
                    let package = crate::document::clip(package);
                    return FoundFile::Missing(format!(
                        "package `{package}` is not known (--package {package}=DIR)"
                    ));
                }
            }
        } else if let Some(path) = uri.strip_prefix("file://") {
            self.folder.join(path)
        } else if uri.contains("://") {
            return FoundFile::Missing("only package://, model://, file:// and paths are read".to_string());
        } else {
            self.folder.join(uri)
        };
        if let Some(files) = &self.files {
            // Where the folder of the scene is left, nothing is given.
            return match inside(&wanted) {
                None => FoundFile::Outside(wanted.parent().unwrap_or(&wanted).to_path_buf()),
                Some(path) if files.read(&path).is_ok() => FoundFile::At(path),
                Some(_) => FoundFile::Missing("there is no such file".to_string()),
            };
        }
        // Links are followed before it is decided what lies inside; a file that is not there has none.
        let real = wanted.canonicalize().unwrap_or_else(|_| without_dots(&wanted));
        if !self.options.allow_outside && !self.roots().any(|root| real.starts_with(root)) {
            return FoundFile::Outside(real.parent().unwrap_or(&real).to_path_buf());
        }
        if !real.is_file() {
            return FoundFile::Missing("there is no such file".to_string());
        }
        FoundFile::At(real)
    }

    fn package(&self, name: &str) -> Option<PathBuf> {
        let given = self.options.packages.iter().find(|(own, _)| own == name);
        let own = self.own_package.as_ref().filter(|root| root.file_name().is_some_and(|own| own == name));
        // A provider lists no folders: the package is the folder of its name that the robot file is in.
        let above = self.files.as_ref().and_then(|_| {
            self.folder.ancestors().find(|folder| folder.file_name().is_some_and(|own| own == name))
        });
        given.map(|(_, folder)| folder.clone()).or(own.cloned()).or(above.map(Path::to_path_buf))
    }

    fn roots(&self) -> impl Iterator<Item = PathBuf> {
        let given = self.options.packages.iter().map(|(_, folder)| folder.clone());
        let all = given.chain(self.own_package.clone()).chain([self.folder.clone()]);
        all.map(|root| root.canonicalize().unwrap_or(root))
    }
}

/// A path from a folder without dots; none if it leaves the folder.
fn inside(path: &Path) -> Option<PathBuf> {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir if plain.pop() => {}
            Component::Normal(word) => plain.push(word),
            _ => return None,
        }
    }
    Some(plain)
}

/// The path without `.` and `..`, by its words alone.
fn without_dots(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                plain.pop();
            }
            other => plain.push(other),
        }
    }
    plain
}

/// The path of a file from a folder: `../meshes/part.stl`. Both are absolute and without dots.
pub(crate) fn relative(file: &Path, folder: &Path) -> PathBuf {
    let common = file.components().zip(folder.components()).take_while(|(a, b)| a == b).count();
    if common == 0 {
        return file.to_path_buf();
    }
    let up = folder.components().skip(common).map(|_| Component::ParentDir);
    up.chain(file.components().skip(common)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_relative_to_a_folder() {
        let path = |file: &str, folder: &str| relative(Path::new(file), Path::new(folder));
        assert_eq!(path("/a/b/c.stl", "/a/b"), Path::new("c.stl"));
        assert_eq!(path("/a/b/c.stl", "/a/d/e"), Path::new("../../b/c.stl"));
        assert_eq!(without_dots(Path::new("/a/./b/../../c")), Path::new("/c"));
    }

    #[test]
    fn a_provider_is_asked_for_nothing_outside() {
        assert_eq!(inside(Path::new("robots/./urdf/../a.stl")), Some(PathBuf::from("robots/a.stl")));
        for path in ["../a.stl", "robots/../../a.stl", "/etc/a.stl"] {
            assert_eq!(inside(Path::new(path)), None, "{path}");
        }
    }
}
