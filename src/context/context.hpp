// Contexts: ordering domains for the communication of one team (specification section 9.5).
// SPDX-License-Identifier: BSD-3-Clause
//
// On a node every operation is complete, or at least issued to memory, when its call returns; a context therefore
// carries no queue. It is its team's numbering, its options and its ordering.
#pragma once

#include <cstddef>

#include "shmem/types.h"
#include "team/team.hpp"

namespace atrium {

// Its first member (`atrium_context::delta`) is the ABI that inlined code reads: the team's door.
struct Context : ::atrium_context {
  const ptrdiff_t* true_delta = nullptr;  // always the real deltas, also where the door says AWAY
  Team* team = nullptr;
  long options = 0;
  long session_options = 0;
  shmem_ctx_session_config_t session{};
};

extern Context default_context;  // on the world team

inline Context& context_of(shmem_ctx_t handle) { return *static_cast<Context*>(handle); }

}  // namespace atrium
