# The Fortran interfaces, as generate.py asks for them: the classic one and the module shmem_f08.
# SPDX-License-Identifier: BSD-3-Clause
from fortran_classic import CLASSIC, classic, routines
from fortran_f08 import f08, interfaces


def coverage():
    """Lines for docs/coverage.md."""
    found = list(routines())
    lines = ["## Fortran, the classic interface (`include 'shmem.fh'`, `use shmem`)", "",
             f"{sum(r.row['since'] != '-' for r in found)} routines of specification 1.4, whose section is given. Those with `-` in the last "
             "column are not in it, but older programs call them. `@` stands for each of the *members*.", "",
             "| section | routine | members | arguments | since |", "| --- " * 5 + "|"]
    for row in CLASSIC:
        members = "" if row["members"] == "-" else " ".join(f"`{m.split(':')[0].upper()}`" for m in row["members"].split())
        arguments = ", ".join(a.split(":")[0] for a in row["arguments"].split() if a != "-")
        lines.append(f"| {row['section']} | `{row['name'].upper()}` | {members} | {arguments} | {row['since']} |")
    generic = {}
    for interface in interfaces():
        generic[interface.generic] = generic.get(interface.generic, 0) + 1
    lines += ["", "## Fortran, the module `shmem_f08`", "",
              f"{len(generic)} names over OpenSHMEM 1.6, with {sum(generic.values())} specific procedures:", "",
              ", ".join(f"`{name}`" for name in generic), ""]
    return lines


def files(generated, license):
    yield from classic(generated, license)
    yield from f08(generated, license)
