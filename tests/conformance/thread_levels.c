/* Every thread level can be asked for, and query_thread reports what is in force (9.2). Argument: the level's
 * index.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "check.h"

int main(int count, char** arguments) {
  const int levels[] = {SHMEM_THREAD_SINGLE, SHMEM_THREAD_FUNNELED, SHMEM_THREAD_SERIALIZED,
                        SHMEM_THREAD_MULTIPLE};
  const int wanted = levels[count > 1 ? atoi(arguments[1]) % 4 : 0];
  int provided = -1, again = -1, level = -1;
  CHECK(shmem_init_thread(wanted, &provided) == 0, "level %d can be asked for", wanted);
  learn_who_i_am();
  CHECK(provided >= SHMEM_THREAD_SINGLE && provided <= SHMEM_THREAD_MULTIPLE, "provided is %d", provided);
  shmem_query_thread(&level);
  CHECK(level == provided, "query_thread says %d, init_thread said %d", level, provided);
  CHECK(shmem_init_thread(SHMEM_THREAD_MULTIPLE, &again) == 0, "asking again");
  shmem_query_thread(&level);
  CHECK(level == again, "query_thread says %d, the second init_thread said %d", level, again);
  shmem_finalize();
  return end();
}
