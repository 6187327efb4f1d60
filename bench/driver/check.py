"""--check: ratios of this run beside those that were committed; times of different days are never compared.
--against: two builds in one run."""
# SPDX-License-Identifier: BSD-3-Clause
import difflib

from driver import record, units

TOLERANCE = 0.9     # below a tenth nobody can tell a change from the weather, as five quiet runs of one build showed


def committed(results, machine, plan):
    """The CSV of this machine, else of the one with the most similar name; None when there is none."""
    known = {path.parent.name: path for path in results.glob(f"*/{plan}.csv")}
    nearest = difflib.get_close_matches(machine, known, n=1, cutoff=0)
    return known[machine] if machine in known else known[nearest[0]] if nearest else None


def worse(before, rows):
    """Yields (key, library, before, now) where all of the middle half of the rounds fell below what it was."""
    for row in rows:
        for library, now in row.faster.items():
            then = before.get((row.key, library))
            if then and now.quartile3 < then.quartile1 and now.median < TOLERANCE * then.median:
                yield row.key, library, then, now


def slower(rows, ours, other):
    """Yields a line for each row in which ours was slower than the other build in all of the middle half of the rounds."""
    for row in rows:
        ratio = row.faster.get(other)
        if ratio and ratio.quartile3 < 1 and ratio.median < TOLERANCE:
            mine, theirs = (units.show(row.summaries[name].median, row.unit) for name in (ours, other))
            yield f"slower: {describe(row.key)}: {mine}, the other build {theirs} ({units.show_ratio(ratio.median)})"


def describe(key):
    size = f" {units.show_bytes(key.bytes)}" if key.bytes else ""
    return f"{key.measure}{size} with {key.pes} PEs"


def lines(found):
    for key, library, then, now in found:
        yield (f"worse: {describe(key)} beside {library}: {units.show_ratio(then.median)} "
               f"({units.show_ratio(then.quartile1)} to {units.show_ratio(then.quartile3)}) became {units.show_ratio(now.median)}")
