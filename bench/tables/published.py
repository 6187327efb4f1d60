"""Tables of docs/lineage: each published figure beside those of the committed runs of all machines."""
# SPDX-License-Identifier: BSD-3-Clause
import re

from tables import RESULTS, markdown

PAGES = {"posh": "paper_posh", "shnode": "shnode", "mpi-plus-mpi": "paper_mpi", "2decomp": "paper_2decomp", "ring": "paper_ring"}
PARTS = {"mpi-plus-mpi": "mpi+mpi"}     # where `./atrium bench papers` has another name than the page
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


def table(page, results=RESULTS):
    plan, command = PAGES[page], f"`./atrium bench papers {PARTS.get(page, page)}`"
    texts = {text.parent.name: text.read_text(encoding="utf-8") for text in sorted(results.glob(f"*/{plan}.txt"))}
    runs = {machine: found for machine, text in texts.items() if (found := answers(text))}
    if not runs:
        return f"No run of {command} has been committed yet."
    heads = [f"[{machine}](../../bench/results/{machine}/{plan}.html){how_thorough(texts[machine])}" for machine in runs]
    keys = dict.fromkeys(key for found in runs.values() for key in found)
    rows = [[*key, *(found.get(key, "not in that run") for found in runs.values())] for key in keys]
    return (f"Runs of {command}; each page has the plots, how it was measured, and what else ran meanwhile.\n\n"
            + markdown(["in the source", "published", *heads], rows))


def how_thorough(text):
    """How many rounds a run had, whether it was a quick one and whether the machine was busy."""
    facts = dict(line.partition(": ")[::2] for line in text.splitlines())
    rounds = facts.get("rounds", "")
    told = [f"{rounds} round{'' if rounds == '1' else 's'}"] if rounds else []
    told += ["`--quick`"] if "--quick" in facts.get("command", "") else []
    told += ["on a busy machine"] if "meanwhile" in facts.get("other work", "") else []
    return "".join(f", {fact}" for fact in told)
