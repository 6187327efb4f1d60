// Contexts: ordering domains for the communication of one team (specification section 9.5).
// SPDX-License-Identifier: BSD-3-Clause
//
// On a node every operation is complete, or at least issued to memory, when its call returns. What goes to other
// nodes may be under way, and the context counts how much (transport/pending.hpp); its queues are the
// transport's. So a context is its team's numbering, its options and its ordering.
//
// Invariants. A live context is in its team's list and in the registry of contexts. PE numbers on it are
// members of its team. Thread safety. Creation and destruction: any thread, any time, except that a team's
// own destruction must not run against them (the specification forbids it). Use: any number of threads,
// unless the user promised otherwise.
#pragma once

#include <cstddef>
#include <cstdint>

#include "shmem/types.h"
#include "team/team.hpp"

namespace atrium {

// What inlined code reads comes first (include/shmem/types.h).
struct Context : ::atrium_context {
  const ptrdiff_t* delta = nullptr;  // the true ones, also where inlined code sees AWAY
  Team* team = nullptr;              // null: not usable (before init, after finalize, SHMEM_CTX_INVALID)
  long options = 0;                  // SHMEM_CTX_SERIALIZED, _PRIVATE, _NOSTORE
  long session_options = 0;
  shmem_ctx_session_config_t session{SIZE_MAX};
};

extern Context&
    default_context;  // SHMEM_CTX_DEFAULT: on the world team, between init and finalize (the job opens and closes it)
extern Context invalid_context;  // what SHMEM_CTX_INVALID refers to: a context without a team

bool is_living_context(const void* handle);
// Ends the job with a message unless the context is alive. (The check of ATRIUM_CHECK=1: it looks the handle up.)
void require_context(shmem_ctx_t handle);

inline Context& context_of(shmem_ctx_t handle) {
  if (checking()) require_context(handle);
  return handle ? *static_cast<Context*>(handle) : invalid_context;
}

// The functions of the specification, with its signatures (sections 9.5 and 9.9).
int ctx_create(long options, shmem_ctx_t* ctx);
int team_create_ctx(shmem_team_t team, long options, shmem_ctx_t* ctx);
void ctx_destroy(shmem_ctx_t ctx);
int ctx_get_team(shmem_ctx_t ctx, shmem_team_t* team);
void ctx_session_start(shmem_ctx_t ctx, long options, const shmem_ctx_session_config_t* config,
                       long config_mask);
void ctx_session_stop(shmem_ctx_t ctx);

}  // namespace atrium
