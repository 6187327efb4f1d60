/* What shnode's measurements share: each figure beside the system's, in turns, medians, and how many times as
 * fast.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef ROUNDS_H
#define ROUNDS_H

#include <shnode.h>
#include <stdio.h>
#include <stdlib.h>

#include "../clock.h"

enum { most_rounds = 15 };

static inline void report(const char* what, const char* who, size_t bytes, double value, const char* unit) {
  printf("%s.%s\t%zu\t%.6g\t%s\n", what, who, bytes, value, unit);
}

static inline void succeed(int status) {
  if (status == SHNODE_OK) return;
  fprintf(stderr, "PE %d: %s\n", shmem_my_pe(), shnode_strerror(status));
  shmem_global_exit(1);
}

#endif
