"""What a rule may ask of the machine's own figures of one round, and the arithmetic that plans share."""
# SPDX-License-Identifier: BSD-3-Clause
import math


class Limits:
    """The limit programs' figures of one round, in base units."""

    def __init__(self, figures, turn):
        self.by_name = {}
        for key in figures.keys():
            value = figures.of(key, "limit").get(turn)
            if value is not None:
                self.by_name.setdefault((key.measure, key.pes), {})[key.bytes] = value

    def sizes(self, name, pes):
        """bytes -> value, for so many processes; else for whatever number it was measured with first."""
        if (name, pes) in self.by_name:
            return self.by_name[name, pes]
        return next((sizes for (known, _), sizes in self.by_name.items() if known == name), {})

    def get(self, name, size=0, pes=2):
        """A figure; between two measured sizes on the straight line between their logarithms; None where there is none."""
        sizes = self.sizes(name, pes)
        if size in sizes:
            return sizes[size]
        below = max((known for known in sizes if 0 < known < size), default=None)
        above = min((known for known in sizes if known > size), default=None)
        if below is None or above is None:
            return None
        share = math.log(size / below) / math.log(above / below)
        return math.exp((1 - share) * math.log(sizes[below]) + share * math.log(sizes[above]))

    def time(self, name, size, pes=2):
        """Nanoseconds for so many bytes, of a figure in GB/s or ns."""
        value = self.get(name, size, pes)
        if value is None:
            smallest = min(self.sizes(name, pes), default=None)
            value = self.get(name, smallest, pes) if smallest and size < smallest else None
        return None if value is None else size / value


def raw(name):
    """The machine's figure of this name, size and number of PEs."""
    return lambda limits, size, pes: limits.get(name, size, pes)


def best(*names):
    """The best of several bandwidths."""
    def value(limits, size, pes):
        return max((found for name in names if (found := limits.get(name, size, pes)) is not None), default=None)
    return value


def constant(value):
    return lambda limits, size, pes: value
