// Where memory lies: who shares a window, and how the owner of a part gets its pages near.
// SPDX-License-Identifier: BSD-3-Clause
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "atrium_machine.h"
#include "atrium_memory_policy.h"
#include "atrium_pretended_nodes.h"
#include "window.h"

_Static_assert((int)ATRIUM_MEMORY_NEAR == atrium_memory_near &&
                   (int)ATRIUM_MEMORY_INTERLEAVED == atrium_memory_interleaved &&
                   (int)ATRIUM_MEMORY_HIGH_BANDWIDTH == atrium_memory_high_bandwidth &&
                   ATRIUM_MEMORY_NODE(0) == atrium_memory_node_0,
               "the words of the header are those of base/");

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif

size_t page_size(void) { return (size_t)sysconf(_SC_PAGESIZE); }

// What the ranks of a node exchange before they divide: one collective, since MPIs are slow when
// oversubscribed. Environments and arguments may differ from rank to rank; what is used must not.
typedef struct {
  atrium_cpu_mask cpus;
  unsigned node_ranks;   // of ATRIUM_NODE_RANKS: as rank 0 has it
  unsigned keep_node;    // a rank does not ask for a NUMA domain, or has none
  unsigned short_quota;  // a rank's control group grants less than a CPU for each rank
} Census;

static Census take_census(MPI_Comm node, const atrium_cpu_mask* cpus, int memory_node) {
  const int pretended = window_settings()->node_ranks;
  int rank = 0, ranks = 0;
  MPI_Comm_rank(node, &rank);
  MPI_Comm_size(node, &ranks);
  Census census;
  memset(&census, 0, sizeof census);
  census.cpus = *cpus;
  census.node_ranks = rank == 0 ? (unsigned)pretended : 0;
  census.keep_node = memory_node < 0;
  census.short_quota = ranks > atrium_limit_to_quota(ranks, atrium_cgroup_quota());
  MPI_Allreduce(MPI_IN_PLACE, &census, (int)sizeof census, MPI_BYTE, MPI_BOR, node);
  return census;
}

static int divide(MPI_Comm* node, int color) {
  int rank;
  MPI_Comm part;
  MPI_Comm_rank(*node, &rank);
  const int code = MPI_Comm_split(*node, color, rank, &part);
  if (code != MPI_SUCCESS) return code;
  MPI_Comm_free(node);
  *node = part;
  return code;
}

static int cut_node(MPI_Comm* node, int node_ranks) {
  int rank = 0, ranks = 0;
  MPI_Comm_rank(*node, &rank);
  MPI_Comm_size(*node, &ranks);
  const int64_t mine = atrium_number_on_machine();
  int64_t* const numbers = own_memory((size_t)ranks, sizeof *numbers);
  int* const roots = own_memory((size_t)ranks, sizeof *roots);
  int code = MPI_Allgather(&mine, sizeof mine, MPI_BYTE, numbers, sizeof mine, MPI_BYTE, *node);
  if (code == MPI_SUCCESS) {
    atrium_cut_machine(numbers, ranks, node_ranks, roots);
    code = divide(node, roots[rank]);
  }
  free(numbers);
  free(roots);
  return code;
}

// NUMA domains come from the kernel: Open MPI's own split gives a rank that is not bound a domain of its own.
// oversubscribed: more ranks than CPUs that they may use, all together, or than the quota of a control group lets
// run; then a waiter yields at once.
int split_comm(MPI_Comm comm, atrium_window_domain domain, MPI_Comm* node, int* oversubscribed) {
  int code = MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, node), ranks = 0;
  if (code != MPI_SUCCESS) return *node = MPI_COMM_NULL, code;
  atrium_cpu_mask cpus;
  atrium_allowed_cpus(&cpus);
  const int memory_node =
      domain == ATRIUM_BY_NUMA ? atrium_numa_node_of_cpus(&cpus, ATRIUM_SYSTEM_FOLDER) : -1;
  const Census census = take_census(*node, &cpus, memory_node);
  MPI_Comm_size(*node, &ranks);
  *oversubscribed = ranks > atrium_count_cpus(&census.cpus) || census.short_quota;
  if (!census.keep_node) code = divide(node, memory_node);
  return code != MPI_SUCCESS || census.node_ranks == 0 ? code : cut_node(node, (int)census.node_ranks);
}

int is_memory_known(int memory) {
  const atrium_node_set allowed = atrium_allowed_nodes();
  return atrium_is_memory_choice(memory, &allowed);
}

static atrium_memory_policy policy_for(int memory) {
  const atrium_memory_policy given = atrium_given_policy();
  const atrium_node_set allowed = atrium_allowed_nodes();
  return atrium_decide_policy(memory, &given, atrium_node_here(), &allowed, ATRIUM_SYSTEM_FOLDER);
}

// Memory that does not exist is an error code here, and SIGBUS at the first touch. Kernels before 5.14 cannot.
static int populate(void* base, size_t bytes) {
  const int done = madvise(base, bytes, MADV_POPULATE_WRITE) == 0 || errno == EINVAL || errno == ENOSYS;
  return done ? MPI_SUCCESS : MPI_ERR_NO_MEM;
}

static Part whole_pages(const Part* part) {
  const uintptr_t page = page_size(), begin = (uintptr_t)part->base / page * page;
  const uintptr_t end = ((uintptr_t)part->base + part->bytes + page - 1) / page * page;
  return (Part){(char*)begin, end - begin};
}

// A page that two parts share (contiguous layout) goes to whom it happens to.
int touch_and_place(const Part* part, int memory) {
  if (part->bytes == 0) return MPI_SUCCESS;
  const Part pages = whole_pages(part);
  const atrium_memory_policy policy = policy_for(memory);
  atrium_apply_policy(pages.base, pages.bytes, &policy, 0);
  const int code = populate(pages.base, pages.bytes);
  if (code != MPI_SUCCESS) return code;
  atrium_apply_policy(pages.base, pages.bytes, &policy,
                      atrium_move_pages);  // an MPI may have touched them before
  memset(part->base, 0, part->bytes);
  return MPI_SUCCESS;
}

// What the program touches itself follows the policy of who touches it, unless it asked for another.
void place_untouched(const Part* part, int memory) {
  if (part->bytes == 0 || memory == ATRIUM_MEMORY_NEAR) return;
  const Part pages = whole_pages(part);
  const atrium_memory_policy policy = policy_for(memory);
  atrium_apply_policy(pages.base, pages.bytes, &policy, atrium_move_pages);
}

// An MPI takes the memory of a window of one rank from its heap, which goes on without our policy.
void take_policy_back(const Part* part) {
  if (part->base == NULL || part->bytes == 0) return;
  const Part pages = whole_pages(part);
  const atrium_memory_policy none = {atrium_policy_none, {{0}}};
  atrium_apply_policy(pages.base, pages.bytes, &none, 0);
}

int memory_node_of(const void* address) { return atrium_node_of_page(address); }
