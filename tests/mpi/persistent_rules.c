// Persistent all-to-alls progress while a rank waits elsewhere, and start, complete and end as the standard says.
//
// Litmus: SYNC mpi-arrived
// SPDX-License-Identifier: BSD-3-Clause
//
// usage: persistent_rules [ours]
// ours: all starts go our way. Otherwise what the MPIs cannot do is not asked of them:
//   - Open MPI 4.1.4 faults when a request is started whose communicator has been freed;
//   - MPICH 4.0.2 waits for ever for an inactive persistent collective in MPI_Wait.
#include "expect.h"
#include "persistent.h"

static int world, ranks;

static int values_out[256], values_in[256];

static void init_words(MPI_Comm comm, MPI_Request* request) {
  ATRIUM_INIT(Alltoall_init)(values_out, 1, MPI_INT, values_in, 1, MPI_INT, comm, MPI_INFO_NULL, request);
}

static void fill_words(int start) {
  for (int peer = 0; peer < ranks; peer++)
    values_out[peer] = 1000 * start + 10 * world + peer, values_in[peer] = -1;
}

static void check_words(int start) {
  for (int peer = 0; peer < ranks; peer++)
    expect(values_in[peer] == 1000 * start + 10 * peer + world, "every word arrives");
}

// Rank 0 waits within the MPI for a message that rank 1 sends only when it has completed the exchange.
static void a_rank_that_waits_elsewhere_holds_up_nobody(void) {
  MPI_Request request;
  init_words(MPI_COMM_WORLD, &request);
  for (int start = 0; start < 200; start++) {
    fill_words(start);
    MPI_Start(&request);
    if (world == 0 && ranks > 1) MPI_Recv(NULL, 0, MPI_INT, 1, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (world == 1) MPI_Send(NULL, 0, MPI_INT, 0, 3, MPI_COMM_WORLD);
    check_words(start);
  }
  MPI_Request_free(&request);
}

// The others start only when they know that rank 0 has; rank 0 tests meanwhile.
static void a_start_and_a_test_wait_for_nobody(void) {
  MPI_Request request;
  init_words(MPI_COMM_WORLD, &request);
  for (int start = 0; start < 50; start++) {
    int flag = 0;
    fill_words(start);
    if (world != 0) MPI_Recv(NULL, 0, MPI_INT, 0, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Start(&request);
    for (int look = 0; world == 0 && look < 3; look++) {
      MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
      expect(!flag || ranks == 1, "nothing is complete before all have started");
    }
    for (int other = 1; world == 0 && other < ranks; other++)
      MPI_Send(NULL, 0, MPI_INT, other, 4, MPI_COMM_WORLD);
    if (!flag) MPI_Wait(&request, MPI_STATUS_IGNORE);
    check_words(start);
  }
  MPI_Request_free(&request);
}

static void a_request_outlives_its_communicator_and_types(void) {
  MPI_Comm comm;
  MPI_Request request;
  MPI_Datatype type;
  static int from[512], to[512];
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Type_create_resized(MPI_INT, 0, 2 * sizeof(int), &type);
  MPI_Type_commit(&type);
  ATRIUM_INIT(Alltoall_init)(from, 1, type, to, 1, type, comm, MPI_INFO_NULL, &request);
  MPI_Type_free(&type);
  MPI_Comm_free(&comm);
  for (int start = 0; start < 5; start++) {
    for (int peer = 0; peer < ranks; peer++) from[2 * peer] = start + 10 * world + peer;
    MPI_Start(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    for (int peer = 0; peer < ranks; peer++)
      expect(to[2 * peer] == start + 10 * peer + world, "every word arrives, still");
  }
  MPI_Request_free(&request);
}

static int copies;

static int count_copies(MPI_Datatype type, int key, void* state, void* value, void* copy, int* flag) {
  (void)type, (void)key, (void)state, (void)value, (void)copy;
  copies++, *flag = 0;
  return MPI_SUCCESS;
}

static void a_request_makes_no_copies_of_attributes(void) {
  static int from[512], to[512];
  MPI_Request request;
  MPI_Datatype type;
  int key;
  MPI_Type_create_resized(MPI_INT, 0, 2 * sizeof(int), &type);
  MPI_Type_commit(&type);
  MPI_Type_create_keyval(count_copies, MPI_TYPE_NULL_DELETE_FN, &key, NULL);
  MPI_Type_set_attr(type, key, from);
  ATRIUM_INIT(Alltoall_init)(from, 1, type, to, 1, type, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
  expect(copies == 0, "the program has duplicated no type");
  MPI_Request_free(&request);
  MPI_Type_free(&type), MPI_Type_free_keyval(&key);
}

static void an_inactive_request_is_complete(void) {
  MPI_Request request;
  MPI_Status status;
  int flag = 0, count = 7;
  init_words(MPI_COMM_WORLD, &request);
  for (int start = 0; start < 3; start++) {
    MPI_Wait(&request, &status);
    MPI_Test(&request, &flag, &status);
    MPI_Get_count(&status, MPI_INT, &count);
    expect(flag && count == 0 && status.MPI_SOURCE == MPI_ANY_SOURCE, "its status is empty");
    fill_words(start);
    MPI_Start(&request);
    MPI_Wait(&request, &status);
    check_words(start);
  }
  MPI_Request_free(&request);
}

static void hundreds_of_requests_are_served(void) {
  enum { many = 150 };
  static MPI_Request all[many];
  for (int each = 0; each < many; each++) init_words(MPI_COMM_WORLD, &all[each]);
  for (int each = 0; each < many; each += 37) {
    fill_words(each);
    MPI_Start(&all[each]);
    MPI_Wait(&all[each], MPI_STATUS_IGNORE);
    check_words(each);
  }
  for (int each = 0; each < many; each++) MPI_Request_free(&all[each]);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &world), MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int ours = argc > 1 && ranks > 1;
  a_rank_that_waits_elsewhere_holds_up_nobody();
  a_start_and_a_test_wait_for_nobody();
  if (ours) a_request_outlives_its_communicator_and_types();
  if (ours) a_request_makes_no_copies_of_attributes();
  if (ours) an_inactive_request_is_complete();
  hundreds_of_requests_are_served();
  MPI_Finalize();
  return failures != 0;
}
