// Regions that the program names (shmemx.h), and what it says of its own level (shmem_pcontrol).
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cstring>
#include <vector>

#include "profile/record/call.hpp"

namespace atrium::profile {

bool regions_open = false;  // of any thread, ever: until then calls need not look

namespace {

struct Open {
  unsigned number;
  uint64_t begin;
};
thread_local std::vector<Open>* open_regions = nullptr;

uint64_t key_of(const char* name) {
  uint64_t key = 0xcbf29ce484222325;
  for (size_t i = 0; name[i] != '\0' && i < Region::longest_name - 1; ++i)
    key = (key ^ static_cast<unsigned char>(name[i])) * 0x100000001b3;
  return key | 1;
}

// most_regions: there is no room.
unsigned region_of(const char* name) {
  const uint64_t key = key_of(name);
  for (unsigned number = 0; number < most_regions; ++number) {
    Region& region = recorder.page->region[number];
    uint64_t found = 0;
    if (region.key.compare_exchange_strong(found, key)) {
      std::strncpy(region.name, name, Region::longest_name - 1);
      return number;
    }
    if (found == key) return number;
  }
  return most_regions;
}

void begin_region(const char* name) {
  if (!recording || !name) return;
  if (!open_regions) open_regions = new std::vector<Open>;
  regions_open = true;
  open_regions->push_back({region_of(name), now()});
}

void book(const Open& region, uint64_t end) {
  if (region.number == most_regions) return;
  Region& record = recorder.page->region[region.number];
  record.times.add(1, recorder.shared);
  record.ticks.add(end - region.begin, recorder.shared);
  if (recorder.room != 0)
    write_event({region.begin, end - region.begin, 0, 0, region.number, -1,
                 static_cast<uint32_t>(EventKind::region), thread_number()});
}

// Ends the innermost region of that name, and those inside it that the program forgot.
void end_region(const char* name) {
  if (!present || !open_regions || !name) return;
  const unsigned number = region_of(name);
  const auto found = std::find_if(open_regions->rbegin(), open_regions->rend(),
                                  [&](const Open& one) { return one.number == number; });
  if (found == open_regions->rend()) return;
  const uint64_t end = now();
  const auto keep = static_cast<size_t>(open_regions->rend() - found) - 1;
  for (; open_regions->size() > keep; open_regions->pop_back()) book(open_regions->back(), end);
}

}  // namespace

// A call counts in each region that it lies in, once.
void count_in_regions(uint64_t waiting, uint64_t bytes) {
  if (!open_regions) return;
  for (const Open& one : *open_regions) {
    if (one.number == most_regions) continue;
    Region& region = recorder.page->region[one.number];
    region.calls.add(1, recorder.shared);
    region.waiting.add(waiting, recorder.shared);
    region.bytes.add(bytes, recorder.shared);
  }
}

}  // namespace atrium::profile

#pragma GCC visibility push(default)
extern "C" {

void shmemx_region_begin(const char* name) { atrium::profile::begin_region(name); }
void shmemx_region_end(const char* name) { atrium::profile::end_region(name); }

void shmem_pcontrol(int level, ...) {
  if (atrium::profile::present) {
    atrium::profile::recording = level > 0;
    atrium::profile::recorder.page->paused.store(level <= 0, std::memory_order_relaxed);
  }
  pshmem_pcontrol(level);
}

}  // extern "C"
#pragma GCC visibility pop
