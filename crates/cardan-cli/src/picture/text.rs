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

/// Width and strokes of the characters the font draws itself.
#[rustfmt::skip]
fn strokes(c: char) -> Option<(f64, &'static str)> {
    Some(match c {
        ' ' | '\u{a0}' | '\t' => (3.4, ""),
        '0' => (8.0, "M 0 7 v 4 14 h 8 7 v 4 0 h 0 7"),
        '1' => (8.0, "M 1.4 11 4.8 14 4.8 0"),
        '2' => (8.0, "M 0.4 10.4 v 4.1 14 h 7.8 10.3 Q 7.8 7.4 4 3.9 L 0 0 8 0"),
        '3' => (8.0, "M 0.5 11 v 4 14 h 7.5 10.7 v 3.2 7.5 h 8 3.8 v 4 0 h 0 3.1"),
        '4' => (8.0, "M 6 0 6 14 0 4.2 8.2 4.2"),
        '5' => (8.0, "M 7.3 14 1.2 14 0.6 7.6 Q 2 9 4 9 h 8 4.5 v 4 0 h 0 2.8"),
        '6' => (8.0, "M 0 4.5 v 4 9 h 8 4.5 v 4 0 h 0 4.5 L 0 6.4 v 4.6 14 h 7.4 11.6"),
        '7' => (8.0, "M 0 14 8 14 2.8 0"),
        '8' => (8.0, "M 0.5 10.7 v 4 14 h 7.5 10.7 v 4 7.5 h 0 3.75 v 4 0 h 8 3.75 v 4 7.5 h 0.5 10.7"),
        '9' => (8.0, "M 8 9.5 v 4 5 h 0 9.5 v 4 14 h 8 9.5 L 8 7.6 v 3.4 0 h 0.6 2.4"),

        'A' => (10.0, "M 0 0 5 14 10 0 M 1.8 5 8.2 5"),
        'B' => (9.0, "M 0 7.5 0 14 4.8 14 h 8.3 10.75 v 4.8 7.5 L 0 7.5 0 0 5 0 h 9 3.75 v 5 7.5"),
        'C' => (9.8, "M 9.8 10.6 v 5.4 14 h 0 7 v 5.4 0 h 9.8 3.4"),
        'D' => (9.6, "M 0 0 0 14 3.6 14 h 9.6 7 v 3.6 0 L 0 0"),
        'E' => (7.8, "M 7.8 14 0 14 0 0 7.8 0 M 0 7.3 6.6 7.3"),
        'F' => (7.6, "M 7.6 14 0 14 0 0 M 0 7 6.4 7"),
        'G' => (10.2, "M 9.8 10.8 v 5.4 14 h 0 7 v 5.4 0 h 10.2 4.8 L 10.2 6.6 6 6.6"),
        'H' => (9.6, "M 0 0 0 14 M 9.6 0 9.6 14 M 0 7.2 9.6 7.2"),
        'I' => (0.4, "M 0.2 0 0.2 14"),
        'J' => (6.0, "M 6 14 6 4 v 3 0 h 0 3.4"),
        'K' => (9.0, "M 0 0 0 14 M 8.6 14 0 5.6 M 3.1 8.6 9 0"),
        'L' => (7.6, "M 0 14 0 0 7.6 0"),
        'M' => (12.0, "M 0 0 0 14 6 3.4 12 14 12 0"),
        'N' => (10.0, "M 0 0 0 14 10 0 10 14"),
        'O' => (11.0, "M 0 7 v 5.5 14 h 11 7 v 5.5 0 h 0 7"),
        'P' => (8.6, "M 0 0 0 14 4.8 14 h 8.6 10.2 v 4.8 6.4 L 0 6.4"),
        'Q' => (11.0, "M 0 7 v 5.5 14 h 11 7 v 5.5 0 h 0 7 M 6.8 3.6 11 -1"),
        'R' => (9.0, "M 0 0 0 14 4.8 14 h 8.6 10.2 v 4.8 6.4 L 0 6.4 M 4.8 6.4 9 0"),
        'S' => (8.6, "M 8 10.9 v 4.3 14 h 0.4 10.7 v 4.3 7.3 h 8.6 3.7 v 4.3 0 h 0 3.3"),
        'T' => (9.6, "M 0 14 9.6 14 M 4.8 14 4.8 0"),
        'U' => (9.6, "M 0 14 0 5 v 4.8 0 h 9.6 5 L 9.6 14"),
        'V' => (10.0, "M 0 14 5 0 10 14"),
        'W' => (14.0, "M 0 14 3.5 0 7 13 10.5 0 14 14"),
        'X' => (9.4, "M 0 14 9.4 0 M 0 0 9.4 14"),
        'Y' => (9.6, "M 0 14 4.8 6.8 9.6 14 M 4.8 6.8 4.8 0"),
        'Z' => (9.0, "M 0 14 9 14 0 0 9 0"),

        'a' => (7.4, "M 0.7 7.7 v 3.9 10 h 7.4 6.7 L 7.4 0 M 7.4 5.8 L 3.4 5.5 h 0 2.7 v 3 0 h 7.4 3.4"),
        'b' => (8.0, "M 0 14 0 0 M 0 5 v 4 10 h 8 5 v 4 0 h 0 5"),
        'c' => (7.3, "M 7.3 7.5 v 4 10 h 0 5 v 4 0 h 7.3 2.5"),
        'd' => (8.0, "M 8 14 8 0 M 8 5 v 4 10 h 0 5 v 4 0 h 8 5"),
        'e' => (8.0, "M 0.1 5.3 8 5.3 v 4.1 10 h 0 5 v 4.2 0 h 7.7 2.5"),
        'f' => (5.0, "M 5.2 13.9 L 4.9 14 h 1.9 11 L 1.9 0 M 0 9.6 4.8 9.6"),
        'g' => (8.0, "M 8 10 8 -0.4 v 4.2 -4 h 0.6 -1.9 M 8 5 v 4 10 h 0 5 v 4 0 h 8 5"),
        'h' => (7.4, "M 0 14 0 0 M 0 5.8 v 3.9 10 h 7.4 6.2 L 7.4 0"),
        'i' => (0.4, "M 0.2 10 0.2 0 M 0.2 13.2 0.2 13.8"),
        'j' => (2.4, "M 2.2 10 2.2 -1.6 v 0 -4 M 2.2 13.2 2.2 13.8"),
        'k' => (7.0, "M 0 14 0 0 M 6.6 10 0 3.8 M 2.5 6.2 7 0"),
        'l' => (2.0, "M 0.2 14 0.2 2.2 v 2 0"),
        'm' => (12.0, "M 0 10 0 0 M 0 6 v 3.2 10 h 6 6.6 L 6 0 M 6 6 v 9.2 10 h 12 6.6 L 12 0"),
        'n' => (7.4, "M 0 10 0 0 M 0 5.8 v 3.9 10 h 7.4 6.2 L 7.4 0"),
        'o' => (8.4, "M 0 5 v 4.2 10 h 8.4 5 v 4.2 0 h 0 5"),
        'p' => (8.0, "M 0 10 0 -4 M 0 5 v 4 10 h 8 5 v 4 0 h 0 5"),
        'q' => (8.0, "M 8 10 8 -4 M 8 5 v 4 10 h 0 5 v 4 0 h 8 5"),
        'r' => (4.6, "M 0 10 0 0 M 0 5.6 v 4.6 9.9"),
        's' => (6.8, "M 6.3 7.9 v 3.4 10 h 0.4 7.6 v 3.4 5.2 h 6.8 2.6 v 3.4 0 h 0 2.2"),
        't' => (5.0, "M 1.9 13 1.9 3 v 4.8 0 M 0 9.8 4.8 9.8"),
        'u' => (7.4, "M 0 10 0 3.8 v 3.5 0 h 7.4 4.2 M 7.4 10 7.4 0"),
        'v' => (8.0, "M 0 10 4 0 8 10"),
        'w' => (11.6, "M 0 10 2.9 0 5.8 9.4 8.7 0 11.6 10"),
        'x' => (7.4, "M 0 10 7.4 0 M 0 0 7.4 10"),
        'y' => (8.2, "M 0 10 4.1 0 M 8.2 10 2.46 -4"),
        'z' => (7.0, "M 0 10 7 10 0 0 7 0"),

        '.' => (0.6, "M 0.3 0.1 0.3 0.7"),
        ',' => (1.2, "M 1 0.7 0.2 -2.4"),
        ':' => (0.6, "M 0.3 0.1 0.3 0.7 M 0.3 8 0.3 8.6"),
        ';' => (1.2, "M 1 0.7 0.2 -2.4 M 0.9 8 0.9 8.6"),
        '!' => (0.6, "M 0.3 14 0.3 4.5 M 0.3 0.1 0.3 0.7"),
        '?' => (7.0, "M 0 10.9 v 3.5 14 h 7 10.7 Q 7 8.6 5.1 7.3 Q 3.5 6.2 3.5 4.2 M 3.5 0.1 3.5 0.7"),
        '"' => (3.0, "M 0 14 0 10.4 M 3 14 3 10.4"),
        '\'' | '’' => (0.4, "M 0.2 14 0.2 10.4"),
        '#' => (9.6, "M 3.2 14 1.6 0 M 8 14 6.4 0 M 0.4 9.4 9.6 9.4 M 0 4.6 9.2 4.6"),
        '$' => (8.6, "M 8 10.9 v 4.3 14 h 0.4 10.7 v 4.3 7.3 h 8.6 3.7 v 4.3 0 h 0 3.3 M 4.3 16 4.3 -2"),
        '%' => (12.0, "M 10.4 14 1.6 0 M 0 10.9 v 2.5 14 h 5 10.9 v 2.5 7.8 h 0 10.9 M 7 3.1 v 9.5 6.2 h 12 3.1 v 9.5 0 h 7 3.1"),
        '&' => (10.4, "M 10.4 0 2.2 9.3 Q 0.8 11.4 2 12.9 Q 3.9 14.9 5.8 12.9 Q 7 11 5 9.2 L 1.6 6.6 Q -1 4 1.2 1.4 Q 3.6 -0.8 6.6 0.9 Q 9.4 2.8 10 6.6"),
        '(' => (3.2, "M 3.2 15.6 Q 0 11.6 0 6 Q 0 0.4 3.2 -3.6"),
        ')' => (3.2, "M 0 15.6 Q 3.2 11.6 3.2 6 Q 3.2 0.4 0 -3.6"),
        '*' => (5.2, "M 2.6 14 2.6 8 M 0 12.5 5.2 9.5 M 0 9.5 5.2 12.5"),
        '+' => (8.0, "M 0 6.4 8 6.4 M 4 2.4 4 10.4"),
        '-' => (4.6, "M 0 5.6 4.6 5.6"),
        '/' => (5.6, "M 0 -2.4 5.6 15"),
        '<' => (8.0, "M 8 11 0 6.4 8 1.8"),
        '>' => (8.0, "M 0 11 8 6.4 0 1.8"),
        '=' => (8.0, "M 0 8.6 8 8.6 M 0 4.2 8 4.2"),
        '@' => (13.0, "M 9 6 v 6.3 8.8 h 3.6 6 v 6.3 3.2 h 9 6 M 9 9 9 4.9 v 10.9 3.2 h 13 6.6 v 6.6 13 h 0 5.4 v 6.6 -2 Q 8.6 -2 10 -1.2"),
        '[' => (2.8, "M 2.8 15.4 0 15.4 0 -3.4 2.8 -3.4"),
        ']' => (2.8, "M 0 15.4 2.8 15.4 2.8 -3.4 0 -3.4"),
        '\\' => (5.6, "M 0 15 5.6 -2.4"),
        '^' => (6.8, "M 0 10 3.4 14 6.8 10"),
        '_' => (8.0, "M 0 -2 8 -2"),
        '`' => (2.0, "M 0 14 2 11.6"),
        '{' => (4.0, "M 4 15.4 h 2 13 L 2 8 v 0 6 h 2 4 L 2 -1 v 4 -3.4"),
        '}' => (4.0, "M 0 15.4 h 2 13 L 2 8 v 4 6 h 2 4 L 2 -1 v 0 -3.4"),
        '|' => (0.4, "M 0.2 15.4 0.2 -3.4"),
        '~' => (8.4, "M 0 5.5 Q 2 8.4 4.2 6.5 Q 6.4 4.6 8.4 7.4"),

        '°' => (4.8, "M 0 11.6 v 2.4 14 h 4.8 11.6 v 2.4 9.2 h 0 11.6"),
        '·' => (0.6, "M 0.3 5.6 0.3 6.2"),
        '−' => (8.0, "M 0 6.4 8 6.4"),
        '–' => (7.0, "M 0 5.6 7 5.6"),
        '—' => (12.0, "M 0 5.6 12 5.6"),
        '×' => (7.0, "M 0 9.9 7 2.9 M 0 2.9 7 9.9"),
        '±' => (8.0, "M 0 7.4 8 7.4 M 4 3.6 4 11.2 M 0 0.4 8 0.4"),
        '…' => (8.6, "M 0.3 0.1 0.3 0.7 M 4.3 0.1 4.3 0.7 M 8.3 0.1 8.3 0.7"),
        '→' => (10.0, "M 0 6 10 6 M 6.8 9.2 10 6 6.8 2.8"),
        '√' => (9.0, "M 0 6 1.4 7 4 0 9 15"),
        'ß' => (7.6, "M 0 0 0 10.4 v 3.6 14 h 7 10.9 v 4 7.8 h 7.6 3.9 v 3.2 0"),
        'α' => (9.2, "M 9 10 Q 7.4 0 3.8 0 h 0 5 v 3.8 10 Q 7.2 10 9.2 0"),
        'β' => (8.0, "M 0 -4 0 10.4 v 3.7 14 h 7 10.9 v 2.8 7.8 h 8 3.9 v 4 0 Q 1.4 0 0 2.2"),
        'γ' => (8.0, "M 0 10 4 0 4 -4 M 8 10 4 0"),
        'δ' => (7.8, "M 6.6 13.2 h 1.4 12 Q 1.6 10.6 5 8.8 Q 7.8 7 7.8 4.4 v 3.9 0 h 0 4.4 v 3.6 8.6"),
        'ε' => (6.8, "M 6.6 8.2 v 3.5 10 h 0.4 7.5 v 3.8 5.2 h 0 2.6 v 3.6 0 h 6.8 2.2 M 3.8 5.2 5.4 5.2"),
        'η' => (7.4, "M 0 10 0 0 M 0 5.8 v 3.9 10 h 7.4 6.2 L 7.4 -4"),
        'θ' => (7.6, "M 0 7 v 3.8 14 h 7.6 7 v 3.8 0 h 0 7 M 0 7 7.6 7"),
        'κ' => (7.0, "M 0 10 0 0 M 6.6 10 0 3.8 M 2.5 6.2 7 0"),
        'λ' => (8.0, "M 0.6 14 Q 2.5 14 3.2 12.2 L 8 0 M 4.5 8.8 0 0"),
        'µ' | 'μ' => (7.4, "M 0 10 0 -4 M 0 3.8 v 3.5 0 h 7.4 4.2 M 7.4 10 7.4 0"),
        'ν' => (8.0, "M 0 10 4 0 8 10"),
        'π' => (9.0, "M 0 9.8 9 9.8 M 2 9.8 2 0 M 6.8 9.8 6.8 2.2 v 8.8 0"),
        'ρ' => (8.0, "M 0 -4 0 5 v 4 10 h 8 5 v 4 0 h 0 5"),
        'σ' => (9.0, "M 9 9.8 4.2 9.8 h 0 4.9 v 4.2 0 h 8.4 4.9 v 5 9.8"),
        'τ' => (8.0, "M 0 9.8 8 9.8 M 3.8 9.8 3.8 2.4 v 6.2 0"),
        'φ' | 'ϕ' => (9.0, "M 0 5 v 4.5 10 h 9 5 v 4.5 0 h 0 5 M 4.5 14 4.5 -4"),
        'ψ' => (9.6, "M 0 10 0 5 v 4.8 0 h 9.6 5 L 9.6 10 M 4.8 14 4.8 -4"),
        'ω' => (11.0, "M 2.2 10 Q 0 7.6 0 4.4 Q 0 0 2.8 0 Q 5.5 0 5.5 4 L 5.5 6.4 M 5.5 4 Q 5.5 0 8.2 0 Q 11 0 11 4.4 Q 11 7.6 8.8 10"),
        'Δ' => (11.0, "M 0 0 5.5 14 11 0 0 0"),
        'Σ' => (8.6, "M 8.6 14 0 14 5.4 7.2 0 0 8.6 0"),
        'Φ' => (11.0, "M 0 7 v 5.5 11.4 h 11 7 v 5.5 2.6 h 0 7 M 5.5 14 5.5 0"),
        'Ω' => (11.0, "M 0 0 3.6 0 3.6 2 Q 0.4 4.6 0.4 8.2 v 5.5 14 h 10.6 8.2 Q 10.6 4.6 7.4 2 L 7.4 0 11 0"),
        _ => return None,
    })
}
