// Persistent all-to-alls among all ranks and among neighbours, completed in every way together with requests of the MPI; what they
// bring is compared byte by byte with the MPI's own blocking routine.
//
// Litmus: SYNC mpi-arrived
// SPDX-License-Identifier: BSD-3-Clause
//
// usage: persistent SEED ROUNDS LARGEST [ours]      LARGEST: units of two ints that one rank sends to another
// ours: all starts go our way. Otherwise what the MPIs cannot do is not asked of them:
//   - Open MPI 4.1.4 brings wrong data among neighbours;
//   - MPICH 4.0.2 takes inactive persistent collectives for complete ones in MPI_Waitany and its like, and reports errors
//     that nobody has set in MPI_Testall.
#define _GNU_SOURCE
#include "persistent.h"

#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "expect.h"

// gcc takes MPI_STATUSES_IGNORE and MPI_UNWEIGHTED, which are addresses of nothing, for arrays that are too short.
#pragma GCC diagnostic ignored "-Wstringop-overflow"
#pragma GCC diagnostic ignored "-Wstringop-overread"

enum { kinds = 6, comms = 3, jobs = 3, starts = 9, extras = 4, requests = jobs + extras, unit_ints = 2 };
enum {
  equal,
  varying,
  mixed,
  among_neighbours
};  // kind: one of the first three, and three more among neighbours

static int world, ranks, largest, ours;
static uint64_t common, own;
static MPI_Datatype strided;
static MPI_Comm comm_of[comms];  // without a topology, a grid, a graph
static int edges[64][64];        // of the graph

static uint64_t draw(uint64_t* state) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return *state >> 24;
}

// ---- Communicators ----

static void make_graph(void) {
  int sources[256], destinations[256], in = 0, out = 0;
  for (int from = 0; from < ranks; from++)
    for (int to = 0; to < ranks; to++) edges[from][to] = (int)(draw(&common) % 3);
  for (int other = 0; other < ranks; other++) {
    for (int each = 0; each < edges[other][world]; each++) sources[in++] = other;
    for (int each = 0; each < edges[world][other]; each++) destinations[out++] = other;
  }
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, in, sources, MPI_UNWEIGHTED, out, destinations,
                                 MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &comm_of[2]);
}

static void make_comms(void) {
  int sides[2] = {0, 0}, wraps[2] = {0, 1};
  MPI_Comm_split(MPI_COMM_WORLD, 0, -world, &comm_of[0]);
  MPI_Dims_create(ranks, 2, sides);
  MPI_Cart_create(MPI_COMM_WORLD, 2, sides, wraps, 0, &comm_of[1]);
  make_graph();
}

struct partners {
  int out, in;
  int destinations[256], sources[256];
};

static struct partners partners_in(MPI_Comm comm, int neighbours) {
  struct partners found = {ranks, ranks, {0}, {0}};
  int topology;
  for (int other = 0; other < ranks; other++) found.destinations[other] = found.sources[other] = other;
  if (!neighbours) return found;
  MPI_Topo_test(comm, &topology);
  if (topology == MPI_CART) {
    found.out = found.in = 4;
    for (int side = 0; side < 2; side++)
      MPI_Cart_shift(comm, side, 1, &found.sources[2 * side], &found.sources[2 * side + 1]);
    memcpy(found.destinations, found.sources, sizeof found.sources);
  } else {
    int weighted;
    MPI_Dist_graph_neighbors_count(comm, &found.in, &found.out, &weighted);
    MPI_Dist_graph_neighbors(comm, found.in, found.sources, MPI_UNWEIGHTED, found.out, found.destinations,
                             MPI_UNWEIGHTED);
  }
  return found;
}

// ---- One request, and the same exchange by the MPI's blocking routine ----

struct side {
  int counts[256], displacements[256];
  MPI_Aint bytes_before[256];
  MPI_Datatype types[256];
  MPI_Datatype type;
  size_t bytes;
};

struct job {
  int kind, units, in_place;
  MPI_Comm comm;
  struct side out, in;
  unsigned char *source, *target, *wanted;
  MPI_Request request;
};

// The same on both ranks of a pair; every fifth pair exchanges nothing.
static int units_between(uint64_t seed, int from, int to) {
  uint64_t state = seed + 1000003u * (uint64_t)from + 7919u * (uint64_t)to;
  draw(&state);
  return draw(&state) % 5 ? (int)(draw(&state) % (uint64_t)(largest + 1)) : 0;
}

