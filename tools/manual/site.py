#!/usr/bin/env python3
# Gathers the manual's pages for Sphinx: the routines (api/manual.py) and every Markdown file of the repository.
# SPDX-License-Identifier: BSD-3-Clause
#
# usage: site.py FOLDER   writes FOLDER/docs: pages, tables of contents, and Sphinx's settings, which lie beside this file
#
# docs/x.md becomes x.md, README.md index.md, FOLDER/README.md FOLDER/index.md. Links between pages are kept, links to
# other files of the repository become their names: the site is read without the repository, too.
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "api"))
import manual  # noqa: E402

ADDING = "docs/howto/add-"  # how-tos for contributors
INDEX = "All names <genindex>"  # of routines, with every type: Sphinx writes this page
PICTURES = {".png", ".svg", ".jpg"}
RESULTS = {".html", ".csv"}  # of measurements: copied as they are, into a folder whose contents Sphinx puts into the site
# The pages whose order matters; new guides and how-tos follow them by name.
WAY = {
    "Start here": ["docs/guides/from-zero.md", "docs/guides/from-mpi-to-shmem.md", "docs/guides/from-another-openshmem.md",
                   "docs/howto/python.md", "examples/README.md"],
    "Learn": ["docs/guides/signals.md", "docs/guides/teams.md", "docs/guides/contexts-and-threads.md", "docs/guides/fast-on-a-node.md",
              "docs/guides/finding-faults.md", "docs/mistakes.md", "docs/fortran.md"],
    "Do": ["docs/howto/find-a-deadlock.md", "docs/howto/find-a-race.md", "docs/howto/see-where-time-goes.md", "docs/guides/on-a-cluster.md",
           "docs/howto/administer-a-cluster.md", "docs/guides/in-a-container.md", "docs/howto/continuous-integration.md",
           "packaging/README.md"],
    "Reference": ["docs/routines/README.md", INDEX, "docs/coverage.md", "docs/shnode.md", "docs/mpi-alltoall.md", "docs/node-windows.md",
                  "docs/conformance.md", "docs/measurements.md", "docs/lineage.md", "CHANGELOG.md", "SECURITY.md"],
    "Develop": ["CONTRIBUTING.md", "ARCHITECTURE.md"],
}
# A manual has wide tables: on wide screens the text may be wider than furo has it, as far as there is room beside the two side bars of 15em
# and the margins. Tables of many columns have smaller letters. On narrow screens tables scroll, and cells of many columns are not squeezed to a
# word a line. min-width lets long lines of code scroll in their own boxes on screens of any width; else they make the page wider than the
# window. Words of code that conf.py marks stay whole. A head without words is no row. On paper nothing scrolls: lines of code are broken, and
# what is for the keyboard is left out.
STYLE = """\
.main, .content { min-width: 0; }
.whole { white-space: nowrap; }
.table-wrapper { overflow-x: auto; }
.table-wrapper table:has(th:nth-child(8)) { font-size: .8em; }
.table-wrapper table:has(th:nth-child(8)) :is(td, th) { padding: .2em .35em; }
.table-wrapper thead:not(:has(p:not(:empty))) { display: none; }
@media screen {
  .content { width: min(56em, 100vw - 38em); }
}
@media screen and (max-width: 82em) {
  .content { width: 100%; }
}
@media screen and (max-width: 52em) {
  .table-wrapper td:nth-child(2):last-child { min-width: 10em; }
  .table-wrapper table:has(th:nth-child(3)) { width: max-content; }
  .table-wrapper table:has(th:nth-child(3)) td { max-width: 14em; }
}
@media print {
  .skip-to-content { display: none; }
  .content { width: 100%; padding: 0; }
  .table-wrapper { overflow: visible; }
  .table-wrapper table { font-size: .8em; break-inside: auto; }
  .table-wrapper table:has(th:nth-child(8)) { font-size: .6em; }
  .table-wrapper :is(td, th) { padding: .2em .35em; }
  .table-wrapper code { overflow-wrap: anywhere; }
  .table-wrapper tr { break-inside: avoid; }
  .whole { white-space: normal; }
  pre { white-space: pre-wrap; overflow-wrap: anywhere; }
}
"""


def tracked():
    """The repository's files; of a tree without git, as packages are built from, whatever lies there."""
    files = []
    if shutil.which("git"):
        files = subprocess.run(["git", "ls-files", "--cached", "--others", "--exclude-standard"], cwd=ROOT, text=True,
                               capture_output=True, check=False).stdout.splitlines()
    return files or [str(f.relative_to(ROOT)) for f in ROOT.rglob("*")
                     if f.is_file() and "build" not in f.relative_to(ROOT).parts[:1]]


def place_of(file):
    """Where a Markdown file of the repository lies in the site."""
    place = re.sub(r"^docs/", "", file)
    return re.sub(r"(^|/)README\.md$", r"\1index.md", place)


