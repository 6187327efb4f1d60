// Regions that the program names (shmemx.h), and what it says of its own level (shmem_pcontrol).
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cstring>
#include <span>

#include "atrium_hash.hpp"
#include "profile/record/call.hpp"

namespace atrium::profile {

bool regions_open = false;  // of any thread, ever: until then calls need not look

namespace {

uint64_t key_of(const char* name) {
  return hash_of({name, strnlen(name, NamedRegion::longest_name - 1)}) | 1;
}

// most_regions: there is no room.
unsigned region_of(const char* name) {
  const uint64_t key = key_of(name);
  for (unsigned number = 0; number < most_regions; ++number) {
    NamedRegion& region = recorder.page->region[number];
    uint64_t found = 0;
    if (region.key.compare_exchange_strong(found, key)) {
      std::strncpy(region.name, name, NamedRegion::longest_name - 1);
      return number;
    }
    if (found == key) return number;
  }
  return most_regions;
}

using OpenRegion = Thread::OpenRegion;

// Those that are kept, the innermost last.
std::span<const OpenRegion> open_regions(const Thread& thread) {
  return {thread.region, std::min<size_t>(thread.regions, Thread::most_open)};
}

void begin_region(const char* name) {
  if (!recording || !name) return;
  Thread& thread = this_thread();
  const uint32_t depth = thread.regions, number = depth < Thread::most_open ? region_of(name) : most_regions;
  const uint64_t begin = now();
  if (depth < Thread::most_open)
    thread.region[depth] = {begin, recorded_ticks(*recorder.page, begin), number};
  if (number == most_regions) recorder.page->lost_regions.add(1, recorder.shared);
  regions_open = true;
  thread.regions.store(depth + 1, std::memory_order_release);  // SYNC call-under-way
}

// What lies in a region of the same name is in that one's time.
bool is_within_itself(std::span<const OpenRegion> open, size_t place) {
  return std::any_of(open.begin(), open.begin() + static_cast<ptrdiff_t>(place),
                     [&](const OpenRegion& outer) { return outer.number == open[place].number; });
}

void book(const Thread& thread, size_t place, uint64_t end) {
  const std::span<const OpenRegion> open = open_regions(thread);
  const OpenRegion& one = open[place];
  if (one.number == most_regions) return;
  NamedRegion& record = recorder.page->region[one.number];
  record.times.add(1, recorder.shared);
  if (!is_within_itself(open, place))
    record.ticks.add(recorded_ticks(*recorder.page, end) - one.recorded, recorder.shared);
  if (recorder.room != 0)
    write_event({one.begin, end - one.begin, 0, 0, one.number, -1, EventKind::region, 0, number_of(thread)});
}

// Ends the innermost region of that name, and those inside it that the program forgot. Beyond what is kept, each end is the
// innermost one's.
void end_region(const char* name) {
  if (!present || !regions_open || !name) return;
  Thread& thread = this_thread();
  if (thread.regions > Thread::most_open) {
    thread.regions = thread.regions - 1;
    return;
  }
  const std::span<const OpenRegion> open = open_regions(thread);
  const unsigned number = region_of(name);
  const auto found =
      std::find_if(open.rbegin(), open.rend(), [&](const OpenRegion& one) { return one.number == number; });
  if (found == open.rend()) return;
  const uint64_t end = now();
  const auto keep = static_cast<uint32_t>(open.rend() - found) - 1;
  for (size_t place = open.size(); place-- > keep;) book(thread, place, end);
  thread.regions = keep;
}

}  // namespace

// A call counts in each region that it lies in, once.
void count_in_regions(const Thread& thread, uint64_t ticks, uint64_t waiting, uint64_t bytes) {
  const std::span<const OpenRegion> open = open_regions(thread);
  for (size_t place = 0; place < open.size(); ++place) {
    if (open[place].number == most_regions || is_within_itself(open, place)) continue;
    NamedRegion& region = recorder.page->region[open[place].number];
    region.calls.add(1, recorder.shared);
    region.inside.add(ticks, recorder.shared);
    region.waiting.add(waiting, recorder.shared);
    region.bytes.add(bytes, recorder.shared);
  }
}

// Twice the same is once.
void record_or_not(bool on) {
  Page& page = *recorder.page;
  if (on == recording) return;
  recording = on;
  const uint64_t ticks = now();
  if (on) page.paused_ticks = page.paused_ticks + ticks - page.paused_since;
  page.paused_since = on ? 0 : ticks;
}

}  // namespace atrium::profile

#pragma GCC visibility push(default)
extern "C" {

void shmemx_region_begin(const char* name) { atrium::profile::begin_region(name); }
void shmemx_region_end(const char* name) { atrium::profile::end_region(name); }

void shmem_pcontrol(int level, ...) {
  if (atrium::profile::present) atrium::profile::record_or_not(level > 0);
  pshmem_pcontrol(level);
}

}  // extern "C"
#pragma GCC visibility pop
