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

#include <vector>

#include "atrium_mpi_handles.h"
#include "interpose/say.hpp"
#include "race/mpi/call.hpp"

using namespace atrium::race;

#define HERE __builtin_return_address(0)
"""
FORTRAN_HEAD = """
namespace {

// Bindings of Fortran have no other name for their routines in every MPI.
void* next(const char* name) {
  void* const found = dlsym(RTLD_NEXT, name);
  if (!found) atrium::interpose::give_up("the bindings of Fortran are in front of the check: link them behind it");
  return found;
}

// The requests of a call, which are numbers there. Until they are looked at, they are zeros.
class FortranRequests {
 public:
  FortranRequests(void* numbers, int count) : numbers_(static_cast<MPI_Fint*>(numbers)), handles_(count > 0 ? count : 0) {}
  const MPI_Request* data() const { return handles_.data(); }
  int size() const { return static_cast<int>(handles_.size()); }
  void look_again() {
    for (size_t each = 0; each < handles_.size(); ++each) handles_[each] = PMPI_Request_f2c(numbers_[each]);
  }

 private:
  MPI_Fint* numbers_;
  std::vector<MPI_Request> handles_;
};

}  // namespace
"""
# Kinds whose routines say whether there was anything; that make or take a matched message; and that have a source only when they return.
TESTS = ("complete", "look", "probe", "match")
MATCHES = ("match", "receive_matched", "await_matched")
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
    plain = re.sub(r"_c$", "", name)
    return next((kind for pattern, kind in table if pattern.fullmatch(plain)), "any")


def is_handle(declaration, handle):
    return re.fullmatch(rf"(const )?{handle} \w+", declaration)


def of_call(kind, parameters):
    """What the check is told: field -> parameter."""
    fields = {}
    for declaration, name in parameters:
        if is_handle(declaration, "MPI_Comm") and "comm" not in fields:
            fields["comm"] = name
        if is_handle(declaration, "MPI_Win"):
            fields["win"] = name
        if name in ("dest", "destination") and declaration.startswith("int "):
            fields["to"] = name
        if name in ("source", "root") and declaration.startswith("int "):
            fields["from"] = name
        if name in ("tag", "sendtag"):
            fields["tag"] = name
        if name in ("tag", "recvtag"):
            fields["received_tag"] = name
        if name == "flag" and kind in TESTS:
            fields["flag"] = name
        if name == "message" and kind in MATCHES:
            fields["message"] = name
    if kind in ("lock", "unlock"):  # of all: no rank
        names = [name for _, name in parameters]
        fields |= {field: name for field, name in (("to", "rank"), ("lock", "lock_type")) if name in names}
    if kind == "free_window":
        fields["win"] = "*win"
    return fields


def requests_of(kind, parameters, in_fortran=False):
    """What the check is told of requests: field -> expression; what stands before the call, and what behind it."""
    found = next(((declaration, name) for declaration, name in parameters if re.match(r"(const )?MPI_Request ", declaration)), None)
    if not found:
        return {}, "", ""
    declaration, name = found
    count = next((other for _, other in parameters if other in ("count", "incount")), None)
    if kind in ("complete", "look") and in_fortran:
        number = f"*static_cast<MPI_Fint*>({count})" if count else "1"
        return ({"requests": "requests_.data()", "count": "requests_.size()"},
                f"  FortranRequests requests_({name}, {number});\n  requests_.look_again();\n", "  requests_.look_again();\n")
    if kind in ("complete", "look"):
        pointer = name if "*" in declaration or "[" in declaration else f"&{name}"
        return {"requests": pointer, "count": count or "1"}, "", ""
    if f"*{name}" not in declaration.replace("* ", "*"):
        return {}, "", ""
    if in_fortran:
        return ({"made": "requests_.data()"}, f"  FortranRequests requests_({name}, 1);\n", "  requests_.look_again();\n")
    return {"made": name}, "", ""


def call_object(number, kind, fields):
    lines = [f"  MpiCall call{{{number}, OrderKind::{kind}, HERE}};"]
    lines += [f"  call.{field} = {fields[field]};" for field in fields]
    return "\n".join(lines)


def wrapper(number, name, kind, parameters):
    result = ", *win" if kind == "make_window" else ""
    fields = of_call(kind, parameters) | requests_of(kind, parameters)[0]
    names, begin, end = ", ".join(name for _, name in parameters), "", ""
    if kind in SOURCED:
        begin = "  MPI_Status seen_;\n  if (status == MPI_STATUS_IGNORE) status = &seen_;\n"
        end = "  if (result_ == MPI_SUCCESS && call.is_true()) note_source(call, *status);\n"
    return f"""
