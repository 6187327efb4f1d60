/* Random messages of threads of ranks that share a window, under the race check. Each thread carries along what MPI, and a mutex of its rank, have
 * ordered before it, as a count for each thread of the cells that it had written, and reads cells that these counts allow: no race is to be
 * reported. With a third argument a thread of rank 0 reads in the middle of a round a cell that a thread of another rank writes in that round.
 * Messages go by communicators or tags of their own, or by a tag that several threads send with, or that several threads receive.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * usage: random_threads SEED ROUNDS [racy] */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { threads = 3, most_ranks = 4, most_actors = threads * most_ranks, most_messages = 12, cells = 4000 };

typedef struct {
  int counts[most_actors];
} Known;
typedef struct {
  int from, to, way; /* actors: rank * threads + thread */
} Planned;

static int me, n, rounds, racy, seed;
static long long* part[most_ranks]; /* a cell fills a word of the shadow */
static MPI_Comm own[threads], shared;
static pthread_barrier_t of_the_rank;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static Known left; /* under the mutex */

/* What one thread has. */
typedef struct {
  int actor, thread;
  unsigned state, own_state; /* the first is the same in all threads, as long as all ask alike */
  Known known;
  Planned plan[most_messages];
  int planned, made;
  MPI_Request requests[2 * most_messages];
  Known sent[2 * most_messages], got[2 * most_messages];
  int is_receive[2 * most_messages];
  long long sum;
} Actor;

static int next(unsigned* state, int below) {
  *state = *state * 1103515245u + 12345u;
  return (int)(*state >> 16) % below;
}
static int pick(Actor* a, int below) { return next(&a->state, below); }
static int pick_alone(Actor* a, int below) { return next(&a->own_state, below); }

static void learn(Known* known, const Known* more) {
  for (int i = 0; i < n * threads; i++)
    if (more->counts[i] > known->counts[i]) known->counts[i] = more->counts[i];
}
static long long* cell(int actor, int at) { return &part[actor / threads][actor % threads * cells + at]; }
static void write_one(Actor* a) { *cell(a->actor, a->known.counts[a->actor]++) = 1; }
static void read_some(Actor* a) {
  for (int i = 0; i < 3; i++) {
    const int of = pick_alone(a, n * threads), count = a->known.counts[of];
    if (count > 0) a->sum += *cell(of, i == 0 ? count - 1 : pick_alone(a, count));
  }
}

/* Ways: 0 a communicator of the receiving thread's, 1 a tag of the pair, 2 a tag of the receiver, 3 a tag of all. A tag belongs to its round. */
static MPI_Comm comm_of(Planned p) { return p.way == 0 ? own[p.to % threads] : shared; }
static int tag_of(Planned p, int round) {
  const int from = p.from % threads, to = p.to % threads;
  const int kind = p.way == 0 ? from : p.way == 1 ? 10 + from * threads + to : p.way == 2 ? 30 + to : 40;
  return kind + 50 * (round % 8);
}

static void make_plan(Actor* a) {
  a->planned = 1 + pick(a, most_messages - 1);
  for (int i = 0; i < a->planned; i++) {
    const int from = pick(a, n * threads), to = pick(a, n * threads), way = pick(a, 4);
    a->plan[i] = (Planned){from, to, way};
  }
}
static void post_receives(Actor* a, int round) {
  for (int i = 0; i < a->planned; i++) {
    const Planned p = a->plan[i];
    if (p.to != a->actor) continue;
    /* whoever sends with a tag that is only for this thread may be anybody */
    const int from = p.way == 2 || (p.way == 0 && a->planned % 2) ? MPI_ANY_SOURCE : p.from / threads;
    a->is_receive[a->made] = 1;
    MPI_Irecv(&a->got[a->made], most_actors, MPI_INT, from, tag_of(p, round), comm_of(p),
              &a->requests[a->made]);
    a->made++;
  }
}
static void send_all(Actor* a, int round) {
  for (int i = 0; i < a->planned; i++) {
    const Planned p = a->plan[i];
    if (p.from != a->actor) continue;
    write_one(a);
    a->is_receive[a->made] = 0;
    a->sent[a->made] = a->known;
    const Known* given = &a->sent[a->made];
    MPI_Request* request = &a->requests[a->made++];
    if (pick_alone(a, 2)) {
      MPI_Isend(given, most_actors, MPI_INT, p.to / threads, tag_of(p, round), comm_of(p), request);
    } else {
      MPI_Send_init(given, most_actors, MPI_INT, p.to / threads, tag_of(p, round), comm_of(p), request);
      MPI_Start(request);
    }
  }
}

