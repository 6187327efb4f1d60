// Every rank's long array becomes half its own, a quarter of the previous rank's and a quarter of the next
// one's, again and again: by messages, and read straight out of the neighbours' arrays; with one thread and
// with OpenMP.
// SPDX-License-Identifier: BSD-3-Clause
//
// usage: ring [--small] [--elements N] [--rounds N]      elements per rank, sized down to what memory is free
#include <limits.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>
#ifdef _OPENMP
#include <omp.h>
#endif

#include "atrium/node_window.h"

enum { kChunk = 65536 };  // elements per message: what is received is still in the cache when it is used
enum { kMostMemoryNodes = 1024 };

typedef struct {
  int rank, ranks, previous, next, rounds, threads;
  size_t elements;
} Ring;

static int most_threads(void) {
#ifdef _OPENMP
  return omp_get_max_threads();
#else
  return 1;
#endif
}

static void start(double* array, const Ring* ring) {
  for (size_t at = 0; at < ring->elements; at++)
    array[at] = (double)((at * 7 + (size_t)ring->rank * 131) % 1000);
}

static void mix(double* to, const double* own, const double* previous, const double* next, size_t count,
                int threads) {
#pragma omp parallel for schedule(static) num_threads(threads) if (threads > 1)
  for (size_t at = 0; at < count; at++) to[at] = 0.5 * own[at] + 0.25 * previous[at] + 0.25 * next[at];
  (void)threads;
}