class Site:
    def __init__(self, folder):
        self.docs = folder / "docs"
        files = tracked()
        self.pages = {f: place_of(f) for f in files if f.endswith(".md") and (ROOT / f).is_file()}
        self.pages = {f: p for f, p in self.pages.items() if not f.startswith("docs/routines/")}
        for page in manual.pages():
            self.pages[f"docs/routines/{page.name}.md"] = f"routines/{page.name}.md"
        self.pages["docs/routines/README.md"] = "routines/index.md"

    def link(self, source, match):
        text, target = match[1], match[2]
        if re.match(r"[a-z]+:|#|<", target):
            return match[0]
        path, _, anchor = target.partition("#")
        wanted = os.path.normpath(os.path.join(os.path.dirname(source), path))
        if os.path.isdir(ROOT / wanted) and f"{wanted}/README.md" in self.pages:
            wanted += "/README.md"
        here = os.path.dirname(self.pages[source])
        if wanted in self.pages:
            shown = os.path.relpath(self.pages[wanted], here)
        elif Path(wanted).suffix in PICTURES and (ROOT / wanted).is_file():
            self.copy(wanted, self.docs)
            shown = os.path.relpath(place_of(wanted), here)
        elif Path(wanted).suffix in RESULTS and (ROOT / wanted).is_file():
            self.copy(wanted, self.docs / "extra")
            return f'<a href="{os.path.relpath(place_of(wanted), here)}">{text}</a>'
        else:
            return text if "`" in text else self.name_of_file(source, text, wanted)
        return f"[{text}]({shown}{'#' + anchor if anchor else ''})"

    @staticmethod
    def name_of_file(source, text, file):
        """What stands for a link to a file that the site does not have: its name, as short as in the folder of the page."""
        if ("/" + file).endswith("/" + text.rstrip("/")):
            return f"`{text if os.path.join(os.path.dirname(source), text) == file else file}`"
        return f"{text} (`{file}`)"

    @staticmethod
    def copy(file, folder):
        place = folder / place_of(file)
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / file, place)

    def write(self, source, text):
        parts = re.split(r"(^```.*?^```$)", text, flags=re.S | re.M)
        for i in range(0, len(parts), 2):
            parts[i] = re.sub(r"\[([^\]]*)\]\(([^)\s]+)\)", lambda m: self.link(source, m), parts[i])
        file = self.docs / self.pages[source]
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("".join(parts))

    def group(self, prefix):
        return sorted(f for f in self.pages if f.startswith(prefix))

    def contents(self):
        """[(caption, [source])]: the way through the manual in the side bar, each page once. What is under a page: children()."""
        named = {f for files in WAY.values() for f in files}
        adding = self.group(ADDING)
        rest = {"Learn": self.group("docs/guides/"), "Do": [f for f in self.group("docs/howto/") if f not in adding], "Develop": adding}
        return [(caption, files + [f for f in rest.get(caption, []) if f not in named]) for caption, files in WAY.items()]

    def children(self):
        """{source: [source]}: pages that are found under another one. Under ARCHITECTURE is whatever has no other place."""
        found = {"docs/measurements.md": self.group("docs/measurements/"), "docs/lineage.md": self.group("docs/lineage/"),
                 "docs/routines/README.md": self.group("docs/routines/shmem")}
        placed = {f for _, files in self.contents() for f in files} | {f for files in found.values() for f in files} | {"README.md"}
        designs = self.group("docs/design/")
        return {**found, "ARCHITECTURE.md": designs + sorted(set(self.pages) - placed - set(designs))}

    def toctree(self, source, caption, files):
        here = os.path.dirname(self.pages[source])
        entries = [f if f == INDEX else os.path.relpath(self.pages[f], here).removesuffix(".md")
                   for f in files if f == INDEX or f in self.pages]
        return "\n".join(["", "```{toctree}", ":hidden:"] + [f":caption: {caption}"] * bool(caption) + [""] + entries + ["```", ""])


def main():
    folder = Path(sys.argv[1])
    shutil.rmtree(folder / "docs", ignore_errors=True)
    site, routines = Site(folder), manual.pages()
    contents = "".join(site.toctree("README.md", caption, files) for caption, files in site.contents())
    below = {"README.md": contents, **{source: site.toctree(source, "", files) for source, files in site.children().items()}}
    for source in site.pages:
        if not source.startswith("docs/routines/"):
            site.write(source, (ROOT / source).read_text() + below.get(source, ""))
    for page in routines:
        site.write(f"docs/routines/{page.name}.md", manual.site_page(page))
    index = "docs/routines/README.md"
    site.write(index, manual.site_index(routines) + below[index])
    (site.docs / "static").mkdir()
    (site.docs / "static/wide.css").write_text(STYLE)
    for settings in ("conf.py", "scorer.js"):
        shutil.copyfile(Path(__file__).parent / settings, site.docs / settings)


if __name__ == "__main__":
    main()
