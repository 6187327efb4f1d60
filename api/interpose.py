# The wrappers of our profiling tools: one for each routine but those of NOT_SHOWN, for api/generate.py.
# SPDX-License-Identifier: BSD-3-Clause
#
# A wrapper fills in a RoutineCall (interpose/operation.hpp) and shows it to the tool. What it means is decided there; here
# is only which argument is which.
import re

from model import ALL, FUNCTIONS, expand, table

# The name in the `call` column, without template arguments: the family of routines, then the members of RoutineCall and their
# values; a name alone is a member whose value is the parameter of that name. In capitals:
#   CTX, GROUP, ALL   on which context, or which PEs take part      UNIT  the bytes of an element      STRIDES  of blocks
ELEMENTS = "dest source count=nelems UNIT"
SHOWN = {
    "put": f"put: CTX {ELEMENTS} pe", "put_nbi": f"put: CTX {ELEMENTS} pe nonblocking=true",
    "get": f"get: CTX {ELEMENTS} pe", "get_nbi": f"get: CTX {ELEMENTS} pe nonblocking=true",
    "p": "put: CTX dest count=1 UNIT pe", "g": "get: CTX source count=1 UNIT pe",
    "iput": f"put: CTX {ELEMENTS} pe STRIDES(1,nelems)",
    "iget": f"get: CTX {ELEMENTS} pe STRIDES(1,nelems)",
    "ibput": "put: CTX dest source count=bsize*nblocks UNIT pe STRIDES(bsize,nblocks)",
    "ibget": "get: CTX dest source count=bsize*nblocks UNIT pe STRIDES(bsize,nblocks)",
    "put_signal": f"put_signal: CTX {ELEMENTS} pe signal=sig_addr how=sig_op",
    "put_signal_nbi": f"put_signal: CTX {ELEMENTS} pe signal=sig_addr how=sig_op nonblocking=true",
    "signal_set": "atomic: CTX dest=sig_addr count=1 UNIT pe atomic=Atomic::set",
    "signal_add": "atomic: CTX dest=sig_addr count=1 UNIT pe atomic=Atomic::change",
    "signal_fetch": "signal_fetch: source=sig_addr count=1 UNIT",
    "alltoall": f"alltoall: GROUP {ELEMENTS}",
    "alltoalls": f"alltoall: GROUP {ELEMENTS} STRIDES(1,nelems)",
    "broadcast": f"broadcast: GROUP {ELEMENTS} pe=PE_root", "broadcast_others": f"broadcast_others: GROUP {ELEMENTS} pe=PE_root",
    "collect": f"collect: GROUP {ELEMENTS}", "fcollect": f"fcollect: GROUP {ELEMENTS}",
    "reduce": "reduce: GROUP dest source count=nreduce UNIT",
    "inscan": f"scan: GROUP {ELEMENTS}", "exscan": f"scan: GROUP {ELEMENTS}",
    "barrier_all": "barrier: ALL", "sync_all": "sync: ALL", "barrier": "barrier: GROUP", "sync": "sync: GROUP",
    "signal_wait_until": "wait: source=sig_addr count=1 UNIT",
    "fence": "fence: CTX", "quiet": "quiet: CTX", "pe_quiet": "pe_quiet: CTX pes=target_pes count=npes",
    "set_lock": "set_lock: dest=lock", "test_lock": "test_lock: dest=lock", "clear_lock": "clear_lock: dest=lock",
    "symmetric_malloc": "allocate: ALL count=size unit=1", "symmetric_align": "allocate: ALL count=size unit=1",
    "symmetric_malloc_with_hints": "allocate: ALL count=size unit=1",
    "symmetric_calloc": "allocate: ALL count=count*size unit=1 written=true",
    "symmetric_free": "free: ALL dest=ptr", "symmetric_realloc": "reallocate: ALL dest=ptr count=size unit=1",
    "init": "init:", "init_thread": "init:", "start_pes": "init:", "finalize": "finalize: ALL", "global_exit": "global_exit:",
    "team_split_strided": "team_split: of=Members::team team=parent_team new_team",
    "team_split_2d": "team_split: of=Members::team team=parent_team new_team=xaxis_team second_team=yaxis_team",
    "team_destroy": "team_destroy: of=Members::team team", "ctx_create": "ctx_create: ALL new_ctx=ctx",
    "team_create_ctx": "ctx_create: of=Members::team team new_ctx=ctx", "ctx_destroy": "ctx_destroy: ctx",
}
for name in ("wait_until", "test"):
    family = name.split("_")[0]
    SHOWN[name] = f"{family}: source=ivar count=1 UNIT"
    for words, more in (("all", "status"), ("any", "status"), ("some", "indices")):
        SHOWN[f"{name}_{words}"] = SHOWN[f"{name}_{words}_vector"] = \
            f"{family}: source=ivars count=nelems UNIT words=Words::{words} {more}"
