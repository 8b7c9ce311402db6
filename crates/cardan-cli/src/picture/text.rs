//! Text as strokes: a single-line font of our own, so that letters need no font file.
//!
//! A glyph is a short program on a grid with the baseline at y = 0, small letters 10 high, capitals and digits
//! 14 high, tails down to −4, y up; 20 units are one em. The commands:
//!
//! ```text
//! M x y …        move, then straight lines to the further pairs      L x y …     straight lines
//! h x y          quarter ellipse that leaves horizontally            v x y       … that leaves vertically
//! Q cx cy x y    quadratic curve
//! ```

use super::glyphs::strokes;
use super::svg::{Paint, Point, Rgb, Svg, SvgPath};

/// Units of the glyph grid per em.
const EM: f64 = 20.0;
/// Room between glyphs, in grid units.
const GAP: f64 = 3.5;
/// Small figures above and below the line: their size, and how far they are moved.
const SCRIPT: f64 = 0.68;
const RAISE: f64 = 6.4;
const LOWER: f64 = -3.4;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TextAnchor {
    Start,
    Middle,
    End,
}

/// How a line of text looks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TextStyle {
    /// Pixels per em; capitals are 0.7 of it.
    pub(crate) size: f64,
    pub(crate) color: Rgb,
    pub(crate) bold: bool,
    pub(crate) anchor: TextAnchor,
    /// A white rim that keeps the text legible on top of lines.
    pub(crate) halo: bool,
}

impl TextStyle {
    pub(crate) fn new(size: f64, color: Rgb) -> TextStyle {
        TextStyle { size, color, bold: false, anchor: TextAnchor::Start, halo: false }
    }

    pub(crate) fn anchored(self, anchor: TextAnchor) -> TextStyle {
        TextStyle { anchor, ..self }
    }

    pub(crate) fn bold(self) -> TextStyle {
        TextStyle { bold: true, ..self }
    }

    pub(crate) fn haloed(self) -> TextStyle {
        TextStyle { halo: true, ..self }
    }
}

/// Width of a line of text in pixels, from the first stroke to the last.
pub(crate) fn width(text: &str, size: f64) -> f64 {
    let units: f64 = text.chars().map(|c| glyph(c).advance()).sum();
    (units - GAP).max(0.0) * size / EM
}

/// Height of capitals in pixels.
pub(crate) fn cap_height(size: f64) -> f64 {
    14.0 * size / EM
}

/// The text cut to a width, with dots where something is missing.
pub(crate) fn fit(text: &str, size: f64, most: f64) -> String {
    if width(text, size) <= most {
        return text.into();
    }
    let mut kept: Vec<char> = text.chars().collect();
    loop {
        let short: String = kept.iter().collect::<String>() + "…";
        if kept.pop().is_none() || width(&short, size) <= most {
            return short;
        }
    }
}

/// Draws one line of text with its baseline at `at`.
pub(crate) fn draw(svg: &mut Svg, text: &str, at: Point, style: &TextStyle) {
    let shift = match style.anchor {
        TextAnchor::Start => 0.0,
        TextAnchor::Middle => 0.5,
        TextAnchor::End => 1.0,
    };
    let unit = style.size / EM;
    let mut pen = at[0] - shift * width(text, style.size);
    let mut path = SvgPath::new();
    for c in text.chars() {
        let glyph = glyph(c);
        glyph.trace(&mut path, [pen, at[1]], unit);
        pen += glyph.advance() * unit;
    }
    let weight = style.size * if style.bold { 0.125 } else { 0.088 };
    if style.halo {
        svg.path(&path, &Paint::line(Rgb::WHITE, weight + 3.0));
    }
    svg.labelled_path(&path, &Paint::line(style.color, weight), text);
}

/// One character, ready to be traced.
struct Glyph {
    /// Width of the strokes' box in grid units, before scaling.
    width: f64,
    strokes: &'static str,
    /// An accent over (or under) the letter.
    mark: &'static str,
    mark_shift: Point,
    scale: f64,
    raise: f64,
}

impl Glyph {
    fn advance(&self) -> f64 {
        self.width * self.scale + GAP * if self.scale < 1.0 { 0.8 } else { 1.0 }
    }

    fn trace(&self, path: &mut SvgPath, at: Point, unit: f64) {
        let k = unit * self.scale;
        let place = |x: f64, y: f64| [at[0] + x * k, at[1] - y * k - self.raise * unit];
        trace(self.strokes, path, place);
        let [dx, dy] = self.mark_shift;
        trace(self.mark, path, |x, y| place(x + dx, y + dy));
    }
}

