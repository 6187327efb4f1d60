"""Node windows beside messages, in each MPI that is installed: halos, long arrays, a preconditioner, a table per node; and MPI's own synchronisations."""
# SPDX-License-Identifier: BSD-3-Clause
import dataclasses
import re

from driver import mpi
from driver.limits import raw
from driver.plan import ROOT, Plan, Plot, Program, Rule

EXAMPLES = ROOT / "examples/mpi"
CRAMPED = 4             # ranks: more than the CPUs of a small machine


def sources(folder, besides):
    return tuple(str(path) for path in sorted((EXAMPLES / folder).glob("*.c*")) if path.name != besides)


# No fused multiply-add: what is compared bit by bit rounds alike wherever the compiler finds one.
EXACT = ("-O3", "-ffp-contract=off")
WAYS = {"window + fence": "fence", "window + flags": "flags", "least, by hand": "least"}


def read_heat2d(output):
    """What is left of the time of messages' exchange, and computation over messages', by the bytes of a halo."""
    size = re.search(r"heat2d: (\d+) x", output)
    if not size:
        return
    halo = 8 * int(size[1])
    for name, exchange, compute, ratio in re.findall(r"^(\w[\w ,+]*\w) +([\d.]+) +-?[\d.]+% +([\d.]+) +([\d.]+)", output, re.M):
        way = "messages" if name == "messages" else WAYS.get(name)
        if way and float(exchange) > 0:
            yield f"heat2d.exchange.{way}", halo, float(exchange), "us"
            yield f"heat2d.compute.{way}", halo, float(compute), "us"
        if way and way != "messages":
            yield f"heat2d.compute_left.{way}", halo, 100 * float(ratio), "%"
    exchanges = dict(re.findall(r"^(\w[\w ,+]*\w) +([\d.]+) +-?[\d.]+%", output, re.M))
    for name, way in WAYS.items():
        if float(exchanges.get(name, 0)) > 0 < float(exchanges.get("messages", 0)):
            yield f"heat2d.left.{way}", halo, 100 * float(exchanges[name]) / float(exchanges["messages"]), "%"


def read_contiguous(output):
    """Computation alone, in a window whose parts lie one behind the other."""
    for measure, size, value, unit in read_heat2d(output):
        if measure.startswith("heat2d.compute_left."):
            yield measure.replace("compute_left", "compute_left.contiguous"), size, value, unit


def read_ring(output):
    """Of the most threads, which it prints last."""
    elements = re.search(r"ring: \d+ ranks, (\d+) elements", output)
    for threads, messages, window in re.findall(r"(\d+) threads: messages +([\d.]+) s, window +([\d.]+) s", output)[-1:]:
        yield "ring.messages", 8 * int(elements[1]), float(messages), "s"
        yield "ring.window", 8 * int(elements[1]), float(window), "s"
        yield "ring.gain", 8 * int(elements[1]), float(messages) / float(window), "times"


def read_cg(output):
    for name, iterations, seconds in re.findall(r"^(messages|window),.*? (\d+) iterations, .*? ([\d.]+) s", output, re.M):
        domain = "subdomain" if name == "messages" else "node"
        yield f"cg.iterations.{domain}", 0, int(iterations), "iterations"
        yield f"cg.seconds.{domain}", 0, float(seconds), "s"


def read_ensemble(output):
    for name, rate, mebibytes in re.findall(r"^(private copies|one per node|threads) .*?(\d+) evaluations/s, +([\d.]+) MiB", output, re.M):
        table = {"private copies": "private", "one per node": "one"}.get(name, name)
        yield f"ensemble.evaluation.{table}", 0, 1e6 / float(rate), "us"
        yield f"ensemble.memory.{table}", 0, float(mebibytes), "MiB"


