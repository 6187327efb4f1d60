"""A source's figures beside ours: for each the range of ours that answers it, the limit, and the verdict in one sentence."""
# SPDX-License-Identifier: BSD-3-Clause
import collections
import fnmatch
import statistics

from driver import units

SAME = 0.97     # what two runs of the same program differ by at times

Answer = collections.namedtuple("Answer", "place said ours limit verdict")


def answers(plan, rows, libraries):
    return [answer(figure, rows, figure.library or libraries[0].name) for figure in plan.published]


def answer(figure, rows, library):
    found = [(row, value) for row in rows if matches(figure, row.key) and (value := value_of(figure, row, rows, library)) is not None]
    if not found:
        return Answer(figure.place, figure.said, "-", "-", "Not measured in this run.")
    is_ratio = figure.over_first or figure.than or figure.against
    unit, ours = "times" if is_ratio else found[0][0].unit, [value for _, value in found]
    limits = [None if is_ratio or "limit" not in row.summaries else row.summaries["limit"].median for row, _ in found]
    if figure.mean:
        ours, limits = [statistics.mean(ours)], [None if None in limits else statistics.mean(limits)]
    known = [limit for limit in limits if limit is not None]
    return Answer(figure.place, figure.said, show(ours, unit), show(known, unit) if known else "-",
                  verdict(figure, ours, limits, units.more_is_better(unit)))


def value_of(figure, row, rows, library):
    """A row's figure, or the ratio that is asked for; None where one of them was not measured."""
    if figure.over_first:
        return 1 / row.faster[library].median if library in row.faster else None
    own = row.summaries.get(library)
    if own and (figure.than or figure.against):
        key = row.key._replace(measure=figure.against or row.key.measure)
        base = next((other.summaries.get(figure.than or library) for other in rows if other.key == key), None)
        return base and units.faster(own.median, base.median, row.unit)
    return own and own.median


def matches(figure, key):
    return (fnmatch.fnmatchcase(key.measure, figure.measure) and figure.sizes[0] <= key.bytes <= figure.sizes[1]
            and (figure.pes is None or key.pes in figure.pes))


def show(values, unit):
    """One figure, or the least and the most of several."""
    least, most = units.show(min(values), unit), units.show(max(values), unit)
    return least if least == most else f"{least} to {most}"


def verdict(figure, ours, limits, more_is_better):
    """Exceeded: all of ours are better than the best that was published; kept: none is worse than the worst."""
    if figure.low is None:
        return f"No verdict: {figure.because}." if figure.because else "No number that another machine's could be compared with."
    published = (figure.low, figure.low if figure.high is None else figure.high)
    best, worst = (max(published), min(published)) if more_is_better else (min(published), max(published))
    kept = [is_kept(value, worst, more_is_better) for value in ours]
    if all(value > best if more_is_better else value < best for value in ours):
        return "Exceeded."
    if all(kept):
        return "Kept."
    missed = "Missed" if not any(kept) else f"Missed in {len(kept) - sum(kept)} of {len(kept)}"
    reason = beyond([limit for limit, fine in zip(limits, kept) if not fine], worst, more_is_better) or figure.because
    return f"{missed}: {reason}." if reason else f"{missed}."


def is_kept(value, worst, more_is_better):
    return value >= SAME * worst if more_is_better else value <= worst / SAME


def beyond(limits, worst, more_is_better):
    """Whether what was missed lies beyond what this machine can do: the limits of the rows that missed it, None where there is none."""
    count = sum(limit is not None and not is_kept(limit, worst, more_is_better) for limit in limits)
    if not count:
        return ""
    return "the limit of this machine is worse, too" if count == len(limits) else f"in {count} of these the limit of this machine is worse, too"


def lines(plan, found):
    """For the terminal and the text beside the page: nothing for a plan without a source."""
    if not found:
        return []
    return ["", f"Beside {plan.source}"] + [f"  {one.place}: published {one.said}; ours {one.ours}; limit {one.limit}. {one.verdict}"
                                            for one in found]
