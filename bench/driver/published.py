"""A source's figures beside ours: for each the range of ours that answers it, the limit, and the verdict in one sentence."""
# SPDX-License-Identifier: BSD-3-Clause
import collections
import fnmatch

from driver import units

SAME = 0.97     # what two runs of the same program differ by at times

Answer = collections.namedtuple("Answer", "place said ours limit verdict")


def answers(plan, rows, libraries):
    return [answer(figure, rows, figure.library or libraries[0].name) for figure in plan.published]


def answer(figure, rows, library):
    found = [row for row in rows if matches(figure, row.key) and library in (row.faster if figure.over_first else row.summaries)]
    if not found:
        return Answer(figure.place, figure.said, "-", "-", "Not measured in this run.")
    unit, ours, limits = found[0].unit, [row.summaries[library].median for row in found], []
    if figure.over_first:
        unit, ours = "times", [1 / row.faster[library].median for row in found]
    else:
        limits = [row.summaries["limit"].median for row in found if "limit" in row.summaries]
    return Answer(figure.place, figure.said, show(ours, unit), show(limits, unit) if limits else "-",
                  verdict(figure, ours, units.more_is_better(unit)))


def matches(figure, key):
    return (fnmatch.fnmatchcase(key.measure, figure.measure) and figure.sizes[0] <= key.bytes <= figure.sizes[1]
            and (figure.pes is None or key.pes in figure.pes))


def show(values, unit):
    """One figure, or the least and the most of several."""
    least, most = units.show(min(values), unit), units.show(max(values), unit)
    return least if least == most else f"{least} to {most}"


def verdict(figure, ours, more_is_better):
    """Exceeded: all of ours are better than the best that was published; kept: none is worse than the worst."""
    if figure.low is None:
        return f"No verdict: {figure.because}." if figure.because else "No number that another machine's could be compared with."
    published = (figure.low, figure.low if figure.high is None else figure.high)
    if more_is_better:
        kept, better = [value >= SAME * min(published) for value in ours], [value > max(published) for value in ours]
    else:
        kept, better = [value <= max(published) / SAME for value in ours], [value < min(published) for value in ours]
    if all(better):
        return "Exceeded."
    if all(kept):
        return "Kept."
    missed = "Missed" if not any(kept) else f"Missed in {len(kept) - sum(kept)} of {len(kept)}"
    return f"{missed}: {figure.because}." if figure.because else f"{missed}."


def lines(plan, found):
    """For the terminal and the text beside the page: nothing for a plan without a source."""
    if not found:
        return []
    return ["", f"Beside {plan.source}"] + [f"  {one.place}: published {one.said}; ours {one.ours}; limit {one.limit}. {one.verdict}"
                                            for one in found]
