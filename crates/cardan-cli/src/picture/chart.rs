//! Line charts: panels under each other that share one horizontal axis.

use super::axis::{PlotAxis, drawable};
use super::svg::{PALETTE, Paint, Point, Rgb, Svg, SvgPath};
use super::text::{self, TextAnchor, TextStyle};

/// A figure of one or more panels.
#[derive(Clone, Debug, Default)]
pub(crate) struct Chart {
    pub(crate) title: String,
    /// What runs to the right, with its unit: `time [s]`.
    pub(crate) x_label: String,
    pub(crate) panels: Vec<Panel>,
}

/// Curves that share a vertical axis.
#[derive(Clone, Debug, Default)]
pub(crate) struct Panel {
    pub(crate) y_label: String,
    pub(crate) series: Vec<Series>,
}

/// One curve. A point that is not finite is a gap.
#[derive(Clone, Debug, Default)]
pub(crate) struct Series {
    pub(crate) name: String,
    pub(crate) points: Vec<Point>,
}

const WIDTH: f64 = 860.0;
const RIGHT: f64 = 26.0;
const LABEL: f64 = 12.5;
const TICK: f64 = 11.5;
const LEGEND_ROW: f64 = 18.0;
/// A legend shows as many curves as fit into this many rows, then counts the others.
const LEGEND_ROWS: usize = 3;
const SWATCH: f64 = 20.0;
const DASHES: [&str; 4] = ["", "7 4", "2 4", "9 4 2 4"];

impl Chart {
    /// The figure as SVG text.
    pub(crate) fn svg(&self) -> String {
        let nothing = [Panel::default()];
        let panels: &[Panel] = if self.panels.is_empty() { &nothing } else { &self.panels };
        let height = match panels.len() {
            1 => 300.0,
            2 => 210.0,
            3 => 170.0,
            _ => 140.0,
        };
        let x_axis = self.x_axis();
        let y_axes: Vec<PlotAxis> = panels.iter().map(|panel| panel.y_axis(height / 36.0)).collect();
        let left = y_axes.iter().map(left_room).fold(36.0, f64::max) + 22.0;
        let legends: Vec<Legend> = panels.iter().map(|p| Legend::new(p, WIDTH - RIGHT - left)).collect();

        // from top to bottom: title, then for each panel its heading and its frame, then the x axis
        let title_room = if self.title.is_empty() { 14.0 } else { 40.0 };
        let mut tops = Vec::new();
        let mut y = title_room;
        for legend in &legends {
            y += legend.height() + 10.0;
            tops.push(y);
            y += height + 12.0;
        }
        let total = y + 44.0;

        let mut svg = Svg::new(WIDTH, total, if self.title.is_empty() { "chart" } else { &self.title });
        let title = text::fit(&self.title, 15.0, WIDTH - RIGHT - left);
        text::draw(&mut svg, &title, [left, 26.0], &TextStyle::new(15.0, Rgb::INK).bold());
        for (i, panel) in panels.iter().enumerate() {
            let area = PlotArea {
                left,
                right: WIDTH - RIGHT,
                top: tops[i],
                bottom: tops[i] + height,
                x: &x_axis,
                y: &y_axes[i],
            };
            svg.open("panel", &panel.y_label);
            area.draw_grid(&mut svg, i + 1 == panels.len());
            legends[i].draw(&mut svg, panel, &area);
            for (k, series) in panel.series.iter().enumerate() {
                area.draw_series(&mut svg, series, k);
            }
            area.draw_border(&mut svg);
            if !panel.series.iter().flat_map(|s| &s.points).any(|&p| area.at(p).is_some()) {
                let middle = [(left + WIDTH - RIGHT) / 2.0, tops[i] + height / 2.0];
                let style = TextStyle::new(LABEL, Rgb::GREY).anchored(TextAnchor::Middle);
                text::draw(&mut svg, "no data", middle, &style);
            }
            svg.close();
        }
        let below = total - 11.0;
        let small = TextStyle::new(TICK, Rgb::INK);
        let middle = (left + WIDTH - RIGHT) / 2.0;
        text::draw(
            &mut svg,
            &self.x_label,
            [middle, below],
            &TextStyle::new(LABEL, Rgb::INK).anchored(TextAnchor::Middle),
        );
        text::draw(&mut svg, &x_axis.note, [WIDTH - RIGHT, below], &small.anchored(TextAnchor::End));
        svg.finish()
    }

    fn x_axis(&self) -> PlotAxis {
        let points = self.panels.iter().flat_map(|p| &p.series).flat_map(|s| &s.points);
        let (low, high) = bounds(points.filter(|p| drawable(p[1]).is_some()).map(|p| p[0]));
        PlotAxis::new(low, high, 0.0, (WIDTH - 100.0) / 90.0)
    }
}

