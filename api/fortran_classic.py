# The classic Fortran interface of OpenSHMEM 1.4, from fortran.tsv.
# SPDX-License-Identifier: BSD-3-Clause
#
# A row of fortran.tsv is a routine; `@` in its name and `#` in its call stand for the two halves
# of each of its members ("int4:int32"), `T` for the member's type. An argument is name:kind:
#   int, intout   a default INTEGER, read or written         remote   any variable, which must be symmetric
#   T             a value of the member's type                choice   any variable
#   word          a symmetric variable of that type           lock     a default INTEGER, symmetric
#   pointer       a Cray pointer                              psync    an array of default INTEGERs
#   text          CHARACTER(*), written
import re

from model import API, table

CLASSIC = table("fortran")
FORTRAN = {"int": "integer(4)", "int4": "integer(4)", "int8": "integer(8)", "real4": "real(4)", "real8": "real(8)",
           "default": "integer"}
IN_C = {"default": "int32_t", "int4": "int32_t", "int8": "int64_t", "real4": "float", "real8": "double"}
RESULTS = {"integer": ("integer", "int32_t"), "logical": ("logical", "int32_t"), "pointer": ("integer(8)", "void *")}
C_KINDS = {"int": "const int32_t *{}", "intout": "int32_t *{}", "remote": "void *{}", "choice": "void *{}",
           "T": "const T *{}", "word": "T *{}", "lock": "uint32_t *{}", "psync": "const int32_t *{}",
           "pointer": "void **{}", "text": "char *{}"}
F_KINDS = {"int": "integer, intent(in) :: {}", "intout": "integer, intent(out) :: {}", "T": "T, intent(in) :: {}",
           "word": "T, target :: {}", "lock": "integer, target :: {}", "psync": "integer :: {}(*)",
           "pointer": "integer(8) :: {}", "text": "character(len=*), intent(out) :: {}"}


class Routine:
    """One routine of the classic interface."""

    def __init__(self, row, member):
        self.row = row
        self.tag, self.suffix = member.split(":") if member else ("", "")
        self.name = row["name"].replace("@", self.tag)
        self.arguments = [] if row["arguments"] == "-" else [a.split(":") for a in row["arguments"].split()]
        self.result = None if row["returns"] == "-" else RESULTS.get(row["returns"], (self.typed("T", FORTRAN),
                                                                                     self.typed("T", IN_C)))

    def typed(self, text, types):
        return re.sub(r"\bT\b", types.get(self.tag, "T"), text)

    def c_definition(self):
        parameters = [self.typed(C_KINDS[kind], IN_C).format(name) for name, kind in self.arguments]
        parameters += ["size_t name_length"] * any(kind == "text" for _, kind in self.arguments)
        routine = f'"{self.name.upper()}"'
        call = self.row["call"].replace("#", self.suffix)
        call = re.sub(r"COUNT\((\w+)\)", rf'atrium_fortran_count({routine}, "\1", *\1)', call)
        for name, kind in self.arguments:  # (int64_t *) is C's long long * or long *
            if kind == "word" or (kind == "remote" and "_to_all" in call):
                call = re.sub(rf"\b{name}\b(?=[,)])", f"(void *){name}", call, count=1)
        checks = [f'atrium_fortran_remote({routine}, "{name}", {name}); ' for name, kind in self.arguments
                  if kind in ("remote", "word", "lock")]
        unused = [f"(void){name}; " for name, _ in self.arguments if not re.search(rf"\b{name}\b", call)]
        returns = self.result[1] if self.result else "void"
        gap = "" if returns.endswith("*") else " "
        return (f"{returns}{gap}{self.name}_({', '.join(parameters) or 'void'}) {{ {''.join(unused)}{''.join(checks)}"
                f"{'return ' if self.result else ''}{call}; }}")

    def f_interface(self):
        choices = [name for name, kind in self.arguments if kind in ("remote", "choice")]
        head = f"{'function' if self.result else 'subroutine'} {self.name}({', '.join(n for n, _ in self.arguments)})"
        lines = ["    " + head]
        lines += [f"      {self.result[0]} :: {self.name}"] if self.result else []
        for name in choices:
            lines += [f"      !GCC$ ATTRIBUTES NO_ARG_CHECK :: {name}", f"      !DIR$ IGNORE_TKR {name}",
                      f"      type(*), dimension(*), target :: {name}"]
        lines += ["      " + self.typed(F_KINDS[kind], FORTRAN).format(name)
                  for name, kind in self.arguments if name not in choices]
        return lines + [f"    end {head.split()[0]}"]


