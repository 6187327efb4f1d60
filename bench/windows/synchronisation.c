/* What the synchronisations of a window of shared memory cost: MPI's own, on a window that MPI_Win_allocate_shared made, beside those
 * of node windows, in turns within one run.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * usage: synchronisation [--quick]      Prints measure, bytes (0), value, unit; without a library in front of it, of MPI alone. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "atrium/node_window.h"

enum { rounds = 11, quick_rounds = 5 };
static const double round_seconds = 0.02;
static int rank, size, beside[2];
static MPI_Win fenced, locked;
static MPI_Comm node;
static MPI_Group neighbours;
static atrium_window* window;

static void fence(void) { MPI_Win_fence(0, fenced); }
static void sync_barrier_sync(void) { MPI_Win_sync(locked), MPI_Barrier(node), MPI_Win_sync(locked); }
static void post_start_complete_wait(void) {
  MPI_Win_post(neighbours, 0, fenced), MPI_Win_start(neighbours, 0, fenced);
  MPI_Win_complete(fenced), MPI_Win_wait(fenced);
}
static void our_fence(void) { atrium_window_fence(window); }
static void our_barrier(void) { atrium_window_barrier(window); }
static void our_flags(void) {
  for (int side = 0; side < 2; side++) atrium_window_post(window, beside[side]);
  for (int side = 0; side < 2; side++) atrium_window_wait(window, beside[side]);
}

typedef void Synchronise(void);
static const struct SyncVariant {
  const char* name;
  Synchronise* once;
} ways[] = {{"sync.fence.mpi", fence},
            {"sync.fence.window", our_fence},
            {"sync.barrier.mpi", sync_barrier_sync},
            {"sync.barrier.window", our_barrier},
            {"sync.neighbours.mpi", post_start_complete_wait},
            {"sync.neighbours.window", our_flags}};
enum { number_of_ways = sizeof ways / sizeof *ways };

/* The slowest rank's microseconds. */
static double time_calls(Synchronise* once, int calls) {
  double mine, slowest;
  MPI_Barrier(MPI_COMM_WORLD);
  const double begin = MPI_Wtime();
  for (int call = 0; call < calls; call++) once();
  mine = (MPI_Wtime() - begin) / calls * 1e6;
  MPI_Allreduce(&mine, &slowest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return slowest;
}

static int calls_per_round(Synchronise* once) {
  const double wanted = round_seconds * 1e6 / (time_calls(once, 3) + 1e-3);
  return wanted < 8 ? 8 : wanted < 4000 ? (int)wanted : 4000;
}

static int ascending(const void* a, const void* b) {
  const double left = *(const double*)a, right = *(const double*)b;
  return (left > right) - (left < right);
}

static void measure(int turns) {
  double took[number_of_ways][rounds];
  int calls[number_of_ways];
  for (int variant = 0; variant < number_of_ways; variant++)
    calls[variant] = calls_per_round(ways[variant].once);
  for (int turn = 0; turn < turns; turn++)
    for (int variant = 0; variant < number_of_ways; variant++)
      took[variant][turn] = time_calls(ways[variant].once, calls[variant]);
  for (int variant = 0; variant < number_of_ways; variant++) {
    qsort(took[variant], (size_t)turns, sizeof(double), ascending);
    if (rank == 0) printf("%s\t0\t%.3f\tus\n", ways[variant].name, took[variant][turns / 2]);
  }
}

int main(int argc, char** argv) {
  void* part;
  MPI_Group all;
  MPI_Init(&argc, &argv);
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
  MPI_Comm_rank(node, &rank), MPI_Comm_size(node, &size);
  beside[0] = (rank + 1) % size, beside[1] = (rank + size - 1) % size;
  MPI_Comm_group(node, &all);
  MPI_Group_incl(all, beside[0] == beside[1] ? 1 : 2, beside, &neighbours);
  MPI_Win_allocate_shared(4096, 1, MPI_INFO_NULL, node, &part, &fenced);
  MPI_Win_allocate_shared(4096, 1, MPI_INFO_NULL, node, &part, &locked);
  MPI_Win_lock_all(MPI_MODE_NOCHECK, locked);
  atrium_window_create(node, 4096, NULL, &window);
  measure(argc > 1 && !strcmp(argv[1], "--quick") ? quick_rounds : rounds);
  atrium_window_free(&window);
  MPI_Win_unlock_all(locked);
  MPI_Win_free(&locked), MPI_Win_free(&fenced);
  MPI_Group_free(&neighbours), MPI_Group_free(&all);
  MPI_Comm_free(&node);
  MPI_Finalize();
}
