/* Copies by the best kernel in rounds: what the limits of copies and of collectives share.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef BENCH_COPYING_H
#define BENCH_COPYING_H

#include "kernels.h"
#include "rounds.h"

static const size_t sizes[] = {8,        16,       32,        64,  128,     256,      KIB,     4 * KIB,
                               16 * KIB, 64 * KIB, 256 * KIB, MIB, 4 * MIB, 16 * MIB, 64 * MIB};
static copy_kernel kernel;

/* The quickest kernel's nanoseconds for a copy. */
static inline void report_best(const char* what, const struct Task* task, copy_kernel* kernels, int count) {
  double best = 0;
  for (int i = 0; i < count; i++) {
    kernel = kernels[i];
    const double ns = time_rounds(task);
    if (i == 0 || ns < best) best = ns;
  }
  if (me == 0) report(what, task->bytes, best, "ns");
}

#endif
