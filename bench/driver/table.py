"""The table on the terminal: a line for each figure, and how many targets are met."""
# SPDX-License-Identifier: BSD-3-Clause
from driver import trust, units


def table(rows, libraries):
    """All lines of it."""
    lines = cells(rows, libraries)
    widths = [max(len(line[column]) for line in lines) for column in range(len(lines[0]) - 1)]
    return [join(line, widths) for line in lines] + ["", *total(rows)]


def cells(rows, libraries):
    """The heads of the columns, then the texts of each row; the last column is the verdict."""
    head = ["measure", "bytes", "PEs", libraries[0].label, "limit", "of limit"]
    for peer in libraries[1:]:
        head += [peer.label, "faster"]
    return [head + ["target"]] + [line(row, libraries) for row in rows]


def line(row, libraries):
    value = {name: units.show(summary.median, row.unit) for name, summary in row.summaries.items()}
    cells = [row.key.measure, units.show_bytes(row.key.bytes), str(row.key.pes), value.get(libraries[0].name, "-"),
             value.get("limit", ""), of_limit(row)]
    for peer in libraries[1:]:
        cells += [value.get(peer.name, "-"), ratio(row, peer.name)]
    return cells + [verdict(row)]


def of_limit(row):
    """How many times the limit ours costs."""
    faster = row.faster.get("limit")
    return units.show_ratio(1 / faster.median) if faster and faster.median else ""


def ratio(row, peer):
    """With a question mark where it is not to be trusted."""
    if peer not in row.faster:
        return ""
    return units.show_ratio(row.faster[peer].median) + (" ?" if trust.doubts(row.faster[peer]) else "")


def verdict(row):
    if not row.verdicts:
        return ""
    missed = [verdict.target for verdict in row.verdicts if not verdict.met]
    return "missed: " + ", ".join(missed) if missed else "met"


def join(cells, widths):
    """Words to the left, numbers to the right, the verdict after them."""
    first, *numbers = [cell.ljust(width) if column == 0 else cell.rjust(width)
                       for column, (cell, width) in enumerate(zip(cells, widths))]
    return "  ".join([first, *numbers, cells[len(widths)]]).rstrip()


def total(rows):
    judged = [row for row in rows if row.met is not None]
    doubtful = sum(any(trust.doubts(found) for found in row.faster.values()) for row in rows)
    met = sum(row.met for row in judged)
    lines = [f"{met} of {len(judged)} rows with a target meet it"] if judged else []
    return lines + ([f"{doubtful} rows have a ratio that is not to be trusted (?): fewer than {trust.FEWEST_ROUNDS} rounds, "
                     f"or rounds that differ by more than {trust.WIDEST} ×"] if doubtful else [])
