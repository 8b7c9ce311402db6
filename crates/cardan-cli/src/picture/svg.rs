//! A small SVG writer: elements, escaping, and numbers that print short and always alike.

use std::fmt::Write as _;

/// A point of the page: pixels, x to the right, y down.
pub(crate) type Point = [f64; 2];

/// An opaque colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Rgb(pub(crate) u8, pub(crate) u8, pub(crate) u8);

impl Rgb {
    pub(crate) const WHITE: Rgb = Rgb(255, 255, 255);
    /// Text and axes: nearly black, which prints as black and is softer on a screen.
    pub(crate) const INK: Rgb = Rgb(34, 38, 44);
    /// Secondary text.
    pub(crate) const GREY: Rgb = Rgb(98, 104, 112);
    /// Grid lines.
    pub(crate) const FAINT: Rgb = Rgb(228, 231, 235);

    /// This colour with a share (0 to 1) of another one.
    pub(crate) fn mix(self, other: Rgb, share: f64) -> Rgb {
        let blend = |a: u8, b: u8| (f64::from(a) + (f64::from(b) - f64::from(a)) * share).round() as u8;
        Rgb(blend(self.0, other.0), blend(self.1, other.1), blend(self.2, other.2))
    }

    fn hex(self) -> String {
        format!("#{:02x}{:02x}{:02x}", self.0, self.1, self.2)
    }
}

/// Colours that stay apart for colour-blind eyes (after Okabe and Ito; their yellow is too pale for lines).
pub(crate) const PALETTE: [Rgb; 7] = [
    Rgb(0, 114, 178),
    Rgb(213, 94, 0),
    Rgb(0, 158, 115),
    Rgb(204, 121, 167),
    Rgb(230, 159, 0),
    Rgb(86, 180, 233),
    Rgb(70, 70, 70),
];

/// How a path is painted.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Paint {
    pub(crate) fill: Option<Rgb>,
    pub(crate) stroke: Option<Rgb>,
    pub(crate) width: f64,
    /// Dashes and gaps in pixels, as SVG writes them; empty for a solid line.
    pub(crate) dash: &'static str,
}

impl Paint {
    pub(crate) fn line(stroke: Rgb, width: f64) -> Paint {
        Paint { fill: None, stroke: Some(stroke), width, dash: "" }
    }

    pub(crate) fn fill(fill: Rgb) -> Paint {
        Paint { fill: Some(fill), stroke: None, width: 0.0, dash: "" }
    }

    pub(crate) fn both(fill: Rgb, stroke: Rgb, width: f64) -> Paint {
        Paint { fill: Some(fill), stroke: Some(stroke), width, dash: "" }
    }
}

/// A number with at most two decimals. What is not finite prints as 0: callers leave it out, this is the net.
pub(crate) fn num(value: f64) -> String {
    if !value.is_finite() {
        return "0".into();
    }
    let text = format!("{:.2}", value.clamp(-1e6, 1e6));
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".into() } else { text.into() }
}

/// Text as it may stand in an attribute or between tags. Characters that XML forbids become spaces.
pub(crate) fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            c if c < ' ' || c == '\u{7f}' || c == '\u{fffe}' || c == '\u{ffff}' => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

/// Path data under construction.
#[derive(Clone, Debug, Default)]
pub(crate) struct SvgPath {
    data: String,
}

impl SvgPath {
    pub(crate) fn new() -> SvgPath {
        SvgPath::default()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.data.is_empty()
    }

    pub(crate) fn move_to(&mut self, p: Point) -> &mut SvgPath {
        self.command('M', &[p])
    }

    pub(crate) fn line_to(&mut self, p: Point) -> &mut SvgPath {
        self.command('L', &[p])
    }

    pub(crate) fn curve_to(&mut self, c1: Point, c2: Point, p: Point) -> &mut SvgPath {
        self.command('C', &[c1, c2, p])
    }

    pub(crate) fn close(&mut self) -> &mut SvgPath {
        self.data.push('Z');
        self
    }

    pub(crate) fn segment(&mut self, a: Point, b: Point) -> &mut SvgPath {
        self.move_to(a).line_to(b)
    }

    pub(crate) fn polyline(&mut self, points: &[Point]) -> &mut SvgPath {
        for (i, &p) in points.iter().enumerate() {
            if i == 0 {
                self.move_to(p)
            } else {
                self.line_to(p)
            };
        }
        self
    }

