"""Curves on logarithmic axes, the limit as a dashed line: against size a panel for each measure and number of PEs, or against
the number of PEs a panel for each measure and size."""
# SPDX-License-Identifier: BSD-3-Clause
import collections
import fnmatch

from driver import svg, units
from driver.names import for_people

WIDTH, HEIGHT = 340, 240
LEFT, RIGHT, TOP, BOTTOM = 58, 330, 30, 206


def panels(plot, rows, libraries):
    """SVG pictures, in the order of the plot's patterns; a measure needs two sizes, or numbers of PEs, to be a curve."""
    axis = AXES[plot.against]
    found = []
    for pattern in plot.measures:
        families = {}
        for row in rows:
            if axis.place(row) and fnmatch.fnmatchcase(row.key.measure, pattern):
                families.setdefault((row.key.measure, axis.family(row)), []).append(row)
        found += [panel(axis, measure, sorted(members, key=axis.place), libraries)
                  for (measure, _), members in families.items() if len(members) > 1]
    return found


Axis = collections.namedtuple("Axis", "place family tick name")
AXES = {
    "bytes": Axis(lambda row: row.key.bytes, lambda row: row.key.pes, units.show_bytes, lambda row: f"{row.key.pes} PEs"),
    "pes": Axis(lambda row: row.key.pes, lambda row: row.key.bytes, str,
                lambda row: units.show_bytes(row.key.bytes) or "by the number of PEs"),
}


def panel(axis, measure, rows, libraries):
    names = [library.name for library in libraries] + ["limit"]
    values = [row.summaries[name].median for row in rows for name in names if name in row.summaries]
    across = svg.LogAxis([axis.place(row) for row in rows], LEFT, RIGHT, base=2)
    up = svg.LogAxis(values, BOTTOM, TOP, margin=1.4)
    title = f"{for_people(measure)}, {axis.name(rows[0])}"
    parts = [svg.text(title, 10, 16, class_="title"), *grid(across, up, rows[0].unit, axis)]
    for index, name in reversed(list(enumerate(names))):
        parts += curve(rows, name, "limit" if name == "limit" else f"s{index}", svg.SHAPES[index % 4], across, up, axis)
    return svg.picture(WIDTH, HEIGHT, f"{title}: {rows[0].unit}", parts)


def grid(across, up, unit, axis):
    parts = []
    for value in up.ticks():
        y = up.at(value)
        parts += [svg.element("line", x1=LEFT, x2=RIGHT, y1=y, y2=y, class_="grid"),
                  svg.text(tick(value, unit), LEFT - 6, y + 3.5, text_anchor="end")]
    for value in across.ticks(6):
        x = across.at(value)
        parts += [svg.element("line", x1=x, x2=x, y1=TOP, y2=BOTTOM, class_="grid"),
                  svg.text(axis.tick(round(value)), min(x, WIDTH - 22), BOTTOM + 15, text_anchor="middle")]
    return parts


def tick(value, unit):
    """Powers of ten need no digits behind the point, fractions no unit that hides them."""
    shown = units.show(value, unit)
    number, _, name = shown.partition(" ")
    return f"{float(number):g} {name}"


def curve(rows, name, class_, shape, across, up, axis):
    points = [(row, row.summaries[name]) for row in rows if name in row.summaries]
    places = [(across.at(axis.place(row)), up.at(summary.median)) for row, summary in points]
    path = " ".join(f"{svg.round_off(x)},{svg.round_off(y)}" for x, y in places)
    parts = [svg.element("polyline", points=path, class_=f"curve {class_}")]
    if name == "limit":
        return parts
    for (row, summary), (x, y) in zip(points, places):
        parts.append(svg.element("line", x1=x, x2=x, y1=within(up, summary.quartile1), y2=within(up, summary.quartile3),
                                 class_=f"spread {class_}"))
        parts.append(svg.marker(shape, x, y, class_, f"{name}, {axis.tick(axis.place(row))}: {units.show(summary.median, row.unit)}"))
    return parts


def within(axis, value):
    return axis.at(min(max(value, axis.low), axis.high))
