"""Whole applications that others wrote, built elsewhere with each library: bale's with conveyors and without, ISx, hclib-actor.

docs/howto/benchmark.md says where they come from. Nothing of them is in this repository."""
# SPDX-License-Identifier: BSD-3-Clause
import os
import re

from driver import openshmem
from driver.plan import Plan, Program, Rule

PES = tuple(pes for pes in (2, 4, 8, 16) if pes <= max(2, len(os.sched_getaffinity(0))))
WAYS = {1: "agp", 2: "exstack", 4: "exstack2", 8: "conveyor"}  # bale's -M, each a bit
MODEL = re.compile(r"\b(AGP|Exstack2?|Conveyor):\s+([0-9.]+)")
SECONDS = re.compile(r"^\s+([0-9.]+) seconds$", re.MULTILINE)
TOTAL = re.compile(r"^Average (total|all2all) time \(per PE\): ([0-9.]+) seconds", re.MULTILINE)


def models(name):
    """bale prints a line for each way to write the application: plain gets and puts (AGP), two kinds of exstack, conveyors."""
    def read(output):
        return [(f"{name}.{model.lower()}", 0, float(seconds), "s") for model, seconds in MODEL.findall(output)]
    return read


def actor(output):
    return [("histo.actor" if "histo" in output else "ig.actor", 0, float(seconds), "s") for seconds in SECONDS.findall(output)]


def isx(name):
    """The whole sort, and the exchange of keys in it."""
    def read(output):
        return [(f"{name}.{'exchange' if part == 'all2all' else part}", 0, float(seconds), "s") for part, seconds in TOTAL.findall(output)]
    return read


def application(name, pes, reader, arguments, count, called="", environment=None):
    """Its command line is `arguments(count)`, with --quick that of a tenth."""
    return Program(name, pes, built=True, arguments=arguments(count), quick_arguments=arguments(count // 10), reader=reader, timeout_s=60,
                   called=called, environment=environment)


def of_bale(name, pes, measure, count):
    """A run for each way, so that one in which a library hangs takes no other one along."""
    def arguments(mask):
        return lambda count: ("-n", str(count), "-M", str(mask))
    return [application(name, pes, models(measure), arguments(mask), count, f"{name}, {way}") for mask, way in WAYS.items()]


def sort(program, name, pes, count):
    """ISx, or ISx with something else in the place of its puts: each PE has so many keys, and is sent them in 1 GiB (Open MPI has an older
    name for the size of the heap)."""
    def keys(count):
        return str(count), "5", os.devnull
    return application(program, pes, isx(name), keys, count,
                       environment={"SHMEM_SYMMETRIC_SIZE": "1200M", "SHMEM_SYMMETRIC_HEAP_SIZE": "1200M"})


def programs(pes, operations, rows):
    """Each PE makes so many updates, reads or keys, and has so many rows of a matrix."""
    def of_each(count):
        return "-n", str(count)

    return (
        *of_bale("histo", pes, "histo", operations),
        *of_bale("ig", pes, "ig", operations),
        *of_bale("topo", pes, "topo", rows),
        *of_bale("transpose_matrix", pes, "transpose", rows),
        sort("isx", "isx", pes, operations),
        application("histo_selector", pes, actor, of_each, operations),
        application("ig_selector", pes, actor, of_each, operations),
    )


RULES = (Rule("*", faster=1),)
NOTES = (
    "Seconds, as each application prints them. agp: plain gets, puts and atomics; exstack, exstack2, conveyor: bale's three ways to gather them; "
    "actor: hclib's selectors over conveyors.",
    "Conveyors and exstack copy through shmem_ptr on a node, so that the library moves hardly a byte.",
)
PLAN = Plan("Applications that others wrote", programs(PES, 1_000_000, 100_000), RULES, openshmem.libraries, notes=NOTES)
