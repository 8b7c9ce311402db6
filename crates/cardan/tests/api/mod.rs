//! What users call: ids and readers, worlds whose parts come and go.

mod ids;

mod world;
