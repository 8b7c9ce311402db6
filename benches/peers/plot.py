"""The picture of smooth.py, as SVG: time per body of chains and trees (both scales logarithmic), and whole steps as bars."""

import math
from xml.sax.saxutils import escape

COLOURS = {"cardan": "#1b6ca8", "MuJoCo": "#c8553d", "Pinocchio": "#5b8c5a", "Rapier": "#8c6bb1"}
WIDTH, HEIGHT = 980, 470
PLOT = (70, 50, 400, 330)  # left, top, width, height
BARS = (720, 50, 190)  # left, top, width


def colour(words):
    return next((c for name, c in COLOURS.items() if words.startswith(name)), "#555")


def text(x, y, words, size=12, anchor="start", fill="#222", more=""):
    return f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" text-anchor="{anchor}" fill="{fill}" {more}>{escape(words)}</text>'


def line(x1, y1, x2, y2, stroke="#ddd", width=1.0):
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{stroke}" stroke-width="{width}"/>'


def decades(low, high):
    return range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)


def along_chains(curves):
    left, top, width, height = PLOT
    points = [p for curve in curves.values() for p in curve]
    if not points:
        return []
    xs, ys = decades(*minmax(x for x, _ in points)), decades(*minmax(y for _, y in points))
    across = lambda x: left + width * (math.log10(x) - xs[0]) / max(1, xs[-1] - xs[0])
    down = lambda y: top + height * (1 - (math.log10(y) - ys[0]) / max(1, ys[-1] - ys[0]))
    out = [text(left, top - 22, "Forward dynamics: chains, binary trees (dashed)", 14)]
    for k in xs:
        out += [line(across(10**k), top, across(10**k), top + height), text(across(10**k), top + height + 18, power(k), 11, "middle")]
    for k in ys:
        out += [line(left, down(10**k), left + width, down(10**k)), text(left - 8, down(10**k) + 4, power(k), 11, "end")]
    out.append(text(left + width / 2, top + height + 38, "bodies", 12, "middle"))
    out.append(text(left, top - 6, "ns per body", 11))
    for (name, family), curve in curves.items():
        curve, dashes = sorted(curve), 'stroke-dasharray="5 4"' if family == "binary-tree" else ""
        path = " ".join(f"{across(x):.1f},{down(y):.1f}" for x, y in curve)
        out.append(f'<polyline points="{path}" fill="none" stroke="{colour(name)}" stroke-width="2" {dashes}/>')
        out += [f'<circle cx="{across(x):.1f}" cy="{down(y):.1f}" r="3" fill="{colour(name)}"/>' for x, y in curve]
        if family == "chain":
            x, y = curve[-1]
            anchor, shift = ("end", -6) if name == "cardan" else ("start", 8)
            out.append(text(across(x) + shift, down(y) - 8, name, 12, anchor, colour(name)))
    return out


def whole_steps(groups):
    left, top, width = BARS
    out, y = [text(left - 190, top - 22, "Whole steps of 1 ms, µs, least times", 14)], top
    for name, rows in groups:
        longest = max((value for _, value, _ in rows), default=1.0)
        out.append(text(left - 190, y + 4, name, 12, more='font-weight="bold"'))
        y += 18
        for words, value, more in rows:
            length = width * value / longest
            out.append(text(left - 6, y + 4, words.replace("semi-implicit ", ""), 10, "end"))
            out.append(f'<rect x="{left}" y="{y - 6}" width="{length:.1f}" height="12" fill="{colour(words)}"/>')
            out.append(text(left + length + 4, y + 4, f"{value:.0f}{more}", 10))
            y += 17
        y += 12
    return out


def minmax(values):
    values = list(values)
    return min(values), max(values)


def power(k):
    return "1" if k == 0 else "10" if k == 1 else "10" + "".join("⁰¹²³⁴⁵⁶⁷⁸⁹"[int(d)] for d in str(k))


def picture(curves, groups, machine):
    parts = along_chains(curves) + whole_steps(groups)
    parts.append(text(12, HEIGHT - 10, machine, 10, fill="#777"))
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif">'
    return "\n".join([head, f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>', *parts, "</svg>\n"])
