# The Fortran module shmem_f08, from the C tables.
# SPDX-License-Identifier: BSD-3-Clause
import re

from fortran_classic import parameters
from model import ROWS, members_of, name_in, type_in

TYPES = {"int8": "integer(c_int8_t)", "int16": "integer(c_int16_t)", "int32": "integer(c_int32_t)",
         "int64": "integer(c_int64_t)", "float": "real(c_float)", "double": "real(c_double)",
         "complexf": "complex(c_float_complex)", "complexd": "complex(c_double_complex)"}
VALUES = {"int": "integer(c_int)", "size_t": "integer(c_size_t)", "long": "integer(c_long)",
          "uint64_t": "integer(c_int64_t)", "ptrdiff_t": "integer(c_intptr_t)", "shmem_team_t": "type(shmem_team_t)",
          "shmem_ctx_t": "type(shmem_ctx_t)", "void *": "type(c_ptr)"}
POINTERS = {"void *": "type(c_ptr), value :: {}", "int *": "integer(c_int), intent(out) :: {}",
            "const int *": "integer(c_int), intent(in) :: {}(*)", "long *": "integer(c_long), target :: {}",
            "uint64_t *": "integer(c_int64_t), target :: {}", "const uint64_t *": "integer(c_int64_t), target :: {}",
            "shmem_team_t *": "type(shmem_team_t), intent(out) :: {}",
            "shmem_ctx_t *": "type(shmem_ctx_t), intent(out) :: {}",
            "const shmem_team_config_t *": "type(shmem_team_config_t), intent(in), optional :: {}",
            "shmem_team_config_t *": "type(shmem_team_config_t), intent(out) :: {}",
            "const shmem_ctx_session_config_t *": "type(shmem_ctx_session_config_t), intent(in), optional :: {}"}
ANY = "type(*), dimension(..), target :: {}"
ANY_IN = "type(*), dimension(..), target, intent(in) :: {}"
STAT = ("integer(c_int), intent(out), optional :: stat", "int *stat")
DIRECT = re.compile(r"shmem_@_(p|g|atomic_\w+|wait_until|test)$")
LISTS = re.compile(r"shmem_@_(wait_until|test)_(all|any|some)(_vector)?$")
REDUCTIONS = re.compile(r"shmem_@_\w+_(reduce|inscan|exscan)$")
BY_HAND = {"shmem_ptr", "shmem_team_ptr", "shmem_addr_accessible", "shmem_info_get_name", "shmem_pcontrol"}
STATUS = {"shmem_init_thread", "shmem_team_get_config", "shmem_team_split_strided", "shmem_team_split_2d",
          "shmem_ctx_create", "shmem_team_create_ctx", "shmem_ctx_get_team", "shmem_team_sync"}
TRUTH = re.compile(r"shmem_(pe_accessible|\w+_test|test)(_all|_all_vector)?$")
# With a context there is no form with nelems: gfortran holds it ambiguous. A section, x(1:n), says the same.
LENGTHS = {"": None, "_n": ("integer(c_int)", "int32_t"), "_l": ("integer(c_size_t)", "int64_t")}


class Interface:
    """One specific procedure: a generic name, a name in C, dummy arguments, and for a shim its body in C. Without a name in C
    it is the procedure of that name in shmem.fh."""

    def __init__(self, generic, c_name, dummies, result=None, shim=None, c_parameters=(), c_returns="void"):
        self.generic, self.c_name, self.dummies, self.result = generic, c_name, dummies, result
        self.shim, self.c_parameters, self.c_returns = shim, c_parameters, c_returns

    def f_lines(self, name):
        arguments = ", ".join(re.search(r":: (\w+)", d)[1] for d in self.dummies)
        kind = "function" if self.result else "subroutine"
        binding = [f"      {arguments}) &", f'      bind(C, name="{self.c_name}")', "      import"]
        lines = [f"    {kind} {name}( &"] + (binding if self.c_name else [f"      {arguments})"])
        lines += [f"      {self.result} :: {name}"] if self.result else []
        return lines + ["      " + d for d in self.dummies] + [f"    end {kind}"]

    def c_definition(self):
        gap = "" if self.c_returns.endswith("*") else " "
        return f"{self.c_returns}{gap}{self.c_name}({', '.join(self.c_parameters) or 'void'}) {{ {self.shim} }}"


