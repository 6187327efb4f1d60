// The configuration of teams (specification section 9.4.3).
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shmem/types.h"

namespace atrium {

// The members that the mask selects; the others take their defaults. `config` may be null
// where the mask is 0.
inline shmem_team_config_t masked_config(const shmem_team_config_t* config, long mask) {
  shmem_team_config_t result{};
  if (config && (mask & SHMEM_TEAM_NUM_CONTEXTS)) result.num_contexts = config->num_contexts;
  return result;
}

}  // namespace atrium
