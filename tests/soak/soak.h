/* What the parts of the soak share: one private model of all memory, and random numbers that every PE draws alike.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Words.  A *block* is symmetric memory of some words; the *model* says what each PE's copy of it must hold. A
 *         *round* is one action of a part below; between rounds all PEs are in step, and every copy is as the model
 *         says. All PEs draw the same numbers, so each knows what the others do, and keeps the whole model. */
#ifndef SOAK_H
#define SOAK_H

#include <shmem.h>
#include <stddef.h>
#include <stdint.h>

enum { MOST_PES = 16, BLOCKS = 20, FIXED_BLOCKS = 2, MOST_WORDS = 3000, TEAMS = 10, CONTEXTS = 8 };

extern int me, npes;
extern long current_round;

/* Ends the job, with the seed, when the condition does not hold. */
#define CHECK(condition, ...) \
  ((condition) ? (void)0 : fail_check(#condition, __FILE__, __LINE__, __VA_ARGS__))
_Noreturn void fail_check(const char* condition, const char* file, int line, const char* format, ...)
    __attribute__((format(printf, 4, 5)));

uint64_t draw(void);
long pick(long low, long high);    /* low <= result <= high */
uint64_t mix(uint64_t value);      /* a word that looks random, always the same */
uint64_t draw_of(uint64_t* state); /* the same with a state of one's own */
static inline int one_in(int n) { return pick(1, n) == 1; }

/* A slot without memory has words == NULL. The first FIXED_BLOCKS are static data and live for ever. */
typedef struct {
  uint64_t* words;
  size_t count;
  uint64_t* model[MOST_PES];
} Block;
extern Block blocks[BLOCKS];

void open_blocks(void);
void close_blocks(void);
int pick_block(void);                            /* one that has memory */
void compare_block(int block, const char* when); /* my copy with its model */

/* Every PE knows the members of every team; the handle is my own. A team without members is a free slot. */
typedef struct {
  shmem_team_t handle;
  int size, members[MOST_PES];
} KnownTeam;
typedef struct {
  shmem_ctx_t handle; /* mine, if I am a member of its team */
  int team, alive;
} KnownContext;
extern KnownTeam teams[TEAMS]; /* 0: the world */
extern KnownContext contexts[CONTEXTS];

void open_groups(void);
void close_groups(void);
int number_in(const KnownTeam* team, int pe); /* or -1 */
int pick_team(void);
void quiet_all_contexts(void);
/* A context on which both can speak, and the number by which the other is called there. */
shmem_ctx_t pick_context(int from, int to, int* called);

/* The parts: each a round. */
void transfer_round(void);
void collective_round(void);
void allocation_round(void);
void group_round(void);
void lock_round(void);
void hand_over_round(void);

/* Threads that work beside all rounds. */
void start_threads(int count);
void stop_threads(void);

#endif