static void lay_out(struct side* side, int count, const int* units, MPI_Datatype type, int gap) {
  MPI_Aint low, extent;
  int at = 0;
  MPI_Type_get_extent(type, &low, &extent);
  for (int peer = 0; peer < count; peer++) {
    side->counts[peer] = units[peer] * (type == MPI_INT ? unit_ints : 1);
    side->displacements[peer] = at;
    side->bytes_before[peer] = at * extent;
    side->types[peer] = type;
    at += side->counts[peer] + gap;
  }
  side->type = type;
  side->bytes = (size_t)(at + 1) * (size_t)extent;
}

static int is_among_neighbours(const struct job* job) { return job->kind >= among_neighbours; }

static void prepare(struct job* job, MPI_Comm comm, int kind, uint64_t seed) {
  int rank, units_out[256] = {0}, units_in[256] = {0};
  memset(job, 0, sizeof *job);
  job->kind = kind, job->comm = comm, job->units = units_between(seed, 0, 0);
  job->in_place = kind == equal && seed % 3 == 0;
  MPI_Comm_rank(comm, &rank);
  const struct partners with = partners_in(comm, is_among_neighbours(job));
  const int all_alike = kind % among_neighbours == equal;
  for (int peer = 0; peer < with.out; peer++)
    units_out[peer] = all_alike ? job->units : units_between(seed, rank, with.destinations[peer]);
  for (int peer = 0; peer < with.in; peer++)
    units_in[peer] = all_alike ? job->units : units_between(seed, with.sources[peer], rank);
  lay_out(&job->out, with.out, units_out, draw(&own) % 2 ? MPI_INT : strided,
          all_alike ? 0 : (int)(draw(&own) % 3));
  lay_out(&job->in, with.in, units_in, draw(&own) % 2 ? MPI_INT : strided,
          all_alike ? 0 : (int)(draw(&own) % 3));
  job->source = malloc(job->out.bytes), job->target = malloc(job->in.bytes),
  job->wanted = malloc(job->in.bytes);
}

static void init(struct job* job) {
  const void* source = job->in_place ? MPI_IN_PLACE : job->source;
  int displacements_out[256], displacements_in[256];
  struct side *out = &job->out, *in = &job->in;
  for (int peer = 0; peer < 256; peer++)
    displacements_out[peer] = (int)out->bytes_before[peer],
    displacements_in[peer] = (int)in->bytes_before[peer];
  const int sent = job->units * (out->type == MPI_INT ? unit_ints : 1);
  const int received = job->units * (in->type == MPI_INT ? unit_ints : 1);
  if (job->kind == equal) ATRIUM_INIT(Alltoall_init)
  (source, sent, out->type, job->target, received, in->type, job->comm, MPI_INFO_NULL, &job->request);
  else if (job->kind == varying)
      ATRIUM_INIT(Alltoallv_init)(source, out->counts, out->displacements, out->type, job->target, in->counts,
                                  in->displacements, in->type, job->comm, MPI_INFO_NULL, &job->request);
  else if (job->kind == mixed) ATRIUM_INIT(Alltoallw_init)(
      source, out->counts, memcpy(out->displacements, displacements_out, sizeof displacements_out),
      out->types, job->target, in->counts,
      memcpy(in->displacements, displacements_in, sizeof displacements_in), in->types, job->comm,
      MPI_INFO_NULL, &job->request);
  else if (job->kind == among_neighbours + equal) ATRIUM_INIT(Neighbor_alltoall_init)(
      source, sent, out->type, job->target, received, in->type, job->comm, MPI_INFO_NULL, &job->request);
  else if (job->kind == among_neighbours + varying) ATRIUM_INIT(Neighbor_alltoallv_init)(
      source, out->counts, out->displacements, out->type, job->target, in->counts, in->displacements,
      in->type, job->comm, MPI_INFO_NULL, &job->request);
  else ATRIUM_INIT(Neighbor_alltoallw_init)(source, out->counts, out->bytes_before, out->types, job->target,
                                            in->counts, in->bytes_before, in->types, job->comm, MPI_INFO_NULL,
                                            &job->request);
}

static void exchange_by_mpi(const struct job* job) {
  const void* source = job->source;
  const struct side *out = &job->out, *in = &job->in;
  const int sent = job->units * (out->type == MPI_INT ? unit_ints : 1);
  const int received = job->units * (in->type == MPI_INT ? unit_ints : 1);
  if (job->kind == equal && job->in_place)
    PMPI_Alltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, job->wanted, received, in->type, job->comm);
  else if (job->kind == equal)
    PMPI_Alltoall(source, sent, out->type, job->wanted, received, in->type, job->comm);
  else if (job->kind == varying)
    PMPI_Alltoallv(source, out->counts, out->displacements, out->type, job->wanted, in->counts,
                   in->displacements, in->type, job->comm);
  else if (job->kind == mixed)
    PMPI_Alltoallw(source, out->counts, out->displacements, out->types, job->wanted, in->counts,
                   in->displacements, in->types, job->comm);
  else if (job->kind == among_neighbours + equal)
    PMPI_Neighbor_alltoall(source, sent, out->type, job->wanted, received, in->type, job->comm);
  else  // all blocks have one type: MPICH's 4.0.2 own MPI_Neighbor_alltoallw loses some
    PMPI_Neighbor_alltoallv(source, out->counts, out->displacements, out->type, job->wanted, in->counts,
                            in->displacements, in->type, job->comm);
}