    pub(crate) fn polygon(&mut self, points: &[Point]) -> &mut SvgPath {
        if !points.is_empty() {
            self.polyline(points).close();
        }
        self
    }

    /// The affine image of a circle, `c + u cos t + v sin t`, as four cubic arcs.
    pub(crate) fn ellipse(&mut self, c: Point, u: Point, v: Point) -> &mut SvgPath {
        let at = |a: f64, b: f64| [c[0] + a * u[0] + b * v[0], c[1] + a * u[1] + b * v[1]];
        const K: f64 = 0.552_285;
        self.move_to(at(1.0, 0.0));
        self.curve_to(at(1.0, K), at(K, 1.0), at(0.0, 1.0));
        self.curve_to(at(-K, 1.0), at(-1.0, K), at(-1.0, 0.0));
        self.curve_to(at(-1.0, -K), at(-K, -1.0), at(0.0, -1.0));
        self.curve_to(at(K, -1.0), at(1.0, -K), at(1.0, 0.0));
        self.close()
    }

    pub(crate) fn circle(&mut self, c: Point, r: f64) -> &mut SvgPath {
        self.ellipse(c, [r, 0.0], [0.0, r])
    }

    fn command(&mut self, letter: char, points: &[Point]) -> &mut SvgPath {
        self.data.push(letter);
        for (i, p) in points.iter().enumerate() {
            if i > 0 {
                self.data.push(' ');
            }
            let _ = write!(self.data, "{} {}", num(p[0]), num(p[1]));
        }
        self
    }
}

/// A document under construction.
#[derive(Debug)]
pub(crate) struct Svg {
    out: String,
    depth: usize,
}

impl Svg {
    /// A white page of so many pixels. The title is for readers that listen instead of look.
    pub(crate) fn new(width: f64, height: f64, title: &str) -> Svg {
        let (w, h, name) = (num(width), num(height), escape(title));
        let mut out = String::new();
        let _ = writeln!(
            out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{w}\" height=\"{h}\" viewBox=\"0 0 {w} {h}\" \
             role=\"img\" aria-label=\"{name}\">"
        );
        let _ = writeln!(out, "<title>{name}</title>");
        let _ = writeln!(out, "<rect width=\"{w}\" height=\"{h}\" fill=\"#ffffff\"/>");
        out.push_str("<g fill=\"none\" stroke-linecap=\"round\" stroke-linejoin=\"round\">\n");
        Svg { out, depth: 0 }
    }

    /// Opens a group that carries a name: tools find the parts of a picture by it.
    pub(crate) fn open(&mut self, class: &str, label: &str) {
        let _ = write!(self.out, "<g class=\"{}\"", escape(class));
        if !label.is_empty() {
            let _ = write!(self.out, " aria-label=\"{}\"", escape(label));
        }
        self.out.push_str(">\n");
        self.depth += 1;
    }

    pub(crate) fn close(&mut self) {
        if self.depth > 0 {
            self.out.push_str("</g>\n");
            self.depth -= 1;
        }
    }

    pub(crate) fn path(&mut self, path: &SvgPath, paint: &Paint) {
        self.labelled_path(path, paint, "");
    }

    /// A path that says what it shows; drawn text keeps its letters this way.
    pub(crate) fn labelled_path(&mut self, path: &SvgPath, paint: &Paint, label: &str) {
        if path.is_empty() {
            return;
        }
        let _ = write!(self.out, "<path d=\"{}\"", path.data);
        if let Some(fill) = paint.fill {
            let _ = write!(self.out, " fill=\"{}\"", fill.hex());
        }
        if let Some(stroke) = paint.stroke {
            let _ = write!(self.out, " stroke=\"{}\" stroke-width=\"{}\"", stroke.hex(), num(paint.width));
            if !paint.dash.is_empty() {
                let _ = write!(self.out, " stroke-dasharray=\"{}\"", paint.dash);
            }
        }
        if !label.is_empty() {
            let _ = write!(self.out, " role=\"img\" aria-label=\"{}\"", escape(label));
        }
        self.out.push_str("/>\n");
    }

    pub(crate) fn finish(mut self) -> String {
        while self.depth > 0 {
            self.close();
        }
        self.out.push_str("</g>\n</svg>\n");
        self.out
    }
}
