"""Plots of tables and drawings of mechanisms: with matplotlib if it is installed, as SVG otherwise.

A function returns matplotlib's figure, or an `Svg` that notebooks show. ``path`` writes a file as well: `.svg` without
matplotlib, any ending that matplotlib knows with it.
"""

from __future__ import annotations

import html
from dataclasses import dataclass

import numpy as np

_COLOURS = ["#1f6fb2", "#d1622b", "#3a8f4d", "#8a4fae", "#b03a48", "#6b6b6b", "#c79a1e", "#2a9c9c"]
_MOST_CURVES = 12


@dataclass
class Svg:
    """A picture as text."""

    text: str

    def _repr_svg_(self) -> str:
        return self.text

    def save(self, path) -> None:
        """Writes the file."""
        with open(path, "w", encoding="utf-8") as out:
            out.write(self.text)


def _matplotlib():
    try:
        from matplotlib.figure import Figure
    except ImportError:
        return None
    return Figure


def _panels(table, columns, x):
    names = [name for name in (table.select(*columns) if columns else table) if name != x and name != "time"]
    if x not in table:
        raise KeyError(f"the table has no column `{x}`; it has {', '.join(list(table)[:12])}")
    if not names:
        raise KeyError(f"the table has no column {' or '.join(columns)}; it has {', '.join(list(table)[:12])}")
    panels: dict[str, list[str]] = {}
    for name in names:
        panels.setdefault(table.units.get(name, ""), []).append(name)
    return panels


def plot_table(table, columns=(), x="time", path=None):
    """Columns against ``x``, one panel per unit."""
    panels = _panels(table, columns, x)
    label = f"{x} [{table.units[x]}]" if table.units.get(x) else x
    Figure = _matplotlib()
    if Figure is None:
        picture = Svg(_chart(table, panels, x, label))
        if path is not None:
            picture.save(path)
        return picture
    figure = Figure(figsize=(7, 2.4 * len(panels) + 0.6), layout="constrained")
    for axes, (unit, names) in zip(np.atleast_1d(figure.subplots(len(panels), 1, sharex=True)), panels.items()):
        for name in names:
            axes.plot(table[x], table[name], label=name)
        axes.set_ylabel(f"[{unit}]" if unit else "")
        axes.grid(alpha=0.3)
        axes.legend(fontsize="small")
    axes.set_xlabel(label)
    figure.suptitle(table.title)
    if path is not None:
        figure.savefig(path)
    return figure


def _ticks(low, high, count=5):
    """Round numbers in a range."""
    span = (high - low) or abs(high) or 1.0
    step = 10.0 ** np.floor(np.log10(span / count))
    step *= min((1, 2, 5, 10), key=lambda k: abs(span / (k * step) - count))
    return np.arange(np.ceil(low / step) * step, high + 1e-9 * span, step)


