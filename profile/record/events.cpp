// The trace: a ring of the last events. A place of symmetric memory is recorded as its distance from where that begins.
// SPDX-License-Identifier: BSD-3-Clause
#include <link.h>

#include <atomic>

#include "profile/record/recorder.hpp"

namespace atrium::profile {
namespace {

constexpr uint64_t in_heap = uint64_t{1} << 62, in_globals = uint64_t{1} << 61;

uintptr_t heap_begin = 0, program_begin = 0, program_end = 0;

int look_at_program(dl_phdr_info* info, size_t, void*) {
  program_begin = info->dlpi_addr;
  for (int i = 0; i < info->dlpi_phnum; ++i)
    if (info->dlpi_phdr[i].p_type == PT_LOAD)
      program_end = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr + info->dlpi_phdr[i].p_memsz;
  return 1;
}

}  // namespace

// The first block of an unused heap lies at the same place on all PEs.
void learn_places() {
  if (recorder.room == 0 || heap_begin != 0) return;
  dl_iterate_phdr(look_at_program, nullptr);
  void* const block = pshmem_malloc(1);
  heap_begin = reinterpret_cast<uintptr_t>(block);
  pshmem_free(block);
}

uint64_t place_of(const void* address) {
  const auto place = reinterpret_cast<uintptr_t>(address);
  if (place == 0 || heap_begin == 0) return 0;
  if (place >= program_begin && place < program_end) return in_globals | (place - program_begin);
  return place >= heap_begin ? in_heap | (place - heap_begin) : 0;
}

void write_event(const Event& event) {
  Counter& count = recorder.page->events;
  static std::atomic<uint64_t> taken = 0;
  const uint64_t number = recorder.shared ? taken.fetch_add(1, std::memory_order_relaxed) : count.get();
  recorder.events[number % recorder.room] = event;
  if (recorder.shared) return count.raise_to(number + 1);
  count.set(number + 1);
  taken.store(number + 1, std::memory_order_relaxed);  // the next shmem_init may allow several threads
}

}  // namespace atrium::profile
