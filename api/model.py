# What the tables beside this file mean: rows, the C functions they stand for, chapters, generics.
# SPDX-License-Identifier: BSD-3-Clause
import csv
import re
from pathlib import Path

API = Path(__file__).resolve().parent


def table(name):
    with open(API / f"{name}.tsv", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


TYPES = table("types")
CHAPTERS = table("chapters")
VARIABLES = table("variables")
NOTES = {row["section"]: row["note"] for row in table("notes")}
ROWS = table("ops") + table("routines") + table("deprecated")


def members_of(types):
    return [t for t in TYPES if types in t["sets"].split()]


def is_typed(row):
    """Whether the row's functions are named after types; others after sizes: shmem_put8_nbi, shmem_putmem_nbi."""
    return "@_" in row["name"] and row["types"] not in ("bits", "mem", "bits_or_mem")


def section_key(section):
    return [int(part) for part in section.split(".")]


def chapter_of(row):
    """The chapter with the longest matching section number; deprecated routines have one of their own, the last."""
    if row["deprecated"] != "-":
        return CHAPTERS[-1]
    fits = [c for c in CHAPTERS if (row["section"] + ".").startswith(c["sections"] + ".")]
    return max(fits, key=lambda c: len(c["sections"]))


def name_in(parameter):
    return re.search(r"(\w+)$", parameter)[1]


def type_in(parameter):
    return re.sub(r"\s*\w+$", "", parameter)


def occurs(name, text):
    return re.search(rf"\b{name}\b", text) is not None


class Function:
    """One C function: a row, for one member of its set of types, with or without a context."""

    def __init__(self, row, member, on_context):
        self.row, self.member = row, member
        self.declared = member["declared"] if member else ""
        self.name = row["name"].replace("@", member["name"] if member else "")
        if on_context:
            self.name = self.name.replace("shmem_", "shmem_ctx_", 1)
        self.twin = "p" + self.name
        self.away = self.name.replace("shmem_", "atrium_away_", 1)
        self.returns = self.with_type(row["returns"])
        handle = ["shmem_ctx_t ctx"] if on_context else ["shmem_team_t team"] if row["handle"] == "team" else []
        written = [] if row["parameters"] == "-" else row["parameters"].split(", ")
        self.parameters = handle + [self.with_type(p) for p in written]
        self.arguments = [name_in(p) for p in self.parameters if p != "..."]
        self.passed_on = self.arguments[len(handle):]
        self.on_context = on_context
        self.first = {"ctx": "context_of(ctx)" if on_context else "default_context", "default": "default_context",
                      "team": "team_of(team)"}.get(row["handle"])
        self.pointers = [name_in(p) for p in written if "T *" in p]

    def with_type(self, text):
        return re.sub(r"\bT\b", self.declared, text) if self.member else text

    def prototype(self, name, used=None):
        """`used`: leave out the names of parameters that do not occur in that text."""
        shown = [p if used is None or p == "..." or occurs(name_in(p), used) else type_in(p) for p in self.parameters]
        space = "" if self.returns.endswith("*") else " "
        return f"{self.returns}{space}{name}({', '.join(shown) or 'void'})"

    def result(self):
        return "" if self.returns.endswith("void") else "return "

    def inside(self):
        """The C++ type that stands for T inside the library."""
        return self.declared if self.member["inside"] == "=" else self.member["inside"]

    def call(self):
        """What the wrapper runs. Untyped pointers (sized and mem forms) get the type that stands for them."""
        text = self.row["call"]
        if "(" not in text:
            text = f"{text}({', '.join([self.first] * bool(self.first) + self.passed_on)})"
        if not self.member:
            return text
        text = re.sub(r"\bT\b", self.inside(), text)
        if self.declared == "void":
            for name in self.pointers:
                const = "const " if re.search(rf"const void \*{name}\b", ", ".join(self.parameters)) else ""
                text = re.sub(rf"\b{name}\b", f"static_cast<{const}{self.inside()} *>({name})", text)
        return text

    def unit(self):
        """Bytes of an element."""
        if self.declared != "void":
            return f"sizeof({self.declared})"
        return "1" if self.member["name"] == "mem" else str(int(self.member["name"]) // 8)

    def fast_body(self):
        text = f"{self.row['guard']} {self.result()}{self.row['fast']}; " \
               f"else {self.result()}{self.away}({', '.join(self.arguments)});"
        world = {"DELTA": "ATRIUM_DELTA(pe)", "STEADY": "ATRIUM_STEADY_DELTA(pe)"}
        text = re.sub(r"\b(DELTA|STEADY)\[pe\]", lambda m: "ctx->inline_delta[pe]" if self.on_context else world[m[1]], text)
        text = re.sub(r"^IDLE\b", "ATRIUM_IF_IDLE(ctx)" if self.on_context else "ATRIUM_IF_OPEN", text)
        return self.with_type(re.sub(r"\bUNIT\b", lambda _: self.unit(), text))


def expand(row):
    members = members_of(row["types"]) if row["types"] != "-" else [None]
    forms = (False, True) if row["handle"] == "ctx" else (False,)
    return [Function(row, member, on_context) for on_context in forms for member in members]


FUNCTIONS = [(row, expand(row)) for row in ROWS]
ALL = [f for _, functions in FUNCTIONS for f in functions]
INLINED = [f for f in ALL if f.row["guard"] != "-"]


def rows_of(key, value):
    chosen = [(row, functions) for row, functions in FUNCTIONS if chapter_of(row)[key] == value]
    return sorted(chosen, key=lambda pair: section_key(pair[0]["section"]))


def names_of(key):
    return list(dict.fromkeys(c[key] for c in CHAPTERS))


def distinct(members):
    """Leaves out the types that are another name of a type in the list (int32_t beside int)."""
    names = {m["name"] for m in members}
    return [m for m in members if not names & set(m["same_as"].split())]


def generics():
    """{generic name: {number of arguments: [(row, functions)]}}"""
    found = {}
    for row, functions in FUNCTIONS:
        if row["generic"] == "-":
            continue
        for on_context in (False, True):
            form = [f for f in functions if f.on_context == on_context]
            if form:
                found.setdefault(row["generic"], {}).setdefault(len(form[0].parameters), []).append((row, form))
    return found