impl Panel {
    fn y_axis(&self, ticks: f64) -> PlotAxis {
        let points = self.series.iter().flat_map(|s| &s.points);
        let (low, high) = bounds(points.filter(|p| drawable(p[0]).is_some()).map(|p| p[1]));
        PlotAxis::new(low, high, 0.05, ticks)
    }
}

/// Room for the numbers left of an axis, with the note above them.
fn left_room(axis: &PlotAxis) -> f64 {
    let numbers = axis.ticks.iter().map(|(_, t)| text::width(t, TICK)).fold(0.0, f64::max);
    numbers.max(text::width(&axis.note, TICK))
}

fn bounds(values: impl Iterator<Item = f64>) -> (f64, f64) {
    let (low, high) =
        values.filter_map(drawable).fold((f64::MAX, f64::MIN), |(low, high), v| (low.min(v), high.max(v)));
    if low <= high { (low, high) } else { (0.0, 1.0) }
}

/// Colour and dashes of the k-th curve: the colours first, then again with other dashes.
fn pen(k: usize) -> Paint {
    let dash = DASHES[(k / PALETTE.len()) % DASHES.len()];
    Paint { dash, ..Paint::line(PALETTE[k % PALETTE.len()], 1.6) }
}

/// The heading of a panel: its label on the left, the names of its curves on the right or below.
struct Legend {
    /// Row, distance from the left edge, and name of each curve that is shown.
    entries: Vec<(usize, f64, String)>,
    more: Option<(usize, f64, usize)>,
    rows: usize,
}

impl Legend {
    fn new(panel: &Panel, room: f64) -> Legend {
        let mut legend = Legend { entries: Vec::new(), more: None, rows: 1 };
        let count = panel.series.len();
        // one curve that the label already names needs no legend
        if count == 0
            || (count == 1 && (panel.series[0].name.is_empty() || panel.series[0].name == panel.y_label))
        {
            return legend;
        }
        let names: Vec<String> = panel.series.iter().map(|s| text::fit(&s.name, TICK, room / 3.0)).collect();
        let widths: Vec<f64> = names.iter().map(|n| SWATCH + 6.0 + text::width(n, TICK) + 18.0).collect();
        let label = text::width(&panel.y_label, LABEL) + 30.0;
        let total: f64 = widths.iter().sum::<f64>() - 18.0;
        if label + total <= room {
            // all beside the label, at the right edge
            let mut x = room - total;
            for (name, wide) in names.into_iter().zip(widths) {
                legend.entries.push((0, x, name));
                x += wide;
            }
            return legend;
        }
        let more_room = text::width("+00000 more", TICK);
        let (mut row, mut x) = (1, 0.0);
        for (i, (name, wide)) in names.into_iter().zip(widths).enumerate() {
            let last = row == LEGEND_ROWS && i + 1 < count;
            if x + wide - 18.0 > room - if last { more_room } else { 0.0 } {
                if row == LEGEND_ROWS {
                    legend.more = Some((row, x, count - i));
                    break;
                }
                row += 1;
                x = 0.0;
            }
            legend.entries.push((row, x, name));
            x += wide;
        }
        legend.rows = row + 1;
        legend
    }

    fn height(&self) -> f64 {
        self.rows as f64 * LEGEND_ROW
    }

    fn draw(&self, svg: &mut Svg, panel: &Panel, area: &PlotArea<'_>) {
        let line = |row: usize| area.top - 8.0 - (self.rows - 1 - row) as f64 * LEGEND_ROW;
        let room = area.right - area.left;
        let label = text::fit(&panel.y_label, LABEL, room);
        text::draw(svg, &label, [area.left, line(0)], &TextStyle::new(LABEL, Rgb::INK));
        let style = TextStyle::new(TICK, Rgb::INK);
        for (k, (row, x, name)) in self.entries.iter().enumerate() {
            let (x, y) = (area.left + x, line(*row));
            let mid = y - text::cap_height(TICK) / 2.0;
            let swatch = Paint { width: 2.2, ..pen(k) };
            svg.path(SvgPath::new().segment([x + 1.0, mid], [x + SWATCH - 1.0, mid]), &swatch);
            text::draw(svg, name, [x + SWATCH + 6.0, y], &style);
        }
        if let Some((row, x, count)) = self.more {
            let style = TextStyle::new(TICK, Rgb::GREY);
            text::draw(svg, &format!("+{count} more"), [area.left + x, line(row)], &style);
        }
    }
}

/// The rectangle of a panel with its axes.
struct PlotArea<'a> {
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
    x: &'a PlotAxis,
    y: &'a PlotAxis,
}

