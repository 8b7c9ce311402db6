"""A run as one page of HTML that needs nothing else: bodies as lines through their joints, a slider for time.

Drag to turn the view, scroll to come closer, space to stop and go on.
"""

from __future__ import annotations

import html
import json
from dataclasses import dataclass

import numpy as np

from .plot import _COLOURS, _through

#: Most numbers of a page; with more there are fewer pictures per second.
_MOST_NUMBERS = 2_000_000


@dataclass
class Page:
    """A page as text."""

    text: str

    def _repr_html_(self) -> str:
        source = html.escape(self.text, quote=True)
        return f'<iframe srcdoc="{source}" width="100%" height="520" style="border:0"></iframe>'

    def save(self, path) -> None:
        """Writes the file."""
        with open(path, "w", encoding="utf-8") as out:
            out.write(self.text)


def _rotation(quaternion):
    w, x, y, z = quaternion
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


def _lines(sim):
    """Of each body: the points of its line in its own axes, from its centre of mass. And joints on the ground."""
    model, poses = sim.model, sim.poses()
    ends = {name: [] for name in model.bodies}
    ground = []
    for name, joint in model.joints.items():
        if joint.kind == "floating":
            continue
        at = sim.joint(name)["position"]
        if None in joint.bodies:
            ground.append([float(x) for x in at])
        for body in joint.bodies:
            if body is not None:
                ends[body].append(at)
    lines = []
    for name, pose in zip(model.bodies, poses):
        back = _rotation(pose[3:]).T
        points = [back @ (np.asarray(p) - pose[:3]) for p in _through(ends[name], pose[:3])]
        lines.append([[round(float(x), 6) for x in p] for p in points])
    return lines, ground


