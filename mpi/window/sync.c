// Synchronisation of a node window: neighbour flags, the node barrier, and the standard's epochs.
// SPDX-License-Identifier: BSD-3-Clause
#include <stdio.h>

#include "atrium_mpi_progress.h"
#include "window.h"

static int report_missing(const atrium_window* window, int peer, const char* why, const char* during) {
  char because[160];
  snprintf(because, sizeof because, "it waits for rank %d of the node, and %s", peer, why);
  const atrium_message report = {"a wait would never end", because, during,
                                 "the same calls on all ranks, and atrium_window_free as the last of them"};
  return fail(window, window->comm, MPI_ERR_RMA_SYNC, &report);
}

static int report_epoch(const atrium_window* window, const char* because, const char* during) {
  const atrium_message report = {
      "a call outside its epoch", because, during,
      "lock_all, then sync as often as needed, then unlock_all; fence only outside of that"};
  return fail(window, window->comm, MPI_ERR_RMA_SYNC, &report);
}

// Each count has one writer, so no read-modify-write is needed.
int atrium_window_post(atrium_window* window, int rank) {
  const int code = check_rank(window, rank, "atrium_window_post");
  if (code != MPI_SUCCESS) return code;
  count_call(window, kPostCall);
  Flag* flag = flag_of(window, window->rank, rank);
  atomic_store_explicit(&flag->posts, ++window->counts[rank].posted,
                        memory_order_release);  // SYNC window-flag
  return MPI_SUCCESS;
}

static int await_post(atrium_window* window, int rank, uint32_t count) {
  WaitState wait = begin_wait(window, rank, 0);
  while (!is_posted(window, rank, window->rank, count)) {
    if (!wait_a_little(window, &wait)) continue;
    const char* why = why_never(window, rank);
    if (why != NULL && !is_posted(window, rank, window->rank, count))
      return report_missing(window, rank, why, "atrium_window_wait");
  }
  return MPI_SUCCESS;
}

int atrium_window_wait(atrium_window* window, int rank) {
  int code = check_rank(window, rank, "atrium_window_wait");
  if (code != MPI_SUCCESS) return code;
  const uint32_t count = window->counts[rank].awaited + 1;
  count_call(window, kWaitCall);
  if (!is_posted(window, rank, window->rank, count)) {
    const double since = profile_clock(window);
    say_awaited(window, rank, count);
    code = await_post(window, rank, count);
    count_waited_for(window, rank, since);
  }
  if (code == MPI_SUCCESS) window->counts[rank].awaited = count;
  return code;
}

int atrium_window_test(atrium_window* window, int rank, int* done) {
  const int code = check_rank(window, rank, "atrium_window_test");
  if (code != MPI_SUCCESS) return code;
  count_call(window, kTestCall);
  *done = is_posted(window, rank, window->rank, window->counts[rank].awaited + 1);
  if (*done)
    window->counts[rank].awaited++;
  else if (++window->vain_tests % atrium_yields_per_look == 0)  // a loop of tests is a wait
    atrium_make_mpi_progress(window->comm, window->rank);
  return MPI_SUCCESS;
}

int meet_all(atrium_window* window, ProfiledCall call, const char* during) {
  const int code = check(window, during);
  if (code != MPI_SUCCESS) return code;
  const char* why = NULL;
  int peer = -1;
  Meeting* meeting = &window->control->barrier;
  const uint64_t arrived = atomic_load_explicit(&meeting->arrived, memory_order_relaxed);
  say_awaited(window, window->size, generation_of(arrived));  // it stays that until I have come
  const double since = profile_clock(window);
  const Outcome outcome = meet(window, meeting, 0, &why, &peer);
  count_call(window, call);
  count_waited(window, call, since);
  return outcome == kMet ? MPI_SUCCESS : report_missing(window, peer, why, during);
}

int atrium_window_barrier(atrium_window* window) {
  return meet_all(window, kBarrierCall, "atrium_window_barrier");
}

typedef int Call(MPI_Win win);

static int for_each(const atrium_window* window, Call* call, const char* during) {
  int code = MPI_SUCCESS;
  for (int each = 0; each < window->data_count && code == MPI_SUCCESS; each++)
    if (window->data[each] != MPI_WIN_NULL) code = call(window->data[each]);
  return pass_on(window->comm, window, code, during);
}

// RMA calls of this rank. A program that was given no MPI window has made none; MPICH gives the CPU away to find that out.
static int complete_operations(const atrium_window* window, const char* during) {
  return window->mpi_window_given ? for_each(window, MPI_Win_flush_all, during) : MPI_SUCCESS;
}

// What MPI_Win_fence promises, RMA calls included, put together from the standard's passive-target calls and
// our barrier: MPI_Win_fence itself would hang when a rank is missing, and takes milliseconds when ranks
// outnumber CPUs.
int atrium_window_fence(atrium_window* window) {
  const char* during = "atrium_window_fence";
  int code = check(window, during);
  if (code == MPI_SUCCESS) code = complete_operations(window, during);
  if (code == MPI_SUCCESS) code = for_each(window, MPI_Win_sync, during);
  if (code == MPI_SUCCESS) code = meet_all(window, kFenceCall, during);
  if (code != MPI_SUCCESS) return code;
  // Only now, since the others, who may do it right, wait for this rank.
  if (window->locked) return report_epoch(window, "its lock_all epoch is open", during);
  return for_each(window, MPI_Win_sync, during);
}

// For MPI a lock_all epoch is open from create to free; the verbs keep the discipline of the standard: a
// program that passes here is correct with MPI's own calls. `open`: whether the epoch must be open for this
// call.
static int enter(atrium_window* window, int open, const char* during) {
  const int code = check(window, during);
  if (code != MPI_SUCCESS) return code;
  if (window->locked == open) return for_each(window, MPI_Win_sync, during);
  return report_epoch(window, open ? "no lock_all epoch is open" : "its lock_all epoch is open already",
                      during);
}

int atrium_window_lock_all(atrium_window* window) {
  const int code = enter(window, 0, "atrium_window_lock_all");
  if (code == MPI_SUCCESS) window->locked = 1;
  return code;
}

int atrium_window_sync(atrium_window* window) {
  const int code = enter(window, 1, "atrium_window_sync");
  atomic_thread_fence(
      memory_order_seq_cst);  // what MPI_Win_sync must do; here for parts without an MPI window, too
  return code;
}

int atrium_window_unlock_all(atrium_window* window) {
  const char* during = "atrium_window_unlock_all";
  int code = enter(window, 1, during);
  if (code == MPI_SUCCESS) code = complete_operations(window, during);
  if (code == MPI_SUCCESS) window->locked = 0;
  return code;
}