impl PlotArea<'_> {
    fn at(&self, p: Point) -> Option<Point> {
        let (x, y) = (drawable(p[0])?, drawable(p[1])?);
        Some([
            self.left + self.x.share(x) * (self.right - self.left),
            self.bottom - self.y.share(y) * (self.bottom - self.top),
        ])
    }

    fn draw_grid(&self, svg: &mut Svg, numbers_below: bool) {
        let style = TextStyle::new(TICK, Rgb::INK);
        let mut grid = SvgPath::new();
        let mut marks = SvgPath::new();
        for (value, name) in &self.x.ticks {
            let x = self.left + self.x.share(*value) * (self.right - self.left);
            if x > self.left + 1.0 && x < self.right - 1.0 {
                grid.segment([x, self.top], [x, self.bottom]);
            }
            marks.segment([x, self.bottom], [x, self.bottom + 4.0]);
            if numbers_below {
                text::draw(svg, name, [x, self.bottom + 17.0], &style.anchored(TextAnchor::Middle));
            }
        }
        for (value, name) in &self.y.ticks {
            let y = self.bottom - self.y.share(*value) * (self.bottom - self.top);
            if y > self.top + 1.0 && y < self.bottom - 1.0 {
                grid.segment([self.left, y], [self.right, y]);
            }
            marks.segment([self.left - 4.0, y], [self.left, y]);
            let base = y + text::cap_height(TICK) / 2.0;
            text::draw(svg, name, [self.left - 8.0, base], &style.anchored(TextAnchor::End));
        }
        svg.path(&grid, &Paint::line(Rgb::FAINT, 1.0));
        if self.y.low < 0.0 && self.y.high > 0.0 {
            let y = self.bottom - self.y.share(0.0) * (self.bottom - self.top);
            let zero = Paint::line(Rgb::FAINT.mix(Rgb::INK, 0.25), 1.0);
            svg.path(SvgPath::new().segment([self.left, y], [self.right, y]), &zero);
        }
        svg.path(&marks, &Paint::line(Rgb::INK, 1.0));
        let note = [self.left - 8.0, self.top - 8.0];
        text::draw(svg, &self.y.note, note, &TextStyle::new(TICK, Rgb::GREY).anchored(TextAnchor::End));
    }

    fn draw_border(&self, svg: &mut Svg) {
        let mut axes = SvgPath::new();
        axes.polyline(&[[self.left, self.top], [self.left, self.bottom], [self.right, self.bottom]]);
        svg.path(&axes, &Paint::line(Rgb::INK, 1.1));
    }

    fn draw_series(&self, svg: &mut Svg, series: &Series, k: usize) {
        let mut pen = pen(k);
        let mut path = SvgPath::new();
        let mut travel = 0.0;
        let mut dots = SvgPath::new();
        // runs of neighbouring finite points
        let placed: Vec<Option<Point>> = series.points.iter().map(|&p| self.at(p)).collect();
        for run in placed.split(|p| p.is_none()) {
            let run: Vec<Point> = run.iter().flatten().copied().collect();
            match run.len() {
                0 => {}
                1 => {
                    dots.circle(run[0], 2.4);
                }
                _ => {
                    let run = thin(&run);
                    travel += run.windows(2).map(|w| (w[1][1] - w[0][1]).abs()).sum::<f64>();
                    path.polyline(&run);
                }
            }
        }
        // a curve that fills the panel reads better as a fine line
        if travel > 60.0 * (self.bottom - self.top) {
            pen.width = 0.8;
        }
        svg.labelled_path(&path, &pen, &series.name);
        if let Some(color) = pen.stroke {
            svg.path(&dots, &Paint::fill(color));
        }
    }
}

/// Fewer points, same picture: per half pixel column the first, lowest, highest and last point stay. A curve that
/// turns back in x keeps every point that is visibly away from the one before.
fn thin(points: &[Point]) -> Vec<Point> {
    const COLUMN: f64 = 0.5;
    let mut kept: Vec<Point> = Vec::new();
    if points.len() < 800 {
        return points.to_vec();
    }
    if points.windows(2).any(|w| w[1][0] < w[0][0]) {
        for (i, &p) in points.iter().enumerate() {
            let far = kept.last().is_none_or(|q| (p[0] - q[0]).abs() + (p[1] - q[1]).abs() > 0.4);
            if far || i + 1 == points.len() {
                kept.push(p);
            }
        }
        return kept;
    }
    let column = |p: &Point| (p[0] / COLUMN).floor();
    for group in points.chunk_by(|a, b| column(a) == column(b)) {
        let mut extreme = [0, 0, 0, group.len() - 1];
        for (i, p) in group.iter().enumerate() {
            if p[1] < group[extreme[1]][1] {
                extreme[1] = i;
            }
            if p[1] > group[extreme[2]][1] {
                extreme[2] = i;
            }
        }
        extreme.sort_unstable();
        let mut last = usize::MAX;
        for i in extreme {
            if i != last {
                kept.push(group[i]);
            }
            last = i;
        }
    }
    kept
}
