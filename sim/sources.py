#!/usr/bin/env python3
"""The points of docs/measurements/scale.md: what the project's sources measured on many nodes, by the simulator.

    sim/sources.py --head > docs/measurements/scale.csv     all of them: half an hour of a CPU, and 11 GB
    sim/sources.py --plots docs/measurements/scale.csv      draws docs/measurements/scale-*.svg; bench/page_tables.py writes the tables
    sim/sources.py --check docs/measurements/scale.csv [--small]     whether today's library gives the same rows

Each row names its command: variables of the environment, and the options of ./atrium sim.
"""

# SPDX-License-Identifier: BSD-3-Clause
import argparse
import csv
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "bench"))
from driver import svg  # noqa: E402

KIB = 1024


def point(variables, costs, collective, size, nodes, pes, endpoints):
    return variables, ["--costs", costs, "--collective", collective, "--bytes", size, "--nodes", nodes, "--pes", pes,
                       "--endpoints", endpoints, "--rounds", 1]


def by_leaders(collective, size, nodes, leaders):
    """On the machine of shnode's authors."""
    for count in leaders:
        yield point({"ATRIUM_LEADERS": count}, "aries", collective, size, nodes, 64, 64)


def without_leaders(collective, variable, algorithm, size):
    yield point({variable: algorithm}, "aries", collective, size, 4, 64, 64)


def by_block(costs, nodes, pes, sizes):
    """An all-to-all through leaders, and by each PE itself."""
    for size in sizes:
        for algorithm in "auto", "put":
            yield point({"SHMEM_ALLTOALL_ALGORITHM": algorithm}, costs, "alltoall", size, nodes, pes, 4)


SERIES = {
    "sum": [*without_leaders("sum", "SHMEM_REDUCE_ALGORITHM", "push", 1024 * KIB),
            *by_leaders("sum", 1024 * KIB, 4, [64, 32, 16, 8, 4, 2, 1]), *by_leaders("sum", 128 * KIB, 16, [64, 8, 1]),
            *by_leaders("sum", 64 * KIB, 128, [64, 32, 16, 8, 4, 2, 1]), *by_leaders("sum", 256 * KIB, 128, [64, 8, 1])],
    "fcollect": [*without_leaders("fcollect", "SHMEM_FCOLLECT_ALGORITHM", "put", 4 * KIB),
                 *by_leaders("fcollect", 4 * KIB, 4, [64, 16, 8, 4, 1]), *by_leaders("fcollect", 8, 128, [64, 8, 1]),
                 *by_leaders("fcollect", 64, 128, [64, 8, 1])],
    "2decomp": [*by_block("seastar", 64, 4, [8, 64, 256, 1 * KIB, 2 * KIB, 4 * KIB, 8 * KIB])],
    "node-aware": [*by_block("ndr", 32, 16, [8, 64, 256, 1 * KIB, 2 * KIB])],
}


def command_of(variables, options):
    return " ".join([*(f"{name}={value}" for name, value in variables.items()), "./atrium sim", *map(str, options)])


def is_small(options):
    of = dict(zip(options[::2], options[1::2]))
    return of["--nodes"] * of["--pes"] <= 512 and of["--bytes"] <= 256


def rows_of(sim, series, small):
    for variables, options in SERIES[series]:
        if small and not is_small(options):
            continue
        environment = os.environ | {"ATRIUM_SIM_COSTS": str(ROOT / "sim/costs")}
        environment |= {name: str(value) for name, value in variables.items()}
        words = [str(word) for word in options]
        text = subprocess.run([sim, "--csv", *words], env=environment, check=True, capture_output=True, text=True).stdout
        row = next(csv.DictReader(text.splitlines()))
        yield [series, *row.values(), command_of(variables, options)]


def measure(sim, series, small):
    out = csv.writer(sys.stdout)
    for row in rows_of(sim, series, small):
        out.writerow(row)
        sys.stdout.flush()


def check(file, sim, chosen, small):
    """Prints rows that are not there, or not the same; virtual time is the same on every machine."""
    with open(file, newline="", encoding="utf-8") as stream:
        there = {row[-1]: row for row in csv.reader(stream)}
    commands = {command_of(*point) for series in SERIES.values() for point in series}
    wrong = [command for command in there if command != HEAD[-1] and command not in commands]
    wrong += [command for command in commands if command not in there]
    for series in chosen:
        wrong += [" ".join(row) for row in rows_of(sim, series, small) if there.get(row[-1]) != row]
    if wrong:
        sys.exit("\n".join([f"not as {file} has them; make its rows again (sim/sources.py --help):", *wrong]))


HEAD = ["series", "costs", "collective", "bytes", "nodes", "pes_per_node", "us", "messages_per_node",
        "transfers_per_node", "bytes_per_node", "partners", "acknowledgements_per_node", "command"]

