// Which PE an operation on a context means.
// SPDX-License-Identifier: BSD-3-Clause
#include <map>
#include <mutex>

#include "profile/record/recorder.hpp"

namespace atrium::profile {
namespace {

std::mutex lock;
std::map<shmem_ctx_t, std::vector<int>>& contexts = *new std::map<shmem_ctx_t, std::vector<int>>;

}  // namespace

void add_context(shmem_ctx_t ctx, shmem_team_t team) {
  if (ctx == SHMEM_CTX_INVALID || team == SHMEM_TEAM_WORLD) return;
  std::vector<int> members = members_of(team);
  const std::lock_guard guard(lock);
  contexts[ctx] = std::move(members);
}

void remove_context(shmem_ctx_t ctx) {
  const std::lock_guard guard(lock);
  contexts.erase(ctx);
}

int job_pe(shmem_ctx_t ctx, int pe) {
  if (ctx == SHMEM_CTX_DEFAULT) return pe;
  const std::lock_guard guard(lock);
  const auto found = contexts.find(ctx);
  if (found == contexts.end()) return pe;
  const auto rank = static_cast<size_t>(pe);
  return pe >= 0 && rank < found->second.size() ? found->second[rank] : -1;
}

}  // namespace atrium::profile
