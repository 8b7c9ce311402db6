//! SDF models: what each of their conventions means, mistakes at their place, hostile files.

use crate::robots::{Edits, assert_rows_are_tests, folder, model};
use cardan::Simulation;
use cardan::math::{Vec3, vec3};
use cardan_scene::{ImportOptions, Imported, SceneError, Treatment, import_robot};
use cardan_testkit::{Rng, Tolerance, assert_close};
use std::path::Path;

const INERTIAL: &str = "<inertial><mass>2</mass><inertia><ixx>0.2</ixx><iyy>0.3</iyy><izz>0.15</izz>\
                        <ixy>0.01</ixy><ixz>-0.02</ixz><iyz>0.03</iyz></inertia></inertial>";

fn sdf(version: &str, inside: &str) -> String {
    format!("<sdf version=\"{version}\"><model name=\"m\">{inside}</model></sdf>")
}

fn import_in(text: &str, folder: &Path, options: &ImportOptions) -> Result<Imported, SceneError> {
    import_robot("m.sdf", text, folder, options)
}

fn import(text: &str) -> Imported {
    let imported = import_in(text, Path::new(""), &ImportOptions::default());
    imported.unwrap_or_else(|e| panic!("{}\n{text}", e.render()))
}

fn simulation(text: &str) -> Simulation {
    Simulation::new(model(import(text)))
}

fn position(sim: &mut Simulation, body: &str) -> Vec3 {
    let id = sim.model().find_body(body).unwrap_or_else(|| panic!("there is no body {body}"));
    sim.kinematics().body(id).position
}

fn assert_near(x: Vec3, y: Vec3) {
    for (x, y) in x.to_array().into_iter().zip(y.to_array()) {
        assert_close(x, y, Tolerance::rounding(64, 4.0));
    }
}

/// The pose of a joint is in the frame of its child: a pendulum of 2 kg whose pin is 1 m beside its centre.
/// α = m g c / (I + m c²).
#[test]
fn the_pose_of_a_joint_is_in_the_frame_of_its_child() {
    let joint = |axis: &str| {
        format!(
            "<link name=\"arm\"><pose>1 2 3 0 0 0</pose>{INERTIAL}</link><joint name=\"j\" type=\"revolute\">\
             <pose>-1 0 0 0 0 0</pose><parent>world</parent><child>arm</child><axis>{axis}</axis></joint>"
        )
    };
    let mut sim = simulation(&sdf("1.9", &joint("<xyz>0 1 0</xyz>")));
    let found = sim.joint_accelerations().expect("accelerations");
    assert_close(found[0], 2.0 * 9.81 / (0.3 + 2.0), Tolerance::rounding(64, 20.0));
    assert_near(position(&mut sim, "arm"), vec3(1.0, 2.0, 3.0));
    // Without <xyz> the axis is z, which gravity does not turn.
    let mut sim = simulation(&sdf("1.9", &joint("")));
    assert_close(sim.joint_accelerations().expect("accelerations")[0], 0.0, Tolerance::rounding(64, 20.0));
}

/// The same axis, y of the world, said in four ways: the child is turned by 90° about z, so its x is y.
#[test]
fn an_axis_is_in_the_joint_frame_unless_it_says_otherwise() {
    let arm = |version: &str, axis: &str| {
        let inside = format!(
            "<link name=\"arm\"><pose>0 0 0 0 0 1.5707963267948966</pose>{}</link>\
             <joint name=\"j\" type=\"revolute\"><parent>world</parent><child>arm</child><axis>{axis}</axis></joint>",
            INERTIAL.replace("<mass>", "<pose>0 -1 0 0 0 0</pose><mass>")
        );
        simulation(&sdf(version, &inside)).joint_accelerations().expect("accelerations")[0]
    };
    // The centre is at x = 1 of the world: m g c / (I_x + m c²), I_x of the link.
    let right = 2.0 * 9.81 / (0.2 + 2.0);
    for (version, axis) in [
        ("1.9", "<xyz>1 0 0</xyz>"),
        ("1.9", "<xyz expressed_in=\"__model__\">0 1 0</xyz>"),
        ("1.6", "<xyz>1 0 0</xyz>"),
        ("1.6", "<xyz>0 1 0</xyz><use_parent_model_frame>true</use_parent_model_frame>"),
        ("1.4", "<xyz>0 1 0</xyz>"),
        // A newer file does not know the flag.
        ("1.7", "<xyz>1 0 0</xyz><use_parent_model_frame>true</use_parent_model_frame>"),
    ] {
        let found = arm(version, axis);
        assert!((found - right).abs() < 1e-12, "{version} {axis}: {found}, not {right}");
    }
}

