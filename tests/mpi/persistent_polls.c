// A program that polls a persistent all-to-all, by whichever routine, is told the truth and lets the MPI's messages go on.
// SPDX-License-Identifier: BSD-3-Clause
#include "expect.h"
#include "persistent.h"

static int world, ranks;

enum {
  by_test,
  by_testall,
  by_testany,
  by_testsome,
  by_status,
  by_status_all,
  by_status_any,
  by_status_some,
  ways
};
#ifdef LOOKS_AT_SEVERAL
enum { ways_here = ways };
#else
enum { ways_here = by_status_all };
#endif

// The request stands behind a null one.
static int is_complete(int way, MPI_Request all[2]) {
  int flag = 0, index = 0, indices[2] = {0, 0};
  MPI_Status statuses[2];
  if (way == by_test) MPI_Test(&all[1], &flag, statuses);
  if (way == by_testall) MPI_Testall(2, all, &flag, statuses);
  if (way == by_testany) MPI_Testany(2, all, &index, &flag, statuses);
  if (way == by_testsome) MPI_Testsome(2, all, &flag, indices, statuses), index = indices[0];
  if (way == by_status) MPI_Request_get_status(all[1], &flag, statuses);
#ifdef LOOKS_AT_SEVERAL
  if (way == by_status_all) MPI_Request_get_status_all(2, all, &flag, statuses);
  if (way == by_status_any) MPI_Request_get_status_any(2, all, &index, &flag, statuses);
  if (way == by_status_some)
    MPI_Request_get_status_some(2, all, &flag, indices, statuses), index = indices[0];
#endif
  const int tells_which =
      way == by_testany || way == by_testsome || way == by_status_any || way == by_status_some;
  expect(!flag || !tells_which || index == 1, "it is the second of the two");
  return flag;
}

static void complete(int way, MPI_Request all[2]) {
  while (!is_complete(way, all)) continue;
  if (way >= by_status) MPI_Wait(&all[1], MPI_STATUS_IGNORE);
}

static int out[256], in[256];

static void fill(int start) {
  for (int peer = 0; peer < ranks; peer++) out[peer] = 1000 * start + 10 * world + peer, in[peer] = -1;
}

static void check(int start) {
  for (int peer = 0; peer < ranks; peer++)
    expect(in[peer] == 1000 * start + 10 * peer + world, "every word arrives");
}

// Rank 0 polls before the others have started.
static void nothing_is_complete_too_early(int way, MPI_Request all[2], int start) {
  fill(start);
  if (world != 0) MPI_Recv(NULL, 0, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Start(&all[1]);
  for (int look = 0; world == 0 && look < 3; look++)
    expect(!is_complete(way, all), "nothing is complete before all have started");
  for (int other = 1; world == 0 && other < ranks; other++)
    MPI_Send(NULL, 0, MPI_INT, other, 1, MPI_COMM_WORLD);
  complete(way, all);
  check(start);
}

// The last rank starts when it has rank 0's message, which is too large to be sent without rank 0.
static void polls_let_messages_go_on(int way, MPI_Request all[2], int start) {
  enum { bytes = 1 << 22 };
  static char message[bytes];
  MPI_Request sent = MPI_REQUEST_NULL;
  fill(start);
  if (world == ranks - 1) MPI_Recv(message, bytes, MPI_CHAR, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (world == 0) MPI_Isend(message, bytes, MPI_CHAR, ranks - 1, 2, MPI_COMM_WORLD, &sent);
  MPI_Start(&all[1]);
  complete(way, all);
  check(start);
  MPI_Wait(&sent, MPI_STATUS_IGNORE);
}

int main(int argc, char** argv) {
  MPI_Request all[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &world), MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  ATRIUM_INIT(Alltoall_init)(out, 1, MPI_INT, in, 1, MPI_INT, MPI_COMM_WORLD, MPI_INFO_NULL, &all[1]);
  for (int start = 0; start < 5 * ways_here; start++) {
    nothing_is_complete_too_early(start % ways_here, all, start);
    polls_let_messages_go_on(start % ways_here, all, start);
  }
  MPI_Request_free(&all[1]);
  MPI_Finalize();
  return failures != 0;
}
