#!/usr/bin/env python3
# The manual of the routines: one text each in docs/routines/, written by hand but for its synopsis, which is from the tables.
# SPDX-License-Identifier: BSD-3-Clause
#
#   api/manual.py --site FOLDER   writes one Markdown page for each text, with its synopsis, and an index
#   generate.py calls man_pages() for docs/man/*.3, and texts() for the synopses in the texts themselves and an index of them
#
# A text begins with `# NAME`, a comment `<!-- routines: ROW... -->` that names rows of the tables, and one sentence of
# summary; then come the synopsis, which generate.py writes, and the sections below, in this order. Arguments are described as "- `name`: text".
import re
import sys
from pathlib import Path

import fortran_f08
from model import API, CHAPTERS, FUNCTIONS, chapter_of, is_typed, members_of, name_in, section_key

TEXTS = API.parent / "docs/routines"
SECTIONS = ["Description", "Arguments", "Completion and ordering", "Threads", "Errors", "Cost", "Example"]
SYNOPSIS = "Synopsis"
ROWS = {}
for _row, _functions in FUNCTIONS:
    if _row["deprecated"] == "-":
        ROWS.setdefault(_row["name"], []).append((_row, _functions))


class Page:
    """One text and the rows of the tables that it is about."""

    def __init__(self, file):
        text = file.read_text()
        head, *parts = re.split(r"^## (.*)\n", text, flags=re.M)
        found = re.match(r"# (\S+)\n\n<!-- routines: (.*?) -->\n\n(.*?)\n\s*$", head, re.S)
        if not found:
            raise SystemExit(f"{file}: does not begin with a name, its routines and a summary")
        self.name, self.rows, self.summary = found[1], found[2].split(), " ".join(found[3].split())
        self.sections = dict(zip(parts[::2], parts[1::2]))
        self.head = head
        self.sections.pop(SYNOPSIS, None)
        self.pairs = [pair for row in self.rows for pair in ROWS.get(row, [])]

    def order(self):
        return section_key(self.pairs[0][0]["section"])

    def chapter(self):
        return chapter_of(self.pairs[0][0])["title"]

    def sections_of_specification(self):
        sections = list(dict.fromkeys(row["section"] for row, _ in self.pairs))
        return f"section{'s' if len(sections) > 1 else ''} {', '.join(sections)}"

    def names(self):
        """Generic names, and those of routines without a type."""
        names = [row["generic"] for row, _ in self.pairs if row["generic"] != "-"]
        names += [f.name for row, functions in self.pairs if row["types"] == "-" or not is_typed(row)
                  for f in functions]
        return list(dict.fromkeys(names))

    def listed(self):
        """Those of the index: forms with a context are left out, unless a row is about nothing else."""
        return [name for name in self.names() if name in self.rows or not name.startswith("shmem_ctx_")]

    def all_names(self):
        """Those, and the routine of each type."""
        return list(dict.fromkeys(self.names() + [f.name for _, functions in self.pairs for f in functions]))

    def synopsis(self):
        """[(heading, [line])]"""
        generic, plain = [], []
        for row, functions in self.pairs:
            placeholder = "TYPENAME" if is_typed(row) else "SIZE"
            for on_context in dict.fromkeys(f.on_context for f in functions):
                f = next(f for f in functions if f.on_context == on_context)
                shown = re.sub(r"\bT\b", "TYPE" if is_typed(row) else "void", ", ".join(self.written(row, f)))
                returns = re.sub(r"\bT\b", "TYPE", row["returns"]).replace("ATRIUM_NORETURN ", "_Noreturn ")
                returns += "" if returns.endswith("*") else " "
                name = row["name"].replace("shmem_", "shmem_ctx_", 1) if on_context else row["name"]
                if row["generic"] != "-":
                    generic.append(f"{returns}{row['generic']}({shown});")
                if name.endswith("@") and row["types"] == "mem":
                    name, placeholder = name.replace("@", "mem"), ""
                if row["types"] == "bits_or_mem":
                    plain.append(f"{returns}{name.replace('@', 'mem')}({shown});")
                plain.append(f"{returns}{name.replace('@', placeholder)}({shown or 'void'});")
        lines = [("C11 and C++", generic)] if generic else []
        lines.append(("C", plain))
        calls = self.fortran_calls()
        lines += [("Fortran (`use shmem_f08`)", calls)] if calls else []
        return [(title, [part for line in dict.fromkeys(body) for part in folded(line, title)]) for title, body in lines], self.kinds()

    @staticmethod
    def written(row, function):
        handle = function.parameters[:1] if function.first and function.first != "default_context" else []
        return handle + ([] if row["parameters"] == "-" else row["parameters"].split(", "))

    def kinds(self):
        """Lines that say what TYPE and SIZE stand for; routines with the same types share one."""
        types, sizes, sharing = {}, [], {}
        for row, _ in self.pairs:
            members = members_of(row["types"]) if row["types"] != "-" else []
            if is_typed(row):
                types.setdefault(row["generic"], []).extend(
                    re.sub(r"ATRIUM_COMPLEX\((\w+)\)", r"\1 _Complex", m["declared"]) + f" ({m['name']})" for m in members)
            else:
                sizes += [m["name"] for m in members if m["name"] != "mem"]
        for generic, spelled in types.items():
            sharing.setdefault(", ".join(spelled), []).append(f"`{generic}`")
        lines = [f"TYPE (and TYPENAME){' of ' + ', '.join(names) if len(sharing) > 1 else ''}: {spelled}."
                 for spelled, names in sharing.items()]
        return lines + ([f"SIZE is the size of an element in bits: {', '.join(dict.fromkeys(sizes))}."] if sizes else [])

    def fortran_calls(self):
        wanted, calls = set(self.names()), {}
        for interface in fortran_f08.interfaces():
            if interface.generic in wanted or interface.generic.replace("shmem_ctx_", "shmem_") in wanted:
                arguments = ", ".join(("[" + n + "]") if "optional" in d else n for d in interface.dummies
                                      for n in [re.search(r":: (\w+)", d)[1]])
                call = f"{interface.generic}({arguments})"
                calls.setdefault(call if interface.result else f"call {call}", None)
        return list(calls)

    def synopsis_in_markdown(self):
        forms, kinds = self.synopsis()
        lines = []
        for title, body in forms:
            language = "fortran" if title.startswith("Fortran") else "c"
            lines += [f"**{title}**", "", f"```{language}"] + body + ["```", ""]
        return "\n".join(lines + [kind + "\n" for kind in kinds])

    def text(self, note):
        """The whole text, with the synopsis that the tables have today."""
        sections = "".join(f"## {title}\n{text}" for title, text in self.sections.items())
        return f"{self.head}## {SYNOPSIS}\n\n<!-- {note} -->\n\n{self.synopsis_in_markdown()}\n{sections}"

    def example(self):
        return re.search(r"^```c\n(.*?)^```", self.sections["Example"], re.S | re.M)[1]

    def faults(self):
        """What is missing of this text."""
        if unknown := [r for r in self.rows if r not in ROWS]:
            yield f"names rows that no table has: {', '.join(unknown)}"
        if list(self.sections) != SECTIONS:
            yield f"has the sections {', '.join(self.sections)}, not {', '.join(SECTIONS)}"
            return
        described = set(re.findall(r"^- (.*?):", self.sections["Arguments"], re.M))
        described = {name for names in described for name in re.findall(r"`(\w+)`", names)}
        for row, functions in self.pairs:
            for parameter in functions[0].parameters:
                if parameter != "..." and name_in(parameter) not in described:
                    yield f"does not describe {name_in(parameter)}"
        if re.search(r"\d (ns|µs|ms)\b", self.sections["Cost"]) and "measurements.md" not in self.sections["Cost"]:
            yield "has a time without the machine on which it was measured"
        if not self.listed():
            yield "has no routine in the index"
        if "Says:" not in self.sections["Example"] or "```c" not in self.sections["Example"]:
            yield "has no example that says what it prints"
        elif wide := [line for line in self.example().splitlines() if len(line) > COLUMNS]:
            yield f"has an example with lines of more than {COLUMNS} characters: {wide[0].strip()}"


