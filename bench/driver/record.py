"""The CSV: a line for each figure and library, with its ratio; written and read again for --check."""
# SPDX-License-Identifier: BSD-3-Clause
import csv
import dataclasses
import io

from driver import whole
from driver.figures import Key, Summary

COLUMNS = ("measure", "bytes", "pes", "library", "unit", "median", "minimum", "quartile1", "quartile3", "rounds",
           "faster", "faster_quartile1", "faster_quartile3", "targets", "met")


def write(path, rows, libraries):
    """`faster`: how many times as good the judged library is as this one, paired round by round."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(COLUMNS)
    for row in rows:
        for name in [*(library.name for library in libraries), "limit"]:
            if name in row.summaries:
                writer.writerow(record(row, name, first=name == libraries[0].name))
    whole.write_text(path, stream.getvalue())


def record(row, name, first):
    summary, faster = row.summaries[name], row.faster.get(name)
    ratios = [faster.median, faster.quartile1, faster.quartile3] if faster else []
    targets = "; ".join(verdict.target for verdict in row.verdicts) if first else ""
    met = ("yes" if row.met else "no") if first and row.met is not None else ""
    return [*row.key, name, row.unit, *map(short, dataclasses.astuple(summary)[:4]), summary.rounds,
            *(map(short, ratios) if ratios else ("", "", "")), targets, met]


def short(value):
    return f"{value:.4g}"


def read_ratios(path):
    """(key, library) -> Summary of how many times as good ours was."""
    with open(path, newline="", encoding="utf-8") as stream:
        return {(Key(line["measure"], int(line["bytes"]), int(line["pes"])), line["library"]): ratio_of(line)
                for line in csv.DictReader(stream) if line["faster"]}


def ratio_of(line):
    return Summary(float(line["faster"]), float(line["faster"]), float(line["faster_quartile1"]),
                   float(line["faster_quartile3"]), int(line["rounds"]))
