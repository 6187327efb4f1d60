# The generated tests of the module shmem_f08: each generic procedure, with all types.
# SPDX-License-Identifier: BSD-3-Clause
#
# Called by generate.py. What is tested is written here once per family; tests/fortran/*.f90 has the rest by hand.
from fortran_classic_tests import CLOSING, REDUCED
from fortran_f08 import TYPES

# The Fortran type, the value that PE p has at i, and one that no PE has.
F08 = {"int8": ("integer(c_int8_t)", "int(mod(i + 5 * {p}, 100), 1)", "-1_1"),
       "int16": ("integer(c_int16_t)", "int(100 * {p} + i, 2)", "-1_2"),
       "int32": ("integer(c_int32_t)", "1000 * {p} + i", "-1"),
       "int64": ("integer(c_int64_t)", "5000000000_8 * {p} + i", "-1_8"),
       "float": ("real(c_float)", "real(1000 * {p} + i)", "-1.0"),
       "double": ("real(c_double)", "dble(1000 * {p} + i)", "-1d0"),
       "complexf": ("complex(c_float_complex)", "cmplx(i, {p})", "(-1.0, -1.0)"),
       "complexd": ("complex(c_double_complex)", "cmplx(i, {p}, 8)", "(-1d0, -1d0)"),
       "text": ("character(len=5)", "achar(33 + mod(7 * i + 3 * {p}, 90)) // 'abcd'", "'     '"),
       "quad": ("real(16)", "real(1000 * {p} + i, 16)", "-1.0_16"),
       "logical": ("logical", "mod(i + {p}, 3) == 0", None)}


def f08_check(kind, element, expected, name):
    test = f"any({element} .neqv. {expected})" if kind[2] is None else f"any({element} /= {expected})"
    return f"if ({test}) call wrong('{name}')"


