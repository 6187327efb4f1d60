#!/usr/bin/env python3
"""How long collectives take on hosts with CPUs of their own, beside the simulator with the o, L and G that come nearest.

    sim/beside_hosts.py --measure FILE [--hosts 2,3,4,8] [--repeats 3]     runs jobs on hosts of namespaces, one PE on each
    sim/beside_hosts.py FILE                                               fits o, L and G to its times, and prints both

A host needs a CPU for its PE and some of another for its share of the network: measure with twice as many CPUs as hosts. Needs
`./atrium sim` and oshcc in the build folder. A line of FILE: hosts, repeat, family, bytes, nanoseconds (median), separated by tabs.
"""

# SPDX-License-Identifier: BSD-3-Clause
import argparse
import collections
import itertools
import math
import re
import statistics
import subprocess
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BIN = ROOT / "build/bin"
FAMILIES = {"barrier": "barrier", "reduce": "sum", "fcollect": "fcollect", "alltoall": "alltoall"}  # bench's word, and the simulator's
SIZES = 8, 1024, 4096, 16384
FROM, TO = "8", "16384"
MACHINES = itertools.product((4500, 5500, 6500, 7500, 8500, 10500), (0, 1000, 2000, 4000), (1, 1.5, 2, 3))  # o and L in ns, G in ns per byte


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
    """(family, bytes, hosts) -> µs, the median of the repeats."""
    found = collections.defaultdict(list)
    for count, _, family, size, ns, *_ in (line.split("\t") for line in open(file)):
        if family in FAMILIES and (family == "barrier" or int(size) in SIZES):
            found[family, int(size), int(count)].append(float(ns) / 1e3)
    return {point: statistics.median(values) for point, values in found.items()}


def simulate(machine, point):
    family, size, hosts = point
    with tempfile.NamedTemporaryFile("w", suffix=".cost") as costs:
        o, wire, each_byte = machine
        costs.write(f"o = {o}\nL = {wire}\ng = 0\nG = {each_byte}\nwake = 200\nblock = 5\ncopy = 0.1\ncombine = 0.15\ntcp = 1\n")
        costs.flush()
        said = output_of(BIN / "atrium-sim", "--costs", costs.name, "--nodes", hosts, "--pes", 1, "--collective", FAMILIES[family],
                         "--bytes", size, "--rounds", 20)
    return float(re.search(r"([\d.]+) us", said)[1])


def error(real, machine):
    return math.sqrt(statistics.mean(math.log(simulate(machine, point) / us) ** 2 for point, us in real.items()))


def compare(real):
    machine = min(MACHINES, key=lambda candidate: error(real, candidate))
    print("o = {} ns, L = {} ns, G = {} ns per byte".format(*machine))
    hosts = sorted({point[2] for point in real})
    print("| | bytes |" + "".join(f" {count} hosts | simulated | |" for count in hosts))
    print("| --- | --- |" + " --- |" * 3 * len(hosts))
    near = 0
    for family, size in dict.fromkeys(point[:2] for point in real):
        cells = ""
        for count in hosts:
            us, said = real[family, size, count], simulate(machine, (family, size, count))
            near += abs(math.log(said / us)) <= math.log(1.25)
            cells += f" {us:.0f} | {said:.0f} | {said / us:.2f} |"
        print(f"| {FAMILIES[family]} | {'' if family == 'barrier' else size} |{cells}")
    print(f"{near} of {len(real)} are within 25 %")


def main():
    options = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    options.add_argument("file")
    options.add_argument("--measure", action="store_true")
    options.add_argument("--hosts", default="2,3,4,8")
    options.add_argument("--repeats", type=int, default=3)
    asked = options.parse_args()
    hosts = [int(count) for count in asked.hosts.split(",")]
    if asked.measure:
        measure(asked.file, hosts, asked.repeats)
    compare({point: us for point, us in read(asked.file).items() if point[2] in hosts})


main()
