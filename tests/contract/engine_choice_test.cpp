// Which provider of libfabric is taken, and what becomes of the process that looks for one.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>
#include <string>

#include "engine/libfabric.hpp"

namespace atrium {
namespace {

constexpr size_t largest = 8448;

TEST(EngineChoice, an_unknown_provider_is_an_error_that_says_where_to_look) {
  auto engine = find_libfabric({"", "carrier-pigeon", "lo", largest});
  ASSERT_FALSE(engine);
  EXPECT_NE(engine.error().remedy.find("atrium-info --fabric"), std::string::npos);
}

TEST(EngineChoice, sockets_is_refused_with_its_reason) {
  auto engine = find_libfabric({"", "sockets", "lo", largest});
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
  if (auto findings = describe_libfabric({"", "auto", "lo", largest}); !findings)
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
  auto found = find_libfabric({"", "auto", "", largest});
  if (found) EXPECT_NE(found->interface, "lo");
  found = find_libfabric({"", "auto", "lo", largest});
  if (!found) GTEST_SKIP() << found.error().because;
  EXPECT_EQ(found->interface, "lo");
  EXPECT_EQ(found->address, "127.0.0.1");
}

TEST(EngineChoice, a_search_can_begin_behind_a_provider) {
  auto found = find_libfabric({"", "auto", "lo", largest, "", "", 8});
  if (!found) GTEST_SKIP() << found.error().because;
  const std::string provider = found->engine->traits().provider;
  EXPECT_EQ(find_libfabric({"", "auto", "lo", largest, "", provider, 8})->engine->traits().provider,
            provider);
  EXPECT_FALSE(find_libfabric({"", "auto", "lo", largest, "", "lnx", 8}));  // the last that is known
  EXPECT_LT(place_of_provider("verbs;ofi_rxm"), place_of_provider(provider));
  EXPECT_EQ(place_of_provider("carrier-pigeon"), -1);
}

TEST(EngineChoice, every_engine_has_a_name_and_the_forced_one_is_the_only_one) {
  ::setenv("ATRIUM_ENGINE", "libfabric", 1);
  auto wanted = wanted_engines();
  ASSERT_TRUE(wanted);
  ASSERT_EQ(wanted->size(), 1u);
  EXPECT_STREQ(wanted->front().name, "libfabric");
  ::setenv("ATRIUM_ENGINE", "carrier-pigeon", 1);
  auto none = wanted_engines();
  ::unsetenv("ATRIUM_ENGINE");
  ASSERT_FALSE(none);
  EXPECT_NE(none.error().because.find("libfabric"), std::string::npos);
}

}  // namespace
}  // namespace atrium