#[test]
fn poses_are_relative_to_named_frames() {
    let inside = format!(
        "<pose>10 0 0 0 0 0</pose><link name=\"a\"><pose>0 1 0 0 0 1.5707963267948966</pose>{INERTIAL}</link>\
         <frame name=\"f\" attached_to=\"a\"><pose>1 0 0 0 0 0</pose></frame>\
         <link name=\"b\"><pose relative_to=\"f\">1 0 0 0 0 0</pose>{INERTIAL}</link>\
         <link name=\"c\"><pose relative_to=\"j\">0 0 1 0 0 0</pose>{INERTIAL}</link>\
         <link name=\"d\"><pose relative_to=\"f\" degrees=\"true\">0 0 0 0 0 90</pose>\
         {}</link><joint name=\"j\" type=\"fixed\"><pose relative_to=\"f\">5 0 0 0 0 0</pose><parent>f</parent><child>b</child></joint>",
        INERTIAL.replace("<mass>", "<pose relative_to=\"__model__\">7 8 9 0 0 0</pose><mass>")
    );
    let mut sim = simulation(&sdf("1.8", &inside));
    // a's x is y of the world: f at (10, 2), b at (10, 3), j at (10, 7).
    assert_near(position(&mut sim, "c"), vec3(10.0, 7.0, 1.0));
    // The inertial of d is given in the model, which is 10 m along x.
    assert_near(position(&mut sim, "d"), vec3(17.0, 8.0, 9.0));
    // a and b are one body, by a fixed joint whose parent is a frame.
    assert_near(position(&mut sim, "a"), vec3(10.0, 2.0, 0.0));
    assert!(sim.model().find_body("b").is_none());
    // An older file has no such frames: everything is in the model.
    let old = inside
        .replace("relative_to=\"f\"", "frame=\"f\"")
        .replace("<frame name", "<x name")
        .replace("</frame>", "</x>");
    let old =
        old.replace("<parent>f</parent>", "<parent>a</parent>").replace("relative_to=\"__model__\"", "");
    let mut sim = simulation(&sdf("1.6", &old.replace(" relative_to=\"j\"", "")));
    assert_near(position(&mut sim, "c"), vec3(10.0, 0.0, 1.0));
}

#[test]
fn a_link_without_an_inertial_has_one_kilogram() {
    let text = sdf("1.9", "<link name=\"a\"/>");
    let imported = import(&text);
    assert!(imported.report.of(Treatment::Approximated).any(|note| note.what.contains("1 kg")));
    let model = model(imported);
    let mass = &model.bodies()[0].mass;
    assert_eq!((mass.mass, mass.inertia.xx, mass.inertia.yz), (1.0, 1.0, 0.0));
    // Nothing holds it to the world: it falls.
    let mut sim = Simulation::new(model);
    sim.step(1e-3).expect("a step");
    assert!(position(&mut sim, "a").z < 0.0);
}

