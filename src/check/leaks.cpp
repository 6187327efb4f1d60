// Keeps one entry for each live object, and prints one line for each place that has made some.
// SPDX-License-Identifier: BSD-3-Clause
#include "check/leaks.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <tuple>
#include <unordered_map>

#include "atrium_words.hpp"
#include "check/caller.hpp"
#include "check/python_place.hpp"
#include "core/settings.hpp"

namespace atrium {

namespace detail {
bool leaks_looked_for = false;
}

namespace {

struct Thing {
  Made kind;
  size_t bytes;
  uint64_t caller;
  std::string line_of_python;  // instead of a caller, where the program is one of Python
};
constinit std::mutex mutex;

// Never destroyed (core/never_destroyed.hpp). Whoever calls holds the mutex, which the thread sanitizer sees.
std::unordered_map<const void*, Thing>& things() {
  static auto& all = *new std::unordered_map<const void*, Thing>;
  return all;
}

struct LeakSum {
  size_t number = 0, bytes = 0;
};

using Sums = std::map<std::tuple<Made, uint64_t, std::string>, LeakSum>;
Sums add_up() {
  Sums sums;
  const std::lock_guard guard(mutex);
  for (const auto& [handle, thing] : things()) {
    LeakSum& sum = sums[{thing.kind, thing.caller, thing.line_of_python}];
    ++sum.number;
    sum.bytes += thing.bytes;
  }
  return sums;
}

std::string describe(Made kind, const LeakSum& sum) {
  static constexpr const char* names[] = {"block", "team", "context"};
  static constexpr const char* routines[] = {"shmem_free", "shmem_team_destroy", "shmem_ctx_destroy"};
  std::string text = counted(sum.number, names[static_cast<int>(kind)]);
  if (kind == Made::block) text += " of the symmetric heap, " + counted(sum.bytes, "byte");
  return text + ", without " + routines[static_cast<int>(kind)];
}

}  // namespace

bool wants_leaks() { return flag_setting("ATRIUM_LEAKS"); }
void configure_leaks(bool wanted) { detail::leaks_looked_for = wanted; }

void detail::remember_made(Made kind, const void* handle, size_t bytes) {
  const uint64_t caller = caller_in_program();
  const std::string line_of_python = caller == 0 ? place_in_python() : "";
  const std::lock_guard guard(mutex);
  things()[handle] = {kind, bytes, caller, line_of_python};
}

void detail::forget_made(const void* handle) {
  const std::lock_guard guard(mutex);
  things().erase(handle);
}

uint64_t fingerprint_of_leaks() {
  std::string text;
  for (const auto& [made, sum] : add_up())
    text += describe(std::get<Made>(made), sum) + "@" + std::to_string(std::get<uint64_t>(made)) +
            std::get<std::string>(made);
  return std::hash<std::string>{}(text);
}

// One place of the sources may be several of the machine's: loops are unrolled.
std::string describe_leaks(const std::string& who) {
  std::map<std::tuple<Made, std::string>, LeakSum> by_line;
  for (const auto& [made, sum] : add_up()) {
    const std::string& python = std::get<std::string>(made);
    const std::string line = python.empty() ? line_in_program(std::get<uint64_t>(made)) : " (" + python + ")";
    LeakSum& all = by_line[{std::get<Made>(made), line}];
    all.number += sum.number;
    all.bytes += sum.bytes;
  }
  std::string text;
  for (const auto& [made, sum] : by_line)
    text += "atrium: leak: " + who + describe(std::get<Made>(made), sum) + std::get<std::string>(made) + "\n";
  return text;
}

void forget_all_made() {
  const std::lock_guard guard(mutex);
  things().clear();
}

}  // namespace atrium
