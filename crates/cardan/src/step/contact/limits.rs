//! Limits of joints by their coordinates alone: a limit that a step cannot reach needs neither rows nor events.

use crate::inequality::{InequalityOrigin, LimitSide};
use crate::joint::{JointCoordinates, Relative};
use crate::measure::coordinates::full_value;
use crate::model::Model;
use crate::state::State;
use crate::step::dynamics::kinematics::{frame, write_motions};
use crate::step::workspace::Workspace;
use crate::tolerances::CONTACT_GAP;

/// Whether no limit of a joint can be reached within `reach` \[s\] of a state, at the rates of that state. False if there are
/// inequalities of other kinds, or if one is active.
pub(crate) fn limits_are_clear(model: &Model, state: &State, reach: f64, work: &mut Workspace) -> bool {
    if !state.held.is_empty() || !model.has_only_joint_limits() {
        return false;
    }
    let motions = &mut work.kinematics.motions;
    write_motions(model, state, motions);
    let (mut last, mut coordinates) = (usize::MAX, JointCoordinates::default());
    model.inequalities.iter().all(|inequality| {
        let InequalityOrigin::Limit { joint: j, coordinate: k, side } = inequality.origin else {
            return false;
        };
        let j = j.index();
        if j != last {
            let joint = &model.joints[j];
            let relative = Relative::new(&frame(motions, &joint.a), &frame(motions, &joint.b));
            joint.kind.write_coordinates(&relative, &mut coordinates);
            last = j;
        }
        let value = full_value(model, j, k, coordinates.value[k], &state.turns);
        let gap = match side {
            LimitSide::Low => value - inequality.limit_value,
            LimitSide::High => inequality.limit_value - value,
        };
        gap > CONTACT_GAP + reach * coordinates.rate[k].abs()
    })
}