def heat2d(cells, quick):
    fewer = () if cells < 1500 else ("--steps", "20")      # half a minute otherwise
    return Program("../examples/mpi/heat2d/main.c", pes=(2, CRAMPED), quick_pes=(2,) if quick else (), called="heat2d",
                   flags=(*EXACT, *sources("heat2d", "main.c"), "-lm"), arguments=("--size", str(cells), *fewer),
                   quick_arguments=("--size", str(cells), "--steps", "10", "--repeats", "3"), reader=read_heat2d, rounds=5)


def contiguous(program):
    layout = ("--layout", "contiguous")
    return dataclasses.replace(program, pes=(2,), called="heat2d contiguous", arguments=program.arguments + layout,
                               quick_arguments=program.quick_arguments + layout, reader=read_contiguous)


HEAT2D = tuple(heat2d(cells, cells in (100, 1000)) for cells in (100, 250, 500, 1000, 1500))
RING = Program("../examples/mpi/ring/ring.c", pes=(2, 8), quick_pes=(2,), flags=(*EXACT, "-fopenmp"), reader=read_ring, rounds=3, timeout_s=180,
               arguments=("--elements", str(4 << 20), "--rounds", "16"), quick_arguments=("--elements", str(1 << 18), "--rounds", "4"))
CG = Program("../examples/mpi/cg/main.cpp", pes=(1, 2, 4, 8, 16, 32), quick_pes=(1, 2, 4), called="cg", reader=read_cg, rounds=1, timeout_s=400,
             flags=("-std=c++20", "-DOMPI_SKIP_MPICXX", "-DMPICH_SKIP_MPICXX", *EXACT, *sources("cg", "main.cpp"), "-lstdc++", "-lm"), quick_arguments=("--size", "16"))
ENSEMBLE = Program("../examples/mpi/ensemble/ensemble.c", pes=(1, 2, 4, 8), quick_pes=(2,), flags=(*EXACT, "-fopenmp", "-lm"), reader=read_ensemble, rounds=3,
                   arguments=("--steps", "400"), quick_arguments=("--small",))
SYNCHRONISATION = Program("windows/synchronisation.c", pes=(2, CRAMPED), quick_pes=(2,), flags=("-O2",), rounds=5)

RULES = (
    *(Rule(f"heat2d.{what}.{way}", raw(f"heat2d.{what}.least"), "an exchange by hand, flags and copies, without any library")
      for what in ("exchange", "left") for way in ("fence", "flags")),
)
PLOTS = (
    Plot("Halos: the exchange, by the bytes of a halo", ("heat2d.exchange.*",)),
    Plot("Halos: what is left of messages' time, and computation", ("heat2d.left.*", "heat2d.compute_left.*")),
    Plot("What a synchronisation costs, of MPI's own windows and of node windows, by the number of ranks", ("sync.*",), "pes"),
    Plot("Iterations of the preconditioner, by the number of ranks", ("cg.iterations.*",), "pes"),
    Plot("Memory of the table on the node, by the number of ranks", ("ensemble.memory.*",), "pes"),
    Plot("An evaluation of the table, by the number of ranks or threads", ("ensemble.evaluation.*",), "pes"),
)
NOTES = (
    "Each program runs by messages and on a node window in one process, in turns, and compares the results bit by bit.",
    "Messages go through shared memory with two copies (btl_vader_single_copy_mechanism=none). Where ranks are more than CPUs, MPICH, which "
    "has no setting for it, yields by a library in front of it if the tests have been built.",
)


def libraries(build, peers):
    found = mpi.libraries(build)
    if not found:
        raise SystemExit("atrium bench: no MPI with node windows is here; ./atrium setup test installs Open MPI and MPICH")
    # Idle threads that spin take the CPUs on which the MPI wants to copy.
    return [dataclasses.replace(library, environment={**library.environment, "OMP_WAIT_POLICY": "passive"}) for library in found]


PLAN = Plan("Node windows", (*HEAT2D, RING, CG, ENSEMBLE, SYNCHRONISATION), RULES, libraries, PLOTS, notes=NOTES, beside=("heat2d.*.least",))
