// Walks the stack to the outermost exported routine and to its caller's address. Slow; only on the way to
// a fatal message, and when a wait has lasted a second (job/long_wait.cpp).
// SPDX-License-Identifier: BSD-3-Clause
#include "check/caller.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <utility>

#include "atrium_words.hpp"
#include "check/python_place.hpp"
#include "os/program_counter.hpp"
#include "os/stack_frames.hpp"
#include "symbols/code_target.hpp"
#include "symbols/fortran_names.hpp"
#include "symbols/look_up.hpp"
#include "symbols/mappings.hpp"
#include "symbols/symbol_map.hpp"
#include "symbols/this_program.hpp"

namespace atrium {
namespace {

constexpr int deepest = 64, deepest_call = 24;

bool begins_with(const char* symbol, const char* prefix) {
  return symbol && std::strncmp(symbol, prefix, std::strlen(prefix)) == 0;
}
// What Fortran's SHMEM_SET_LOCK and the others call.
constexpr const char* narrow = "atrium_narrow_";
// What Python's module calls.
constexpr const char* from_python = "atrium_python_";
// What inlined code calls where a PE is AWAY (shmem/fast.h).
constexpr const char* way_in = "atrium_away_";
bool is_way_in(const char* symbol) { return begins_with(symbol, way_in); }
bool is_routine(const char* symbol) {
  return begins_with(symbol, "shmem_") || begins_with(symbol, "pshmem_") || begins_with(symbol, narrow) ||
         begins_with(symbol, from_python);
}
std::string name_of_routine(const char* symbol) {
  for (const char* prefix : {narrow, from_python, way_in})
    if (begins_with(symbol, prefix)) return "shmem_" + std::string(symbol + std::strlen(prefix));
  return symbol + (symbol[0] == 'p');
}

// Met first where library and program are one file (libatrium.a): our frames cannot be distinguished from the program's there.
bool is_c_library(const char* file) { return std::strstr(file, "/libc.so") != nullptr; }

bool is_in_an_object(const void* address) {
  Dl_info info{};
  return dladdr(address, &info) != 0;
}

// Where it leads to; null if its slot cannot be read.
const void* address_of(const CodeTarget& target) {
  if (!target.is_slot) return target.address;
  const void* address = nullptr;
  if (is_in_an_object(target.address)) std::memcpy(&address, target.address, sizeof address);
  return address;
}

// A return address may be the next function's.
const Symbol* wrapper_before(const void* returns) {
  return wrapper_around(reinterpret_cast<uintptr_t>(returns) - 1);
}

// A routine of one line ends with a jump, so that no back trace contains it; but the call instruction names it.
std::string routine_called_before(const void* returns) {
  const void* target = address_of(call_before(returns));
  if (!target || !is_in_an_object(target)) return {};
  if (const CodeTarget entry = jump_at(target); entry.address) target = address_of(entry);
  Dl_info info{};
  if (const Symbol* wrapper = target ? wrapper_around(reinterpret_cast<uintptr_t>(target)) : nullptr)
    return routine_of_wrapper(wrapper->name);
  if (!target || dladdr(target, &info) == 0 || info.dli_saddr != target) return {};
  return is_routine(info.dli_sname) || is_way_in(info.dli_sname) ? name_of_routine(info.dli_sname)
                                                                 : std::string();
}

bool has_name_of_interpreter(const CodeRange& code) {
  Dl_info info{};
  return dladdr(reinterpret_cast<const void*>(code.begin), &info) != 0 && is_python(info.dli_fname);
}

// The executable.
struct Executable {
  uintptr_t base = executable_bias();
  CodeRange code = executable_code();
  // Python, whose code is nobody's program.
  bool is_interpreter = has_name_of_interpreter(code);
  // Linked in: its own frames cannot be distinguished from the program's.
  bool has_the_library = code.has(reinterpret_cast<uintptr_t>(&find_caller));
};

const Executable& this_program() {
  static const Executable program;
  return program;
}

bool is_of_program(const void* returns) {
  return this_program().code.has(reinterpret_cast<uintptr_t>(returns)) && !wrapper_before(returns);
}

std::string place(const Dl_info& info, const void* address) {
  const auto base = reinterpret_cast<uintptr_t>(info.dli_fbase);
  return std::string(info.dli_fname) + "+" + hexadecimal(reinterpret_cast<uintptr_t>(address) - base);
}

SourcePlace code_before(const void* returns) {
  const auto address = reinterpret_cast<uintptr_t>(returns);
  ProcessSymbols symbols = look_up_symbols(this_process(), {&address, 1}, 0);
  return symbols.code.empty() ? SourcePlace{} : std::move(symbols.code[0]);
}

// "heat.c:41 in main"; without lines "main of heat", and without names "./heat+0x1189"; empty if there is no code.
std::string readable_place(const void* returns, SourcePlace code) {
  if (code.has_line()) return code.text();
  Dl_info info{};
  if (dladdr(returns, &info) == 0) return {};
  if (code.function.empty()) return place(info, returns);
  code.module = info.dli_fname;
  return code.text();
}
std::string readable_place(const void* returns) { return readable_place(returns, code_before(returns)); }

// With lines. Inlined code calls parts of a routine; then only the debugging information has the name of the routine.
std::string describe_with_line(Caller caller) {
  if (caller.returns) {
    const SourcePlace code = code_before(caller.returns);
    caller.place = readable_place(caller.returns, code);
    if (caller.routine.empty()) caller.routine = code.routine;
  }
  return describe(caller);
}

// Of a tool (the race checker, a profiler), which may call a routine from the depth of another one: shmem_finalize of the race
// checker meets in shmem_barrier_all.
bool lead_to_a_routine(std::span<void* const> frames) {
  return std::any_of(frames.begin(), frames.end(), [](void* frame) {
    Dl_info info{};
    return dladdr(frame, &info) != 0 && is_routine(info.dli_sname);
  });
}

// By which modules of Python call: ctypes, and what cffi has made of shmem4py.
bool binds_python(const char* file) {
  const std::string name = file_name_of(file);
  return name.starts_with("libffi") || name.starts_with("_ctypes.") || std::strstr(file, "/shmem4py/");
}

bool lead_to_python(std::span<void* const> frames) {
  return std::any_of(frames.begin(), frames.end(), [](void* frame) {
    Dl_info info{};
    return dladdr(frame, &info) != 0 && is_python(info.dli_fname);
  });
}

}  // namespace

bool is_python(const char* file) {
  const std::string name = file ? file_name_of(file) : "";
  return name.starts_with("libpython") ||
         (name.starts_with("python") && name.find_first_not_of("0123456789.", 6) == name.npos);
}

Caller find_caller(std::span<void* const> frames) {
  Dl_info here{}, info{};
  Caller caller;
  if (dladdr(reinterpret_cast<void*>(&find_caller), &here) == 0) return caller;
  bool is_below_us = false;  // a sanitizer's backtrace() is the innermost frame itself
  for (size_t i = 0; i < frames.size(); ++i) {
    void* const frame = frames[i];
    if (dladdr(frame, &info) == 0) continue;
    is_below_us = is_below_us || info.dli_fbase == here.dli_fbase;
    if (!is_below_us || is_way_in(info.dli_sname)) continue;
    if (const Symbol* wrapper = wrapper_before(frame)) {
      if (std::string name = routine_of_wrapper(wrapper->name); !name.empty())
        caller.routine = std::move(name);
      continue;
    }
    if (is_routine(info.dli_sname)) {
      caller.routine = name_of_routine(info.dli_sname);
      continue;
    }
    const bool outside = info.dli_fbase != here.dli_fbase;
    if (outside && is_c_library(info.dli_fname)) break;
    if (!outside && caller.routine.empty()) continue;
    const auto outer = frames.subspan(i + 1);
    if (outside && lead_to_a_routine(outer)) continue;
    if (outside && binds_python(info.dli_fname) && lead_to_python(outer)) {
      const std::string line = place_in_python();
      caller.place = line.empty() ? "Python" : line;
      break;
    }
    caller.place = place(info, frame);
    caller.returns = frame;
    if (std::string called = routine_called_before(frame); !called.empty() || caller.routine.empty())
      caller.routine = std::move(called);
    break;
  }
  return caller;
}

std::string describe(const Caller& caller) {
  if (caller.place.empty()) return caller.routine;
  return caller.routine.empty() ? "a call from " + caller.place
                                : caller.routine + ", called from " + caller.place;
}

uint64_t caller_in_program() {
  const Executable& here = this_program();
  void* frames[deepest_call];
  const size_t count = here.has_the_library || here.is_interpreter ? 0 : walk_frames(frames);
  for (size_t i = 1; i < count; ++i)
    if (is_of_program(frames[i])) return reinterpret_cast<uintptr_t>(frames[i]) - here.base;
  return 0;
}

uint64_t place_in_program(const void* returns) {
  const Executable& here = this_program();
  const auto address = reinterpret_cast<uintptr_t>(returns);
  return here.code.has(address) ? address - here.base : 0;
}

const void* called_from(const void* returns) {
  const Executable& here = this_program();
  if (is_of_program(returns)) return returns;
  const uint64_t caller = caller_in_program();
  return caller != 0 ? reinterpret_cast<const void*>(here.base + caller) : returns;
}

std::string line_in_program(uint64_t caller) {
  return caller == 0 ? "" : line_of_call(reinterpret_cast<const void*>(this_program().base + caller));
}

std::string line_of_call(const void* returns) {
  const std::string place = returns && !wrapper_before(returns) ? readable_place(returns) : "";
  return place.empty() ? "" : " (" + place + ")";
}

// Of a function of the program: the line, where it is known, and the routine that was inlined there.
std::string describe_in_program(std::string routine, const std::string& function, const void* frame,
                                bool is_instruction) {
  const SourcePlace code = code_before(static_cast<const char*>(frame) + (is_instruction ? 1 : 0));
  if (routine.empty()) routine = code.routine;
  return describe(Caller{std::move(routine), code.has_line() ? code.text() : function});
}

// How the program calls the function of this name; empty: it is no routine.
std::string routine_named(const std::string& function) {
  if (is_name_of_wrapper(function)) return routine_of_wrapper(function);
  return is_routine(function.c_str()) || is_way_in(function.c_str()) ? name_of_routine(function.c_str()) : "";
}

std::string function_of_this_program(const void* address) {
  return function_in(executable_file, reinterpret_cast<uintptr_t>(address) - executable_bias());
}

// As routine_called_before(), where library and program are one file.
std::string routine_called_in_one_file(const void* returns) {
  const CodeTarget target = call_before(returns);
  return target.address && !target.is_slot ? routine_named(function_of_this_program(target.address)) : "";
}

// Where library and program are one file, the names of functions distinguish them. The first frame is where it is, the others
// are where it returns to.
std::string describe_in_one_file(std::span<void* const> frames, const char* known_routine = nullptr) {
  std::string routine = known_routine ? known_routine : "";
  for (void* const frame : frames) {
    const std::string name = function_of_this_program(frame), written = routine_named(name);
    const bool is_ours = name.empty() || name.find("atrium::") != std::string::npos ||
                         begins_with(name.c_str(), "atrium_") || begins_with(name.c_str(), "__");
    if (!known_routine && !written.empty()) routine = written;
    if (is_ours || is_name_of_wrapper(name) || is_routine(name.c_str())) continue;
    const bool is_call = frame != frames.front();
    if (routine.empty() && is_call) routine = routine_called_in_one_file(frame);
    return describe_in_program(routine, name, frame, !is_call);
  }
  return routine;
}

std::string describe_caller(const char* routine) {
  void* frames[deepest];
  const auto all = std::span(frames, walk_frames(frames));
  if (this_program().has_the_library) return describe_in_one_file(all, routine);
  Caller caller = find_caller(all);
  if (routine) caller.routine = routine;
  return describe_with_line(std::move(caller));
}

// A routine of one line has left by a jump into the C library, whose copying was interrupted: none of our frames is there.
Caller find_interrupted(std::span<void* const> frames) {
  Caller caller = find_caller(frames);
  if (caller.returns || !caller.routine.empty()) return caller;
  const auto program = std::find_if(frames.begin(), frames.end(), is_of_program);
  return program == frames.end() ? caller : Caller{routine_called_before(*program), {}, *program};
}

// The frames of the handler, and those that the kernel has put under it, are of no interest.
std::string describe_interrupted_call(const void* context) {
  void* const at = reinterpret_cast<void*>(program_counter(context));
  if (is_of_program(at) && !this_program().has_the_library)
    return describe_with_line({{}, {}, static_cast<const char*>(at) + 1});
  void* frames[deepest];
  const auto all = std::span(frames, walk_frames(frames));
  const auto first = std::find(all.begin(), all.end(), at);
  const auto interrupted = all.subspan(static_cast<size_t>(first - all.begin()));
  return this_program().has_the_library ? describe_in_one_file(interrupted)
                                        : describe_with_line(find_interrupted(interrupted));
}

std::string describe_inlined_call(uintptr_t instruction) {
  if (!this_program().code.has(instruction)) return {};
  const uint64_t behind = instruction + 1;
  const ProcessSymbols symbols = look_up_symbols(this_process(), {&behind, 1}, 0);
  if (symbols.code.empty() || symbols.code[0].routine.empty()) return {};
  return describe(Caller{symbols.code[0].routine, symbols.code[0].text()});
}

}  // namespace atrium
