//! A robot file at given states: accelerations of its joints without damping, friction, limits, motors and mimics, and
//! its mass, centre of mass and inertia.

use crate::{Failure, measure, number, text};
use cardan::joint_space::{OrderEntry, OrderedPart};
use cardan::math::{Sym3, Vec3};
use cardan::{BodyId, JointId, MassProperties, Model, Simulation};
use cardan_scene::{
    Exported, ImportNote, ImportOptions, JointKindDesc, MeshUse, OneOrMany, RobotFormat, Scene, SceneError, Source,
};
use serde_json::{Map, Value, json};
use std::time::Instant;

pub(crate) fn robot(asked: &Value) -> Result<Value, Failure> {
    let options = ImportOptions {
        floating: asked["floating"].as_bool().unwrap_or(false),
        allow_unphysical_inertia: true,
        meshes: MeshUse::Leave,
        ..ImportOptions::default()
    };
    answered(asked, &options, |scene| {
        scene.joints.0.retain(|(_, joint)| joint.kind != JointKindDesc::Coupler);
        for (_, joint) in &mut scene.joints.0 {
            (joint.limits, joint.friction, joint.motor, joint.armature) = (None, None, None, None);
        }
    })
}

/// A model of MuJoCo, or a robot file as MuJoCo reads it: springs, dampers, armatures and, if asked, actuators act; limits,
/// dry friction, contacts and all joints but those that are named do not.
pub(crate) fn model(asked: &Value) -> Result<Value, Failure> {
    let options = ImportOptions {
        floating: asked["floating"].as_bool().unwrap_or(false),
        allow_unphysical_inertia: true,
        allow_outside: true,
        meshes: MeshUse::Leave,
        ..ImportOptions::default()
    };
    let keep: Option<Vec<&str>> =
        asked["keep"].as_array().map(|all| all.iter().filter_map(Value::as_str).collect());
    let actuation = asked["actuation"].as_bool().unwrap_or(false);
    answered(asked, &options, |scene| {
        if let Some(keep) = &keep {
            scene.joints.0.retain(|(name, _)| keep.contains(&name.as_str()));
        }
        for (_, joint) in &mut scene.joints.0 {
            joint.limits = None;
            if let Some(OneOrMany::One(friction)) = &mut joint.friction {
                friction.coulomb = None;
            }
            if !actuation {
                (joint.servo, joint.motor, joint.drive) = (None, None, None);
            }
        }
        for (_, body) in &mut scene.bodies.0 {
            (body.shape, body.shapes) = (None, None);
        }
        (scene.ground, scene.contacts) = (None, None);
        scene.inequalities.0.clear();
        scene.materials.0.clear();
    })
}

fn answered(asked: &Value, options: &ImportOptions, change: impl Fn(&mut Scene)) -> Result<Value, Failure> {
    let begin = Instant::now();
    let (mut sim, notes) = read(text(asked, "file")?, options, change)?;
    let read_seconds = begin.elapsed().as_secs_f64();
    let mut answers = Vec::new();
    let mut whole = None;
    for state in asked["states"].as_array().into_iter().flatten() {
        set(&mut sim, state)?;
        whole = whole.or(Some(measured(&mut sim)));
        answers.push(accelerations(&mut sim)?);
    }
    let seconds = number(asked, "seconds")?;
    let times = if answers.is_empty() { Value::Null } else { measure::accelerations(&mut sim, seconds)? };
    Ok(json!({
        "accelerations": answers,
        "whole": whole,
        "read_ms": 1e3 * read_seconds,
        "times": times,
        "bodies": sim.model().bodies().len(),
        "root": root(&sim),
        "floating": floating(&sim),
        "notes": notes,
    }))
}

/// A robot file or scene as another robot file, by its ending.
pub(crate) fn export(asked: &Value) -> Result<Value, Failure> {
    let (file, to) = (text(asked, "file")?, text(asked, "to")?);
    let format = if to.ends_with(".urdf") { RobotFormat::Urdf } else { RobotFormat::Mjcf };
    let options =
        ImportOptions { allow_unphysical_inertia: true, meshes: MeshUse::Leave, ..ImportOptions::default() };
    let written = || -> Result<(Exported, Model), SceneError> {
        let document = Source::resolve(file).read_with(&options)?;
        let scene = Scene::from_document(&document)?;
        Ok((scene.export(&document, format)?, scene.to_model(&document)?))
    };
    let (exported, model) = written().map_err(|error| error.to_string())?;
    std::fs::write(to, exported.text)?;
    // Accelerations of the centres of mass at the start.
    let mut sim = Simulation::new(model);
    let names: Vec<String> = sim.model().bodies().iter().map(|body| body.name.clone()).collect();
    let now = sim.evaluate()?;
    let of = |i: usize| now.body(BodyId::of_index(i)).acceleration.to_array();
    let bodies: Map<String, Value> =
        names.into_iter().enumerate().map(|(i, name)| (name, json!(of(i)))).collect();
    Ok(json!({ "unsaid": exported.unsaid, "bodies": bodies }))
}

