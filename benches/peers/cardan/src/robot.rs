//! A robot file at given states: accelerations of its joints without damping, friction, limits, motors and mimics, and
//! its mass, centre of mass and inertia.

use crate::{Failure, measure, number, text};
use cardan::joint_space::{OrderEntry, OrderedPart};
use cardan::math::{Sym3, Vec3};
use cardan::{BodyId, JointId, MassProperties, Model, Simulation};
use cardan_scene::{Exported, ImportOptions, JointKindDesc, MeshUse, RobotFormat, Scene, SceneError, Source};
use serde_json::{Map, Value, json};
use std::time::Instant;

pub(crate) fn robot(asked: &Value) -> Result<Value, Failure> {
    let options = ImportOptions {
        floating: asked["floating"].as_bool().unwrap_or(false),
        allow_unphysical_inertia: true,
        meshes: MeshUse::Leave,
        ..ImportOptions::default()
    };
    let begin = Instant::now();
    let mut sim = read(text(asked, "file")?, &options)?;
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

fn read(file: &str, options: &ImportOptions) -> Result<Simulation, Failure> {
    let read = || -> Result<_, SceneError> {
        let document = Source::resolve(file).read_with(options)?;
        let mut scene = Scene::from_document(&document)?;
        scene.joints.0.retain(|(_, joint)| joint.kind != JointKindDesc::Coupler);
        for (_, joint) in &mut scene.joints.0 {
            (joint.limits, joint.friction, joint.motor, joint.armature) = (None, None, None, None);
        }
        scene.to_model(&document)
    };
    Ok(Simulation::new(read().map_err(|error| error.to_string())?))
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
            None => &state["root"],
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
        named.insert(name.to_string(), json!(all[entry.rates.clone()]));
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
