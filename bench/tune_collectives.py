#!/usr/bin/env python3
"""Measures every algorithm of every family of collectives and prints which wins from which size on.

SPDX-License-Identifier: BSD-3-Clause

  bench/tune_collectives.py [--pes 2,4,8] [--nodes 2] [--families reduce,scan] [--csv FILE] [--peer 'openmpi=CC:RUN -n {n}']

The rules in src/coll/select/rules.cpp are made from its table. The algorithms' names come from
src/core/settings.table. Runs alternate (all algorithms once, then all again, ...), the median counts.
"""
import argparse, csv, os, re, shlex, statistics, subprocess, sys, tempfile

here = os.path.dirname(os.path.abspath(__file__))
root = os.path.dirname(here)
variables = {"barrier": "BARRIER", "broadcast": "BCAST", "reduce": "REDUCE", "fcollect": "FCOLLECT",
             "collect": "COLLECT", "alltoall": "ALLTOALL", "scan": "SCAN"}
far_ns = 100  # two PEs that share a cache exchange flags in 30 to 60 ns, others in 150 to 300
raw = {"barrier": ["raw_flags"], "reduce": ["raw_8", "raw_pull"]}


def algorithms(family, nodes):
    """The words of the family's variable, `auto` first; between nodes those made of leaders, the only ones that are good there."""
    table = open(os.path.join(root, "src/core/settings.table")).read()
    words = re.search(r'"SHMEM_%s_ALGORITHM", "([^"]*)"' % variables[family], table).group(1).split("|")
    return [word for word in words if not nodes or word.startswith(("auto", "leaders", "bruck"))]


def compile_with(compiler, folder, name):
    program = os.path.join(folder, name)
    source = os.path.join(here, "tune_collectives.c")
    subprocess.run(shlex.split(compiler) + ["-O3", "-o", program, source], check=True)
    return program


def run(launcher, program, family, pes, sizes, environment):
    """({bytes: nanoseconds}, distance): the distance is the raw flags' time, None where it changed on the way."""
    command = shlex.split(launcher.replace("{n}", str(pes))) + [program, family] + [str(s) for s in sizes]
    try:
        done = subprocess.run(command, env={**os.environ, **environment}, capture_output=True, text=True, timeout=100)
    except subprocess.TimeoutExpired:
        return {}, None
    if done.returncode:
        sys.stderr.write(f"{' '.join(command)}: status {done.returncode}\n{done.stderr[:200]}\n")
        return {}, None
    lines = [line.split("\t") for line in done.stdout.splitlines()]
    distances = [float(line[2]) for line in lines if line[0] == "distance"] or [0, 0]
    settled = max(distances) <= 2 * min(distances)
    return {int(line[1]): float(line[2]) for line in lines if line[0] != "distance"}, max(distances) if settled else None


def measure_family(family, pes, nodes, sizes, repeats, ours, peers):
    """[(place, who, algorithm, bytes, ns)]: medians over the repeats; place: near or far, by the raw flags' time."""
    contestants = [("atrium", a, ours, {f"SHMEM_{variables[family]}_ALGORITHM": a}, family) for a in algorithms(family, nodes)]
    contestants += [(name, "", peer, {}, family) for name, peer in peers.items()]
    contestants += [("raw", r, ours, {}, r) for r in raw.get(family, []) if pes == 2 and not nodes]
    found = {}
    for _ in range(repeats):
        for who, algorithm, (launcher, program), environment, what in contestants:
            times, distance = run(launcher, program, what, pes, sizes, environment)
            if distance is None:
                continue
            for size, ns in times.items():
                found.setdefault(("far" if distance > far_ns else "near", who, algorithm, size), []).append(ns)
    order = [(who, algorithm) for who, algorithm, *_ in contestants]
    rows = [(*key, statistics.median(values)) for key, values in found.items()]
    return sorted(rows, key=lambda row: (row[0], order.index(row[1:3]), row[3]))


def print_table(family, pes, nodes, place, rows):
    columns = list(dict.fromkeys((who, algorithm) for _, who, algorithm, _, _ in rows))
    times = {(who, algorithm, size): ns for _, who, algorithm, size, ns in rows}
    print(f"\n{family}, {pes} PEs{f' on nodes: {nodes}' if nodes else ' ' + place if pes == 2 else ''} [us]; * the fastest of ours")
    print("   bytes" + "".join(f"{algorithm or who:>15}" for who, algorithm in columns))
    for size in sorted({row[3] for row in rows}):
        mine = [times[c + (size,)] for c in columns if c[0] == "atrium" and c[1] != "auto" and c + (size,) in times]
        cells = []
        for column in columns:
            ns = times.get(column + (size,))
            star = "*" if ns is not None and column[0] == "atrium" and column[1] != "auto" and ns == min(mine) else " "
            cells.append(f"{ns / 1e3:14.3f}{star}" if ns is not None else f"{'-':>14} ")
        print(f"{size:8}" + "".join(cells))


def main():
    options = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    options.add_argument("--pes", default="2,4,8")
    options.add_argument("--nodes", help="as many nodes for oshrun to pretend, or PEs of each (1+2+3)")
    options.add_argument("--families", default=",".join(variables))
    options.add_argument("--sizes", default="8,4194304", help="from,to in bytes")
    options.add_argument("--repeats", type=int, default=3)
    options.add_argument("--csv", help="append the medians to this file")
    options.add_argument("--bin", default=os.path.join(root, "build/bin"), help="the folder of oshcc and oshrun")
    options.add_argument("--peer", action="append", default=[], help="name=compiler:launcher, {n} for the PEs")
    asked = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        launcher = asked.bin + "/oshrun -q -n {n}" + (f" --nodes {asked.nodes}" if asked.nodes else "")
        ours = (launcher, compile_with(asked.bin + "/oshcc", folder, "atrium"))
        peers = {}
        for peer in asked.peer:
            name, rest = peer.split("=", 1)
            compiler, launcher = rest.split(":", 1)
            peers[name] = (launcher, compile_with(compiler, folder, name))
        for family in asked.families.split(","):
            for pes in map(int, asked.pes.split(",")):
                rows = measure_family(family, pes, asked.nodes, asked.sizes.split(","), asked.repeats, ours, peers)
                for place in sorted({row[0] for row in rows}, reverse=True):
                    print_table(family, pes, asked.nodes, place, [row for row in rows if row[0] == place])
                sys.stdout.flush()
                if asked.csv:
                    with open(asked.csv, "a", newline="") as file:
                        csv.writer(file).writerows([family, pes, *row[:4], f"{row[4]:.1f}"] for row in rows)


main()
