//! Pictures: charts of results and line drawings of mechanisms, as SVG text, PNG bytes or, of charts, pages.
//!
//! Plain data goes in; this module does not depend on the engine. Everything is drawn with paths, letters included, so a
//! picture looks the same in a browser, in a paper and on a machine without fonts, and the same data
//! always gives the same bytes. No number that is not finite ever reaches a file: such values become gaps.

pub(crate) mod axis;
pub(crate) mod chart;
pub(crate) mod drawing;
mod glyphs;
pub(crate) mod html;
pub(crate) mod png;
pub(crate) mod svg;
pub(crate) mod text;

#[cfg(test)]
mod tests;
