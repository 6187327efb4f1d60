/* What the parts of shnode know of each other, in the order of ../README.md. Nothing here is seen by users.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef SHNODE_INTERNAL_H
#define SHNODE_INTERNAL_H

#include "shnode.h"

#define SN_AT_LEAST(major, minor) \
  (SHMEM_MAJOR_VERSION > (major) || (SHMEM_MAJOR_VERSION == (major) && SHMEM_MINOR_VERSION >= (minor)))

/* Atrium's own transfers are direct and its collectives know the node (docs/design/shnode.md). */
#ifdef ATRIUM_AWAY
enum { sn_over_atrium = 1 };
#else
enum { sn_over_atrium = 0 };
#endif

/* Before OpenSHMEM 1.3 the names of constants began with an underscore. */
#ifndef SHMEM_MAJOR_VERSION
#define SHMEM_MAJOR_VERSION _SHMEM_MAJOR_VERSION
#define SHMEM_MINOR_VERSION _SHMEM_MINOR_VERSION
#define SHMEM_CMP_GE _SHMEM_CMP_GE
#endif

/* ---- base.c: this PE, and what state the library is in ---- */

extern int sn_me, sn_pes;
typedef enum { sn_ended, sn_begun, sn_teamed } sn_state_of_library;
extern sn_state_of_library sn_state;
/* SHNODE_OK, or why calls that need the team must fail. */
int sn_ready(void);
/* Notes the code for shnode_error, and answers it. */
int sn_fail(int code);
/* Does the system know all of the block as symmetric memory? Its two ends decide. */
int sn_is_symmetric(const void* data, size_t bytes);

/* Atrium hides where PEs are, me too, when every call has to be seen: to wake PEs that sleep in a wait, to check, or for
 * a tool. No other system minds stores. */
static inline int sn_must_see_calls(void) {
#ifdef ATRIUM_AWAY
  return SHMEM_CTX_DEFAULT->inline_delta[sn_me] == ATRIUM_AWAY;
#else
  return 0;
#endif
}

/* ---- settings.c: the environment, once, in shnode_init ---- */

enum { sn_pattern_places = 4 };
typedef struct {
  int rma, collectives, exchange, queries, numa, info;
  int pes_per_leader;              /* 0: choose */
  int node_pes[sn_pattern_places]; /* pretended sizes of nodes, repeated; 0 ends them */
  size_t direct_limit;             /* bytes */
} sn_settings;
extern sn_settings sn_set;
int sn_read_settings(void);

/* ---- control.c: the library's own symmetric memory ----
 *
 *   | announcement | stage | table of announcements, one per PE | inboxes, one per PE |
 */
enum { sn_stage_bytes = 256 << 10, sn_line_bytes = 64 };

/* What a PE announces to all others when the nodes are found. */
typedef struct {
  uint64_t sees; /* hash of the set of PEs that I see */
  int32_t numa;  /* the NUMA node that I am bound to, or -1 */
  int32_t pes_per_leader;
  int16_t status; /* why there cannot be a team, or SHNODE_OK */
  int8_t collectives, exchange;
  int32_t node_pes[sn_pattern_places];
} sn_announcement;

/* What one PE writes into another: a line of its own, so that writers do not disturb each other. */
typedef struct {
  long count;    /* of notifications so far */
  long offer[2]; /* exchange.c */
  char padding[sn_line_bytes - 3 * sizeof(long)];
} sn_inbox;

typedef struct {
  sn_announcement* mine;
  sn_announcement* all; /* by PE */
  char* stage;
  sn_inbox* inbox; /* by sender */
  void* memory;
} sn_control;
extern sn_control sn_ctl;
int sn_create_control(void);
void sn_destroy_control(void);
/* The announcements of all PEs, in sn_ctl.all. Collective. */
void sn_announce(void);

/* ---- node.c: who is on which node ---- */

extern int* sn_node_of; /* by PE */
extern int sn_nodes;    /* how many */
extern int sn_largest;  /* how many PEs the largest node has */
extern int sn_host_pes; /* how many there are where I am, pretended nodes or not */
extern int* sn_members; /* of my node */
extern int sn_member_count;
int sn_find_nodes(const void* data);
void sn_forget_nodes(void);
int sn_numa_of_me(void);

/* ---- object.c: the register ---- */

static inline int sn_sees(const shnode_object* object, int pe) {
  return (unsigned)pe < object->places && shnode_view_of(object, pe)->bytes;
}
int sn_register(const void* data, size_t bytes);
int sn_open_register(void);
void sn_close_register(void);
/* The object that has all of the block, or NULL. */
const shnode_object* sn_object_at(const void* data, size_t bytes);
/* Where I see the block of a PE, or NULL: not registered, or not visible. */
char* sn_view(const void* data, size_t bytes, int pe);
/* How far memory from the object's beginning on has the same deltas. */
size_t sn_reach(const shnode_object* object);
/* The last address + 1 of the mapping that has `data`. */
uintptr_t sn_mapping_end(const void* data);