/// The simulation of a changed scene, and the notes of its reader: treatment, what, how often.
fn read(
    file: &str,
    options: &ImportOptions,
    change: impl Fn(&mut Scene),
) -> Result<(Simulation, Vec<Value>), Failure> {
    let read = || -> Result<_, SceneError> {
        let source = Source::resolve(file);
        let notes = source.import(options)?.map_or(Vec::new(), |imported| {
            let note = |note: &ImportNote| json!([format!("{:?}", note.treatment), note.what, note.lines.len()]);
            imported.report.notes().iter().map(note).collect()
        });
        let document = source.read_with(options)?;
        let mut scene = Scene::from_document(&document)?;
        change(&mut scene);
        Ok((scene.to_model(&document)?, notes))
    };
    let (model, notes) = read().map_err(|error| error.to_string())?;
    Ok((Simulation::new(model), notes))
}

/// Positions and rates by the names of joints; of the root, if it is free: centre of mass and quaternion, velocities.
fn set(sim: &mut Simulation, state: &Value) -> Result<(), Failure> {
    let (mut positions, mut rates) = (sim.joint_positions(), sim.joint_rates());
    let order = sim.model().joint_order().clone();
    let numbers = |value: &Value| -> Vec<f64> {
        value.as_array().into_iter().flatten().filter_map(Value::as_f64).collect()
    };
    for entry in order.entries() {
        let joint = joint_of(entry).map(|joint| sim.model()[joint].name.clone());
        let given = match &joint {
            Some(name) => &state["joints"][name.as_str()],
            None => match &state["free"][free_name(sim, entry).as_str()] {
                Value::Null => &state["root"],
                given => given,
            },
        };
        for (place, field, all) in
            [(&entry.positions, "position", &mut positions), (&entry.rates, "rate", &mut rates)]
        {
            let given = numbers(&given[field]);
            if given.len() != place.len() {
                let name = joint.as_deref().unwrap_or("the root");
                return Err(
                    format!("{name}: {} numbers for {field}, not {}", given.len(), place.len()).into()
                );
            }
            all[place.clone()].copy_from_slice(&given);
        }
    }
    sim.set_joint_positions(&positions)?;
    sim.set_joint_rates(&rates)?;
    Ok(())
}

fn free_name(sim: &Simulation, entry: &OrderEntry) -> String {
    match entry.part {
        OrderedPart::Floating(body) => sim.model()[body].name.clone(),
        OrderedPart::Joint(_) => String::new(),
    }
}

/// The bodies whose poses are their coordinates, with their centres of mass in their frames.
fn floating(sim: &Simulation) -> Vec<Value> {
    let free = |entry: &OrderEntry| match entry.part {
        OrderedPart::Floating(body) => {
            let Vec3 { x, y, z } = sim.model()[body].mass.center;
            Some(json!({ "body": sim.model()[body].name, "center": [x, y, z] }))
        }
        OrderedPart::Joint(_) => None,
    };
    sim.model().joint_order().entries().iter().filter_map(free).collect()
}

/// The body whose pose is its coordinates: any body of the tree may be it.
fn root(sim: &Simulation) -> Option<String> {
    let free = |entry: &OrderEntry| match entry.part {
        OrderedPart::Floating(body) => Some(sim.model()[body].name.clone()),
        OrderedPart::Joint(_) => None,
    };
    sim.model().joint_order().entries().iter().find_map(free)
}

fn joint_of(entry: &OrderEntry) -> Option<JointId> {
    match entry.part {
        OrderedPart::Joint(joint) => Some(joint),
        OrderedPart::Floating(_) => None,
    }
}

fn accelerations(sim: &mut Simulation) -> Result<Value, Failure> {
    let all = sim.joint_accelerations()?;
    let mut named = Map::new();
    for entry in sim.model().joint_order().entries() {
        let name = joint_of(entry).map_or("", |joint| &sim.model()[joint].name);
        let own = json!(all[entry.rates.clone()]);
        if name.is_empty() {
            named.insert(format!("free {}", free_name(sim, entry)), own.clone());
        }
        named.insert(name.to_string(), own);
    }
    Ok(Value::Object(named))
}

/// All bodies as one: mass, centre of mass, and inertia about it in world axes.
fn measured(sim: &mut Simulation) -> Value {
    let model = sim.model().clone();
    let now = sim.kinematics();
    let parts: Vec<MassProperties> = (model.bodies().iter().enumerate())
        .map(|(i, body)| {
            let at = now.body(BodyId::of_index(i));
            let inertia = body.mass.inertia.rotated(&at.orientation.matrix());
            MassProperties { mass: body.mass.mass, center: at.position, inertia }
        })
        .collect();
    let whole = MassProperties::compound(&parts);
    let Sym3 { xx, yy, zz, xy, xz, yz } = whole.inertia;
    let Vec3 { x, y, z } = whole.center;
    json!({ "mass": whole.mass, "center": [x, y, z], "inertia": [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]] })
}
