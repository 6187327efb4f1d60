// Waiting for other ranks of a node window: spin, yield, nap; and noticing those who can never come.
// SPDX-License-Identifier: BSD-3-Clause
#include "atrium_mpi_progress.h"
#include "window.h"

WaitState begin_wait(const atrium_window* window, int from, double deadline) {
  return (WaitState){spins_for(window, from), {0, 0}, deadline};
}

// When ranks outnumber CPUs the answer may need ours: then we spin only while nobody else could use it. Looking at other
// ranks' slots costs cache misses, so it is done now and then. Then MPI is called, too: the rank we wait for may need our
// progress to complete its messages or puts to us.
int wait_a_little(const atrium_window* window, WaitState* wait) {
  if (wait->spins > 0 && !(window->oversubscribed && is_cpu_wanted(window))) {
    wait->spins--;
    atrium_pause();
    return 0;
  }
  if (!atrium_give_way(&wait->waiting)) return 0;
  atrium_make_mpi_progress(window->comm, window->rank);
  return 1;
}

// Why a wait for peer will never end, or NULL. The caller must look once more at what it waits for: the peer
// may have done that and then left. Relies on acquire: what the peer did before is seen once its slot says
// so. // SYNC window-slot
const char* why_never(const atrium_window* window, int peer) {
  const RankSlot* slot = &window->control->slots[peer];
  if (peer == window->rank) return "that rank is this one, and it has not posted";
  if (atomic_load_explicit(&slot->departed, memory_order_acquire))
    return "that rank has entered MPI_Finalize";
  const uint64_t freeing = atomic_load_explicit(&slot->freeing, memory_order_acquire);
  if (freeing == window->id) return "that rank is freeing this window";
  return freeing != 0 && is_live(freeing) ? "that rank waits for this one to free another window first"
                                          : NULL;
}

static uint32_t count_of(uint64_t arrived) { return (uint32_t)arrived; }

// Takes my arrival back, unless the last one has come in the meantime.
static Outcome back_out(Meeting* meeting, uint32_t generation, int ranks, Outcome outcome) {
  for (;;) {
    uint64_t now = atomic_load_explicit(&meeting->arrived, memory_order_acquire);
    if (generation_of(now) != generation) return kMet;
    if (count_of(now) == (uint32_t)ranks) continue;  // the last one is about to begin the next generation
    if (atomic_compare_exchange_weak(&meeting->arrived, &now, now - 1)) return outcome;
  }
}

// In a free, who frees the same window is no absentee: asked last, since a peer may begin to at any moment.
static int is_coming(const atrium_window* window, const Meeting* meeting, int peer) {
  const uint64_t its = atomic_load_explicit(&window->control->slots[peer].freeing, memory_order_acquire);
  return meeting == &window->control->free && its == window->id;
}

static int find_absent(const atrium_window* window, const Meeting* meeting, const char** why) {
  for (int peer = 0; peer < window->size; peer++)
    if (peer != window->rank && (*why = why_never(window, peer)) != NULL && !is_coming(window, meeting, peer))
      return peer;
  return -1;
}

// A counter and a generation in one word; the last to arrive begins the next generation.
Outcome meet(atrium_window* window, Meeting* meeting, double deadline, const char** why, int* peer) {
  const uint64_t before =
      atomic_fetch_add_explicit(&meeting->arrived, 1, memory_order_acq_rel);  // SYNC window-meeting
  const uint32_t generation = generation_of(before);
  if (count_of(before) + 1 == (uint32_t)window->size) {
    const uint64_t next = (uint64_t)(generation + 1) << 32;
    atomic_store_explicit(&meeting->arrived, next, memory_order_release);  // SYNC window-meeting
    return kMet;
  }
  WaitState wait = begin_wait(window, window->size, deadline);
  while (!has_met(meeting, generation)) {
    if (!wait_a_little(window, &wait)) continue;
    *peer = find_absent(window, meeting, why);
    const int late = wait.deadline > 0 && MPI_Wtime() > wait.deadline;
    if (*peer >= 0 || late)
      return back_out(meeting, generation, window->size, *peer >= 0 ? kNobodyComes : kTooLate);
  }
  return kMet;
}
