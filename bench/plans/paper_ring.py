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
RANKS = 8
FLAGS = (*windows.EXACT, "-fopenmp")


def read_bare(output):
    for elements, seconds in re.findall(r"bare: (\d+) elements, ([\d.]+) s", output):
        yield "ring.bare", 8 * int(elements), float(seconds), "s"


PROGRAMS = (
    Program("papers/ring_bare.c", pes=(RANKS,), flags=FLAGS, arguments=SIZE, quick_arguments=QUICK, reader=read_bare, rounds=3, timeout_s=300),
    dataclasses.replace(windows.RING, pes=(RANKS,), quick_pes=(RANKS,), flags=FLAGS, arguments=SIZE, quick_arguments=QUICK, timeout_s=600),
)
CROWDED = "the ranks alone are more than the CPUs, so that threads have none of their own" if machine.usable_cpus() <= RANKS else ""
# The article's steps: its words, its milliseconds, and whose figure is ours. It has threads and vectors at once.
STEPS = (("8 ranks, one thread", 5699, "plain"), ("four threads a core (here two a rank)", None, "threads"),
         ("four threads a core (here two a rank) and vectors", 4535, "vectors"), ("the same with its memory on node 1 (MCDRAM)", 3070, "node1"))
WAYS = {"bare": "bare windows", "window": "node windows", "messages": "messages"}


def elapsed():
    """A row for each step and way; the article's program is the one on bare windows."""
    for step, ms, library in STEPS:
        for way, words in WAYS.items():
            said = f"{ms:,} ms for 64 rounds of 32 Mi elements" if ms and way == "bare" else "not in the article"
            yield Published(f"Basic Performance Tuning, {step}, by {words}", said, f"ring.{way}", library=library)


def gains():
    """How many times as fast as one thread."""
    for step, ms, library in STEPS[1:]:
        for way in ("bare", "window"):
            said, asked = (f"{STEPS[0][1]:,} / {ms:,} = {STEPS[0][1] / ms:.2f} ×", STEPS[0][1] / ms) if ms else ("not in the article", None)
            yield Published(f"{step}, over one thread, by {WAYS[way]}", said, f"ring.{way}", asked, library=library, over_first=True,
                            because=CROWDED if asked else "")


PUBLISHED = (*elapsed(), *gains())


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
    f"Eight ranks with two arrays of {MEBI_ELEMENTS} Mi elements each, 16 rounds, with --quick less (the article: 32 Mi, 64 rounds). After each round an "
    "element is half of itself and a quarter of its two neighbours'. bare: MPI_Win_allocate_shared, MPI_Win_sync and a barrier a round, as in the "
    "article; window: node windows and their flags between neighbours.",
    "The step of another memory node is left out where there is none, or no numactl.",
)
PLAN = Plan("Intel's sample on this machine", PROGRAMS, (), libraries, notes=NOTES,
            source="Intel: MPI-3 shared memory on the Xeon Phi processor, with a sample program (2017).", published=PUBLISHED)
