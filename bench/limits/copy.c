/* Limits of copying: libc's memcpy and the best of a few loops for each size. `memcpy`, `best copy`: again
 * and again between private buffers. `push`, `pull`: once, after the source was rewritten by its owner and
 * the target read by its own; process 0 copies into memory of process 1, or out of it. `pull by all`: every
 * process out of the next one's. SPDX-License-Identifier: BSD-3-Clause */
#include "kernels.h"
#include "rounds.h"

enum { most_bytes = 64 << 20, most_quick_bytes = 4 << 20 };
static const size_t sizes[] = {8,        16,       32,        64,      128,     256,      1 << 10,   4 << 10,
                               16 << 10, 64 << 10, 256 << 10, 1 << 20, 4 << 20, 16 << 20, most_bytes};
static copy_kernel kernel;
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
  return median(each, 5);
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

/* The quickest kernel's nanoseconds for a copy. */
static void report_best(const char* what, const struct Task* task, copy_kernel* kernels, int count) {
  double best = 0;
  for (int i = 0; i < count; i++) {
    kernel = kernels[i];
    const double ns = time_rounds(task);
    if (i == 0 || ns < best) best = ns;
  }
  if (me == 0) report(what, task->bytes, best, "ns");
}

/* sources and targets: one of each for every process. */
static void between_two(copy_kernel* kernels, int count, size_t bytes, char* sources, char* targets,
                        size_t step) {
  from = sources, to = targets + step;
  report_best("push",
              &(struct Task){pull, bytes, 1, me == 0 ? from : NULL, me == 1 ? to : NULL, bytes, bytes},
              kernels, count);
  from = sources + step, to = targets;
  report_best("pull",
              &(struct Task){pull, bytes, 1, me == 1 ? from : NULL, me == 0 ? to : NULL, bytes, bytes},
              kernels, count);
}

static void among_all(copy_kernel* kernels, int count, size_t bytes, char* sources, char* targets,
                      size_t step) {
  from = sources + (size_t)((me + 1) % processes) * step, to = targets + (size_t)me * step;
  report_best("pull by all",
              &(struct Task){pull, bytes, processes, sources + (size_t)me * step, to, bytes, bytes}, kernels,
              count);
}

int main(int argc, char** arguments) {
  rounds_begin(read_wishes(argc, arguments));
  const size_t most = quick || processes > 2 ? most_quick_bytes : most_bytes, step = most;
  char *sources = share(step * (size_t)processes), *targets = share(step * (size_t)processes);
  copy_kernel kernels[5];
  const int count = copy_kernels(kernels);
  me = multiply(processes);
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes && sizes[i] <= most; i++) {
    if (processes == 2 && me == 0) report_streams(kernels, count, sizes[i]);
    if (processes == 2) between_two(kernels, count, sizes[i], sources, targets, step);
    among_all(kernels, count, sizes[i], sources, targets, step);
  }
  return finish();
}
