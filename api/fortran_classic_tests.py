# The generated tests of the classic Fortran interface: each routine that exists for many types, with all of them.
# SPDX-License-Identifier: BSD-3-Clause
#
# Called by generate.py. What is tested is written here once per family; tests/fortran/*.f90 has the rest by hand.
from fortran_classic import routines

LENGTH = 37
# Type of Fortran, the i-th value that PE p has, what is in no PE's values.
KINDS = {"character": ("character(len=1)", "achar(33 + mod(7 * {i} + 3 * {p}, 90))", "' '"),
         "complex": ("complex", "cmplx({i}, {p})", "(-1.0, -1.0)"),
         "double": ("double precision", "dble(1000 * {p} + {i})", "-1d0"),
         "integer": ("integer", "1000 * {p} + {i}", "-1"),
         "real": ("real", "real(1000 * {p} + {i})", "-1.0"),
         "integer8": ("integer(8)", "5000000000_8 * {p} + {i}", "-1_8"),
         "double_complex": ("complex(8)", "cmplx({i}, {p}, 8)", "(-1d0, -1d0)"),
         "quad": ("real(16)", "real(1000 * {p} + {i}, 16)", "-1.0_16")}
LOGICAL = ("logical", "mod({i} + {p}, 3) == 0", None)
OF = {"4": "integer", "default": "integer", "8": "double", "32": "real", "64": "integer8", "128": "double_complex", "mem": "integer",
      "int4": "integer", "int8": "integer8", "real4": "real", "real8": "double", "real16": "quad",
      "comp4": "complex", "comp8": "double_complex"}


def kind_of(routine):
    tag = routine.tag or ("real16" if "real16" in routine.name else "char" if "_char_" in routine.name else "64")
    tag = {"char": "character"}.get(tag, tag)
    return LOGICAL if tag == "logical" else KINDS[OF.get(tag, tag)]


def value(kind, i, p):
    return kind[1].format(i=i, p=p)


def differs(kind, element, expected):
    return f"{element} .neqv. ({expected})" if kind is LOGICAL else f"{element} /= {expected}"


def nothing(kind, p="me"):
    """What dest holds before: a value that its element does not get."""
    return f".not. ({value(kind, 'i', p)})" if kind is LOGICAL else kind[2]


def subroutine(name, declarations, body):
    return [f"  subroutine test_{name}()"] + [d if d.startswith("#") else f"    {d}" for d in declarations + ["integer :: i"]] + \
           [f"    {line}" for line in body] + ["  end subroutine", ""]


def moves(routine):
    """Each PE moves LENGTH - 2 of LENGTH elements to or from its neighbour; with every second one if strided."""
    kind, name = kind_of(routine), routine.name
    put, strided = "put" in name, "_iput" in name or "_iget" in name
    count = LENGTH // 2 if strided else LENGTH - 2
    given = f"4 * {count}" if name.endswith(("putmem", "getmem", "putmem_nbi", "getmem_nbi")) else str(count)
    strides = "2, 2, " if strided else ""
    moved = f"mod(i, 2) == 1 .and. i <= {2 * count}" if strided else f"i <= {count}"
    owner = "before" if put else "after"
    return subroutine(name, [f"{kind[0]}, save :: dest({LENGTH}), source({LENGTH})"], [
        f"do i = 1, {LENGTH}",
        f"  source(i) = {value(kind, 'i', 'me')}",
        f"  dest(i) = {nothing(kind, owner)}",
        "end do",
        "call shmem_barrier_all()",
        f"call {name}(dest, source, {strides}{given}, {'after' if put else 'after'})",
        "call shmem_barrier_all()",
        f"do i = 1, {LENGTH}",
        f"  if ({moved}) then",
        f"    if ({differs(kind, 'dest(i)', value(kind, 'i', owner))}) call wrong('{name}', i)",
        "  else",
        f"    if ({differs(kind, 'dest(i)', nothing(kind, owner))}) call wrong('{name}, beyond', i)",
        "  end if",
        "end do"])


