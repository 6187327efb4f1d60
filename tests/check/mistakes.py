"""Makes each typical mistake of mistakes.c in four settings, and compares what is said with the manual's table.

usage: mistakes.py OSHCC OSHRUN mistakes.c docs/mistakes.md [--write | --only NAME]
"""
# SPDX-License-Identifier: BSD-3-Clause
import ctypes.util
import os
import pathlib
import re
import subprocess
import sys
import tempfile

SETTINGS = (
    ("default", "-O2", []),
    ("`-O0`", "-O0", []),
    ("`--check`", "-O2", ["--check"]),
    ("`--nodes 2`", "-O2", ["--nodes", "2"]),
)
SILENT = "nothing"
HEAD = """# Typical mistakes, and what is said of them

`tests/check/mistakes.py` makes each of these mistakes on two PEs and compares what it gets with this page; with `--write` it
writes the page. A cell has the exit status of `oshrun` and what is said; *nothing* stands for a mistake that this setting does
not see. Compiled with `-g`, each message has the routine and the line.

"""


def names(source):
    return re.findall(r'!strcmp\((?:way|argv\[1\]), "([^"]+)"\)', source)


def run(oshrun, options, program, way):
    job = [oshrun, "-q", "-n", "2", "--timeout", "20", *options, program, way]
    ended = subprocess.run(job, capture_output=True, text=True, check=False, timeout=120)
    first = next((line for line in ended.stderr.splitlines() if line.startswith("atrium: ")), "")
    said = re.sub(r"^atrium: (PE \d+ on [^:]*: |oshrun: )?", "", first)
    said = re.sub(r"0x[0-9a-f]+|\(nil\)", "ADDRESS", said)
    said = re.sub(r"mistakes\.c:\d+", "mistakes.c", said)
    said = re.sub(r"PE \d+ \(pid \d+\) on \S+", "a PE", said)
    if ended.returncode == 124:
        return "124: where each PE waits, and for whom"
    if ended.returncode == 0 and not said:
        return SILENT
    return f"{ended.returncode}: {said or 'no message'}"


def table(oshcc, oshrun, source, only):
    with tempfile.TemporaryDirectory() as folder:
        programs = {}
        for level in ("-O0", "-O2"):
            programs[level] = os.path.join(folder, "mistakes" + level)
            subprocess.run([oshcc, "-g", "-w", level, str(source), "-o", programs[level], "-pthread"], check=True)
        lines = ["| mistake | " + " | ".join(title for title, _, _ in SETTINGS) + " |", "| --- " * 5 + "|"]
        for way in only or names(source.read_text()):
            cells = [run(oshrun, options, programs[level], way) for _, level, options in SETTINGS]
            lines.append(f"| {way} | " + " | ".join(cells) + " |")
    return lines


def main():
    if not ctypes.util.find_library("dw"):
        print("libdw1 is not installed: lines are not known")
        return 77
    oshcc, oshrun, source, page = sys.argv[1:5]
    only = sys.argv[6:7] if sys.argv[5:6] == ["--only"] else []
    lines = table(oshcc, oshrun, pathlib.Path(source), only)
    if only:
        print(lines[-1])
        return 0
    if sys.argv[5:] == ["--write"]:
        pathlib.Path(page).write_text(HEAD + "\n".join(lines) + "\n")
        return 0
    wanted = [line for line in pathlib.Path(page).read_text().splitlines() if line.startswith("|")]
    wrong = [(a, b) for a, b in zip(wanted, lines) if a != b]
    for a, b in wrong:
        print(f"the page has: {a}\nit is:        {b}")
    return 1 if wrong or len(wanted) != len(lines) else 0


sys.exit(main())