def f08_moves(name, kind):
    typed, of, none = kind
    empty = none or ".false."
    flip = none or f"[(.not. ({of.format(p='before')}), i = 1, n)]"
    flipped = none or f"[(.not. ({of.format(p='after')}), i = 1, n)]"
    from_before, from_after = f"[({of.format(p='before')}, i = 1, n)]", f"[({of.format(p='after')}, i = 1, n)]"
    body = [f"mine = [({of.format(p='me')}, i = 1, n)]", "source = mine"]
    for call, expected, stale in (
            ("call shmem_put(dest, mine, after)", from_before, flip), ("call shmem_get(dest, source, after)", from_after, flipped),
            ("call shmem_put_nbi(dest, mine, after)", from_before, flip),
            ("call shmem_get_nbi(dest, source, after)", from_after, flipped),
            ("call shmem_put(dest, mine, n, after)", from_before, flip),
            ("call shmem_put(dest(1), mine(1), int(n, 8), after)", from_before, flip),
            ("call shmem_get(dest(1), source(1), n, after)", from_after, flipped),
            ("call shmem_ctx_put(SHMEM_CTX_DEFAULT, dest, mine, after)", from_before, flip),
            ("call shmem_ctx_get(SHMEM_CTX_DEFAULT, dest, source, after)", from_after, flipped)):
        body += [f"dest = {stale}", "call shmem_barrier_all()", call, "call shmem_barrier_all()",
                 f08_check(kind, "dest", expected, f"{name}: {call.split('(')[0][5:]}")]
    # Every second row and third column, from a plane to a row and back.
    body += [f"plane = {empty}", "call shmem_barrier_all()", "call shmem_put(plane(1:5:2, 1:6:3), mine(1:6), after)",
             "call shmem_barrier_all()",
             f08_check(kind, "reshape(plane(1:5:2, 1:6:3), [6])", f"[({of.format(p='before')}, i = 1, 6)]",
                       f"{name}: a section as dest"),
             f08_check(kind, "reshape(plane(2:4:2, :), [12])", f"[({empty}, i = 1, 12)]", f"{name}: between the rows"),
             f"part = {empty}", "call shmem_get(part, plane(1:5:2, 1:6:3), after)",
             f08_check(kind, "part", f"[({of.format(p='me')}, i = 1, 6)]", f"{name}: a section as source"),
             "call shmem_barrier_all()"]
    body += [f"dest = {flip}", "call shmem_barrier_all()", "call shmem_iput(dest, mine, 2, 2, n / 2, after)",
             "call shmem_barrier_all()",
             f08_check(kind, "dest(1:2 * (n / 2):2)", f"[({of.format(p='before')}, i = 1, 2 * (n / 2), 2)]",
                       f"{name}: shmem_iput"),
             "call shmem_barrier_all()", f"dest = {flipped}", "call shmem_iget(dest, source, 2, 2, n / 2, after)",
             f08_check(kind, "dest(1:2 * (n / 2):2)", f"[({of.format(p='after')}, i = 1, 2 * (n / 2), 2)]",
                       f"{name}: shmem_iget"), "call shmem_barrier_all()",
             f"dest = {flip}", "call shmem_barrier_all()", "call shmem_ibput(dest, mine, 4, 4, 2, 9, after)",
             "call shmem_barrier_all()",
             f08_check(kind, "dest(2:34:4)", f"[({of.format(p='before')}, i = 2, 34, 4)]", f"{name}: shmem_ibput"),
             f"dest = {flipped}", "call shmem_ibget(dest, source, 4, 4, 2, 9, after)",
             f08_check(kind, "dest(2:34:4)", f"[({of.format(p='after')}, i = 2, 34, 4)]", f"{name}: shmem_ibget"),
             "call shmem_barrier_all()",
             "signal = 0", f"dest = {flip}", "call shmem_barrier_all()",
             "call shmem_put_signal(dest, mine, signal, 5_8, SHMEM_SIGNAL_OP_ADD, after)",
             "word = shmem_signal_wait_until(signal, SHMEM_CMP_EQ, 5_8)",
             f08_check(kind, "dest", from_before, f"{name}: shmem_put_signal"), "call shmem_barrier_all()",
             f"dest = {flip}", "call shmem_barrier_all()",
             "call shmem_put_signal_nbi(dest, mine, signal, 6_8, SHMEM_SIGNAL_OP_SET, after)",
             "word = shmem_signal_wait_until(signal, SHMEM_CMP_EQ, 6_8)",
             f08_check(kind, "dest", from_before, f"{name}: shmem_put_signal_nbi"), "call shmem_barrier_all()"]
    # Collectives.
    root = f"[({of.format(p='0')}, i = 1, n)]"
    body += [f"dest = {empty}", "call shmem_barrier_all()", "call shmem_broadcast(SHMEM_TEAM_WORLD, dest, source, 0)",
             f08_check(kind, "dest", root, f"{name}: shmem_broadcast")]
    for collect in ("collect", "fcollect"):
        body += [f"all = {empty}", "call shmem_barrier_all()",
                 f"call shmem_{collect}(SHMEM_TEAM_WORLD, all(:, 1:pes), source)", "do p = 0, pes - 1",
                 "  " + f08_check(kind, "all(:, p + 1)", f"[({of.format(p='p')}, i = 1, n)]", f"{name}: shmem_{collect}"),
                 "end do"]
    body += ["do p = 0, pes - 1", "  blocks(:, p + 1) = cshift(mine, p)", "end do", f"all = {empty}",
             "call shmem_barrier_all()", "call shmem_alltoall(SHMEM_TEAM_WORLD, all(:, 1:pes), blocks(:, 1:pes), stat)",
             f"if (stat /= 0) call wrong('{name}: the status of shmem_alltoall')", "do p = 0, pes - 1",
             "  " + f08_check(kind, "all(:, p + 1)", f"cshift([({of.format(p='p')}, i = 1, n)], me)",
                              f"{name}: shmem_alltoall"), "end do", "call shmem_barrier_all()"]
    if name != "text":
        body += [f"all = {empty}", "call shmem_barrier_all()",
                 "call shmem_alltoalls(SHMEM_TEAM_WORLD, all, blocks, 1, 1, n)", "do p = 0, pes - 1",
                 "  " + f08_check(kind, "all(:, p + 1)", f"cshift([({of.format(p='p')}, i = 1, n)], me)",
                                  f"{name}: shmem_alltoalls"), "end do", "call shmem_barrier_all()"]
    return [f"  subroutine test_{name}()", f"    {typed}, save :: dest(n), source(n), plane(5, 6), all(n, most), blocks(n, most)",
            f"    {typed} :: mine(n), part(6)", "    integer :: i, p, stat", "    integer(8) :: word"] + \
           [f"    {line}" for line in body] + ["  end subroutine", ""]


