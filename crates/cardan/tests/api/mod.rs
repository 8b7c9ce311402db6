//! What users call: ids and readers, worlds whose parts come and go.

mod accounts;
mod ids;

mod world;
