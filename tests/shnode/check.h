/* What the parts of the test program share.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef CHECK_H
#define CHECK_H

#include <shnode.h>
#include <stdio.h>
#include <stdlib.h>

extern int failures;
extern const char* configuration;

#define EXPECT(condition)                                                                                    \
  do {                                                                                                       \
    if (!(condition) && failures++ < 20)                                                                     \
      fprintf(stderr, "PE %d of %d, %s: %s:%d: %s\n", shmem_my_pe(), shmem_n_pes(), configuration, __FILE__, \
              __LINE__, #condition);                                                                         \
  } while (0)

/* The parts; each begins and ends with shnode initialised and a team made. */
void check_errors_before_the_team(void);
void check_team(void);
void check_objects(void);
void check_transfers(void);
void check_exchange(void);
void check_reductions(void);
void check_moves(void);
void check_teams(void);
void check_paths(void);
void check_reuse(void);
/* The first byte behind the registered memory that is not symmetric. */
char* end_of_symmetric_memory(void);
/* Begins and ends without shnode. */
void check_numa(void);

/* Symmetric memory that is registered, and some that is not. */
enum { room = 1 << 20 };
extern char *registered, *unregistered;
extern char globals[1 << 16];

#ifndef SHMEM_MAJOR_VERSION /* before OpenSHMEM 1.3 */
#define SHMEM_SYNC_VALUE _SHMEM_SYNC_VALUE
#define SHMEM_CMP_GE _SHMEM_CMP_GE
#endif
enum { sync_longs = 256 };
extern long sync_area[2][sync_longs];

#endif
