#!/usr/bin/env python3
# A command of a page can be pasted: what a page says of it in the same line stands behind a "#".
# SPDX-License-Identifier: BSD-3-Clause
#
# usage: pasted.py ROOT
import re
import sys
from pathlib import Path

root = Path(sys.argv[1])
programs = (r"\./atrium|build/\S+|osh(run|cc|c\+\+|fort)|atrium-\w+|mpi(run|cc|cxx|fort|exec)\S*|cmake|ctest|make|srun|salloc|sbatch|ssh"
            r"|pip|python3?|docker|git|curl|apt\S*|ba?sh|for|time|(bench|sim|tests|tools|examples)/\S+")
command = re.compile(rf"    (\$ )?([A-Z]\w*=\S+ )*({programs}) .*")
quoted = re.compile(r"'[^']*'|\"[^\"]*\"")


def commands(page):
    fenced = False
    for number, line in enumerate(page.read_text().split("\n"), 1):
        fenced ^= line.lstrip().startswith("```")
        if not fenced and command.match(line):
            yield number, line


pages = [page for folder in (root, root / "docs", *(f for f in root.iterdir() if not f.name.startswith(("build", "dist", "docs"))))
         if folder.is_dir() and not folder.name.startswith(".")
         for page in (folder.rglob("*.md") if folder != root else folder.glob("*.md"))]
lines = [(page, number, line) for page in pages for number, line in commands(page)]
bad = [each for each in lines if re.search(r"\S {2,}(?![#\s])", quoted.sub("q", each[2]).split("#")[0].strip())]
for page, number, line in bad:
    print(f"{page.relative_to(root)}:{number}: words behind a command without a #: {line.strip()}")
print(f"{len(lines)} commands in {len(pages)} pages")
sys.exit(bool(bad) or not lines)
