"""Joint-space dynamics: against Pinocchio where it is installed, against differences and identities everywhere."""

import numpy as np
import pytest

import arms
import cardan
from conftest import FAST

pinocchio = None
try:
    import pinocchio
except ImportError:
    pass

#: Two codes that sum the same terms in another order: rounding of a chain of seven, in kg·m² and N·m of size 10.
ROUNDING = dict(rtol=1e-10, atol=1e-10)


@pytest.fixture(params=range(3))
def posed(request, arm):
    rng = np.random.default_rng(request.param)
    sim = cardan.Simulation(arm, dt=1e-3, **FAST)
    q, v = rng.uniform(-2, 2, 7), rng.uniform(-2, 2, 7)
    sim.set_state(q, v)
    return sim, q, v, rng


def test_the_equation_of_motion_holds(posed):
    sim, q, v, rng = posed
    effort = rng.uniform(-5, 5, 7)
    sim.effort = effort
    h, b = sim.mass_matrix(), sim.bias()
    np.testing.assert_allclose(h, h.T, atol=1e-12)
    np.testing.assert_allclose(h @ sim.a + b, effort, **ROUNDING)
    np.testing.assert_allclose(sim.inverse_dynamics(sim.a), effort, **ROUNDING)
    np.testing.assert_allclose(sim.forward_dynamics(effort), sim.a, **ROUNDING)
    np.testing.assert_allclose(sim.applied_efforts(), effort, **ROUNDING)
    assert np.linalg.eigvalsh(h).min() > 0
    # Kinetic energy is ½ vᵀ H v.
    assert 0.5 * v @ h @ v == pytest.approx(sim.energy["kinetic"], rel=1e-12)
    sim.v = np.zeros(7)
    np.testing.assert_allclose(sim.bias(), sim.gravity_efforts(), **ROUNDING)


def test_jacobians_are_differences_of_points(posed):
    sim, q, v, _ = posed
    j, bias = sim.jacobian("link7"), sim.jacobian_bias("link7")
    at = lambda q: (sim.set_state(q, np.zeros(7)), sim.body("link7")["frame_position"])[1]
    h = 1e-4
    for k in range(7):
        unit = h * np.eye(7)[k]
        # Central differences of order four: h⁴ of truncation, ε/h of rounding.
        slope = (8 * (at(q + unit) - at(q - unit)) - (at(q + 2 * unit) - at(q - 2 * unit))) / (12 * h)
        np.testing.assert_allclose(j[:3, k], slope, atol=1e-10)
    along = lambda s: (sim.set_state(q + s * v, v), sim.jacobian("link7") @ v)[1]
    np.testing.assert_allclose(bias, (along(1e-5) - along(-1e-5)) / 2e-5, atol=1e-8)


def test_the_inverse_operational_inertia_is_j_h_j(posed):
    sim, *_ = posed
    centre = [0, 0, arms.LENGTHS[3] / 2]
    j = sim.jacobian("link4", centre)
    expected = j @ np.linalg.solve(sim.mass_matrix(), j.T)
    np.testing.assert_allclose(sim.inverse_operational_inertia("link4"), expected, rtol=1e-8, atol=1e-9)


def test_a_linearisation_predicts_the_next_states(arm):
    sim = cardan.Simulation(arm, dt=1e-3, **FAST)
    rng = np.random.default_rng(5)
    q, v = rng.uniform(-1, 1, 7), rng.uniform(-1, 1, 7)
    sim.set_state(q, v)
    a, b = sim.linearise()
    assert a.shape == (14, 14) and b.shape == (14, 7)
    np.testing.assert_array_equal(a[:7], np.hstack([np.zeros((7, 7)), np.eye(7)]))
    np.testing.assert_allclose(b[7:], np.linalg.inv(sim.mass_matrix()), rtol=1e-8, atol=1e-8)

    def accelerate(q, v, effort):
        sim.set_state(q, v)
        sim.effort = effort
        return sim.a

    for _ in range(4):
        dq, dv, du = rng.uniform(-1, 1, (3, 7))
        h = 1e-5
        change = (accelerate(q + h * dq, v + h * dv, h * du) - accelerate(q - h * dq, v - h * dv, -h * du)) / (2 * h)
        np.testing.assert_allclose(a[7:] @ np.r_[dq, dv] + b[7:] @ du, change, rtol=1e-6, atol=1e-5)
    sim.set_state(q, v)
    before = sim.state_hash
    all_a, all_b = sim.linearise_along([(q, v), (0 * q, 0 * v)])
    assert all_a.shape == (2, 14, 14) and all_b.shape == (2, 14, 7) and sim.state_hash == before


