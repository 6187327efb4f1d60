#!/usr/bin/env python3
"""What `oshrun --check=races` costs: bench/race_costs.c with and without -fatrium-race, gcc and clang, as a table.

SPDX-License-Identifier: BSD-3-Clause

  bench/race_costs.py [--bin build/bin] [--repeats 3] [--program 'PLAIN CHECKED [ARGUMENT...]' --pes 4]

CPU time, which a busy machine changes less than time; all variants in turns, the best of the repeats. --program adds a
program of the user's, compiled by himself in both ways: the CPU seconds of all its PEs.
"""
import argparse
import os
import resource
import shlex
import subprocess
import tempfile

here = os.path.dirname(os.path.abspath(__file__))


def compile_variants(binaries, folder, compilers):
    """{(compiler, checked): program}"""
    programs = {}
    for compiler in compilers:
        for checked in (False, True):
            program = programs[compiler, checked] = os.path.join(folder, f"{compiler}-{checked}".replace(" ", ""))
            command, *options = compiler.split()
            flags = options + ["-g", "-fatrium-race"] if checked else []
            subprocess.run([binaries + "/oshcc", "-O2", *flags, "-o", program, here + "/race_costs.c"],
                           check=True, env={**os.environ, "OSHCC_CC": command})
    return programs


def rows_of(binaries, program, checked):
    """{row: nanoseconds}"""
    check = ["--check=races"] if checked else []
    done = subprocess.run([binaries + "/oshrun", "-q", "-n", "2", *check, program], check=True, capture_output=True, text=True)
    return {name: float(ns) for name, ns in (line.split("\t") for line in done.stdout.splitlines())}


def cpu_seconds(command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def print_rows(best, compilers):
    print("| |" + "".join(f" {c} | checked | × |" for c in compilers) + "\n| --- |" + " --- | --- | --- |" * len(compilers))
    for row in next(iter(best.values())):
        cells = ""
        for compiler in compilers:
            plain, checked = best[compiler, False][row], best[compiler, True][row]
            cells += f" {plain:.3g} ns | {checked:.3g} | {checked / plain:.1f} |"
        print(f"| {row} |{cells}")


def measure_program(binaries, asked):
    plain, checked, *arguments = shlex.split(asked.program)
    start = [binaries + "/oshrun", "-q", "-n", str(asked.pes)]
    variants = [[*start, plain, *arguments], [*start, "--check=races", checked, *arguments]]
    seconds = [min(times) for times in zip(*([cpu_seconds(v) for v in variants] for _ in range(asked.repeats)))]
    print(f"{asked.program}, {asked.pes} PEs: {seconds[0]:.2f} s of CPU, checked {seconds[1]:.2f} s, {seconds[1] / seconds[0]:.1f} ×")


def main():
    options = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    options.add_argument("--bin", default=os.path.dirname(here) + "/build/bin", help="the folder of oshcc and oshrun")
    options.add_argument("--compilers", default="gcc,clang,clang -flto", help="with options of the checked program")
    options.add_argument("--repeats", type=int, default=3)
    options.add_argument("--program", help="two programs and their arguments: not checked, checked")
    options.add_argument("--pes", type=int, default=4, help="of --program")
    asked = options.parse_args()
    if asked.program:
        return measure_program(asked.bin, asked)
    compilers = asked.compilers.split(",")
    best = {}
    with tempfile.TemporaryDirectory() as folder:
        programs = compile_variants(asked.bin, folder, compilers)
        for _ in range(asked.repeats):
            for variant, program in programs.items():
                found = rows_of(asked.bin, program, variant[1])
                best[variant] = {row: min(ns, best.get(variant, found)[row]) for row, ns in found.items()}
    print_rows(best, compilers)


main()
