/* Limit of starting: as many processes that do nothing, started with posix_spawn and waited for; and, for
 * what is above that, as many that share memory and meet. Run without arguments, this program is the first
 * kind of process; with `--share FD PROCESSES` the second; with `--time NAME COMMAND...` it times the command
 * in the same way.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <limits.h>
#include <linux/futex.h>
#include <spawn.h>
#include <sys/syscall.h>

#include "limit.h"

extern char** environ;

/* Nanoseconds. A process that fails ends the measurement. */
static double start_and_wait(char** command, int processes) {
  const double begin = now_ns();
  for (int i = 0; i < processes; i++) {
    pid_t child;
    if (posix_spawnp(&child, command[0], NULL, NULL, command, environ) != 0) exit(3);
  }
  int status;
  while (wait(&status) > 0)
    if (status != 0) exit(WIFEXITED(status) ? WEXITSTATUS(status) : 1);
  return now_ns() - begin;
}

/* As often as fits into the patience; once at least. In ms. */
static void report_starts(const char* name, char** command, int processes, double patience_ns) {
  const double end = now_ns() + patience_ns;
  double each[max_batches];
  int batches = 0;
  do each[batches++] = start_and_wait(command, processes);
  while (batches < max_batches && now_ns() < end);
  report(name, 0, middle(each, batches) / 1e6, "ms");
}

/* Asleep until all have come: a process that waits for the start of others leaves them the CPU. */
struct SleepingBarrier {
  atomic_int numbers, arrived, over;
};

static void gather(struct SleepingBarrier* barrier, int processes) {
  const int over = atomic_load(&barrier->over);
  if (atomic_fetch_add(&barrier->arrived, 1) + 1 == processes) {
    atomic_store(&barrier->arrived, 0);
    atomic_store(&barrier->over, over + 1);
    syscall(SYS_futex, &barrier->over, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
  }
  while (atomic_load(&barrier->over) == over)
    syscall(SYS_futex, &barrier->over, FUTEX_WAIT, over, NULL, NULL, 0);
}

static char* map_part(int file, size_t bytes, size_t offset) {
  return mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, file, (off_t)offset);
}

/* The least that sharing needs: one page of mine and all of the others mapped, and two meetings, when
 * everything is there and when nobody looks at it any more. */
static void be_neighbour(int file, int processes) {
  struct SleepingBarrier* barrier = (struct SleepingBarrier*)map_part(file, sizeof *barrier, 0);
  const int me = atomic_fetch_add(&barrier->numbers, 1);
  char* mine = map_part(file, huge_bytes, (size_t)(1 + me) * huge_bytes);
  keep(map_part(file, (size_t)processes * huge_bytes, huge_bytes));
  mine[0] = 1;
  gather(barrier, processes);
  gather(barrier, processes);
}

/* Each batch needs an empty file: the processes number themselves. */
static void report_sharing(char* program, int processes, double patience_ns) {
  const double end = now_ns() + patience_ns;
  double each[max_batches];
  int batches = 0;
  do {
    char descriptor[16], number[16];
    const int file = memfd_create("start", 0);
    if (file < 0 || ftruncate(file, (off_t)(processes + 1) * huge_bytes) != 0) exit(3);
    snprintf(descriptor, sizeof descriptor, "%d", file);
    snprintf(number, sizeof number, "%d", processes);
    char* command[] = {program, "--share", descriptor, number, NULL};
    each[batches++] = start_and_wait(command, processes);
    close(file);
  } while (batches < max_batches && now_ns() < end);
  report("processes that share memory", 0, middle(each, batches) / 1e6, "ms");
}

int main(int count, char** arguments) {
  if (count < 2) return 0;
  if (count > 3 && strcmp(arguments[1], "--time") == 0) {
    report_starts(arguments[2], arguments + 3, 1, 3e8);
    return 0;
  }
  if (count == 4 && strcmp(arguments[1], "--share") == 0) {
    be_neighbour(atoi(arguments[2]), atoi(arguments[3]));
    return 0;
  }
  const struct LimitOptions options = read_options(count, arguments);
  char* nothing[] = {arguments[0], NULL};
  report_starts("empty processes", nothing, options.processes, 3e8);
  report_sharing(arguments[0], options.processes, 3e8);
  return 0;
}
