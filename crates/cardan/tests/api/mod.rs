//! What users call: ids and readers, commands, worlds whose parts come and go.

mod commands;

mod accounts;
mod clock;
mod ids;

mod world;
