// Heat on a square plate, five-point stencil: the same steps with the borders exchanged in three ways, and
// what each costs.
// SPDX-License-Identifier: BSD-3-Clause
//
// usage: heat2d [--small] [--size CELLS] [--steps N] [--repeats N] [--layout padded|contiguous|separate]
// Prints for each way, per step: communication and computation in processor time, and wall time (median over
// the repeats, which take turns); and checks that all ways end in the same bits, up to 1024 x 1024 cells in
// those of the plate in one piece. Processor time, because a rank that shares its CPU is interrupted anywhere,
// and a clock on the wall would count the other rank's work. Waiting for a neighbour that still computes is no
// cost of an exchange, so all ranks enter it together: a rank that gives its CPU away finds it back at once
// where nobody else there has work.
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "grid.h"

typedef struct {
  size_t size;
  int steps, repeats;
  atrium_window_layout layout;
} Settings;

typedef struct {
  double exchange, compute, step;  // seconds
} Cost;

enum { kMostRepeats = 101 };
enum { kMostCells = 1 << 28 };  // on a side: their square can be counted in bytes
enum { kMostChecked = 1024 };   // on a side: what every rank may compute all of, beside its share
static const char* const kNames[kWays] = {"messages", "window + fence", "window + flags", "least, by hand",
                                          "nothing"};

static const char* const kLayouts[] = {"padded", "contiguous", "separate"};  // in their order

// On all ranks.
static void give_up(const char* why) {
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) fprintf(stderr, "heat2d: %s\n", why);
  MPI_Finalize();
  exit(2);
}

static int find_layout(const char* word) {
  int at = 0;
  while (at <= ATRIUM_SEPARATE && strcmp(word, kLayouts[at]) != 0) at++;
  return at;
}

static void read_arguments(int argc, char** argv, Settings* settings) {
  for (int at = 1; at < argc; at++) {
    const char* word = at + 1 < argc ? argv[at + 1] : "";
    const long value = strtol(word, NULL, 10);
    if (strcmp(argv[at], "--small") == 0)
      *settings = (Settings){50, 20, 1, settings->layout};
    else if (strcmp(argv[at], "--size") == 0 && value > 0 && value <= kMostCells && ++at)
      settings->size = (size_t)value;
    else if (strcmp(argv[at], "--steps") == 0 && value > 0 && value <= INT_MAX && ++at)
      settings->steps = (int)value;
    else if (strcmp(argv[at], "--repeats") == 0 && value > 0 && value <= kMostRepeats && ++at)
      settings->repeats = (int)value;
    else if (strcmp(argv[at], "--layout") == 0 && find_layout(word) <= ATRIUM_SEPARATE && ++at)
      settings->layout = (atrium_window_layout)find_layout(word);
    else
      give_up(
          "usage: heat2d [--small] [--size CELLS] [--steps N] [--repeats N, at most 101]"
          " [--layout padded|contiguous|separate]");
  }
}

static Settings parse(int argc, char** argv) {
  Settings settings = {1024, 50, 21, ATRIUM_PADDED};
  read_arguments(argc, argv, &settings);
  if (settings.size < least_size())
    give_up("some ranks would have no cells: try a larger --size or fewer ranks");
  return settings;
}

static int ascending(const void* one, const void* other) {
  return (*(const double*)one > *(const double*)other) - (*(const double*)one < *(const double*)other);
}

static double median(double* values, int count) {
  qsort(values, (size_t)count, sizeof *values, ascending);
  return values[count / 2];
}

