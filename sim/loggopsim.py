#!/usr/bin/env python3
"""The simulator beside LogGOPSim: the same messages, sent and received in the same order, replayed by another implementation of LogGP.

    sim/loggopsim.py --loggopsim FOLDER [--nodes 2,4,8,16,64] [--bytes 8]

FOLDER has the programs LogGOPSim and txt2bin (github.com/spcl/LogGOPSim). One PE a node; within a node nothing costs anything, since
LogGP knows nothing of it. A card has no gap, which LogGOPSim charges the sender alone and ./atrium sim both sides.
"""

# SPDX-License-Identifier: BSD-3-Clause
import argparse
import csv
import re
import subprocess
import sys
import tempfile
from pathlib import Path

COSTS = {"o": 2500, "L": 1000, "g": 0, "G": 0.14, "wake": 0, "block": 0, "copy": 0, "combine": 0, "tcp": 1}  # ns
ROUNDS = 20
PER_NS = 1000  # LogGOPSim takes whole numbers


def run(*command):
    return subprocess.run([str(word) for word in command], check=True, capture_output=True, text=True).stdout


def simulate(sim, collective, nodes, size, scratch):
    """The schedule's file, and how many microseconds all of it took."""
    costs, schedule = scratch / "loggp.cost", scratch / "schedule.goal"
    costs.write_text("".join(f"{name} = {value}\n" for name, value in COSTS.items()))
    run(sim, "--nodes", nodes, "--pes", 1, "--collective", collective, "--bytes", size, "--rounds", ROUNDS,
        "--costs", costs, "--schedule", schedule)
    return schedule, float(re.search(r"// took ([0-9.e+]+) us", schedule.read_text())[1])


def replay(folder, schedule, scratch):
    binary = scratch / "schedule.bin"
    run(folder / "txt2bin", "-i", schedule, "-o", binary)
    costs = [word for name in "LogG" for word in (f"-{name}", round(COSTS[name] * PER_NS))]
    output = run(folder / "LogGOPSim", "-f", binary, "-b", "-S", 10**9, *costs)
    return int(re.search(r"Maximum finishing time at host \d+: (\d+)", output)[1]) / PER_NS / 1000


def main():
    numbers = lambda text: [int(number) for number in text.split(",")]  # noqa: E731
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--loggopsim", type=Path, required=True)
    parser.add_argument("--build", type=Path, default=Path(__file__).parents[1] / "build")
    parser.add_argument("--nodes", type=numbers, default=[2, 4, 8, 16, 64])
    parser.add_argument("--bytes", type=numbers, default=[8])
    options = parser.parse_args()
    out = csv.writer(sys.stdout)
    out.writerow(["collective", "bytes", "nodes", "loggopsim_us", "sim_us", "apart_percent"])
    for collective in "barrier", "sum", "fcollect", "collect", "alltoall":
        for size in options.bytes:
            for nodes in options.nodes:
                with tempfile.TemporaryDirectory() as folder:
                    schedule, ours = simulate(options.build / "bin/atrium-sim", collective, nodes, size, Path(folder))
                    theirs = replay(options.loggopsim, schedule, Path(folder))
                apart = f"{100 * (ours / theirs - 1):.1f}"
                out.writerow([collective, size, nodes, f"{theirs:.2f}", f"{ours:.2f}", apart])


if __name__ == "__main__":
    main()
