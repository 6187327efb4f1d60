#!/usr/bin/env python3
"""How long collectives take on hosts with CPUs of their own, beside the simulator with the o, L and G that come nearest.

    sim/beside_hosts.py --measure FILE [--hosts 2,3,4,8] [--repeats 3]     runs jobs on hosts of namespaces, one PE on each
    sim/beside_hosts.py FILE                                               fits o, L and G to its times, and prints both
    sim/beside_hosts.py bench/results/MACHINE/fabric.csv                   the same for a run of ./atrium bench fabric, two hosts of one PE
    sim/beside_hosts.py FILE --costs tcp                                   with sim/costs/tcp.cost instead

Exit status 1: some time is more than 25 % off. A host needs a CPU for its PE and some of another for its share of the network: measure
with twice as many CPUs as hosts. Needs `./atrium sim` and oshcc in the build folder. A line of FILE: hosts, repeat, family, bytes,
nanoseconds (median), separated by tabs.
Two hosts show 2 o + L, and hardly how much of it is L: what comes nearest is one of several.
"""

# SPDX-License-Identifier: BSD-3-Clause
import argparse
import collections
import csv
import itertools
import math
import os
import statistics
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BIN = ROOT / "build/bin"
WITHIN = 1.25  # times
FAMILIES = {"barrier": "barrier", "reduce": "sum", "fcollect": "fcollect", "alltoall": "alltoall"}  # bench's word, and the simulator's
SIZES = 8, 1024, 4096, 16384
FROM, TO = "8", "16384"
MACHINES = tuple(itertools.product(range(2700, 8501, 400), (0, 500, 1000, 2000, 4000), (0.2, 0.3, 0.4, 0.5, 0.7, 1, 1.5, 2)))  # o and L in ns, G in ns per byte


def output_of(*command):
    return subprocess.run([str(word) for word in command], check=True, capture_output=True, text=True).stdout


def measure(file, hosts, repeats):
    with tempfile.TemporaryDirectory() as folder, open(file, "w") as times:
        program = Path(folder) / "collectives"
        output_of(BIN / "oshcc", "-O2", "-o", program, ROOT / "bench/tune_collectives.c")
        for repeat, count, family in itertools.product(range(repeats), hosts, FAMILIES):
            job = f'{BIN}/oshrun -q -n {count} --hosts "$HOST_LIST" --agent "$HOST_AGENT %h" {program} {family} {FROM} {TO}'
            for line in output_of(ROOT / "tests/mpi/hosts/with_hosts.sh", count, "bash", "-c", job).splitlines():
                name, size, median, *_ = line.split("\t")
                if name in FAMILIES:
                    times.write(f"{count}\t{repeat}\t{name}\t{size}\t{median}\n")


def read(file):
    """(collective, bytes, hosts) -> µs."""
    return read_fabric(file) if file.endswith(".csv") else read_times(file)


def read_times(file):
    """The medians of the repeats."""
    found = collections.defaultdict(list)
    for count, _, family, size, ns, *_ in (line.split("\t") for line in open(file)):
        if family in FAMILIES and (family == "barrier" or int(size) in SIZES):
            found[FAMILIES[family], int(size), int(count)].append(float(ns) / 1e3)
    return {point: statistics.median(values) for point, values in found.items()}


def read_fabric(file):
    """Behind each collective there is a barrier, whose time is taken off. But a broadcast waits for nobody, so it stands with its own."""
    rows = [row for row in csv.DictReader(open(file)) if (row["library"], row["pes"]) == ("atrium", "2")]
    us = {(row["measure"], int(row["bytes"])): float(row["median"]) / 1e3 for row in rows}
    barrier = us["barrier", 0]
    found = {("barrier", 8, 2): barrier}
    for (name, size), both in us.items():
        if name in FAMILIES.values() and size:
            found[name, size, 2] = both - barrier
        elif name == "broadcast":
            found["broadcast_apart", size, 2] = both
    return found


def simulate(sim, costs, points):
    """µs of each."""
    us = {}
    for hosts in {point[2] for point in points}:
        collectives, sizes = (",".join(map(str, dict.fromkeys(words))) for words in zip(*(point[:2] for point in points)))
        said = output_of(sim, "--csv", "--costs", costs, "--nodes", hosts, "--pes", 1, "--rounds", 20, "--collective", collectives, "--bytes", sizes)
        for row in csv.DictReader(said.splitlines()):
            us[row["collective"], int(row["bytes"]), hosts] = float(row["us"])
    return {point: us[point] for point in points}


def simulate_machine(sim, machine, points):
    o, wire, each_byte = machine
    with tempfile.NamedTemporaryFile("w", suffix=".cost") as costs:
        costs.write(f"o = {o}\nL = {wire}\ng = 0\nG = {each_byte}\nwake = 200\nblock = 5\ncopy = 0.1\ncombine = 0.15\ntcp = 1\n")
        costs.flush()
        return simulate(sim, costs.name, points)


def error(real, simulated):
    return math.sqrt(statistics.mean(math.log(simulated[point] / us) ** 2 for point, us in real.items()))


def fit(sim, real):
    """What comes nearest."""
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        tried = zip(MACHINES, pool.map(lambda machine: simulate_machine(sim, machine, list(real)), MACHINES))
    machine, simulated = min(tried, key=lambda pair: error(real, pair[1]))
    print("o = {} ns, L = {} ns, G = {} ns per byte".format(*machine), f"({100 * error(real, simulated):.0f} % apart)")
    return simulated


def compare(real, simulated):
    """Whether all are near."""
    hosts = sorted({point[2] for point in real})
    print("| | bytes |" + "".join(f" {count} hosts | simulated | |" for count in hosts))
    print("| --- | --- |" + " --- |" * 3 * len(hosts))
    near = 0
    for name, size in dict.fromkeys(point[:2] for point in real):
        cells = ""
        for count in hosts:
            us, said = real[name, size, count], simulated[name, size, count]
            near += abs(math.log(said / us)) <= math.log(WITHIN)
            cells += f" {us:.0f} | {said:.0f} | {said / us:.2f} |"
        print(f"| {name.replace('_', ' ')} | {'' if name == 'barrier' else size} |{cells}")
    print(f"{near} of {len(real)} are within 25 %")
    return near == len(real)


def main():
    options = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    options.add_argument("file")
    options.add_argument("--measure", action="store_true")
    options.add_argument("--hosts", help="how many; without it, those that FILE has, and to measure 2,3,4,8")
    options.add_argument("--repeats", type=int, default=3)
    options.add_argument("--but", default="", help="collective:bytes, a point at which the library of FILE had another algorithm")
    options.add_argument("--costs", help="of sim/costs, instead of those that come nearest")
    options.add_argument("--sim", default=BIN / "atrium-sim")
    asked = options.parse_args()
    hosts = [int(count) for count in asked.hosts.split(",")] if asked.hosts else []
    if asked.measure:
        measure(asked.file, hosts or [2, 3, 4, 8], asked.repeats)
    real = {point: us for point, us in read(asked.file).items()
            if (not hosts or point[2] in hosts) and "{}:{}".format(*point) != asked.but}
    costs = ROOT / f"sim/costs/{asked.costs}.cost"
    if not compare(real, simulate(asked.sim, costs, list(real)) if asked.costs else fit(asked.sim, real)):
        sys.exit(f"not as {costs.relative_to(ROOT)} has it" if asked.costs else "no o, L and G comes near to all of them")


main()
