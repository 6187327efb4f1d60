/* Times, and whether they are this program's alone: who else computed meanwhile.
 * SPDX-License-Identifier: BSD-3-Clause */
#define _POSIX_C_SOURCE 200809L /* clock_gettime */
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "heat.h"

static double read_seconds(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double read_clock(void) { return read_seconds(CLOCK_MONOTONIC); }

double read_own_clock(void) { return read_seconds(CLOCK_PROCESS_CPUTIME_ID); }

/* The first line of /proc/stat: user, nice, system, idle, iowait, irq, softirq, steal; in ticks. */
double read_machine_clock(void) {
  unsigned long long t[8] = {0};
  FILE* file = fopen("/proc/stat", "r");
  if (file == NULL) return 0;
  int found = fscanf(file, "cpu %llu %llu %llu %llu %llu %llu %llu %llu", &t[0], &t[1], &t[2], &t[3], &t[4],
                     &t[5], &t[6], &t[7]);
  fclose(file);
  if (found < 4) return 0;
  return (double)(t[0] + t[1] + t[2] + t[5] + t[6] + t[7]) / (double)sysconf(_SC_CLK_TCK);
}

/* CPUs that we leave idle are free for others; a twentieth more is what any system needs for itself, and the machine's
 * clock counts in ticks. */
bool was_disturbed(double others, double wall, int ours) {
  int cpus = (int)sysconf(_SC_NPROCESSORS_ONLN);
  int idle = ours < cpus ? cpus - ours : 0;
  return others > wall * (idle + 0.05 * cpus) + 2.0 * cpus / (double)sysconf(_SC_CLK_TCK);
}
