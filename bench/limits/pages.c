/* Limits of first touches of shared memory: by the first process and by a second one, in 4 KiB pages and,
 * where the kernel gives them, in 2 MiB pages; nanoseconds for each 4 KiB.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "limit.h"

enum { page_bytes = 4096 };
static struct RoundBarrier* round_barrier;

static double touch(char* memory, size_t bytes) {
  const double begin = now_ns();
  for (size_t i = 0; i < bytes; i += page_bytes) ((volatile char*)memory)[i] = 1;
  return (now_ns() - begin) / (double)(bytes / page_bytes);
}

/* Process 0 touches first. `huge`: it lets the kernel join the pages before the other one comes. */
static void touch_in_turn(int me, char* memory, size_t bytes, int huge) {
  if (me == 0) {
    const double begin = now_ns();
    const int granted = huge && enlarge_pages(memory, bytes);
    touch(memory, bytes);
    const double each = (now_ns() - begin) / (double)(bytes / page_bytes);
    if (granted || !huge) report(huge ? "first touch 2 MiB pages" : "first touch 4 KiB pages", 0, each, "ns");
  }
  meet(round_barrier, 2);
  if (me == 1) {
    const double second = touch(memory, bytes);
    report(huge ? "second touch 2 MiB pages" : "second touch 4 KiB pages", 0, second, "ns");
    fflush(stdout);
  }
  meet(round_barrier, 2);
}

int main(int argc, char** arguments) {
  const size_t bytes = (size_t)(read_options(argc, arguments).quick ? 16 : 64) << 20;
  round_barrier = share(sizeof *round_barrier);
  char *small = reserve(bytes, 1), *large = reserve(bytes, 1);
  const int me = multiply(2);
  touch_in_turn(me, small, bytes, 0);
  touch_in_turn(me, large, bytes, 1);
  return finish();
}
