/* Node-shared windows: memory of one node that several MPI ranks read and write by plain loads and stores.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Words: a *window* belongs to the ranks of a communicator that share a node (or a NUMA domain). Each rank
 * *owns* a *part* of it and sees the parts of all. "rank" is a rank on the node, from 0 to atrium_window_size()
 * less one, unless it says otherwise.
 *
 * Invariants: all ranks of the window make the calls marked *collective*, in the same order for all windows that they have in
 * common. Calls return MPI_SUCCESS or an MPI error class; atrium_window_strerror() has the text. On an error the error handler
 * of atrium_window_comm() is called first, which is the one that the communicator had at creation. A call whose partner has
 * freed the window or entered MPI_Finalize is an error and not a hang. A window is used by one thread at a time, one that may
 * call MPI, because waits do.
 *
 * Memory model: another rank is sure to see a store of this rank after one of these pairs: a post here and its wait there; a
 * barrier or a fence on both sides; sync here, any synchronisation of both by MPI, and sync there.
 * atrium_node_window(3) and the manual explain. */
#ifndef ATRIUM_NODE_WINDOW_H
#define ATRIUM_NODE_WINDOW_H

#ifdef __GNUC__
#pragma GCC system_header /* no warning that a program asks for is about this file */
#endif

#include <mpi.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define ATRIUM_WINDOW_API __attribute__((visibility("default")))
#else
#define ATRIUM_WINDOW_API
#endif

typedef struct atrium_window atrium_window;

/* How the parts lie in memory. */
typedef enum {
  ATRIUM_PADDED =
      0, /* one segment, each part on pages of its own: no false sharing, pages near their owner */
  ATRIUM_CONTIGUOUS = 1, /* one segment without gaps: what MPI_Win_allocate_shared does by default */
  ATRIUM_SEPARATE = 2    /* a segment (and an MPI window) per rank */
} atrium_window_layout;

/* Who shares a window: the ranks of a node, or of a NUMA domain if each is bound to the CPUs of one (else of
 * the node). */
typedef enum { ATRIUM_BY_NODE = 0, ATRIUM_BY_NUMA = 1 } atrium_window_domain;

/* On which memory nodes the pages of a part lie. A rank says it for its own part. */
typedef enum {
  /* As numactl, a launcher or set_mempolicy told the process; if none did, on the owner's node. */
  ATRIUM_MEMORY_NEAR = 0,
  ATRIUM_MEMORY_INTERLEAVED = 1, /* in turns on all nodes that the process may use */
  ATRIUM_MEMORY_HIGH_BANDWIDTH =
      2 /* on the node that the owner reads fastest, where the system says which that is */
} atrium_window_memory;
#define ATRIUM_MEMORY_NODE(n) (16 + (n)) /* on node n, as long as it has room */

/* All zero is the default. */
typedef struct {
  atrium_window_layout layout;
  atrium_window_domain domain;
  int untouched; /* not zero: the owner's first touch is left to you; until then the part may hold anything */
  const char* name; /* for messages; NULL is allowed */
  int memory;       /* an atrium_window_memory, or ATRIUM_MEMORY_NODE(n) */
} atrium_window_options;

/* Collective over comm, which may be any intra-communicator. The calling rank's part has `bytes` bytes, which may be 0. The rank
 * zeroes it, and so touches it and places it on memory nodes as options->memory says. options may be NULL. On an error *window is
 * NULL: MPI_ERR_COMM, MPI_ERR_ARG, MPI_ERR_SIZE, MPI_ERR_NO_MEM, the same on all ranks of a node. MPI_ERR_NO_MEM: all parts
 * together, touched or not, exceed 15/16 of what is free of memory and swap, of the container's limit, of what the kernel promises
 * (vm.overcommit_memory=2), or of /dev/shm. */
ATRIUM_WINDOW_API int atrium_window_create(MPI_Comm comm, size_t bytes, const atrium_window_options* options,
                                           atrium_window** window);

/* The same with all memory in the part of rank 0: one copy per node. Its size is the one that the node's rank 0
 * gives. */
