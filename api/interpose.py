# The wrappers of our profiling tools: one per routine that accesses memory or orders accesses, for api/generate.py.
# SPDX-License-Identifier: BSD-3-Clause
#
# A wrapper names what a tool is told (race/operations.hpp, profile/record/operations.hpp): the routine, where it
# was called, on which context or team, which memory. What it means is decided there; here is only which argument is which.
import re

from model import ALL, FUNCTIONS, expand, table

# The name in the `call` column, without template arguments: what the tool is told after the call's site.
# `_` stands for the bytes of an element, KIND for the class of an atomic's type.
TOLD = {
    "put": "CTX, dest, source, nelems, _, pe", "put_nbi": "CTX, dest, source, nelems, _, pe",
    "get": "CTX, dest, source, nelems, _, pe", "get_nbi": "CTX, dest, source, nelems, _, pe",
    "p": "CTX, dest, _, pe", "g": "CTX, source, _, pe",
    "iput": "CTX, dest, source, {dst, sst, 1, nelems, _}, pe", "iget": "CTX, dest, source, {dst, sst, 1, nelems, _}, pe",
    "ibput": "CTX, dest, source, {dst, sst, bsize, nblocks, _}, pe",
    "ibget": "CTX, dest, source, {dst, sst, bsize, nblocks, _}, pe",
    "put_signal": "CTX, dest, source, nelems, _, sig_addr, sig_op, pe",
    "put_signal_nbi": "CTX, dest, source, nelems, _, sig_addr, sig_op, pe",
    "signal_set": "CTX, sig_addr, KIND, pe", "signal_add": "CTX, sig_addr, KIND, pe", "signal_fetch": "sig_addr",
    "alltoall": "GROUP, dest, source, nelems, _", "alltoalls": "GROUP, dest, source, dst, sst, nelems, _",
    "broadcast": "GROUP, dest, source, nelems, _, PE_root", "broadcast_others": "GROUP, dest, source, nelems, _, PE_root",
    "collect": "GROUP, dest, source, nelems, _", "fcollect": "GROUP, dest, source, nelems, _",
    "reduce": "GROUP, dest, source, nreduce, _",
    "inscan": "GROUP, dest, source, nelems, _", "exscan": "GROUP, dest, source, nelems, _",
    "barrier_all": "", "sync_all": "", "barrier": "GROUP", "sync": "GROUP",
    "wait_until": "ivar, _", "test": "ivar, _", "signal_wait_until": "sig_addr, 8",
    "wait_until_all": "ivars, nelems, status, _", "wait_until_any": "ivars, nelems, status, _",
    "wait_until_some": "ivars, nelems, indices, _", "wait_until_all_vector": "ivars, nelems, status, _",
    "wait_until_any_vector": "ivars, nelems, status, _", "wait_until_some_vector": "ivars, nelems, indices, _",
    "test_all": "ivars, nelems, status, _", "test_any": "ivars, nelems, status, _",
    "test_some": "ivars, nelems, indices, _", "test_all_vector": "ivars, nelems, status, _",
    "test_any_vector": "ivars, nelems, status, _", "test_some_vector": "ivars, nelems, indices, _",
    "fence": "CTX", "quiet": "CTX", "pe_quiet": "CTX, target_pes, npes",
    "set_lock": "lock", "test_lock": "lock", "clear_lock": "lock",
    "symmetric_malloc": "size", "symmetric_align": "size", "symmetric_malloc_with_hints": "size",
    "symmetric_calloc": "count * size", "symmetric_free": "ptr", "symmetric_realloc": "ptr, size",
    "init": "", "init_thread": "", "start_pes": "", "finalize": "", "global_exit": "",
    "team_split_strided": "parent_team, new_team",
    "team_split_2d": "parent_team, xaxis_team, yaxis_team", "team_destroy": "team",
    "ctx_create": "SHMEM_TEAM_WORLD, ctx", "team_create_ctx": "team, ctx", "ctx_destroy": "ctx",
}
FETCHING = "fetch swap compare_swap fetch_inc fetch_add fetch_and fetch_or fetch_xor".split()
for name in FETCHING + "set inc add and or xor".split():
    place = "source" if name == "fetch" else "dest"
    TOLD[f"atomic_{name}"] = f"CTX, {place}, KIND, pe"
    if name in FETCHING:
        TOLD[f"atomic_{name}_nbi"] = f"CTX, fetch, {place}, KIND, pe"
