// The windows of this process, from creation to MPI_Finalize, where those that are left are reported.
// SPDX-License-Identifier: BSD-3-Clause
#include <pthread.h>
#include <stdio.h>

#include "window.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atrium_window* windows;  // the newest first
static atrium_window* retired;  // only their handles, so that one used too late is an error and no crash
static int watching_finalize;

static void report_leak(const atrium_window* window) {
  const size_t bytes = bytes_of(window);
  char what[128], because[96];
  snprintf(what, sizeof what, "a node window was not freed: %s", name_of(window));
  snprintf(because, sizeof because, "ranks that still have it: %d, bytes in it: %zu", window->size, bytes);
  const atrium_message report = {what, because, "MPI_Finalize", "atrium_window_free on all of its ranks"};
  atrium_print_message("atrium", &report);
}

// Whoever waits for this rank now learns that it will not come.
static void depart(atrium_window* window) {
  RankSlot* slot = &window->control->slots[window->rank];
  atomic_store_explicit(&slot->departed, 1, memory_order_release);  // SYNC window-slot
}

// Requires: the lock is held, or MPI_Finalize has begun.
static void move_to_retired(atrium_window** link) {
  atrium_window* window = *link;
  *link = window->next;
  window->next = retired;
  window->life = kFreed;
  retired = window;
}

// MPI_Finalize first deletes the attributes of MPI_COMM_SELF, when all of MPI still works.
static int at_finalize(MPI_Comm comm, int key, void* value, void* state) {
  (void)comm, (void)key, (void)value, (void)state;
  while (windows != NULL) {
    depart(windows);
    if (windows->rank == 0) report_leak(windows);
    move_to_retired(&windows);
  }
  fflush(stderr);
  return MPI_SUCCESS;
}

static void watch_finalize(void) {
  int key;
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, at_finalize, &key, NULL);
  MPI_Comm_set_attr(MPI_COMM_SELF, key, NULL);
  MPI_Comm_free_keyval(&key);
  watching_finalize = 1;
}

void enlist(atrium_window* window) {
  pthread_mutex_lock(&lock);
  if (!watching_finalize) watch_finalize();
  window->next = windows;
  windows = window;
  pthread_mutex_unlock(&lock);
}

void retire(atrium_window* window) {
  pthread_mutex_lock(&lock);
  atrium_window** link = &windows;
  while (*link != window) link = &(*link)->next;
  move_to_retired(link);
  pthread_mutex_unlock(&lock);
}

int is_live(uint64_t id) {
  int found = 0;
  pthread_mutex_lock(&lock);
  for (const atrium_window* each = windows; each != NULL && !found; each = each->next) found = each->id == id;
  pthread_mutex_unlock(&lock);
  return found;
}

// In all windows of mine, since those who wait for me may be in any of them; 0 takes it back. Where threads run at the
// same time, another of mine may still come to what is waited for, so only in this window.
void announce_freeing(const atrium_window* window, uint64_t id) {
  int level = MPI_THREAD_SINGLE;
  MPI_Query_thread(&level);
  pthread_mutex_lock(&lock);
  for (atrium_window* each = windows; each != NULL; each = each->next) {
    if (each != window && level == MPI_THREAD_MULTIPLE) continue;
    RankSlot* slot = &each->control->slots[each->rank];
    atomic_store_explicit(&slot->freeing, id, memory_order_release);  // SYNC window-slot
  }
  pthread_mutex_unlock(&lock);
}
