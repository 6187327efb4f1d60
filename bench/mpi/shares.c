/* Preloaded into a program of any MPI: says at the end how many seconds this process was in which of MPI's routines, by the names of C
 * and of Fortran. To compile it takes no MPI: arguments are words that are passed on as they came.
 * SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* What may wait for others. */
// clang-format off
#define FOR_EACH_ROUTINE(DO)                                                                                 \
  DO(Allgather, allgather) DO(Allgatherv, allgatherv) DO(Allreduce, allreduce) DO(Alltoall, alltoall)        \
  DO(Alltoallv, alltoallv) DO(Alltoallw, alltoallw) DO(Barrier, barrier) DO(Bcast, bcast)                    \
  DO(Gather, gather) DO(Gatherv, gatherv) DO(Irecv, irecv) DO(Isend, isend) DO(Probe, probe) DO(Recv, recv)  \
  DO(Reduce, reduce) DO(Reduce_scatter, reduce_scatter) DO(Scan, scan) DO(Scatter, scatter)                  \
  DO(Scatterv, scatterv) DO(Send, send) DO(Sendrecv, sendrecv) DO(Sendrecv_replace, sendrecv_replace)        \
  DO(Ssend, ssend) DO(Test, test) DO(Testall, testall) DO(Testany, testany) DO(Wait, wait)                   \
  DO(Waitall, waitall) DO(Waitany, waitany) DO(Waitsome, waitsome)
// clang-format on

typedef uintptr_t Word;
typedef Word Routine(Word, Word, Word, Word, Word, Word, Word, Word, Word, Word, Word, Word);

static double seconds_in[64], begin_s;
static __thread int depth; /* an MPI may call one of its routines from another: the outer one counts */

static double now_s(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static Routine* next_one(const char* name) {
  Routine* found = (Routine*)dlsym(RTLD_NEXT, name);
  if (!found) fprintf(stderr, "shares: no library behind this one has %s\n", name), abort();
  return found;
}

/* Requires: `routine` numbers it; the entry points below are alike but for their names. */
#define DEFINE_ENTRY(entry, routine)                                                                 \
  Word entry(Word a, Word b, Word c, Word d, Word e, Word f, Word g, Word h, Word i, Word j, Word k, \
             Word l);                                                                                \
  Word entry(Word a, Word b, Word c, Word d, Word e, Word f, Word g, Word h, Word i, Word j, Word k, \
             Word l) {                                                                               \
    static Routine* next;                                                                            \
    if (!next) next = next_one(#entry);                                                              \
    const double since = depth++ ? 0 : now_s();                                                      \
    const Word result = next(a, b, c, d, e, f, g, h, i, j, k, l);                                    \
    if (--depth == 0) seconds_in[routine] += now_s() - since;                                        \
    return result;                                                                                   \
  }
#define NUMBER(name, fortran) number_of_##fortran,
#define NAME(name, fortran) #name,
#define DEFINE(name, fortran)                         \
  DEFINE_ENTRY(MPI_##name, number_of_##fortran)       \
  DEFINE_ENTRY(mpi_##fortran##_, number_of_##fortran) \
  DEFINE_ENTRY(mpi_##fortran##_f08_, number_of_##fortran)

enum { FOR_EACH_ROUTINE(NUMBER) routines };
static const char* const names[] = {FOR_EACH_ROUTINE(NAME)};
FOR_EACH_ROUTINE(DEFINE)

__attribute__((constructor)) static void begin(void) { begin_s = now_s(); }

/* Processes that were never in MPI, as launchers, say nothing. */
__attribute__((destructor)) static void report(void) {
  double all = 0;
  for (int routine = 0; routine < routines; routine++) all += seconds_in[routine];
  if (all == 0) return;
  fprintf(stderr, "\nshare of MPI: %.6f of %.6f s\n", all, now_s() - begin_s);
  for (int routine = 0; routine < routines; routine++)
    if (seconds_in[routine] > 0)
      fprintf(stderr, "share of %s: %.6f s\n", names[routine], seconds_in[routine]);
}
