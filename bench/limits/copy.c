/* Limits of copying between two: libc's memcpy and the best of a few loops for each size. `memcpy`, `best
 * copy`: again and again between private buffers. `push`, `pull`: once, after the source was rewritten by its
 * owner and the target read by its own; process 0 copies into memory of process 1 and until that can see it,
 * or out of it. SPDX-License-Identifier: BSD-3-Clause */
#include "copying.h"

enum { most_bytes = 64 * MIB, most_quick_bytes = 4 * MIB };

static char *from, *to;

static void pull(size_t bytes) { kernel(to, from, bytes); }
/* Until the other side can see it. */
static void push(size_t bytes) {
  kernel(to, from, bytes);
  atomic_thread_fence(memory_order_seq_cst);
}

/* GB/s of one kernel on the same two private buffers. */
static double stream(char* target, char* source, size_t bytes) {
  const double patience = quick ? 5e5 : 4e6;
  double each[5];
  for (int batch = 0; batch < 5; batch++) {
    long calls = 0;
    const double begin = now_ns();
    double end;
    do {
      for (int i = 0; i < 16 && (i == 0 || bytes < (1 << 18)); i++, calls++) {
        kernel(target, source, bytes);
        keep(target);
      }
      end = now_ns();
    } while (end - begin < patience);
    each[batch] = (double)bytes * (double)calls / (end - begin);
  }
  return middle(each, 5);
}

static void report_streams(copy_kernel* kernels, int count, size_t bytes) {
  static char *target, *source;
  if (!target) target = allocate(most_bytes, 0), source = allocate(most_bytes, 0);
  double best = 0;
  for (int i = 0; i < count; i++) {
    kernel = kernels[i];
    const double speed = stream(target, source, bytes);
    if (i == 0) report("memcpy", bytes, speed, "GB/s");
    if (speed > best) best = speed;
  }
  report("best copy", bytes, best, "GB/s");
}

/* sources and targets: one of each for every process. */
static void between_two(copy_kernel* kernels, int count, size_t bytes, char* sources, char* targets,
                        size_t step) {
  from = sources, to = targets + step;
  report_best("push",
              &(struct Task){push, bytes, 1, me == 0 ? from : NULL, me == 1 ? to : NULL, bytes, bytes},
              kernels, count);
  from = sources + step, to = targets;
  report_best("pull",
              &(struct Task){pull, bytes, 1, me == 1 ? from : NULL, me == 0 ? to : NULL, bytes, bytes},
              kernels, count);
}

int main(int argc, char** arguments) {
  rounds_begin(read_wishes(argc, arguments));
  const size_t most = quick ? most_quick_bytes : most_bytes;
  char *sources = share(2 * most), *targets = share(2 * most);
  copy_kernel kernels[most_kernels];
  const int count = copy_kernels(kernels);
  me = multiply(2);
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes && sizes[i] <= most; i++) {
    if (me == 0) report_streams(kernels, count, sizes[i]);
    between_two(kernels, count, sizes[i], sources, targets, most);
  }
  return finish();
}
