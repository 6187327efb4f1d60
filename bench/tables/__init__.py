"""Tables of docs/ that show committed runs, by kind; bench/page_tables.py writes them."""
# SPDX-License-Identifier: BSD-3-Clause
from pathlib import Path

RESULTS = Path(__file__).resolve().parent.parent / "results"


def markdown(heads, rows):
    """The lines of a table."""
    return "\n".join(row(cells) for cells in (heads, ["---"] * len(heads), *rows))


def row(cells):
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"