def record(sim, until: float, fps: float = 30.0):
    """Runs a copy to a time and keeps times and poses."""
    own = sim.copy()
    if not (np.isfinite(until) and until > own.time and fps > 0):
        raise ValueError(f"until must be after {own.time} s, and fps positive")
    own.assemble()
    count = len(own.model.bodies)
    most = max(2, _MOST_NUMBERS // max(1, 7 * count))
    times = np.linspace(own.time, until, int(min(np.ceil((until - own.time) * fps) + 1, most)))
    poses = np.empty((len(times), count, 7))
    for k, time in enumerate(times):
        own.run(float(time))
        poses[k] = own.poses()
    return times, poses


def page(sim, until: float, fps: float = 30.0) -> Page:
    """The run of a copy of a simulation as a page."""
    lines, ground = _lines(sim)
    times, poses = record(sim, until, fps)
    gravity = np.asarray(sim.model.gravity)
    size = np.linalg.norm(gravity)
    up = -gravity / size if size > 0 else np.array([0.0, 0.0, 1.0])
    data = {
        "title": sim.model.title,
        "names": list(sim.model.bodies),
        "colours": _COLOURS,
        "up": [float(x) for x in up],
        "lines": lines,
        "ground": ground,
        "times": [round(float(t), 6) for t in times],
        "poses": [[round(float(x), 6) for x in frame.ravel()] for frame in poses],
    }
    # Nothing in the data ends the element.
    text = json.dumps(data, separators=(",", ":")).replace("<", "\\u003c")
    return Page(_PAGE.replace("@TITLE@", html.escape(sim.model.title)).replace("@DATA@", text))


_PAGE = """<!doctype html>
<html><head><meta charset="utf-8"><title>@TITLE@</title>
<style>body{margin:0;font:14px sans-serif;color:#222}canvas{width:100%;height:calc(100vh - 44px);display:block;touch-action:none}
#bar{display:flex;gap:8px;align-items:center;height:44px;padding:0 10px}#at{flex:1}</style></head>
<body><canvas id="view"></canvas>
<div id="bar"><button id="go" aria-label="play or stop">stop</button><input id="at" type="range" min="0" value="0" aria-label="time"><span id="time"></span></div>
<script type="application/json" id="data">@DATA@</script>
<script>
"use strict";
const d = JSON.parse(document.getElementById("data").textContent), n = d.names.length, last = d.times.length - 1;
const canvas = document.getElementById("view"), pen = canvas.getContext("2d");
const go = document.getElementById("go"), at = document.getElementById("at"), clock = document.getElementById("time");
at.max = last;
// Axes of the page: up, and two across it.
const cross = (a, b) => [a[1]*b[2]-a[2]*b[1], a[2]*b[0]-a[0]*b[2], a[0]*b[1]-a[1]*b[0]], dot = (a, b) => a[0]*b[0]+a[1]*b[1]+a[2]*b[2];
const unit = a => { const s = Math.hypot(...a); return a.map(x => x / s); };
const up = unit(d.up), east = unit(cross(Math.abs(up[2]) > 0.9 ? [0, 1, 0] : [0, 0, 1], up)), north = cross(up, east);
function point(frame, body, p) {
  const q = frame.slice(7 * body, 7 * body + 7), [w, x, y, z] = q.slice(3), u = [x, y, z], c = cross(u, p), e = cross(u, c);
  return [0, 1, 2].map(k => q[k] + p[k] + 2 * (w * c[k] + e[k]));
}
let low = [1e300, 1e300, 1e300], high = low.map(x => -x);
const grow = p => p.forEach((x, k) => { low[k] = Math.min(low[k], x); high[k] = Math.max(high[k], x); });
d.poses.forEach((frame, k) => { if (k % Math.ceil(d.poses.length / 50) == 0) d.lines.forEach((line, b) => line.forEach(p => grow(point(frame, b, p)))); });
d.ground.forEach(grow);
const middle = low.map((x, k) => (x + high[k]) / 2), span = Math.max(1e-9, Math.hypot(...low.map((x, k) => high[k] - x)));
let yaw = 0.3, pitch = 0.25, zoom = 1, playing = true, shown = 0, begun = performance.now();
function draw() {
  const wide = canvas.clientWidth, tall = canvas.clientHeight, scale = 0.9 * zoom * Math.min(wide, tall) / span;
  if (canvas.width != wide || canvas.height != tall) { canvas.width = wide; canvas.height = tall; }
  const to = p => {
    const r = p.map((x, k) => x - middle[k]), e = dot(r, east), m = dot(r, north), u = dot(r, up);
    const deep = -Math.sin(yaw) * e + Math.cos(yaw) * m;
    return [wide / 2 + scale * (Math.cos(yaw) * e + Math.sin(yaw) * m), tall / 2 - scale * (Math.cos(pitch) * u + Math.sin(pitch) * deep)];
  };
  pen.clearRect(0, 0, wide, tall);
  const frame = d.poses[shown];
  pen.lineWidth = 4; pen.lineJoin = pen.lineCap = "round"; pen.font = "12px sans-serif";
  d.lines.forEach((line, b) => {
    const points = line.map(p => to(point(frame, b, p)));
    pen.strokeStyle = pen.fillStyle = d.colours[b % d.colours.length];
    pen.beginPath(); points.forEach((p, k) => k ? pen.lineTo(...p) : pen.moveTo(...p)); pen.stroke();
    const c = to(frame.slice(7 * b, 7 * b + 3));
    pen.beginPath(); pen.arc(c[0], c[1], 4, 0, 7); pen.fill();
    if (n <= 16) pen.fillText(d.names[b], c[0] + 6, c[1] - 6);
  });
  pen.strokeStyle = "#333"; pen.lineWidth = 1.5;
  d.ground.forEach(p => { const [x, y] = to(p); pen.beginPath(); pen.moveTo(x, y); pen.lineTo(x - 6, y + 10); pen.lineTo(x + 6, y + 10); pen.closePath(); pen.stroke(); });
  at.value = shown; clock.textContent = d.times[shown].toFixed(2) + " s";
}
function tick(now) {
  if (playing) {
    const whole = d.times[last] - d.times[0], t = d.times[0] + (Math.max(0, now - begun) / 1000) % (whole || 1);  // a frame may have begun before the script
    shown = Math.min(last, Math.round((t - d.times[0]) / (whole || 1) * last));
  }
  draw(); requestAnimationFrame(tick);
}
function play(on) { playing = on; go.textContent = on ? "stop" : "play"; begun = performance.now() - 1000 * (d.times[shown] - d.times[0]); }
go.onclick = () => play(!playing);
at.oninput = () => { play(false); shown = +at.value; };
document.onkeydown = e => { if (e.key == " " && e.target != go) { play(!playing); e.preventDefault(); } };
canvas.onpointermove = e => { if (e.buttons) { yaw -= e.movementX / 150; pitch = Math.max(-1.57, Math.min(1.57, pitch + e.movementY / 150)); } };
canvas.onwheel = e => { zoom *= Math.exp(-e.deltaY / 600); e.preventDefault(); };
requestAnimationFrame(tick);
</script></body></html>
"""
