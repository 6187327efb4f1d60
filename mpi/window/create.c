// Creating and freeing a node window: all ranks agree before anything is made and before anything goes.
// SPDX-License-Identifier: BSD-3-Clause
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "window.h"

int is_usable(MPI_Comm comm) {
  int inter = 0;
  return comm != MPI_COMM_NULL && MPI_Comm_test_inter(comm, &inter) == MPI_SUCCESS && !inter;
}

int refuse_comm(MPI_Comm comm, const char* what, const char* during) {
  const atrium_message report = {what, "the communicator is null or an inter-communicator", during,
                                 "an intra-communicator, for example MPI_COMM_WORLD"};
  return fail(NULL, comm == MPI_COMM_NULL ? MPI_COMM_WORLD : comm, MPI_ERR_COMM, &report);
}

static int is_valid(const atrium_window_options* options, atrium_window** result) {
  return result != NULL && (unsigned)options->layout <= ATRIUM_SEPARATE &&
         (unsigned)options->domain <= ATRIUM_BY_NUMA && is_memory_known(options->memory);
}

// Thousands of ranks elsewhere cost 4 bytes each.
static void map_ranks(atrium_window* window, MPI_Comm comm) {
  MPI_Group all, here;
  MPI_Comm_group(comm, &all);
  MPI_Comm_group(window->comm, &here);
  MPI_Group_size(all, &window->comm_size);
  int* ranks = own_memory((size_t)window->comm_size, sizeof *ranks);
  window->rank_of = own_memory((size_t)window->comm_size, sizeof *ranks);
  for (int rank = 0; rank < window->comm_size; rank++) ranks[rank] = rank;
  MPI_Group_translate_ranks(all, window->comm_size, ranks, here, window->rank_of);
  free(ranks);
  MPI_Group_free(&all);
  MPI_Group_free(&here);
}

static atrium_window* prepare(MPI_Comm node, const atrium_window_options* options) {
  atrium_window* window = own_memory(1, sizeof *window);
  window->comm = node;
  window->layout = options->layout;
  if (options->name != NULL) snprintf(window->name, sizeof window->name, "%s", options->name);
  MPI_Comm_rank(node, &window->rank);
  MPI_Comm_size(node, &window->size);
  window->data_count = window->layout == ATRIUM_SEPARATE ? window->size : 1;
  window->data = own_memory((size_t)window->data_count, sizeof *window->data);
  for (int each = 0; each < window->data_count; each++) window->data[each] = MPI_WIN_NULL;
  window->control_window = MPI_WIN_NULL;
  window->parts = own_memory((size_t)window->size, sizeof *window->parts);
  window->counts = own_memory((size_t)window->size, sizeof *window->counts);
  return window;
}

// All but the handle itself.
static int release_all(atrium_window* window) {
  const int code = free_segments(window);
  MPI_Comm_free(&window->comm);
  free(window->rank_of);
  free(window->data);
  drop_profile(window);
  free(window->parts);
  free(window->counts);
  return code;
}

typedef struct {
  int code;
  const char *because, *advice;
} Refusal;

static const Refusal kRefusals[] = {
    {MPI_ERR_ARG, "an option is not valid, or ranks gave different layouts or domains",
     "the layouts and domains of atrium/node_window.h, the same on all ranks, and memory nodes that this "
     "process may use"},
    {MPI_ERR_SIZE, "the sizes of the parts add up to more than memory has addresses", "fewer bytes per rank"},
    {MPI_ERR_NO_MEM, "the node's memory, the limit of the container, or /dev/shm has not that much room",
     "fewer bytes per rank, a larger limit, or a larger /dev/shm (mount -o remount,size=...)"}};

static int explain(MPI_Comm comm, int code, size_t bytes) {
  char because[160];
  const Refusal *refusal = kRefusals, *end = kRefusals + sizeof kRefusals / sizeof *kRefusals;
  while (refusal < end && refusal->code != code) refusal++;
  if (refusal == end) return pass_on(comm, NULL, code, "atrium_window_create");
  snprintf(because, sizeof because, "%s; this rank asked for %zu bytes", refusal->because, bytes);
  const atrium_message report = {"cannot create a node window", because, "atrium_window_create",
                                 refusal->advice};
  return fail(NULL, comm, code, &report);
}

static int build(atrium_window* window, size_t bytes, const atrium_window_options* options, int valid) {
  const int code = agree(window, bytes, options->domain, valid);
  return code != MPI_SUCCESS ? code : allocate_segments(window, options);
}

