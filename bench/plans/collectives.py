"""The least that a collective must do: what it must move at the measured speed of dirty copies, and one exchange of flags.

Every PE can read every other's memory, so a byte is moved once and nothing is staged. `pull by all` is all PEs copying so
many bytes at once out of the next one's dirty memory; a first exchange of flags is in it, as in every round that is timed,
and is taken out by subtracting the copy of 8 bytes."""
# SPDX-License-Identifier: BSD-3-Clause
from driver.limits import total

FLAG_BYTES = 64         # so much travels with the flag itself


def moved(limits, size, pes):
    """Nanoseconds for every PE to copy so many bytes of a peer's; beyond the largest measured size, proportional to it."""
    sizes = limits.sizes("pull by all", pes)
    nothing, largest = limits.get("pull by all", 8, pes), max(sizes, default=None)
    if nothing is None or size <= 8:
        return None if nothing is None else 0
    if size > largest:
        return sizes[largest] * size / largest
    return max(limits.get("pull by all", size, pes) - nothing, 0)


def broadcast(limits, size, pes, cpus):
    """Everyone but the root copies it, as far as there are CPUs at the same time."""
    share = 1 if pes <= cpus else (pes - 1) / pes
    alone = limits.get("pull", size, 2) if pes == 2 else None
    copied = moved(limits, size, pes)
    if alone is not None and copied is not None:
        copied = min(copied, max(alone - limits.get("pull", 8, 2), 0))
    return total(limits.get("announce once", 0, pes), 0 if size <= FLAG_BYTES or copied is None else copied * share)


def gather(limits, size, pes, cpus):
    """Everyone copies the others' blocks, and its own out of its own cache."""
    exchange = limits.get("exchange once", 0, pes)
    if size * (pes - 1) <= FLAG_BYTES:
        return exchange
    speed = limits.get("memcpy", size)
    own = size / speed * max(1, pes / cpus) if speed else 0
    return total(exchange, moved(limits, size * (pes - 1), pes), own)


def combine(limits, size, pes, cpus):
    """Either everyone reads everything, or each its slice of all sources and then the others' results."""
    exchange = limits.get("exchange once", 0, pes)
    if size * (pes - 1) <= FLAG_BYTES:
        return exchange
    everything = total(exchange, moved(limits, size * (pes - 1), pes))
    slices = moved(limits, size * (pes - 1) // pes, pes)
    return min(filter(None, (everything, total(exchange, exchange, slices, slices))), default=None)


def traffic(measure, cpus):
    """(limit, what it is) for the collective of this name."""
    if measure == "broadcast":
        function, text = broadcast, "one flag, and everyone copies the root's block"
    elif measure.startswith(("collect", "fcollect", "alltoall")):
        function, text = gather, "an exchange of flags, and everyone copies all blocks meant for it"
    else:
        function, text = combine, "an exchange of flags, and each element read once or each slice reduced once and spread"
    return (lambda limits, size, pes: function(limits, size, pes, cpus)), text
