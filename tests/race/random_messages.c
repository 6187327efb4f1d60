/* Random messages and collectives of ranks that share a window, under the race check. Each rank carries along what MPI has ordered before it, as
 * a count for each rank of the cells that it had written, and reads cells that these counts allow: no race is to be reported. With a third
 * argument rank 0 reads in the end of a round a cell that its writer writes in that round.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * usage: random_messages SEED ROUNDS [racy] */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { most_ranks = 8, most_messages = 24, cells = 20000 };

static int me, n, *part[most_ranks], sum, racy;
static int known[most_ranks];   /* of each rank: as many cells are written before what this rank does now */
static int written[most_ranks]; /* of each rank: as many cells has it written when it begins the round */

static unsigned state;
static int pick(int below) { /* the same on all ranks, as long as all ask alike */
  state = state * 1103515245u + 12345u;
  return (int)(state >> 16) % below;
}
static unsigned own_state;
static int pick_alone(int below) {
  own_state = own_state * 1103515245u + 12345u;
  return (int)(own_state >> 16) % below;
}

static void learn(const int* counts) {
  for (int r = 0; r < n; r++)
    if (counts[r] > known[r]) known[r] = counts[r];
}
static void read_some(void) {
  for (int i = 0; i < 3; i++) {
    const int r = pick_alone(n);
    if (known[r] > 0) sum += part[r][i == 0 ? known[r] - 1 : pick_alone(known[r])];
  }
}
static void write_one(void) { part[me][known[me]++] = 1; }

typedef struct {
  int from, to, tag;
} Planned;
static Planned plan[most_messages];
static int planned;

static MPI_Request requests[2 * most_messages + 2];
static int given[2 * most_messages + 2][most_ranks], taken[2 * most_messages + 2][most_ranks * most_ranks];
static int learns_from[2 * most_messages + 2]; /* how many vectors */
static int made;

static int* begin(int vectors) {
  learns_from[made] = vectors;
  memset(taken[made], 0, sizeof taken[made]);
  memcpy(given[made], known, sizeof known);
  return taken[made];
}

/* Ranks are no more than four rounds apart. */
static void make_plan(int round) {
  planned = 1 + pick(most_messages / 2);
  for (int i = 0; i < planned; i++) plan[i] = (Planned){pick(n), pick(n), pick(3) + 3 * (round % 8)};
}

/* A rank writes a cell for each message, and one for the collective. */
static void count_what_the_round_writes(void) {
  for (int i = 0; i < planned; i++) written[plan[i].from]++;
  for (int r = 0; r < n; r++) written[r]++;
}

/* Tags are of kinds: one is received from named ranks, one from any rank, one by either: first those that name the rank. */
static void post_receives(MPI_Comm comm) {
  for (int pass = 0; pass < 2; pass++)
    for (int i = 0; i < planned; i++) {
      const Planned p = plan[i];
      const int is_wild = p.tag % 3 == 1 || (p.tag % 3 == 2 && i % 2);
      if (p.to != me || is_wild != pass) continue;
      int* to = begin(1);
      const int from = is_wild ? MPI_ANY_SOURCE : p.from;
      if (pick_alone(2)) {
        MPI_Irecv(to, n, MPI_INT, from, p.tag, comm, &requests[made++]);
      } else {
        MPI_Recv_init(to, n, MPI_INT, from, p.tag, comm, &requests[made]);
        MPI_Start(&requests[made++]);
      }
    }
}
static void send_all(MPI_Comm comm) {
  for (int i = 0; i < planned; i++) {
    const Planned p = plan[i];
    if (p.from != me) continue;
    write_one();
    begin(0);
    switch (pick_alone(
        racy ? 2 : 3)) { /* an MPI_Issend orders its receiver before it, which the counts do not know */
      case 0:
        MPI_Isend(given[made], n, MPI_INT, p.to, p.tag, comm, &requests[made]);
        break;
      case 1:
        MPI_Send_init(given[made], n, MPI_INT, p.to, p.tag, comm, &requests[made]);
        MPI_Start(&requests[made]);
        break;
      default:
        MPI_Issend(given[made], n, MPI_INT, p.to, p.tag, comm, &requests[made]);
    }
    made++;
  }
}
static void begin_collective(MPI_Comm comm, MPI_Comm ring) {
  const int kind = pick(6), root = pick(n);
  write_one();
  int* to = begin(kind == 5 ? 2 : 1);
  MPI_Request* request = &requests[made];
  switch (kind) {
    case 0:
      if (me == root) memcpy(to, known, sizeof known);
      MPI_Ibcast(to, n, MPI_INT, root, comm, request);
      break;
    case 1:
      MPI_Ireduce(given[made], to, n, MPI_INT, MPI_MAX, root, comm, request);
      break;
    case 2:
      MPI_Iscan(given[made], to, n, MPI_INT, MPI_MAX, comm, request);
      break;
    case 3:
      MPI_Iexscan(given[made], to, n, MPI_INT, MPI_MAX, comm, request);
      break;
    case 4:
      MPI_Iallreduce(given[made], to, n, MPI_INT, MPI_MAX, comm, request);
      break;
    default:
      MPI_Ineighbor_allgather(given[made], n, MPI_INT, to, n, MPI_INT, ring, request);
  }
  made++;
}

