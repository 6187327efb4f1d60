"""The core: OpenSHMEM on a node beside its peers and the machine, with the targets of the project."""
# SPDX-License-Identifier: BSD-3-Clause
from driver import machine, openshmem
from driver.limits import best, first, least, raw, total
from driver.plan import Plan, Plot, Program, Rule
from plans.collectives import limit_of

CPUS = machine.usable_cpus()
# 2, 4, 8 and every power of two up to the CPUs.
TEAMS = tuple(1 << power for power in range(1, 20) if 1 << power <= max(8, CPUS))
FIT = tuple(pes for pes in TEAMS if pes <= CPUS)
CROWDED = tuple(pes for pes in TEAMS if pes > CPUS)
PAIR_AND_EIGHT = (2, 8)

KERNELS = ("gups", "histogram", "index_gather", "isx", "transpose", "stencil", "queue")
DOMINATED_BY_COMMUNICATION = ("gups.xor", "gups.get_put", "histogram", "index_gather", "isx.small", "isx.small.exchange", "transpose",
                              "stencil.small", "queue")

# Loops of puts and gets whose PE does not change: gcc takes a test out of a loop at -O3 only.
LOOPS = ("-O3",)

# In the order in which they run: a limit stands beside what it is a limit of.
PROGRAMS = (
    Program("limits/start.c", pes=(2, 8, 64), quick_pes=(2, 64), limit=True),
    Program("programs/empty.c", pes=(2, 8, 64), quick_pes=(2, 64), wall="start to end"),
    Program("programs/memory.c", pes=TEAMS, quick_pes=(2,), rounds=3),
    Program("limits/words.c", limit=True, flags=LOOPS),
    Program("limits/copy.c", limit=True),
    Program("programs/rma.c", timeout_s=120, flags=LOOPS),
    Program("programs/atomics.c", pes=PAIR_AND_EIGHT, quick_pes=(2,)),
    Program("limits/pingpong.c", limit=True),
    Program("programs/sync.c"),
    Program("programs/locks.c", pes=PAIR_AND_EIGHT),
    Program("programs/objects.c", pes=PAIR_AND_EIGHT, quick_pes=(2,)),
    Program("limits/pages.c", limit=True),
    Program("programs/pages.c"),
    *(Program(f"programs/kernels/{kernel}.c", pes=FIT or (2,), flags=("-lm",), timeout_s=120) for kernel in KERNELS),
    Program("limits/yield.c", limit=True),
    Program("limits/barrier.c", pes=TEAMS, limit=True),
    Program("limits/once.c", pes=TEAMS, limit=True),
    Program("limits/collectives.c", pes=TEAMS, quick_pes=PAIR_AND_EIGHT, limit=True),
    Program("programs/coll.c", pes=TEAMS, quick_pes=PAIR_AND_EIGHT, timeout_s=180),
)

KIB, MIB = 1 << 10, 1 << 20
SIZED = (4 * KIB, 64 * MIB)
LARGE = (4 * MIB, 64 * MIB)
NOT_SLOWER = 0.97       # what two runs of the same program differ by at times
COPY_SHARE = 1 / 0.97


def copies(measures, limit, because):
    """Rules for copies from 4 KiB up: as quick as the best copy, and quicker than the peer where copies are large."""
    for measure in measures:
        yield Rule(measure, limit, because, within=COPY_SHARE, faster=1.1, sizes=LARGE)
        yield Rule(measure, limit, because, within=COPY_SHARE, faster=NOT_SLOWER, sizes=SIZED)
        yield Rule(measure, limit, because)


COLLECTIVES = {"broadcast": "broadcast", "collect": "gather", "fcollect": "gather", "alltoall": "alltoall",
               "sum.*": "combine", "max.*": "combine", "and.*": "combine", "inscan.*": "inscan", "exscan.*": "exscan"}


def collectives():
    """The targets are for PEs that have a CPU each; with more PEs the limit is shown without one."""
    for measure, kind in COLLECTIVES.items():
        limit, because = limit_of(kind, CPUS)
        yield Rule(measure, limit, because, within=1.3, faster=2.5, sizes=(8, 8), pes=FIT)
        yield Rule(measure, limit, because, within=1.3, faster=1.5, pes=FIT)
        yield Rule(measure, limit, because)


def yields(limits, size, pes):
    """8 µs for 8 PEs on 2 CPUs where a yield costs 1.7 µs."""
    cost = limits.get("yield")
    return None if cost is None else 8 / 1.7 * cost * pes / 8 * 2 / CPUS


def pull_and_fence(limits, size, pes):
    """What a get and a quiet need: the copy, and the locked instruction of the quiet."""
    return total(limits.get("pull", size, pes), limits.get("drain"))


