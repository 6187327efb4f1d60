// The table of lines: open addressing by return address and routine.
// SPDX-License-Identifier: BSD-3-Clause
#include <cstdio>
#include <cstring>

#include "interpose/caller.hpp"
#include "interpose/objects.hpp"
#include "profile/record/recorder.hpp"

namespace atrium::profile {
namespace {

constexpr unsigned routine_bits = 12, most_probes = 64;
static_assert(static_cast<unsigned>(Routine::count) < 1u << routine_bits, "a line's key holds its routine");

// From 1; 0: there is no room.
unsigned number_of_module(const char* path) {
  Page& page = *recorder.page;
  const uint32_t number = page.modules.load(std::memory_order_relaxed) + 1;
  if (number > most_modules) return 0;
  std::snprintf(page.module[number].path, sizeof page.module[number].path, "%s", path);
  page.modules.store(number, std::memory_order_release);  // SYNC sheet-modules
  return number;
}

void describe(Line& line, uintptr_t caller, Routine routine) {
  const interpose::Object* object = interpose::find_object(caller);
  if (!object) object = interpose::look_for_object(caller, number_of_module);
  line.routine = static_cast<uint32_t>(routine);
  line.module = object ? object->number : 0;
  line.offset = object ? caller - object->base : caller;
}

}  // namespace

void learn_library() { interpose::learn_library(number_of_module); }

// A claimed line is described at once; a reader that comes between sees an unknown place.
unsigned line_of(const Site& site) {
  const uintptr_t caller = interpose::caller_outside_library(reinterpret_cast<uintptr_t>(site.caller));
  const uint64_t key = static_cast<uint64_t>(caller) << routine_bits | static_cast<uint64_t>(site.routine);
  const auto first = static_cast<unsigned>(key * 0x9e3779b97f4a7c15 >> 40);
  for (unsigned probe = 0; probe < most_probes; ++probe) {
    const unsigned number = (first + probe) % most_lines;
    if (number == 0) continue;
    Line& line = recorder.page->line[number];
    uint64_t found = line.key.load(std::memory_order_relaxed);
    if (found == key) return number;
    if (found != 0) continue;
    if (line.key.compare_exchange_strong(found, key)) {
      describe(line, caller, site.routine);
      return number;
    }
    if (found == key) return number;
  }
  recorder.page->lost_lines.add(1, recorder.shared);
  return 0;
}

}  // namespace atrium::profile
