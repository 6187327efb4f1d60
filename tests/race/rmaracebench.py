#!/usr/bin/env python3
# Runs the OpenSHMEM programs of RMARaceBench under the check and counts which races are told with both of their lines.
# SPDX-License-Identifier: BSD-3-Clause
#
#   rmaracebench.py BUILD FOLDER [--variants "gcc -O0,gcc -O2,clang -O0,clang -O2"] [--repeats 10] [--timeout 60]
#                   [--other "OSHCC -fatrium-race's flags" --launcher "OSHRUN with the check's variables"]
#
# FOLDER is a release of RWTH-HPC/RMARaceBench; its programs say in labels how many PEs they need and which two places
# race. Prints a line for each variant, and what was missed, told without a race, or not finished within the time.
# With --other on another OpenSHMEM (race/README.md); programs that do not compile there are left out.
import argparse
import json
import os
import re
import signal
import subprocess
import tempfile
from collections import Counter
from pathlib import Path

LABELS = re.compile(r"RACE LABELS BEGIN\s*/\*(.*?)\*/", re.S)


def labels_of(source):
    return json.loads(LABELS.search(source.read_text())[1])


def compiled(options, source, variant, folder):
    command, *flags = variant.split()
    program = Path(folder) / f"{source.stem} {variant}".replace(" ", "_")
    wrapper = (options.other or f"{options.build}/bin/oshcc -fatrium-race").split()
    made = subprocess.run([*wrapper, "-g", "-w", *flags, "-fopenmp", "-Werror=implicit-function-declaration", str(source), "-o", str(program)],
                          env={**os.environ, "OSHCC_CC": command, "OSHMEM_CC": command}, capture_output=True, text=True)
    assert made.returncode == 0 or options.other, f"{source} with {variant}: {made.stderr}"
    return program if made.returncode == 0 else None


def output_of(launcher, program, pes, timeout):
    """What the run said, and whether it ended by itself. What runs too long is asked to end, so that it tells what it saw."""
    run = subprocess.Popen([*launcher, "-n", str(pes), str(program)], stdin=subprocess.DEVNULL,
                           stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, env={**os.environ, "ATRIUM_QUIET": "1"})
    try:
        return run.communicate(timeout=timeout)[1], True
    except subprocess.TimeoutExpired:
        run.send_signal(signal.SIGTERM)
        return run.communicate()[1], False


def verdict(labels, source, said):
    """found, missed, alarm or silent: a race counts only when both of its lines are told by one report."""
    name = re.escape(source.name)
    told = [sorted(map(int, pair)) for pair in re.findall(rf"^atrium: race: .*: {name}:(\d+) and {name}:(\d+)$", said, re.M)]
    if labels["RACE_KIND"] == "none":
        return "alarm" if told or "atrium: race: " in said else "silent"
    wanted = sorted(int(place.rsplit("@", 1)[1]) for place in labels["RACE_PAIR"])
    return "found" if wanted in told else "missed"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--variants", default="gcc -O0,gcc -O2,clang -O0,clang -O2")
    parser.add_argument("--repeats", type=int, default=10)
    parser.add_argument("--timeout", type=float, default=60)
    parser.add_argument("--other")
    parser.add_argument("--launcher")
    options = parser.parse_args()
    launcher = (options.launcher or f"{options.build}/bin/oshrun --check=races").split()
    sources = sorted((options.folder / "SHMEM").glob("*/*.c"))
    for variant in options.variants.split(","):
        verdicts, notable = Counter(), Counter()
        with tempfile.TemporaryDirectory() as folder:
            programs = [(source, labels_of(source), compiled(options, source, variant, folder)) for source in sources]
            programs = [program for program in programs if program[2]]
            for source, labels, program in programs * options.repeats:
                said, ended = output_of(launcher, program, labels["NPROCS"], options.timeout)
                found = verdict(labels, source, said)
                verdicts[found] += 1
                if found in ("missed", "alarm") or not ended:
                    notable[f"{source.parent.name}/{source.name[:3]} {found}{'' if ended else ', not ended'}"] += 1
        print(f"{variant}: {len(programs)} programs, {options.repeats} times: {verdicts['found']} races found, "
              f"{verdicts['missed']} missed, {verdicts['silent']} race-free silent, {verdicts['alarm']} alarms", flush=True)
        for what, times in sorted(notable.items()):
            print(f"  {what}: {times} times", flush=True)


main()
