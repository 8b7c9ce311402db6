//! A chart as one page: the same panels as in the picture, with zoom and hover, and nothing to load.
//!
//! The wheel zooms about the pointer, dragging moves, a double click shows everything again. Panels share the axis that
//! runs to the right. Data are in the page as JSON.

use super::chart::{Chart, Panel};
use super::svg::PALETTE;
use serde_json::{Value, json};

impl Chart {
    /// The figure as a page.
    pub(crate) fn html(&self) -> String {
        let body = format!("<h1>{}</h1>\n{}", escaped(&self.title), self.html_part("chart"));
        page(&self.title, &body)
    }

    /// The figure as a part of a page, under an id of its own.
    pub(crate) fn html_part(&self, id: &str) -> String {
        let number = |x: f64| if x.is_finite() { json!(x) } else { Value::Null };
        let panel = |panel: &Panel| {
            let series = panel.series.iter().map(|series| {
                let points = series.points.iter().map(|p| json!([number(p[0]), number(p[1])]));
                json!({ "name": series.name, "points": points.collect::<Vec<_>>() })
            });
            json!({ "label": panel.y_label, "series": series.collect::<Vec<_>>() })
        };
        let colors: Vec<String> = PALETTE.iter().map(|c| format!("rgb({},{},{})", c.0, c.1, c.2)).collect();
        let panels: Vec<Value> = self.panels.iter().map(panel).collect();
        let data = json!({ "x": self.x_label, "panels": panels, "colors": colors });
        // Tags and comments in a name must not end the script, nor keep it open.
        let data = data.to_string().replace('<', "\\u003c");
        format!(
            "<div id=\"{id}\" class=\"chart\"></div>\n<script>{SCRIPT}\ndrawChart(\"{id}\", {data});</script>\n"
        )
    }
}

/// A page with a body.
pub(crate) fn page(title: &str, body: &str) -> String {
    format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{}</title>\n<style>{STYLE}</style></head>\n<body>\n{body}</body></html>\n",
        escaped(title)
    )
}

/// Text as HTML has it.
pub(crate) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

const STYLE: &str = "body{font:15px/1.45 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#1c2733}\
h1{font-size:1.5rem}h2{font-size:1.15rem;margin-top:2rem;border-bottom:1px solid #cdd5dd}\
pre{background:#f5f7f9;padding:.7rem;overflow:auto;font-size:13px}\
table{border-collapse:collapse;font-size:14px}td,th{padding:.15rem .7rem;text-align:right;border-bottom:1px solid #e3e8ed}\
td:first-child,th:first-child{text-align:left}svg{max-width:100%;height:auto}\
.chart canvas{width:100%;display:block;cursor:crosshair;touch-action:none}.chart .legend{font-size:13px;margin:.4rem 0 0}\
.chart .legend span{margin-right:1rem;white-space:nowrap}@media print{h2{break-after:avoid}}";

