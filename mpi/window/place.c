// Where memory lies: who shares a window, and how the owner of a part gets its pages near.
// SPDX-License-Identifier: BSD-3-Clause
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "window.h"

// The kernel's numbers (linux/mempolicy.h), which libnuma's header wraps.
enum { kPreferred = 1, kQueryNode = 1, kQueryAddress = 2, kMovePages = 2, kMostNodes = 1024 };

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif

size_t page_size(void) { return (size_t)sysconf(_SC_PAGESIZE); }

static int split_by_numa(MPI_Comm node, MPI_Comm* domain) {
#if defined(OPEN_MPI)
  return MPI_Comm_split_type(node, OMPI_COMM_TYPE_NUMA, 0, MPI_INFO_NULL, domain);
#elif defined(MPI_COMM_TYPE_HW_GUIDED)
  MPI_Info info;
  MPI_Info_create(&info);
  MPI_Info_set(info, "mpi_hw_resource_type", "numanode");
  const int code = MPI_Comm_split_type(node, MPI_COMM_TYPE_HW_GUIDED, 0, info, domain);
  MPI_Info_free(&info);
  return code;
#else
  return MPI_Comm_dup(node, domain);
#endif
}

static void replace(MPI_Comm* comm, MPI_Comm by) {
  MPI_Comm_free(comm);
  *comm = by;
}

// An MPI gives some ranks no domain when they are not bound to one; then all keep the node.
static int narrow_to_numa(MPI_Comm* node) {
  MPI_Comm domain = MPI_COMM_NULL;
  const int code = split_by_numa(*node, &domain);
  if (code != MPI_SUCCESS) return code;
  int all_have = domain != MPI_COMM_NULL;
  MPI_Allreduce(MPI_IN_PLACE, &all_have, 1, MPI_INT, MPI_LAND, *node);
  if (all_have) {
    replace(node, domain);
  } else if (domain != MPI_COMM_NULL) {
    MPI_Comm_free(&domain);
  }
  return MPI_SUCCESS;
}

// What the ranks of a node tell each other before they divide: one collective, since MPIs are slow when
// oversubscribed.
typedef struct {
  cpu_set_t cpus;
  unsigned
      node_ranks;  // of ATRIUM_NODE_RANKS; an environment may differ from rank to rank, what is used must not
} Census;

static Census take_census(MPI_Comm node) {
  const char* text = getenv("ATRIUM_NODE_RANKS");
  const int ranks = text != NULL ? atoi(text) : 0;
  Census census;
  memset(&census, 0, sizeof census);
  sched_getaffinity(0, sizeof census.cpus, &census.cpus);
  census.node_ranks = ranks > 0 ? (unsigned)ranks : 0;
  MPI_Allreduce(MPI_IN_PLACE, &census, (int)sizeof census, MPI_BYTE, MPI_BOR, node);
  return census;
}

// ATRIUM_NODE_RANKS=k pretends that a node has k ranks.
static int cut_node(MPI_Comm* node, int node_ranks) {
  int rank;
  MPI_Comm part;
  MPI_Comm_rank(*node, &rank);
  const int code = MPI_Comm_split(*node, rank / node_ranks, rank, &part);
  if (code == MPI_SUCCESS) replace(node, part);
  return code;
}

// oversubscribed: more ranks than CPUs that they may use, all together; then a waiter yields at once.
int split_comm(MPI_Comm comm, atrium_window_domain domain, MPI_Comm* node, int* oversubscribed) {
  int code = MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, node), ranks = 0;
  if (code != MPI_SUCCESS) return code;
  const Census census = take_census(*node);
  MPI_Comm_size(*node, &ranks);
  *oversubscribed = ranks > CPU_COUNT(&census.cpus);
  if (domain == ATRIUM_BY_NUMA) code = narrow_to_numa(node);
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

// One write per page, by hand where the kernel (before 5.14) cannot. With the kernel's help, memory that does
// not exist is an error code; by hand it is SIGBUS.
static int populate(char* base, size_t bytes) {
  if (madvise(base, bytes, MADV_POPULATE_WRITE) == 0) return MPI_SUCCESS;
  if (errno != EINVAL && errno != ENOSYS) return MPI_ERR_NO_MEM;
  for (size_t at = 0; at < bytes; at += page_size()) *(volatile char*)(base + at) = 0;
  return MPI_SUCCESS;
}

// A page that two parts share (contiguous layout) is left to chance.
int touch_and_bind(void* base, size_t bytes) {
  const uintptr_t page = page_size(), begin = ((uintptr_t)base + page - 1) / page * page;
  const uintptr_t end = ((uintptr_t)base + bytes) / page * page;
  if (bytes == 0) return MPI_SUCCESS;
  if (end > begin) {
    const int node = my_memory_node();
    prefer_node((void*)begin, end - begin, node, 0);
    const int code = populate((char*)begin, end - begin);
    if (code != MPI_SUCCESS) return code;
    prefer_node((void*)begin, end - begin, node, kMovePages);  // an MPI may have touched them before
  }
  memset(base, 0, bytes);
  return MPI_SUCCESS;
}

int memory_node_of(const void* address) {
  int node = -1;
  const long status = syscall(SYS_get_mempolicy, &node, NULL, 0UL, address, kQueryNode | kQueryAddress);
  return status == 0 ? node : -1;
}
