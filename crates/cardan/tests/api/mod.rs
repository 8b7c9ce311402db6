//! What users call: ids and readers, commands, worlds whose parts come and go.

mod commands;

mod ids;

mod world;
