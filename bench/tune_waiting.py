#!/usr/bin/env python3
"""Measures the ways to wait side by side, with more and more PEs on this machine's CPUs.

SPDX-License-Identifier: BSD-3-Clause

  bench/tune_waiting.py [--pes 2,3,4,8,16,32,64] [--policies auto,yield,block] [--csv FILE]

The wait policy (src/wait/policy.cpp) is made from its table. Policies alternate, the best of the repeats counts:
what disturbs only adds.
"""
import argparse, csv, os, subprocess, tempfile

here = os.path.dirname(os.path.abspath(__file__))
root = os.path.dirname(here)


def run(launcher, program, pes, policy, milliseconds):
    """{what: microseconds}; empty when it took too long."""
    command = [launcher, "-n", str(pes), program, str(milliseconds)]
    environment = {**os.environ, "ATRIUM_WAIT": policy, "ATRIUM_QUIET": "1", "SHMEM_SYMMETRIC_SIZE": "4M"}
    try:
        done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=20)
    except subprocess.TimeoutExpired:
        return {}
    return {line.split("\t")[0]: float(line.split("\t")[1]) for line in done.stdout.splitlines()}


def main():
    options = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    options.add_argument("--pes", default="2,3,4,8,16,32,64")
    options.add_argument("--policies", default="auto,yield,block")
    options.add_argument("--repeats", type=int, default=3)
    options.add_argument("--milliseconds", type=float, default=60, help="per measurement")
    options.add_argument("--csv", help="write the figures to this file")
    options.add_argument("--bin", default=os.path.join(root, "build/bin"), help="the folder of oshcc and oshrun")
    asked = options.parse_args()
    policies = asked.policies.split(",")
    with tempfile.TemporaryDirectory() as folder:
        program = os.path.join(folder, "tune_waiting")
        subprocess.run([asked.bin + "/oshcc", "-O2", "-o", program, here + "/tune_waiting.c"], check=True)
        figures = [["what", "pes", "policy", "us"]]
        print(f"{'[us]':>14}" + "".join(f"{policy:>12}" for policy in policies))
        for pes in map(int, asked.pes.split(",")):
            best = {}
            for _ in range(asked.repeats):
                for policy in policies:
                    for what, us in run(asked.bin + "/oshrun", program, pes, policy, asked.milliseconds).items():
                        best[what, policy] = min(us, best.get((what, policy), us))
            for what in dict.fromkeys(what for what, _ in best):
                cells = [f"{best[what, p]:12.3f}" if (what, p) in best else f"{'-':>12}" for p in policies]
                print(f"{what:>8} {pes:>5}" + "".join(cells), flush=True)
                figures += [[what, pes, p, best[what, p]] for p in policies if (what, p) in best]
    if asked.csv:
        with open(asked.csv, "w", newline="") as file:
            csv.writer(file, lineterminator="\n").writerows(figures)


main()
