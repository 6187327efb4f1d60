"""Tables of what one machine's committed run measured."""
# SPDX-License-Identifier: BSD-3-Clause
import csv

from driver import units
from tables import RESULTS, markdown

MPIS = {"openmpi": "Open MPI", "mpich": "MPICH"}


def ways(plan, machine, *rows, results=RESULTS):
    """A row is HEAD=MEASURE with one number of ranks, columns are bytes: how many times as fast with Atrium, and the two times."""
    figures = {(line["measure"], int(line["pes"]), int(line["bytes"]), line["library"]): line for line in read(plan, machine, results)}
    wanted = pairs(rows)
    sizes = sorted({size for measure, _, size, _ in figures if measure in wanted.values()})
    lines = []
    for head, measure in wanted.items():
        for ranks in sorted({pes for name, pes, _, _ in figures if name == measure}):
            lines.append([head, str(ranks), *(compare(figures, measure, ranks, size) for size in sizes)])
    return markdown(*without_empty_columns(["", "ranks", *(units.show_bytes(size) or "times as fast" for size in sizes)], lines))


def compare(figures, *key):
    """As '2.08 × (150 ns → 72 ns)'; the ratio is that of the rounds, not of the two medians."""
    alone, ours = figures.get((*key, "alone")), figures.get((*key, "atrium"))
    return f"{units.show_ratio(float(alone['faster']))} ({show(alone)} → {show(ours)})" if alone and ours else ""


def pairs(words):
    """{HEAD: MEASURE}; an underscore in a head is a space."""
    return {head.replace("_", " "): measure for head, _, measure in (word.partition("=") for word in words)}


def measures(plan, machine, *columns, results=RESULTS):
    """Rows are libraries, numbers of ranks and bytes. A column is HEAD=MEASURE, or HEAD=limit/MEASURE for the machine's limit of it."""
    wanted = pairs(columns)
    figures = {(line["library"], int(line["pes"]), int(line["bytes"]), line["measure"]): line for line in read(plan, machine, results)}
    keys = [key[:3] for key in figures if key[0] in MPIS and key[3] in wanted.values()]
    rows = []
    for library, pes, size in sorted(dict.fromkeys(keys), key=lambda key: (list(MPIS).index(key[0]), *key[1:])):
        cells = [figures.get(("limit" if of_limit else library, pes, size, measure)) for of_limit, measure in map(split_limit, wanted.values())]
        rows.append([MPIS[library], str(pes), units.show_bytes(size), *(show(cell) if cell else "" for cell in cells)])
    return markdown(*without_empty_columns(["MPI", "ranks", "bytes", *wanted], rows))


def split_limit(column):
    """(is it the machine's limit?, measure)"""
    return column.startswith("limit/"), column.removeprefix("limit/")


def without_empty_columns(heads, rows):
    kept = [column for column in range(len(heads)) if any(cells[column] for cells in rows)]
    return [heads[column] for column in kept], [[cells[column] for column in kept] for cells in rows]


def show(line):
    return units.show(float(line["median"]), line["unit"])


def read(plan, machine, results):
    with (results / machine / f"{plan}.csv").open(newline="", encoding="utf-8") as stream:
        return list(csv.DictReader(stream))