def routines(rows=None):
    for row in rows or CLASSIC:
        for member in [None] if row["members"] == "-" else row["members"].split():
            yield Routine(row, member)


def constants():
    """[(name, C text)] of include/shmem/constants.h and shmemx.h: numbers and the vendor's text."""
    text = "".join((API.parent / "include" / header).read_text() for header in ("shmem/constants.h", "shmemx.h"))
    return re.findall(r"^#define (SHMEMX?_\w+) (\S.*?)(?:\s*/\*.*)?$", text, re.M)


def is_classic(name):
    return not re.match(r"SHMEMX_|SHMEM_(CTX|TEAM|MALLOC|SIGNAL|THREAD)_", name)


def parameters(chosen, kind_of_long):
    known, lines = {}, []
    for name, text in constants():
        text = known.get(text, text)
        known[name] = text
        if not chosen(name):
            continue
        if text.startswith('"'):
            lines += [(f"character(len={len(text) - 2})", name, f"'{text[1:-1]}'")]
            continue
        value = str(eval(text.replace("L", "")))  # (1L << 2)
        is_long = kind_of_long and "L <<" in text
        lines += [(f"integer({kind_of_long})" if is_long else "integer", name, value + f"_{kind_of_long}" * bool(is_long))]
    return lines


def first_lines(comment, title, generated, license):
    return [f"{comment} {title}", f"{comment} {generated}", f"{comment} {license}"]


def classic(generated, license):
    body = [r.c_definition() for r in routines()]
    head = ["/* The classic Fortran interface: names as gfortran and flang make them.", f" * {generated}", f" * {license} */",
            '#include "support.h"', ""]
    yield "fortran/generated/classic.c", "\n".join(head + body) + "\n"

    # Valid as fixed and as free source: nothing before column 7 or behind column 72. The types of functions are left to
    # the program, as the specification has it, but for the three that other libraries' headers declare as well.
    lines = first_lines("!", "Constants of the Fortran interface of OpenSHMEM 1.4.", generated, license)
    for kind, name, value in parameters(is_classic, None):
        lines += [f"      {kind} {name}", f"      parameter ({name} = {value})"]
    # The division by zero is the compiler's error where a default integer has 8 bytes: half of each would be moved.
    guard = "SHMEM_NEEDS_INTEGERS_OF_4_BYTES"
    lines += ["! A division by zero: default integers have 8 bytes, by an option such as", "! -fdefault-integer-8. The library reads 4.",
              f"      integer {guard}", f"      parameter ({guard}=1/(64-bit_size(0)))"]
    lines += ["      logical shmem_pe_accessible", "      logical shmem_addr_accessible", "      integer(kind=8) shmem_ptr"]
    text = "\n".join(lines) + "\n"
    yield "include/shmem.fh", text
    yield "include/mpp/shmem.fh", text

    lines = first_lines("!", "The Fortran interface of OpenSHMEM 1.4 with the arguments checked by the compiler.",
                        generated, license)
    lines += ["module shmem", "  implicit none"]
    lines += [f"  {kind}, parameter :: {name} = {value}" for kind, name, value in parameters(is_classic, None)]
    lines += ["", "  interface"]
    for routine in routines():
        lines += routine.f_interface()
    yield "fortran/generated/shmem.f90", "\n".join(lines + ["  end interface", "end module shmem", ""])
