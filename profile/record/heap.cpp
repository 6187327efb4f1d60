// Counts the allocations of each line, and samples the use of the heap over time.
// SPDX-License-Identifier: BSD-3-Clause
#include "profile/record/heap.hpp"

#include <algorithm>
#include <mutex>

#include "profile/record/recorder.hpp"

namespace atrium::profile {
namespace {

std::mutex lock;

// A full curve keeps every second sample, and takes them half as often from then on.
void make_room(Page& page) {
  for (size_t i = 0; i < most_samples / 2; ++i) page.sample[i] = page.sample[2 * i];
  page.samples = most_samples / 2;
  const uint64_t span = page.sample[most_samples / 2 - 1].ticks - page.sample[0].ticks;
  page.sample_every = std::max<uint64_t>(2 * page.sample_every, 2 * span / most_samples);
}

// Between two samples the largest value counts.
void draw(uint64_t bytes) {
  Page& page = *recorder.page;
  const uint64_t ticks = now();
  const uint32_t count = page.samples;
  if (count != 0 && ticks - page.sample[count - 1].ticks < page.sample_every) {
    page.sample[count - 1].bytes = std::max(page.sample[count - 1].bytes, bytes);
    return;
  }
  if (count == most_samples) make_room(page);
  page.sample[page.samples] = {ticks, bytes};
  page.samples = page.samples + 1;
}

}  // namespace

void change_heap(unsigned line, size_t bytes, bool more) {
  const std::lock_guard guard(lock);
  Page& page = *recorder.page;
  Allocations& here = page.allocations[line];
  page.heap_now.set(more ? page.heap_now.get() + bytes : page.heap_now.get() - bytes);
  page.heap_most.raise_to(page.heap_now.get());
  here.bytes.set(more ? here.bytes.get() + bytes : here.bytes.get() - bytes);
  here.most.raise_to(here.bytes.get());
  if (more) here.largest.raise_to(bytes);
  draw(page.heap_now.get());
}

}  // namespace atrium::profile
