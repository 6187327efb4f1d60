/* Threads that send and receive at the same time, of ranks that share a window, under the race check. Each thread of rank 0 sends two messages to
 * its thread of rank 1, which reads behind the first one a cell that was written before that one, or before the second one: a race.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * usage: window_threads clean|racy|sends|receives
 * The last two are racy, too, behind calls of threads that overlap. */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { threads = 3, cells = 100 };

static int me, place, *first;
static MPI_Comm own[threads];
static pthread_barrier_t barrier;

static void later(void) { usleep(100000); }
static int* cell(int thread, int at) { return &first[thread * cells + at]; }
/* All threads of a rank but one say that they are about to call; that is no order. The other rank waits until they have called. */
static void announce(void) { __atomic_fetch_add(cell(0, 11), 1, __ATOMIC_RELAXED); }
static void await_callers(void) {
  while (__atomic_load_n(cell(0, 11), __ATOMIC_RELAXED) < threads - 1) usleep(1000);
  later();
}

/* No thread of a rank has done the second part when another one is in the first. */
#define CASE(NAME, SEND, RECEIVE)                      \
  static void NAME(int thread) {                       \
    volatile int sum = 0;                              \
    int token = 0, there = 0;                          \
    MPI_Status s;                                      \
    MPI_Request r;                                     \
    MPI_Message m;                                     \
    (void)s, (void)r, (void)m, (void)there, (void)sum; \
    if (me == 0) {                                     \
      *cell(thread, 7) = 1;                            \
      SEND;                                            \
      pthread_barrier_wait(&barrier);                  \
      *cell(thread, 8) = 1;                            \
      SEND;                                            \
    } else {                                           \
      later();                                         \
      RECEIVE;                                         \
      sum = *cell(thread, place);                      \
      pthread_barrier_wait(&barrier);                  \
      RECEIVE;                                         \
    }                                                  \
  }

CASE(own_communicators, MPI_Send(&me, 1, MPI_INT, 1, 5, own[thread]),
     MPI_Recv(&token, 1, MPI_INT, 0, 5, own[thread], MPI_STATUS_IGNORE))
CASE(own_tags, MPI_Send(&me, 1, MPI_INT, 1, thread, MPI_COMM_WORLD),
     MPI_Recv(&token, 1, MPI_INT, 0, thread, MPI_COMM_WORLD, MPI_STATUS_IGNORE))
CASE(own_tags_of_any, MPI_Send(&me, 1, MPI_INT, 1, thread, MPI_COMM_WORLD),
     MPI_Recv(&token, 1, MPI_INT, MPI_ANY_SOURCE, thread, MPI_COMM_WORLD, &s))
CASE(any_tag_of_own_communicators, MPI_Send(&me, 1, MPI_INT, 1, 5, own[thread]),
     MPI_Recv(&token, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, own[thread], MPI_STATUS_IGNORE))
CASE(requests, MPI_Isend(&me, 1, MPI_INT, 1, thread, MPI_COMM_WORLD, &r);
     MPI_Wait(&r, &s), MPI_Irecv(&token, 1, MPI_INT, 0, thread, MPI_COMM_WORLD, &r);
     while (!there) MPI_Test(&r, &there, &s); there = 0)
CASE(probes, MPI_Send(&me, 1, MPI_INT, 1, thread, MPI_COMM_WORLD),
     MPI_Probe(MPI_ANY_SOURCE, thread, MPI_COMM_WORLD, &s);
     MPI_Recv(&token, 1, MPI_INT, 0, thread, MPI_COMM_WORLD, &s))
CASE(matches, MPI_Send(&me, 1, MPI_INT, 1, thread, MPI_COMM_WORLD),
     while (!there) MPI_Improbe(0, thread, MPI_COMM_WORLD, &there, &m, &s);
     there = 0; MPI_Mrecv(&token, 1, MPI_INT, &m, &s))

/* The threads of a rank take turns: their calls do not overlap, and each message is told apart though all have one tag. Receives are as many, and each
 * gets the message of its turn. */
