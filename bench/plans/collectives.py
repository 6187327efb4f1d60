"""The least that a collective must do: move its bytes once at the measured speed of dirty copies, and exchange flags once.

Every PE can read every other's memory, so nothing is staged. The bytes are those of the minimum traffic: for N bytes and P
PEs broadcast copies (P-1) N, a reduction or scan P N, and what gathers P P N. `pull by all` is all processes copying so many
bytes at once out of the next one's dirty memory. Flags come first: what a PE has not announced nobody can copy."""
# SPDX-License-Identifier: BSD-3-Clause
from driver.limits import total

FLAG_BYTES = 64         # so much travels with the flag itself


def copied(limits, foreign, own, pes, cpus, name="pull by all"):
    """Nanoseconds for every PE to copy so many bytes of other PEs and of its own. PEs on one CPU do it one after the other,
    through the same cache, where one finds what another has written."""
    turns, team = max(1, pes / cpus), min(pes, cpus)
    foreign, own = foreign * turns, own * turns
    if pes > cpus:
        near = foreign / cpus
        foreign, own = foreign - near, own + near
    parts = [stepwise(limits, name, foreign, team)] if foreign else []
    if own:
        size = min(own, max(limits.sizes("memcpy", 2), default=own))
        speed = limits.get("memcpy", size)
        parts.append(own / speed if speed else None)
    return total(*parts)


def stepwise(limits, name, size, pes):
    """A figure of `together.c`; beyond the largest size in proportion to it."""
    largest = max(limits.sizes(name, pes), default=None)
    if largest is None:
        return None
    return limits.get(name, min(max(size, 8), largest), pes) * max(1, size / largest)


def broadcast(limits, size, pes, cpus):
    """The root announces it, all others copy it."""
    flag = limits.get("announce once", 0, pes)
    if size <= FLAG_BYTES:
        return flag
    copiers = (pes - 1) / pes if pes > cpus else 1
    moved = copied(limits, size, 0, pes, cpus, "pull by one" if pes == 2 <= cpus else "pull by all")
    return total(flag, None if moved is None else moved * copiers)


def gather(limits, size, pes, cpus):
    """All exchange flags and copy the others' blocks, and their own out of their own cache."""
    flags = limits.get("exchange once", 0, pes)
    return flags if size <= FLAG_BYTES else total(flags, copied(limits, size * (pes - 1), size, pes, cpus))


def combine(limits, size, pes, cpus):
    """All exchange flags; each element is read once and its result written to everybody."""
    flags = limits.get("exchange once", 0, pes)
    return flags if size <= FLAG_BYTES else total(flags, copied(limits, size, 0, pes, cpus))


LIMITS = {
    "broadcast": (broadcast, "a flag, and (P-1) N copied"),
    "collect": (gather, "an exchange of flags, and P P N copied"),
    "combine": (combine, "an exchange of flags, and P N copied"),
}


def traffic(kind, cpus):
    """(limit, what it is) of a kind of LIMITS."""
    function, because = LIMITS[kind]
    return (lambda limits, size, pes: function(limits, size, pes, cpus)), because
