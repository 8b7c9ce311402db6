//! SVG text to PNG bytes, without fonts, files or network.

use resvg::{tiny_skia, usvg};

/// Why a picture could not be turned into pixels.
#[derive(Debug)]
pub(crate) enum PngError {
    /// The text is not an SVG document.
    Svg(String),
    /// The image would have no pixels, or too many.
    Size { width: f64, height: f64 },
    /// The pixels could not be packed.
    Encode(String),
}

impl std::fmt::Display for PngError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            PngError::Svg(why) => write!(f, "not a valid SVG picture: {why}"),
            PngError::Size { width, height } => {
                write!(f, "an image of {width} by {height} pixels cannot be made; choose another scale")
            }
            PngError::Encode(why) => write!(f, "cannot encode the image: {why}"),
        }
    }
}

impl std::error::Error for PngError {}

/// Longest side of an image, in pixels.
const LARGEST: f64 = 20_000.0;

/// The scale for figures that are crisp on paper and on dense screens.
pub(crate) const CRISP: f64 = 2.0;

/// Renders with `scale` image pixels per SVG pixel.
pub(crate) fn png(svg: &str, scale: f64) -> Result<Vec<u8>, PngError> {
    let tree =
        usvg::Tree::from_str(svg, &usvg::Options::default()).map_err(|e| PngError::Svg(e.to_string()))?;
    let (width, height) = (f64::from(tree.size().width()), f64::from(tree.size().height()));
    let (wide, high) = ((width * scale).round(), (height * scale).round());
    let size_error = PngError::Size { width: wide, height: high };
    if !(1.0..=LARGEST).contains(&wide) || !(1.0..=LARGEST).contains(&high) {
        return Err(size_error);
    }
    let mut pixels = tiny_skia::Pixmap::new(wide as u32, high as u32).ok_or(size_error)?;
    let fit = tiny_skia::Transform::from_scale((wide / width) as f32, (high / height) as f32);
    resvg::render(&tree, fit, &mut pixels.as_mut());
    pixels.encode_png().map_err(|e| PngError::Encode(e.to_string()))
}
