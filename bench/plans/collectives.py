"""The least that a collective must do: exchange flags once, and what bench/limits/collectives.c measures of its bytes.

Every PE can read and write every other's memory, so nothing is staged. Flags come first: what a PE has not announced nobody can
copy. Where two processes without a library, flags and all, need less than the sum of the parts, that is the limit."""
# SPDX-License-Identifier: BSD-3-Clause
from driver.limits import total

FLAG_BYTES = 64         # so much travels with the flag itself

# Kind of traffic -> the flags it needs, and what it is.
KINDS = {
    "broadcast": ("announce once", "a flag, and N copied by each PE, the root too"),
    "gather": ("exchange once", "an exchange of flags, and P N copied by each PE"),
    "alltoall": ("exchange once", "an exchange of flags, and P N copied by each PE"),
    "combine": ("exchange once", "an exchange of flags, P N read and added up once, the result written to each PE"),
    "inscan": ("exchange once", "an exchange of flags, and each PE's sum made and written"),
    "exscan": ("exchange once", "an exchange of flags, and each PE's sum made and written"),
}


def measured(limits, name, size, pes):
    """A figure of collectives.c; beyond the largest size in proportion to it."""
    largest = max(limits.sizes(name, pes), default=None)
    if largest is None:
        return None
    value = limits.get(name, min(size, largest), pes)
    return None if value is None else value * max(1, size / largest)


def least(kind, limits, size, pes, cpus):
    flags = limits.get(KINDS[kind][0], size if size <= FLAG_BYTES else 8, pes)
    if size <= FLAG_BYTES:
        return flags
    traffic = measured(limits, f"{kind} traffic", size, pes)
    if pes > cpus and None not in (flags, traffic):
        return max(flags, traffic)      # PEs that take turns on a CPU have waited for each other already
    by_hand = limits.get(f"{kind}.by_hand", size, pes)
    parts = total(flags, traffic)
    return parts if by_hand is None or parts is None else min(parts, by_hand)


def limit_of(kind, cpus):
    """(limit, what it is) of a kind of KINDS."""
    return (lambda limits, size, pes: least(kind, limits, size, pes, cpus)), KINDS[kind][1]