static void fill(struct job* job, int start) {
  for (size_t i = 0; i < job->out.bytes; i++)
    job->source[i] = (unsigned char)(i * 31 + (size_t)world * 7 + (size_t)start * 13);
  for (size_t i = 0; i < job->in.bytes; i++)
    job->target[i] = job->wanted[i] = (unsigned char)(i * 5 + (size_t)world * 3 + (size_t)start);
}

static void finish(struct job* job) {
  MPI_Request_free(&job->request);
  expect(job->request == MPI_REQUEST_NULL, "a request that was freed is null");
  free(job->source), free(job->target), free(job->wanted);
}

// ---- Ways to complete several requests ----

static void by_any(int count, MPI_Request* all, int tests) {
  for (int left = count; left > 0; left--) {
    int index = -7, flag = !tests;
    MPI_Status status;
    if (!tests) MPI_Waitany(count, all, &index, &status);
    while (!flag) MPI_Testany(count, all, &index, &flag, &status);
    expect(index >= 0 && index < count, "there is one more to complete");
  }
  int index = 0, flag = 0;
  MPI_Testany(count, all, &index, &flag, MPI_STATUS_IGNORE);
  expect(flag && index == MPI_UNDEFINED, "nothing is active after the last one");
}

static void by_some(int count, MPI_Request* all, int tests) {
  int indices[requests], seen[requests] = {0};
  MPI_Status statuses[requests];
  for (int left = count; left > 0;) {
    int some = 0;
    if (tests)
      MPI_Testsome(count, all, &some, indices, statuses);
    else
      MPI_Waitsome(count, all, &some, indices, statuses);
    expect(some != MPI_UNDEFINED && (tests || some > 0), "some are completed");
    if (some == MPI_UNDEFINED) return;
    for (int each = 0; each < some; each++) expect(!seen[indices[each]]++, "none is completed twice");
    left -= some;
  }
  int some = 0;
  MPI_Waitsome(count, all, &some, indices, MPI_STATUSES_IGNORE);
  expect(some == MPI_UNDEFINED, "nothing is active after the last ones");
}

static void one_by_one(int count, MPI_Request* all, int looks) {
  for (int each = 0; each < count; each++) {
    int flag = !looks;
    while (!flag) MPI_Request_get_status(all[each], &flag, MPI_STATUS_IGNORE);
    MPI_Wait(&all[each], MPI_STATUS_IGNORE);
  }
}

#ifdef LOOKS_AT_SEVERAL
// Looks complete nothing: what they have seen complete stays active until it is waited for.
static void by_looks(int count, MPI_Request* all, int looks_for) {
  int indices[requests], some = 0, flag = 0;
  MPI_Status statuses[requests];
  if (looks_for == 0) {
    while (!flag) MPI_Request_get_status_all(count, all, &flag, statuses);
    return (void)MPI_Waitall(count, all, MPI_STATUSES_IGNORE);
  }
  for (int left = count; left > 0; left -= some) {
    if (looks_for == 1)
      MPI_Request_get_status_any(count, all, indices, &some, statuses);
    else
      MPI_Request_get_status_some(count, all, &some, indices, statuses);
    expect(some != MPI_UNDEFINED && (!some || indices[0] != MPI_UNDEFINED), "there is one more to complete");
    if (some == MPI_UNDEFINED) return;
    for (int each = 0; each < some; each++) {
      MPI_Test(&all[indices[each]], &flag, MPI_STATUS_IGNORE);
      expect(flag, "what was seen complete is");
    }
  }
  MPI_Request_get_status_any(count, all, &some, &flag, MPI_STATUS_IGNORE);
  expect(flag && some == MPI_UNDEFINED, "nothing is active after the last ones");
}
#else
static void by_looks(int count, MPI_Request* all, int looks_for) {
  (void)looks_for, MPI_Waitall(count, all, MPI_STATUSES_IGNORE);
}
#endif

static void by_tests(int count, MPI_Request* all) {
  for (int each = count - 1; each >= 0; each--)
    for (int flag = 0; !flag;) {
      MPI_Test(&all[each], &flag, MPI_STATUS_IGNORE);
      if (!flag) sched_yield();
    }
}

