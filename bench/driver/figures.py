"""Figures: what the programs reported, by measure, size, PEs, library and round; and the statistics of them."""
# SPDX-License-Identifier: BSD-3-Clause
import collections
import dataclasses
import math
import statistics

from driver import units

Key = collections.namedtuple("Key", "measure bytes pes")


@dataclasses.dataclass(frozen=True)
class Summary:
    """Of the values of all rounds, in the base unit."""
    median: float
    minimum: float
    quartile1: float
    quartile3: float
    rounds: int


def summarize(values):
    """A Summary, or None of nothing."""
    values = sorted(value for value in values if value is not None)
    if not values:
        return None
    quartile1, median, quartile3 = (values * 3 if len(values) == 1 else
                                    statistics.quantiles(values, n=4, method="inclusive"))
    return Summary(median, values[0], quartile1, quartile3, len(values))


class Figures:
    """Values in base units: figures[key][library][round]."""

    def __init__(self):
        self.values = {}
        self.unit = {}

    def add(self, key, library, round_number, value, unit):
        value, base = units.to_base(value, unit)
        known = self.unit.setdefault(key, base)
        if known != base:
            raise ValueError(f"{key.measure} is reported in {known} and in {base}")
        self.values.setdefault(key, {}).setdefault(library, {})[round_number] = value

    def keys(self):
        return list(self.values)

    def of(self, key, library):
        """round -> value."""
        return self.values.get(key, {}).get(library, {})

    def summary(self, key, library):
        return summarize(self.of(key, library).values())

    def faster(self, key, ours, theirs):
        """How many times as good `ours` is as `theirs`: the ratio within each round, so that drift cancels out."""
        mine, other = self.of(key, ours), self.of(key, theirs)
        return summarize(units.faster(mine[turn], other[turn], self.unit[key]) for turn in mine if turn in other)


def parse(text):
    """Yields (measure, bytes, value, unit) of each line that is a figure; other lines are the program's own business.
    What is not above zero, as a difference of two times may be, has no place on a logarithmic axis and no ratio."""
    for line in text.splitlines():
        fields = line.split("\t")
        if len(fields) != 4:
            continue
        try:
            measure, size, value, unit = fields[0].strip(), int(fields[1]), float(fields[2]), fields[3].strip()
        except ValueError:
            continue
        if 0 < value < math.inf:
            yield measure, size, value, unit