def dummy(parameter, typed=None):
    """The Fortran declaration for a C parameter; `typed` stands for T."""
    name, kind = name_in(parameter), type_in(parameter)
    if kind in ("T *", "const T *"):
        reads = ", intent(in)" if kind.startswith("const") else ""
        return f"{typed}{reads}, target :: {name}"
    if kind == "T":
        return f"{typed}, value :: {name}"
    return POINTERS[kind].format(name) if kind in POINTERS else f"{VALUES[kind]}, value :: {name}"


def answer_of(name, returns, typed=None):
    if returns.endswith("void"):
        return None
    if TRUTH.match(name):
        return "logical"  # C answers 0 or 1 in an int, of the same size
    return typed if returns == "T" else VALUES[returns]


def of_type(members):
    return [t for t in members_of(members) if t["name"] in TYPES]


def with_and_without_context(name):
    return [("", name, []), ("ctx", name.replace("shmem_", "shmem_ctx_", 1), ["shmem_ctx_t ctx"])]


def split(parameters):
    return [] if parameters == "-" else parameters.split(", ")


def direct_rows():
    """Routines of C that a Fortran program calls as they are."""
    for row in ROWS:
        if row["deprecated"] != "-" or (row["types"] != "-" and not DIRECT.match(row["name"])):
            continue
        forms = with_and_without_context(row["name"]) if row["handle"] == "ctx" else [("", row["name"], [])]
        members = of_type(row["types"]) if row["types"] != "-" else [None]
        for _, name, context in forms:
            for member in members:
                typed = TYPES[member["name"]] if member else None
                yield row, name, context, member, typed


def direct():
    for row, name, context, member, typed in direct_rows():
        c_name = name.replace("@", member["name"]) if member else name
        generic = name.replace("_@_", "_")
        handle = ["shmem_team_t team"] if row["handle"] == "team" else []
        written = context + handle + split(row["parameters"])
        if row["name"] in BY_HAND:
            continue
        dummies = [dummy(p, typed) for p in written]
        if row["name"] not in STATUS:
            yield Interface(generic, c_name, dummies, answer_of(generic, row["returns"], typed))
            continue
        arguments = ", ".join(name_in(p) for p in written)
        yield Interface(generic, f"atrium_f_{c_name}", dummies + [STAT[0]],
                        shim=f'atrium_fortran_status("{generic}", stat, {c_name}({arguments}));',
                        c_parameters=written + [STAT[1]])


def arrays(*names):
    return [f"const atrium_array *{n}" for n in names]


def transfers():
    """put and get on arrays of any type and rank."""
    for base in ("put", "get", "put_nbi", "get_nbi"):
        for _, generic, context in with_and_without_context(f"shmem_{base}"):
            ctx = "ctx" if context else "SHMEM_CTX_DEFAULT"
            for suffix, length in list(LENGTHS.items())[:1 if context else None]:
                count = f'atrium_fortran_count("{generic}", "nelems", nelems)' if length else "ATRIUM_ALL"
                yield Interface(
                    generic, f"atrium_f_{generic}{suffix}",
                    [dummy(p) for p in context] + [ANY.format("dest"), ANY_IN.format("source")] +
                    ([f"{length[0]}, value :: nelems"] if length else []) + [dummy("int pe")],
                    shim=f"atrium_fortran_move(&atrium_{base}, {ctx}, dest, source, {count}, pe);",
                    c_parameters=context + arrays("dest", "source") + ([f"{length[1]} nelems"] if length else []) +
                    ["int pe"])
            memory = generic.replace("_put", "_putmem").replace("_get", "_getmem")
            for suffix, length in list(LENGTHS.items())[1:]:
                yield Interface(
                    memory, f"atrium_f_{memory}{suffix}",
                    [dummy(p) for p in context] + [ANY.format("dest"), ANY_IN.format("source"),
                                                   f"{length[0]}, value :: nbytes", dummy("int pe")],
                    shim=f'atrium_fortran_remote("{memory}", "{"dest" if "put" in base else "source"}", '
                         f'{"dest" if "put" in base else "source"}->base); atrium_{base}.move({ctx}, dest->base, '
                         f'source->base, atrium_fortran_count("{memory}", "nbytes", nbytes), pe);',
                    c_parameters=context + arrays("dest", "source") + [f"{length[1]} nbytes", "int pe"])