static void complete(Actor* a, int i) {
  if (a->is_receive[i]) learn(&a->known, &a->got[i]);
  read_some(a);
  if (racy || pick_alone(a, 4)) return;
  pthread_mutex_lock(&mutex);
  learn(&a->known, &left);
  left = a->known;
  pthread_mutex_unlock(&mutex);
}
static void complete_all(Actor* a) {
  const int way = pick_alone(a, 3);
  int at = 0, count = 0, places[2 * most_messages];
  for (int i = a->made - 1; way == 0 && i >= 0; i--) {
    MPI_Wait(&a->requests[i], MPI_STATUS_IGNORE);
    complete(a, i);
  }
  while (way == 1 && at != MPI_UNDEFINED) {
    MPI_Waitany(a->made, a->requests, &at, MPI_STATUS_IGNORE);
    if (at != MPI_UNDEFINED) complete(a, at);
  }
  while (way == 2 && count != MPI_UNDEFINED) {
    MPI_Testsome(a->made, a->requests, &count, places, MPI_STATUSES_IGNORE);
    for (int i = 0; count != MPI_UNDEFINED && i < count; i++) complete(a, places[i]);
  }
  for (int i = 0; i < a->made; i++)
    if (a->requests[i] != MPI_REQUEST_NULL) MPI_Request_free(&a->requests[i]);
  a->made = 0;
}
static void meet(const Actor* a) {
  pthread_barrier_wait(&of_the_rank);
  if (a->thread == 0) MPI_Barrier(MPI_COMM_WORLD);
  pthread_barrier_wait(&of_the_rank);
}

static void* act(void* thread) {
  Actor* a = calloc(1, sizeof(Actor));
  a->thread = (int)(long)thread, a->actor = me * threads + a->thread;
  a->state = (unsigned)seed, a->own_state = a->state + 77u * (unsigned)(a->actor + 1);
  for (int round = 0; round < rounds; round++) {
    const int is_middle = racy && round == rounds / 2, writer = threads + pick(a, (n - 1) * threads);
    if (is_middle || round % 4 == 0) meet(a); /* threads are no more than four rounds apart */
    make_plan(a);
    post_receives(a, round);
    send_all(a, round);
    if (is_middle) {
      if (a->actor == 0) a->sum += *cell(writer, cells - 1);
      if (a->actor == writer) *cell(writer, cells - 1) = 1;
      pthread_barrier_wait(
          &of_the_rank); /* until here no thread of the rank has learned anything of this round */
    }
    complete_all(a);
  }
  if (a->sum == -1) printf("%lld", a->sum);
  free(a);
  return NULL;
}

int main(int argc, char** argv) {
  int level, unit;
  MPI_Aint bytes;
  MPI_Win win;
  pthread_t t[threads];
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  if (level != MPI_THREAD_MULTIPLE) return 77;
  MPI_Comm_rank(MPI_COMM_WORLD, &me), MPI_Comm_size(MPI_COMM_WORLD, &n);
  seed = atoi(argv[1]), rounds = atoi(argv[2]), racy = argc > 3;
  MPI_Win_allocate_shared(threads * cells * (MPI_Aint)sizeof(long long), sizeof(long long), MPI_INFO_NULL,
                          MPI_COMM_WORLD, &part[me], &win);
  for (int r = 0; r < n; r++) MPI_Win_shared_query(win, r, &bytes, &unit, &part[r]);
  for (int i = 0; i < threads; i++) MPI_Comm_dup(MPI_COMM_WORLD, &own[i]);
  MPI_Comm_dup(MPI_COMM_WORLD, &shared);
  pthread_barrier_init(&of_the_rank, NULL, threads);
  for (long i = 0; i < threads; i++) pthread_create(&t[i], NULL, act, (void*)i);
  for (int i = 0; i < threads; i++) pthread_join(t[i], NULL);
  MPI_Barrier(MPI_COMM_WORLD);
  for (int i = 0; i < threads; i++) MPI_Comm_free(&own[i]);
  MPI_Comm_free(&shared);
  MPI_Win_free(&win);
  MPI_Finalize();
  return 0;
}
