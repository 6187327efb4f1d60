/* A 2-D heat equation on all PEs: read, divide, step, check, draw.   oshrun -n 4 ./heat --help
 * SPDX-License-Identifier: BSD-3-Clause */
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>

#include "heat.h"

static Times run(const Options* options, const Domain* domain, const Plate* plate, double cells) {
  Times times = {0};
  shmem_barrier_all();
  double begin = read_clock(), own = read_own_clock(), machine = read_machine_clock();
  for (int step = 0; step < options->steps; step++) {
    double before = read_clock();
    exchange(domain, plate, step);
    times.communication += read_clock() - before;
    advance(plate, step);
    if (shmem_my_pe() == 0) report_progress(options, step + 1, read_clock() - begin, cells);
  }
  shmem_barrier_all();
  times.total = read_clock() - begin;
  times.computed = read_own_clock() - own;
  times.machine = read_machine_clock() - machine;
  return times;
}

static bool solve(const Options* options, const Scene* scene) {
  Domain domain = divide(scene->width, scene->height, shmem_n_pes(), shmem_my_pe());
  double* fields = allocate_symmetric(2 * plate_cells(&domain), sizeof *fields);
  size_t cells = (size_t)scene->width * (size_t)scene->height;
  double* whole = allocate_symmetric(cells, sizeof *whole); /* filled on PE 0 only */
  Plate plate = create_plate(scene, &domain, fields);
  prepare_exchange(&domain);
  if (shmem_my_pe() == 0) report_start(options, scene, &domain);

  Times times = run(options, &domain, &plate, (double)cells);
  gather(&domain, &plate, options->steps, (size_t)scene->width, whole);
  Outcome outcome = sum_up(&domain, times);
  destroy_plate(&plate);
  if (shmem_my_pe() != 0) return true;

  if (options->check) check_against_serial_run(scene, options->steps, whole, &outcome);
  report_end(scene, options->steps, &outcome);
  write_picture(options->output, scene, whole, options->steps);
  printf("  picture        %s\n", options->output);
  return outcome.right;
}

/* Reads options and images. PE 0 is first: what is wrong with them is said once, and ends the job. */
static Scene prepare(int count, char** arguments, Options* options) {
  if (shmem_my_pe() != 0) shmem_barrier_all();
  *options = parse_options(count, arguments);
  Scene scene = {0};
  if (!options->help) scene = create_scene(options);
  if (shmem_my_pe() == 0 && !options->help) claim_output(options->output);
  if (shmem_my_pe() == 0) shmem_barrier_all();
  return scene;
}

int main(int count, char** arguments) {
  shmem_init();
  Options options;
  Scene scene = prepare(count, arguments, &options);
  bool right = true;
  if (!options.help)
    right = solve(&options, &scene);
  else if (shmem_my_pe() == 0)
    print_usage();
  destroy_scene(&scene);
  shmem_finalize();
  return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
