// What a rank asks of a node window: ranks, parts, MPI's view of them; and the entry points for Fortran.
// SPDX-License-Identifier: BSD-3-Clause
#include <string.h>

#include "atrium_mpi_handles.h"
#include "window.h"

int atrium_window_rank(const atrium_window* window) {
  return check(window, "atrium_window_rank") == MPI_SUCCESS ? window->rank : MPI_UNDEFINED;
}

int atrium_window_size(const atrium_window* window) {
  return check(window, "atrium_window_size") == MPI_SUCCESS ? window->size : MPI_UNDEFINED;
}

int atrium_window_rank_of(const atrium_window* window, int comm_rank) {
  if (check(window, "atrium_window_rank_of") != MPI_SUCCESS) return MPI_UNDEFINED;
  const int known = comm_rank >= 0 && comm_rank < window->comm_size;
  return known ? window->rank_of[comm_rank] : MPI_UNDEFINED;
}

static void answer(void* base, size_t* bytes, char* part, size_t part_bytes) {
  memcpy(base, &part, sizeof part);  // a pointer of any type, so no assignment through void **
  if (bytes != NULL) *bytes = part_bytes;
}

static int first_part(const atrium_window* window) {
  int rank = 0;
  while (rank < window->size - 1 && window->parts[rank].bytes == 0) rank++;
  return rank;
}

int atrium_window_part(const atrium_window* window, int rank, void* base, size_t* bytes) {
  int code = check(window, "atrium_window_part");
  if (code == MPI_SUCCESS && rank == MPI_PROC_NULL) rank = first_part(window);
  if (code == MPI_SUCCESS) code = check_rank(window, rank, "atrium_window_part");
  if (code == MPI_SUCCESS) answer(base, bytes, window->parts[rank].base, window->parts[rank].bytes);
  return code;
}

void* atrium_window_mine(const atrium_window* window) {
  return check(window, "atrium_window_mine") == MPI_SUCCESS ? window->parts[window->rank].base : NULL;
}

int atrium_window_whole(const atrium_window* window, void* base, size_t* bytes) {
  const int code = check(window, "atrium_window_whole");
  if (code != MPI_SUCCESS) return code;
  char *begin = window->parts[first_part(window)].base, *end = begin;
  for (int rank = 0; rank < window->size; rank++) {
    const Part* part = &window->parts[rank];
    if (part->bytes > 0 && part->base != end) {
      const atrium_message report = {"there is no single array of all parts", "there are gaps between them",
                                     "atrium_window_whole",
                                     "ATRIUM_CONTIGUOUS, or atrium_window_part for each rank"};
      return fail(window, window->comm, MPI_ERR_ARG, &report);
    }
    end += part->bytes;
  }
  answer(base, bytes, begin, (size_t)(end - begin));
  return MPI_SUCCESS;
}

int atrium_window_memory_node(const atrium_window* window, int rank) {
  const int known = check_rank(window, rank, "atrium_window_memory_node") == MPI_SUCCESS;
  return known && window->parts[rank].bytes > 0 ? memory_node_of(window->parts[rank].base) : -1;
}

MPI_Comm atrium_window_comm(const atrium_window* window) {
  return check(window, "atrium_window_comm") == MPI_SUCCESS ? window->comm : MPI_COMM_NULL;
}

// A part need not begin where MPI's memory of its rank does: pages do, and Open MPI's memory does not.
MPI_Win atrium_window_mpi(const atrium_window* window, int rank, MPI_Aint* displacement) {
  if (check_rank(window, rank, "atrium_window_mpi") != MPI_SUCCESS) return MPI_WIN_NULL;
  const Part* part = &window->parts[rank];
  const MPI_Win win = window->data[window->layout == ATRIUM_SEPARATE ? rank : 0];
  *displacement = part->bytes > 0 ? part->base - beginning_of(win, rank) : 0;
  ((atrium_window*)window)->mpi_window_given = 1;
  return win;
}

// Fortran has integer handles; the rest of its module (fortran/atrium_node_window.f90) binds to the C names.
ATRIUM_WINDOW_API int atrium_window_create_f(MPI_Fint comm, size_t bytes, int layout, int domain,
                                             atrium_window** window) {
  const atrium_window_options options = {.layout = (atrium_window_layout)layout,
                                         .domain = (atrium_window_domain)domain};
  return atrium_window_create(MPI_Comm_f2c(comm), bytes, &options, window);
}

ATRIUM_WINDOW_API int atrium_window_create_per_node_f(MPI_Fint comm, size_t bytes, int layout, int domain,
                                                      atrium_window** window) {
  const atrium_window_options options = {.layout = (atrium_window_layout)layout,
                                         .domain = (atrium_window_domain)domain};
  return atrium_window_create_per_node(MPI_Comm_f2c(comm), bytes, &options, window);
}

ATRIUM_WINDOW_API MPI_Fint atrium_window_comm_f(const atrium_window* window) {
  return MPI_Comm_c2f(atrium_window_comm(window));
}

ATRIUM_WINDOW_API MPI_Fint atrium_window_mpi_f(const atrium_window* window, int rank,
                                               MPI_Aint* displacement) {
  return MPI_Win_c2f(atrium_window_mpi(window, rank, displacement));
}