RULES = (
    Rule("start to end", raw("empty processes"), "as many empty processes, started and waited for",
         within=1.5, plus=3e6, faster=30),
    Rule("memory beyond heap", lambda limits, size, pes: MIB + 64 * pes, "1 MiB + 64 B for each PE of the job",
         within=1, faster=1),
    Rule("p.heap", first("store.private", "store"), "the same loop with plain stores", within=1.15, faster=15),
    Rule("p.globals", first("store.private", "store"), "the same loop with plain stores", within=1.15, faster=200),
    Rule("g.*", first("load.private", "load"), "the same loop with plain loads", within=1.15, faster=15),
    Rule("by_hand.p", first("store.private", "store"), "the same loop with plain stores"),
    Rule("by_hand.g", first("load.private", "load"), "the same loop with plain loads"),
    Rule("by_hand.[pg]*t", first("copy.private", "copy"), "the same loop with copies in line"),
    Rule("[pg][ue]t.constant", first("copy.private", "copy"), "the same loop with copies in line", within=1.15, at_most=2, faster=8),
    # Nobody reads what a stream leaves, so its limit wins by tricks that hurt whoever reads: beside it, but not asked for.
    Rule("put*.stream", best("memcpy", "best copy"), "memcpy or the best loop, again and again"),
    Rule("get*.stream", best("memcpy", "best copy"), "memcpy or the best loop, again and again"),
    *copies(("put.*", "put_nbi.*", "put_drained.*"), raw("push"), "the best copy into the other's memory, once, buffers dirty"),
    *copies(("get.*",), raw("pull"), "the best copy out of the other's memory, once, buffers dirty"),
    *copies(("get_nbi.*",), pull_and_fence, "the same, and a full fence"),
    Rule("fetch_add.alone", least("xadd", "xadd.alone"), "lock xadd", within=1.15, faster=3, pes=FIT),
    Rule("fetch_add.own_lines", least("xadd own lines", "xadd.own_lines"), "lock xadd on lines of their own", within=1.15, faster=3, pes=FIT),
    Rule("fetch_add.same_word", raw("xadd.same_word"), "lock xadd by all on one word", within=1.1, faster=3, pes=FIT),
    Rule("fence", at_most=1, faster=10),
    Rule("quiet", raw("drain"), "lock or", within=1.2, faster=3),
    Rule("ptr", at_most=1, faster=15),
    Rule("p_wait_until", raw("ping-pong one line"), "a word thrown to and fro, one way", within=1.1, faster=2),
    Rule("put_signal", raw("ping-pong two lines"), "data and a flag thrown to and fro, one way", within=1.1, faster=2, sizes=(8, 8)),
    Rule("barrier_all", raw("barrier"), "a raw barrier", within=1.15, faster=1.5, pes=FIT),
    Rule("barrier_all", yields, "8 µs for 8 PEs on 2 CPUs where a yield takes 1.7 µs", within=1, faster=NOT_SLOWER, pes=CROWDED),
    Rule("lock.uncontended", at_most=25, faster=5),
    Rule("lock.contended", faster=NOT_SLOWER),
    Rule("pages.touch_by_owner", raw("first touch 4 KiB pages"), "a first touch in 4 KiB pages"),
    Rule("pages.touch_by_peer", raw("second touch 4 KiB pages"), "a second process's touch in 4 KiB pages"),
    *collectives(),
    *(Rule(kernel, raw(f"{kernel}.roofline"), "the same work on private memory", faster=1.5) for kernel in DOMINATED_BY_COMMUNICATION),
    *(Rule(kernel, raw(f"{kernel}.roofline"), "the same work on private memory") for kernel in ("isx", "isx.exchange", "stencil.large")),
)

PLOTS = (
    Plot("Put and get, the same buffers again and again", ("put.heap.stream", "get.heap.stream")),
    Plot("Put and get, once between rewritten buffers", ("put.heap", "get.heap", "put.globals", "get.globals")),
    Plot("Words with data, thrown to and fro", ("put_signal", "put_fence_p")),
    Plot("Collectives, buffers dirtied", ("broadcast", "sum.long", "sum.double", "fcollect", "collect", "alltoall", "inscan.long")),
)

# What the bars show: a figure of each kind.
HEADLINES = (
    ("start to end", 0, 2), ("start to end", 0, 64), ("memory beyond heap", 0, 2),
    ("p.heap", 8, 2), ("p.globals", 8, 2), ("g.heap", 8, 2), ("fetch_add.alone", 8, 2), ("fetch_add.same_word", 8, 2),
    ("put.heap.stream", 4 * KIB, 2), ("put.heap.stream", 4 * MIB, 2), ("get.heap.stream", 4 * MIB, 2),
    ("fence", 0, 2), ("quiet", 0, 2), ("ptr", 0, 2), ("p_wait_until", 8, 2), ("lock.uncontended", 0, 2), ("lock.contended", 0, 2),
    ("lock.contended", 0, 8), ("barrier_all", 0, 2), ("barrier_all", 0, 8), ("sum.long", 8, 2), ("sum.long", 64 * KIB, 2),
    ("sum.long", 4 * MIB, 2), ("broadcast", 64 * KIB, 2), ("fcollect", 64 * KIB, 2), ("alltoall", 64 * KIB, 2), ("sum.long", 64 * KIB, 8),
    ("gups.xor", 0, 2), ("isx.small", 0, 2), ("histogram", 0, 2), ("index_gather", 0, 2), ("transpose", 0, 2), ("stencil.small", 0, 2), ("queue", 0, 2),
)

# The same work without the library, in the same program: the limits of others.
BESIDE = ("*.roofline", "*.private", "push *", "pull *", "xadd.*")

NOTES = (
    "Sources are rewritten by their owner and targets read by theirs before each call that is timed; the time is that from the first "
    "PE's entry to the last one's exit. Figures named stream, and those of single words, repeat on the same buffers.",
    "A limit is measured by a program without any library in the same round, or by the same loop over the same memory with plain loads, "
    "stores and atomics, whichever is better.",
)

PLAN = Plan("OpenSHMEM on one node", PROGRAMS, RULES, openshmem.libraries, PLOTS, HEADLINES, BESIDE, NOTES)
