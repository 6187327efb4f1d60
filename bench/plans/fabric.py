"""Between two hosts: OpenSHMEM beside Open MPI's over the same interface, raw TCP and raw libfabric. `./atrium bench fabric` makes the hosts
out of namespaces on this machine; where it may not, two nodes are pretended over loopback."""
# SPDX-License-Identifier: BSD-3-Clause
import os

from driver import execute, openshmem
from driver.limits import raw
from driver.plan import BENCH, Library, Plan, Plot, Program, Rule

TEAMS = (2, 4, 8)           # 1, 2 and 4 PEs on each host
CROWD = (16,)               # 8 on each, on two CPUs: Open MPI, whose PEs wait awake, is spared that
KERNELS = ("gups", "histogram", "index_gather", "isx", "stencil")
SMALL = ("-lm", "-DBENCH_BETWEEN_NODES")    # an operation is a thousand times as long as on one node

HAS_LIBFABRIC = not execute.execute(["cc", "-fsyntax-only", str(BENCH / "limits/libfabric.c")], 30).failure

PROGRAMS = (
    Program("limits/start.c", pes=(4,), limit=True),
    Program("programs/empty.c", pes=(4,), wall="start to end"),
    Program("limits/tcp.c", limit=True),
    *((Program("limits/libfabric.c", limit=True, flags=("-ldl",)),) if HAS_LIBFABRIC else ()),
    Program("programs/fabric/words.c", timeout_s=120),
    Program("programs/fabric/computing.c"),
    Program("programs/fabric/together.c", pes=TEAMS, timeout_s=120),
    *(Program(f"programs/fabric/{name}.c", pes=CROWD, timeout_s=120, only=("atrium",)) for name in ("words", "together")),
    *(Program(f"programs/kernels/{kernel}.c", flags=SMALL, timeout_s=120) for kernel in KERNELS),
)

ROUND_TRIP = raw("tcp round trip")
BECAUSE = "TCP there and back, both sides polling"


def round_trips(count):
    return lambda limits, size, pes: (trip := limits.get("tcp round trip", 8)) and count * trip


RULES = (
    Rule("*.bandwidth", pes=CROWD),
    Rule("*", at_most=1e6, pes=CROWD),
    Rule("start to end", raw("empty processes"), "as many empty processes, started and waited for", at_most=0.6e9),
    Rule("p_quiet", ROUND_TRIP, BECAUSE, within=1.6, faster=1.4),
    Rule("g", ROUND_TRIP, BECAUSE, within=1.6),
    # The target never calls the library; a peer may answer when it does, a second later.
    Rule("g.computing", at_most=100e3),
    Rule("g.computing.first", at_most=5e6),
    Rule("libfabric.by_hand", because="libfabric's own send and receive there and back, both sides polling"),
    Rule("libfabric_descriptor.by_hand", because="the same by a completion queue that has a descriptor to sleep on"),
    Rule("fetch_add", ROUND_TRIP, BECAUSE, within=1.6),
    Rule("put_quiet", ROUND_TRIP, BECAUSE, within=1.6),
    Rule("get", ROUND_TRIP, BECAUSE, within=1.6),
    Rule("p_wait_until", ROUND_TRIP, BECAUSE, within=1.9, faster=2),
    Rule("p.stream", at_most=150, faster=15),
    Rule("put.stream", at_most=300, faster=15),
    Rule("atomic_add.stream", at_most=500, faster=15),
    Rule("fetch_add_nbi.stream", at_most=800, faster=15),
    Rule("*.bandwidth", raw("tcp bandwidth"), "TCP, a block and its answer", within=1 / 0.95, faster=2.5, sizes=(1 << 20, 4 << 20)),
    Rule("*.bandwidth", raw("tcp bandwidth"), "TCP, a block and its answer"),
    Rule("barrier", round_trips(1), BECAUSE, within=1.3, pes=(2,)),
    Rule("barrier", round_trips(1), BECAUSE, faster=1 / 0.7, pes=(4,)),
    Rule("barrier", round_trips(1), BECAUSE, faster=2, pes=(8,)),
    *(Rule(name, round_trips(2), "two round trips of TCP", faster=1 / 0.7, sizes=(8, 8), pes=(4, 8))
      for name in ("sum", "fcollect", "broadcast")),
    Rule("alltoall", round_trips(2), "two round trips of TCP", faster=1 / 0.15, sizes=(8, 8), pes=(8,)),
    *(Rule(kernel, faster=10) for kernel in ("gups.xor", "gups.get_put_nbi", "histogram", "index_gather.nbi")),
    # Each read waits for its answer: a round trip in both libraries, and nothing that could be gathered.
    *(Rule(kernel, faster=1) for kernel in ("gups.get_put", "index_gather")),
)

