"""Which figures are not to be trusted, and why: too few rounds, rounds that differ too much, other work on the machine."""
# SPDX-License-Identifier: BSD-3-Clause
import statistics

FEWEST_ROUNDS = 3
WIDEST = 1.5                    # third quartile over first: beyond that the median is a matter of luck
MOST_OTHERS = 0.5               # other processes that wanted a CPU, on average


def runnable():
    """Processes and threads that run or want to, without us; 0 where the kernel does not tell."""
    try:
        with open("/proc/loadavg", encoding="ascii") as stream:
            return max(int(stream.read().split()[3].split("/")[0]) - 1, 0)
    except (OSError, ValueError, IndexError):
        return 0


def spread(summary):
    return summary.quartile3 / summary.quartile1 if summary.quartile1 > 0 else float("inf")


def doubts(summary):
    """Why this figure is not to be trusted; nothing when it is."""
    found = []
    if summary.rounds < FEWEST_ROUNDS:
        found.append("one round" if summary.rounds == 1 else f"{summary.rounds} rounds")
    if spread(summary) > WIDEST:
        found.append(f"the middle half of its rounds differs by {spread(summary):.1f} ×")
    return found


def doubts_of_run(others):
    """About all of it. `others`: what runnable() said before each program."""
    busy = statistics.mean(others) if others else 0
    return [f"other work was running meanwhile: {busy:.1f} processes on average wanted a CPU"] if busy > MOST_OTHERS else []


def rounds_text(rows):
    counts = sorted({summary.rounds for row in rows for summary in row.summaries.values()})
    return (f"{counts[0]}" if counts[0] == counts[-1] else f"{counts[0]} to {counts[-1]}") if counts else "none"


def spread_text(rows):
    """The usual spread: of half of the figures it is less."""
    found = [spread(summary) for row in rows for summary in row.summaries.values() if summary.rounds > 1]
    return f"{100 * (statistics.median(found) - 1):.0f} %" if found else "unknown, from one round"