# The same to a tool: many spellings of one meaning.
MEANS = {"wait_until_all_vector": "wait_until_all", "wait_until_any_vector": "wait_until_any",
         "wait_until_some_vector": "wait_until_some", "test_all_vector": "test_all", "test_any_vector": "test_any",
         "test_some_vector": "test_some",
         "signal_wait_until": "wait_until", "symmetric_align": "symmetric_malloc",
         "symmetric_malloc_with_hints": "symmetric_malloc", "init_thread": "init", "start_pes": "init",
         "iget": "get_strided", "ibget": "get_strided", "iput": "put_strided", "ibput": "put_strided",
         "inscan": "scan", "exscan": "scan"}
CHANGING = "swap compare_swap fetch_inc fetch_add fetch_and fetch_or fetch_xor".split()
for name in CHANGING:
    MEANS[f"atomic_{name}"], MEANS[f"atomic_{name}_nbi"] = "atomic_exchange", "atomic_exchange_nbi"
MEANS.update({"atomic_swap": "atomic_swap", "atomic_swap_nbi": "atomic_swap_nbi", "signal_set": "atomic_set"})
for name in "inc add and or xor".split():
    MEANS[f"atomic_{name}"] = "atomic_change"
MEANS["signal_add"] = "atomic_change"


def meaning(row):
    return re.match(r"\w+", row["call"])[0]


def told(function):
    name = meaning(function.row)
    text = TOLD[name]
    context = "ctx" if function.on_context else "SHMEM_CTX_DEFAULT"
    if "ctx" in function.row["parameters"]:
        context = "ctx"
    group = "Group::of_team(team)" if function.row["handle"] == "team" else \
        "Group::of_set(PE_start, logPE_stride, PE_size)"
    type_class = f"class_of<{function.declared or 'uint64_t'}>()"
    unit = function.unit() if function.member else "sizeof(long)"
    for word, meant in (("CTX", context), ("GROUP", group), ("KIND", type_class)):
        text = re.sub(rf"\b{word}\b", meant, text)
    return re.sub(r"(?<=, )_(?=[,}]|$)", unit, text)


def wrapper(function, guard):
    name = meaning(function.row)
    arguments = ", ".join(["site"] + [told(function)] * bool(told(function)))
    called = f"{function.twin}({', '.join(function.arguments)})"
    return [f"{function.prototype(function.name)} {{",
            f"  const Site site{{Routine::{function.name}, __builtin_return_address(0)}};",
            *[f"  if ({condition}) return {called};" for condition in guard if "NORETURN" not in function.returns],
            f"  {function.result()}{MEANS.get(name, name)}({arguments}, [&] {{ return {called}; }});", "}", ""]


def weak(function):
    return f"#pragma weak {function.twin}"


def wrapped():
    return [f for row, functions in FUNCTIONS if meaning(row) in TOLD for f in functions]


def elsewhere():
    """What other libraries have beside the standard's routines."""
    return [f for row in table("elsewhere") for f in expand(row)]


def tool_wrappers(generated, license_line):
    chosen = wrapped()
    lines = ["// The routines that profiling tools see.", f"// {generated}", f"// {license_line}"]
    yield "interpose/generated/routines.inc", "\n".join(
        lines + [f"INTERPOSED_ROUTINE({f.name}, {meaning(f.row)})" for f in chosen + elsewhere()]) + "\n"
    yield "interpose/generated/weak.hpp", "\n".join(
        ["// Tools are preloaded into programs without OpenSHMEM, too, where the loader finds none of these: with LD_BIND_NOW it",
         "// looks for all before the program starts.", *lines[1:], "#pragma once", ""] + [weak(f) for f in ALL]) + "\n"
    parts = {}
    for function in chosen:
        parts.setdefault(part_of(function), []).append(function)
    for part, functions in parts.items():
        yield f"interpose/generated/{part}.cpp", wrapper_file([part, generated, license_line], functions)


def part_of(function):
    section = function.row["section"].split(".")[1]
    return {"6": "rma", "7": "atomics", "10": "collectives", "11": "wait"}.get(section, "others")


def wrapper_file(head, functions, includes=(), undeclared=(), guard=()):
    """`undeclared`: routines that <pshmem.h> lacks; `guard`: conditions under which a wrapper only calls the routine."""
    body = [line for f in functions if f in undeclared for line in (f"{f.prototype(f.twin)};", weak(f))]
    body += [line for f in functions for line in wrapper(f, guard)]
    return "\n".join(
        [f"// {head[0]}: the wrappers, compiled for each tool with its operations.", *[f"// {line}" for line in head[1:]],
         '#include INTERPOSE_OPERATIONS  // of the tool', *[f'#include "{i}"' for i in includes], "",
         "using namespace INTERPOSE_NAMESPACE;", "", "#pragma GCC visibility push(default)", 'extern "C" {', ""] + body +
        ['}  // extern "C"', "#pragma GCC visibility pop", ""])
