#!/usr/bin/env python3
"""Where a collective takes much longer for one node more, one PE more or twice the bytes: searched over a grid by the simulator.

    sim/cliffs.py                                            over TCP and NDR, about an hour of a CPU
    sim/cliffs.py --costs ndr --collectives scan --nodes 2,3,16 --pes 1,4 --bytes 8,16,32
    sim/cliffs.py --keep FILE                                reads the points that are in FILE already, and adds those that it measures
    sim/cliffs.py --against OTHER/build/bin/atrium-sim       the points that take a tenth more or less time than with that one

A step is told if it takes more than 2 times as long, or with twice the bytes more than 2.2 times.
"""

# SPDX-License-Identifier: BSD-3-Clause
import argparse
import csv
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
KIB, MIB = 1024, 1024 * 1024
WITHOUT_BYTES = "barrier", "split"
COLLECTIVES = (*WITHOUT_BYTES, "broadcast_apart", "sum", "scan", "exscan", "fcollect", "collect", "collect_uneven", "alltoall")
ONE_MORE, TWICE_THE_BYTES = 2, 2.2
LITTLE_US = 1  # a step to twice that is none
A_TENTH = 1.1
NODES = [2, 3, 4, 5, 6, 7, 8, 9, 12, 13, 15, 16, 17, 20, 21, 31, 32, 33, 40, 41, 63, 64, 65, 127, 128, 129, 255, 256, 257]


def sizes(first, last):
    while first <= last:
        yield first
        first *= 2


def memory(collective, size, pes):
    """Of all PEs' arrays."""
    if collective == "alltoall":
        return 2 * pes * pes * size
    return pes * size * (pes if "collect" in collective else 2)


class Search:
    """Points are (costs, collective, bytes, nodes, PEs of a node, nodes that have one more)."""

    def __init__(self, options, sim, kept_in=None):
        self.options, self.sim, self.kept_in = options, sim, kept_in
        self.us = {}  # of a point
        if kept_in and kept_in.exists():
            for row in csv.reader(kept_in.read_text().splitlines()):
                costs, collective, size, nodes, pes, larger, us = row
                self.us[costs, collective, int(size), int(nodes), int(pes), int(larger)] = float(us)

    def fits(self, collective, size, nodes, pes, larger):
        return memory(collective, size, nodes * pes + larger) <= self.options.memory * MIB

    def wanted(self, costs, machine):
        """By collective, the sizes that are not known yet."""
        for collective in self.options.collectives:
            known = [8] if collective in WITHOUT_BYTES else self.options.bytes
            missing = [size for size in known
                       if self.fits(collective, size, *machine) and (costs, collective, size, *machine) not in self.us]
            if missing:
                yield collective, missing

    def measure(self, costs, machine):
        nodes, pes, larger = machine
        environment = os.environ | {"ATRIUM_SIM_COSTS": str(ROOT / "sim/costs")}
        for collective, missing in self.wanted(costs, machine):
            words = ["--csv", "--costs", costs, "--nodes", nodes, "--pes", pes, "--larger", larger, "--rounds", 2]
            words += ["--collective", collective, "--bytes", ",".join(map(str, missing))]
            run = subprocess.run([self.sim, *map(str, words)], env=environment, capture_output=True, text=True)
            if run.returncode != 0:
                sys.exit(f"{' '.join(map(str, words))}: {run.stderr}")
            for row in csv.DictReader(run.stdout.splitlines()):
                self.keep((costs, collective, int(row["bytes"]), *machine), float(row["us"]))

    def keep(self, point, us):
        self.us[point] = us
        if self.kept_in:
            with self.kept_in.open("a") as file:
                csv.writer(file).writerow([*point, us])

    def neighbours(self, nodes, pes):
        """What is compared with `nodes` of `pes` PEs: a node more, a PE more, a PE more on each node."""
        yield nodes + 1, pes, 0
        yield nodes, pes, 1
        yield nodes, pes + 1, 0

    def machines(self):
        for nodes in self.options.nodes:
            for pes in self.options.pes:
                if nodes * pes <= self.options.most_pes:
                    yield nodes, pes, 0
                    yield from self.neighbours(nodes, pes)

    def run(self):
        work = [(costs, machine) for costs in self.options.costs for machine in dict.fromkeys(self.machines())]
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            list(pool.map(lambda pair: self.measure(*pair), work))
        return self

    def steps(self):
        for costs, collective, size, nodes, pes, larger in self.us:
            point = costs, collective, size, nodes, pes, larger
            here = costs, collective, size
            yield point, (costs, collective, 2 * size, nodes, pes, larger), TWICE_THE_BYTES
            if larger == 0 and nodes > 1:  # the second node brings the network
                yield point, (*here, nodes + 1, pes, 0), ONE_MORE
                yield point, (*here, nodes, pes, 1), ONE_MORE

    def cliffs(self):
        for less, more, most in self.steps():
            if less not in self.us or more not in self.us:
                continue
            before, after = self.us[less], self.us[more]
            if after > most * max(before, LITTLE_US):
                yield after / max(before, LITTLE_US), less, more, before, after


def words_of(point):
    _, collective, size, nodes, pes, larger = point
    places = f"{pes}" if larger == 0 else f"{pes} PEs, {larger} of them {pes + 1}"
    return f"{collective} {size} B {nodes} x {places}"


def read_options():
    numbers = lambda text: [int(number) for number in text.split(",")]  # noqa: E731
    names = lambda text: text.split(",")  # noqa: E731
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--sim", default=str(ROOT / "build/bin/atrium-sim"))
    parser.add_argument("--costs", type=names, default=["tcp", "ndr"])
    parser.add_argument("--collectives", type=names, default=COLLECTIVES)
    parser.add_argument("--nodes", type=numbers, default=NODES)
    parser.add_argument("--pes", type=numbers, default=[1, 2, 3, 4, 8, 16, 64], help="of a node")
    parser.add_argument("--bytes", type=numbers, default=list(sizes(8, 64 * KIB)))
    parser.add_argument("--most-pes", type=int, default=2100, help="of a job")
    parser.add_argument("--memory", type=int, default=200, help="MiB, of the arrays of all PEs")
    parser.add_argument("--keep", type=Path, metavar="CSV")
    parser.add_argument("--against", metavar="SIM")
    return parser.parse_args()


def print_changes(us, other_us):
    both = [(us[point] / other_us[point], point) for point in us if point in other_us]
    slower, faster = [row for row in both if row[0] > A_TENTH], [row for row in both if row[0] < 1 / A_TENTH]
    for times, point in sorted(slower + faster, reverse=True):
        print(f"{times:5.2f} {point[0]:9} {words_of(point)}: {other_us[point]:g} -> {us[point]:g} us")
    print(f"{len(both)} points, {len(slower)} slower, {len(faster)} faster")


def print_cliffs(search):
    found = sorted(set(search.cliffs()), reverse=True)
    for times, less, more, before, after in found:
        print(f"{times:5.1f} {less[0]:9} {words_of(less)} -> {words_of(more)}: {before:g} -> {after:g} us")
    print(f"{len(search.us)} points, {len(found)} cliffs")


def main():
    options = read_options()
    search = Search(options, options.sim, options.keep).run()
    if options.against:
        print_changes(search.us, Search(options, options.against).run().us)
    else:
        print_cliffs(search)


if __name__ == "__main__":
    main()
