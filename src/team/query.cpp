// Questions about teams (specification sections 9.4.1, 9.4.2, 9.4.4, 9.4.5).
// SPDX-License-Identifier: BSD-3-Clause
#include "check/check.hpp"
#include "team/config.hpp"
#include "team/team.hpp"

void atrium_team::set_members(const std::vector<int>& pes) {
  start = pes.front();
  stride = pes.size() > 1 ? pes[1] - pes[0] : 1;
  for (size_t i = 1; i < pes.size(); ++i)
    if (pes[i] - pes[i - 1] != stride) {
      listed = std::make_shared<const std::vector<int>>(pes);
      return;
    }
}

namespace atrium {

namespace {

// With arguments checked, a handle that is no team's ends the job.
bool is_team(shmem_team_t handle) {
  if (handle != SHMEM_TEAM_INVALID && checking()) require_team(handle);
  return handle != SHMEM_TEAM_INVALID;
}

}  // namespace

int team_my_pe(shmem_team_t team) { return is_team(team) ? team->me : -1; }

int team_n_pes(shmem_team_t team) { return is_team(team) ? team->size : -1; }

int team_get_config(shmem_team_t team, long config_mask, shmem_team_config_t* config) {
  if (!is_team(team)) return -1;
  if ((config_mask & SHMEM_TEAM_NUM_CONTEXTS) == 0) return 0;
  require_result("config", config);
  config->num_contexts = team->config.num_contexts;
  return 0;
}

int team_translate_pe(shmem_team_t source_team, int source_pe, shmem_team_t dest_team) {
  if (!is_team(source_team) || !is_team(dest_team)) return -1;
  if (source_pe < 0 || source_pe >= source_team->size) return -1;
  return dest_team->member_of(source_team->world_pe(source_pe));
}

}  // namespace atrium
