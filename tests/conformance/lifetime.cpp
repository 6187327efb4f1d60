// The library serves constructors and destructors of global objects, also where it is part of the executable.
// SPDX-License-Identifier: BSD-3-Clause
#include "check.h"

namespace {

long sync_words[SHMEM_SYNC_SIZE];

struct Session {
  shmem_team_t team = SHMEM_TEAM_INVALID;
  shmem_ctx_t context = SHMEM_CTX_INVALID;
  long* block = nullptr;

  Session() {
    begin();
    shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, npes, nullptr, 0, &team);
    CHECK(shmem_ctx_create(0, &context) == 0, "a context");
    block = static_cast<long*>(shmem_calloc(1, sizeof(long)));
    shmem_barrier(0, 0, npes, sync_words);
  }
  ~Session() {
    shmem_barrier(0, 0, npes, sync_words);
    CHECK(*block == left() + 1, "main's put has come, not %ld", *block);
    CHECK(shmem_team_sync(team) == 0, "a sync");
    shmem_free(block);
    shmem_ctx_destroy(context);
    shmem_team_destroy(team);
    shmem_finalize();
    if (check_failures) _Exit(verdict());
  }
};
Session session;

}  // namespace

int main() {
  shmem_team_t second;
  shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, npes, nullptr, 0, &second);
  CHECK(shmem_team_n_pes(second) == npes, "a second team");
  shmem_ctx_long_p(session.context, session.block, me + 1, right());
  shmem_ctx_quiet(session.context);
  return 0;
}
