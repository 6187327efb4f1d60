// Walks the stack to the outermost exported routine and to its caller's address. Slow; only on the way to
// a fatal message, and when a wait has lasted a second (job/long_wait.cpp).
// SPDX-License-Identifier: BSD-3-Clause
#include "check/caller.hpp"

#include <dlfcn.h>
#include <execinfo.h>
#include <link.h>
#include <unistd.h>

#include <algorithm>
#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <cstring>

#include "os/process_symbols.hpp"

namespace atrium {
namespace {

constexpr int deepest = 64, deepest_call = 24;

bool begins_with(const char* symbol, const char* prefix) {
  return symbol && std::strncmp(symbol, prefix, std::strlen(prefix)) == 0;
}
bool is_routine(const char* symbol) {
  return begins_with(symbol, "shmem_") || begins_with(symbol, "pshmem_");
}
// What inlined code calls where a PE is AWAY (shmem/fast.h).
constexpr const char* way_in = "atrium_away_";
bool is_way_in(const char* symbol) { return begins_with(symbol, way_in); }

// Met first where library and program are one file (libatrium.a): then nobody can tell our frames from the program's.
bool is_c_library(const char* file) { return std::strstr(file, "/libc.so") != nullptr; }

bool is_in_an_object(const void* address) {
  Dl_info info{};
  return dladdr(address, &info) != 0;
}

// What stands in a slot of a global offset table.
const void* read_slot(const void* slot) {
  const void* address = nullptr;
  if (is_in_an_object(slot)) std::memcpy(&address, slot, sizeof address);
  return address;
}

// The target of the call that returns to `returns`, as far as it is written there, and not in a register.
const void* target_before(const void* returns) {
#if defined(__x86_64__)
  const auto* code = static_cast<const unsigned char*>(returns);
  int32_t distance;
  std::memcpy(&distance, code - 4, 4);
  if (code[-6] == 0xff && code[-5] == 0x15) return read_slot(code + distance);  // call *slot(%rip)
  return code[-5] == 0xe8 ? code + distance : nullptr;                          // call target
#elif defined(__aarch64__)
  const auto* code = static_cast<const uint32_t*>(returns) - 1;
  return *code >> 26 == 0x25 ? code + (static_cast<int32_t>(*code << 6) >> 6) : nullptr;  // bl target
#else
  return returns ? nullptr : nullptr;
#endif
}

// Where an entry of a procedure linkage table leads to; `target` itself if it is none.
const void* behind_linkage(const void* target) {
#if defined(__x86_64__)
  const auto* jump = static_cast<const unsigned char*>(target);
  if (std::memcmp(jump, "\xf3\x0f\x1e\xfa", 4) == 0) jump += 4;  // endbr64
  if (*jump == 0xf2) ++jump;                                     // bnd
  int32_t distance;
  std::memcpy(&distance, jump + 2, 4);
  return jump[0] == 0xff && jump[1] == 0x25 ? read_slot(jump + 6 + distance) : target;  // jmp *slot(%rip)
#elif defined(__aarch64__)
  const auto* jump = static_cast<const uint32_t*>(target);
  if (*jump == 0xd503245f) ++jump;  // bti c
  const uint32_t page = jump[0], load = jump[1];
  if ((page & 0x9f00001f) != 0x90000010 || (load & 0xffc003ff) != 0xf9400211) return target;
  const int64_t pages =
      (static_cast<int32_t>((page & 0x00ffffe0) << 8) >> 11) | static_cast<int32_t>(page >> 29 & 3);
  const auto here = reinterpret_cast<uintptr_t>(jump) & ~uintptr_t{4095};
  const uintptr_t slot = here + static_cast<uintptr_t>(pages * 4096) + (load >> 10 & 4095) * 8;
  return read_slot(reinterpret_cast<const void*>(slot));  // adrp x16, page; ldr x17, [x16, #offset]
#else
  return target;
#endif
}

// A routine of one line leaves by a jump, so that no back trace has it; but whoever called it has written its name.
std::string routine_called_before(const void* returns) {
  const void* target = target_before(returns);
  if (!target || !is_in_an_object(target)) return {};
  target = behind_linkage(target);
  Dl_info info{};
  if (!target || dladdr(target, &info) == 0 || info.dli_saddr != target) return {};
  if (is_way_in(info.dli_sname)) return "shmem_" + std::string(info.dli_sname + std::strlen(way_in));
  return is_routine(info.dli_sname) ? info.dli_sname + (info.dli_sname[0] == 'p') : std::string();
}

// The code of the executable.
struct Program {
  uintptr_t base = 0, begin = 0, bytes = 0;
  bool has_the_library = false;  // linked in: its own frames cannot be told from the program's
};

Program find_program() {
  Program found;
  dl_iterate_phdr(
      [](dl_phdr_info* object, size_t, void* argument) {
        Program& program = *static_cast<Program*>(argument);
        program.base = object->dlpi_addr;
        for (int i = 0; i < object->dlpi_phnum; ++i) {
          const auto& part = object->dlpi_phdr[i];
          if (part.p_type != PT_LOAD || (part.p_flags & PF_X) == 0) continue;
          program.begin = program.base + part.p_vaddr;
          program.bytes = part.p_memsz;
        }
        return 1;  // the first object is the executable
      },
      &found);
  found.has_the_library = reinterpret_cast<uintptr_t>(&find_caller) - found.begin < found.bytes;
  return found;
}

const Program& this_program() {
  static const Program program = find_program();
  return program;
}

std::string place(const Dl_info& info, const void* address) {
  char offset[32];
  std::snprintf(offset, sizeof offset, "+0x%" PRIxPTR,
                reinterpret_cast<uintptr_t>(address) - reinterpret_cast<uintptr_t>(info.dli_fbase));
  return std::string(info.dli_fname) + offset;
}

}  // namespace

Caller find_caller(std::span<void* const> frames) {
  Dl_info here{}, info{};
  Caller caller;
  if (dladdr(reinterpret_cast<void*>(&find_caller), &here) == 0) return caller;
  for (void* const frame : frames) {
    if (dladdr(frame, &info) == 0) continue;
    if (is_way_in(info.dli_sname)) continue;
    if (is_routine(info.dli_sname)) {
      caller.routine = info.dli_sname + (info.dli_sname[0] == 'p');
      continue;
    }
    const bool outside = info.dli_fbase != here.dli_fbase;
    if (outside && is_c_library(info.dli_fname)) break;
    if (!outside && caller.routine.empty()) continue;
    caller.place = place(info, frame);
    caller.returns = frame;
    if (caller.routine.empty()) caller.routine = routine_called_before(frame);
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
  const Program& here = this_program();
  void* frames[deepest_call];
  const int count = here.has_the_library ? 0 : backtrace(frames, deepest_call);
  for (int i = 1; i < count; ++i)
    if (const auto address = reinterpret_cast<uintptr_t>(frames[i]); address - here.begin < here.bytes)
      return address - here.base;
  return 0;
}

std::string line_in_program(uint64_t caller) {
  if (caller == 0) return {};
  const uint64_t address = this_program().base + caller;
  const ProcessSymbols symbols = look_up_symbols(getpid(), {&address, 1}, 0);
  if (symbols.code.empty() || symbols.code[0].file.empty()) {
    Dl_info info{};
    return dladdr(reinterpret_cast<void*>(address), &info) == 0
               ? ""
               : " (" + place(info, reinterpret_cast<void*>(address)) + ")";
  }
  const CodePlace& code = symbols.code[0];
  return " (" + code.file + ":" + std::to_string(code.line) +
         (code.function.empty() ? "" : " in " + code.function) + ")";
}

std::string describe_caller() {
  void* frames[deepest];
  const auto count = static_cast<size_t>(backtrace(frames, deepest));
  return describe(find_caller(std::span(frames, count).subspan(std::min<size_t>(count, 1))));
}

}  // namespace atrium
