"""The core: OpenSHMEM on a node beside its peers and the machine, with the targets of the project."""
# SPDX-License-Identifier: BSD-3-Clause
from driver import openshmem
from driver.limits import raw
from driver.plan import Plan, Program, Rule

PROGRAMS = (
    Program("limits/start.c", pes=(2, 8, 64), limit=True),
    Program("programs/empty.c", pes=(2, 8, 64), quick_pes=(2, 64), wall="start to end of an empty program"),
    Program("programs/memory.c", pes=(2, 8), quick_pes=(2,), rounds=3),
    Program("limits/words.c", limit=True),
    Program("limits/flags.c", pes=(2, 4, 8), limit=True),
    Program("limits/yield.c", limit=True),
)

RULES = (
    Rule("start to end of an empty program", raw("empty processes"), "as many empty processes", within=1.5, plus=3e6, faster=30),
    Rule("memory of a PE beyond its heap", lambda limits, size, pes: (1 << 20) + 64 * pes, within=1, faster=1),
)

PLAN = Plan("OpenSHMEM on one node", PROGRAMS, RULES, openshmem.libraries)
