"""POSH's tables 1 to 3 and figure 3: put and get beside a copy of memory and beside its own library and GASNet, and collectives that
push and that pull."""
# SPDX-License-Identifier: BSD-3-Clause
import dataclasses

from driver import gasnet, openshmem
from driver.limits import best
from driver.plan import Plan, Plot, Program, Published, Rule

LARGE = (1 << 20, float("inf"))
OVER_SHMEM = ("atrium", "atrium_memcpy", "openmpi", "posh")
PROGRAMS = (
    Program("limits/copy.c", limit=True),
    Program("papers/copies.c", only=("atrium",)),
    Program("papers/posh.c", only=OVER_SHMEM),
    Program("papers/gasnet.c", only=("gasnet",), flags=gasnet.ask("--libs")),
    Program("programs/coll.c", only=("atrium", "atrium_put", "atrium_get"), rounds=3, timeout_s=180),
)
COPY = best("memcpy", "best copy")
BECAUSE = "memcpy or the best loop between two private buffers, again and again"


def copy_over_memcpy(limits, size, pes):
    copy, memcpy = COPY(limits, size, pes), limits.get("memcpy.bandwidth", size, pes)
    return copy / memcpy if copy and memcpy else None


RULES = (*(Rule(f"{what}.bandwidth", COPY, BECAUSE) for what in ("put", "get", "memcpy")),
         *(Rule(f"{what}.of_copy", copy_over_memcpy, "the same over memcpy") for what in ("put", "get")))

# Its machine Maximum, where the best copy (SSE) and memcpy differ: tables 1 and 2, Gb/s and ns.
LOOPS = "these loops show the processor, not the library"
THEIRS = "the peer's figure, not ours"
UPC = (("put", 68.86), ("get", 67.45))
PUBLISHED = (
    Published("table 1, bandwidth of MMX over memcpy (Maximum)", "47.52 / 67.47 = 0.70 ×", "copy.mmx.of_memcpy", sizes=LARGE, because=LOOPS),
    Published("table 1, bandwidth of MMX2 over memcpy (Maximum)", "76.59 / 67.47 = 1.14 ×", "copy.mmx2.of_memcpy", sizes=LARGE, because=LOOPS),
    Published("table 1, bandwidth of SSE over memcpy (Maximum)", "77.91 / 67.47 = 1.15 ×", "copy.sse.of_memcpy", sizes=LARGE, because=LOOPS),
    *(Published(f"table 1, latency: memcpy's over that of {name} (Maximum)", f"21.70 / {ns:.2f} = {21.7 / ns:.2f} ×",
                f"copy.{name.lower()}.of_memcpy", sizes=(64, 64), because=LOOPS) for name, ns in (("MMX", 20.25), ("MMX2", 20.45), ("SSE", 21.00))),
    *(Published(f"table 2, bandwidth of {call} by {copy}, over memcpy of table 1 (Maximum)", f"{gbps:.2f} / 67.47 = {gbps / 67.47:.2f} ×",
                f"{call}.of_copy", round(gbps / 67.47, 2), sizes=LARGE, library=library)
      for copy, library, figures in (("memcpy", "atrium_memcpy", (69.28, 68.51)), ("the best copy", "", (76.15, 74.09)))
      for call, gbps in zip(("put", "get"), figures)),
    *(Published(f"table 2, latency: that of memcpy in table 1 over that of {call} (Maximum)", "21.70 / 38.40 = 0.57 ×", f"{call}.of_copy", 0.57,
                sizes=(8, 8)) for call in ("put", "get")),
    *(Published(f"table 2, latency of {call}, 8 B here (Maximum)", "38.40 ns", call, sizes=(8, 8)) for call in ("put", "get")),
    *(Published(f"table 3, Berkeley UPC, bandwidth of {call} over memcpy of table 1 (Maximum)", f"{gbps} / 67.47 = {gbps / 67.47:.2f} ×",
                f"{call}.of_copy", round(gbps / 67.47, 2), sizes=LARGE) for call, gbps in UPC),
    *(Published(f"{table}, {whose}, {call} of 8 B (Maximum)", said, call, sizes=(8, 8), library=library)
      for table, whose, library, figures in (("table 2, latency", "POSH's own library here", "posh", ("38.40 ns", "38.40 ns")),
                                             ("table 3, latency", "Berkeley UPC, GASNet here", "gasnet", ("25.00 ns", "26.75 ns")))
      for call, said in zip(("put", "get"), figures)),
    *(Published(f"table 3, bandwidth of {call} over memcpy, Berkeley UPC, GASNet here (Maximum)", f"{gbps} / 67.47 = {gbps / 67.47:.2f} ×",
                f"{call}.of_copy", sizes=LARGE, library="gasnet", because=THEIRS) for call, gbps in UPC),
    *(Published(f"not in the source: {what}, {library} here", "no figure", measure, sizes=sizes, library=name)
      for what, measure, sizes in (("put of one word", "p", (8, 8)), ("get of one word", "g", (8, 8)), ("put of 64 B", "put", (64, 64)),
                                   ("barrier of two", "barrier", (0, 0)))
      for name, library in (("atrium", "Atrium"), ("posh", "POSH's own library"), ("gasnet", "GASNet"))),
    *(Published(f"figure 3, {what} of {call} over the size (Maximum)", "a curve", measure)
      for call in ("put", "get") for what, measure in (("latency", call), ("bandwidth", f"{call}.bandwidth"))),
)