def signalled():
    for base, blocking in (("put_signal", 1), ("put_signal_nbi", 0)):
        for _, generic, context in with_and_without_context(f"shmem_{base}"):
            ctx = "ctx" if context else "SHMEM_CTX_DEFAULT"
            tail = ["uint64_t *sig_addr", "uint64_t signal", "int sig_op", "int pe"]
            for suffix, length in list(LENGTHS.items())[:1 if context else None]:
                count = f'atrium_fortran_count("{generic}", "nelems", nelems)' if length else "ATRIUM_ALL"
                yield Interface(
                    generic, f"atrium_f_{generic}{suffix}",
                    [dummy(p) for p in context] + [ANY.format("dest"), ANY_IN.format("source")] +
                    ([f"{length[0]}, value :: nelems"] if length else []) + [dummy(p) for p in tail],
                    shim=f"atrium_fortran_put_signal({blocking}, {ctx}, dest, source, {count}, sig_addr, signal, "
                         f"sig_op, pe);",
                    c_parameters=context + arrays("dest", "source") + ([f"{length[1]} nelems"] if length else []) +
                    tail)


def strided():
    for base, blocks in (("iput", False), ("iget", False), ("ibput", True), ("ibget", True)):
        how = "put" if "put" in base else "get"
        for _, generic, context in with_and_without_context(f"shmem_{base}"):
            ctx = "ctx" if context else "SHMEM_CTX_DEFAULT"
            for suffix, length in list(LENGTHS.items())[1:]:
                names = ["dst", "sst"] + (["bsize", "nblocks"] if blocks else ["nelems"])
                counts = [f'atrium_fortran_count("{generic}", "{n}", {n})' for n in names[2:]]
                counts = counts if blocks else ["1"] + counts
                yield Interface(
                    generic, f"atrium_f_{generic}{suffix}",
                    [dummy(p) for p in context] + [ANY.format("dest"), ANY_IN.format("source")] +
                    [f"{length[0]}, value :: {n}" for n in names] + [dummy("int pe")],
                    shim=f'atrium_fortran_strided(&atrium_{how}, "{generic}", {ctx}, dest, source, dst, sst, '
                         f'{", ".join(counts)}, pe);',
                    c_parameters=context + arrays("dest", "source") + [f"{length[1]} {n}" for n in names] + ["int pe"])


def collectives():
    team, sides = ["shmem_team_t team"], [ANY.format("dest"), ANY_IN.format("source")]

    def collective(name, extra, count, call):
        return Interface(
            f"shmem_{name}", f"atrium_f_shmem_{name}", [dummy(team[0])] + sides + [dummy(e) for e in extra] + [STAT[0]],
            shim=f"const size_t bytes = {count} * source->element; "
                 f'atrium_fortran_status("shmem_{name}", stat, {call});',
            c_parameters=team + arrays("dest", "source") + extra + [STAT[1]])

    fits = 'atrium_fortran_fitting("shmem_{}", dest, source, {})'
    yield collective("broadcast", ["int PE_root"], fits.format("broadcast", 1),
                     "shmem_broadcastmem(team, dest->base, source->base, bytes, PE_root)")
    yield collective("fcollect", [], fits.format("fcollect", "(size_t)shmem_team_n_pes(team)"),
                     "shmem_fcollectmem(team, dest->base, source->base, bytes)")
    yield collective("collect", [], fits.format("collect", 1),
                     "shmem_collectmem(team, dest->base, source->base, bytes)")
    yield collective("alltoall", [], 'atrium_fortran_block("shmem_alltoall", team, dest, source)',
                     "shmem_alltoallmem(team, dest->base, source->base, bytes)")
    for suffix, length in list(LENGTHS.items())[1:]:
        names = ["dst", "sst", "nelems"]
        yield Interface(
            "shmem_alltoalls", f"atrium_f_shmem_alltoalls{suffix}",
            [dummy(team[0])] + sides + [f"{length[0]}, value :: {n}" for n in names] + [STAT[0]],
            shim='atrium_fortran_status("shmem_alltoalls", stat, atrium_fortran_alltoalls(team, dest, source, dst, '
                 'sst, atrium_fortran_count("shmem_alltoalls", "nelems", nelems)));',
            c_parameters=team + arrays("dest", "source") + [f"{length[1]} {n}" for n in names] + [STAT[1]])


