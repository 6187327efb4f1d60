#!/usr/bin/env python3
# Deletes each barrier, sync, quiet, fence, wait and lock of a program in turn and looks whether the check reports it.
# SPDX-License-Identifier: BSD-3-Clause
#
#   mutants.py BUILD [-n PES] [--flags "FLAGS"] [--args "ARGS"] SOURCE...
#
# A mutant counts as reported when a race, overrun or unwritten memory is told, when the program fails or answers wrongly,
# or when it hangs: what is left is printed, to be explained. Ends with status 1 below nine in ten.
import argparse
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

CALL = re.compile(r"^(\s*)(.*?)((?:shmem_(?:ctx_)?(?:barrier_all|sync_all|team_sync|barrier|sync|quiet|pe_quiet|fence|"
                  r"\w*wait_until\w*|signal_wait_until|set_lock|clear_lock))\s*\([^;{}]*\))\s*;")


def mutants(text):
    """(line number, call, text without it) for each call that is a statement."""
    lines = text.splitlines()
    for number, line in enumerate(lines):
        found = CALL.match(line)
        if not found or line.lstrip().startswith(("*", "//", "/*")) or re.search(r"[=(,]\s*$|return\s*$", found[2]):
            continue
        changed = lines.copy()
        changed[number] = line[:found.start(3)] + line[found.end(3):]
        yield number + 1, found[3], "\n".join(changed) + "\n"


def verdict(build, source, text, options):
    with tempfile.TemporaryDirectory() as folder:
        mutant, program = Path(folder) / source.name, Path(folder) / "mutant"
        mutant.write_text(text)
        compiler = "oshc++" if source.suffix == ".cpp" else "oshcc"
        made = subprocess.run([f"{build}/bin/{compiler}", "-g", "-O1", "-w", "-fatrium-race", f"-I{source.parent.resolve()}",
                               *options.flags.split(), str(mutant), "-o", str(program), "-lm", "-lpthread"], capture_output=True, text=True)
        if made.returncode != 0:
            return "does not compile"
        try:
            run = subprocess.run([f"{build}/bin/oshrun", "--check=races", "-n", str(options.n), str(program), *options.args.split()],
                                 capture_output=True, text=True, timeout=options.timeout, stdin=subprocess.DEVNULL,
                                 env={**os.environ, "ATRIUM_QUIET": "1"})
        except subprocess.TimeoutExpired:
            return "hangs"
        if re.search(r"^atrium: (race|overrun|use after free|unwritten memory): ", run.stderr, re.M):
            return "reported"
        return "silent" if run.returncode == 0 else f"status {run.returncode}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build")
    parser.add_argument("sources", nargs="+", type=Path)
    parser.add_argument("-n", type=int, default=4)
    parser.add_argument("--flags", default="")
    parser.add_argument("--args", default="")
    parser.add_argument("--timeout", type=float, default=30)
    options = parser.parse_args()
    count, seen = 0, 0
    for source in options.sources:
        text = source.read_text()
        if verdict(options.build, source, text, options) != "silent":
            print(f"{source.name}: not clean as it is; left out")
            continue
        for line, call, changed in mutants(text):
            said = verdict(options.build, source, changed, options)
            if said == "does not compile":
                continue
            count += 1
            seen += said != "silent"
            print(f"{source.name}:{line}: without {call}: {said}", flush=True)
    print(f"{seen} of {count} mutants were seen")
    return 0 if seen >= 0.9 * count else 1


if __name__ == "__main__":
    sys.exit(main())
