// Diffusion Monte Carlo's way with memory: walkers at random points evaluate cubic B-splines out of one large
// read-only table, coefficients(x, y, z, orbital); with a private copy per rank, with one frozen table per node, and
// as MPI with OpenMP does it, with one rank per node and a thread in the place of each other rank.
// SPDX-License-Identifier: BSD-3-Clause
//
// usage: ensemble [--small] [--grid POINTS] [--orbitals N] [--walkers N] [--steps N] [--seed N]
// Prints for each: the energy (the same bits for the same seed, whatever the number of ranks), evaluations
// per second, and what the table costs the node (the sum of all ranks' proportional set sizes, less what they
// had before).
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "atrium/node_window.h"

typedef struct {
  size_t grid, orbitals, walkers, steps, seed;
} Settings;

typedef struct {
  double energy, seconds, mebibytes;
} Outcome;

static uint64_t scramble(uint64_t x) {  // splitmix64
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

static double draw(uint64_t* state) { return (double)(scramble((*state)++) >> 11) * 0x1p-53; }

static size_t table_elements(const Settings* settings) {
  return settings->grid * settings->grid * settings->grid * settings->orbitals;
}

static void fill_table(double* table, const Settings* settings) {
  const size_t elements = table_elements(settings);
  for (size_t at = 0; at < elements; at++) table[at] = (double)(scramble(at) >> 40) * 0x1p-24 - 0.5;
}

static void spline_weights(double t, double* weights) {
  const double u = 1 - t;
  weights[0] = u * u * u / 6;
  weights[1] = (3 * t * t * t - 6 * t * t + 4) / 6;
  weights[2] = (3 * u * u * u - 6 * u * u + 4) / 6;
  weights[3] = t * t * t / 6;
}

// All orbitals at one point of the periodic cell: 64 rows of the table.
static void evaluate(const double* table, const Settings* settings, const double* point, double* values) {
  double weights[3][4];
  size_t cell[3];
  for (int axis = 0; axis < 3; axis++) {
    const double at = point[axis] * (double)settings->grid;
    cell[axis] = (size_t)at;
    spline_weights(at - (double)cell[axis], weights[axis]);
  }
  memset(values, 0, settings->orbitals * sizeof *values);
  for (size_t corner = 0; corner < 64; corner++) {
    const size_t i = corner / 16, j = corner / 4 % 4, k = corner % 4, grid = settings->grid;
    const size_t x = (cell[0] + i) % grid, y = (cell[1] + j) % grid, z = (cell[2] + k) % grid;
    const double* row = table + ((x * grid + y) * grid + z) * settings->orbitals;
    const double weight = weights[0][i] * weights[1][j] * weights[2][k];
    for (size_t orbital = 0; orbital < settings->orbitals; orbital++)
      values[orbital] += weight * row[orbital];
  }
}

// A walker's own random numbers, so that it does the same on whatever rank it lives.
static double walk(const double* table, const Settings* settings, size_t walker, double* values) {
  uint64_t state = scramble(settings->seed * 1000003 + walker);
  double energy = 0;
  for (size_t step = 0; step < settings->steps; step++) {
    const double point[3] = {draw(&state), draw(&state), draw(&state)};
    evaluate(table, settings, point, values);
    for (size_t orbital = 0; orbital < settings->orbitals; orbital++)
      energy += values[orbital] * values[orbital];
  }
  return energy / (double)settings->steps;
}

// Walkers are dealt out to the ranks, and to the threads of each; their energies are added in the walkers' order.
static double walk_all(const double* table, const Settings* settings, MPI_Comm comm, int threads) {
  int rank, ranks;
  double *energies = calloc(settings->walkers, sizeof *energies), total = 0;
  (void)threads;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &ranks);
#pragma omp parallel num_threads(threads) if (threads > 1)
  {
    double* values = malloc(settings->orbitals * sizeof *values);
#pragma omp for schedule(static, 1)
    for (size_t walker = (size_t)rank; walker < settings->walkers; walker += (size_t)ranks)
      energies[walker] = walk(table, settings, walker, values);
    free(values);
  }
  MPI_Allreduce(MPI_IN_PLACE, energies, (int)settings->walkers, MPI_DOUBLE, MPI_SUM, comm);
  for (size_t walker = 0; walker < settings->walkers; walker++) total += energies[walker];
  free(energies);
  return total / (double)settings->walkers;
}

