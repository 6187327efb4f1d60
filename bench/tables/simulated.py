"""Tables of docs/measurements/scale.md: what the simulator says of many nodes (scale.csv, by sim/sources.py), and what real jobs send beside it
(scale-counted.csv, by tests/nodes/simulated.py --csv)."""
# SPDX-License-Identifier: BSD-3-Clause
import csv
import re
from pathlib import Path

from driver import units
from tables import markdown

PAGES = Path(__file__).resolve().parents[2] / "docs/measurements"
ROWS, COUNTED = PAGES / "scale.csv", PAGES / "scale-counted.csv"


def leaders(*series, rows=ROWS):
    """A row for each collective, bytes and nodes; a column for each number of PEs per leader, the fastest in bold."""
    found, columns = {}, set()
    for line in read(rows, series):
        setting = re.search(r"ATRIUM_LEADERS=(\d+)", line["command"])
        column = int(line["pes_per_node"]) // int(setting[1]) if setting else None
        columns.add(column)
        found.setdefault(f"{line['collective']} of {units.show_bytes(int(line['bytes']))}, {line['nodes']} nodes", {})[column] = float(line["us"])
    order = sorted(columns, key=lambda pes: (pes is not None, -(pes or 0)))
    heads = ["µs", *("without leaders" if pes is None else f"{pes} PEs per leader" if pes > 1 else "1 PE" for pes in order)]
    return markdown(heads, [[name, *(show(times, pes) for pes in order)] for name, times in found.items()])


def show(times, column):
    if column not in times:
        return ""
    text = f"{times[column]:,.0f}"
    others = [time for pes, time in times.items() if pes != column]
    return f"**{text}**" if times[column] < min(others, default=0) else text


def blocks(*series, rows=ROWS):
    """For each machine the time of each PE by itself and by the rules, and the messages of a node; a column for each size of a block."""
    lines = read(rows, series)
    sizes = sorted({int(line["bytes"]) for line in lines})
    table = []
    for costs in dict.fromkeys(line["costs"] for line in lines):
        way = {(name, int(line["bytes"])): line for line in lines if line["costs"] == costs for name in [line["command"].split("=")[1].split()[0]]}
        any_line = next(iter(way.values()))
        place = f"{any_line['nodes']} nodes × {any_line['pes_per_node']}, {costs}: "
        for head, name, column in ((place + "each PE by itself", "put", "us"), ("the rules", "auto", "us"), ("messages of a node", "auto", "messages_per_node")):
            table.append([head, *(f"{float(way[name, size][column]):,.0f}" if (name, size) in way else "" for size in sizes)])
    return markdown(["block, µs", *(units.show_bytes(size) for size in sizes)], table)


def counted(*figures, rows=COUNTED):
    """A row for each collective, bytes and figure, a column for each number of nodes: of a real job, and simulated."""
    with rows.open(newline="", encoding="utf-8") as stream:
        lines = [line for line in csv.DictReader(stream) if line["figure"] in figures]
    nodes = sorted({int(line["nodes"]) for line in lines})
    table = {}
    for line in lines:
        collective = line["collective"].replace("_", " ")
        name = collective if collective == "barrier" else f"{collective} of {units.show_bytes(int(line['bytes']))}"
        table.setdefault((name, line["figure"]), {})[int(line["nodes"])] = f"{number(line['real'])}, {number(line['simulated'])}"
    return markdown(["real, simulated", "", *(f"{count} nodes" for count in nodes)],
                    [[name, figure, *(cells.get(count, "") for count in nodes)] for (name, figure), cells in table.items()])


def number(text):
    return f"{float(text):,.2f}".removesuffix(".00")


def read(rows, series):
    with rows.open(newline="", encoding="utf-8") as stream:
        return [line for line in csv.DictReader(stream) if line["series"] in series]
