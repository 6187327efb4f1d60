// Looks up a place in a child process, and a variable in the symbol table.
// SPDX-License-Identifier: BSD-3-Clause
#include "race/report/places.hpp"

#include <map>
#include <mutex>
#include <string>

#include "atrium_words.hpp"
#include "interpose/say.hpp"
#include "race/model/job.hpp"
#include "race/model/site.hpp"
#include "race/model/strand.hpp"
#include "symbols/look_up.hpp"

namespace atrium::race {
namespace {

std::string& without_lines = *new std::string;

SourcePlace look_up(Origin origin) {
  const std::string module = module_of(origin);
  if (module.empty()) return {};
  const Inside inside;                               // libdw's locks order nothing
  const uint64_t instruction = origin.offset() - 1;  // of the call, not after it
  const auto found = look_up_place(module, instruction);
  if (!found && !open_libdw())
    interpose::say_once(
        "lines are not known: they take elfutils' libdw.so.1 (Debian: libdw1) or addr2line (binutils)");
  const SourcePlace place = place_in_file(found.value_or(SourcePlace{}), module, instruction);
  if (!place.has_line() && without_lines.empty()) without_lines = module;
  return place;
}

}  // namespace

std::string module_of(Origin origin) {
  return origin.module() == 0 || origin.offset() == 0 ? "" : board().modules.name[origin.module()].path;
}

std::string file_without_lines() { return file_name_of(without_lines); }

const SourcePlace& place_of(Origin origin) {
  static std::map<uint64_t, SourcePlace>& known = *new std::map<uint64_t, SourcePlace>;
  static SpinLock lock;
  const uint64_t key = uint64_t{origin.module()} << 32 | origin.offset();
  std::lock_guard guard(lock);
  const auto found = known.find(key);
  return found != known.end() ? found->second : known.emplace(key, look_up(origin)).first->second;
}

std::string routine_at(Origin origin) {
  const std::string& of_fortran = place_of(origin).routine;
  return of_fortran.empty() ? name_of(static_cast<Routine>(origin.routine())) : of_fortran;
}

const NamedVariable& variable_at(uintptr_t address) {
  static std::map<uintptr_t, NamedVariable>& known = *new std::map<uintptr_t, NamedVariable>;
  static SpinLock lock;
  const Inside inside;
  std::lock_guard guard(lock);
  const auto [found, added] = known.try_emplace(address);
  if (added) found->second = variable_of_executable(address);
  return found->second;
}

}  // namespace atrium::race