static void complete(int i) {
  for (int v = 0; v < learns_from[i]; v++) learn(taken[i] + v * n);
  read_some();
}
static void complete_all(void) {
  const int way = pick_alone(4);
  int at, count, places[2 * most_messages + 2], done;
  MPI_Status s;
  for (int i = made - 1; way == 0 && i >= 0; i--) {
    MPI_Wait(&requests[i], MPI_STATUS_IGNORE);
    complete(i);
  }
  for (at = 0; way == 1 && at != MPI_UNDEFINED;) {
    MPI_Waitany(made, requests, &at, &s);
    if (at != MPI_UNDEFINED) complete(at);
  }
  for (count = 0; way == 2 && count != MPI_UNDEFINED;) {
    MPI_Testsome(made, requests, &count, places, MPI_STATUSES_IGNORE);
    for (int i = 0; count != MPI_UNDEFINED && i < count; i++) complete(places[i]);
  }
  for (done = 0; way == 3 && !done;) MPI_Testall(made, requests, &done, MPI_STATUSES_IGNORE);
  for (int i = 0; way == 3 && i < made; i++) complete(i);
  for (int i = 0; i < made; i++)
    if (requests[i] != MPI_REQUEST_NULL) MPI_Request_free(&requests[i]);
  made = 0;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &me), MPI_Comm_size(MPI_COMM_WORLD, &n);
  const int rounds = atoi(argv[2]);
  racy = argc > 3;
  MPI_Win win;
  MPI_Comm copy, ring;
  MPI_Win_allocate_shared(cells * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &part[me], &win);
  for (int r = 0; r < n; r++) {
    MPI_Aint bytes;
    int unit;
    MPI_Win_shared_query(win, r, &bytes, &unit, &part[r]);
  }
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  MPI_Cart_create(MPI_COMM_WORLD, 1, &n, (int[]){1}, 0, &ring);
  state = (unsigned)atoi(argv[1]), own_state = state + 77u * (unsigned)(me + 1);
  MPI_Barrier(MPI_COMM_WORLD);
  for (int round = 0; round < rounds; round++) {
    const int from = 1 + pick(n - 1);
    if (round % 4 == 0) MPI_Barrier(MPI_COMM_WORLD);
    make_plan(round);
    post_receives(round % 2 ? copy : MPI_COMM_WORLD);
    begin_collective(round % 3 ? copy : MPI_COMM_WORLD, ring);
    send_all(round % 2 ? copy : MPI_COMM_WORLD);
    if (racy && me == 0 && round == rounds / 2) sum += part[from][written[from]];
    complete_all();
    count_what_the_round_writes();
  }
  if (sum == -1) printf("%d", sum);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Comm_free(&copy), MPI_Comm_free(&ring);
  MPI_Win_free(&win);
  MPI_Finalize();
  return 0;
}