def atomics(routine):
    kind, name = kind_of(routine), routine.name
    function = routine.result is not None
    operation = name.split("_")[-1]
    five, seven = (f"{n}_8" if kind[0] == "integer(8)" else f"{n}d0" if "double" in kind[0] else
                   f"{n}.0" if kind[0] == "real" else str(n) for n in (5, 7))
    arguments = {"cswap": f"dest, {five}, {seven}, after", "swap": f"dest, {seven}, after", "set": f"dest, {seven}, after",
                 "fetch": "dest, after", "finc": "dest, after", "inc": "dest, after", "fadd": f"dest, {seven}, after",
                 "add": f"dest, {seven}, after"}[operation]
    result = {"cswap": seven, "swap": seven, "set": seven, "fetch": five, "finc": f"{five} + 1", "inc": f"{five} + 1",
              "fadd": f"{five} + {seven}", "add": f"{five} + {seven}"}[operation]
    call = f"was = {name}({arguments})" if function else f"call {name}({arguments})"
    checks = [f"if (was /= {five}) call wrong('{name}, result', 0)"] if function else []
    declarations = [f"{kind[0]}, save :: dest", f"{kind[0]} :: was"]
    if function:
        declarations += ["#ifndef USE_MODULE", f"{kind[0]}, external :: {name}", "#endif"]
    return subroutine(name, declarations,
                      ["i = 0", f"was = {five}", f"dest = {five}", "call shmem_barrier_all()", call,
                       "call shmem_barrier_all()"] + checks + [f"if (dest /= {result}) call wrong('{name}', i)"])


def waits(routine):
    kind, name = kind_of(routine), routine.name
    zero, one = ("0_8", "1_8") if kind[0] == "integer(8)" else ("0", "1")
    put = "shmem_put64" if kind[0] == "integer(8)" else "shmem_put32"
    call = f"call {name}(dest, SHMEM_CMP_EQ, {one})" if name.endswith("until") else f"call {name}(dest, {zero})"
    return subroutine(name, [f"{kind[0]}, save :: dest", f"{kind[0]} :: source(1)"],
                      ["i = 0", f"dest = {zero}", f"source = {one}", "call shmem_barrier_all()",
                       f"call {put}(dest, source, 1, after)", call, f"if (dest /= {one}) call wrong('{name}', i)",
                       "call shmem_barrier_all()"])


REDUCED = {"sum": "{a} + {b}", "prod": "{a} * ({b})", "max": "max({a}, {b})", "min": "min({a}, {b})",
           "and": "iand({a}, {b})", "or": "ior({a}, {b})", "xor": "ieor({a}, {b})"}


def reductions(routine):
    """All PEs, then the even ones alone."""
    kind, name = kind_of(routine), routine.name
    operation = name.split("_")[-3]
    mine = "mod(i + {p}, 3) + 1"
    convert = {"integer": "{}", "integer(8)": "int({}, 8)", "real": "real({})", "double precision": "dble({})",
               "real(16)": "real({}, 16)", "complex": "cmplx({}, 1)", "complex(8)": "cmplx({}, 1, 8)"}[kind[0]]
    declarations = [f"{kind[0]}, save :: dest({LENGTH}), source({LENGTH}), pwrk({LENGTH} + SHMEM_REDUCE_MIN_WRKDATA_SIZE)",
                    f"{kind[0]} :: expected", "integer :: stride, p"]
    return subroutine(name, declarations, [
        "do stride = 0, 1",
        f"  do i = 1, {LENGTH}",
        f"    source(i) = {convert.format(mine.format(p='me'))}",
        f"    dest(i) = {kind[2]}",
        "  end do",
        "  call shmem_barrier_all()",
        "  if (mod(me, stride + 1) == 0) then",
        f"    call {name}(dest, source, {LENGTH - 2}, 0, stride, (pes + stride) / (stride + 1), pwrk, psync)",
        f"    do i = 1, {LENGTH - 2}",
        f"      expected = {convert.format(mine.format(p='0'))}",
        "      do p = stride + 1, pes - 1, stride + 1",
        f"        expected = {REDUCED[operation].format(a='expected', b=convert.format(mine.format(p='p')))}",
        "      end do",
        f"      if (dest(i) /= expected) call wrong('{name}', i)",
        "    end do",
        "  end if",
        f"  if (dest({LENGTH}) /= {kind[2]}) call wrong('{name}, beyond', {LENGTH})",
        "  call shmem_barrier_all()",
        "end do"])


