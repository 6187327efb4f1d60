// Opens the record buffer that oshrun made, learns what a PE must know, and measures what one record costs.
// SPDX-License-Identifier: BSD-3-Clause
#include "profile/record/setup.hpp"

#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include "interpose/caller.hpp"
#include "interpose/say.hpp"
#include "interpose/tool.hpp"
#include "profile/record/call.hpp"

namespace atrium::profile {

Recorder recorder;
bool present = false;
bool recording = false;

namespace {

int buffer_fd = -1;

// A script hands it on to the program.
__attribute__((constructor)) void take_descriptor() {
  const char* text = std::getenv(buffer_variable);
  if (!text) return;
  buffer_fd = std::atoi(text);
}

// The child of a fork is no PE.
void stop_in_child() {
  interpose::abandon_session();
  present = recording = false;
}

bool open_the_buffer() {
  if (buffer_fd < 0) return false;
  recorder.buffer = open_record_buffer(buffer_fd);
  close(buffer_fd);
  unsetenv(buffer_variable);  // what this process starts is no PE
  buffer_fd = -1;
  recorder.me = pshmem_my_pe();
  recorder.pes = pshmem_n_pes();
  if (recorder.buffer && recorder.buffer.pes() == recorder.pes) return true;
  if (recorder.me == 0)
    interpose::say("off: the memory for records cannot be mapped; try a larger ulimit -v");
  recorder.buffer = {};
  return false;
}

// Measures the cost of recording a call, in a page that is not shown.
uint64_t measure_cost() {
  void* const memory =
      mmap(nullptr, sizeof(Page), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) return 0;
  Page* const mine = std::exchange(recorder.page, static_cast<Page*>(memory));
  const uint64_t room = std::exchange(recorder.room, 0);
  constexpr int calls = 1000, rounds = 5;
  int64_t best = INT64_MAX;
  recording = true;
  for (int round = 0; round < rounds; ++round) {
    const int64_t begin = atrium_now_ns();
    for (int i = 0; i < calls; ++i) {
      const Site site{Routine::unknown, reinterpret_cast<void*>(&measure_cost)};
      const Call call(site, {});
    }
    best = std::min(best, atrium_now_ns() - begin);
  }
  recording = false;
  leave_page();
  recorder.page = mine;
  recorder.room = room;
  munmap(memory, sizeof(Page));
  return static_cast<uint64_t>(best);  // ns for 1000 calls: picoseconds for one
}

void take_page() {
  const Head& head = recorder.buffer.head();
  recorder.page = &recorder.buffer.page(recorder.me);
  recorder.peers = recorder.buffer.peers(recorder.me);
  recorder.events = recorder.buffer.events(recorder.me);
  recorder.room = head.events;
  recorder.source = head.source;
}

}  // namespace

void begin_recording(bool threaded) {
  if (present || (!recorder.buffer && !open_the_buffer())) return;
  const bool first = !recorder.page;
  take_page();
  recorder.shared = threaded;
  Page& page = *recorder.page;
  if (first) {
    pthread_atfork(nullptr, nullptr, stop_in_child);
    interpose::learn_library(page.modules, reinterpret_cast<const void*>(&pshmem_init));
    page.cost_ps.set(measure_cost());
    page.begin = now();
  }
  page.end = 0;
  this_thread();
  page.state.store(1, std::memory_order_release);  // SYNC record-page
  learn_places();
  interpose::begin_session();
  present = true;
  recording = page.paused_since == 0;
}

void end_recording() {
  if (!present) return;
  present = recording = false;
  interpose::end_session();
  recorder.page->end = now();
}

}  // namespace atrium::profile
