/* Which node of a communicator a rank is on, how many there are, and the communicators of a node and of the leaders.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * For programs that gather the messages of a node themselves, as 2DECOMP&FFT's shared-memory code does. The *leader* of a node is
 * the first of its ranks in the communicator's order. Nodes are numbered from 0 in the order of their leaders.
 *
 * Calls return MPI_SUCCESS or an MPI error class, after the communicator's error handler has been called. */
#ifndef ATRIUM_NODES_H
#define ATRIUM_NODES_H

#ifdef __GNUC__
#pragma GCC system_header /* no warning that a program asks for is about this file */
#endif

#include "atrium/node_window.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct atrium_nodes atrium_nodes;

/* Collective over comm, which may be any intra-communicator. On an error *nodes is NULL: MPI_ERR_COMM, or the MPI's. */
ATRIUM_WINDOW_API int atrium_nodes_create(MPI_Comm comm, atrium_nodes** nodes);

/* Collective. Frees both communicators; *nodes becomes NULL, and NULL is allowed. */
ATRIUM_WINDOW_API int atrium_nodes_free(atrium_nodes** nodes);

/* The number of the caller's node, and how many nodes there are. Requires: nodes was made by create and is not freed; so do the
 * other two. */
ATRIUM_WINDOW_API int atrium_nodes_mine(const atrium_nodes* nodes);
ATRIUM_WINDOW_API int atrium_nodes_count(const atrium_nodes* nodes);

/* The ranks of the caller's node in the communicator's order: rank 0 is the leader. It belongs to `nodes`. */
ATRIUM_WINDOW_API MPI_Comm atrium_nodes_comm(const atrium_nodes* nodes);

/* The leaders: the rank there is the number of the node. MPI_COMM_NULL to all other ranks. It belongs to `nodes`. */
ATRIUM_WINDOW_API MPI_Comm atrium_nodes_leaders(const atrium_nodes* nodes);

#ifdef __cplusplus
}
#endif

#endif
