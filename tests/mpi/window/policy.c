// A part's pages follow the memory policy that the process was given, or the program's own wish; without either they
// lie near their owner. One memory node is enough: the kernel tells which policy an address has.
//
// usage: policy [GIVEN WISH NODE]     on a machine with several memory nodes (tests/rdma/memory_nodes.sh): a part lies on
// NODE if the process was bound to the node GIVEN, or to none (none), and wishes near, fast or the number of a node
// SPDX-License-Identifier: BSD-3-Clause
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "atrium/node_window.h"
#include "expect.h"

enum {
  kDefault = 0,
  kPreferred = 1,
  kBind = 2,
  kInterleave = 3,
  kOfAddress = 2,
  kMasks = 1024,
  kBytes = 40000
};
typedef unsigned long Nodes[kMasks / 64 + 1];
typedef struct {
  int mode;
  Nodes nodes;
} Policy;

static int ask(Policy* policy, const void* address) {
  return (int)syscall(SYS_get_mempolicy, &policy->mode, policy->nodes, (unsigned long)kMasks, address,
                      address == NULL ? 0UL : kOfAddress);
}

static void give_node(int mode, int node) {
  const Nodes nodes = {1UL << node};
  EXPECT(syscall(SYS_set_mempolicy, mode, mode == kDefault ? NULL : nodes, (unsigned long)kMasks) == 0);
}

static void give(int mode) { give_node(mode, 0); }

// What is not touched may hold anything: Open MPI takes the memory of a lone rank from its heap.
static Policy policy_of_part(const atrium_window_options* options) {
  Policy policy = {-1, {0}};
  atrium_window* window = NULL;
  EXPECT(atrium_window_create(MPI_COMM_WORLD, kBytes, options, &window) == MPI_SUCCESS);
  for (char* at = atrium_window_mine(window); at != NULL && at < (char*)atrium_window_mine(window) + kBytes;
       at += 4096)
    EXPECT(*(volatile char*)at == 0 || options->untouched);
  EXPECT(ask(&policy, (char*)atrium_window_mine(window) + kBytes / 2) == 0);
  EXPECT(atrium_window_free(&window) == MPI_SUCCESS);
  return policy;
}

static void expect_policy(int given, const atrium_window_options* options, int wanted) {
  give(given);
  const Policy policy = policy_of_part(options);
  EXPECT(policy.mode == wanted && (wanted == kDefault || policy.nodes[0] == 1));
  if (policy.mode != wanted) printf("given %d, wanted %d, the part has %d\n", given, wanted, policy.mode);
  Policy after;
  EXPECT(ask(&after, NULL) == 0 && after.mode == given);
}

static void a_policy_that_was_given_is_respected(void) {
  for (int layout = ATRIUM_PADDED; layout <= ATRIUM_SEPARATE; layout++) {
    const atrium_window_options options = {.layout = (atrium_window_layout)layout};
    expect_policy(kBind, &options, kBind);
    expect_policy(kInterleave, &options, kInterleave);
    expect_policy(kPreferred, &options, kPreferred);
    expect_policy(kDefault, &options, kPreferred);  // the owner's node
  }
}

static void a_wish_of_the_program_counts_more(void) {
  const atrium_window_options on_node = {.memory = ATRIUM_MEMORY_NODE(0)},
                              interleaved = {.memory = ATRIUM_MEMORY_INTERLEAVED},
                              fast = {.memory = ATRIUM_MEMORY_HIGH_BANDWIDTH},
                              later = {.memory = ATRIUM_MEMORY_INTERLEAVED, .untouched = 1};
  expect_policy(kBind, &on_node, kPreferred);
  expect_policy(kDefault, &interleaved, kInterleave);
  expect_policy(kBind, &fast, kBind);  // one node: there is none that is faster
  expect_policy(kDefault, &later, kInterleave);
}

static void what_the_program_touches_itself_is_not_placed(void) {
  const atrium_window_options untouched = {.untouched = 1};
  expect_policy(kDefault, &untouched, kDefault);
}

static void a_node_that_is_not_there_is_refused(void) {
  const int beyond[] = {ATRIUM_MEMORY_NODE(1023), ATRIUM_MEMORY_NODE(100000), ATRIUM_MEMORY_NODE(-1), 3, -1};
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  for (size_t each = 0; each < sizeof beyond / sizeof *beyond; each++) {
    const atrium_window_options options = {.memory = beyond[each]};
    atrium_window* window = NULL;
    EXPECT(atrium_window_create(MPI_COMM_WORLD, kBytes, &options, &window) == MPI_ERR_ARG && window == NULL);
  }
}

static int memory_of_wish(const char* wish) {
  if (strcmp(wish, "near") == 0) return ATRIUM_MEMORY_NEAR;
  return strcmp(wish, "fast") == 0 ? ATRIUM_MEMORY_HIGH_BANDWIDTH : ATRIUM_MEMORY_NODE(atoi(wish));
}

static void a_part_lies_on_node(const char* given, const char* wish, int wanted) {
  const atrium_window_options options = {.memory = memory_of_wish(wish)};
  atrium_window* window = NULL;
  if (strcmp(given, "none") != 0) give_node(kBind, atoi(given));
  EXPECT(atrium_window_create(MPI_COMM_WORLD, kBytes, &options, &window) == MPI_SUCCESS);
  const int node = atrium_window_memory_node(window, world_rank());
  EXPECT(node == wanted);
  printf("bound to %s, wishes %s: on node %d\n", given, wish, node);
  EXPECT(atrium_window_free(&window) == MPI_SUCCESS);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  Policy policy;
  if (ask(&policy, NULL) != 0) {
    if (world_rank() == 0) printf("this kernel has no memory nodes, or does not tell\n");
    MPI_Finalize();
    return 77;
  }
  if (argc == 4) {
    a_part_lies_on_node(argv[1], argv[2], atoi(argv[3]));
    return finish();
  }
  a_policy_that_was_given_is_respected();
  a_wish_of_the_program_counts_more();
  what_the_program_touches_itself_is_not_placed();
  a_node_that_is_not_there_is_refused();
  return finish();
}