int MPI_{name}({', '.join(declaration for declaration, _ in parameters) or 'void'}) {{
{call_object(number, kind, fields)}
{begin}  before(call);
  const int result_ = PMPI_{name}({names});
{end}  after(call, result_{result});
  return result_;
}}
"""


# What MPI_Init has in Fortran, besides the error.
FORTRAN_PARAMETERS = {"Init": [], "Init_thread": [("int required", "required"), ("int *provided", "provided")]}
# In Fortran all arguments are addresses, and handles are integers.
IN_FORTRAN = {"comm": "PMPI_Comm_f2c(*static_cast<MPI_Fint*>({}))", "win": "PMPI_Win_f2c(*static_cast<MPI_Fint*>({}))",
              "flag": "static_cast<const MPI_Fint*>({})", "message": "&message_",
              **dict.fromkeys(("to", "from", "lock", "tag", "received_tag"), "static_cast<int>(*static_cast<MPI_Fint*>({}))")}


def message_in_fortran(kind):
    """What stands before the call and behind it, where the message is a number."""
    read = "PMPI_Message_f2c(*static_cast<MPI_Fint*>(message))"
    if kind == "match":
        return "  MPI_Message message_ = MPI_MESSAGE_NULL;\n", f"  if (call.is_true()) message_ = {read};\n"
    return (f"  const MPI_Message message_ = {read};\n", "") if kind in MATCHES else ("", "")


def fortran_wrapper(number, symbol, kind, parameters, aliases):
    fields = {field: IN_FORTRAN[field].format(parameter.lstrip("*"))
              for field, parameter in of_call(kind, parameters).items()}
    requests, begin, end = requests_of(kind, parameters, in_fortran=True)
    fields |= requests
    begin, end = begin + message_in_fortran(kind)[0], end + message_in_fortran(kind)[1]
    names = [name for _, name in parameters] + ["error_"]
    result = ", " + IN_FORTRAN["win"].format("win") if kind == "make_window" else ""
    declarations = ", ".join(f"void* {name}" for name in names)
    text = f"""
void {symbol}({declarations}) {{
  static const auto theirs = reinterpret_cast<decltype(&{symbol})>(next("{symbol}"));
{begin}{call_object(number, kind, fields)}
  before(call);
  ++nesting;
  theirs({', '.join(names)});
  --nesting;
{end}  after(call, MPI_SUCCESS{result});
}}
"""
    for alias in aliases:
        text += f"void {alias}({declarations}) __attribute__((alias(\"{symbol}\")));\n"
    return text


def fortran_wrappers(number, name, kind, parameters, calls_inside):
    """For bindings that call PMPI themselves: those of mpi_f08, as far as they take no descriptors, and with `calls_inside` those of
    mpif.h and `use mpi`. Text arguments have hidden lengths: no routine with them is looked at."""
    parameters = FORTRAN_PARAMETERS.get(name, parameters)
    if name.endswith("_c") or any("char" in declaration or "_function" in declaration for declaration, _ in parameters):
        return ""
    lower = f"mpi_{name.lower()}"
    text = fortran_wrapper(number, lower + "_f08_", kind, parameters, ())
    if calls_inside:
        text += fortran_wrapper(number, lower + "_", kind, parameters, (lower, lower + "__", lower.upper()))
    if calls_inside and kind == "make_window":
        text += fortran_wrapper(number, lower + "_cptr_", kind, parameters, ())
    return text


def main():
    mpicc, output = sys.argv[1:]
    table = read_table()
    found, header = declared(mpicc)
    calls_inside = "ompi_communicator_t" in header  # Open MPI's; those of others call the routines of C
    has_fortran = "MPI_Comm_fromint" not in header  # the standard ABI knows no Fortran
    routines = {name: (kind_of(name, table), parameters) for name, parameters in sorted(found.items())}
    routines = {name: found for name, found in routines.items() if found[0] != "local"}
    if not {"Init", "Barrier", "Win_allocate_shared"} <= routines.keys():
        sys.exit(f"wrappers.py: {mpicc} has no MPI-3: MPI_Win_allocate_shared is missing")
    text = HEAD + (FORTRAN_HEAD if has_fortran else "") + ENTRIES
    for number, (name, (kind, parameters)) in enumerate(routines.items()):
        text += wrapper(number, name, kind, parameters)
        if has_fortran:
            text += fortran_wrappers(number, name, kind, parameters, calls_inside)
    text += "\n}  // extern \"C\"\n#pragma GCC visibility pop\n\nnamespace atrium::race {\n\n"
    names = [f"MPI_{name}" for name in routines] + OWN_NAMES
    text += "const char* const mpi_routines[] = {\n" + "".join(f'    "{name}",\n' for name in names) + "};\n"
    text += f"const unsigned mpi_routines_count = {len(names)};\n\n}}  // namespace atrium::race\n"
    pathlib.Path(output).write_text(text)


main()