COLUMNS = 73  # of a terminal with 80, after the indentation of man


def folded(prototype, language):
    """Its lines, broken between parameters."""
    end = " &" if language.startswith("Fortran") else ""
    first, *others = prototype.split(", ")
    lines = [first]
    for part in others:
        if len(lines[-1]) + len(", " + part + "," + end) > COLUMNS:
            lines[-1] += "," + end
            lines.append("    " + part)
        else:
            lines[-1] += ", " + part
    return lines


def pages():
    return sorted((Page(file) for file in TEXTS.glob("shmem_*.md")), key=Page.order)


def faults():
    found, seen = [], {}
    for page in pages():
        found += [f"docs/routines/{page.name}.md {fault}" for fault in dict.fromkeys(page.faults())]
        for row in page.rows:
            if row in seen:
                found.append(f"{row} is described by {seen[row]} and by {page.name}")
            seen[row] = page.name
    return found + [f"no text describes {row}" for row in ROWS if row not in seen]


def site_page(page):
    lines = [f"# {page.name}", "", "```{index} " + ", ".join("!" + name for name in page.all_names()), "```", "", page.summary, "",
             f"Specification 1.6, {page.sections_of_specification()}.", "", f"## {SYNOPSIS}", "",
             page.synopsis_in_markdown()]
    for title in SECTIONS:
        lines += [f"## {title}", "", page.sections[title].strip(), ""]
    return "\n".join(lines)


