#!/usr/bin/env python3
"""What the simulator says of messages, partners and bytes beside what real jobs on pretended nodes hand to libfabric.

    tests/nodes/simulated.py --nodes 2,4,8 --pes 2 --bytes 8,65536 [--within 5] [--csv]
    tests/nodes/simulated.py --nodes 2,4,8,16,32 --pes 1 --csv --collectives barrier,broadcast_apart,sum,fcollect,collect,scan,alltoall
                                                                             what docs/measurements/scale-counted.csv has
    tests/nodes/simulated.py --nodes 16,32,64,128 --pes 1 --within 5        a quarter of an hour on two CPUs

Needs the programs of tests/nodes and ./atrium sim in the build folder. Of a real job are counted two, one with more rounds than the
other: their difference is what the collective takes, without start and end. How many messages do nothing but acknowledge others
depends on who is late; they are told apart, and may differ.
"""

# SPDX-License-Identifier: BSD-3-Clause
import argparse
import csv
import ctypes
import os
import subprocess
import sys
import tempfile
from pathlib import Path

COLLECTIVES = "barrier", "broadcast", "broadcast_apart", "sum", "fcollect", "collect", "scan", "alltoall"
FEW, MANY = 2, 42  # rounds; even, because some algorithms go around the nodes forwards and backwards in turns
TCP = Path(__file__).resolve().parents[2] / "sim/costs/tcp.cost"  # it has rules of its own
FIGURES = "messages", "transfers", "bytes", "partners", "acknowledgements"
ACKNOWLEDGEMENT_BYTES = 40  # src/wire/message.hpp


def leaders_of(pes):
    """Of a node: those that share a CPU work alone, which the simulator's never do. As src/team/leader_count.cpp and coll/steps/spread.hpp."""
    cpus = len(os.sched_getaffinity(0))
    return 1 if pes > cpus else min(cpus, 4)


def environment_of(pes, **more):
    return os.environ | {"ATRIUM_LEADERS": str(leaders_of(pes))} | more


class Builds:
    """Where the programs are."""

    def __init__(self, folder):
        self.oshrun = folder / "bin/oshrun"
        self.sim = folder / "bin/atrium-sim"
        self.counting = folder / "lib/libnodes_counting_fabric.so"
        self.program = folder / "tests/nodes/nodes_collective"


def count_job(builds, nodes, pes, collective, size, rounds):
    """Messages, transfers, bytes and acknowledgements of all PEs, and the most partners of one."""
    with tempfile.NamedTemporaryFile() as counts:
        environment = environment_of(pes, ATRIUM_LIBFABRIC=str(builds.counting), COUNTS=counts.name)
        command = [builds.oshrun, "-q", "--oversubscribe", "-n", nodes * pes, "--nodes", nodes]
        command += [builds.program, collective, size, rounds]
        subprocess.run([str(word) for word in command], env=environment, check=True)
        lines = [[int(number) for number in line.split()] for line in Path(counts.name).read_text().splitlines()]
    return [sum(column) for column in list(zip(*lines))[:4]], max(line[4] for line in lines)


def measure_real(builds, nodes, pes, collective, size):
    (few, _), (many, partners) = (
        count_job(builds, nodes, pes, collective, size, rounds) for rounds in (FEW, MANY)
    )
    return figures_of(*((b - a) / (MANY - FEW) / nodes for a, b in zip(few, many)), partners)


def figures_of(messages, transfers, size, acknowledgements, partners):
    """Messages and bytes without those that only acknowledge."""
    size -= ACKNOWLEDGEMENT_BYTES * acknowledgements
    return dict(zip(FIGURES, [messages - acknowledgements, transfers, size, partners, acknowledgements]))


def simulate(builds, nodes, pes, collective, size):
    command = [builds.sim, "--csv", "--nodes", nodes, "--pes", pes, "--collective", collective]
    command += ["--bytes", size, "--rounds", MANY - FEW, "--costs", TCP]
    run = subprocess.run([str(word) for word in command], check=True, capture_output=True, text=True, env=environment_of(pes))
    output = run.stdout
    row = next(csv.DictReader(output.splitlines()))
    names = "messages_per_node", "transfers_per_node", "bytes_per_node", "acknowledgements_per_node", "partners"
    return figures_of(*(float(row[name]) for name in names))


def difference(real, simulated):
    """Of two figures, in per cent of the larger; less than a message in ten operations is none."""
    return 0 if abs(real - simulated) < 0.1 else 100 * abs(real - simulated) / max(abs(real), simulated)


def read_options():
    numbers = lambda text: [int(number) for number in text.split(",")]  # noqa: E731
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--build", type=Path, default=Path(__file__).parents[2] / "build")
    parser.add_argument("--nodes", type=numbers, default=[2, 4, 8])
    parser.add_argument("--pes", type=numbers, default=[2], help="of a node")
    parser.add_argument("--bytes", type=numbers, default=[8])
    parser.add_argument("--collectives", type=lambda text: text.split(","), default=COLLECTIVES)
    parser.add_argument("--within", type=float, help="per cent: more is an error")
    parser.add_argument("--csv", action="store_true")
    return parser.parse_args()


def points(options):
    for collective in options.collectives:
        for nodes in options.nodes:
            for pes in options.pes:
                for size in [0] if collective == "barrier" else options.bytes:
                    yield nodes, pes, collective, max(size, 8)


def require_libfabric():
    try:
        version = ctypes.CDLL("libfabric.so.1").fi_version()
    except OSError:
        print("libfabric is not here")
        sys.exit(77)
    if version < (1 << 16) + 15:
        print("libfabric is older than 1.15 here")
        sys.exit(77)


def main():
    options = read_options()
    require_libfabric()
    builds = Builds(options.build)
    out = csv.writer(sys.stdout)
    if options.csv:
        out.writerow(["collective", "bytes", "nodes", "pes_per_node", "figure", "real", "simulated"])
    worst = 0
    for nodes, pes, collective, size in points(options):
        real = measure_real(builds, nodes, pes, collective, size)
        simulated = simulate(builds, nodes, pes, collective, size)
        for figure in FIGURES:
            apart = difference(real[figure], simulated[figure])
            worst = worst if figure == "acknowledgements" else max(worst, apart)
            row = [collective, size, nodes, pes, figure, f"{real[figure]:.2f}", f"{simulated[figure]:.2f}"]
            if options.csv:
                out.writerow(row)
            elif options.within is None or apart > options.within:
                print(*row, f"{apart:.1f} %", flush=True)
    if options.within is not None and worst > options.within:
        sys.exit(f"{worst:.1f} % apart, {options.within} % are allowed")


if __name__ == "__main__":
    main()
