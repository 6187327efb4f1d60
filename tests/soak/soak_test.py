#!/usr/bin/env python3
"""Does the driver of the soak notice a job that fails, and say how it is repeated? soak_test.py SOAK.PY"""
# SPDX-License-Identifier: BSD-3-Clause
import subprocess
import sys


def run(program, *more):
    """With a command in the place of oshrun, which is given oshrun's flags."""
    return subprocess.run([sys.executable, sys.argv[1], "--oshrun", program, "--program", "the_program", "--minutes", "0",
                           "--seed", "1", *more], stdout=subprocess.PIPE, text=True, check=False)


failed, again, good = run("/bin/false"), run("/bin/false"), run("/bin/true", "--nodes", "2", "--pes", "4")
assert failed.returncode == 1 and "to repeat it:\nenv " in failed.stdout and " the_program " in failed.stdout, failed
assert failed.stdout == again.stdout, "the same seed draws another job"
assert good.returncode == 0 and "4 PEs on 2 nodes: 1 jobs with 300 rounds, none failed" in good.stdout, good