def site_index(all_pages):
    lines = ["# Routines", "", "The C API of OpenSHMEM 1.6, by chapters. Each page has the forms in C, C11, C++ and Fortran, "
             "what a call promises, and an example that runs.", ""]
    for chapter in dict.fromkeys(c["title"] for c in CHAPTERS):
        inside = [p for p in all_pages if p.chapter() == chapter]
        if inside:
            lines += [f"## {chapter}", "", "| page | what it does | routines |", "| --- | --- | --- |"]
            lines += [f"| [{p.name}]({p.name}.md) | {p.summary} | "
                      f"{', '.join(f'`{n}`' for n in p.listed())} |"
                      for p in inside] + [""]
    return "\n".join(lines)


# Man pages: the part of Markdown that the texts use.

def inline(text):
    text = text.replace("\\", "\\e").replace("-", "\\-")
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text)
    text = re.sub(r"`([^`]*)`", r"\\fB\1\\fR", text)
    text = re.sub(r"\*\*([^*]*)\*\*", r"\\fB\1\\fR", text)
    return re.sub(r"(?<!\w)\*([^*]+)\*(?!\w)", r"\\fI\1\\fR", text)


def safe(line):
    return "\\&" + line if line.startswith((".", "'")) else line


def code(lines):
    return [".PP", ".nf"] + [safe(line.replace("\\", "\\e").replace("-", "\\-")) for line in lines] + [".fi"]


def roff(markdown):
    out, blocks = [], re.split(r"(^```\w*\n.*?^```$)", markdown, flags=re.S | re.M)
    for block in blocks:
        if block.startswith("```"):
            out += code(block.splitlines()[1:-1])
            continue
        for paragraph in re.split(r"\n\s*\n|\n(?=- )", block):
            text = " ".join(paragraph.split())
            item = re.match(r"- (?:(`.*?`): )?(.*)", text)
            if not text:
                continue
            if item and item[1]:
                out += [".TP", inline(item[1]), safe(inline(item[2]))]
            elif item:
                out += [".IP \\(bu 3", safe(inline(item[2]))]
            else:
                out += [".PP", safe(inline(text))]
    return out[1:] if out[0] == ".PP" else out  # a section's heading begins a paragraph


def man_page(page, generated, license):
    forms, kinds = page.synopsis()
    lines = [f'.\\" {generated}', f'.\\" {license}', f'.TH {page.name.upper()} 3 "2026" "Atrium" "OpenSHMEM 1.6"',
             ".SH NAME", f"{', '.join(page.names())} \\- {inline(page.summary.rstrip('.'))}", ".SH SYNOPSIS", ".nf",
             ".B #include <shmem.h>", ".fi"]
    for title, body in forms:
        lines += [f".SS {inline(title)}", ".nf"] + [safe(line.replace("-", "\\-")) for line in body] + [".fi"]
    for kind in kinds:
        lines += [".PP", inline(kind)]
    for title in SECTIONS:
        lines += [f".SH {title.upper()}"] + roff(page.sections[title])
    return "\n".join(lines + [".SH SPECIFICATION", f"OpenSHMEM 1.6, {page.sections_of_specification()}.", ".SH SEE ALSO",
                              ".BR oshcc (1),", ".BR oshrun (1),", ".BR atrium (7)", ""])


def texts(generated):
    for page in pages():
        yield f"docs/routines/{page.name}.md", page.text(f"The synopsis is {generated}")
    yield "docs/routines/README.md", f"<!-- {generated.capitalize()} -->\n{site_index(pages())}"


def man_pages(generated, license):
    names = []
    for page in pages():
        yield f"docs/man/{page.name}.3", man_page(page, generated, license)
        names += [f"{name} {page.name}" for name in page.all_names() if name != page.name]
    yield "docs/man/other_names", "\n".join(names) + "\n"


def main():
    found = faults()
    if found:
        raise SystemExit("\n".join(found))
    if len(sys.argv) == 3 and sys.argv[1] == "--site":
        folder, all_pages = Path(sys.argv[2]), pages()
        folder.mkdir(parents=True, exist_ok=True)
        for page in all_pages:
            (folder / f"{page.name}.md").write_text(site_page(page))
        (folder / "index.md").write_text(site_index(all_pages))


if __name__ == "__main__":
    main()
