#!/usr/bin/env python3
"""Runs soak jobs, one after the other, each with a seed and settings of its own, until the time is up or one fails.

A job that fails, or hangs, is told with the command that repeats it. Options may also come from the variable SOAK."""
# SPDX-License-Identifier: BSD-3-Clause
import argparse
import os
import random
import shlex
import subprocess
import sys
import time

# None leaves a setting to Atrium: the default must be met most.
SETTINGS = {
    "ATRIUM_WAIT": [None] * 4 + ["yield", "block"],
    "ATRIUM_COPY": [None] * 5 + ["libc", "sse2", "avx2", "rep_movsb"],
    "ATRIUM_SEGMENT": [None] * 4 + ["posix", "sysv"],
    "ATRIUM_HUGE_PAGES": [None] * 4 + ["on", "off"],
    "ATRIUM_INLINE": [None] * 4 + ["off"],
    "ATRIUM_CHECK": [None] * 4 + ["1"],
    "ATRIUM_DOMAINS": [None] * 3 + ["2"],
    "SHMEM_BARRIER_ALGORITHM": [None] * 4 + ["dissemination", "central", "tree", "two_level"],
    "SHMEM_BCAST_ALGORITHM": [None] * 4 + ["eager", "tree", "put", "pull", "two_level"],
    "SHMEM_REDUCE_ALGORITHM": [None] * 4 + ["eager_exchange", "share", "push", "pull", "two_level"],
    "SHMEM_COLLECT_ALGORITHM": [None] * 3 + ["eager_exchange", "share", "put", "pull"],
    "SHMEM_FCOLLECT_ALGORITHM": [None] * 4 + ["eager_exchange", "share", "put", "pull"],
    "SHMEM_ALLTOALL_ALGORITHM": [None] * 3 + ["eager_exchange", "put", "pull"],
    "SHMEM_SCAN_ALGORITHM": [None] * 4 + ["eager_exchange", "share", "push", "pull"],
}


def numbers(text):
    return [int(part) for part in text.split(",")]


def options():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--oshrun", required=True)
    parser.add_argument("--program", required=True)
    parser.add_argument("--minutes", type=float, default=0.1)
    parser.add_argument("--pes", type=numbers, default=[2, 4, 8], help="of each job one of these (2,4,8)")
    parser.add_argument("--nodes", type=numbers, default=[1], help="pretended; of each job one of these (1)")
    parser.add_argument("--rounds", type=int, default=3000, help="of each job on one node; on several a tenth (3000)")
    parser.add_argument("--seed", type=int, default=None, help="of the whole run")
    parser.add_argument("--patience", type=int, default=600, help="seconds for a job")
    return parser.parse_args(sys.argv[1:] + shlex.split(os.environ.get("SOAK", "")))


class Job:
    def __init__(self, draw, chosen):
        self.nodes = draw.choice(chosen.nodes)
        self.pes = max(draw.choice(chosen.pes), self.nodes)
        self.rounds = chosen.rounds if self.nodes == 1 else max(1, chosen.rounds // 10)  # a network takes its time
        self.environment = {name: value for name, values in SETTINGS.items() if (value := draw.choice(values))}
        if self.nodes > 1:
            self.environment.pop("ATRIUM_SEGMENT", None)  # nodes are pretended with memfd
        spread = ["--nodes", f"{self.nodes}{draw.choice(['', ':cyclic'])}"] if self.nodes > 1 else []
        threads = draw.choice([0, 0, 2, 3])
        self.command = [chosen.oshrun, "-q", "-n", str(self.pes), *spread, "--timeout", str(chosen.patience),
                        chosen.program, str(draw.randrange(1, 1 << 40)), str(self.rounds), str(threads)]

    def __str__(self):
        return shlex.join(["env", *(f"{name}={value}" for name, value in self.environment.items()), *self.command])

    def run(self):
        """What was said, and whether all went well."""
        result = subprocess.run(self.command, env={**os.environ, **self.environment}, stdin=subprocess.DEVNULL,
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", check=False)
        return result.stdout, result.returncode == 0


def main():
    chosen = options()
    seed = chosen.seed if chosen.seed is not None else random.randrange(1 << 30)
    draw, end, jobs = random.Random(seed), time.monotonic() + 60 * chosen.minutes, {}
    while not jobs or time.monotonic() < end:
        job = Job(draw, chosen)
        said, good = job.run()
        if not good:
            print(f"{said}\na job of the soak with seed {seed} failed; to repeat it:\n{job}")
            return 1
        kind = (job.pes, job.nodes)
        count, rounds = jobs.get(kind, (0, 0))
        jobs[kind] = (count + 1, rounds + job.rounds)
    for (pes, nodes), (count, rounds) in sorted(jobs.items()):
        print(f"{pes} PEs on {nodes} node{'s' * (nodes > 1)}: {count} jobs with {rounds} rounds, none failed")
    print(f"seed {seed}")
    return 0


sys.exit(main())
