//! What touches what in a robot: its links pass through each other unless asked, and touch everything else.

use crate::robots::folder;
use cardan::Simulation;
use cardan_scene::{ImportOptions, Scene, SceneError, Source, Treatment, import_robot};
use std::fmt::Write as _;
use std::path::Path;

const INERTIAL: &str = r#"<inertial><mass value="2"/>
    <inertia ixx="0.2" iyy="0.3" izz="0.15" ixy="0" ixz="0" iyz="0"/></inertial>"#;

/// A base with a box and two links; the second, a ball, overlaps the base, which no joint connects it to.
fn overlapping() -> String {
    format!(
        r#"<robot name="r"><link name="base"><collision><geometry><box size="1 1 1"/></geometry></collision></link>
        <link name="arm">{INERTIAL}</link>
        <link name="hand">{INERTIAL}<collision><geometry><sphere radius="0.2"/></geometry></collision></link>
        <joint name="j" type="continuous"><parent link="base"/><child link="arm"/></joint>
        <joint name="k" type="continuous"><parent link="arm"/><child link="hand"/><origin xyz="0 0 0.6"/></joint></robot>"#
    )
}

/// Names of what overlaps.
fn overlaps(mut sim: Simulation) -> Vec<String> {
    sim.overlaps().iter().map(|overlap| overlap.name.clone()).collect()
}

/// A ball that overlaps the base of a robot: the base is a shape of the ground, which meets the ball but not the robot's
/// own hand; with `self_collision` the hand, too.
#[test]
fn a_fixed_root_is_touched_by_everything_but_its_own_links() {
    let here = folder("fixed-root");
    std::fs::write(here.join("r.urdf"), overlapping()).expect("a file");
    let scene = "[robots.r]\nfile = \"r.urdf\"\n[bodies.ball]\nmass = 1\nposition = [0.55, 0, 0]\n\
                 shape = { kind = \"sphere\", radius = 0.1 }\n";
    std::fs::write(here.join("s.toml"), scene).expect("a file");
    let found = |self_collision: bool| -> Result<Vec<String>, SceneError> {
        let options = ImportOptions { self_collision, ..ImportOptions::default() };
        let source = Source::resolve(here.join("s.toml").to_str().expect("a path"));
        let document = source.read_with(&options)?;
        Ok(overlaps(Simulation::new(Scene::from_document(&document)?.to_model(&document)?)))
    };
    let (plain, asked) = (found(false), found(true));
    std::fs::remove_dir_all(here).expect("the folder");
    assert_eq!(plain.expect("a scene"), ["ground-ball"]);
    let mut asked = asked.expect("a scene");
    asked.sort();
    assert_eq!(asked, ["ground-ball", "ground-r/hand"]);
}

/// A long robot names its collision group once per shape: text and rules grow with the number of links.
#[test]
fn self_collision_of_many_links_is_one_group() {
    let chain = |n: usize| {
        let shape = "<collision><geometry><sphere radius=\"0.2\"/></geometry></collision>";
        let mut urdf = format!("<robot name=\"r\"><link name=\"l0\">{INERTIAL}{shape}</link>");
        for i in 1..n {
            let _ = write!(
                urdf,
                "<link name=\"l{i}\">{INERTIAL}{shape}</link><joint name=\"j{i}\" type=\"continuous\"><parent link=\"l{}\"/>\
                 <child link=\"l{i}\"/><origin xyz=\"0.1 0 0\"/></joint>",
                i - 1
            );
        }
        urdf + "</robot>"
    };
    let options = ImportOptions { floating: true, floor: Some(-1.0), ..ImportOptions::default() };
    let imported = import_robot("r.urdf", &chain(3000), Path::new(""), &options).expect("a robot");
    assert!(imported.scene.contacts.is_none());
    let document = imported.into_document("r.urdf", Path::new("")).expect("a document");
    let scene = Scene::from_document(&document).expect("a scene");
    let model = scene.to_model(&document).expect("a model");
    assert_eq!(model.shapes().len(), 3001);
    // Neighbours of neighbours overlap by their shapes, and nothing else does.
    let short = import_robot("r.urdf", &chain(6), Path::new(""), &options).expect("a robot");
    let document = short.into_document("r.urdf", Path::new("")).expect("a document");
    let short = Scene::from_document(&document).expect("a scene").to_model(&document).expect("a model");
    assert!(overlaps(Simulation::new(short)).is_empty());
}

/// A file that ten shapes use is read once; each use is in the report with its line.
#[test]
fn a_mesh_is_shared_by_the_shapes_that_use_it() {
    let here = folder("shared-mesh");
    std::fs::write(
        here.join("a.obj"),
        "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n",
    )
    .expect("a file");
    let shape = "<collision><geometry><mesh filename=\"a.obj\"/></geometry></collision>\n".repeat(10);
    let urdf = overlapping().replacen("<collision>", &format!("{shape}<collision>"), 1);
    let imported = import_robot("r.urdf", &urdf, &here, &ImportOptions::default()).expect("a robot");
    std::fs::remove_dir_all(here).expect("the folder");
    let hulls = imported.report.of(Treatment::Approximated).find(|note| note.what.contains("convex hull"));
    assert_eq!(hulls.expect("a note").lines.len(), 10);
    let ground = imported.scene.ground.expect("a ground");
    assert_eq!(ground.shapes.iter().filter(|shape| shape.file.as_deref() == Some("a.obj")).count(), 10);
}