def f08_typed(name, kind):
    """p and g, atomics, waits, reductions, scans, allocation."""
    typed = kind[0]
    body = []
    integer, real = name.startswith("int"), name in ("float", "double")
    number = {"int8": "{}_1", "int16": "{}_2", "int32": "{}", "int64": "{}_8", "float": "{}.0", "double": "{}d0",
              "complexf": "({}.0, 0.0)", "complexd": "({}d0, 0d0)"}[name].format

    def neighbour(call, expected):
        return [f"x = {number(6)}", "call shmem_barrier_all()", call, "call shmem_barrier_all()",
                f"if (x /= {expected}) call wrong('{name}: {call.split('(')[0].split()[-1]}')"]

    if integer or real:
        body += neighbour(f"call shmem_p(x, {number(9)}, after)", number(9))
        body += [f"if (shmem_g(x, after) /= {number(9)}) call wrong('{name}: shmem_g')",
                 f"if (shmem_ctx_g(SHMEM_CTX_DEFAULT, x, after) /= {number(9)}) call wrong('{name}: shmem_ctx_g')",
                 "call shmem_barrier_all()"]
    if name in ("int32", "int64", "float", "double"):
        body += neighbour(f"call shmem_atomic_set(x, {number(9)}, after)", number(9))
        body += neighbour(f"y = shmem_atomic_swap(x, {number(9)}, after)", number(9))
        body += [f"if (y /= {number(6)}) call wrong('{name}: the result of shmem_atomic_swap')"]
        body += neighbour("y = shmem_atomic_fetch(x, after)", number(6))
        body += neighbour("call shmem_atomic_fetch_nbi(y, x, after)", number(6))
        body += neighbour(f"call shmem_atomic_swap_nbi(y, x, {number(3)}, after)", number(3))
    if name in ("int32", "int64"):
        for operation, expected in (("add", 9), ("and", 2), ("or", 7), ("xor", 5)):
            body += neighbour(f"call shmem_atomic_{operation}(x, {number(3)}, after)", number(expected))
            body += neighbour(f"y = shmem_atomic_fetch_{operation}(x, {number(3)}, after)", number(expected))
            body += neighbour(f"call shmem_ctx_atomic_{operation}(SHMEM_CTX_DEFAULT, x, {number(3)}, after)", number(expected))
            body += neighbour(f"call shmem_atomic_fetch_{operation}_nbi(y, x, {number(3)}, after)", number(expected))
        body += neighbour("call shmem_atomic_inc(x, after)", number(7))
        body += neighbour("y = shmem_atomic_fetch_inc(x, after)", number(7))
        body += neighbour("call shmem_atomic_fetch_inc_nbi(y, x, after)", number(7))
        body += neighbour(f"y = shmem_atomic_compare_swap(x, {number(6)}, {number(1)}, after)", number(1))
        body += neighbour(f"call shmem_atomic_compare_swap_nbi(y, x, {number(6)}, {number(1)}, after)", number(1))
        body += [f"x = {number(0)}", f"many = {number(0)}", "call shmem_barrier_all()", f"call shmem_p(x, {number(4)}, after)",
                 f"call shmem_wait_until(x, SHMEM_CMP_EQ, {number(4)})",
                 f"if (.not. shmem_test(x, SHMEM_CMP_GT, {number(3)})) call wrong('{name}: shmem_test')",
                 f"call shmem_p(many(3), {number(2)}, after)",
                 f"if (shmem_wait_until_any(many, SHMEM_CMP_NE, {number(0)}) /= 3) call wrong('{name}: shmem_wait_until_any')",
                 f"if (shmem_test_any(many(1:2), SHMEM_CMP_NE, {number(0)}) /= 0) call wrong('{name}: shmem_test_any')",
                 f"if (shmem_test_all(many, SHMEM_CMP_NE, {number(0)})) call wrong('{name}: shmem_test_all')",
                 f"if (shmem_wait_until_some(many, indices, SHMEM_CMP_NE, {number(0)}) /= 1) "
                 f"call wrong('{name}: shmem_wait_until_some')",
                 f"if (indices(1) /= 3) call wrong('{name}: an index')",
                 f"if (shmem_test_some(many, indices, SHMEM_CMP_GT, {number(5)}) /= 0) call wrong('{name}: shmem_test_some')",
                 "call shmem_barrier_all()", "call shmem_put(many, [(int(i + 10, kind(x)), i = 1, 5)], after)",
                 "values = [(int(i + 10, kind(x)), i = 1, 5)]",
                 "call shmem_wait_until_all_vector(many, SHMEM_CMP_EQ, values)",
                 f"call shmem_wait_until_all(many, SHMEM_CMP_GT, {number(10)}, status=[0, 1, 0, 0, 0])",
                 f"if (.not. shmem_test_all_vector(many, SHMEM_CMP_EQ, values)) call wrong('{name}: shmem_test_all_vector')",
                 "values(2) = 0",
                 f"if (shmem_test_any_vector(many, SHMEM_CMP_NE, values) /= 2) call wrong('{name}: shmem_test_any_vector')",
                 f"if (shmem_wait_until_any_vector(many, SHMEM_CMP_NE, values) /= 2) "
                 f"call wrong('{name}: shmem_wait_until_any_vector')",
                 f"if (shmem_test_some_vector(many, indices, SHMEM_CMP_EQ, values) /= 4) "
                 f"call wrong('{name}: shmem_test_some_vector')",
                 f"if (shmem_wait_until_some_vector(many, indices, SHMEM_CMP_EQ, values) /= 4) "
                 f"call wrong('{name}: shmem_wait_until_some_vector')",
                 f"if (any(indices(1:4) /= [1, 3, 4, 5])) call wrong('{name}: the indices')", "call shmem_barrier_all()"]
    mine = {"complexf": "cmplx(mod(i + {p}, 3) + 1, 1)", "complexd": "cmplx(mod(i + {p}, 3) + 1, 1, 8)",
            "float": "real(mod(i + {p}, 3) + 1)", "double": "dble(mod(i + {p}, 3) + 1)"}.get(
                name, "int(mod(i + {p}, 3) + 1, kind(x))")
    operations = ["sum", "prod"] + ["max", "min"] * (integer or real) + ["and", "or", "xor"] * integer
    for operation in operations:
        body += [f"source = reshape([({mine.format(p='me')}, i = 1, 12)], [3, 4])", f"dest = {kind[2]}",
                 "call shmem_barrier_all()", f"call shmem_{operation}_reduce(SHMEM_TEAM_WORLD, dest, source)",
                 f"want = reshape([({mine.format(p='0')}, i = 1, 12)], [3, 4])", "do p = 1, pes - 1",
                 f"  from = reshape([({mine.format(p='p')}, i = 1, 12)], [3, 4])",
                 f"  want = {REDUCED[operation].format(a='want', b='from')}", "end do",
                 f"if (any(dest /= want)) call wrong('{name}: shmem_{operation}_reduce')", "call shmem_barrier_all()"]
    for scan, last in (("inscan", "me"), ("exscan", "me - 1")):
        body += [f"source = reshape([({mine.format(p='me')}, i = 1, 12)], [3, 4])", "call shmem_barrier_all()",
                 f"call shmem_sum_{scan}(SHMEM_TEAM_WORLD, dest, source)", "want = 0", f"do p = 0, {last}",
                 f"  want = want + reshape([({mine.format(p='p')}, i = 1, 12)], [3, 4])", "end do",
                 f"if (any(dest /= want)) call wrong('{name}: shmem_sum_{scan}')", "call shmem_barrier_all()"]
    for rank in range(1, 8):
        shape = ", ".join(["2", "3", "1", "2", "1", "2", "1"][:rank])
        body += [f"call shmem_allocate(block{rank}, [{shape}])", f"block{rank} = {number(2)}", "call shmem_barrier_all()",
                 f"call shmem_put(block{rank}, {number(0)} * block{rank} + {number(3)}, after)", "call shmem_barrier_all()",
                 f"if (any(shape(block{rank}) /= [{shape}]) .or. any(block{rank} /= {number(3)})) "
                 f"call wrong('{name}: shmem_allocate, rank {rank}')",
                 f"call shmem_deallocate(block{rank})",
                 f"if (associated(block{rank})) call wrong('{name}: shmem_deallocate')"]
    declarations = [f"{typed}, save :: x, y, many(5), dest(3, 4), source(3, 4)", f"{typed} :: values(5), want(3, 4), from(3, 4)",
                    "integer :: i, p, indices(5)"]
    declarations += [f"{typed}, pointer :: block{rank}({', '.join(':' * rank)}) => null()" for rank in range(1, 8)]
    return [f"  subroutine test_{name}_arithmetic()"] + [f"    {d}" for d in declarations] + \
           [f"    {line}" for line in body] + ["  end subroutine", ""]