def reductions():
    for row in ROWS:
        if row["deprecated"] != "-" or not REDUCTIONS.match(row["name"]):
            continue
        generic = row["name"].replace("_@_", "_")
        # Signed integers combine bit by bit as the unsigned ones of the same width, which C has.
        chosen = {"reduce_bit": [("int8", "uint8"), ("int16", "uint16"), ("int32", "uint32"), ("int64", "uint64")]}.get(
            row["types"], [(m["name"], m["name"]) for m in of_type(row["types"])])
        for name, c_type in chosen:
            c_name = row["name"].replace("@", c_type)
            yield Interface(
                generic, f"atrium_f_{row['name'].replace('@', name)}",
                ["type(shmem_team_t), value :: team", f"{TYPES[name]}, dimension(..), target :: dest",
                 f"{TYPES[name]}, dimension(..), target, intent(in) :: source", STAT[0]],
                shim=f'const size_t count = atrium_fortran_fitting("{generic}", dest, source, 1); '
                     f'atrium_fortran_status("{generic}", stat, {c_name}(team, dest->base, source->base, count));',
                c_parameters=["shmem_team_t team"] + arrays("dest", "source") + [STAT[1]])


def lists():
    """wait_until_all and its family: the length is that of ivars, indices begin with 1, and 0 is none."""
    for row in ROWS:
        found = LISTS.match(row["name"])
        if row["deprecated"] != "-" or not found:
            continue
        many, vector = found[2], bool(found[3])
        generic = row["name"].replace("_@_", "_")
        for name in ("int32", "int64"):
            typed, c_name = TYPES[name], row["name"].replace("@", name)
            value = f"{typed}, intent(in) :: cmp_values(:)" if vector else f"{typed}, value :: cmp_value"
            dummies = [f"{typed}, target :: ivars(:)"]
            dummies += ["integer(c_int), intent(out) :: indices(:)"] * (many == "some")
            dummies += ["integer(c_int), value :: cmp", value, "integer(c_int), intent(in), optional :: status(:)"]
            operand = "values" if vector else "cmp_value"
            shim = f'const size_t count = atrium_fortran_whole("{generic}", "ivars", ivars); ' \
                   f'const int *mask = atrium_fortran_mask("{generic}", status, count); '
            if vector:
                shim += f'const int{name[3:]}_t *values = atrium_fortran_values("{generic}", cmp_values, count); '
            base = f"{c_name}(ivars->base, count, {{}}mask, cmp, {operand})"
            if many == "some":
                shim += f'size_t *room = atrium_fortran_room("{generic}", indices, count); ' \
                        f"const int64_t found = atrium_fortran_indices(indices->base, room, {base.format('room, ')}); " \
                        f"free(room); return found;"
            elif many == "any":
                shim += f"return atrium_fortran_index({base.format('')});"
            else:
                shim += ("return " if "test" in generic else "") + base.format("") + ";"
            result, returns = None, "void"
            if many != "all":
                result, returns = "integer(c_int64_t)", "int64_t"
            elif "test" in generic:
                result, returns = "logical", "int"
            c_parameters = arrays("ivars") + arrays("indices") * (many == "some") + ["int cmp"]
            c_parameters += arrays("cmp_values") if vector else [f"int{name[3:]}_t cmp_value"]
            yield Interface(generic, f"atrium_f_{c_name}", dummies, result, shim, c_parameters + arrays("status"),
                            returns)


