/* What mistakes.c calls, with the routines of OpenSHMEM 1.4: for libraries that have no teams. */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef MISTAKES_BEFORE_1_5_H
#define MISTAKES_BEFORE_1_5_H

#include <unistd.h>

/* Tells mistakes.py how far the program has come, whatever becomes of its end. */
#define TELL(word) ((void)!write(STDERR_FILENO, word "\n", sizeof word))
#define ABSENT(...) (TELL("mistakes: absent"), exit(0))

typedef int shmem_team_t;
#define SHMEM_TEAM_WORLD 0
#define SHMEM_TEAM_INVALID (-1)
#define SHMEM_CTX_INVALID NULL
#define SHMEM_SIGNAL_SET 0
#define shmem_long_put_signal ABSENT
#define shmem_malloc_with_hints ABSENT
#define shmem_team_split_strided ABSENT
#define shmem_team_split_2d ABSENT
#define shmem_team_destroy ABSENT
#define shmem_int_sum_reduce ABSENT
#define shmem_long_sum_reduce(team, dest, source, n) \
  shmem_long_sum_to_all(dest, source, n, 0, 0, 2, p_work, p_sync)
#define shmem_long_max_reduce(team, dest, source, n) \
  shmem_long_max_to_all(dest, source, n, 0, 0, 2, p_work, p_sync)
#define shmem_long_broadcast(team, dest, source, n, root) \
  shmem_broadcast64(dest, source, n, root, 0, 0, 2, p_sync)
#define shmem_long_fcollect(team, dest, source, n) shmem_fcollect64(dest, source, n, 0, 0, 2, p_sync)
#define shmem_finalize() (TELL("mistakes: finalize"), shmem_finalize())

#endif
