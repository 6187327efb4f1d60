#!/usr/bin/env python3
"""Writes the wrappers of an MPI's routines: each tells the race check what is called, before and after it calls PMPI.

usage: wrappers.py MPICC OUTPUT.cpp       the routines are those that <mpi.h> of this compiler declares"""
# SPDX-License-Identifier: BSD-3-Clause
import pathlib
import re
import subprocess
import sys

TABLE = pathlib.Path(__file__).with_name("routines.tsv")
# What mpi/window has beside MPI: names that reports need.
OWN_NAMES = [f"atrium_window_{name}" for name in
             ("create", "create_per_node", "wait", "test", "barrier", "fence", "freeze", "free")]
HEAD = """// Made by race/mpi/wrappers.py: do not edit.
#include <dlfcn.h>

#include "atrium_mpi_handles.h"
#include "interpose/say.hpp"
#include "race/mpi/call.hpp"
#include "race/mpi/statuses.hpp"

using namespace atrium::race;

#define HERE __builtin_return_address(0)
"""
FORTRAN_HEAD = """
#include "race/mpi/fortran.hpp"

namespace {

// Bindings of Fortran have no other name for their routines in every MPI.
void* next(const char* name) {
  void* const found = dlsym(RTLD_NEXT, name);
  if (!found) atrium::interpose::give_up("the bindings of Fortran are in front of the check: link them behind it");
  return found;
}

}  // namespace
"""
# Kinds of operations, which may be completed or also started later; those that find out about requests; all that are handed some; and
# those that say whether there was anything, that make or take a matched message, and that have a source only when they return.
OPERATIONS = ("meeting", "from_root", "to_root", "upwards", "neighbours", "send", "send_met", "receive", "exchange", "receive_matched",
              "send_parts", "receive_parts")
COMPLETING = ("complete", "look")
OF_REQUESTS = (*COMPLETING, "start", "ready", "cancel", "free_request")
TESTS = (*COMPLETING, "probe", "match")
MATCHES = ("match", "receive_matched")
SOURCED = ("receive", "exchange", "probe", "match")
ENTRIES = """
#pragma GCC visibility push(default)
extern "C" {
"""


def without_attributes(text):
    while (at := text.find("__attribute__")) >= 0:
        end = text.index("(", at)
        depth = 0
        while True:
            depth += {"(": 1, ")": -1}.get(text[end], 0)
            end += 1
            if depth == 0:
                break
        text = text[:at] + text[end:]
    return text


def declared(mpicc):
    """Name -> list of (declaration, name) of each parameter, of the routines that return an int; and the header's text."""
    text = subprocess.run([mpicc, "-E", "-x", "c", "-"], input="#include <mpi.h>\n", capture_output=True, text=True,
                          check=True).stdout
    text = without_attributes("\n".join(line for line in text.splitlines() if not line.startswith("#")))
    routines = {}
    for found in re.finditer(r"\b(?:extern\s+)?int\s+MPI_(\w+)\s*\(([^;{}]*)\)\s*;", text):
        parts = [" ".join(part.split()) for part in found[2].split(",")]
        if parts in (["void"], [""]):
            parts = []
        if "..." not in parts:
            routines[found[1]] = [(part, re.search(r"(\w+)\s*(?:\[[^]]*\]\s*)*$", part)[1]) for part in parts]
    return routines, text


def read_table():
    lines = [line.split("\t") for line in TABLE.read_text().splitlines() if line and not line.startswith("#")]
    return [(re.compile(pattern), kind) for pattern, kind in lines]


def kind_of(name, table):
    """Its kind, and its timing: Iname and Name_init do what Name does, and are completed later or also started later."""
    plain = re.sub(r"_c$", "", name)
    row = lambda routine: next((kind for pattern, kind in table if pattern.fullmatch(routine)), "any")
    later = re.sub(r"(?<![a-z])[Ii]([a-z])", lambda found: found[1].upper() if found.start() == 0 else found[1], plain, count=1)
    for base, timing in ((later, "later"), (plain.removesuffix("_init"), "planned")):
        if base != plain and row(base) in OPERATIONS:
            return row(base), timing
    return row(plain), "now"


def is_handle(declaration, handle):
    return re.fullmatch(rf"(const )?{handle} \w+", declaration)


