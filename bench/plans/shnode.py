"""shnode over Open MPI's OpenSHMEM, and over Atrium, each beside the library's own calls in the same process."""
# SPDX-License-Identifier: BSD-3-Clause
import dataclasses
import os

from driver import openshmem
from driver.plan import ROOT, Plan, Plot, Program, Published, Rule
from plans import applications

FLAGS = ("-std=gnu99", "-O3", f"-I{ROOT / 'shnode/include'}", f"-I{ROOT / 'base'}",
         *(str(source) for source in sorted((ROOT / "shnode/src").glob("*.c"))))
PROGRAMS = (
    Program("shnode/transfers.c", flags=FLAGS),
    Program("shnode/begin.c", pes=(1, 2, 4, 8, 16, 32, 64, 128), quick_pes=(16,), flags=FLAGS, timeout_s=90, rounds=3),
    Program("shnode/leaders.c", pes=(8,), flags=FLAGS, timeout_s=90),
    Program("../examples/shnode/isort.c", pes=(2, 8), flags=FLAGS),
    *(Program(f"../examples/shnode/{example}.c", pes=(2, 8), quick_pes=(2,), flags=FLAGS, quick_arguments=("--small",), rounds=3, timeout_s=90)
      for example in ("stencil", "shuffle")),
    # ISx itself, a million keys on each PE, built elsewhere: as it is, and with bench/papers/isx_shnode.h before its sources.
    *(dataclasses.replace(applications.sort(program, f"isx.{way}", (2, 8), 1_000_000), quick_pes=(2,), quick_arguments=("100000", "1", os.devnull), rounds=3)
      for program, way in (("isx", "plain"), ("isx_shnode_put", "shnode_put"), ("isx_separated", "separated"))),
)


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
    *(Rule(f"{call}.gain", by_pointer(call), BECAUSE, at_most=3, sizes=SMALL) for call in ("put", "get")),
    *(Rule(f"{call}.gain", by_pointer(call), BECAUSE, within=1.3, at_most=3, sizes=COPIES)
      for call in ("put", "get")),
    *(Rule(f"{call}.gain", by_pointer(call), BECAUSE, within=1.3, sizes=MIDDLE) for call in ("put", "get")),
    *(Rule(f"{call}.gain", by_pointer(call), BECAUSE, at_most=0.97, sizes=LARGE)
      for call in ("put", "get")),
    *(Rule(f"long_{call}.gain", by_pointer(f"long_{call}"), BECAUSE, at_most=3) for call in ("p", "g")),
    Rule("look_up*.gain", at_most=2),
    Rule("init, create_team, finalize", at_most=50e6, pes=(64,)),
    Rule("int_sum_to_all.best.gain", at_most=1.5),
    Rule("fcollect.best.gain", at_most=1.5),
)


def libraries(build, peers):
    """Open MPI's first: it is the one whose gain is judged."""
    found = openshmem.libraries(build, peers)
    return sorted(found, key=lambda library: library.name != "openmpi")


NOTES = (
    "The limit of a put or get is the gain of the best copy, a store or a load through shmem_ptr.",
    "init, create_team, finalize: of PE 0; the three together: of the slowest PE.",
    "gain: how many times as fast shnode's call is as the same library's own, in the same process, in turns.",
    "isort: our own sort in the manner of ISx, which answers where ISx itself is not named. isx: ISx itself, where --programs says where it lies (docs/howto/benchmark.md): as it is, with "
    "shnode's put, and with node-local transfers apart, behind those that leave the node. All PEs are on one node here.",
)
SOURCE = "M. Wasi-ur-Rahman, D. Ozog, J. Dinan: Application-Level Optimization of On-Node Communication in OpenSHMEM, 2017 (slides)."
ONE_NODE = "with as many PEs as cores there is nothing to overlap with"
PARTS_OF_ISX = (("total", "the whole sort"), ("exchange", "the exchange"))
PUBLISHED = (
    Published("Profiling shnode APIs, init, create_team and finalize, up to 128 PEs", "below 0.1 s", "init, create_team, finalize", 0, 100e6),
    *(Published(f"Profiling shnode APIs, {call} alone, 1 to 128 PEs", "below 0.1 s", call, 0, 100e6) for call in ("init", "create_team", "finalize")),
    Published("Profiling shnode APIs, a query, over shmem_ptr", "half the cost: 2 ×", "look_up*.gain", 2),
    *(Published(f"OSU micro-benchmark, small {call}", "3 to 4.6 ×", f"{call}.gain", 3, 4.6, SMALL) for call in ("put", "get")),
    *(Published(f"OSU micro-benchmark, {call}, 2 and 4 KiB", "3 to 4.6 ×", f"{call}.gain", 3, 4.6, COPIES) for call in ("put", "get")),
    *(Published(f"OSU micro-benchmark, large {call}", "1.5 to 2.35 ×", f"{call}.gain", 1.5, 2.35, LARGE) for call in ("put", "get")),
    Published("Evaluation of Collectives, int_sum_to_all, 8,192 PEs", "4.87 ×", "int_sum_to_all.best.gain", 4.87,
              because="one node, and 8 PEs in place of 8,192"),
    Published("Evaluation of Collectives, fcollect, 8,192 PEs", "2 ×", "fcollect.best.gain", 2, because="one node, and 8 PEs in place of 8,192"),
    *(Published(f"Evaluation of Collectives, {call}, PEs per leader: {count}", f"the best number: {best}", f"{call}.node8.leader{count}.gain")
      for call, best in (("int_sum_to_all", 8), ("fcollect", 2)) for count in (1, 2, 4, 8)),
    Published("Evaluation of ISx, shnode's put", "1.05 ×", "isort.*.shnode_put.gain", 1.05),
    Published("Evaluation of ISx, node-local transfers apart", "1.5 to 2 ×", "isort.*.separated.gain", 1.5, 2, because=ONE_NODE),
    *(Published(f"Evaluation of ISx, shnode's put, in ISx itself, {what}", "1.05 ×", f"isx.shnode_put.{part}", 1.05, against=f"isx.plain.{part}")
      for part, what in PARTS_OF_ISX),
    *(Published(f"Evaluation of ISx, node-local transfers apart, in ISx itself, {what}", "1.5 to 2 ×", f"isx.separated.{part}", 1.5, 2,
                against=f"isx.plain.{part}", because=ONE_NODE) for part, what in PARTS_OF_ISX),
    *(Published(f"Future Work, {what}", "no figure", measure)
      for what, measure in (("a stencil with halos of 8 rows, over 1", "stencil.depth_8.gain"), ("MapReduce's shuffle by shnode", "shuffle.shnode.gain"),
                            ("the same, words combined before", "shuffle.shnode_combined.gain"))),
)
PLOTS = (
    Plot("Put and get", ("put.system", "put.shnode", "get.system", "get.shnode")),
    Plot("Beginning and end, by the number of PEs", ("init", "create_team", "finalize", "init, create_team, finalize"), "pes"),
)
PLAN = Plan("shnode", PROGRAMS, RULES, libraries, PLOTS, notes=NOTES, source=SOURCE, published=PUBLISHED)