/// A chain by random poses and axes, as SDF and as URDF: the same accelerations.
#[test]
fn sdf_and_urdf_of_one_robot_agree() {
    let mut rng = Rng::new(5);
    for _ in 0..5 {
        let (mut one, mut other, mut parent) =
            (String::new(), String::from("<link name=\"base\"/>"), "base".to_string());
        for i in 0..4 {
            let numbers = |v: Vec3| format!("{:?} {:?} {:?}", v.x, v.y, v.z);
            let (xyz, rpy, axis) = (rng.vector(1.0), rng.vector(3.0), rng.direction());
            let (com, turn) = (rng.vector(0.3), rng.vector(3.0));
            let kind = if i == 2 { "prismatic" } else { "continuous" };
            let above = if i == 0 { "__model__".to_string() } else { parent.clone() };
            let name = format!("l{i}");
            let from = if i == 0 { "world" } else { &parent };
            one += &format!(
                "<link name=\"{name}\"><pose relative_to=\"{above}\">{} {}</pose>{}</link>\
                 <joint name=\"j{i}\" type=\"{kind}\"><parent>{from}</parent><child>{name}</child><axis><xyz>{}</xyz>\
                 <dynamics><damping>0.3</damping></dynamics></axis></joint>",
                numbers(xyz),
                numbers(rpy),
                INERTIAL.replace("<mass>", &format!("<pose>{} {}</pose><mass>", numbers(com), numbers(turn))),
                numbers(axis)
            );
            other += &format!(
                "<link name=\"{name}\"><inertial><origin xyz=\"{}\" rpy=\"{}\"/><mass value=\"2\"/><inertia ixx=\"0.2\" \
                 iyy=\"0.3\" izz=\"0.15\" ixy=\"0.01\" ixz=\"-0.02\" iyz=\"0.03\"/></inertial></link>\
                 <joint name=\"j{i}\" type=\"{kind}\"><parent link=\"{parent}\"/><child link=\"{name}\"/><axis xyz=\"{}\"/>\
                 <origin xyz=\"{}\" rpy=\"{}\"/><dynamics damping=\"0.3\"/></joint>",
                numbers(com),
                numbers(turn),
                numbers(axis),
                numbers(xyz),
                numbers(rpy)
            );
            parent = name;
        }
        let rates: Vec<f64> = (0..4).map(|_| rng.range(-1.0, 1.0)).collect();
        let mut sims =
            [sdf("1.9", &one), format!("<robot name=\"m\">{other}</robot>")].map(|text| simulation(&text));
        let found = sims.each_mut().map(|sim| {
            for (i, rate) in rates.iter().enumerate() {
                let id = sim.model().find_joint(&format!("j{i}")).expect("a joint");
                sim.set_positions_of(id, &[0.3 * rate]).expect("a position");
            }
            for (i, rate) in rates.iter().enumerate() {
                let id = sim.model().find_joint(&format!("j{i}")).expect("a joint");
                sim.set_rates_of(id, &[*rate]).expect("a rate");
            }
            sim.joint_accelerations().expect("accelerations")
        });
        for (x, y) in found[0].iter().zip(&found[1]) {
            assert_close(
                *x,
                *y,
                Tolerance::because("frames are composed in another order", 1e-11 * (1.0 + y.abs())),
            );
        }
    }
}

/// A leaning parallelogram whose last link is the child of two joints: a loop, closed in the pose of the file.
#[test]
fn a_link_that_is_the_child_of_two_joints_closes_a_loop() {
    let link = |name: &str, x: f64, z: f64| {
        format!("<link name=\"{name}\"><pose>{x} 0 {z} 0 0 0</pose>{INERTIAL}</link>")
    };
    let joint = |name: &str, parent: &str, child: &str, at: &str| {
        format!(
            "<joint name=\"{name}\" type=\"revolute\"><pose>{at} 0 0 0</pose><parent>{parent}</parent><child>{child}</child>\
             <axis><xyz>0 1 0</xyz></axis></joint>"
        )
    };
    let inside = link("left", 0.15, 0.5)
        + &link("right", 2.15, 0.5)
        + &link("top", 1.3, 1.0)
        + &joint("a", "world", "left", "-0.15 0 -0.5")
        + &joint("b", "world", "right", "-0.15 0 -0.5")
        + &joint("c", "left", "top", "-1 0 0")
        + &joint("d", "right", "top", "1 0 0");
    let imported = import(&sdf("1.9", &inside));
    assert!(imported.report.notes().iter().any(|note| note.what.contains("closes a loop")));
    let mut sim = Simulation::new(model(imported));
    let open = |sim: &mut Simulation| {
        sim.kinematics().position_errors().iter().fold(0.0, |most: f64, e| most + e.abs())
    };
    assert!(open(&mut sim) < 1e-15);
    for _ in 0..50 {
        sim.step(1e-2).expect("a step");
    }
    assert!(open(&mut sim) < 1e-13);
    assert!(position(&mut sim, "top").z < 0.99, "it does not fall");
}