def of_call(kind, timing, parameters):
    """What the check is told: field -> parameter."""
    fields = {}
    for declaration, name in parameters:
        if is_handle(declaration, "MPI_Comm") and "comm" not in fields:
            fields["comm"] = name
        if is_handle(declaration, "MPI_Info") and kind in ("meeting", "hints"):
            fields["info"] = name
        if is_handle(declaration, "MPI_Win"):
            fields["win"] = name
        if name in ("dest", "destination") and declaration.startswith("int "):
            fields["to"] = name
        if name in ("source", "root") and declaration.startswith("int "):
            fields["from"] = name
        if name == "dest" and kind == "receive_parts":  # MPICH's name for the source
            fields["from"] = name
        if name in ("tag", "sendtag") and declaration.startswith("int "):  # that of MPI_Comm_create_from_group is a text
            fields["tag"] = name
        if name in ("tag", "recvtag") and declaration.startswith("int "):
            fields["received_tag"] = name
        if name == "flag" and kind in TESTS:
            fields["flag"] = name
        if name == "message" and kind in MATCHES:
            fields["message"] = name
        if kind == "meeting" and timing == "now" and re.fullmatch(r"MPI_Comm \*\w+", declaration):
            fields["made_comm"] = name
    if kind in ("lock", "unlock"):  # of all: no rank
        names = [name for _, name in parameters]
        fields |= {field: name for field, name in (("to", "rank"), ("lock", "lock_type")) if name in names}
    if kind == "free_window":
        fields["win"] = "*win"
    return fields


def integer(parameter):
    return f"static_cast<int>(*static_cast<MPI_Fint*>({parameter}))"


class Pieces:
    """What a wrapper says to the check, field -> expression; what stands before and behind the call; and other arguments than its own."""

    def __init__(self, kind, timing, parameters, in_fortran):
        self.kind, self.parameters, self.in_fortran = kind, parameters, in_fortran
        self.fields, self.begin, self.end, self.other = of_call(kind, timing, parameters), "", "", {}
        if in_fortran:
            self.fields = {field: IN_FORTRAN[field].format(name.lstrip("*")) for field, name in self.fields.items()}
        if timing != "now":
            self.fields["timing"] = f"CallTiming::{timing}"
        self.add_requests()
        if kind in COMPLETING:
            self.add_places()
        if kind in SOURCED + COMPLETING:
            self.add_statuses()
        if in_fortran and kind in MATCHES:
            self.add_message()
        if in_fortran and (made := of_call(kind, timing, parameters).get("made_comm")):
            self.begin += "  MPI_Comm comm_ = MPI_COMM_NULL;\n"
            self.end += f"  comm_ = {IN_FORTRAN['comm'].format(made)};\n"

    def named(self, *names):
        return next((name for _, name in self.parameters if name in names), None)

    def count(self):
        name = self.named("count", "incount")
        return (integer(name) if self.in_fortran else name) if name else "1"

    def add_requests(self):
        found = next(((declaration, name) for declaration, name in self.parameters if re.match(r"(const )?MPI_Request ", declaration)), None)
        if not found:
            return
        declaration, name = found
        is_made = self.kind not in OF_REQUESTS
        if is_made and f"*{name}" not in declaration.replace("* ", "*"):
            return
        count = self.count() if self.kind in (*COMPLETING, "start") else "1"
        handles = name if "*" in declaration or "[" in declaration else f"&{name}"
        if self.in_fortran:
            self.begin += f"  FortranRequests requests_({name}, {count});\n" + ("" if is_made else "  requests_.look_again();\n")
            self.end += "  requests_.look_again();\n"
            handles = "requests_.data()"
        self.fields |= {"made": handles} if is_made else {"requests": handles, "count": count}

    def add_places(self):
        """Which of the requests are complete."""
        one, several, count = self.named("index", "indx"), self.named("array_of_indices"), self.named("outcount")
        if self.in_fortran and (one or several):
            self.begin += f"  FortranPlaces places_({self.count() if several else 1});\n"
            self.end += f"  if (call.is_true()) places_.look({several or one}, {integer(count) if several else 1});\n"
        if several:
            self.fields |= {"indices": "places_.data()", "done_count": "places_.count()"} if self.in_fortran else {
                "indices": several, "done_count": count}
        elif one:
            self.fields["index"] = "places_.data()" if self.in_fortran else one

    def add_statuses(self):
        name = self.named("status", "array_of_statuses")
        if not name:
            return
        count = self.count() if name == "array_of_statuses" else "1"
        self.fields["statuses"] = "statuses_.data()"
        if not self.in_fortran:
            self.begin += f"  CallStatuses statuses_({name}, {count});\n"
            self.other[name] = "statuses_.data()"
            return
        self.begin += f"  FortranStatuses statuses_({name}, {count});\n"
        seen = "*places_.count()" if "indices" in self.fields else count
        self.end += f"  if (result_ == MPI_SUCCESS && call.is_true()) statuses_.look({seen});\n"
        self.other[name] = "statuses_.given()"

    def add_message(self):
        """It is a number there."""
        read = "PMPI_Message_f2c(*static_cast<MPI_Fint*>(message))"
        is_found = self.kind == "match"
        self.begin += "  MPI_Message message_ = " + ("MPI_MESSAGE_NULL" if is_found else read) + ";\n"
        if is_found:
            self.end += f"  if (call.is_true()) message_ = {read};\n"

    def arguments(self):
        return ", ".join(self.other.get(name, name) for _, name in self.parameters)

    def before_call(self, number):
        return self.begin + "\n".join([f"  MpiCall call{{{number}, OrderKind::{self.kind}, HERE}};",
                                       *(f"  call.{field} = {value};" for field, value in self.fields.items()), "  before(call);"])


