#!/usr/bin/env python3
# The C prototypes in the texts of the routines are those of <shmem.h>: each name is declared there, with these parameters. And
# a terminal of 80 columns shows them whole.
# usage: prototypes.py SOURCES OSHCC
# SPDX-License-Identifier: BSD-3-Clause
import re
import subprocess
import sys
from pathlib import Path

lines = ["#include <shmem.h>"]
for text in sorted(Path(sys.argv[1], "docs/routines").glob("shmem_*.md")):
    body = re.search(r"\*\*C\*\*\n\n```c\n(.*?)```", text.read_text(), re.S)[1]
    body = body.replace("TYPENAME", "uint").replace("SIZE", "64")
    for prototype in re.findall(r"[^;]+;", re.sub(r"\bTYPE\b", "unsigned", body)):
        name = re.search(r"(\w+)\(", prototype)[1]
        # A name that is not declared is an error here, and parameters that differ are one below.
        lines += [f'#line 1 "{text.name}: {name}"', f"typedef __typeof__(&{name}) declared_{name};", prototype]
    synopsis = text.read_text().split("\n## ")[1]
    wide = [line for block in re.findall(r"```\w+\n(.*?)```", synopsis, re.S) for line in block.splitlines() if len(line) > 73]
    assert not wide, (text.name, wide)
compiler = subprocess.run([sys.argv[2], "-std=c11", "-fsyntax-only", "-xc", "-"], input="\n".join(lines) + "\n", text=True)
sys.exit(compiler.returncode)