PUT_BASED = {"BCAST": "put", "COLLECT": "put", "FCOLLECT": "put", "ALLTOALL": "put", "REDUCE": "push", "SCAN": "push"}
GET_BASED = {"BCAST": "pull", "COLLECT": "pull", "FCOLLECT": "pull", "ALLTOALL": "pull", "REDUCE": "pull", "SCAN": "pull"}


def libraries(build, peers):
    """Ours as it is, with memcpy for every copy, and with collectives that only push or only pull; then the peers."""
    ours, *theirs = openshmem.libraries(build, peers)
    return [ours, variant(ours, "atrium_memcpy", "Atrium, memcpy", {"ATRIUM_COPY": "libc"}), *theirs, *gasnet.libraries(),
            variant(ours, "atrium_put", "Atrium, put-based", forced(PUT_BASED)),
            variant(ours, "atrium_get", "Atrium, get-based", forced(GET_BASED))]


def variant(ours, name, label, environment):
    return dataclasses.replace(ours, name=name, label=label, environment=environment)


def forced(algorithms):
    return {f"SHMEM_{family}_ALGORITHM": algorithm for family, algorithm in algorithms.items()}


NOTES = (
    "As in the source each figure is the median of 20 repetitions behind one to warm up, between the same buffers. of_copy: how many times as "
    "fast as libc's memcpy between two private buffers of that size, in the same process.",
    "Table 1 compares loops that copy, without the library. copy.*: between private buffers of "
    "64 B (the source gives no size for its latency) and 4 MiB.",
    "p, g: a long in a row of them. barrier: of the two PEs. The authors' own library is measured beside it where it has been built, by "
    "--peer 'posh=/path/shmemcc --no-static -O3:/path/spawn', and GASNet where pkg-config knows it (docs/lineage/posh.md).",
)
PLAN = Plan("POSH's tables on this machine", PROGRAMS, RULES, libraries,
            (Plot("Put and get over the size (figure 3)", ("put", "get", "put.bandwidth", "get.bandwidth")),
             Plot("Collectives that push and that pull", ("broadcast", "fcollect", "alltoall", "sum.long"))),
            notes=NOTES, source="C. Coti: POSH: Paris OpenSHMEM, 2014 (arXiv:1403.7791).", published=PUBLISHED)
