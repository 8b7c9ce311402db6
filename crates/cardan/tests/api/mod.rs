//! What users call: ids and readers, commands, worlds whose parts come and go.

mod commands;

mod accounts;
mod ids;

mod world;
