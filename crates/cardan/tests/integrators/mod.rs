//! Integrators: order, step size, energy, the coordinates they carry.

mod adaptive;
mod coordinates;
mod first_order;
mod order;
mod rattle;
mod rules;
