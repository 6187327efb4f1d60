#!/usr/bin/env python3
"""What each test of a suite costs: CPU seconds (user and system, of all processes that were waited for) and seconds.

usage: tests/cost.py BUILD SUITE [REGEX]     REGEX: of names

One after the other, the dearest first in what is printed; the sum is last. CPU seconds hardly depend on what else runs,
but for programs that spin while they wait. Status 1 if a test failed."""
# SPDX-License-Identifier: BSD-3-Clause
import json
import pathlib
import re
import resource
import subprocess
import sys
import time


def tests_of(folder):
    said = subprocess.run(["ctest", "--test-dir", folder, "--show-only=json-v1"], stdout=subprocess.PIPE, text=True, check=True)
    return [test for test in json.loads(said.stdout)["tests"] if "command" in test]


def cpu_seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def cost(folder, name):
    """(CPU seconds, seconds, whether it passed), by ctest, which knows the test's surroundings and its patience."""
    cpu, began = cpu_seconds(), time.monotonic()
    done = subprocess.run(["ctest", "--test-dir", folder, "-R", f"^{re.escape(name)}$"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return cpu_seconds() - cpu, time.monotonic() - began, done.returncode == 0


def main():
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    folder = pathlib.Path(sys.argv[1], "tests", sys.argv[2])
    names = [test["name"] for test in tests_of(folder) if re.search(sys.argv[3] if len(sys.argv) == 4 else "", test["name"])]
    costs = [(*cost(folder, name), name) for name in names]
    for cpu, seconds, passed, name in sorted(costs, reverse=True):
        print(f"{cpu:8.2f} CPU s {seconds:8.2f} s  {name}{'' if passed else ' FAILED'}")
    print(f"{sum(c[0] for c in costs):8.2f} CPU s {sum(c[1] for c in costs):8.2f} s  all {len(costs)}")
    sys.exit(not all(c[2] for c in costs))


if __name__ == "__main__":
    main()