// The first four by the MPIs as well.
static const int ways_that_work[] = {0, 1, 7, 8, 2, 3, 4, 5, 6, 9, 10, 11};

static void complete(int count, MPI_Request* all, int way) {
  MPI_Status statuses[requests];
  int flag = 0;
  switch (way) {
    case 0:
      return (void)MPI_Waitall(count, all, statuses);
    case 1:
      return (void)MPI_Waitall(count, all, MPI_STATUSES_IGNORE);
    case 2:
      while (!flag) MPI_Testall(count, all, &flag, statuses);
      return;
    case 3:
    case 4:
      return by_any(count, all, way == 4);
    case 5:
    case 6:
      return by_some(count, all, way == 6);
    case 7:
      return one_by_one(count, all, draw(&own) % 2);
    case 9:
    case 10:
    case 11:
      return by_looks(count, all, way - 9);
    default:
      return by_tests(count, all);
  }
}

// ---- Rounds ----

static void begin_extras(MPI_Request* all, int* words, int* got, MPI_Request persistent[2]) {
  const int next = (world + 1) % ranks, before = (world + ranks - 1) % ranks;
  MPI_Irecv(&got[0], 1, MPI_INT, before, 1, MPI_COMM_WORLD, &all[0]);
  MPI_Isend(&words[0], 1, MPI_INT, next, 1, MPI_COMM_WORLD, &all[1]);
  all[2] = persistent[0], all[3] = persistent[1];
}

static void run_starts(struct job* all_jobs, int round) {
  int words[2], got[2];
  MPI_Request all[requests], persistent[2];
  const int next = (world + 1) % ranks, before = (world + ranks - 1) % ranks;
  MPI_Recv_init(&got[1], 1, MPI_INT, before, 2, MPI_COMM_WORLD, &persistent[0]);
  MPI_Send_init(&words[1], 1, MPI_INT, next, 2, MPI_COMM_WORLD, &persistent[1]);
  for (int start = 0; start < starts; start++) {
    const int together = (int)(draw(&common) % 2);
    for (int each = 0; each < jobs; each++)
      fill(&all_jobs[each], start), all[extras + each] = all_jobs[each].request;
    if (draw(&own) % 4 == 0) sched_yield();
    words[0] = words[1] = 100 * round + start;
    begin_extras(all, words, got, persistent);
    if (together) MPI_Startall(jobs + 2, &all[2]);
    for (int each = 2; !together && each < requests; each++) MPI_Start(&all[each]);
    complete(requests, all, ways_that_work[draw(&own) % (ours ? 12 : 4)]);
    expect(got[0] == words[0] && got[1] == words[1], "messages arrive beside");
    for (int each = 0; each < jobs; each++) {
      exchange_by_mpi(&all_jobs[each]);
      if (memcmp(all_jobs[each].target, all_jobs[each].wanted, all_jobs[each].in.bytes) != 0)
        printf("round %d, start %d, kind %d\n", round, start, all_jobs[each].kind),
            expect(0, "an exchange brings what the MPI's brings");
    }
  }
  MPI_Request_free(&persistent[0]), MPI_Request_free(&persistent[1]);
}

static void play(int rounds) {
  for (int round = 0; round < rounds; round++) {
    static struct job all[jobs];
    for (int each = 0; each < jobs; each++) {
      const int kind = (int)(draw(&common) % (uint64_t)(ours ? kinds : among_neighbours));
      MPI_Comm comm = comm_of[kind >= among_neighbours ? 1 + draw(&common) % 2 : 0];
      prepare(&all[each], comm, kind, draw(&common));
      init(&all[each]);
    }
    run_starts(all, round);
    for (int each = 0; each < jobs; each++) finish(&all[each]);
  }
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &world), MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (argc < 4) return MPI_Abort(MPI_COMM_WORLD, 2);
  common = strtoul(argv[1], NULL, 10), own = common + 7 * (uint64_t)world + 1;
  largest = atoi(argv[3]), ours = argc > 4 && ranks > 1;
  MPI_Datatype pair;
  MPI_Type_vector(unit_ints, 1, 3, MPI_INT, &pair);
  MPI_Type_create_resized(pair, 0, 6 * sizeof(int), &strided);
  MPI_Type_commit(&strided), MPI_Type_free(&pair);
  make_comms();
  play(atoi(argv[2]));
  for (int each = 0; each < comms; each++) MPI_Comm_free(&comm_of[each]);
  MPI_Type_free(&strided);
  MPI_Finalize();
  return failures != 0;
}
