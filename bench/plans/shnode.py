"""shnode over Open MPI's OpenSHMEM, and over Atrium, each beside the library's own calls in the same process."""
# SPDX-License-Identifier: BSD-3-Clause
from driver import openshmem
from driver.plan import ROOT, Plan, Plot, Program, Rule

FLAGS = ("-std=gnu99", "-O3", f"-I{ROOT / 'shnode/include'}", f"-I{ROOT / 'primitives'}",
         *(str(source) for source in sorted((ROOT / "shnode/src").glob("*.c"))))
PROGRAMS = (
    Program("shnode/transfers.c", flags=FLAGS),
    Program("shnode/begin.c", pes=(64,), flags=FLAGS, timeout_s=90, rounds=3),
    Program("shnode/leaders.c", pes=(8,), flags=FLAGS, timeout_s=90),
    Program("../examples/shnode/isort.c", pes=(2, 8), flags=FLAGS),
)


def published(gain):
    return lambda limits, size, pes: gain


def by_pointer(call):
    """What can be gained over the system's call: the same by the best copy, a store or a load through shmem_ptr, in the same run."""
    def gain(limits, size, pes):
        system, pointer = limits.get(f"{call}.system", size, pes), limits.get(f"{call}.pointer", size, pes)
        return system / pointer if system and pointer else None
    return gain


# From 4 KiB on the copy itself takes more than a third of the system's call: 3 times stays asked, and the limit beside it.
SMALL, COPIES, MIDDLE, LARGE = (8, 1024), (1025, 4096), (4097, 65536), (256 << 10, float("inf"))
BECAUSE = "the best copy, a store or a load through shmem_ptr"
RULES = (
    *(Rule(f"{call}.gain", by_pointer(call), f"{BECAUSE}; published: 3 to 4.6 times", at_most=3, sizes=SMALL) for call in ("put", "get")),
    *(Rule(f"{call}.gain", by_pointer(call), f"{BECAUSE}; published: 3 to 4.6 times", within=1.3, at_most=3, sizes=COPIES)
      for call in ("put", "get")),
    *(Rule(f"{call}.gain", by_pointer(call), BECAUSE, within=1.3, sizes=MIDDLE) for call in ("put", "get")),
    *(Rule(f"{call}.gain", by_pointer(call), f"{BECAUSE}; published: 1.5 to 2.35 times", at_most=0.97, sizes=LARGE)
      for call in ("put", "get")),
    *(Rule(f"long_{call}.gain", by_pointer(f"long_{call}"), f"{BECAUSE}; published: 3 to 4.6 times", at_most=3) for call in ("p", "g")),
    Rule("look_up*.gain", at_most=2),
    Rule("init, create_team, finalize", published(100e6), "published: below 0.1 s for 128 PEs", at_most=50e6, pes=(64,)),
    Rule("int_sum_to_all.best.gain", published(4.87), "published: 4.87 times with 8,192 PEs", at_most=1.5),
    Rule("fcollect.best.gain", published(2), "published: 2 times with 8,192 PEs", at_most=1.5),
    Rule("isort.*.shnode_put.gain", published(1.05), "published: 5 %"),
    Rule("isort.*.separated.gain", published(1.5), "published: 1.5 to 2 times"),
)


def libraries(build, peers):
    """Open MPI's first: it is the one whose gain is judged."""
    found = openshmem.libraries(build, peers)
    return sorted(found, key=lambda library: library.name != "openmpi")


NOTES = (
    "The limit of a put or get is the gain of the best copy, a store or a load through shmem_ptr; elsewhere the limit column has what "
    "Wasi-ur-Rahman, Ozog and Dinan reported of their shnode for their machines in 2017 (docs/lineage/shnode.md).",
    "gain: how many times as fast shnode's call is as the same library's own, in the same process, in turns.",
)
PLAN = Plan("shnode", PROGRAMS, RULES, libraries, (Plot("Put and get", ("put.system", "put.shnode", "get.system", "get.shnode")),),
            notes=NOTES)
