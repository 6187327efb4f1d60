#!/usr/bin/env python3
"""What each test of some suites costs: CPU seconds (user and system, of all processes that were waited for) and seconds.

usage: tests/cost.py [-j N] [--match REGEX] BUILD SUITE...     N: tests at a time; REGEX: of names

The dearest first in what is printed; the sum of a suite is last. CPU seconds hardly depend on what else runs, but for
programs that spin while they wait. Status 1 if a test failed."""
# SPDX-License-Identifier: BSD-3-Clause
import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor


def tests_of(folder):
    said = subprocess.run(["ctest", "--test-dir", folder, "--show-only=json-v1"], stdout=subprocess.PIPE, text=True, check=True)
    return [test["name"] for test in json.loads(said.stdout)["tests"] if "command" in test]


def cost(folder, name):
    """(CPU seconds, seconds, name, whether it passed), by ctest, which knows the test's surroundings and its patience."""
    began = time.monotonic()
    test = subprocess.Popen(["ctest", "--test-dir", folder, "-R", f"^{re.escape(name)}$"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, used = os.wait4(test.pid, 0)
    test.returncode = os.waitstatus_to_exitcode(status)
    return used.ru_utime + used.ru_stime, time.monotonic() - began, name, status == 0


def costs_of(folder, match, at_a_time):
    names = [name for name in tests_of(folder) if re.search(match, name)]
    with ThreadPoolExecutor(at_a_time) as pool:
        return sorted(pool.map(lambda name: cost(folder, name), names), reverse=True)


def main():
    usage = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    usage.add_argument("-j", dest="at_a_time", type=int, default=1, metavar="N")
    usage.add_argument("--match", default="", metavar="REGEX")
    usage.add_argument("build")
    usage.add_argument("suites", nargs="+", metavar="SUITE")
    wish = usage.parse_args()
    passed = True
    for suite in wish.suites:
        costs = costs_of(pathlib.Path(wish.build, "tests", suite), wish.match, wish.at_a_time)
        for cpu, seconds, name, right in costs:
            print(f"{cpu:8.2f} CPU s {seconds:8.2f} s  {name}{'' if right else ' FAILED'}")
        print(f"{sum(c[0] for c in costs):8.2f} CPU s {sum(c[1] for c in costs):8.2f} s  {suite}: all {len(costs)}", flush=True)
        passed = passed and all(c[3] for c in costs)
    sys.exit(not passed)


if __name__ == "__main__":
    main()
