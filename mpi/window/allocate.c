// The segments of a node window, made by MPI, and the parts in them: the three layouts.
// SPDX-License-Identifier: BSD-3-Clause
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "atrium_machine.h"
#include "window.h"

static size_t round_up(size_t bytes) { return (bytes + page_size() - 1) / page_size() * page_size(); }

static char* align_up(char* base) { return (char*)round_up((size_t)base); }

// What a rank's part takes in its segment.
static size_t extent(const atrium_window* window, int rank) {
  const size_t bytes = window->parts[rank].bytes;
  return window->layout == ATRIUM_CONTIGUOUS ? bytes : round_up(bytes);
}

// Both MPIs put shared memory into /dev/shm, and what does not fit would end in SIGBUS at the first touch. tmpfs takes
// memory until the kernel ends a process for it: the machine's, or the container's.
static uint64_t find_room(void) {
  struct statvfs files;
  const uint64_t memory = atrium_memory_left();
  const uint64_t room = statvfs("/dev/shm", &files) == 0 ? (uint64_t)files.f_bavail * files.f_frsize : memory;
  return room < memory ? room : memory;
}

// What a rank says of itself; of `id` and `room`, rank 0's word counts.
typedef struct {
  uint64_t bytes, valid, layout, domain, id, room;
} Request;

static uint64_t next_id(void) {
  static _Atomic uint32_t sequence;
  return (uint64_t)getpid() << 32 | (atomic_fetch_add(&sequence, 1) + 1);
}

static size_t control_bytes(size_t size) {
  return sizeof(Control) + size * sizeof(RankSlot) + size * size * sizeof(Flag) + kLine;
}

// Ranks that ask for what cannot be had, or disagree, all learn it here. A page per rank is what MPI adds, and
// a sixteenth is kept because Open MPI wants 5 % more than it takes: where it finds less it leaves ranks hanging.
static int find_objection(const Request* requests, int size) {
  const uint64_t most = PTRDIFF_MAX / 2;
  uint64_t total = control_bytes((size_t)size);
  for (int rank = 0; rank < size; rank++) {
    const Request* request = &requests[rank];
    if (!request->valid || request->layout != requests[0].layout || request->domain != requests[0].domain)
      return MPI_ERR_ARG;
    if (request->bytes > most) return MPI_ERR_SIZE;
    total += round_up(request->bytes) + page_size();
    if (total > most) return MPI_ERR_SIZE;
  }
  return total + total / 16 > requests[0].room ? MPI_ERR_NO_MEM : MPI_SUCCESS;
}

// One collective in which all ranks agree on sizes, identity and whether it can be done.
int agree(atrium_window* window, size_t bytes, atrium_window_domain domain, int valid) {
  const Request mine = {bytes, (uint64_t)valid, window->layout, domain, next_id(), find_room()};
  Request* requests = own_memory((size_t)window->size, sizeof *requests);
  MPI_Allgather(&mine, sizeof mine, MPI_BYTE, requests, sizeof mine, MPI_BYTE, window->comm);
  for (int rank = 0; rank < window->size; rank++) window->parts[rank].bytes = requests[rank].bytes;
  window->id = requests[0].id;
  const int code = find_objection(requests, window->size);
  free(requests);
  return code;
}

static int allocate(const atrium_window* window, size_t bytes, MPI_Win* win) {
  char* base = NULL;
  const int code = MPI_Win_allocate_shared((MPI_Aint)bytes, 1, MPI_INFO_NULL, window->comm, &base, win);
  if (code != MPI_SUCCESS) return code;
  MPI_Win_set_errhandler(*win, MPI_ERRORS_RETURN);
  return MPI_Win_lock_all(MPI_MODE_NOCHECK,
                          *win);  // the epoch in which MPI_Win_sync and RMA calls are allowed
}

char* beginning_of(MPI_Win win, int rank) {
  MPI_Aint bytes = 0;
  int unit = 0;
  char* base = NULL;
  MPI_Win_shared_query(win, rank, &bytes, &unit, &base);
  return base;
}

// One segment. MPI says where it begins; its own bytes may come before, so the padded layout asks for a page
// more (of the last rank, and never touched) and begins at the next page.
static int allocate_one(atrium_window* window) {
  const int padded = window->layout == ATRIUM_PADDED, last = window->size - 1;
  const size_t slack = padded && window->rank == last ? page_size() : 0;
  const int code = allocate(window, extent(window, window->rank) + slack, &window->data[0]);
  if (code != MPI_SUCCESS) return code;
  int first = 0;
  while (first < last && window->parts[first].bytes == 0) first++;
  char* at = beginning_of(window->data[0], first);
  if (padded) at = align_up(at);
  for (int rank = first; rank <= last; rank++) {
    window->parts[rank].base = window->parts[rank].bytes > 0 ? at : NULL;
    at += extent(window, rank);
  }
  return MPI_SUCCESS;
}

