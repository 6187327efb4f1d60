"""Tables of what one machine's committed run measured."""
# SPDX-License-Identifier: BSD-3-Clause
import csv

from driver import units
from tables import RESULTS, markdown

MPIS = {"openmpi": "Open MPI", "mpich": "MPICH"}


def ways(plan, measure, machine, results=RESULTS):
    """Rows are numbers of ranks, columns are bytes: how many times as fast with Atrium, and the two times."""
    figures = {(int(line["pes"]), int(line["bytes"]), line["library"]): line for line in read(plan, machine, results) if line["measure"] == measure}
    sizes = sorted({size for _, size, _ in figures})
    rows = []
    for ranks in sorted({pes for pes, _, _ in figures}):
        cells = [compare(figures.get((ranks, size, "alone")), figures.get((ranks, size, "atrium"))) for size in sizes]
        rows.append([str(ranks), *cells])
    return markdown(["ranks", *(units.show_bytes(size) or "times as fast" for size in sizes)], rows)


def compare(alone, ours):
    """As '2.08 × (150 ns → 72 ns)'; the ratio is that of the rounds, not of the two medians."""
    if not (alone and ours):
        return ""
    return f"{units.show_ratio(float(alone['faster']))} ({show(alone)} → {show(ours)})"


def measures(plan, machine, *columns, results=RESULTS):
    """Rows are libraries, numbers of ranks and bytes. A column is HEAD=MEASURE, or HEAD=limit/MEASURE for the machine's limit of it."""
    wanted = dict(column.partition("=")[::2] for column in columns)
    figures = {(line["library"], int(line["pes"]), int(line["bytes"]), line["measure"]): line for line in read(plan, machine, results)}
    keys = [key[:3] for key in figures if key[0] in MPIS and key[3] in wanted.values()]
    rows = []
    for library, pes, size in sorted(dict.fromkeys(keys), key=lambda key: (list(MPIS).index(key[0]), *key[1:])):
        cells = [figures.get(("limit" if of_limit else library, pes, size, measure)) for of_limit, measure in map(split_limit, wanted.values())]
        rows.append([MPIS[library], str(pes), units.show_bytes(size), *(show(cell) if cell else "" for cell in cells)])
    heads = ["MPI", "ranks", "bytes", *(head.replace("_", " ") for head in wanted)]
    return markdown(*without_empty_columns(heads, rows))


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
