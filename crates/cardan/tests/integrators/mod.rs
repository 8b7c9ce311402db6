//! Integrators: order, step size, energy, coordinates.

mod adaptive;
mod coordinates;
mod first_order;
mod order;
mod rattle;
mod rules;