/* ---- sync.c: one PE notifies another of its progress ----
 * Each notification to a PE is awaited there exactly once; between two PEs they keep their order, so that any
 * mixture of active sets and teams may use them. What was written before is seen after. */
int sn_open_sync(void);
void sn_close_sync(void);
/* How many PEs can spin here at once; more give up the CPU with each look. */
int sn_usable_cpus(void);
void sn_notify(int pe);
void sn_await(int pe);
void sn_pause(unsigned round);
/* A long in the inbox that `pe` has for me: written before a notification, read after awaiting it. */
void sn_post(long* in_my_inbox_of_me, long value, int pe);
extern sn_inbox** sn_inbox_at; /* by PE: where I see its inbox for me; NULL: not visible */

/* ---- transfer.c: bytes from here to there, directly or by the system ---- */

void sn_pull(void* to, const void* symmetric, size_t bytes, int pe);
void sn_push(void* symmetric, const void* from, size_t bytes, int pe);
/* Do puts and gets go by stores and loads, where memory is visible? */
static inline int sn_stores_suffice(void) { return sn_set.rma && !sn_must_see_calls(); }
/* Completes the system's share of the pushes, before a notification announces them. */
void sn_complete(void);
/* Memory of my own that grows; NULL when there is none. */
void* sn_scratch(size_t bytes);
void sn_free_scratch(void);

/* ---- copy.c: memcpy, or what is faster on this processor ---- */

enum { sn_own_copy_bytes = 4096 }; /* larger: memcpy, or the system's own engine (Atrium) */
void sn_choose_copy(void);
void sn_copy(void* to, const void* from, size_t bytes);

/* ---- plan.c: a set of PEs, in groups with a leader each ---- */

typedef struct {
  int size, me; /* PEs in the set, and my rank in it */
  int* pe;      /* by rank */
  int groups, my_group, my_place;
  int* order; /* ranks, group after group, leader first */
  int* start; /* where a group begins in `order`; start[groups] = size */
  int nodes;  /* that have PEs of the set */
  int largest_group;
  int own; /* do leaders bring anything, or is the system asked? */
} sn_plan;

/* Where there is a block for each PE of the set; collect finds out later how much its dest must hold. */
typedef enum {
  sn_single_blocks,
  sn_blocks_in_dest,
  sn_blocks_in_both,
  sn_shape_of_collect = sn_single_blocks,
  sn_shape_of_fcollect = sn_blocks_in_dest,
  sn_shape_of_alltoall = sn_blocks_in_both
} sn_shape;
/* Whether a collective may use the two: blocks of `count` elements of `unit` bytes. */
int sn_check_blocks(const sn_plan* plan, sn_shape shape, const void* dest, const void* source, size_t count,
                    size_t unit);
/* SHNODE_OK, or why not. The plan stays valid until the next call. */
int sn_plan_active_set(int PE_start, int logPE_stride, int PE_size, const sn_plan** plan);
#if SHNODE_HAS_TEAMS
int sn_plan_team(shmem_team_t team, const sn_plan** plan);
#endif
void sn_forget_plans(void);

static inline int sn_group_size(const sn_plan* plan, int group) {
  return plan->start[group + 1] - plan->start[group];
}
/* The PE at a place of a group; place 0 is the leader. */
static inline int sn_pe_at(const sn_plan* plan, int group, int place) {
  return plan->pe[plan->order[plan->start[group] + place]];
}
static inline int sn_leader(const sn_plan* plan, int group) { return sn_pe_at(plan, group, 0); }

/* ---- barrier.c: the steps that collectives are made of ---- */

/* The leader returns when all of its group have called; members return at once. */
void sn_gather_group(const sn_plan* plan);
/* Members return when the leader has called. */
void sn_release_group(const sn_plan* plan);
/* Leaders only: returns when all leaders have called. */
void sn_meet_leaders(const sn_plan* plan);
void sn_meet_all(const sn_plan* plan);

/* A binomial tree over 0 to count - 1 with root 0. */
static inline int sn_parent(int index) { return index & (index - 1); }
#define SN_FOR_CHILDREN(step, index, count) \
  for (int step = 1; (index) + step < (count) && !((index)&step); step <<= 1)

/* ---- the collectives, over a plan ---- */

typedef void sn_kernel(void* out, const void* a, const void* b, size_t count);
int sn_reduce(const sn_plan* plan, void* dest, const void* source, size_t count, size_t unit,
              sn_kernel* combine);
/* `root` is a rank. */
void sn_broadcast(const sn_plan* plan, void* dest, const void* source, size_t bytes, int root);
int sn_fcollect(const sn_plan* plan, void* dest, const void* source, size_t bytes);
int sn_collect(const sn_plan* plan, void* dest, const void* source, size_t bytes);
int sn_alltoall(const sn_plan* plan, void* dest, const void* source, size_t bytes);

/* ---- exchange.c, info.c ---- */
void sn_close_exchanges(void);
void sn_print_info(void);

#endif