// A chunk of mine to both neighbours, and theirs to me.
static void trade(const double* own, double* previous, double* next, int count, const Ring* ring) {
  MPI_Sendrecv(own, count, MPI_DOUBLE, ring->next, 0, previous, count, MPI_DOUBLE, ring->previous, 0,
               MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Sendrecv(own, count, MPI_DOUBLE, ring->previous, 1, next, count, MPI_DOUBLE, ring->next, 1,
               MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void round_by_messages(double* to, const double* own, double* received, const Ring* ring) {
  for (size_t at = 0; at < ring->elements; at += kChunk) {
    const size_t left = ring->elements - at, count = left < kChunk ? left : kChunk;
    trade(own + at, received, received + kChunk, (int)count, ring);
    mix(to + at, own + at, received, received + kChunk, count, ring->threads);
  }
}

static double by_messages(double* arrays, const Ring* ring) {
  double* received = malloc(2 * kChunk * sizeof *received);
  start(arrays, ring);
  MPI_Barrier(MPI_COMM_WORLD);
  const double before = MPI_Wtime();
  for (int round = 0; round < ring->rounds; round++)
    round_by_messages(arrays + (size_t)(1 - round % 2) * ring->elements,
                      arrays + (size_t)(round % 2) * ring->elements, received, ring);
  MPI_Barrier(MPI_COMM_WORLD);
  free(received);
  return MPI_Wtime() - before;
}

static void meet_neighbours(atrium_window* window, int previous, int next) {
  atrium_window_post(window, previous);
  atrium_window_post(window, next);
  atrium_window_wait(window, previous);
  atrium_window_wait(window, next);
}

// One meeting a round is enough, because there are two arrays: what I overwrite now my neighbours have read
// before.
static double by_window(atrium_window* window, const Ring* ring, double* looping) {
  const int previous = atrium_window_rank_of(window, ring->previous),
            next = atrium_window_rank_of(window, ring->next);
  double *mine = atrium_window_mine(window), *its_previous, *its_next;
  atrium_window_part(window, previous, &its_previous, NULL);
  atrium_window_part(window, next, &its_next, NULL);
  start(mine, ring);
  MPI_Barrier(MPI_COMM_WORLD);
  const double before = MPI_Wtime();
  for (int round = 0; round < ring->rounds; round++) {
    const size_t from = (size_t)(round % 2) * ring->elements, to = ring->elements - from;
    meet_neighbours(window, previous, next);
    *looping -= MPI_Wtime();
    mix(mine + to, mine + from, its_previous + from, its_next + from, ring->elements, ring->threads);
    *looping += MPI_Wtime();
  }
  atrium_window_barrier(window);
  return MPI_Wtime() - before;
}

// Two arrays a rank outside of the window and two inside, in half of what is free; and those inside where
// shared memory comes from, which a container may have little of.
static size_t fit(size_t elements, int ranks) {
  struct statvfs files;
  const size_t free_bytes = (size_t)sysconf(_SC_AVPHYS_PAGES) * (size_t)sysconf(_SC_PAGESIZE);
  unsigned long most = free_bytes / 2 / (4 * sizeof(double)) / (size_t)ranks, wanted = elements;
  if (wanted > most) wanted = most;
  if (statvfs("/dev/shm", &files) == 0) {
    most = (size_t)files.f_bavail * files.f_frsize / 2 / (2 * sizeof(double)) / (size_t)ranks;
    if (wanted > most) wanted = most;
  }
  MPI_Allreduce(MPI_IN_PLACE, &wanted, 1, MPI_UNSIGNED_LONG, MPI_MIN, MPI_COMM_WORLD);
  return wanted;
}

// The time that ranks spent in their loops over the window, meetings not counted: where there are several memory
// nodes, those that read from another one take longer.
static void print_by_memory_node(const atrium_window* window, double looping, const Ring* ring) {
  double* times = calloc((size_t)ring->ranks, sizeof *times);
  times[atrium_window_rank(window)] = looping;
  MPI_Allreduce(MPI_IN_PLACE, times, ring->ranks, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  int* nodes = malloc((size_t)ring->ranks * sizeof *nodes);
  for (int rank = 0; rank < ring->ranks && ring->rank == 0; rank++)
    nodes[rank] = atrium_window_memory_node(window, rank);
  for (int node = -1; node < kMostMemoryNodes && ring->rank == 0; node++) {
    int parts = 0;
    double sum = 0;
    for (int rank = 0; rank < ring->ranks; rank++)
      if (nodes[rank] == node) parts++, sum += times[rank];
    if (parts > 0)
      printf("    memory node %d: %d parts, %.3f s in the loops over each\n", node, parts, sum / parts);
  }
  free(nodes);
  free(times);
}

static int compare(atrium_window* window, double* arrays, Ring* ring, int threads) {
  ring->threads = threads;
  double looping = 0;
  const double messages = by_messages(arrays, ring), shared = by_window(window, ring, &looping);
  const size_t last = (size_t)(ring->rounds % 2) * ring->elements;
  const double* mine = atrium_window_mine(window);
  int same = memcmp(arrays + last, mine + last, ring->elements * sizeof *mine) == 0;
  MPI_Allreduce(MPI_IN_PLACE, &same, 1, MPI_INT, MPI_LAND, MPI_COMM_WORLD);
  if (ring->rank == 0)
    printf("%2d threads: messages %8.3f s, window %8.3f s, ratio %5.2f, %s\n", threads, messages, shared,
           messages / shared, same ? "same bits" : "DIFFERENT");
  print_by_memory_node(window, looping, ring);
  return same;
}

// On all ranks.
static void give_up(const char* why) {
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) fprintf(stderr, "ring: %s\n", why);
  MPI_Finalize();
  exit(2);
}

static void read_arguments(int argc, char** argv, Ring* ring) {
  for (int at = 1; at < argc; at++) {
    const long value = at + 1 < argc ? strtol(argv[at + 1], NULL, 10) : 0;
    if (strcmp(argv[at], "--small") == 0)
      ring->elements = 100003, ring->rounds = 5;
    else if (strcmp(argv[at], "--elements") == 0 && value > 0 && ++at)
      ring->elements = (size_t)value;
    else if (strcmp(argv[at], "--rounds") == 0 && value > 0 && value <= INT_MAX && ++at)
      ring->rounds = (int)value;
    else
      give_up("usage: ring [--small] [--elements N] [--rounds N]");
  }
}

static Ring parse(int argc, char** argv) {
  Ring ring = {.rounds = 64, .elements = 32 << 20};
  read_arguments(argc, argv, &ring);
  MPI_Comm_rank(MPI_COMM_WORLD, &ring.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ring.ranks);
  ring.previous = (ring.rank + ring.ranks - 1) % ring.ranks;
  ring.next = (ring.rank + 1) % ring.ranks;
  const size_t wanted = ring.elements;
  ring.elements = fit(wanted, ring.ranks);
  if (ring.rank == 0 && ring.elements < wanted)
    printf("ring: %zu elements a rank do not fit into this node's memory, so fewer\n", wanted);
  return ring;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  Ring ring = parse(argc, argv);
  const atrium_window_options options = {.name = "ring"};
  atrium_window* window;
  atrium_window_create(MPI_COMM_WORLD, 2 * ring.elements * sizeof(double), &options, &window);
  if (atrium_window_size(window) != ring.ranks) {
    atrium_window_free(&window);
    give_up("this example wants all ranks on one node");
  }
  double* arrays = calloc(2 * ring.elements, sizeof *arrays);
  if (arrays == NULL) MPI_Abort(MPI_COMM_WORLD, 1);
  if (ring.rank == 0)
    printf("ring: %d ranks, %zu elements each, %d rounds\n", ring.ranks, ring.elements, ring.rounds);
  int same = compare(window, arrays, &ring, 1);
  if (most_threads() > 1) same = compare(window, arrays, &ring, most_threads()) && same;
  free(arrays);
  atrium_window_free(&window);
  MPI_Finalize();
  return !same;
}