def by_hand():
    any_in = ANY_IN.format("dest")
    yield Interface("shmem_ptr", "atrium_f_shmem_ptr", [any_in, dummy("int pe")], "type(c_ptr)",
                    "return shmem_ptr(dest->base, pe);", arrays("dest") + ["int pe"], "void *")
    yield Interface("shmem_team_ptr", "atrium_f_shmem_team_ptr", [dummy("shmem_team_t team"), any_in, dummy("int pe")],
                    "type(c_ptr)", "return shmem_team_ptr(team, dest->base, pe);",
                    ["shmem_team_t team"] + arrays("dest") + ["int pe"], "void *")
    yield Interface("shmem_addr_accessible", "atrium_f_shmem_addr_accessible", [ANY_IN.format("addr"), dummy("int pe")],
                    "logical", "return shmem_addr_accessible(addr->base, pe);", arrays("addr") + ["int pe"], "int")
    # gfortran 11 knows no such argument of a procedure of C.
    yield Interface("shmem_info_get_name", None, ["character(len=*), intent(out) :: name"])
    yield Interface("shmem_pcontrol", "atrium_f_shmem_pcontrol", [dummy("int level")], None, "shmem_pcontrol(level);",
                    ["int level"])
    strided = ["shmem_team_t parent_team", "int start", "int stride", "int size", "shmem_team_t *new_team"]
    yield Interface("shmem_team_split_strided", "atrium_f_split_strided", [dummy(p) for p in strided] + [STAT[0]], None,
                    'atrium_fortran_status("shmem_team_split_strided", stat, shmem_team_split_strided(parent_team, '
                    "start, stride, size, NULL, 0, new_team));", strided + [STAT[1]])
    plane = ["shmem_team_t parent_team", "int xrange", "shmem_team_t *xaxis_team", "shmem_team_t *yaxis_team"]
    yield Interface("shmem_team_split_2d", "atrium_f_split_2d", [dummy(p) for p in plane] + [STAT[0]], None,
                    'atrium_fortran_status("shmem_team_split_2d", stat, shmem_team_split_2d(parent_team, xrange, NULL, '
                    "0, xaxis_team, NULL, 0, yaxis_team));", plane + [STAT[1]])
    for name in ("allocate", "deallocate"):
        for typed in list(TYPES.values()) + ["logical(4)", "logical(c_bool)"]:
            for rank in range(1, 8):
                shape = ", ".join(":" * rank)
                pointer = f"{typed}, pointer, intent(inout) :: array({shape})"
                extents = [f"integer(c_int), intent(in) :: extents({rank})"] if name == "allocate" else []
                yield Interface(f"shmem_{name}", f"atrium_f_{name}", [pointer] + extents + [STAT[0]])


def interfaces():
    for part in (direct, transfers, signalled, strided, collectives, reductions, lists, by_hand):
        yield from part()


OPENING = """\
! OpenSHMEM 1.6 for Fortran: the C API with generic names, for arrays of any rank.
! {generated}
! {license}
module shmem_f08
  use, intrinsic :: iso_c_binding
  implicit none
  private

  type, bind(C), public :: shmem_team_t
    type(c_ptr) :: handle = c_null_ptr
  end type
  type, bind(C), public :: shmem_ctx_t
    type(c_ptr) :: handle = c_null_ptr
  end type
  type, bind(C), public :: shmem_team_config_t
    integer(c_int) :: num_contexts = 0
  end type
  type, bind(C), public :: shmem_ctx_session_config_t
    integer(c_size_t) :: total_ops = 0
  end type
  type(shmem_team_t), parameter, public :: SHMEM_TEAM_INVALID = shmem_team_t(c_null_ptr)
  type(shmem_ctx_t), parameter, public :: SHMEM_CTX_INVALID = shmem_ctx_t(c_null_ptr)
  type(shmem_team_t), bind(C, name="SHMEM_TEAM_WORLD"), protected, public :: SHMEM_TEAM_WORLD
  type(shmem_team_t), bind(C, name="SHMEM_TEAM_SHARED"), protected, public :: SHMEM_TEAM_SHARED
  type(shmem_ctx_t), bind(C, name="SHMEM_CTX_DEFAULT"), protected, public :: SHMEM_CTX_DEFAULT
"""


def f08(generated, license):
    named = {}
    for interface in interfaces():
        named.setdefault(interface.generic, []).append(interface)
    chosen = parameters(lambda n: n not in ("SHMEM_TEAM_INVALID", "SHMEM_CTX_INVALID"), "c_long")
    # Fortran knows no case, and shmem_signal_set is a routine.
    chosen = [(kind, re.sub("^SHMEM_SIGNAL_(SET|ADD)$", r"SHMEM_SIGNAL_OP_\1", name), value)
              for kind, name, value in chosen]
    lines = OPENING.format(generated=generated, license=license).splitlines()
    lines += [""] + [f"  {kind}, parameter, public :: {name} = {value}" for kind, name, value in chosen]
    for generic, specifics in named.items():
        lines += ["", f"  public :: {generic}", f"  interface {generic}"]
        for number, interface in enumerate(specifics):
            lines += interface.f_lines(f"{generic}_{number}" if len(specifics) > 1 else generic)
        lines += ["  end interface"]
    yield "fortran/generated/shmem_f08.f90", "\n".join(lines + ["end module shmem_f08", ""])
    head = ["/* What the module shmem_f08 calls where C's own routines do not fit.", f" * {generated}",
            f" * {license} */", "#include <stdlib.h>", "", '#include "support.h"', ""]
    body = [i.c_definition() for i in interfaces() if i.shim]
    yield "fortran/generated/f08.c", "\n".join(head + body) + "\n"
