// Which provider of libfabric is taken, and what becomes of the process that looks for one.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <csignal>

#include "engine/libfabric.hpp"

namespace atrium {
namespace {

constexpr size_t largest = 8448;

TEST(EngineChoice, an_unknown_provider_is_an_error_that_says_where_to_look) {
  auto engine = open_libfabric({"", "carrier-pigeon", "lo", largest});
  ASSERT_FALSE(engine);
  EXPECT_NE(engine.error().remedy.find("atrium-info --fabric"), std::string::npos);
}

TEST(EngineChoice, sockets_is_refused_with_its_reason) {
  auto engine = open_libfabric({"", "sockets", "lo", largest});
  ASSERT_FALSE(engine);
  EXPECT_NE(engine.error().because.find("deprecated"), std::string::npos);
}

// First of its process, whichever is run alone: what the library's constructors take is given back.
TEST(EngineChoice, signals_keep_their_handlers) {
  constexpr int taken[] = {SIGSEGV, SIGBUS, SIGABRT, SIGILL, SIGINT};
  void (*before[std::size(taken)])(int);  // a sanitizer has some of its own
  for (size_t i = 0; i < std::size(taken); ++i) {
    struct sigaction now {};
    ::sigaction(taken[i], nullptr, &now);
    before[i] = now.sa_handler;
  }
  struct sigaction mine {};
  mine.sa_handler = [](int) {};
  ASSERT_EQ(::sigaction(SIGTERM, &mine, nullptr), 0);
  if (auto findings = look_at_fabric({"", "auto", "lo", largest}); !findings)
    GTEST_SKIP() << findings.error().because;
  for (size_t i = 0; i < std::size(taken); ++i) {
    struct sigaction now {};
    ::sigaction(taken[i], nullptr, &now);
    EXPECT_EQ(now.sa_handler, before[i]) << taken[i];
  }
  struct sigaction now {};
  ::sigaction(SIGTERM, nullptr, &now);
  EXPECT_EQ(now.sa_handler, mine.sa_handler);
}

TEST(EngineChoice, loopback_is_taken_only_when_it_is_asked_for) {
  auto findings = look_at_fabric({"", "auto", "", largest});
  if (!findings) GTEST_SKIP() << findings.error().because;
  EXPECT_NE(findings->interface, "lo");
  findings = look_at_fabric({"", "auto", "lo", largest});
  ASSERT_TRUE(findings);
  EXPECT_EQ(findings->interface, "lo");
  EXPECT_EQ(findings->address, "127.0.0.1");
}

}  // namespace
}  // namespace atrium