ATRIUM_WINDOW_API int atrium_window_create_per_node(MPI_Comm comm, size_t bytes,
                                                    const atrium_window_options* options,
                                                    atrium_window** window);

/* Collective. All ranks see earlier stores. From here on a store to the window is a segmentation fault, except, with
 * ATRIUM_CONTIGUOUS, in its first and last page, where MPI may have data of its own. */
ATRIUM_WINDOW_API int atrium_window_freeze(atrium_window* window);

/* Collective; *window becomes NULL. MPI_ERR_RMA_SYNC: another rank frees a different window, has entered
 * MPI_Finalize, or has not called this within ATRIUM_WINDOW_PATIENCE seconds (60; 0 waits for ever). The window is
 * then not freed. */
ATRIUM_WINDOW_API int atrium_window_free(atrium_window** window);

/* Rank and number of ranks on the node; the node rank of a rank of the communicator given to create, or
 * MPI_UNDEFINED. */
ATRIUM_WINDOW_API int atrium_window_rank(const atrium_window* window);
ATRIUM_WINDOW_API int atrium_window_size(const atrium_window* window);
ATRIUM_WINDOW_API int atrium_window_rank_of(const atrium_window* window, int comm_rank);

/* *(void **)base becomes the address at which the caller sees the part of `rank`, *bytes its size; bytes may be NULL. base is
 * the address of a pointer of any type, as in MPI. MPI_PROC_NULL means the beginning of the window: the first part that
 * is not empty. */
ATRIUM_WINDOW_API int atrium_window_part(const atrium_window* window, int rank, void* base, size_t* bytes);
ATRIUM_WINDOW_API void* atrium_window_mine(const atrium_window* window);

/* All parts as one array. MPI_ERR_ARG where there are gaps between them. */
ATRIUM_WINDOW_API int atrium_window_whole(const atrium_window* window, void* base, size_t* bytes);

/* The memory node on which the first page of a part lies; -1 when the kernel does not say. */
ATRIUM_WINDOW_API int atrium_window_memory_node(const atrium_window* window, int rank);

/* For MPI: the node's communicator, and the MPI window that holds a part. The part begins there at *displacement, in bytes,
 * the unit of this MPI window; it is not always 0. Both belong to the atrium_window. */
ATRIUM_WINDOW_API MPI_Comm atrium_window_comm(const atrium_window* window);
ATRIUM_WINDOW_API MPI_Win atrium_window_mpi(const atrium_window* window, int rank, MPI_Aint* displacement);

/* Flags between two ranks. After the wait that takes a post, a rank sees the stores before that post. Posts count: as many
 * waits succeed as posts were made. test is a wait that does not wait. */
ATRIUM_WINDOW_API int atrium_window_post(atrium_window* window, int rank);
ATRIUM_WINDOW_API int atrium_window_wait(atrium_window* window, int rank);
ATRIUM_WINDOW_API int atrium_window_test(atrium_window* window, int rank, int* done);

/* Collective. Stores before are seen after, by all. It makes no MPI call, and yields when ranks outnumber
 * CPUs. */
ATRIUM_WINDOW_API int atrium_window_barrier(atrium_window* window);

/* The epochs of the MPI standard. fence is collective: after it all ranks see what was stored or put before it. lock_all,
 * sync and unlock_all are local. fence and lock_all epochs exclude each other. For MPI itself a lock_all
 * epoch is open from create to free, so MPI_Put, MPI_Accumulate and MPI_Win_flush work on atrium_window_mpi()
 * at any time, and fence completes them. */
ATRIUM_WINDOW_API int atrium_window_fence(atrium_window* window);
ATRIUM_WINDOW_API int atrium_window_lock_all(atrium_window* window);
ATRIUM_WINDOW_API int atrium_window_sync(atrium_window* window);
ATRIUM_WINDOW_API int atrium_window_unlock_all(atrium_window* window);

/* The message of this thread's last failure if it had this code (what failed, because, while, try), else the MPI's. */
ATRIUM_WINDOW_API const char* atrium_window_strerror(int code);

#ifdef __cplusplus
}
#endif

#endif