/// Runs a glyph's program.
fn trace(program: &str, path: &mut SvgPath, place: impl Fn(f64, f64) -> Point) {
    const K: f64 = 0.552_285;
    let mut words = program.split_ascii_whitespace().peekable();
    let mut command = "M";
    let mut here = [0.0, 0.0];
    while let Some(&word) = words.peek() {
        if word.starts_with(|c: char| c.is_ascii_alphabetic()) {
            command = word;
            words.next();
            continue;
        }
        let mut number = || words.next().and_then(|w| w.parse::<f64>().ok()).unwrap_or(0.0);
        let first = [number(), number()];
        let to = if command == "Q" { [number(), number()] } else { first };
        match command {
            "M" => {
                path.move_to(place(to[0], to[1]));
                command = "L";
            }
            "L" => {
                path.line_to(place(to[0], to[1]));
            }
            _ => {
                let (dx, dy) = (to[0] - here[0], to[1] - here[1]);
                let (c1, c2) = match command {
                    "h" => ([here[0] + K * dx, here[1]], [to[0], to[1] - K * dy]),
                    "v" => ([here[0], here[1] + K * dy], [to[0] - K * dx, to[1]]),
                    _ => {
                        let pull =
                            |p: Point| [p[0] + (first[0] - p[0]) / 1.5, p[1] + (first[1] - p[1]) / 1.5];
                        (pull(here), pull(to))
                    }
                };
                path.curve_to(place(c1[0], c1[1]), place(c2[0], c2[1]), place(to[0], to[1]));
            }
        }
        here = to;
    }
}

fn glyph(c: char) -> Glyph {
    let plain =
        |width, strokes| Glyph { width, strokes, mark: "", mark_shift: [0.0; 2], scale: 1.0, raise: 0.0 };
    if let Some((width, strokes)) = strokes(c) {
        return plain(width, strokes);
    }
    if let Some((base, raise)) = script(c)
        && let Some((width, strokes)) = strokes(base)
    {
        return Glyph { scale: SCRIPT, raise, ..plain(width, strokes) };
    }
    if let Some((base, mark, mark_width)) = accented(c)
        && let Some((width, strokes)) = strokes(base)
    {
        let lift = if base.is_uppercase() { 3.8 } else { 0.0 };
        return Glyph { mark, mark_shift: [(width - mark_width) / 2.0, lift], ..plain(width, strokes) };
    }
    // a character we cannot draw is a visible box, never nothing
    plain(7.0, "M 0 0 7 0 7 13 0 13 0 0")
}

/// Superscripts and subscripts: the character, and how far it moves.
fn script(c: char) -> Option<(char, f64)> {
    const ABOVE: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    const DIGITS: [char; 10] = ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9'];
    if let Some(i) = ABOVE.iter().position(|&a| a == c) {
        return Some((DIGITS[i], RAISE));
    }
    match c {
        '⁻' => Some(('-', RAISE)),
        '⁺' => Some(('+', RAISE)),
        '₀'..='₉' => Some((DIGITS[(c as usize) - ('₀' as usize)], LOWER)),
        _ => None,
    }
}

/// Letters with an accent: the letter, the accent's strokes, the accent's width.
fn accented(c: char) -> Option<(char, &'static str, f64)> {
    const ACUTE: (&str, f64) = ("M 0 11.8 2.6 14.4", 2.6);
    const GRAVE: (&str, f64) = ("M 0 14.4 2.6 11.8", 2.6);
    const ROOF: (&str, f64) = ("M 0 11.8 2.6 14.2 5.2 11.8", 5.2);
    const DOTS: (&str, f64) = ("M 0 12.8 0 13.5 M 4 12.8 4 13.5", 4.0);
    const WAVE: (&str, f64) = ("M 0 12.3 Q 1.5 14.6 3 13.2 Q 4.5 11.8 6 13.9", 6.0);
    const RING: (&str, f64) = ("M 0 13.4 v 1.8 15.2 h 3.6 13.4 v 1.8 11.6 h 0 13.4", 3.6);
    const HOOK: (&str, f64) = ("M 2 0 1.6 -1.6 h 3 -2.9 v 0.4 -4", 3.0);
    let table = [
        ("áéíóúýÁÉÍÓÚÝ", "aeiouyAEIOUY", ACUTE),
        ("àèìòùÀÈÌÒÙ", "aeiouAEIOU", GRAVE),
        ("âêîôûÂÊÎÔÛ", "aeiouAEIOU", ROOF),
        ("äëïöüÄËÏÖÜ", "aeiouAEIOU", DOTS),
        ("ãñõÃÑÕ", "anoANO", WAVE),
        ("åÅ", "aA", RING),
        ("çÇ", "cC", HOOK),
    ];
    for (whole, bases, (mark, width)) in table {
        if let Some(i) = whole.chars().position(|w| w == c) {
            return bases.chars().nth(i).map(|base| (base, mark, width));
        }
    }
    None
}
