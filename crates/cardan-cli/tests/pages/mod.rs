//! The pages: commands, code, links and line lengths.

mod format;
mod joints_page;
mod layers;
mod names;
mod readme;
