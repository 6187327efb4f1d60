// The table of lines: open addressing by file, return address within it, and routine.
// SPDX-License-Identifier: BSD-3-Clause
#include "interpose/caller.hpp"
#include "interpose/objects.hpp"
#include "profile/record/recorder.hpp"

namespace atrium::profile {
namespace {

constexpr unsigned routine_bits = 12, most_probes = 64;
constexpr unsigned module_shift = 56;
static_assert(static_cast<unsigned>(Routine::count) < 1u << routine_bits, "a line's key holds its routine");
static_assert(interpose::ModuleNames::most < 1u << (64 - module_shift), "a line's key holds its file");

// Where in its file, because another file may be loaded to the same addresses later.
struct FilePlace {
  unsigned module = 0;  // 0: no file; then the offset is the address
  uint64_t offset = 0;

  uint64_t key(Routine routine) const {
    constexpr uint64_t offsets = (uint64_t{1} << (module_shift - routine_bits)) - 1;
    return uint64_t{module} << module_shift | (offset & offsets) << routine_bits |
           static_cast<uint64_t>(routine);
  }
};

FilePlace place_of(uintptr_t caller) {
  const interpose::Object* object = interpose::find_object(caller);
  if (!object) object = interpose::look_for_object(caller);
  if (!object || object->number == 0) return {0, caller};
  return {object->number, caller - object->base};
}

void describe(CallSite& line, FilePlace place, Routine routine) {
  line.routine = static_cast<uint32_t>(routine);
  line.module = place.module;
  line.offset = place.offset;
}

}  // namespace

// A claimed line is described at once; a reader that comes between sees an unknown place.
unsigned line_of(const Site& site) {
  const uintptr_t caller = interpose::caller_outside_library(reinterpret_cast<uintptr_t>(site.caller));
  const FilePlace place = place_of(caller);
  const uint64_t key = place.key(site.routine);
  const auto first = static_cast<unsigned>(key * 0x9e3779b97f4a7c15 >> 40);
  for (unsigned probe = 0; probe < most_probes; ++probe) {
    const unsigned number = (first + probe) % most_lines;
    if (number == 0) continue;
    CallSite& line = recorder.page->line[number];
    uint64_t found = line.key.load(std::memory_order_relaxed);
    if (found == key) return number;
    if (found != 0) continue;
    if (line.key.compare_exchange_strong(found, key)) {
      describe(line, place, site.routine);
      return number;
    }
    if (found == key) return number;
  }
  recorder.page->lost_lines.add(1, recorder.shared);
  return 0;
}

}  // namespace atrium::profile
