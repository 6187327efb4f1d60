#!/usr/bin/env python3
"""Writes the tables of docs/lineage/*.md that stand between two comments: each published figure beside those of the committed runs.

usage: lineage_tables.py [--check]    (--check: say whether the committed tables are what would be written)
"""
# SPDX-License-Identifier: BSD-3-Clause
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGES = {"posh": "paper_posh", "shnode": "shnode", "mpi-plus-mpi": "paper_mpi", "2decomp": "paper_2decomp", "ring": "paper_ring"}
PARTS = {"mpi-plus-mpi": "mpi+mpi"}     # where `./atrium bench papers` has another name than the page
BEGIN, END = "<!-- written by bench/lineage_tables.py -->", "<!-- end -->"
LINE = re.compile(r"^  (?P<place>.+): published (?P<said>.+); ours (?P<ours>.+); limit (?P<limit>.+?)\. (?P<verdict>[A-Z].*)$")
INCOMPARABLE = "No number that another machine's could be compared with."


def answers(text):
    """{(place, published): cell} of the text beside a page (driver/published.py writes it)."""
    found = {}
    for match in filter(None, map(LINE.match, text.splitlines())):
        limit = "" if match["limit"] == "-" else f", limit {match['limit']}"
        verdict = "" if match["verdict"] == INCOMPARABLE else f". {match['verdict'].rstrip('.')}"
        found[match["place"], match["said"]] = "not measured" if match["ours"] == "-" else f"{match['ours']}{limit}{verdict}"
    return found


def table(page, results=ROOT / "bench/results"):
    plan, command = PAGES[page], f"`./atrium bench papers {PARTS.get(page, page)}`"
    texts = {text.parent.name: text.read_text(encoding="utf-8") for text in sorted(results.glob(f"*/{plan}.txt"))}
    runs = {machine: found for machine, text in texts.items() if (found := answers(text))}
    if not runs:
        return f"No run of {command} has been committed yet."
    heads = [f"[{machine}](../../bench/results/{machine}/{plan}.html){how_thorough(texts[machine])}" for machine in runs]
    keys = dict.fromkeys(key for found in runs.values() for key in found)
    lines = [row(["in the source", "published", *heads]), row(["---"] * (2 + len(heads)))]
    lines += [row([*key, *(found.get(key, "not in that run") for found in runs.values())]) for key in keys]
    return f"Runs of {command}; each page has the plots, how it was measured, and what else ran meanwhile.\n\n" + "\n".join(lines)


def how_thorough(text):
    """How many rounds a run had, whether it was a quick one and whether the machine was busy."""
    facts = dict(line.partition(": ")[::2] for line in text.splitlines())
    rounds = facts.get("rounds", "")
    told = [f"{rounds} round{'' if rounds == '1' else 's'}"] if rounds else []
    told += ["`--quick`"] if "--quick" in facts.get("command", "") else []
    told += ["on a busy machine"] if "meanwhile" in facts.get("other work", "") else []
    return "".join(f", {fact}" for fact in told)


def row(cells):
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def renewed(page, text):
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not (begin and end):
        raise SystemExit(f"docs/lineage/{page}.md has no place for its table: {BEGIN} and {END}")
    return f"{before}{BEGIN}\n\n{table(page)}\n\n{END}{after}"


def main(arguments):
    stale = []
    for page in PAGES:
        file = ROOT / f"docs/lineage/{page}.md"
        text = file.read_text(encoding="utf-8")
        new = renewed(page, text)
        if new != text:
            stale.append(file.name)
            if arguments != ["--check"]:
                file.write_text(new, encoding="utf-8")
    if stale and arguments == ["--check"]:
        print(f"not as bench/results has them: {', '.join(stale)}; run bench/lineage_tables.py")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
