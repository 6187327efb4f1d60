"""shnode in a job over two hosts: between PEs of one host, and its leaders between hosts; over Open MPI's OpenSHMEM and over Atrium."""
# SPDX-License-Identifier: BSD-3-Clause
from driver.plan import Plan, Program, Rule
from plans import fabric, shnode

BETWEEN_HOSTS = (*shnode.FLAGS, "-DBENCH_BETWEEN_NODES")
PROGRAMS = (
    Program("shnode/transfers.c", pes=(4,), flags=shnode.FLAGS),
    Program("shnode/leaders.c", pes=(4,), flags=BETWEEN_HOSTS, timeout_s=120, rounds=3),
    Program("../examples/shnode/isort.c", pes=(4,), flags=shnode.FLAGS, timeout_s=120, rounds=3),
)
# Nothing was published of two hosts of two PEs on two CPUs, so that nothing is asked but not to be slower.
RULES = (
    *(Rule(f"{call}.gain", shnode.by_pointer(call), shnode.BECAUSE) for call in ("put", "get", "long_p", "long_g")),
    *(Rule(f"{collective}.default.gain", at_most=0.97) for collective in ("int_sum_to_all", "fcollect")),
)


def libraries(build, peers):
    """Open MPI's first: it is the one whose gain is judged."""
    return sorted(fabric.libraries(build, peers), key=lambda library: library.name != "openmpi")


NOTES = (
    fabric.NOTES[0],
    "Two PEs on each host, four on two CPUs. Puts and gets are from PE 0 to PE 1 of the same host; collectives are of all four.",
    "gain: how many times as fast shnode's call is as the same library's own, in the same process, in turns.",
)
PLAN = Plan("shnode over two hosts", PROGRAMS, RULES, libraries, notes=NOTES)