F08_OPENING = """\
! The module shmem_f08 with each type: put, get, strided, signals, collectives, atomics, waits, allocation.
! {generated}
! {license}
program test
  use, intrinsic :: iso_c_binding
  use shmem_f08
  implicit none
  integer, parameter :: n = 37, most = 64
  integer :: me, pes, before, after, failures = 0
  integer(8), save :: signal
  call shmem_init()
  me = shmem_my_pe()
  pes = shmem_n_pes()
  before = mod(me + pes - 1, pes)
  after = mod(me + 1, pes)
"""


def files(generated, license):
    lines = F08_OPENING.format(generated=generated, license=license).splitlines()
    lines += [f"  call test_{name}()" for name in F08] + [f"  call test_{name}_arithmetic()" for name in TYPES]
    closing = CLOSING.replace("wrong(name, where)", "wrong(name)").replace("    integer, intent(in) :: where\n", "")
    closing = closing.replace("'(a, i0, 3a, i0)', 'PE ', me, ': ', name, ' at ', where", "'(a, i0, 2a)', 'PE ', me, ': ', name")
    lines += closing.splitlines() + [""]
    for name, kind in F08.items():
        lines += f08_moves(name, kind)
    for name in TYPES:
        lines += f08_typed(name, F08[name])
    yield "tests/fortran/generated/f08.f90", "\n".join(lines[:-1] + ["end program", ""])
