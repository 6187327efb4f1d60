#!/usr/bin/env python3
# What a how-to quotes of the sources stands there: each block of C++ behind a paragraph that says "in `FILE`", but the
# word that the example adds, comments, and what is left out ("...").
# SPDX-License-Identifier: BSD-3-Clause
#
# usage: quotes.py ROOT TEXT ADDED-WORD
import re
import sys
from pathlib import Path

root, text, added = Path(sys.argv[1]), Path(sys.argv[2]).read_text(), sys.argv[3]


def plain(code):
    code = re.sub(r"//.*", "", code)
    code = re.sub(rf"(,\s*(&\w+::)?|\|){added}\b", "", code)
    return re.sub(r"\s+", "", code)


quotes = re.findall(r"[Ii]n `([\w./]+)`,[^`]*(?:`[^`\n]+`[^`]*)*\n\n```cpp\n(.*?)^```", text, re.S | re.M)
missing = [(file, part.strip()) for file, block in quotes for part in block.split("...")
           if plain(part) not in plain((root / file).read_text())]
for file, part in missing:
    print(f"{file} has not got what is quoted of it:\n{part}")
print(f"{len(quotes)} quotes")
sys.exit(bool(missing) or not quotes)
