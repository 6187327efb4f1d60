// Where memory lies: who shares a window, and how the owner of a part gets its pages near.
// SPDX-License-Identifier: BSD-3-Clause
#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "atrium_primitives.h"
#include "window.h"

// The kernel's numbers (linux/mempolicy.h), which libnuma's header wraps.
enum { kPreferred = 1, kQueryNode = 1, kQueryAddress = 2, kMovePages = 2, kMostNodes = 1024 };

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif

size_t page_size(void) { return (size_t)sysconf(_SC_PAGESIZE); }

// What the ranks of a node tell each other before they divide: one collective, since MPIs are slow when
// oversubscribed. Environments and arguments may differ from rank to rank; what is used must not.
typedef struct {
  atrium_cpu_mask cpus;
  unsigned node_ranks;   // of ATRIUM_NODE_RANKS: what rank 0 was told
  unsigned keep_node;    // a rank does not ask for a NUMA domain, or has none
  unsigned short_quota;  // a rank's control group grants less than a CPU for each rank
} Census;

static Census take_census(MPI_Comm node, const atrium_cpu_mask* cpus, int memory_node) {
  const int pretended = pretended_node_ranks();
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

// ATRIUM_NODE_RANKS=k pretends that a node has k ranks.
static int cut_node(MPI_Comm* node, int node_ranks) {
  int rank;
  MPI_Comm_rank(*node, &rank);
  return divide(node, rank / node_ranks);
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

static int my_memory_node(void) {
  unsigned cpu = 0, node = 0;
  return syscall(SYS_getcpu, &cpu, &node, NULL) == 0 ? (int)node : -1;
}

// The preference is kept with the shared memory, so it also rules what a peer touches later. Without NUMA in
// the kernel the call fails, and there is nothing to prefer.
static void prefer_node(void* base, size_t bytes, int node, unsigned flags) {
  unsigned long mask[kMostNodes / (8 * sizeof(unsigned long))] = {0};
  if (node < 0 || node >= kMostNodes) return;
  mask[(size_t)node / (8 * sizeof *mask)] |= 1UL << ((size_t)node % (8 * sizeof *mask));
  syscall(SYS_mbind, base, bytes, kPreferred, mask, (unsigned long)kMostNodes, flags);
}

// Memory that does not exist is an error code here, and SIGBUS at the first touch. Kernels before 5.14 cannot.
static int populate(void* base, size_t bytes) {
  const int done = madvise(base, bytes, MADV_POPULATE_WRITE) == 0 || errno == EINVAL || errno == ENOSYS;
  return done ? MPI_SUCCESS : MPI_ERR_NO_MEM;
}

// A page that two parts share (contiguous layout) goes to whom it happens to.
int touch_and_bind(void* base, size_t bytes) {
  const uintptr_t page = page_size(), begin = (uintptr_t)base / page * page;
  const uintptr_t end = ((uintptr_t)base + bytes + page - 1) / page * page;
  if (bytes == 0) return MPI_SUCCESS;
  const int node = my_memory_node();
  prefer_node((void*)begin, end - begin, node, 0);
  const int code = populate((void*)begin, end - begin);
  if (code != MPI_SUCCESS) return code;
  prefer_node((void*)begin, end - begin, node, kMovePages);  // an MPI may have touched them before
  memset(base, 0, bytes);
  return MPI_SUCCESS;
}

int memory_node_of(const void* address) {
  int node = -1;
  const long status = syscall(SYS_get_mempolicy, &node, NULL, 0UL, address, kQueryNode | kQueryAddress);
  return status == 0 ? node : -1;
}
