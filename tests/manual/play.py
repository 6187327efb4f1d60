#!/usr/bin/env python3
# Plays a page: writes its programs into files of the names that it gives them, runs its commands on them in order, and looks
# in what they print for what the page shows below them. Rows of numbers differ from run to run and are not looked for. A status
# other than 0 is one that the page names.
# SPDX-License-Identifier: BSD-3-Clause
#
# usage: play.py PAGE   (BUILD_TREE and SOURCE_TREE are in the environment)
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ENDINGS = {"c": "c", "cpp": "cpp", "fortran": "f90", "python": "py"}
BUILD, SOURCE = Path(os.environ["BUILD_TREE"]), Path(os.environ["SOURCE_TREE"])


def skip(reason):
    print(reason)
    sys.exit(77)


def blocks(text):
    """Each fenced block with its language, each command with what is shown below it, in order."""
    found = re.finditer(r"^```(\w*)\n(.*?)^```$|^    (?:\$ )?(\S[^\n]*)\n((?:    [^\n]*\n)*)(?:\n```\n(.*?)^```$)?", text, re.S | re.M)
    for each in found:
        language, code, command, below, fenced = each.groups()
        if command is None:
            yield each.start(), language, code
        else:  # further commands may stand below the first one
            shown = "".join(line[4:] for line in below.splitlines(True)) + (fenced or "")
            yield each.start(), "command", (each.group(0).startswith("    $ "), command, shown)


def name_of(program, text, names):
    """The last file of that kind that is named before the program."""
    ending = ENDINGS.get(program[0])
    named = re.findall(rf"`(\w+\.{ending})`", text)
    return named[-1] if ending and named and named[-1] not in names else None


def words(line):
    """A line without its numbers, or nothing where it is a row of numbers."""
    shape = re.sub(r"(?<![\w.:])\d[\d.,]*( (ns|us|ms|s|%|B))?(?![\w])", "#", " ".join(line.split()))
    if shape.startswith("atrium: race:"):  # either access may be the later one, which is named first
        shape = " ".join(sorted(shape.split()))
    return "" if shape.startswith("#") else shape


def python_with(module):
    for python in ("python3", "/usr/bin/python3"):
        if subprocess.run([python, "-c", f"import {module}"], stderr=subprocess.DEVNULL).returncode == 0:
            return shutil.which(python)
    return skip(f"{module} is not installed")


def commands_of(first, shown):
    """[(command, what is shown below it)]: a further line may begin with the prompt, too."""
    parts = re.split(r"^\$ ", f"$ {first}\n{shown}", flags=re.M)[1:]
    return [tuple(part.split("\n", 1)) for part in parts]


def is_for_an_absent_mpi(command):
    word = re.search(r"\bmpi(?:cc|run)\.\w+", command)
    return word is not None and not (shutil.which(word[0]) and (BUILD / "lib" / "libatrium-race-mpi-openmpi.so").exists())


def need_what(command):
    if "oshfort" in command and not (BUILD / "bin" / "oshfort").exists():
        skip("gfortran is not installed")
    if "--nodes" in command and subprocess.run([BUILD / "bin" / "atrium-info", "--fabric"], capture_output=True).returncode:
        skip("there is no libfabric")


def environment(work, page):
    (work / "bin").mkdir()
    if page.name == "python.md":
        python = work / "bin" / "python"
        python.write_text(f"#!/bin/sh\nexec '{python_with('numpy')}' \"$@\"\n")
        python.chmod(0o755)
    return {**os.environ, "PATH": f"{work}/bin:{BUILD}/bin:{os.environ['PATH']}", "ATRIUM_PREFIX": str(BUILD),
            "PYTHONPATH": str(SOURCE / "python"), "PYTHONDONTWRITEBYTECODE": "1",
            "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_rmaps_base_oversubscribe": "1",
            "PRTE_MCA_rmaps_default_mapping_policy": ":oversubscribe"}


def play(command, shown, text, work, env):
    print(f"$ {command}", flush=True)
    run = subprocess.run(["bash", "-c", command], cwd=work, env=env, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    print(run.stdout)
    said = {words(line) for line in run.stdout.splitlines()}
    missing = [line for line in shown.splitlines() if words(line) and words(line) not in said]
    if run.returncode and not re.search(rf"status[^.]*\b{run.returncode}\b", text):
        missing.append(f"(status {run.returncode})")
    for line in missing:
        print(f"not as the page has it: {line}")
    return not missing


def main(page):
    text = page.read_text()
    names, played, good = [], 0, True
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        env = environment(work, page)
        parts = list(blocks(text))
        for at, language, code in parts:  # a page may name its commands before its program
            name = name_of((language, code), text[:at], names)
            if name:
                (work / name).write_text(code)
                names.append(name)
        programs = re.compile("|".join(rf"\b{name}|\./{Path(name).stem}(?!\w)" for name in names) or "$^")
        for _, language, code in parts:
            if language != "command":
                continue
            prompt, first, shown = code
            for command, below in commands_of(first, shown) if prompt else [(line, "") for line in [first, *shown.splitlines()]]:
                if not programs.search(command) or is_for_an_absent_mpi(command):
                    continue
                need_what(command)
                good &= play(command, below, text, work, env)
                played += 1
    if not played:
        print(f"{page} has no command on a program of its own")
    return good and played > 0


sys.exit(not main(Path(sys.argv[1])))
