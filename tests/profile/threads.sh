# How the threads of a PE are counted, and their time.
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash disable=SC2016,SC2317,SC2154
. "$SOURCE_TREE/tests/profile/programs.sh"

threads_are_counted_together() {
  cat >"$scratch/p.c" <<'END'
#include <pthread.h>
#include <shmem.h>
static long x;
static void *add(void *ignored) {
  for (int i = 0; i < 10000; ++i)
    shmem_long_atomic_inc(&x, 0);
  return ignored;
}
int main(void) {
  int provided;
  shmem_init_thread(SHMEM_THREAD_MULTIPLE, &provided);
  pthread_t thread[4];
  for (int i = 0; i < 4; ++i) pthread_create(&thread[i], NULL, add, NULL);
  for (int i = 0; i < 4; ++i) pthread_join(thread[i], NULL);
  shmem_finalize();
}
END
  compile -O2 -pthread
  expect_status 0 profiled -n 2 ./p
  says ' 80,000 +625 KiB .* p.c:6 in add, shmem_long_atomic_inc$'
}
# Four of them wait for the fifth; each thread is one share.
times_are_shares_of_those_of_the_threads() {
  cat >"$scratch/p.c" <<'END'
#include <pthread.h>
#include <shmem.h>
#include <unistd.h>
static uint64_t flag;
static void *work(void *ignored) { shmem_uint64_wait_until(&flag, SHMEM_CMP_EQ, 1); return ignored; }
int main(void) {
  int provided;
  shmem_init_thread(SHMEM_THREAD_MULTIPLE, &provided);
  pthread_t thread[4];
  for (int i = 0; i < 4; ++i) pthread_create(&thread[i], NULL, work, NULL);
  usleep(300000);
  shmem_uint64_atomic_set(&flag, 1, shmem_my_pe());
  for (int i = 0; i < 4; ++i) pthread_join(thread[i], NULL);
  shmem_finalize();
}
END
  compile -O2 -pthread
  expect_status 0 profiled -n 2 ./p
  says "^atrium: profile of p: 2 PEs with 10 threads that call, .*; [0-9.]{1,4} % of the threads' time in OpenSHMEM, "
  says "\\([0-9.]+ % of the threads' time\\); calls are not inlined"
  in_numbers p.profile 'all(number("PE", "time of threads", pe) > 2 * number("PE", "from init to finalize", pe) for pe in (0, 1))'
  in_numbers p.profile 'all(number("PE", "in OpenSHMEM", pe) < number("PE", "time of threads", pe) for pe in (0, 1))'
  expect grep -q '<b>10</b><span>threads that call</span>' "$scratch/p.profile.html"
  expect grep -q "of the threads' time in OpenSHMEM" "$scratch/p.profile.html"
}
# One after the other, more than there are places.
threads_that_have_ended_leave_their_places() {
  cat >"$scratch/p.c" <<'END'
#include <pthread.h>
#include <shmem.h>
static long x;
static void *add(void *ignored) { shmem_long_atomic_inc(&x, 0); return ignored; }
int main(void) {
  int provided;
  shmem_init_thread(SHMEM_THREAD_MULTIPLE, &provided);
  pthread_t thread;
  for (int i = 0; i < 300; ++i) pthread_create(&thread, NULL, add, NULL), pthread_join(thread, NULL);
  shmem_finalize();
}
END
  compile -O2 -pthread
  expect_status 0 profiled -n 1 ./p
  says '1 PE with 2 threads that call, '; says ' 300 +2.34 KiB .* shmem_long_atomic_inc$'; does_not_say 'threads had no room'
}
threads_that_have_no_room_are_told() {
  cat >"$scratch/p.c" <<'END'
#include <pthread.h>
#include <shmem.h>
static long x;
static pthread_barrier_t all;
static void *add(void *ignored) { shmem_long_atomic_inc(&x, 0); pthread_barrier_wait(&all); return ignored; }
int main(void) {
  int provided;
  shmem_init_thread(SHMEM_THREAD_MULTIPLE, &provided);
  pthread_t thread[299];
  pthread_barrier_init(&all, NULL, 300);
  for (int i = 0; i < 299; ++i) pthread_create(&thread[i], NULL, add, NULL);
  add(NULL);
  for (int i = 0; i < 299; ++i) pthread_join(thread[i], NULL);
  shmem_finalize();
}
END
  compile -O2 -pthread
  expect_status 0 profiled -n 1 ./p
  says '1 PE with 256 threads that call, '; says ' 300 +2.34 KiB .* shmem_long_atomic_inc$'
  says '^  44 threads had no room: their calls are counted, their time is not$'
}
