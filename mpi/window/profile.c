// What a node window's synchronisation has cost, which ATRIUM_REPORT=1 prints when it is freed: calls, and time waited by rank.
// SPDX-License-Identifier: BSD-3-Clause
//
// Loads and stores are the program's own and are not seen. Who waits least in a barrier is the one that the others wait for.
#include <stdio.h>
#include <stdlib.h>

#include "window.h"

typedef struct {
  double calls, seconds;  // both of one type, so that they travel together
} CallTally;

// Of one rank.
typedef struct {
  CallTally of[kProfiledCalls];
  double most_for, most_seconds;  // the rank for whose posts it has waited longest, and how long
} RankProfile;

struct WindowProfile {
  double since;
  RankProfile mine;
  double* waited_for;  // by rank
};

static const char* const kNames[kProfiledCalls] = {"post", "wait", "test", "barrier", "fence"};

// Collective: rank 0 of the node says whether there is one.
void begin_profile(atrium_window* window) {
  int is_wanted = window_settings()->report;
  MPI_Bcast(&is_wanted, 1, MPI_INT, 0, window->comm);
  if (!is_wanted) return;
  window->profile = own_memory(1, sizeof *window->profile);
  window->profile->waited_for = own_memory((size_t)window->size, sizeof *window->profile->waited_for);
  window->profile->since = MPI_Wtime();
}

void drop_profile(atrium_window* window) {
  if (window->profile != NULL) free(window->profile->waited_for);
  free(window->profile);
  window->profile = NULL;
}

double profile_clock(const atrium_window* window) { return window->profile != NULL ? MPI_Wtime() : 0; }

void count_call(const atrium_window* window, ProfiledCall call) {
  if (window->profile != NULL) window->profile->mine.of[call].calls++;
}

void count_waited(const atrium_window* window, ProfiledCall call, double since) {
  if (window->profile != NULL) window->profile->mine.of[call].seconds += MPI_Wtime() - since;
}

void count_waited_for(const atrium_window* window, int rank, double since) {
  if (window->profile == NULL) return;
  count_waited(window, kWaitCall, since);
  window->profile->waited_for[rank] += MPI_Wtime() - since;
}

static void find_most(atrium_window* window) {
  RankProfile* mine = &window->profile->mine;
  for (int rank = 0; rank < window->size; rank++)
    if (window->profile->waited_for[rank] > mine->most_seconds) {
      mine->most_for = rank;
      mine->most_seconds = window->profile->waited_for[rank];
    }
}

static void print_call(const RankProfile* all, int ranks, ProfiledCall call, double lived) {
  double calls = 0, sum = 0;
  int most = 0, least = 0;
  for (int rank = 0; rank < ranks; rank++) {
    calls += all[rank].of[call].calls;
    sum += all[rank].of[call].seconds;
    if (all[rank].of[call].seconds > all[most].of[call].seconds) most = rank;
    if (all[rank].of[call].seconds < all[least].of[call].seconds) least = rank;
  }
  if (calls == 0) return;
  char waited[160] = "";
  if (call != kPostCall && call != kTestCall)
    snprintf(waited, sizeof waited,
             ", waited %5.1f %% of the time: most rank %d, %.3f s, least rank %d, %.3f s",
             100 * sum / ranks / lived, most, all[most].of[call].seconds, least, all[least].of[call].seconds);
  atrium_print_text("atrium:   %-8s %10.0f calls%s\n", kNames[call], calls, waited);
}

static void print_pair(const RankProfile* all, int ranks) {
  int most = 0;
  for (int rank = 1; rank < ranks; rank++)
    if (all[rank].most_seconds > all[most].most_seconds) most = rank;
  if (all[most].most_seconds > 0)
    atrium_print_text("atrium:   longest wait for posts of one rank: rank %d for rank %.0f, %.3f s\n", most,
                      all[most].most_for, all[most].most_seconds);
}

static void print_profile(const atrium_window* window, const RankProfile* all) {
  const double lived = MPI_Wtime() - window->profile->since;
  atrium_print_text("atrium: node window %s: %d ranks, %zu bytes, freed after %.3f s\n", name_of(window),
                    window->size, bytes_of(window), lived);
  for (int call = 0; call < kProfiledCalls; call++) print_call(all, window->size, call, lived);
  print_pair(all, window->size);
}

// Collective.
void report_profile(atrium_window* window) {
  const int words = sizeof(RankProfile) / sizeof(double);
  if (window->profile == NULL) return;
  find_most(window);
  RankProfile* all = window->rank == 0 ? own_memory((size_t)window->size, sizeof *all) : NULL;
  MPI_Gather(&window->profile->mine, words, MPI_DOUBLE, all, words, MPI_DOUBLE, 0, window->comm);
  if (window->rank == 0) print_profile(window, all);
  free(all);
}
