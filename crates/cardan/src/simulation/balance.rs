//! Balances of energy and momentum of a run.

use super::Simulation;
use crate::math::larger;
use crate::measure::{
    Energy, MagnitudeSums, Momentum, measure_energy, measure_momentum, measure_with_magnitudes,
};
use crate::state::State;
use crate::step::{self, Integrator};

/// The largest energy and momentum since the start; errors of balances are relative to them.
#[derive(Copy, Clone, Debug, Default)]
pub(super) struct LargestSeen {
    pub(super) energy: f64,
    pub(super) linear: f64,
    pub(super) angular: f64,
    /// Upper bounds of the terms of energy, momentum and angular momentum, as absolute values: sums over the bodies, and the work
    /// of all forces over the extent of the mechanism.
    pub(super) formed: (f64, f64, f64),
}

/// The error `left` relative to the largest value seen; 0/0 is 0. An error within the rounding of the terms is taken relative to
/// `formed`: in a mechanism at rest, or with momenta that cancel, both `left` and `seen` are rounding and their ratio is
/// meaningless.
pub(crate) fn relative_leftover(left: f64, seen: f64, formed: f64) -> f64 {
    // Far above the rounding that a long run accumulates, far below any motion of interest.
    const ROUNDING: f64 = 1e-10;
    let size = if left <= ROUNDING * formed { larger(seen, formed) } else { seen };
    if left == 0.0 { 0.0 } else { left / size }
}

/// Errors of the balances of energy and momentum over a run.
///
/// The largest energy and momentum seen are those of the instants that were measured: the start, the present one, and in between what
/// [`Accounts`](crate::Accounts) asks for.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
pub struct Balance {
    /// kinetic + potential − work at the start \[J\].
    pub initial_energy: f64,
    /// |kinetic + potential + dissipated − work − initial| \[J\].
    pub energy_left: f64,
    /// |kinetic + potential + dissipated − work − initial| relative to the largest energy seen (0/0 = 0). An error
    /// within rounding is taken relative to the forces that cancel, as in a mechanism at rest.
    pub energy_error: f64,
    /// The same difference relative to the largest energy seen, at least 1 J: `balance_error` of reports.
    pub energy_error_per_joule: f64,
    /// Change of momentum less the external impulse, relative to the largest momentum seen; or the corresponding error of angular
    /// momentum, if that is larger.
    pub momentum_error: f64,
}

impl Simulation {
    pub(super) fn reset_balance(&mut self) {
        step::refresh_motions(&self.model, &self.state, &mut self.work);
        let (energy, momentum, magnitudes) = self.measure();
        self.initial_energy = energy.balance();
        let ledger = self.state.ledger;
        self.initial_momentum = Momentum {
            linear: momentum.linear - ledger.impulse,
            angular: momentum.angular - ledger.angular_impulse,
        };
        self.record_sizes(&energy, &momentum, &magnitudes);
    }

    /// Updates the largest energy and momentum seen.
    pub(super) fn record_sizes(&mut self, energy: &Energy, momentum: &Momentum, magnitudes: &MagnitudeSums) {
        self.present = (*energy, *momentum);
        self.is_measured = true;
        let (ledger, seen) = (&self.state.ledger, &mut self.largest);
        for part in [energy.kinetic, energy.potential.abs(), energy.dissipated, energy.work.abs()] {
            seen.energy = larger(seen.energy, part);
        }
        for (most, vectors) in [
            (&mut seen.linear, [momentum.linear, ledger.impulse]),
            (&mut seen.angular, [momentum.angular, ledger.angular_impulse]),
        ] {
            vectors.iter().for_each(|vector| *most = larger(*most, vector.largest()));
        }
        let (mass, arm) = self.extent;
        let reach = magnitudes.reach + arm;
        let fall = magnitudes.force * reach + magnitudes.torque;
        let momentum = (mass * fall).sqrt();
        let terms = (fall, larger(momentum, magnitudes.linear), larger(momentum * reach, magnitudes.angular));
        let most = &mut seen.formed;
        *most = (larger(most.0, terms.0), larger(most.1, terms.1), larger(most.2, terms.2));
    }

    /// Energy and momentum of the present state, from motions that are up to date. With f = m v kinetic energy and momentum are
    /// zero.
    pub(super) fn measure(&mut self) -> (Energy, Momentum, MagnitudeSums) {
        let (energy, momentum, magnitudes) =
            measure_with_magnitudes(&self.model, &self.state, &mut self.work);
        match self.settings.integrator {
            Integrator::FirstOrder => (Energy { kinetic: 0.0, ..energy }, Momentum::default(), magnitudes),
            _ => (energy, momentum, magnitudes),
        }
    }

    /// Energy of the present state. With f = m v there is no kinetic energy, and vᵀ M v is dissipated.
    pub fn energy(&mut self) -> Energy {
        step::refresh_motions(&self.model, &self.state, &mut self.work);
        self.measure().0
    }

    /// Energy of another state of the same model.
    pub fn energy_at(&mut self, state: &State) -> Energy {
        let mut energy = measure_energy(&self.model, state, &mut self.work);
        if self.settings.integrator == Integrator::FirstOrder {
            energy.kinetic = 0.0;
        }
        energy
    }

    /// Momentum of the present state.
    pub fn momentum(&mut self) -> Momentum {
        if self.settings.integrator == Integrator::FirstOrder {
            return Momentum::default();
        }
        measure_momentum(&self.model, &self.state, &mut self.work)
    }

    /// Errors of the balances of energy and momentum since the start.
    pub fn balance(&mut self) -> Balance {
        let (energy, momentum) = (self.energy(), self.momentum());
        self.measure_present();
        let (start, ledger, seen) = (self.initial_momentum, self.state.ledger, self.largest);
        let linear = momentum.linear - start.linear - ledger.impulse;
        let angular = momentum.angular - start.angular - ledger.angular_impulse;
        let left = (energy.balance() - self.initial_energy).abs();
        Balance {
            initial_energy: self.initial_energy,
            energy_left: left,
            energy_error: relative_leftover(left, seen.energy, seen.formed.0),
            energy_error_per_joule: left / larger(1.0, seen.energy),
            momentum_error: larger(
                relative_leftover(linear.largest(), seen.linear, seen.formed.1),
                relative_leftover(angular.largest(), seen.angular, seen.formed.2),
            ),
        }
    }
}
