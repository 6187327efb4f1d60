// Contexts and sessions are created, configured and destroyed as the specification says.
// SPDX-License-Identifier: BSD-3-Clause
#include "context/context.hpp"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "../small_job.hpp"
#include "ops/get.hpp"
#include "ops/put.hpp"

namespace atrium {
namespace {

// A team of PEs 1 and 3 of four, as a split would make it, seen from PE 3.
struct OddTeam {
  Team team;
  ptrdiff_t delta[2];

  explicit OddTeam(const ptrdiff_t* world) : delta{world[1], world[3]} {
    team.me = placement.me() / 2;
    team.size = 2;
    team.start = 1;
    team.stride = 2;
    team.delta = team.inline_delta = delta;
  }
};

TEST(Context, pe_numbers_are_those_of_its_team) {
  SmallJob job(4);
  job.run([](const SmallJob& job) {
    if (job.me() != 3) return;
    OddTeam odd(arena.delta);
    shmem_ctx_t ctx = SHMEM_CTX_INVALID;
    ASSERT_EQ(team_create_ctx(&odd.team, SHMEM_CTX_SERIALIZED, &ctx), 0);
    p(context_of(ctx), job.heap<int>(0), 77, 0);
    EXPECT_EQ(g(default_context, job.heap<int>(0), 1), 77);
    shmem_team_t team = SHMEM_TEAM_INVALID;
    EXPECT_EQ(ctx_get_team(ctx, &team), 0);
    EXPECT_EQ(team, &odd.team);
    ctx_destroy(ctx);
    EXPECT_TRUE(odd.team.contexts.empty());
  });
}

TEST(Context, none_is_made_on_no_team) {
  shmem_ctx_t ctx = &default_context;
  EXPECT_NE(team_create_ctx(SHMEM_TEAM_INVALID, 0, &ctx), 0);
  EXPECT_EQ(ctx, SHMEM_CTX_INVALID);
}

TEST(Context, the_invalid_one_belongs_to_no_team_and_is_destroyed_without_effect) {
  shmem_team_t team = nullptr;
  EXPECT_NE(ctx_get_team(SHMEM_CTX_INVALID, &team), 0);
  EXPECT_EQ(team, SHMEM_TEAM_INVALID);
  ctx_destroy(SHMEM_CTX_INVALID);
  ctx_session_start(SHMEM_CTX_INVALID, SHMEM_CTX_SESSION_BATCH, nullptr, 0);
  ctx_session_stop(SHMEM_CTX_INVALID);
}

TEST(Context, threads_make_and_destroy_as_many_as_they_like) {
  SmallJob job(1);
  job.run([](const SmallJob&) {
    Team& team = *default_context.team;
    std::vector<std::thread> crew;
    for (int t = 0; t < 4; ++t)
      crew.emplace_back([&] {
        std::vector<shmem_ctx_t> mine(250);
        for (shmem_ctx_t& ctx : mine) EXPECT_EQ(team_create_ctx(&team, 0, &ctx), 0);
        for (shmem_ctx_t ctx : mine) EXPECT_TRUE(is_living_context(ctx));
        for (shmem_ctx_t ctx : mine) ctx_destroy(ctx);
      });
    for (std::thread& thread : crew) thread.join();
    EXPECT_TRUE(team.contexts.empty());
  });
}

TEST(Session, options_add_up_and_masked_configuration_replaces) {
  SmallJob job(1);
  job.run([](const SmallJob&) {
    shmem_ctx_t ctx = SHMEM_CTX_INVALID;
    ASSERT_EQ(team_create_ctx(default_context.team, 0, &ctx), 0);
    Context& context = context_of(ctx);
    EXPECT_EQ(context.session.total_ops, SIZE_MAX);
    const shmem_ctx_session_config_t config{100};
    ctx_session_start(ctx, 0, &config, SHMEM_CTX_SESSION_TOTAL_OPS);
    ctx_session_start(ctx, SHMEM_CTX_SESSION_BATCH, nullptr, 0);
    EXPECT_EQ(context.session_options, SHMEM_CTX_SESSION_BATCH);
    EXPECT_EQ(context.session.total_ops, 100u);
    ctx_session_stop(ctx);
    ctx_session_stop(ctx);
    EXPECT_EQ(context.session_options, 0);
    EXPECT_EQ(context.session.total_ops, SIZE_MAX);
    ctx_destroy(ctx);
  });
}

}  // namespace
}  // namespace atrium