static void in_turn(int thread) {
  volatile int sum = 0;
  int token = 0;
  for (int turn = 0; turn < threads; turn++) {
    if (me == 0 && turn == thread) {
      *cell(thread, 7) = 1;
      MPI_Send(&me, 1, MPI_INT, 1, 5, MPI_COMM_WORLD);
    }
    pthread_barrier_wait(&barrier);
  }
  if (me == 0) {
    *cell(thread, 8) = 1;
    pthread_barrier_wait(&barrier);
    if (thread == 0) MPI_Send(&me, 1, MPI_INT, 1, 5, MPI_COMM_WORLD);
    return;
  }
  if (thread == 0) later();
  for (int turn = 0; turn < threads; turn++) {
    pthread_barrier_wait(&barrier);
    if (turn != thread) continue;
    MPI_Recv(&token, 1, MPI_INT, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    sum = *cell(thread, place);
  }
  (void)sum;
  pthread_barrier_wait(&barrier);
  if (thread == 0) MPI_Recv(&token, 1, MPI_INT, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* Two threads wait for the receiver at the same time, with one tag. */
static void sends_that_overlap(int thread) {
  volatile int sum = 0;
  int from = 0;
  if (me == 0 && thread != 0) {
    *cell(thread, 9) = 1;
    announce();
    MPI_Ssend(&thread, 1, MPI_INT, 1, 9, MPI_COMM_WORLD);
  }
  if (me == 1 && thread == 0) {
    await_callers();
    for (int i = 1; i < threads; i++) {
      MPI_Recv(&from, 1, MPI_INT, 0, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      sum = *cell(from, 9);
    }
  }
  (void)sum;
}
/* Two threads wait for the same messages at the same time. */
static void receives_that_overlap(int thread) {
  volatile int sum = 0;
  int from = 0;
  if (me == 0 && thread == 0) {
    await_callers();
    for (int turn = 1; turn < threads; turn++) {
      *cell(turn, 9) = 1;
      MPI_Send(&turn, 1, MPI_INT, 1, 9, MPI_COMM_WORLD);
    }
  }
  if (me == 1 && thread != 0) {
    announce();
    MPI_Recv(&from, 1, MPI_INT, 0, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    sum = *cell(from, 9);
  }
  (void)sum;
}

static void (*work)(int);
static void* run(void* thread) {
  work((int)(long)thread);
  return NULL;
}
static void run_all(void (*of)(int)) {
  pthread_t t[threads];
  work = of;
  MPI_Barrier(MPI_COMM_WORLD);
  for (long i = 0; i < threads; i++) pthread_create(&t[i], NULL, run, (void*)i);
  for (int i = 0; i < threads; i++) pthread_join(t[i], NULL);
  MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char** argv) {
  int level, unit, *mine;
  MPI_Aint bytes;
  MPI_Win win;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  if (level != MPI_THREAD_MULTIPLE) return 77;
  const char* what = argv[1];
  place = strcmp(what, "clean") == 0 ? 7 : 8;
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  pthread_barrier_init(&barrier, NULL, threads);
  MPI_Win_allocate_shared(threads * cells * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &mine,
                          &win);
  MPI_Win_shared_query(win, 0, &bytes, &unit, &first);
  for (int i = 0; i < threads; i++) MPI_Comm_dup(MPI_COMM_WORLD, &own[i]);
  void (*const told[])(int) = {own_communicators, own_tags, own_tags_of_any, any_tag_of_own_communicators,
                               requests,          probes,   matches,         in_turn};
  if (strcmp(what, "sends") == 0) run_all(sends_that_overlap);
  if (strcmp(what, "receives") == 0) run_all(receives_that_overlap);
  for (unsigned i = 0; i < sizeof told / sizeof *told; i++) run_all(told[i]);
  for (int i = 0; i < threads; i++) MPI_Comm_free(&own[i]);
  MPI_Win_free(&win);
  MPI_Finalize();
  return 0;
}
