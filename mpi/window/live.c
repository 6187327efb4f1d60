// The windows of this process, from creation to MPI_Finalize, where those that are left are reported.
// SPDX-License-Identifier: BSD-3-Clause
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "window.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atrium_window* windows;  // the newest first; freed ones too, so that a stale handle is recognised
static int watching_finalize;

static void report_leak(const atrium_window* window) {
  size_t bytes = 0;
  for (int rank = 0; rank < window->size; rank++) bytes += window->parts[rank].bytes;
  fprintf(
      stderr,
      "atrium: a node window was not freed: %s\n  because: ranks that still have it: %d, bytes in it: %zu\n"
      "  while:   MPI_Finalize\n  try:     atrium_window_free on all of its ranks\n",
      window->name[0] != '\0' ? window->name : "(without a name)", window->size, bytes);
}

// Whoever waits for this rank now learns that it will not come.
static void depart(atrium_window* window) {
  Seat* seat = &window->control->seats[window->rank];
  atomic_store_explicit(&seat->departed, 1, memory_order_release);  // SYNC window-seat
}

static void release_memory(atrium_window* window) {
  free(window->rank_of);
  free(window->data);
  free(window->parts);
  free(window->counts);
  free(window);
}

// MPI_Finalize first deletes the attributes of MPI_COMM_SELF, when all of MPI still works.
static int at_finalize(MPI_Comm comm, int key, void* value, void* state) {
  (void)comm, (void)key, (void)value, (void)state;
  while (windows != NULL) {
    atrium_window* window = windows;
    windows = window->next;
    if (window->life == kAlive) {
      depart(window);
      if (window->rank == 0) report_leak(window);
    }
    release_memory(window);
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

int is_live(uint64_t id) {
  int found = 0;
  pthread_mutex_lock(&lock);
  for (const atrium_window* each = windows; each != NULL && !found; each = each->next)
    found = each->life == kAlive && each->id == id;
  pthread_mutex_unlock(&lock);
  return found;
}

// In all windows of mine, since those who wait for me may be in any of them; 0 takes it back.
void announce_freeing(uint64_t id) {
  pthread_mutex_lock(&lock);
  for (atrium_window* each = windows; each != NULL; each = each->next) {
    if (each->life != kAlive) continue;
    Seat* seat = &each->control->seats[each->rank];
    atomic_store_explicit(&seat->freeing, id, memory_order_release);  // SYNC window-seat
  }
  pthread_mutex_unlock(&lock);
}