CHANGES = {"fetch": "fetch", "set": "set", "swap": "swap", "compare_swap": "exchange"}
for name in ("fetch", "swap", "compare_swap", *(f"fetch_{what}" for what in ("inc", "add", "and", "or", "xor"))):
    shown = f"atomic: CTX {'source' if name == 'fetch' else 'dest'} count=1 UNIT FLOATING pe atomic=Atomic::{CHANGES.get(name, 'exchange')}"
    SHOWN[f"atomic_{name}"], SHOWN[f"atomic_{name}_nbi"] = shown, f"{shown} nonblocking=true fetch"
for name in ("set", "inc", "add", "and", "or", "xor"):
    SHOWN[f"atomic_{name}"] = f"atomic: CTX dest count=1 UNIT FLOATING pe atomic=Atomic::{CHANGES.get(name, 'change')}"

# What is not shown to tools, and why.
NOT_SHOWN = {
    **dict.fromkeys("my_pe n_pes query_initialized query_thread info_get_version info_get_name pe_accessible addr_accessible ptr"
                    " team_ptr team_my_pe team_n_pes team_get_config team_translate_pe ctx_get_team".split(),
                    "it only answers: no memory is accessed, nothing ordered, nobody waited for"),
    **dict.fromkeys(("ctx_session_start", "ctx_session_stop"), "hints (9.9), which order nothing"),
    "pcontrol": "it is meant for tools, each of which defines it or does not (10.1.1)",
}
# In the order of RoutineCall, which has one member for those that no two routines of a family have.
MEMBERS = "family of atomic words nonblocking floating written ctx team dest source count unit strides more second_team how pe".split()
MORE = set("fetch signal status indices pes new_ctx new_team set".split())


def meaning(row):
    return re.match(r"\w+", row["call"])[0]


def temporary(value):
    """The address of what lives as long as the call."""
    kind = value.split("{")[0]
    return f"&static_cast<const\u00a0{kind}&>({value})"


def group_of(function):
    if function.row["handle"] == "team":
        return "of=Members::team team"
    return f"of=Members::set set={temporary('ActiveSet{PE_start,logPE_stride,PE_size}')}"


def members_of(function):
    """What a RoutineCall of the function is initialised with, behind its site."""
    family, text = SHOWN[meaning(function.row)].split(":", 1)
    on_context = function.on_context or "shmem_ctx_t ctx" in function.parameters
    unit = function.unit() if function.member else "sizeof(uint64_t)" if "sig_addr" in function.arguments else "sizeof(long)"
    for word, meant in (("CTX", "ctx" if on_context else "ctx=SHMEM_CTX_DEFAULT"), ("GROUP", group_of(function)),
                        ("ALL", "of=Members::all"), ("UNIT", f"unit={unit}".replace(" ", "\u00a0")),
                        ("FLOATING", "floating=true" if function.declared in ("float", "double") else "")):
        text = re.sub(rf"\b{word}\b", meant, text)
    text = re.sub(r"STRIDES\((\S+?)\)", lambda m: f"strides={temporary(f'ElementStrides{{dst,sst,{m[1]}}}')}", text)
    text = re.sub("count=nreduce", "count=static_cast<size_t>(nreduce)", text) if "int nreduce" in function.parameters else text
    written = [(m.split("=")[0], m.split("=", 1)[-1]) for m in text.split(" ") if m]
    values = {"family": f"RoutineFamily::{family}"} | {"more" if name in MORE else name: value for name, value in written}
    return ", ".join(f".{m} = {values[m].replace(',', ', ')}" for m in MEMBERS if m in values).replace("\u00a0", " ")


def wrapper(function, guard):
    called = f"{function.twin}({', '.join(function.arguments)})"
    lines = [f"{function.prototype(function.name)} {{",
             f"  const Site site{{Routine::{function.name}, __builtin_return_address(0)}};"]
    noreturn = "NORETURN" in function.returns
    lines += [f"  if ({condition}) return {called};" for condition in guard if not noreturn]
    lines += [f"  {function.result()}call_with_tool({{.site = site, {members_of(function)}}}, [&] {{ return {called}; }});"]
    return [*lines, *["  __builtin_unreachable();"] * noreturn, "}", ""]


def weak(function):
    return f"#pragma weak {function.twin}"


def wrapped():
    """The functions that are shown to tools. Each other is in NOT_SHOWN, with the reason."""
    there, known = {meaning(row) for row, _ in FUNCTIONS}, SHOWN.keys() | NOT_SHOWN.keys()
    for names, wrong in ((there - known, "neither shown to tools nor in NOT_SHOWN"), (known - there, "no routine"),
                         (SHOWN.keys() & NOT_SHOWN.keys(), "both shown to tools and in NOT_SHOWN")):
        if names:
            raise SystemExit(f"api/interpose.py: {wrong}: {', '.join(sorted(names))}")
    return [f for row, functions in FUNCTIONS if meaning(row) in SHOWN for f in functions]


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
        [f"// {head[0]}: the wrappers.", *[f"// {line}" for line in head[1:]],
         "#include <complex>", "", *[f'#include "{i}"' for i in (*includes, "interpose/tool.hpp")], "",
         "using namespace atrium::interpose;", "", "#pragma GCC visibility push(default)", 'extern "C" {', ""] + body +
        ['}  // extern "C"', "#pragma GCC visibility pop", ""])
