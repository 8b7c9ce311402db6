//! Joints that are open at the start, or with inconsistent velocities: rows that are nearly
//! dependent are not dropped for that.

use cardan::math::vec3;
use cardan::{Body, End::Ground, Gravity, Joint, JointKind, ModelBuilder, Simulation, SolidShape, StepError};

/// A body on a shaft along z, and a point of it in a plane whose normal is `tilt` from the
/// direction in which a rotation of the shaft does not change the distance: the plane locks the
/// rotation by that sine only, and the body can only fall.
fn shaft(tilt: f64) -> Simulation {
    let mut parts = ModelBuilder::new(Gravity::new(0.0, 0.0, -9.81));
    let body = parts
        .add_body(Body { pos: vec3(0.0, 0.0, 0.2), ..Body::solid(SolidShape::Sphere { radius: 0.1 }, 1.0) });
    parts.add_joint(Joint::at(JointKind::PointOnPlane, Ground, body, [1.0, 0.0, 0.0], [1.0, tilt, 0.0]));
    parts.add_joint(Joint::at(JointKind::Cylindrical, Ground, body, [0.0, 0.0, 0.0], [0.0, 0.0, 1.0]));
    Simulation::new(parts.build().unwrap())
}

#[test]
fn inconsistent_velocities_are_not_a_conflict() -> Result<(), StepError> {
    for tilt in [0.5, 0.02, 5e-3, 1e-4] {
        for speed in [1e-3, 1.0, 100.0] {
            let mut sim = shaft(tilt);
            let mut state = sim.state().clone();
            state.velocities_mut()[0] = speed;
            state.velocities_mut()[5] = 0.3 * speed;
            sim.restore(&state)?;
            for _ in 0..100 {
                sim.step(1e-3)?;
            }
            // Exact for RK4: a fall is a parabola. The remainder is the rounding of a hundred
            // steps.
            let fallen = sim.state().coordinates()[2] - (0.2 - 0.5 * 9.81 * 0.01);
            assert!(fallen.abs() < 1e-13, "tilt {tilt}, {speed} m/s: {fallen:e}");
            let turning = sim.state().velocities()[5];
            assert!(turning.abs() < 1e-9 * speed, "tilt {tilt}, {speed} m/s: {turning:e}");
        }
    }
    Ok(())
}

#[test]
fn a_nearly_dependent_row_that_is_open_is_closed_too() -> Result<(), StepError> {
    for tilt in [0.5, 0.05, 0.02, 5e-3] {
        for off in [1e-6, 1e-3, 0.02] {
            let mut sim = shaft(tilt);
            let mut state = sim.state().clone();
            // Off the shaft, tilted, and turned about it as far as the plane still determines the
            // direction back.
            let turn = if off < tilt { off } else { 0.5 * tilt };
            state.displace(sim.model(), &[off, -0.5 * off, 0.1, 0.3 * off, off, turn]);
            sim.restore(&state)?;
            sim.assemble()?;
            let at = sim.state().coordinates();
            for i in [0, 1, 4, 5] {
                // Rounding of the shaft's rows.
                assert!(at[i].abs() < 1e-14, "tilt {tilt}, off {off}: {at:?}");
            }
            // Rounding of the plane's row divided by its sensitivity to the rotation.
            assert!(at[6].abs() < 1e-14 / tilt, "tilt {tilt}, off {off}: {at:?}");
            sim.step(1e-3)?;
        }
    }
    Ok(())
}

/// A bead on a straight wire and a rod that does not reach it.
#[test]
fn conflicting_joints_are_named() {
    for short in [1e-3, 0.1, 0.5] {
        let mut parts = ModelBuilder::new(Gravity::ZERO);
        let bead = parts.add_body(Body {
            pos: vec3(0.3, 0.0, 0.0),
            ..Body::solid(SolidShape::Sphere { radius: 0.1 }, 1.0)
        });
        parts.add_joint(Joint::at(JointKind::Prismatic, Ground, bead, [0.0, 0.0, 0.0], [1.0, 0.0, 0.0]));
        let rod = Joint::distance(Ground, [0.0, 2.0, 0.0], bead, [0.0; 3], 2.0 - short);
        parts.add_joint(rod.named("rod"));
        let mut sim = Simulation::new(parts.build().unwrap());
        let error = sim.assemble().unwrap_err();
        assert!(error.to_string().contains("rod"), "{error}");
    }
}
