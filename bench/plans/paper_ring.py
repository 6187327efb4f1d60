"""The steps of Intel's article: its program by messages, on bare MPI windows and on node windows, with threads, vectors, another memory node."""
# SPDX-License-Identifier: BSD-3-Clause
import dataclasses
import pathlib
import re
import shutil

from driver import machine
from driver.plan import Plan, Program, Published
from plans import windows

# Arrays far larger than caches, and no more for a CPU than it works through in seconds.
MEBI_ELEMENTS = min(32, 2 * machine.usable_cpus())
SIZE, QUICK = ("--elements", str(MEBI_ELEMENTS << 20), "--rounds", "16"), ("--elements", str(1 << 18), "--rounds", "8")
FLAGS = (*windows.EXACT, "-fopenmp")


def read_bare(output):
    for elements, seconds in re.findall(r"bare: (\d+) elements, ([\d.]+) s", output):
        yield "ring.bare", 8 * int(elements), float(seconds), "s"


PROGRAMS = (
    Program("papers/ring_bare.c", pes=(8,), flags=FLAGS, arguments=SIZE, quick_arguments=QUICK, reader=read_bare, rounds=3, timeout_s=300),
    dataclasses.replace(windows.RING, pes=(8,), quick_pes=(8,), flags=FLAGS, arguments=SIZE, quick_arguments=QUICK, timeout_s=600),
)
PUBLISHED = (
    Published("Basic Performance Tuning, 8 ranks, one thread", "5,699 ms, on bare windows", "ring.bare"),
    Published("the same, four threads a core and vectors, over one thread", "5,699 / 4,535 = 1.26 ×", "ring.bare", 1.26, library="vectors", over_first=True),
    Published("the same, on node windows", "1.26 ×", "ring.window", 1.26, library="vectors", over_first=True),
    Published("the same, memory on node 1 (MCDRAM), over one thread", "5,699 / 3,070 = 1.86 ×", "ring.bare", 1.86, library="node1", over_first=True),
)


def libraries(build, peers):
    """The article's steps, one on top of the other, in the first MPI that is here."""
    found = windows.libraries(build, peers)[0]
    threads = {"OMP_NUM_THREADS": "2", "OMP_WAIT_POLICY": "passive"}
    vectors = (*found.compile, "-march=native")
    steps = [step(found, "plain", "one thread", found.compile, {"OMP_NUM_THREADS": "1"}),
             step(found, "threads", "2 threads", found.compile, threads), step(found, "vectors", "2 threads, vectors", vectors, threads)]
    if pathlib.Path("/sys/devices/system/node/node1").exists() and shutil.which("numactl"):
        steps.append(dataclasses.replace(step(found, "node1", "the same, memory of node 1", vectors, threads), run=("numactl", "-m", "1", *found.run)))
    return steps


def step(library, name, label, compiler, environment):
    return dataclasses.replace(library, name=name, label=label, compile=compiler, environment={**library.environment, **environment})


NOTES = (
    f"Eight ranks with two arrays of {MEBI_ELEMENTS} Mi elements each; after each round an element is half of itself and a quarter of its two neighbours'. bare: MPI_Win_allocate_shared, "
    "MPI_Win_sync and a barrier a round, as in the article; window: node windows and their flags between neighbours.",
    "The step of another memory node is left out where there is none, or no numactl.",
)
PLAN = Plan("Intel's sample on this machine", PROGRAMS, (), libraries, notes=NOTES,
            source="Intel: MPI-3 shared memory on the Xeon Phi processor, with a sample program (2017).", published=PUBLISHED)