static int allocate_separate(atrium_window* window) {
  for (int rank = 0; rank < window->size; rank++) {
    if (window->parts[rank].bytes == 0) continue;
    const size_t bytes = rank == window->rank ? extent(window, rank) + page_size() : 0;
    const int code = allocate(window, bytes, &window->data[rank]);
    if (code != MPI_SUCCESS) return code;
    window->parts[rank].base = align_up(beginning_of(window->data[rank], rank));
  }
  return MPI_SUCCESS;
}

// The counters start just below zero, so that their wrap-around happens in every program and not after years.
static void clear_control(atrium_window* window) {
  const size_t size = (size_t)window->size;
  for (size_t rank = 0; rank < size; rank++) window->counts[rank] = (Count){UINT32_MAX - 2, UINT32_MAX - 2};
  if (window->rank != 0) return;
  memset(window->control, 0, sizeof(Control) + size * sizeof(RankSlot));
  for (size_t flag = 0; flag < size * size; flag++) atomic_init(&window->flags[flag].posts, UINT32_MAX - 2);
}

static int allocate_control(atrium_window* window) {
  const size_t size = (size_t)window->size;
  const int code = allocate(window, window->rank == 0 ? control_bytes(size) : 0, &window->control_window);
  if (code != MPI_SUCCESS) return code;
  const uintptr_t begin = (uintptr_t)beginning_of(window->control_window, 0);
  window->control = (Control*)((begin + kLine - 1) / kLine * kLine);
  window->flags = (Flag*)(window->control->slots + size);
  clear_control(window);
  return MPI_SUCCESS;
}

static Part my_extent(const atrium_window* window) {
  return (Part){window->parts[window->rank].base, extent(window, window->rank)};
}

static int place_mine(const atrium_window* window, const atrium_window_options* options) {
  const Part mine = my_extent(window);
  if (!options->untouched) return touch_and_place(&mine, options->memory);
  place_untouched(&mine, options->memory);
  return MPI_SUCCESS;
}

int allocate_segments(atrium_window* window, const atrium_window_options* options) {
  int code = window->layout == ATRIUM_SEPARATE ? allocate_separate(window) : allocate_one(window);
  if (code == MPI_SUCCESS) code = allocate_control(window);
  if (code == MPI_SUCCESS) code = place_mine(window, options);
  int failed = code != MPI_SUCCESS;
  MPI_Allreduce(MPI_IN_PLACE, &failed, 1, MPI_INT, MPI_LOR,
                window->comm);  // and nobody runs ahead of clear_control
  return failed && code == MPI_SUCCESS ? MPI_ERR_NO_MEM : code;
}

// With its epoch open MPICH refuses to free a window, and keeps its memory.
static int release(MPI_Win* win) {
  if (*win == MPI_WIN_NULL) return MPI_SUCCESS;
  const int code = MPI_Win_unlock_all(*win), freed = MPI_Win_free(win);
  return code != MPI_SUCCESS ? code : freed;
}

int free_segments(atrium_window* window) {
  const Part mine = my_extent(window);
  if (window->frozen) protect_parts(window, PROT_READ | PROT_WRITE);
  take_policy_back(&mine);
  int code = release(&window->control_window);
  for (int each = 0; each < window->data_count; each++) {
    const int freed = release(&window->data[each]);
    if (code == MPI_SUCCESS) code = freed;
  }
  return code;
}

// Whole pages only: MPI may have something of its own on the first and on the last.
static int protect(char* base, size_t bytes, int protection) {
  char *begin = align_up(base), *end = (char*)((uintptr_t)(base + bytes) / page_size() * page_size());
  return end > begin && mprotect(begin, (size_t)(end - begin), protection) != 0 ? MPI_ERR_OTHER : MPI_SUCCESS;
}

// Parts that lie together are protected together, since they share pages in the contiguous layout.
int protect_parts(const atrium_window* window, int protection) {
  char *begin = NULL, *end = NULL;
  int code = MPI_SUCCESS;
  for (int rank = 0; rank < window->size && code == MPI_SUCCESS; rank++) {
    char* base = window->parts[rank].base;
    if (base == NULL) continue;
    if (base != end) {
      code = protect(begin, (size_t)(end - begin), protection);
      begin = base;
    }
    end = base + extent(window, rank);
  }
  return code == MPI_SUCCESS ? protect(begin, (size_t)(end - begin), protection) : code;
}
