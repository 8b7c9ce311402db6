//! `[robots.NAME]`: robot files put into the tree of a scene.
//!
//! A robot becomes its scene text (`import`), whose tables are added to those of the scene; its values remember that
//! text, so that mistakes are shown in it.

use std::path::Path;

use serde::Deserialize;

use super::{Document, FieldPath, FileProvider, Node, Span, Table, TableForm, Value, clip, toml};
use crate::error::{ErrorKind, SceneError};
use crate::import::{ImportOptions, Imported, RobotFolder, import_file, import_text, is_robot_file, utf8};
use crate::lower::frame;
use crate::quantity::Number;
use crate::scene::{FrameDesc, Named, RobotDesc, Scene};

/// The robots of a scene, whatever else it has.
#[derive(Deserialize)]
struct RobotTables {
    #[serde(default)]
    robots: Named<RobotDesc>,
    gravity: Option<[Number; 3]>,
}

/// A robot file that a provider gives, with the files that it names in turn.
fn imported_from(
    files: &FileProvider,
    name: &str,
    options: &ImportOptions,
) -> Result<Imported, Result<SceneError, String>> {
    let file = Path::new(name);
    let bytes = files.read(file).map_err(|error| Err(format!("cannot read the robot file: {error}")))?;
    let text = utf8(name, bytes).map_err(Ok)?;
    let folder = file.parent().unwrap_or(Path::new(""));
    import_text(name, &text, RobotFolder::Provided(folder, files), options).map_err(Ok)
}

impl Document {
    /// Reads the text of a scene, or of a robot file, which becomes the scene that it describes.
    ///
    /// # Errors
    /// If the text is neither, or is wrong.
    pub fn parse_any(name: &str, text: &str, options: &ImportOptions) -> Result<Self, SceneError> {
        if !is_robot_file(text.as_bytes()) {
            return Document::parse(name, text);
        }
        import_text(name, text, RobotFolder::None, options)?.into_document(name, Path::new(""))
    }

    /// Puts the robot files of `[robots.NAME]` into the scene. [`Source::read`](crate::Source::read) has done so.
    ///
    /// # Errors
    /// If a robot file cannot be read or is wrong, or a name is given twice.
    pub fn include_robots(&mut self, options: &ImportOptions) -> Result<(), SceneError> {
        if self.root.as_table().is_none_or(|root| root.get("robots").is_none()) {
            return Ok(());
        }
        let RobotTables { robots, gravity } = crate::deserialize::deserialize_document(self)?;
        let gravity = Scene { gravity, ..Scene::default() }.gravity();
        for (name, robot) in robots.iter() {
            let path = FieldPath::item("robots", name);
            let file = self.beside(&robot.file);
            let base = frame(&FrameDesc { position: robot.position, orientation: robot.orientation });
            let options = ImportOptions {
                floating: robot.floating.unwrap_or(false),
                base,
                prefix: robot.prefix.clone().unwrap_or_else(|| format!("{name}/")),
                is_part: true,
                gravity: Some(gravity),
                floor: None,
                output_folder: Some(self.folder.clone()),
                ..options.clone()
            };
            let imported = match self.provider() {
                Some(files) => imported_from(files, &robot.file, &options),
                None => import_file(&file, &options),
            };
            let imported = imported.map_err(|error| match error {
                Ok(error) => error,
                Err(why) => {
                    let help = "a .urdf, .sdf or .xml file, its path from the folder of the scene";
                    SceneError::at(self, path.join("file"), why, Some(help)).with_kind(ErrorKind::Io)
                }
            })?;
            self.robot_reports.push((file.display().to_string(), imported.report));
            self.overrides.push((format!("{} (as a scene)", file.display()), imported.toml));
            let origin = self.overrides.len() as u32;
            let text = &self.overrides[self.overrides.len() - 1].1;
            let read = toml::read(text);
            let mut read = match read {
                Ok(read) => read,
                Err(fault) => return Err(SceneError::from_read_error(self, *fault, origin, path)),
            };
            set_origin(&mut read, origin);
            self.graft(read, &path)?;
        }
        if let Value::Table(root) = &mut self.root.value {
            root.remove("robots");
        }
        Ok(())
    }

    /// Adds the parts of a robot's scene.
    fn graft(&mut self, robot: Node, path: &FieldPath) -> Result<(), SceneError> {
        let Value::Table(robot) = robot.value else { return Ok(()) };
        for part in robot.entries() {
            match &*part.key {
                "bodies" | "joints" | "probes" | "forces" | "inequalities" | "materials" => {
                    let Some(new) = part.node.as_table() else { continue };
                    let own = FieldPath::from(&*part.key);
                    if let Some(twice) = new.entries().iter().find(|e| self.get(&own.join(&*e.key)).is_some())
                    {
                        let message = format!("`{own}.{}` is in the scene already", clip(&twice.key));
                        let help = "give the robot another `prefix`";
                        let error = SceneError::at(self, path.clone(), message, Some(help));
                        return Err(error.with_kind(ErrorKind::Duplicate));
                    }
                    let Some(table) = self.table_mut(&part.key, part.node.span) else { continue };
                    for entry in new.entries() {
                        table.push(entry.key.clone(), entry.key_span, entry.node.clone());
                    }
                }
                "ground" => self.append("ground", "shapes", &part.node),
                "contacts" => {
                    // The table itself switches contacts on, whatever it lists.
                    self.table_mut("contacts", part.node.span);
                    for field in ["add", "exclude", "pairs"] {
                        self.append("contacts", field, &part.node);
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// A table of the scene, made if there is none.
    fn table_mut(&mut self, key: &str, span: Span) -> Option<&mut Table> {
        let Value::Table(root) = &mut self.root.value else { return None };
        let at = root.position(key).unwrap_or_else(|| {
            let table = Value::Table(Box::new(Table::new(TableForm::Header)));
            root.push(key.into(), span, Node { value: table, span })
        });
        match &mut root.node_mut(at).value {
            Value::Table(table) => Some(table),
            _ => None,
        }
    }

    /// Adds the elements of an array of a table.
    fn append(&mut self, table: &str, field: &str, from: &Node) {
        let Some(Value::Array(new)) = from.as_table().and_then(|t| t.get(field)).map(|node| &node.value)
        else {
            return;
        };
        let Some(table) = self.table_mut(table, from.span) else { return };
        let at = table.position(field).unwrap_or_else(|| {
            table.push(field.into(), from.span, Node { value: Value::Array(Vec::new()), span: from.span })
        });
        if let Value::Array(items) = &mut table.node_mut(at).value {
            items.extend(new.iter().cloned());
        }
    }
}

/// The text that values come from; nesting is bounded by the reader.
fn set_origin(node: &mut Node, origin: u32) {
    node.span.origin = origin;
    match &mut node.value {
        Value::Array(items) => items.iter_mut().for_each(|item| set_origin(item, origin)),
        Value::Table(table) => {
            for entry in &mut table.entries {
                entry.key_span.origin = origin;
                set_origin(&mut entry.node, origin);
            }
        }
        _ => {}
    }
}