@pytest.mark.skipif(pinocchio is None, reason="Pinocchio is not installed")
def test_all_of_it_agrees_with_pinocchio(posed, tmp_path):
    sim, q, v, rng = posed
    path = tmp_path / "arm7.urdf"
    path.write_text(arms.urdf())
    model = pinocchio.buildModelFromUrdf(str(path))
    data = model.createData()
    # Continuous joints have cos and sin there.
    angles = np.concatenate([[np.cos(x), np.sin(x)] for x in q])
    a = rng.uniform(-3, 3, 7)
    effort = rng.uniform(-5, 5, 7)
    h = pinocchio.crba(model, data, angles)
    h = np.triu(h) + np.triu(h, 1).T
    np.testing.assert_allclose(sim.mass_matrix(), h, **ROUNDING)
    np.testing.assert_allclose(sim.bias(), pinocchio.nonLinearEffects(model, data, angles, v), **ROUNDING)
    np.testing.assert_allclose(
        sim.gravity_efforts(), pinocchio.computeGeneralizedGravity(model, data, angles), **ROUNDING
    )
    np.testing.assert_allclose(sim.inverse_dynamics(a), pinocchio.rnea(model, data, angles, v, a), **ROUNDING)
    np.testing.assert_allclose(
        sim.forward_dynamics(effort), pinocchio.aba(model, data, angles, v, effort), rtol=1e-9, atol=1e-8
    )
    frame = model.getFrameId("link7")
    jacobian = pinocchio.computeFrameJacobian(model, data, angles, frame, pinocchio.LOCAL_WORLD_ALIGNED)
    np.testing.assert_allclose(sim.jacobian("link7"), jacobian, **ROUNDING)
    sim.effort = effort
    pinocchio.computeABADerivatives(model, data, angles, v, effort)
    own_a, own_b = sim.linearise()
    np.testing.assert_allclose(own_a[7:, :7], data.ddq_dq, rtol=1e-6, atol=1e-6)
    np.testing.assert_allclose(own_a[7:, 7:], data.ddq_dv, rtol=1e-6, atol=1e-6)
    minv = np.triu(data.Minv) + np.triu(data.Minv, 1).T
    np.testing.assert_allclose(own_b[7:], minv, rtol=1e-8, atol=1e-8)


def test_equilibrium_and_modes_of_a_rod(pendulum):
    sim = cardan.Simulation(pendulum)
    rest = sim.equilibrium()
    assert rest["stability"] == "stable" and rest["freedoms"] == 1
    assert sim.body("rod")["position"] == pytest.approx([0, 0, -0.5], abs=1e-9)
    (mode,) = sim.modes()
    # √(3 g / 2 l) / 2π
    assert mode["frequency"] == pytest.approx(np.sqrt(1.5 * 9.81) / (2 * np.pi), rel=1e-8)
    assert mode["kind"] == "oscillating"
    sim.q = [-1.5]
    assert sim.equilibrium(nearest=True)["stability"] in ("stable", "unstable")


def test_reach_goes_to_a_target_and_says_by_how_much_it_misses(arm):
    sim = cardan.Simulation(arm)
    sim.q = np.full(7, 0.4)
    target = [0.3, 0.2, 0.6]
    found = sim.reach(target, body="link7")
    assert found["reached"] and sim.body("link7")["frame_position"] == pytest.approx(target, abs=1e-8)
    far = sim.reach([5.0, 0.0, 0.0], body="link7")
    # Stretched out from the second joint, which stands upright on the first link.
    shoulder, reach = arms.LENGTHS[0], sum(arms.LENGTHS[1:-1])
    assert not far["reached"] and np.linalg.norm(far["miss"]) == pytest.approx(np.hypot(5, shoulder) - reach, abs=1e-6)
    with pytest.raises(ValueError, match="reach takes"):
        sim.reach([0, 0, 0])
