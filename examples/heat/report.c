/* What the user reads: the start, the progress, whether the result is right and how fast it came.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "heat.h"

static void report_image(const Image* image, const char* name, const Scene* scene) {
  if (image->grey == NULL || (image->width == scene->width && image->height == scene->height)) return;
  printf("  %s of %d x %d pixels is resampled\n", name, image->width, image->height);
}

void report_start(const Options* options, const Scene* scene, const Domain* domain) {
  printf("heat: %d x %d cells, %d steps, %d PE%s: %d x %d blocks of up to %d x %d cells\n", scene->width,
         scene->height, options->steps, shmem_n_pes(), shmem_n_pes() == 1 ? "" : "s", domain->columns,
         domain->rows, domain->max_width, domain->max_height);
  report_image(&scene->temperature, options->temperature, scene);
  report_image(&scene->conductivity, options->conductivity, scene);
  fflush(stdout);
}

static void draw_bar(int step, int steps, double elapsed, double cells) {
  char bar[] = "....................";
  memset(bar, '#', (size_t)(20L * step / steps));
  printf("  [%s] %3d %%  %.2f s  %.0f million cells/s", bar, (int)(100L * step / steps), elapsed,
         step * cells / elapsed / 1e6);
}

/* On a terminal one line that changes; in a file or a pipe a line for each quarter. */
void report_progress(const Options* options, int step, double elapsed, double cells) {
  static double last = 0;
  int steps = options->steps;
  bool quarter = 4L * step / steps != 4L * (step - 1) / steps;
  bool due = options->live ? elapsed - last > 0.2 || step == steps : quarter;
  if (!due) return;
  last = elapsed;
  if (options->live) printf("\r");
  draw_bar(step, steps, elapsed, cells);
  if (!options->live || step == steps) printf("\n");
  fflush(stdout);
}

/* The CPU time of others is that of the machine without ours, where all PEs are on PE 0's machine. */
Outcome sum_up(const Domain* domain, Times times) {
  static double share, sum, most, computed, all; /* symmetric */
  share = times.total > 0 ? times.communication / times.total : 0;
  computed = times.computed;
  shmem_double_sum_reduce(SHMEM_TEAM_WORLD, &sum, &share, 1);
  shmem_double_max_reduce(SHMEM_TEAM_WORLD, &most, &share, 1);
  shmem_double_sum_reduce(SHMEM_TEAM_WORLD, &all, &computed, 1);
  int busy = domain->columns * domain->rows;
  double others = times.machine - all > 0 ? times.machine - all : 0;
  return (Outcome){.busy = busy,
                   .seconds = times.total,
                   .share = sum / busy,
                   .most_share = most,
                   .others = others,
                   .disturbed = was_disturbed(others, times.total, shmem_n_pes()),
                   .right = true};
}

/* Disturbed is a serial run that did not have its CPU all the time. */
void check_against_serial_run(const Scene* scene, int steps, const double* parallel, Outcome* outcome) {
  Domain all = divide(scene->width, scene->height, 1, 0);
  double* fields = allocate(2 * plate_cells(&all), sizeof *fields);
  Plate plate = create_plate(scene, &all, fields);
  double begin = read_clock(), own = read_own_clock();
  for (int step = 0; step < steps; step++) advance(&plate, step);
  double seconds = read_clock() - begin, without_cpu = seconds - (read_own_clock() - own);
  bool equal = true;
  for (int y = 0; y < scene->height; y++) {
    const double* row = plate.field[steps % 2] + (size_t)(y + 1) * plate.stride + 1;
    equal = equal &&
            memcmp(row, parallel + (size_t)y * (size_t)scene->width, (size_t)scene->width * sizeof *row) == 0;
  }
  outcome->checked = true;
  outcome->right = equal;
  outcome->serial_seconds = seconds;
  outcome->others += without_cpu;
  outcome->disturbed = outcome->disturbed || without_cpu > 0.05 * seconds + 0.01;
  destroy_plate(&plate);
  free(fields);
}

static void report_speed(const Scene* scene, int steps, const Outcome* outcome) {
  double rate = (double)scene->width * scene->height * steps / outcome->seconds / 1e6;
  if (outcome->checked)
    printf("  speed-up       %.2f over the serial run, which took %.2f s\n",
           outcome->serial_seconds / outcome->seconds, outcome->serial_seconds);
  printf("  speed          %.0f million cell updates per second, %.0f per PE\n", rate, rate / outcome->busy);
}

/* A speed is told only where it is this program's. */
void report_end(const Scene* scene, int steps, const Outcome* outcome) {
  if (!outcome->disturbed) report_speed(scene, steps, outcome);
  if (outcome->checked)
    printf("  check          %s\n",
           outcome->right ? "equal to a serial run, to the last bit" : "WRONG: differs from a serial run");
  printf("  communication  %.1f %% of the time (at most %.1f %% on a PE), waiting included\n",
         100 * outcome->share, 100 * outcome->most_share);
  if (outcome->disturbed)
    printf("  speed          not told: others took %.1f CPU seconds, so that %.1f s are not ours alone\n",
           outcome->others, outcome->seconds);
}