NOTES = (
    "The hosts are network namespaces of this machine, joined by a switch: both share its CPUs, and the wire is memory. Read ratios."
    if os.environ.get("HOST_LIST") else
    "No hosts could be made here: two nodes are pretended, and everything goes over the loopback interface. Read ratios.",
    "Nothing is set for Atrium, whose PEs find out who wants their CPU. Set for Open MPI: UCX_TLS=tcp and memory of the node, no binding, "
    "and, with more PEs than CPUs, mpi_yield_when_idle.",
    "PEs are unbound. Kernels are those of one node with a hundredth of their work.",
    "g.computing: the target computes for a second and does not call the library meanwhile; .first: the first read of that second.",
    "libfabric.by_hand: a word there and back by libfabric, without Atrium, by a queue that can only be polled; "
    "libfabric_descriptor.by_hand: by one that a process can sleep on. Atrium uses libfabric for cards, and where ATRIUM_ENGINE says so." if HAS_LIBFABRIC else
    "Raw libfabric was left out: headers of libfabric 1.15 or later are not installed (Debian: libfabric-dev).",
    "Of a collective the time is that of itself and a barrier behind it.",
)
LAUNCH = str(BENCH / "fabric/launch.sh")


def libraries(build, peers):
    ours = Library("atrium", "Atrium", (str(build / "bin/oshcc"),), (LAUNCH, "atrium", str(build / "bin/oshrun")), {}, fabric(build))
    theirs = [Library(library.name, library.label, library.compile, (LAUNCH, "openmpi", library.run[0]), {}, library.version)
              for library in openshmem.open_mpi()]
    return [ours, *theirs, *(openshmem.peer(text) for text in peers)]


def fabric(build):
    """The provider that Atrium finds, and the network library if it is one of a library's."""
    told = {}
    for line in execute.execute([str(build / "bin/atrium-info"), "--fabric"], 30).output.splitlines():
        name, _, value = line.strip().partition("  ")
        told.setdefault(name, value.strip())
    provider = told.get("provider", "unknown")
    return "over " + (provider if provider == "kernel-tcp" else f"{told.get('library', 'unknown')}, {provider}")


PLAN = Plan("OpenSHMEM between two hosts", PROGRAMS, RULES, libraries,
            (Plot("Put and get between hosts", ("put.bandwidth", "get.bandwidth")),
             Plot("Collectives and a barrier", ("sum", "fcollect", "broadcast", "alltoall"))),
            (("p_quiet", 8, 2), ("g", 8, 2), ("g.computing", 8, 2), ("fetch_add", 8, 2), ("p_wait_until", 8, 2), ("p.stream", 8, 2), ("put.stream", 64, 2),
             ("atomic_add.stream", 8, 2), ("fetch_add_nbi.stream", 8, 2), ("put.bandwidth", 1 << 20, 2), ("get.bandwidth", 1 << 20, 2),
             ("barrier", 0, 2), ("barrier", 0, 4), ("barrier", 0, 8), ("sum", 8, 4), ("sum", 8, 8), ("fcollect", 8, 8),
             ("broadcast", 8, 8), ("alltoall", 8, 8), ("gups.xor", 0, 2), ("gups.get_put_nbi", 0, 2), ("histogram", 0, 2), ("index_gather", 0, 2), ("index_gather.nbi", 0, 2)),
            ("*.roofline",), NOTES)
