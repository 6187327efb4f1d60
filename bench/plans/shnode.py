"""shnode over Open MPI's OpenSHMEM, and over Atrium, each beside the library's own calls in the same process."""
# SPDX-License-Identifier: BSD-3-Clause
from driver import openshmem
from driver.plan import ROOT, Plan, Plot, Program, Rule

FLAGS = ("-std=gnu99", "-O3", f"-I{ROOT / 'shnode/include'}",
         *(str(source) for source in sorted((ROOT / "shnode/src").glob("*.c"))))
PROGRAMS = (
    Program("shnode/transfers.c", flags=FLAGS),
    Program("shnode/begin.c", pes=(64,), flags=FLAGS, timeout_s=90, rounds=1),
    Program("shnode/leaders.c", pes=(8,), flags=FLAGS, timeout_s=90, rounds=3),
    Program("../examples/shnode/isort.c", pes=(2, 8), flags=FLAGS, rounds=3),
)


def published(gain):
    return lambda limits, size, pes: gain


SMALL, LARGE = (8, 4096), (256 << 10, float("inf"))
RULES = (
    *(Rule(f"{call}.gain", published(3), "published: 3 to 4.6 times", at_most=3, sizes=SMALL) for call in ("put", "get")),
    *(Rule(f"{call}.gain", published(1.5), "published: 1.5 to 2.35 times", at_most=0.97, sizes=LARGE) for call in ("put", "get")),
    *(Rule(f"long_{call}.gain", published(3), "published: 3 to 4.6 times", at_most=3) for call in ("p", "g")),
    Rule("look_up*.gain", at_most=2),
    Rule("init, create_team, finalize", published(100e6), "published: below 0.1 s for 128 PEs", at_most=50e6, pes=(64,)),
    Rule("int_sum_to_all.node8.*.gain", published(4.87), "published: 4.87 times with 8,192 PEs"),
    Rule("fcollect.node8.*.gain", published(2), "published: 2 times with 8,192 PEs"),
)


def libraries(build, peers):
    """Open MPI's first: it is the one whose gain is judged."""
    found = openshmem.libraries(build, peers)
    return sorted(found, key=lambda library: library.name != "openmpi")


NOTES = (
    "The limit column has what the designers of the published shnode reported for their machines.",
    "gain: how many times as fast shnode's call is as the same library's own, in the same process, in turns.",
)
PLAN = Plan("shnode", PROGRAMS, RULES, libraries, (Plot("Put and get", ("put.system", "put.shnode", "get.system", "get.shnode")),),
            notes=NOTES)
