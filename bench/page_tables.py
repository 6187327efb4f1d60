#!/usr/bin/env python3
"""Writes those tables of docs/ that show committed runs. Each stands between two comments, of which the first says what it shows:

  <!-- table: published PAGE -->                    each figure that a source published beside those of all machines (docs/lineage)
  <!-- table: ways PLAN MACHINE HEAD=MEASURE... --> measures with Atrium and by the MPI alone: a row for each measure and number of ranks
  <!-- table: measures PLAN MACHINE HEAD=MEASURE... -->   a column for each measure, a row for each library, number of ranks and bytes
  <!-- table: leaders SERIES... -->                 the simulator's collectives by PEs per leader (docs/measurements/scale.csv)
  <!-- table: blocks SERIES... -->                  its all-to-alls by bytes of a block
  <!-- table: counted FIGURE... -->                 what real jobs send, and the simulator's (docs/measurements/scale-counted.csv)
  <!-- end -->

usage: page_tables.py [--check]    (--check: say whether the committed tables are what would be written)
"""
# SPDX-License-Identifier: BSD-3-Clause
import re
import sys
from pathlib import Path

from tables import measured, published, simulated

ROOT = Path(__file__).resolve().parent.parent
KINDS = {"published": published.table, "ways": measured.ways, "measures": measured.measures,
         "leaders": simulated.leaders, "blocks": simulated.blocks, "counted": simulated.counted}
TABLE = re.compile(r"(<!-- table: (?P<kind>\w+) (?P<words>[^\n]+?) -->)(?:(?!<!-- table).)*?<!-- end -->", re.DOTALL)


def renewed(text):
    return TABLE.sub(lambda found: f"{found[1]}\n\n{KINDS[found['kind']](*found['words'].split())}\n\n<!-- end -->", text)


def main(arguments):
    stale = []
    for page in sorted((ROOT / "docs").rglob("*.md")):
        text = page.read_text(encoding="utf-8")
        new = renewed(text)
        if new != text:
            stale.append(page.name)
            if arguments != ["--check"]:
                page.write_text(new, encoding="utf-8")
    if stale and arguments == ["--check"]:
        print(f"not as the committed runs have them: {', '.join(stale)}; run bench/page_tables.py")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