def _chart(table, panels, x, label, width=760, height=230):
    left, right, gap = 70, 180, 46
    out = []
    xs = table[x]
    finite = xs[np.isfinite(xs)]
    x0, x1 = (finite.min(), finite.max()) if len(finite) else (0.0, 1.0)
    x1 = x1 if x1 > x0 else x0 + 1.0
    for row, (unit, names) in enumerate(panels.items()):
        top = 30 + row * (height + gap)
        values = np.concatenate([table[name] for name in names])
        values = values[np.isfinite(values)]
        y0, y1 = (values.min(), values.max()) if len(values) else (0.0, 1.0)
        pad = 0.05 * (y1 - y0) or max(abs(y0), 1.0) * 0.05
        y0, y1 = y0 - pad, y1 + pad
        to_x = lambda v: left + (v - x0) / (x1 - x0) * (width - left - right)
        to_y = lambda v: top + height - (v - y0) / (y1 - y0) * height
        for tick in _ticks(y0, y1):
            out.append(f'<line x1="{left}" x2="{width - right}" y1="{to_y(tick):.1f}" y2="{to_y(tick):.1f}" stroke="#ddd"/>')
            out.append(f'<text x="{left - 6}" y="{to_y(tick) + 4:.1f}" text-anchor="end">{tick:.4g}</text>')
        for tick in _ticks(x0, x1):
            out.append(f'<text x="{to_x(tick):.1f}" y="{top + height + 16}" text-anchor="middle">{tick:.4g}</text>')
        out.append(f'<rect x="{left}" y="{top}" width="{width - left - right}" height="{height}" fill="none" stroke="#888"/>')
        out.append(f'<text x="{left}" y="{top - 6}">{html.escape(f"[{unit}]" if unit else "")}</text>')
        for k, name in enumerate(names[:_MOST_CURVES]):
            good = np.isfinite(table[name]) & np.isfinite(xs)
            # No more points than the picture can show.
            places = np.flatnonzero(good)
            places = places[:: max(1, len(places) // 2000)]
            points = " ".join(f"{to_x(a):.1f},{to_y(b):.1f}" for a, b in zip(xs[places], table[name][places]))
            colour = _COLOURS[k % len(_COLOURS)]
            out.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="1.5"/>')
            out.append(f'<text x="{width - right + 8}" y="{top + 14 + 16 * k}" fill="{colour}">{html.escape(name)}</text>')
    whole = 30 + len(panels) * (height + gap)
    out.append(f'<text x="{left + (width - left - right) / 2}" y="{whole - 4}" text-anchor="middle">{html.escape(label)}</text>')
    title = f'<text x="{left}" y="14" font-weight="bold">{html.escape(table.title)}</text>'
    return _svg(width, whole + 4, title + "".join(out))


def _svg(width, height, content):
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
        f'font-family="sans-serif" font-size="12"><rect width="100%" height="100%" fill="white"/>{content}</svg>'
    )


def _skeleton(sim):
    """Joints and centres of mass by body, in the plane in which the mechanism is widest."""
    model = sim.model
    centres = {name: pose[:3] for name, pose in zip(model.bodies, sim.poses())}
    points = {name: [] for name in centres}
    joints = []
    for name, joint in model.joints.items():
        if joint.kind == "floating":
            continue
        at = sim.joint(name)["position"]
        joints.append((name, at))
        for body in joint.bodies:
            if body is not None:
                points[body].append(at)
    everything = np.array(list(centres.values()) + [at for _, at in joints])
    extent = np.ptp(everything, axis=0)
    # The narrowest axis points at the reader; of space z is up.
    across = int(np.argmin(extent))
    axes = [k for k in range(3) if k != across]
    return centres, points, joints, axes


def simulation_svg(sim, width=520, height=420):
    """A sketch: bodies as lines from joint to joint through their centres of mass, joints as circles."""
    centres, points, joints, axes = _skeleton(sim)
    all_points = np.array([c for c in centres.values()] + [at for _, at in joints])[:, axes]
    low, high = all_points.min(axis=0), all_points.max(axis=0)
    span = max(float((high - low).max()), 1e-9)
    scale = 0.8 * min(width, height) / span
    middle = (low + high) / 2
    to = lambda p: (width / 2 + (p[axes[0]] - middle[0]) * scale, height / 2 - (p[axes[1]] - middle[1]) * scale)
    out = []
    for k, (name, centre) in enumerate(centres.items()):
        colour = _COLOURS[k % len(_COLOURS)]
        line = " ".join("{:.1f},{:.1f}".format(*to(p)) for p in _through(points[name], centre))
        x, y = to(centre)
        out.append(f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="4" stroke-linejoin="round"/>')
        out.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2.5" fill="{colour}"/>')
        if len(centres) <= 16:
            out.append(f'<text x="{x + 6:.1f}" y="{y - 6:.1f}" fill="{colour}">{html.escape(name)}</text>')
    for name, at in joints:
        x, y = to(at)
        out.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="white" stroke="#333"/>')
        if len(joints) <= 16:
            out.append(f'<text x="{x + 6:.1f}" y="{y + 14:.1f}" fill="#333">{html.escape(name)}</text>')
    label = "xyz"[axes[0]] + "xyz"[axes[1]]
    out.append(f'<text x="8" y="16">{html.escape(sim.model.title)}, t = {sim.time:.4g} s ({label})</text>')
    return _svg(width, height, "".join(out))


def _through(ends, centre):
    if not ends:
        return [centre, centre]
    if len(ends) == 1:
        return [ends[0], centre]
    return [p for k, end in enumerate(ends) for p in ([end] if k == 0 else [centre, end])]


def plot_simulation(sim, path=None):
    """Draws the mechanism as it stands."""
    Figure = _matplotlib()
    if Figure is None:
        picture = Svg(simulation_svg(sim))
        if path is not None:
            picture.save(path)
        return picture
    centres, points, joints, axes = _skeleton(sim)
    figure = Figure(figsize=(6, 5), layout="constrained")
    area = figure.subplots()
    for name, centre in centres.items():
        line = np.array(_through(points[name], centre))[:, axes]
        area.plot(line[:, 0], line[:, 1], linewidth=3, label=name if len(centres) <= 16 else None)
    if joints:
        places = np.array([at for _, at in joints])[:, axes]
        area.plot(places[:, 0], places[:, 1], "o", color="black", markerfacecolor="white")
    area.set_aspect("equal")
    area.set_xlabel("xyz"[axes[0]] + " [m]")
    area.set_ylabel("xyz"[axes[1]] + " [m]")
    area.set_title(f"{sim.model.title}, t = {sim.time:.4g} s")
    if len(centres) <= 16:
        area.legend(fontsize="small")
    if path is not None:
        figure.savefig(path)
    return figure


def table_html(table) -> str:
    """The first and last rows, and a chart, for notebooks."""
    names = list(table)[:8]
    head = "".join(f"<th>{html.escape(n)}<br><small>{html.escape(table.units.get(n, ''))}</small></th>" for n in names)
    count = len(table[names[0]]) if names else 0
    shown = list(range(count)) if count <= 8 else [0, 1, 2, 3, count - 3, count - 2, count - 1]
    rows = ["<tr>" + "".join(f"<td>{table[n][k]:.6g}</td>" for n in names) + "</tr>" for k in shown]
    more = f"<p>{count} rows, {len(table)} columns</p>"
    chart = ""
    if count > 1 and len(table) > 1 and "time" in table:
        chart = _chart(table, dict(list(_panels(table, (), "time").items())[:3]), "time", "time [s]")
    return f"<table><tr>{head}</tr>{''.join(rows)}</table>{more}{chart}"
