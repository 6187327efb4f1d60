// What nodes carry to each other while a job starts and ends (bootstrap/exchange.cpp).
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <vector>

#include "bootstrap/bootstrap.hpp"
#include "lobby/lobby.hpp"

namespace atrium {
namespace {

// The other nodes say what mine says. Remembers how many bytes mine has told.
class Echo final : public Bootstrap {
 public:
  Echo(const Placement& pes, int memory) : Bootstrap(pes, memory) {}
  const char* kind() const override { return "echo"; }
  std::vector<uint64_t> told;

 protected:
  Result<void> exchange(LobbyVisit& visit) override {
    NodeBlob* blobs = visit.lobby().blobs();
    told.push_back(blobs[0].bytes);
    for (int node = 1; node < placement().nodes(); ++node) blobs[node] = blobs[0];
    return {};
  }
};

TEST(EagerExchange, a_barrier_does_not_carry_what_the_last_allgather_has_left) {
  const Placement pes(0, {0, 1, 2});
  const int memory = ::memfd_create("lobby", 0);
  auto lobby = create_lobby(memory, pes, {});
  ASSERT_TRUE(lobby);
  ::munmap(*lobby, lobby_bytes(pes));
  auto visit = LobbyVisit::enter(memory, pes);
  ASSERT_TRUE(visit);
  Echo others(pes, memory);
  auto texts = others.allgather(*visit, "something");
  ASSERT_TRUE(texts);
  EXPECT_EQ(*texts, std::vector<std::string>(3, "something"));
  ASSERT_TRUE(others.barrier(*visit));
  ASSERT_TRUE(others.allgather(*visit, ""));
  ASSERT_EQ(others.told.size(), 3u);
  EXPECT_GT(others.told[0], 0u);
  EXPECT_EQ(others.told[1], 0u);
  ::close(memory);
}

}  // namespace
}  // namespace atrium
