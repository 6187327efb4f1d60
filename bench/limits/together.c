/* Limits of copying by all: `pull by all`: every process, once, out of the next one's rewritten memory into
 * its own that it has read; `pull by one`: only process 0 does. With the best of a few loops for each size.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "copying.h"

enum { most_bytes = 16 * MIB, most_quick_bytes = 4 * MIB };

static void measure(copy_kernel* kernels, int count, size_t bytes, char* source, char* target) {
  struct Task task = {pull, bytes, processes, source, target, bytes, bytes};
  report_best("pull by all", &task, kernels, count);
  task.actors = 1;
  report_best("pull by one", &task, kernels, count);
}

int main(int argc, char** arguments) {
  rounds_begin(read_wishes(argc, arguments));
  const size_t most = quick ? most_quick_bytes : most_bytes;
  char *sources = share(most * (size_t)processes), *targets = share(most * (size_t)processes);
  copy_kernel kernels[most_kernels];
  const int count = copy_kernels(kernels);
  me = multiply(processes);
  from = sources + (size_t)((me + 1) % processes) * most, to = targets + (size_t)me * most;
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes && sizes[i] <= most; i++)
    measure(kernels, count, sizes[i], sources + (size_t)me * most, to);
  return finish();
}