WIDTH, HEIGHT, LEFT, TOP, RIGHT, BOTTOM = 700, 300, 70, 40, 620, 255
STYLE = """
svg { font: 12px system-ui, sans-serif; } text { fill: #24292f; } .grid { stroke: #d0d7de; } path { fill: none; stroke-width: 2; }
.c0 { stroke: #0969da; } .c1 { stroke: #bc4c00; } .c2 { stroke: #1a7f37; } .d0 { fill: #0969da; } .d1 { fill: #bc4c00; } .d2 { fill: #1a7f37; }
@media (prefers-color-scheme: dark) { text { fill: #e6edf3; } .grid { stroke: #30363d; } }
"""


def draw(title, across, up, curves):
    """curves: {name: [(x, y), ...]}, both axes by powers."""
    points = [point for curve in curves.values() for point in curve]
    x_axis = svg.LogAxis([x for x, _ in points], LEFT, RIGHT - 150)
    y_axis = svg.LogAxis([y for _, y in points], BOTTOM, TOP + 10)
    parts = [svg.element("style", STYLE), svg.text(title, LEFT, 20), svg.text(across, LEFT, HEIGHT - 10)]
    parts.append(svg.text(up, 8, TOP))
    for tick in y_axis.ticks():
        y = y_axis.at(tick)
        parts += [svg.element("line", x1=LEFT, x2=RIGHT - 150, y1=y, y2=y, class_="grid"),
                  svg.text(f"{tick:g}", LEFT - 8, y + 4, text_anchor="end")]
    for x in sorted({x for x, _ in points}):
        parts.append(svg.text(f"{x:g}", x_axis.at(x), BOTTOM + 18, text_anchor="middle"))
    for number, (name, curve) in enumerate(curves.items()):
        path = " L".join(f"{x_axis.at(x):.1f} {y_axis.at(y):.1f}" for x, y in curve)
        parts.append(svg.element("path", d="M" + path, class_=f"c{number % 3}",
                                 stroke_dasharray="5 4" if number >= 3 else "none"))
        parts += [svg.element("circle", svg.element("title", f"{name}: {x:g}, {y:.4g}"), cx=x_axis.at(x), cy=y_axis.at(y),
                              r=3, class_=f"d{number % 3}") for x, y in curve]
        line = TOP + 20 + 20 * number
        parts += [svg.element("path", d=f"M{RIGHT - 135} {line} L{RIGHT - 110} {line}", class_=f"c{number % 3}",
                              stroke_dasharray="5 4" if number >= 3 else "none"), svg.text(name, RIGHT - 104, line + 4)]
    drawn = svg.picture(WIDTH, HEIGHT, title, parts)
    return drawn.replace("<svg ", f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" ', 1) + "\n"


def plots(rows):
    leaders = lambda row: 64 // int(row["command"].split("ATRIUM_LEADERS=")[1].split()[0])  # noqa: E731
    curves = {}
    for row in rows:
        if row["series"] == "sum" and "ATRIUM_LEADERS" in row["command"]:
            name = f"{row['nodes']} nodes, {int(row['bytes']) // KIB} KiB"
            curves.setdefault(name, []).append((leaders(row), float(row["us"])))
    yield "sum", draw("Sum, 64 PEs a node (Aries, KNL)", "PEs per leader", "µs", curves)
    curves = {}
    for row in rows:
        if row["collective"] == "alltoall":
            way = "each PE by itself" if "=put" in row["command"] else "through leaders"
            curves.setdefault(f"{row['costs']}, {way}", []).append((int(row["bytes"]), float(row["us"])))
    yield "alltoall", draw("All-to-all: 64 x 4 PEs (SeaStar), 32 x 16 (NDR)", "bytes of a block", "µs", curves)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--series", type=lambda text: text.split(","), default=list(SERIES))
    parser.add_argument("--sim", default=str(ROOT / "build/bin/atrium-sim"))
    parser.add_argument("--head", action="store_true", help="begins with the names of the columns")
    parser.add_argument("--plots", type=Path, metavar="CSV")
    parser.add_argument("--check", type=Path, metavar="CSV")
    parser.add_argument("--small", action="store_true", help="those rows alone that take seconds")
    options = parser.parse_args()
    if options.plots:
        with open(options.plots, newline="") as file:
            rows = list(csv.DictReader(file))
        for name, picture in plots(rows):
            (ROOT / f"docs/measurements/scale-{name}.svg").write_text(picture)
        return
    if options.check:
        check(options.check, options.sim, options.series, options.small)
        return
    if options.head:
        csv.writer(sys.stdout).writerow(HEAD)
    for series in options.series:
        measure(options.sim, series, options.small)


if __name__ == "__main__":
    main()
