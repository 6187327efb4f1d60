// The variant for another OpenSHMEM library: its handles under the names that tools know, and its routine that makes progress.
// SPDX-License-Identifier: BSD-3-Clause
#include <dlfcn.h>
#include <pthread.h>

#include "interpose/library.hpp"
#include "interpose/library/handles.h"
#include "interpose/openshmem.hpp"

#pragma GCC visibility push(hidden)
shmem_ctx_t SHMEM_CTX_DEFAULT = nullptr;
shmem_team_t SHMEM_TEAM_WORLD = nullptr;
shmem_team_t SHMEM_TEAM_SHARED = nullptr;
#pragma GCC visibility pop

namespace atrium::interpose {
namespace {

pthread_t initialiser;
void (*work_for_others)() = nullptr;

// A library's variable of this name is found by name, as ours stands before it; a macro of this name has been read.
template <class Handle>
void learn(Handle& ours, const char* name, void* read) {
  const auto* variable = static_cast<const Handle*>(dlsym(RTLD_DEFAULT, name));
  ours = variable ? *variable : static_cast<Handle>(read);
}

}  // namespace

int signal_set = 0;

void learn_handles() {
  const atrium_interpose_handles found = atrium_interpose_find_handles();
  learn(SHMEM_CTX_DEFAULT, "SHMEM_CTX_DEFAULT", found.default_context);
  learn(SHMEM_TEAM_WORLD, "SHMEM_TEAM_WORLD", found.world_team);
  learn(SHMEM_TEAM_SHARED, "SHMEM_TEAM_SHARED", found.shared_team);
  signal_set = found.signal_set;
  // Open MPI's quiet and test do nothing for others when nothing of their own is under way.
  work_for_others = reinterpret_cast<void (*)()>(dlsym(RTLD_DEFAULT, "opal_progress"));
  if (!work_for_others) work_for_others = [] { pshmem_quiet(); };
  initialiser = pthread_self();
}

// Others may not call it, or not at the same time: Open MPI 4.1 is ended by two in its opal_progress.
void progress() {
  if (pthread_equal(initialiser, pthread_self())) work_for_others();
}

const char* const library_file = "lib" INTERPOSE_LIBRARY ".so";
const char* const way_to_check = "ATRIUM_RACES=on in the environment of the PEs";
const char* const way_to_instrument =
    "-g and what Atrium's `oshcc --showme:race=" INTERPOSE_LIBRARY "` prints";

}  // namespace atrium::interpose
