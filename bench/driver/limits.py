"""What a rule may ask of the machine's own figures of one round, and the arithmetic that plans share."""
# SPDX-License-Identifier: BSD-3-Clause
import math

from driver import units


def settle(*sources):
    """name, bytes, PEs -> (figures, library, key) of what counts as the limit of that name. What was measured in several ways,
    `push [avx512]`, counts as `push` where its median over all rounds is the best of the ways: one loop for a size, not the
    luckiest of several in each round. Of a name that has no ways the last source counts."""
    settled, medians = {}, {}
    for figures, library in sources:
        for key in figures.keys():
            median = figures.summary(key, library)
            if median is None:
                continue
            goal = key._replace(measure=key.measure.partition(" [")[0])
            if goal == key or goal not in medians or units.faster(median.median, medians[goal], figures.unit[key]) > 1:
                settled[goal], medians[goal] = (figures, library, key), median.median
    return settled


class Limits:
    """The limit programs' figures of one round, in base units, and under their own names those that the programs of the
    judged library measured without it, as a plain store in the same loop."""

    def __init__(self, settled, turn):
        self.by_name = {}
        for goal, (figures, library, key) in settled.items():
            value = figures.of(key, library).get(turn)
            if value is not None:
                self.by_name.setdefault((goal.measure, goal.pes), {})[goal.bytes] = value

    def sizes(self, name, pes):
        """bytes -> value, for so many processes; else for whatever number it was measured with first."""
        if (name, pes) in self.by_name:
            return self.by_name[name, pes]
        return next((sizes for (known, _), sizes in self.by_name.items() if known == name), {})

    def get(self, name, size=0, pes=2):
        """A figure, which may have no size; between two measured sizes on the straight line between their logarithms;
        None where there is none."""
        sizes = self.sizes(name, pes)
        if size in sizes or 0 in sizes:
            return sizes.get(size, sizes.get(0))
        below = max((known for known in sizes if 0 < known < size), default=None)
        above = min((known for known in sizes if known > size), default=None)
        if below is None or above is None:
            return None
        share = math.log(size / below) / math.log(above / below)
        return math.exp((1 - share) * math.log(sizes[below]) + share * math.log(sizes[above]))


def raw(name):
    """The machine's figure of this name, size and number of PEs."""
    return lambda limits, size, pes: limits.get(name, size, pes)


def best(*names):
    """The highest of several, for rates."""
    return lambda limits, size, pes: max(found(limits, names, size, pes), default=None)


def least(*names):
    """The lowest of several, for times."""
    return lambda limits, size, pes: min(found(limits, names, size, pes), default=None)


def first(*names):
    """The first that was measured."""
    return lambda limits, size, pes: next(iter(found(limits, names, size, pes)), None)


def found(limits, names, size, pes):
    return [value for name in names if (value := limits.get(name, size, pes)) is not None]


def total(*parts):
    """The sum, or None when a part is missing."""
    return None if None in parts else sum(parts)