const SCRIPT: &str = r##"
window.drawChart = window.drawChart || function (id, data) {
  const root = document.getElementById(id), xs = [];
  for (const p of data.panels) for (const s of p.series) for (const q of s.points) if (q[0] !== null && q[1] !== null) xs.push(q[0]);
  let low = Infinity, high = -Infinity;
  for (const x of xs) { if (x < low) low = x; if (x > high) high = x; }
  // Less than this cannot be drawn: doubles run out of digits.
  const least = (a, b) => 1e-9 * Math.max(Math.abs(a), Math.abs(b));
  const wide = (a, b, m) => {
    if (a > b) return [-0.5, 0.5];
    if (b - a > least(a, b)) return [a - m * (b - a), b + m * (b - a)];
    const c = a + (b - a) / 2, half = Math.max(0.5, 1e-8 * Math.abs(c)); return [c - half, c + half];
  };
  [low, high] = wide(low, high, 0);
  const all = [low, high]; let view = [low, high], at = null;
  const show = v => Math.abs(v) >= 1e5 || (v !== 0 && Math.abs(v) < 1e-3) ? v.toExponential(3) : String(+v.toPrecision(5));
  const ticks = (a, b, n) => {
    const raw = (b - a) / n, e = Math.pow(10, Math.floor(Math.log10(raw)));
    const step = [1, 2, 5, 10].map(k => k * e).find(s => s >= raw), out = [];
    const first = Math.ceil(a / step);
    for (let k = 0; k < 50; k++) { const v = (first + k) * step; if (!(v <= b + step * 1e-9)) break; out.push(v); }
    return out;
  };
  const parts = data.panels.map((panel, k) => {
    const legend = document.createElement("div"), canvas = document.createElement("canvas");
    legend.className = "legend"; root.append(legend, canvas);
    return { panel, legend, canvas, last: k === data.panels.length - 1 };
  });
  const L = 76, R = 12, T = 8;
  function draw() {
    for (const part of parts) {
      const { panel, legend, canvas } = part, w = root.clientWidth, h = part.last ? 236 : 210, B = part.last ? 42 : 16;
      const ratio = window.devicePixelRatio || 1; canvas.width = w * ratio; canvas.height = h * ratio; canvas.style.height = h + "px";
      const g = canvas.getContext("2d"); g.scale(ratio, ratio); g.font = "12px system-ui,sans-serif";
      let a = Infinity, b = -Infinity;
      for (const s of panel.series) for (const [x, y] of s.points) if (y !== null && x >= view[0] && x <= view[1]) { if (y < a) a = y; if (y > b) b = y; }
      [a, b] = wide(a, b, 0.05);
      const X = x => L + (x - view[0]) / (view[1] - view[0]) * (w - L - R), Y = y => T + (b - y) / (b - a) * (h - T - B);
      g.strokeStyle = "#dfe5ea"; g.fillStyle = "#1c2733"; g.lineWidth = 1;
      for (const v of ticks(a, b, 5)) { g.beginPath(); g.moveTo(L, Y(v)); g.lineTo(w - R, Y(v)); g.stroke(); g.textAlign = "right"; g.fillText(show(v), L - 6, Y(v) + 4); }
      for (const v of ticks(view[0], view[1], 8)) { g.beginPath(); g.moveTo(X(v), T); g.lineTo(X(v), h - B); g.stroke(); if (part.last) { g.textAlign = "center"; g.fillText(show(v), X(v), h - B + 15); } }
      if (part.last) { g.textAlign = "center"; g.fillText(data.x, (L + w - R) / 2, h - 6); }
      g.save(); g.beginPath(); g.rect(L, T, w - L - R, h - T - B); g.clip();
      const near = [];
      panel.series.forEach((s, k) => {
        const color = data.colors[k % data.colors.length]; g.strokeStyle = color; g.lineWidth = 1.5; g.beginPath();
        let open = false, best = null;
        for (const q of s.points) {
          if (q[0] === null || q[1] === null) { open = false; continue; }
          if (open) g.lineTo(X(q[0]), Y(q[1])); else g.moveTo(X(q[0]), Y(q[1])); open = true;
          if (at !== null && (best === null || Math.abs(q[0] - at) < Math.abs(best[0] - at))) best = q;
        }
        g.stroke();
        if (s.points.length < 60) for (const q of s.points) if (q[0] !== null && q[1] !== null) { g.fillStyle = color; g.beginPath(); g.arc(X(q[0]), Y(q[1]), 2.5, 0, 7); g.fill(); }
        if (best) { g.fillStyle = color; g.beginPath(); g.arc(X(best[0]), Y(best[1]), 3.5, 0, 7); g.fill(); }
        near.push([s.name, color, best]);
      });
      if (at !== null) { g.strokeStyle = "#8a97a3"; g.beginPath(); g.moveTo(X(at), T); g.lineTo(X(at), h - B); g.stroke(); }
      g.restore(); g.strokeStyle = "#1c2733"; g.strokeRect(L, T, w - L - R, h - T - B);
      legend.textContent = ""; const label = document.createElement("span"); label.textContent = panel.label; legend.append(label);
      for (const [name, color, best] of near) {
        const item = document.createElement("span"); item.style.color = color;
        item.textContent = "— " + name + (best ? ": " + show(best[1]) + " at " + show(best[0]) : ""); legend.append(item);
      }
    }
  }
  const place = e => view[0] + (e.offsetX - L) / (root.clientWidth - L - R) * (view[1] - view[0]);
  let held = null;
  for (const { canvas } of parts) {
    canvas.onwheel = e => { e.preventDefault(); const x = place(e), f = Math.exp(e.deltaY * 0.0015); const to = [x + (view[0] - x) * f, x + (view[1] - x) * f], range = to[1] - to[0]; if (range > least(to[0], to[1]) + 1e-9 * (all[1] - all[0]) && range < 1e6 * (all[1] - all[0])) { view = to; draw(); } };
    canvas.onpointerdown = e => { held = [e.offsetX, view]; canvas.setPointerCapture(e.pointerId); };
    canvas.onpointerup = () => { held = null; };
    canvas.onpointermove = e => {
      if (held) { const d = (e.offsetX - held[0]) / (root.clientWidth - L - R) * (held[1][1] - held[1][0]); view = [held[1][0] - d, held[1][1] - d]; }
      at = place(e); draw();
    };
    canvas.onpointerleave = () => { at = null; draw(); };
    canvas.ondblclick = () => { view = [all[0], all[1]]; draw(); };
  }
  window.addEventListener("resize", draw); draw();
};"##;
