//! Screws: a cylindrical joint (sleeve) and a constraint (thread) in the engine, one joint in reports.

use cardan::Model;

/// The sleeve that a constraint is the thread of.
pub fn sleeve_of(model: &Model, constraint: usize) -> Option<usize> {
    let thread = &model.constraints()[constraint];
    if thread.kind() != "screw" {
        return None;
    }
    let name = thread.name.strip_suffix("-thread")?;
    model.joints().iter().position(|joint| joint.name == name)
}

/// The thread of a joint, if it is the sleeve of a screw.
pub fn thread_of(model: &Model, joint: usize) -> Option<usize> {
    (0..model.constraints().len()).find(|&c| sleeve_of(model, c) == Some(joint))
}

/// Constraints that are joints of their own: all but threads.
pub fn own_constraints(model: &Model) -> Vec<usize> {
    (0..model.constraints().len()).filter(|&c| sleeve_of(model, c).is_none()).collect()
}
