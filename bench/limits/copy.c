/* Limits of copying again and again between private buffers: by libc's `memcpy`, and the `best copy` of a few
 * loops. (Copying once, between two, is measured beside the library: bench/programs/rma.c.)
 * SPDX-License-Identifier: BSD-3-Clause */
#include "../kernels.h"
#include "limit.h"

static const size_t sizes[] = {8,        16,       32,        64,  128,     256,      KIB,     4 * KIB,
                               16 * KIB, 64 * KIB, 256 * KIB, MIB, 4 * MIB, 16 * MIB, 64 * MIB};
enum { most_bytes = 64 * MIB, most_quick_bytes = 4 * MIB };
static char *target, *source;

/* GB/s of one kernel on the same two buffers. */
static double stream(const struct TimedKernel* kernel, size_t bytes, double patience_ns) {
  double each[5];
  for (int batch = 0; batch < 5; batch++) {
    long calls = 0;
    const double begin = now_ns();
    double end;
    do {
      for (int i = 0; i < 16 && (i == 0 || bytes < (1 << 18)); i++, calls++) {
        kernel->copy(target, source, bytes);
        keep(target);
      }
      end = now_ns();
    } while (end - begin < patience_ns);
    each[batch] = (double)bytes * (double)calls / (end - begin);
  }
  return middle(each, 5);
}

static void report_streams(const struct TimedKernel* kernels, int count, size_t bytes, double patience_ns) {
  for (int i = 0; i < count; i++) {
    char name[64];
    const double speed = stream(&kernels[i], bytes, patience_ns);
    if (i == 0) report("memcpy", bytes, speed, "GB/s");
    report(name_way("best copy", &kernels[i], name), bytes, speed, "GB/s");
  }
}

int main(int argc, char** arguments) {
  const struct LimitOptions options = read_options(argc, arguments);
  const size_t most = options.quick ? most_quick_bytes : most_bytes;
  struct TimedKernel kernels[most_kernels];
  const int count = copy_kernels(kernels);
  multiply(1);
  target = allocate(most, 0), source = allocate(most, 0);
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes && sizes[i] <= most; i++)
    report_streams(kernels, count, sizes[i], options.quick ? 5e5 : 4e6);
  return finish();
}
