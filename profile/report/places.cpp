// By debug information; without it, by the symbol table.
// SPDX-License-Identifier: BSD-3-Clause
#include "profile/report/places.hpp"

#include <cstdio>

#include "os/symbol_table.hpp"

namespace atrium::profile {
namespace {

std::string after_slash(const std::string& path) { return path.substr(path.rfind('/') + 1); }

// The inline functions of shmem.h lie between the program's line and the library.
bool is_ours(const std::string& file) {
  for (const char* part : {"shmem/inline.h", "shmem/fast.h", "shmem/overloads.h", "shmem/generics.h"})
    if (file.ends_with(part)) return true;
  return false;
}

// "._omp_fn.0", ".omp_outlined.", ".constprop.0": what compilers add to the name of the function that was written.
std::string as_written(std::string function) {
  if (function.starts_with(".omp_outlined")) return "a parallel region";
  const size_t dot = function.find('.');
  if (dot != std::string::npos && dot != 0) function.resize(dot);
  return function;
}

}  // namespace

std::string Place::text() const {
  if (!file.empty()) return after_slash(file) + ":" + std::to_string(line);
  return function.empty() ? otherwise : function + " of " + otherwise;
}

std::string Place::whole() const {
  return file.empty() || function.empty() ? text() : text() + " in " + function;
}

Place Places::look_up(const std::string& module, uint64_t address) {
  auto& file = files_[module];
  if (!file) file = std::make_unique<ProgramLines>(module);
  char offset[32];
  std::snprintf(offset, sizeof offset, "+0x%llx", static_cast<unsigned long long>(address));
  Place place;
  place.otherwise = after_slash(module) + offset;
  for (const SourceFrame& frame : file->frames_at(address)) {
    place.function = as_written(frame.function);
    if (frame.file.empty() || frame.line == 0 || is_ours(frame.file)) continue;
    place.file = frame.file;
    place.line = frame.line;
    break;
  }
  if (place.function.empty()) place.function = as_written(function_in(module, address));
  // Places that are told alike are one.
  if (place.file.empty()) any_unknown_ = true;
  if (!place.file.empty()) place.otherwise.clear();
  if (place.file.empty() && !place.function.empty()) place.otherwise = after_slash(module);
  return place;
}

// A return address is behind the call, which may be the next line's: look a byte before it.
const Place& Places::of(const Page& page, const Line& line) {
  const uint32_t modules = page.modules.load(std::memory_order_acquire);  // SYNC sheet-modules
  const bool known = line.module != 0 && line.module <= modules;
  const std::string module = known ? page.module[line.module].path : "";
  const auto [found, added] = known_.try_emplace({module, line.offset});
  if (added) {
    found->second.otherwise = "an unknown place";
    if (known) found->second = look_up(module, line.offset - 1);
  }
  return found->second;
}

}  // namespace atrium::profile
