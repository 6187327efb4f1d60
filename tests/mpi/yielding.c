// MPICH that gives its processor away while it waits, as Open MPI does when it is asked to; start.sh puts it in front.
// SPDX-License-Identifier: BSD-3-Clause
//
// Debian's MPICH waits by asking UCX for news, and has no setting to do anything else between two questions. Where ranks
// outnumber cores each wait then lasts for the time slices of all who wait: the tests took ten times as long, all of it spinning.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sched.h>

typedef unsigned (*progress)(void* worker);

unsigned ucp_worker_progress(void* worker) {
  static progress asked;  // written alike by every thread that comes first
  if (!__atomic_load_n(&asked, __ATOMIC_RELAXED))
    __atomic_store_n(&asked, (progress)dlsym(RTLD_NEXT, "ucp_worker_progress"), __ATOMIC_RELAXED);
  const unsigned news = __atomic_load_n(&asked, __ATOMIC_RELAXED)(worker);
  if (!news) sched_yield();
  return news;
}