#[test]
fn all_types_of_joints_are_read() {
    let with = |kind: &str, more: &str| {
        let inside = format!(
            "<link name=\"a\">{INERTIAL}</link><joint name=\"j\" type=\"{kind}\"><parent>world</parent><child>a</child>{more}</joint>"
        );
        import(&sdf("1.10", &inside))
    };
    let axes = "<axis><xyz>0 0 1</xyz></axis><axis2><xyz>1 0 0</xyz></axis2>";
    for (kind, more, freedoms) in [
        ("revolute", "", 1),
        ("continuous", "", 1),
        ("prismatic", "", 1),
        ("ball", "", 3),
        ("universal", axes, 2),
        ("revolute2", axes, 2),
        ("screw", "<screw_thread_pitch>0.1</screw_thread_pitch>", 2),
    ] {
        let model = model(with(kind, more));
        assert_eq!(model.joint_order().rate_count(), freedoms, "{kind}");
    }
    // α = a 2π/L for a screw of lead L: m a = −m g + F, I α = −F L/2π.
    let mut sim = Simulation::new(model(with("screw", "<thread_pitch>-31.41592653589793</thread_pitch>")));
    let found = sim.joint_accelerations().expect("accelerations");
    let per_radian = 0.2 / core::f64::consts::TAU;
    let right = -2.0 * 9.81 / (2.0 + 0.15 / (per_radian * per_radian));
    assert_close(found[0], right, Tolerance::rounding(256, 10.0));
    let spring = "<axis><dynamics><spring_stiffness>5</spring_stiffness><spring_reference>0.5</spring_reference>\
                  <damping>0.1</damping></dynamics><limit><lower>-1e16</lower><upper>0.8</upper><effort>-1</effort></limit></axis>";
    let imported = with("revolute", spring);
    let joint = imported.scene.joints.get("j").expect("a joint");
    assert!(
        joint.spring.is_some() && joint.friction.is_some() && joint.limits.is_some() && joint.motor.is_none()
    );
    // Iz α = k · 0.5.
    let mut sim = Simulation::new(model(imported));
    let found = sim.joint_accelerations().expect("accelerations");
    assert_close(found[0], 2.5 / 0.15, Tolerance::rounding(64, 20.0));
}

#[test]
fn models_are_nested_and_included_by_name() {
    let here = folder("include");
    let finger = sdf("1.9", &format!("<link name=\"tip\"><pose>0 0 1 0 0 0</pose>{INERTIAL}</link>"));
    std::fs::create_dir_all(here.join("finger")).expect("a folder");
    std::fs::write(here.join("finger/model.sdf"), finger).expect("a file");
    let inside = format!(
        "<link name=\"hand\">{INERTIAL}</link><model name=\"cam\"><pose>0 1 0 0 0 0</pose><link name=\"eye\">{INERTIAL}</link>\
         <frame name=\"f\"/></model><include><uri>finger</uri><name>left</name><pose relative_to=\"cam::f\">0 1 0 0 0 0</pose></include>\
         <include><uri>model://finger</uri></include>\
         <joint name=\"j\" type=\"revolute\"><parent>hand</parent><child>left::tip</child></joint>\
         <joint name=\"k\" type=\"fixed\"><parent>hand</parent><child>cam</child></joint>"
    );
    let options = ImportOptions {
        packages: vec![("finger".to_string(), here.join("finger"))],
        ..ImportOptions::default()
    };
    let imported = import_in(&sdf("1.9", &inside), &here, &options);
    let mut sim = Simulation::new(model(imported.unwrap_or_else(|e| panic!("{}", e.render()))));
    assert_near(position(&mut sim, "left::tip"), vec3(0.0, 2.0, 1.0));
    assert_near(position(&mut sim, "m::tip"), vec3(0.0, 0.0, 1.0));
    // hand and cam::eye are one body, half a metre along y.
    assert_near(position(&mut sim, "hand"), vec3(0.0, 0.5, 0.0));
    // A file that includes itself ends, and so does one outside.
    let again = "<include><uri>self.sdf</uri></include>";
    std::fs::write(here.join("self.sdf"), sdf("1.9", again)).expect("a file");
    let refused = |inside: &str, options: &ImportOptions| {
        let error = import_in(&sdf("1.9", inside), &here.join("finger"), options).expect_err(inside);
        format!("{} {}", error.message(), error.help().unwrap_or_default())
    };
    let open = ImportOptions { allow_outside: true, ..ImportOptions::default() };
    let (around, outside) = (
        refused("<include><uri>../self.sdf</uri></include>", &open),
        refused("<include><uri>../self.sdf</uri></include>", &ImportOptions::default()),
    );
    let missing = refused("<include><uri>model://none</uri></include>", &open);
    std::fs::remove_dir_all(here).expect("the folder");
    assert!(around.contains("nest more than 20 deep"), "{around}");
    assert!(outside.contains("outside the folder") && outside.contains("--allow-outside"), "{outside}");
    assert!(missing.contains("package `none` is not known"), "{missing}");
}

const GOOD: &str = "<sdf version=\"1.9\">
<model name=\"m\">
<link name=\"arm\">
<pose>0 0 1 0 0 0</pose>
<inertial><mass>2</mass>
<inertia><ixx>0.2</ixx><iyy>0.3</iyy><izz>0.15</izz></inertia></inertial>
<collision name=\"c\"><geometry><box><size>1 1 1</size></box></geometry></collision>
</link>
<joint name=\"j\" type=\"revolute\">
<parent>world</parent>
<child>arm</child>
<axis><xyz>0 1 0</xyz>
<limit><lower>-1</lower><upper>1</upper></limit>
<dynamics><damping>0.1</damping></dynamics></axis>
</joint>
</model>
</sdf>
";

