//! The commands: output, messages, bad input.

mod accounts;
mod bad_input;
mod desk;
mod diagnosis;
mod generate;
mod old_words;
mod outputs;
mod robots;
mod statics;
mod sweeps;
mod trace;
mod view;
mod worlds;