static int create_on(MPI_Comm comm, MPI_Comm node, int oversubscribed, size_t bytes,
                     const atrium_window_options* options, atrium_window** result) {
  atrium_window* window = prepare(node, options);
  MPI_Errhandler handler;
  MPI_Comm_get_errhandler(comm, &handler);
  MPI_Comm_set_errhandler(node, MPI_ERRORS_RETURN);
  window->oversubscribed = oversubscribed;
  window->spins = atrium_spins_that_take(oversubscribed ? atrium_spin_ns_shared : atrium_spin_ns_alone);
  map_ranks(window, comm);
  begin_profile(window);
  const int code = build(window, bytes, options, is_valid(options, result));
  MPI_Comm_set_errhandler(node, handler);
  MPI_Errhandler_free(&handler);
  if (code != MPI_SUCCESS) {
    release_all(window);
    free(window);
    return explain(comm, code, bytes);
  }
  window->life = kAlive;
  enlist(window);
  *result = window;
  return MPI_SUCCESS;
}

// The communicator's handler is called for a failure once, with our message.
int split_quietly(MPI_Comm comm, atrium_window_domain domain, MPI_Comm* node, int* oversubscribed) {
  MPI_Errhandler handler;
  MPI_Comm_get_errhandler(comm, &handler);
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  const int code = split_comm(comm, domain, node, oversubscribed);
  if (code != MPI_SUCCESS && *node != MPI_COMM_NULL) MPI_Comm_free(node);
  MPI_Comm_set_errhandler(comm, handler);
  MPI_Errhandler_free(&handler);
  return code;
}

static const atrium_window_options defaults;

// On failure *result is NULL, so that what uses it nevertheless is told so.
static int create(MPI_Comm comm, size_t bytes, int per_node, const atrium_window_options* options,
                  atrium_window** result) {
  if (options == NULL) options = &defaults;
  if (result != NULL) *result = NULL;
  if (!is_usable(comm)) return refuse_comm(comm, "cannot create a node window", "atrium_window_create");
  MPI_Comm node = MPI_COMM_NULL;
  int oversubscribed = 0, rank = 0;
  const int code = split_quietly(comm, options->domain, &node, &oversubscribed);
  if (code != MPI_SUCCESS) return pass_on(comm, NULL, code, "atrium_window_create");
  MPI_Comm_rank(node, &rank);
  return create_on(comm, node, oversubscribed, per_node && rank > 0 ? 0 : bytes, options, result);
}

int atrium_window_create(MPI_Comm comm, size_t bytes, const atrium_window_options* options,
                         atrium_window** result) {
  return create(comm, bytes, 0, options, result);
}

int atrium_window_create_per_node(MPI_Comm comm, size_t bytes, const atrium_window_options* options,
                                  atrium_window** result) {
  return create(comm, bytes, 1, options, result);
}

int atrium_window_freeze(atrium_window* window) {
  const int code = meet_all(window, kBarrierCall, "atrium_window_freeze");
  if (code != MPI_SUCCESS) return code;
  window->frozen = 1;
  if (protect_parts(window, PROT_READ) == MPI_SUCCESS) return MPI_SUCCESS;
  const atrium_message report = {"the node window is not read-only", strerror(errno), "atrium_window_freeze",
                                 "fewer mappings (sysctl vm.max_map_count), or go on with care"};
  return fail(window, window->comm, MPI_ERR_OTHER, &report);
}

static double patience_ends(void) {
  const double patience = window_settings()->free_patience;
  return patience > 0 ? MPI_Wtime() + patience : 0;
}

static int refuse_free(const atrium_window* window, Outcome outcome, int peer, const char* why) {
  char because[160];
  if (outcome == kNobodyComes)
    snprintf(because, sizeof because, "rank %d of the node will not free it now: %s", peer, why);
  else
    snprintf(because, sizeof because, "not all of its %d ranks came within ATRIUM_WINDOW_PATIENCE",
             window->size);
  const atrium_message report = {"cannot free the node window", because, "atrium_window_free",
                                 "all ranks free the same windows in the same order, before MPI_Finalize"};
  return fail(window, window->comm, MPI_ERR_RMA_SYNC, &report);
}

static int refuse_locked(const atrium_window* window) {
  const atrium_message report = {"cannot free the node window", "its lock_all epoch is open",
                                 "atrium_window_free", "atrium_window_unlock_all first"};
  return fail(window, window->comm, MPI_ERR_RMA_SYNC, &report);
}

int atrium_window_free(atrium_window** handle) {
  atrium_window* window = handle != NULL ? *handle : NULL;
  const int code = check(window, "atrium_window_free");
  if (code != MPI_SUCCESS) return code;
  if (window->locked) return refuse_locked(window);
  const char* why = NULL;
  int peer = -1;
  announce_freeing(window, window->id);
  const Outcome outcome = meet(window, &window->control->free, patience_ends(), &why, &peer);
  announce_freeing(window, 0);
  if (outcome != kMet) return refuse_free(window, outcome, peer, why);
  report_profile(window);
  *handle = NULL;
  retire(window);
  return pass_on(MPI_COMM_WORLD, NULL, release_all(window), "atrium_window_free");
}