const FAULTS: [(&str, &str, usize, &str, &str); 21] = [
    ("<mass>2<", "<mass>-2<", 5, "the mass is -2 kg", "positive"),
    ("<mass>2<", "<mass>nan<", 5, "not finite", "finite"),
    ("<mass>2<", "<mass>two<", 5, "`two` is not a number", "0.5"),
    ("<izz>0.15<", "<izz>1.5<", 6, "no body has this inertia", "--allow-unphysical-inertia"),
    ("0 0 1 0 0 0", "0 0 1", 4, "<pose> has fewer numbers, not 6", "<pose>"),
    ("<pose>", "<pose relative_to=\"amr\">", 3, "there is no frame `amr`", "did you mean `arm`?"),
    ("<pose>", "<pose relative_to=\"arm\">", 3, "relative to itself", "relative to the model"),
    ("<pose>", "<pose rotation_format=\"x\">", 4, "no rotation_format `x`", "quat_xyzw"),
    ("type=\"revolute\"", "type=\"revolut\"", 9, "`revolut` is not read", "did you mean `revolute`?"),
    ("type=\"revolute\"", "type=\"gearbox\"", 9, "`gearbox` is not read", "types are"),
    ("<parent>world<", "<parent>base<", 10, "there is no frame `base`", "name a link"),
    ("<parent>world<", "<parent>arm<", 9, "holds `arm` to itself", "two links"),
    ("<child>arm</child>", "", 9, "<joint> has no <child>", "<child>"),
    ("<child>arm<", "<child>world<", 9, "cannot be a child", "parent"),
    ("<xyz>0 1 0<", "<xyz>0 0 0<", 12, "zero length", "0 0 1"),
    ("<xyz>", "<xyz expressed_in=\"q\">", 12, "there is no frame `q`", "name a link"),
    ("<lower>-1<", "<lower>2<", 13, "above the upper limit", "first"),
    ("<damping>0.1<", "<damping>-1<", 14, "<damping> is -1", "zero or more"),
    ("<size>1 1 1<", "<size>1 0 1<", 7, "<size> is 0", "positive"),
    ("name=\"j\"", "name=\"arm\"", 9, "two parts of the model are called `arm`", "of their own"),
    ("<model name=\"m\">", "<model name=\"m\"><static>true</static>", 2, "the model is static", "moves"),
];

#[test]
fn mistakes_are_shown_at_their_place() {
    import(GOOD);
    for (old, new, line, says, helps) in FAULTS {
        assert!(GOOD.contains(old), "{old}");
        let error = import_in(&GOOD.replacen(old, new, 1), Path::new(""), &ImportOptions::default());
        let error = error.expect_err(new);
        assert!(error.message().contains(says), "{new}: {error}");
        assert!(error.help().is_some_and(|help| help.contains(helps)), "{new}: {error}");
        assert_eq!(error.line(), Some(line), "{new}: {error}");
    }
    for (text, says) in [
        ("<sdf version='1.6'/>", "no <model>"),
        ("<sdf version='1.6'><world/></sdf>", "a <world> is no robot"),
        ("<sdf version='x'><model name='a'/></sdf>", "no version of SDF"),
        ("<sdf version='1.6'><model name='a'/></sdf>", "no link"),
    ] {
        let error = import_in(text, Path::new(""), &ImportOptions::default()).expect_err(text);
        assert!(error.message().contains(says), "{error}");
    }
}

fn edits() -> Edits {
    let odd = &[
        "",
        "0",
        "-1",
        "nan",
        "inf",
        "1e308",
        "0 0 0 0 0 0",
        "arm",
        "world",
        "j",
        "__model__",
        "ball",
        "screw",
    ];
    Edits { file: "m.sdf", texts: vec![GOOD], odd, between_tags: true, has_keys: false }
}

#[test]
fn no_edit_of_an_sdf_file_breaks_the_reader() {
    edits().survive(1, 400);
}

#[test]
#[ignore = "soak: cargo test --release -p cardan-scene -- --ignored"]
fn no_edit_of_an_sdf_file_breaks_the_reader_at_length() {
    edits().soak();
}

/// Every row of the page's table names its test.
#[test]
fn every_row_of_the_page_is_a_test() {
    assert_rows_are_tests("## SDF", include_str!("sdf.rs"), 6);
}