// Of all ranks together. A page that n processes map counts 1/n for each, so the sum is what the node really
// spends.
static double node_mebibytes(void) {
  FILE* rollup = fopen("/proc/self/smaps_rollup", "r");
  char line[256];
  double kibibytes = 0;
  while (rollup != NULL && fgets(line, sizeof line, rollup) != NULL)
    if (sscanf(line, "Pss: %lf", &kibibytes) == 1) break;
  if (rollup != NULL) fclose(rollup);
  MPI_Allreduce(MPI_IN_PLACE, &kibibytes, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return kibibytes / 1024;
}

static Outcome measure(const double* table, const Settings* settings, double before_mebibytes) {
  Outcome outcome = {0, 0, 0};
  MPI_Barrier(MPI_COMM_WORLD);
  const double before = MPI_Wtime();
  outcome.energy = walk_all(table, settings, MPI_COMM_WORLD, 1);
  outcome.seconds = MPI_Wtime() - before;
  outcome.mebibytes = node_mebibytes() - before_mebibytes;
  MPI_Barrier(MPI_COMM_WORLD);
  return outcome;
}

static Outcome with_private_copies(const Settings* settings) {
  const double before = node_mebibytes();
  double* table = malloc(table_elements(settings) * sizeof *table);
  fill_table(table, settings);
  const Outcome outcome = measure(table, settings, before);
  free(table);
  return outcome;
}

static Outcome with_one_table(const Settings* settings) {
  const atrium_window_options options = {.name = "coefficients"};
  const double before = node_mebibytes();
  atrium_window* window;
  double* table;
  atrium_window_create_per_node(MPI_COMM_WORLD, table_elements(settings) * sizeof *table, &options, &window);
  atrium_window_part(window, MPI_PROC_NULL, &table, NULL);
  if (atrium_window_rank(window) == 0) fill_table(table, settings);
  atrium_window_freeze(window);
  const Outcome outcome = measure(table, settings, before);
  atrium_window_free(&window);
  return outcome;
}

// Until all others are here, without the processor that their threads need: MPI waits awake.
static void sleep_until_all_are_here(void) {
  MPI_Request all;
  int here = 0;
  MPI_Ibarrier(MPI_COMM_WORLD, &all);
  while (MPI_Test(&all, &here, MPI_STATUS_IGNORE), !here) nanosleep(&(struct timespec){0, 1000000}, NULL);
}

// A node's first rank has the table and as many threads as the node has ranks; the others sleep. No critical section:
// each walker has random numbers and an energy of its own.
static Outcome with_threads(const Settings* settings) {
  MPI_Comm node, first;
  int node_rank, node_ranks;
  Outcome outcome = {0, 0, 0};
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
  MPI_Comm_rank(node, &node_rank);
  MPI_Comm_size(node, &node_ranks);
  MPI_Comm_split(MPI_COMM_WORLD, node_rank == 0 ? 0 : MPI_UNDEFINED, 0, &first);
  const double before_mebibytes = node_mebibytes();
  double* table = node_rank == 0 ? malloc(table_elements(settings) * sizeof *table) : NULL;
  if (node_rank == 0) {
    fill_table(table, settings);
    MPI_Barrier(first);
    const double before = MPI_Wtime();
    outcome.energy = walk_all(table, settings, first, node_ranks);
    outcome.seconds = MPI_Wtime() - before;
    MPI_Comm_free(&first);
  }
  sleep_until_all_are_here();
  outcome.mebibytes = node_mebibytes() - before_mebibytes;
  MPI_Bcast(&outcome.energy, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  MPI_Comm_free(&node);
  free(table);
  return outcome;
}

// On all ranks.
static void give_up(const char* why) {
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) fprintf(stderr, "ensemble: %s\n", why);
  MPI_Finalize();
  exit(2);
}

static size_t* find_setting(Settings* settings, const char* name) {
  if (strcmp(name, "--grid") == 0) return &settings->grid;
  if (strcmp(name, "--orbitals") == 0) return &settings->orbitals;
  if (strcmp(name, "--walkers") == 0) return &settings->walkers;
  if (strcmp(name, "--steps") == 0) return &settings->steps;
  return strcmp(name, "--seed") == 0 ? &settings->seed : NULL;
}

static Settings parse(int argc, char** argv) {
  Settings settings = {40, 256, 64, 100, 1};
  for (int at = 1; at < argc; at++) {
    const long value = at + 1 < argc ? strtol(argv[at + 1], NULL, 10) : 0;
    size_t* setting = find_setting(&settings, argv[at]);
    if (strcmp(argv[at], "--small") == 0)
      settings = (Settings){12, 64, 16, 10, settings.seed};
    else if (setting != NULL && value > 0 && value <= INT_MAX && ++at)
      *setting = (size_t)value;
    else
      give_up(
          "usage: ensemble [--small] [--grid POINTS] [--orbitals N] [--walkers N] [--steps N] [--seed N]");
  }
  return settings;
}

// A private copy per rank is what needs most.
static void require_memory(const Settings* settings, int ranks) {
  const double grid = (double)settings->grid, free_pages = (double)sysconf(_SC_AVPHYS_PAGES);
  const double bytes = grid * grid * grid * (double)settings->orbitals * sizeof(double) * ranks;
  if (bytes > 0.9 * free_pages * (double)sysconf(_SC_PAGESIZE))
    give_up(
        "a table for each rank does not fit into this node's free memory; a smaller --grid, or --orbitals");
}

static void print(const char* name, const Outcome* outcome, const Settings* settings) {
  printf("%-16s energy %.17g, %9.0f evaluations/s, %8.1f MiB on the node\n", name, outcome->energy,
         (double)(settings->walkers * settings->steps) / outcome->seconds, outcome->mebibytes);
}

int main(int argc, char** argv) {
  int provided;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  const Settings settings = parse(argc, argv);
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  require_memory(&settings, ranks);
  const Outcome private_copies = with_private_copies(&settings), shared = with_one_table(&settings),
                threads = with_threads(&settings);
  const int same = memcmp(&private_copies.energy, &shared.energy, sizeof(double)) == 0 &&
                   memcmp(&private_copies.energy, &threads.energy, sizeof(double)) == 0;
  if (rank == 0) {
    printf("ensemble: %d ranks, seed %zu, a table of %.1f MiB\n", ranks, settings.seed,
           (double)(table_elements(&settings) * sizeof(double)) / (1 << 20));
    print("private copies", &private_copies, &settings);
    print("one per node", &shared, &settings);
    print("threads", &threads, &settings);
    printf("%s\n", same ? "same bits" : "DIFFERENT");
  }
  MPI_Finalize();
  return !same;
}