def gathers(routine):
    kind, name = kind_of(routine), routine.name
    each = 3
    collect, alltoall = "collect" in name, "alltoall" in name
    room = f"{each} * most"
    rows = f"{each} * pes"
    strided = "alltoalls" in name
    stride = "1, 1, " if strided else ""
    if collect:
        call = f"call {name}(dest, source, {each}, 0, 0, pes, psync)"
        expected, count = value(kind, f"(mod(i - 1, {each}) + 1)", f"((i - 1) / {each})"), rows
    elif alltoall:
        call = f"call {name}(dest, source, {stride}{each}, 0, 0, pes, psync)"
        expected, count = value(kind, f"({each} * me + mod(i - 1, {each}) + 1)", f"((i - 1) / {each})"), rows
    else:
        call = f"call {name}(dest, source, {each}, pes - 1, 0, 0, pes, psync)"
        expected, count = value(kind, "i", "(pes - 1)"), str(each)
    body = [f"do i = 1, {room}", f"  source(i) = {value(kind, 'i', 'me')}", f"  dest(i) = {nothing(kind)}", "end do",
            "call shmem_barrier_all()", call, f"do i = 1, {count}"]
    check = f"if ({differs(kind, 'dest(i)', expected)}) call wrong('{name}', i)"
    if not collect and not alltoall:  # the root's own dest is left alone
        body += ["  if (me == pes - 1) then", f"    if (dest(i) /= {kind[2]}) call wrong('{name}, root', i)", "  else",
                 f"    {check}", "  end if"]
    else:
        body += ["  " + check]
    return subroutine(name, [f"{kind[0]}, save :: dest({room}), source({room})"], body + ["end do", "call shmem_barrier_all()"])


def family(routine):
    name = routine.name
    if routine.row["section"].startswith(("9.5", "9.6")):
        return moves
    if routine.row["section"].startswith("9.7"):
        return atomics
    if routine.row["section"] == "9.9.1":
        return waits
    if name.endswith("_to_all"):
        return reductions
    if any(word in name for word in ("collect", "alltoall", "broadcast")):
        return gathers
    return None


OPENING = """\
! {title}
! {generated}
! {license}
program test
#ifdef USE_MODULE
  use shmem
  implicit none
#else
  implicit none
  include 'shmem.fh'
  integer, external :: shmem_my_pe, shmem_n_pes
#endif
  integer, parameter :: most = 64
  integer, save :: psync(SHMEM_SYNC_SIZE) = SHMEM_SYNC_VALUE
  integer :: me, pes, before, after, failures = 0
  call shmem_init()
  me = shmem_my_pe()
  pes = shmem_n_pes()
  before = mod(me + pes - 1, pes)
  after = mod(me + 1, pes)
"""
CLOSING = """\
  call shmem_barrier_all()
  if (failures > 0) call shmem_global_exit(1)
  call shmem_finalize()
contains
  subroutine wrong(name, where)
    character(len=*), intent(in) :: name
    integer, intent(in) :: where
    failures = failures + 1
    if (failures <= 20) print '(a, i0, 3a, i0)', 'PE ', me, ': ', name, ' at ', where
  end subroutine
"""


def files(generated, license):
    tested = [(r, family(r)) for r in routines() if family(r)]
    lines = OPENING.format(title="Each typed routine of the classic Fortran interface, between neighbours.",
                           generated=generated, license=license).splitlines()
    lines += [f"  call test_{r.name}()" for r, _ in tested] + CLOSING.splitlines() + [""]
    for routine, test in tested:
        lines += test(routine)
    yield "tests/fortran/generated/classic.F90", "\n".join(lines[:-1] + ["end program", ""])
