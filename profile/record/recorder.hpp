// This PE's page of the record buffer, and whether anything is recorded just now.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "interpose/openshmem.hpp"
#include "interpose/site.hpp"
#include "profile/buffer/record_buffer.hpp"

namespace atrium::profile {

using interpose::Routine;
using interpose::Site;

struct Recorder {
  RecordBuffer buffer;
  Page* page = nullptr;
  Peer* peers = nullptr;
  Event* events = nullptr;
  uint64_t room = 0;  // for events; 0: nothing is traced
  TickSource source = TickSource::monotonic;
  int me = -1, pes = 0;
  bool shared = false;  // several threads of this PE may call at a time
};
extern Recorder recorder;

// Between init and finalize, when oshrun gave a record buffer ...
extern bool present;
// ... and the program has not switched it off (shmem_pcontrol).
extern bool recording;

inline uint64_t now() { return read_ticks(recorder.source); }

// The line's number in the page; 0 stands for all lines for which the page has no place.
unsigned line_of(const Site& site);

// The calling thread's place in the page, which it keeps until it ends; there is one, whether in the page or not.
extern __attribute__((tls_model("initial-exec"))) constinit thread_local Thread* thread_here;
Thread& find_thread();
inline Thread& this_thread() { return thread_here ? *thread_here : find_thread(); }
// Counted from 0; most_threads: that of threads for which the page has no place.
unsigned number_of(const Thread& thread);
// The calling thread has no place any more.
void leave_page();

void write_event(const Event& event);

// Symmetric memory by a number that is the same on all PEs; 0: it is not symmetric, or nothing is traced.
uint64_t place_of(const void* address);
void learn_places();

}  // namespace atrium::profile
