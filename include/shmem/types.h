/* Handles, configuration records and constants of OpenSHMEM 1.6 (sections 6, 9.4, 9.5, 9.9).
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef SHMEM_TYPES_H
#define SHMEM_TYPES_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What the inline fast path reads of a context: for each PE of its team the number of bytes to add to my address of
 * a symmetric object to reach that PE's copy, or ATRIUM_AWAY: then the library must be called. Part of the ABI. */
#define ATRIUM_AWAY ((ptrdiff_t)1)
struct atrium_context {
  const ptrdiff_t *delta;
};
struct atrium_team;

typedef struct atrium_context *shmem_ctx_t;
typedef struct atrium_team *shmem_team_t;

/* Where this PE's symmetric memory lies, and the deltas of the world team. Part of the ABI; the number in the name
 * changes with the layout. */
struct atrium_door {
  const ptrdiff_t *delta;  /* indexed by PE of the world team */
  uintptr_t globals_begin; /* my copy of the executable's writable static data */
  size_t globals_size;     /* bytes */
  uintptr_t heap_begin;    /* my symmetric heap */
  size_t heap_size;        /* bytes */
};
extern struct atrium_door atrium_door_1;

extern shmem_ctx_t SHMEM_CTX_DEFAULT;
extern shmem_team_t SHMEM_TEAM_WORLD;
extern shmem_team_t SHMEM_TEAM_SHARED;
#define SHMEM_CTX_INVALID ((shmem_ctx_t)0)
#define SHMEM_TEAM_INVALID ((shmem_team_t)0)

/* Elements: contexts. Section 9.4.3. The mask bit selects the member. */
#define SHMEM_TEAM_NUM_CONTEXTS (1L << 0)
typedef struct {
  int num_contexts;
} shmem_team_config_t;

/* Options of contexts, to be ORed. Section 9.5.1. */
#define SHMEM_CTX_SERIALIZED (1L << 0)
#define SHMEM_CTX_PRIVATE (1L << 1)
#define SHMEM_CTX_NOSTORE (1L << 2)

/* How wait and test compare. Section 9.11. */
#define SHMEM_CMP_EQ 1
#define SHMEM_CMP_NE 2
#define SHMEM_CMP_GT 3
#define SHMEM_CMP_GE 4
#define SHMEM_CMP_LT 5
#define SHMEM_CMP_LE 6

/* What put_signal does to the signal. Section 9.8. */
#define SHMEM_SIGNAL_SET 1
#define SHMEM_SIGNAL_ADD 2

/* Options of sessions, and the mask of their configuration. Section 9.9. */
#define SHMEM_CTX_SESSION_BATCH (1L << 0)
#define SHMEM_CTX_SESSION_TOTAL_OPS (1L << 0)

/* Elements: operations. Section 9.9. */
typedef struct {
  size_t total_ops;
} shmem_ctx_session_config_t;

#ifdef __cplusplus
}
#endif

#endif
