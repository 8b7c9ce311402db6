//! Integrators: order, step size, energy, coordinates.

mod adaptive;
mod coordinates;
mod efforts;
mod first_order;
mod order;
mod rattle;
mod rules;
