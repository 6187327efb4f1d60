#!/usr/bin/env python3
"""Draws docs/speed.svg, the README's plot, from the committed results: what one call costs, beside Open MPI and the limit.

usage: readme_plot.py [--check]    (--check: say whether the committed picture is what would be drawn)
"""
# SPDX-License-Identifier: BSD-3-Clause
import csv
import sys
from pathlib import Path

from driver import svg

ROOT = Path(__file__).resolve().parent.parent
RESULTS = ROOT / "bench/results/amd-epyc-family26-2cpu/core.csv"
PICTURE = ROOT / "docs/speed.svg"
PES = "2"
ROWS = [  # measure, bytes, what people call it
    ("p.heap", "8", "put of a word"),
    ("g.heap", "8", "get of a word"),
    ("put.constant", "64", "put of 64 B"),
    ("fetch_add.alone", "8", "fetch-add"),
    ("lock.uncontended", "0", "lock and unlock"),
    ("barrier_all", "0", "barrier"),
    ("sum.long", "8", "sum of a word"),
    ("p_wait_until", "8", "put, and the other PE sees it"),
    ("put.heap", "65536", "put of 64 KiB"),
    ("broadcast", "65536", "broadcast of 64 KiB"),
]
WIDTH, LABELS, RIGHT, TOP, LINE = 760, 210, 715, 52, 24
STYLE = """
svg { font: 13px system-ui, sans-serif; } text { fill: #24292f; } .grid { stroke: #d0d7de; } .span { stroke: #afb8c1; stroke-width: 2; }
.atrium { fill: #0969da; } .openmpi { fill: #bc4c00; } .limit { stroke: #57606a; stroke-width: 2; } .small { font-size: 11px; }
@media (prefers-color-scheme: dark) { text { fill: #e6edf3; } .grid { stroke: #30363d; } .span { stroke: #6e7681; }
.atrium { fill: #58a6ff; } .openmpi { fill: #f0883e; } .limit { stroke: #8b949e; } }
"""


def nanoseconds():
    """{(measure, bytes): {library: median}} of jobs of two PEs."""
    found = {}
    with open(RESULTS, newline="") as file:
        for row in csv.DictReader(file):
            if row["pes"] == PES and row["unit"] == "ns":
                found.setdefault((row["measure"], row["bytes"]), {})[row["library"]] = float(row["median"])
    return found


def show(value):
    return f"{value / 1000:.3g} µs" if value >= 1000 else f"{value:.3g} ns"


def legend():
    return [svg.element("circle", cx=LABELS, cy=16, r=5, class_="atrium"), svg.text("Atrium", LABELS + 10, 20),
            svg.element("circle", cx=LABELS + 80, cy=16, r=5, class_="openmpi"), svg.text("Open MPI's OpenSHMEM", LABELS + 90, 20),
            svg.element("line", x1=LABELS + 268, x2=LABELS + 268, y1=9, y2=23, class_="limit"),
            svg.text("the machine itself", LABELS + 275, 20)]


def row(axis, y, name, times):
    ours, theirs = axis.at(times["atrium"]), axis.at(times["openmpi"])
    parts = [svg.text(name, LABELS - 14, y + 4, text_anchor="end"),
             svg.element("line", x1=ours, x2=theirs, y1=y, y2=y, class_="span")]
    if "limit" in times:
        x = axis.at(times["limit"])
        parts.append(svg.element("line", x1=x, x2=x, y1=y - 8, y2=y + 8, class_="limit"))
    tips = (("atrium", ours), ("openmpi", theirs))
    return parts + [svg.element("circle", svg.element("title", f"{name}: {show(times[library])}"), cx=x, cy=y, r=5, class_=library)
                    for library, x in tips] + [svg.text(show(times["openmpi"]), theirs + 9, y + 4, class_="small")]


def picture():
    times = nanoseconds()
    chosen = [(name, times[measure, size]) for measure, size, name in ROWS]
    axis = svg.LogAxis([value for _, row in chosen for value in row.values()], LABELS, RIGHT - 50, margin=1.3)
    height = TOP + LINE * len(chosen) + 8
    parts = [svg.element("style", STYLE)] + legend()
    for tick in axis.ticks():
        x = axis.at(tick)
        parts += [svg.element("line", x1=x, x2=x, y1=TOP - 10, y2=height - 6, class_="grid"),
                  svg.text(show(tick), x, TOP - 14, text_anchor="middle", class_="small")]
    for number, (name, values) in enumerate(chosen):
        parts += row(axis, TOP + LINE * number + 8, name, values)
    drawn = svg.picture(WIDTH, height, "What one call costs, two PEs", parts)
    return drawn.replace("<svg ", f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" ', 1) + "\n"


if __name__ == "__main__":
    if sys.argv[1:] == ["--check"]:
        sys.exit(0 if PICTURE.read_text() == picture() else f"{PICTURE.relative_to(ROOT)} is not of these results: bench/readme_plot.py")
    PICTURE.write_text(picture())