static double processor_time(void) {
  struct timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

// Of the middle 80 %: what disturbed the others was not the program.
static double mean(double* values, int count) {
  const int cut = count / 10;
  double sum = 0;
  qsort(values, (size_t)count, sizeof *values, ascending);
  for (int at = cut; at < count - cut; at++) sum += values[at];
  return sum / (count - 2 * cut);
}

static Cost run_timed(Plate* plate, int steps, atrium_window* start) {
  double *computing = malloc(2 * (size_t)steps * sizeof *computing), *exchanging = computing + steps;
  heat_up(plate);
  atrium_window_barrier(start);
  for (int at = 0; at < steps; at++) {
    atrium_window_barrier(start);
    const double before = processor_time();
    step(plate, at % 2);
    computing[at] = processor_time() - before;
    atrium_window_barrier(start);
    const double began = processor_time();
    exchange(plate, 1 - at % 2);
    exchanging[at] = processor_time() - began;
  }
  const Cost cost = {mean(exchanging, steps), mean(computing, steps), 0};
  free(computing);
  return cost;
}

// Until the last rank is done.
static double run_free(Plate* plate, int steps, atrium_window* start) {
  heat_up(plate);
  atrium_window_barrier(start);
  const double before = MPI_Wtime();
  for (int at = 0; at < steps; at++) {
    step(plate, at % 2);
    exchange(plate, 1 - at % 2);
  }
  atrium_window_barrier(start);
  double seconds = (MPI_Wtime() - before) / steps;
  MPI_Allreduce(MPI_IN_PLACE, &seconds, 1, MPI_DOUBLE, MPI_MAX, plate->comm);
  return seconds;
}

static Cost run(Plate* plate, int steps, atrium_window* start) {
  Cost cost = run_timed(plate, steps, start);
  atrium_window_barrier(start);
  cost.step = run_free(plate, steps, start);
  return cost;
}

// The mean over the ranks, of each repeat; then the median.
static double summarize(double* values, int count, MPI_Comm comm) {
  int ranks;
  MPI_Comm_size(comm, &ranks);
  MPI_Allreduce(MPI_IN_PLACE, values, count, MPI_DOUBLE, MPI_SUM, comm);
  return median(values, count) / ranks;
}

static int is_same(const Plate* one, const Plate* other, int steps) {
  const size_t bytes = one->mine.rows * one->mine.columns * sizeof(double);
  int same = memcmp(one->share.grid[steps % 2], other->share.grid[steps % 2], bytes) == 0;
  MPI_Allreduce(MPI_IN_PLACE, &same, 1, MPI_INT, MPI_LAND, one->comm);
  return same;
}

static int is_right(const Plate* plate, const Settings* settings) {
  int right = settings->size > kMostChecked || equals_whole(plate, settings->size, settings->steps);
  MPI_Allreduce(MPI_IN_PLACE, &right, 1, MPI_INT, MPI_LAND, plate->comm);
  return right;
}

// The two ways that are only measured against need not be right.
static const char* judge(int way, int same) {
  if (way >= kLeast) return "";
  return same ? "same bits" : "DIFFERENT";
}

static void print(int crowded, const Settings* settings, const Cost* costs, const int* same) {
  int ranks;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  printf("heat2d: %zu x %zu cells, %d ranks%s, %d steps, median of %d\n", settings->size, settings->size,
         ranks, crowded ? " that share CPUs" : "", settings->steps, settings->repeats);
  printf("%-16s %12s %8s %12s %7s %12s\n", "", "exchange us", "saved", "compute us", "ratio", "step us");
  for (int way = 0; way < kWays; way++)
    printf("%-16s %12.2f %7.1f%% %12.2f %7.3f %12.2f  %s\n", kNames[way], costs[way].exchange * 1e6,
           100 * (1 - costs[way].exchange / costs[kMessages].exchange), costs[way].compute * 1e6,
           costs[way].compute / costs[kMessages].compute, costs[way].step * 1e6, judge(way, same[way]));
}

static double samples[kWays][3][kMostRepeats];

static void sample(Plate* plates, const Settings* settings, atrium_window* start) {
  for (int way = 0; way < kWays; way++) run_free(&plates[way], 2, start);
  for (int repeat = 0; repeat < settings->repeats; repeat++)
    for (int way = 0; way < kWays; way++) {
      const Cost cost = run(&plates[way], settings->steps, start);
      samples[way][0][repeat] = cost.exchange;
      samples[way][1][repeat] = cost.compute;
      samples[way][2][repeat] = cost.step;
    }
}

static Cost summarize_all(double (*of_way)[kMostRepeats], int repeats) {
  return (Cost){summarize(of_way[0], repeats, MPI_COMM_WORLD), summarize(of_way[1], repeats, MPI_COMM_WORLD),
                summarize(of_way[2], repeats, MPI_COMM_WORLD)};
}

// Exchanging nothing takes what reading the clock takes.
static void subtract_clock(Cost* costs) {
  const double clock = costs[kNothing].exchange;
  for (int way = 0; way < kWays; way++) {
    costs[way].exchange -= clock;
    costs[way].compute -= clock;
  }
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const Settings settings = parse(argc, argv);
  Plate plates[kWays];
  Cost costs[kWays];
  atrium_window* start;
  int same[kWays], all_same = 1, rank;
  atrium_window_create(MPI_COMM_WORLD, 0, NULL, &start);
  for (int way = 0; way < kWays; way++) {
    cut_plate(&plates[way], settings.size);
    plates[way].crowded = atrium_window_size(start) > sysconf(_SC_NPROCESSORS_ONLN);
    place_grids(&plates[way], way, settings.layout);
  }
  sample(plates, &settings, start);
  for (int way = 0; way < kWays; way++) {
    costs[way] = summarize_all(samples[way], settings.repeats);
    same[way] = way == kMessages ? is_right(&plates[way], &settings)
                                 : is_same(&plates[way], &plates[kMessages], settings.steps);
    all_same = all_same && (same[way] || way >= kLeast);
  }
  subtract_clock(costs);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) print(plates[0].crowded, &settings, costs, same);
  for (int way = 0; way < kWays; way++) release_grids(&plates[way]);
  atrium_window_free(&start);
  MPI_Finalize();
  return !all_same;
}
