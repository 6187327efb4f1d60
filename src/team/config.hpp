// The configuration of teams (specification section 9.4.3).
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "check/check.hpp"
#include "shmem/constants.h"
#include "shmem/types.h"

namespace atrium {

// The members that the mask selects; the others take their defaults. `config` may be null
// where the mask is 0.
inline shmem_team_config_t masked_config(const shmem_team_config_t* config, long mask) {
  if (checking()) {
    require_known_bits("config_mask", mask, SHMEM_TEAM_NUM_CONTEXTS, "SHMEM_TEAM_NUM_CONTEXTS, or 0");
    if (mask != 0 && !config) refuse_value("config_mask", mask, "0 where config is a null pointer");
    if (mask != 0 && config->num_contexts < 0)
      refuse_value("num_contexts", config->num_contexts, "0 or more contexts");
  }
  shmem_team_config_t result{};
  if (config && (mask & SHMEM_TEAM_NUM_CONTEXTS)) result.num_contexts = config->num_contexts;
  return result;
}

}  // namespace atrium
