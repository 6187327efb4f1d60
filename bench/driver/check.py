"""--check: ratios of this run beside those that were committed; times of different days are never compared.
--against: two builds in one run."""
# SPDX-License-Identifier: BSD-3-Clause
import difflib

from driver import figures, record, units

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


EQUAL = figures.Summary(1, 1, 1, 1, 0)


def slower(rows, other):
    """The same of rows in which ours was slower than the other build in all of the middle half of the rounds."""
    return worse({(row.key, other): EQUAL for row in rows}, rows)


def lines(found):
    for key, library, then, now in found:
        size = f" {units.show_bytes(key.bytes)}" if key.bytes else ""
        yield (f"worse: {key.measure}{size} with {key.pes} PEs beside {library}: {units.show_ratio(then.median)} "
               f"({units.show_ratio(then.quartile1)} to {units.show_ratio(then.quartile3)}) became {units.show_ratio(now.median)}")
