"""Puts figures, limits and targets together: a row for each measure, size and number of PEs, with its verdicts."""
# SPDX-License-Identifier: BSD-3-Clause
import dataclasses

from driver import figures as fig
from driver import units
from driver.limits import Limits, settle


@dataclasses.dataclass(frozen=True)
class Verdict:
    target: str                     # "≤ 1.15 × limit"
    met: bool


@dataclasses.dataclass(frozen=True)
class Row:
    key: fig.Key
    unit: str
    summaries: dict                 # library or "limit" -> Summary
    faster: dict                    # the same but for ours -> how many times as good ours is, a Summary over the rounds
    verdicts: tuple
    because: str = ""               # what the limit is

    @property
    def met(self):
        """True, False, or None when nothing is asked."""
        return all(verdict.met for verdict in self.verdicts) if self.verdicts else None


BY_HAND = ".by_hand"            # what the hardware does instead: the whole thing without a library, a row of its own


def add_limits(plan, results, raw, ours):
    """The rules' limits become figures of the library 'limit', round by round; what limit programs did by hand, too."""
    rounds = sorted({turn for store, library in ((raw, "limit"), (results, ours)) for key in store.keys()
                     for turn in store.of(key, library)})
    settled = settle((results, ours), (raw, "limit"))
    views = {turn: Limits(settled, turn) for turn in rounds}
    for key in results.keys():
        rule = plan.rule(*key)
        for turn, view in views.items() if rule and rule.limit else ():
            value = rule.limit(view, key.bytes, key.pes)
            if value is not None:
                results.add(key, "limit", turn, value, results.unit[key])
    for goal, (figures, library, key) in settled.items():
        for turn, value in figures.of(key, library).items() if figures is raw and goal.measure.endswith(BY_HAND) else ():
            results.add(goal, "limit", turn, value, raw.unit[key])


def rows(plan, libraries, results):
    """One for each figure that is more than a limit of another, in the order in which they were first reported."""
    names = [library.name for library in libraries]
    return [row(plan.rule(*key), names, results, key) for key in results.keys() if not plan.is_beside(key.measure)]


def row(rule, names, results, key):
    ours, unit = names[0], results.unit[key]
    summaries = {name: found for name in [*names, "limit"] if (found := results.summary(key, name))}
    faster = {name: found for name in summaries if name != ours and (found := results.faster(key, ours, name))}
    verdicts = tuple(judge(rule, ours, summaries, faster, unit)) if rule and ours in summaries else ()
    return Row(key, unit, summaries, faster, verdicts, rule.because if rule else "")


def judge(rule, ours, summaries, faster, unit):
    """Yields a verdict for each target that can be judged with what was measured."""
    mine = summaries[ours].median
    if rule.within and "limit" in faster:
        yield Verdict(limit_target(rule, unit), keeps_to_limit(rule, mine, summaries["limit"], faster["limit"]))
    if rule.at_most is not None:
        good = mine >= rule.at_most if units.more_is_better(unit) else mine <= rule.at_most
        yield Verdict(f"{'≥' if units.more_is_better(unit) else '≤'} {units.show(rule.at_most, unit)}", good)
    for peer, ratio in faster.items():
        if rule.faster and peer != "limit":
            yield Verdict(f"≥ {rule.faster:g} × {peer}", ratio.median >= rule.faster)


def keeps_to_limit(rule, mine, limit, faster):
    return mine <= limit.median * rule.within + rule.plus if rule.plus else 1 / faster.median <= rule.within


def limit_target(rule, unit):
    more = f" + {units.show(rule.plus, unit)}" if rule.plus else ""
    return f"≤ {rule.within:.3g} × limit{more}"
