#!/usr/bin/env python3
"""Draws docs/speed.svg, the README's plot, from the committed results: what one call costs, beside its peers and the limit.

usage: readme_plot.py [--check]    (--check: say whether the committed picture is what would be drawn)
"""
# SPDX-License-Identifier: BSD-3-Clause
import csv
import sys
from pathlib import Path

from driver import svg

ROOT = Path(__file__).resolve().parent.parent
RESULTS = ROOT / "bench/results/intel-xeon-family6-2cpu/core.csv"
PICTURE = ROOT / "docs/speed.svg"
PES = "2"
PEERS = {"openmpi": "Open MPI", "sos": "sos"}  # library in the CSV file: its key in the description beside it
ROWS = [  # measure, bytes, what people call it
    ("p.heap", "8", "put of a word"),
    ("g.heap", "8", "get of a word"),
    ("fetch_add.alone", "8", "fetch-add"),
    ("barrier_all", "0", "barrier"),
    ("sum.long", "8", "sum of a word"),
    ("p_wait_until", "8", "put, and the other PE sees it"),
    ("put.heap", "65536", "put of 64 KiB"),
    ("broadcast", "65536", "broadcast of 64 KiB"),
]
WIDTH, LABELS, RIGHT, TOP, LINE = 560, 205, 558, 52, 19  # narrow, so that a phone shows words that can be read
CHARACTER = 7.2  # wide, about
STYLE = """
svg { font: 13px system-ui, sans-serif; } text { fill: #24292f; } .grid { stroke: #d0d7de; } .span { stroke: #afb8c1; stroke-width: 2; }
.atrium { fill: #0969da; } .openmpi { fill: #bc4c00; } .sos { fill: #8250df; } .limit { stroke: #57606a; stroke-width: 2; } .small { font-size: 11px; }
@media (prefers-color-scheme: dark) { text { fill: #e6edf3; } .grid { stroke: #30363d; } .span { stroke: #6e7681; }
.atrium { fill: #58a6ff; } .openmpi { fill: #f0883e; } .sos { fill: #bc8cff; } .limit { stroke: #8b949e; } }
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


def versions():
    """{library: its name and version}, as the description of the results has them."""
    lines = dict(line.split(": ", 1) for line in RESULTS.with_suffix(".txt").read_text().splitlines() if ": " in line)
    return {library: lines[key].split(" (")[0] for library, key in PEERS.items()}


def legend():
    parts, x = [], 16
    for class_, name in {"atrium": "Atrium", **versions()}.items():
        parts += [svg.element("circle", cx=x, cy=16, r=5, class_=class_), svg.text(name, x + 10, 20)]
        x += 36 + CHARACTER * len(name)
    return parts + [svg.element("line", x1=x, x2=x, y1=9, y2=23, class_="limit"), svg.text("the machine itself", x + 7, 20)]


def row(axis, y, name, times):
    shown = [library for library in ("atrium", *PEERS) if library in times]
    slowest = max(shown, key=times.get)
    end = axis.at(times[slowest])
    parts = [svg.text(name, LABELS - 14, y + 4, text_anchor="end"),
             svg.element("line", x1=axis.at(times["atrium"]), x2=end, y1=y, y2=y, class_="span")]
    if "limit" in times:
        x = axis.at(times["limit"])
        parts.append(svg.element("line", x1=x, x2=x, y1=y - 7, y2=y + 7, class_="limit"))
    for library in reversed(shown):  # ours last, so that it is on top
        tip = svg.element("title", f"{name}: {show(times[library])}")
        parts.append(svg.element("circle", tip, cx=axis.at(times[library]), cy=y, r=5, class_=library))
    return parts + [svg.text(show(times[slowest]), end + 9, y + 4, class_="small")]


def picture():
    times = nanoseconds()
    chosen = [(name, times[measure, size]) for measure, size, name in ROWS]
    axis = svg.LogAxis([value for _, row in chosen for value in row.values()], LABELS, RIGHT - 50, margin=1.3)
    height = TOP + LINE * len(chosen) + 8
    parts = legend()
    for tick in axis.ticks():
        x = axis.at(tick)
        parts += [svg.element("line", x1=x, x2=x, y1=TOP - 10, y2=height - 6, class_="grid"),
                  svg.text(show(tick), x, TOP - 14, text_anchor="middle", class_="small")]
    for number, (name, values) in enumerate(chosen):
        parts += row(axis, TOP + LINE * number + 8, name, values)
    return svg.file_picture(WIDTH, height, "What one call costs, two PEs", STYLE, parts)


if __name__ == "__main__":
    if sys.argv[1:] == ["--check"]:
        sys.exit(0 if PICTURE.read_text() == picture() else f"{PICTURE.relative_to(ROOT)} is not of these results: bench/readme_plot.py")
    PICTURE.write_text(picture())