def wrapper(number, name, kind, timing, parameters):
    pieces = Pieces(kind, timing, parameters, in_fortran=False)
    result = ", *win" if kind == "make_window" else ""
    return f"""
int MPI_{name}({', '.join(declaration for declaration, _ in parameters) or 'void'}) {{
{pieces.before_call(number)}
  const int result_ = PMPI_{name}({pieces.arguments()});
  after(call, result_{result});
  return result_;
}}
"""


# What MPI_Init has in Fortran, besides the error.
FORTRAN_PARAMETERS = {"Init": [], "Init_thread": [("int required", "required"), ("int *provided", "provided")]}
# In Fortran all arguments are addresses, and handles are integers.
IN_FORTRAN = {"comm": "PMPI_Comm_f2c(*static_cast<MPI_Fint*>({}))", "win": "PMPI_Win_f2c(*static_cast<MPI_Fint*>({}))",
              "info": "PMPI_Info_f2c(*static_cast<MPI_Fint*>({}))",
              "flag": "static_cast<const MPI_Fint*>({})", "message": "&message_", "made_comm": "&comm_",
              **dict.fromkeys(("to", "from", "lock", "tag", "received_tag"), integer("{}"))}


def fortran_wrapper(number, symbol, kind, timing, parameters, aliases):
    pieces = Pieces(kind, timing, parameters, in_fortran=True)
    result = ", " + IN_FORTRAN["win"].format("win") if kind == "make_window" else ""
    declarations = ", ".join(f"void* {name}" for name in (*(name for _, name in parameters), "error_"))
    arguments = ", ".join(filter(None, (pieces.arguments(), "error_")))
    text = f"""
void {symbol}({declarations}) {{
  static const auto theirs = reinterpret_cast<decltype(&{symbol})>(next("{symbol}"));
{pieces.before_call(number)}
  ++nesting;
  theirs({arguments});
  --nesting;
  const int result_ = error_ ? static_cast<int>(*static_cast<MPI_Fint*>(error_)) : MPI_SUCCESS;
{pieces.end}  after(call, result_{result});
}}
"""
    for alias in aliases:
        text += f"void {alias}({declarations}) __attribute__((alias(\"{symbol}\")));\n"
    return text


def fortran_wrappers(number, name, kind, timing, parameters, calls_inside):
    """For bindings that call PMPI themselves: those of mpi_f08, as far as they take no descriptors, and with `calls_inside` those of
    mpif.h and `use mpi`. Text arguments have hidden lengths: no routine with them is looked at."""
    parameters = FORTRAN_PARAMETERS.get(name, parameters)
    if name.endswith("_c") or any("char" in declaration or "_function" in declaration for declaration, _ in parameters):
        return ""
    lower = f"mpi_{name.lower()}"
    text = fortran_wrapper(number, lower + "_f08_", kind, timing, parameters, ())
    if calls_inside:
        text += fortran_wrapper(number, lower + "_", kind, timing, parameters, (lower, lower + "__", lower.upper()))
    if calls_inside and kind == "make_window":
        text += fortran_wrapper(number, lower + "_cptr_", kind, timing, parameters, ())
    return text


def main():
    mpicc, output = sys.argv[1:]
    table = read_table()
    found, header = declared(mpicc)
    calls_inside = "ompi_communicator_t" in header  # Open MPI's; those of others call the routines of C
    has_fortran = "MPI_Comm_fromint" not in header  # the standard ABI knows no Fortran
    routines = {name: (*kind_of(name, table), parameters) for name, parameters in sorted(found.items())}
    routines = {name: found for name, found in routines.items() if found[0] != "local"}
    if not {"Init", "Barrier", "Win_allocate_shared"} <= routines.keys():
        sys.exit(f"wrappers.py: {mpicc} has no MPI-3: MPI_Win_allocate_shared is missing")
    statuses = "\n#define RACE_HAS_F08_STATUSES" if "MPI_F08_STATUS_IGNORE" in header else ""
    text = HEAD + (statuses + FORTRAN_HEAD if has_fortran else "") + ENTRIES
    for number, (name, (kind, timing, parameters)) in enumerate(routines.items()):
        text += wrapper(number, name, kind, timing, parameters)
        if has_fortran:
            text += fortran_wrappers(number, name, kind, timing, parameters, calls_inside)
    text += "\n}  // extern \"C\"\n#pragma GCC visibility pop\n\nnamespace atrium::race {\n\n"
    names = [f"MPI_{name}" for name in routines] + OWN_NAMES
    text += "const char* const mpi_routines[] = {\n" + "".join(f'    "{name}",\n' for name in names) + "};\n"
    text += f"const unsigned mpi_routines_count = {len(names)};\n\n}}  // namespace atrium::race\n"
    pathlib.Path(output).write_text(text)


main()
