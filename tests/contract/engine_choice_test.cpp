// Which engine and which of its providers is taken, and what becomes of the process that looks for one.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>
#include <string>
#include <vector>

#include "engine/libfabric.hpp"
#include "engine/tcp/tcp_engine.hpp"
#include "os/rdma_devices.hpp"

namespace atrium {
namespace {

constexpr size_t largest = 8448;

Result<FoundEngine> find_in_libfabric(const NetworkRequest& request) {
  std::vector<ProviderFinding> passed_over;
  return find_libfabric(request, passed_over);
}

TEST(EngineChoice, an_unknown_provider_is_an_error_that_says_where_to_look) {
  auto engine = find_engine({"", "carrier-pigeon", "lo", largest});
  ASSERT_FALSE(engine);
  EXPECT_NE(engine.error().remedy.find("atrium-info --fabric"), std::string::npos);
}

TEST(EngineChoice, sockets_is_refused_with_its_reason) {
  auto engine = find_in_libfabric({"", "sockets", "lo", largest});
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
  auto found = find_in_libfabric({"", "auto", "", largest});
  if (found) {
    EXPECT_NE(found->interface, "lo");
  }
  found = find_in_libfabric({"", "auto", "lo", largest});
  if (!found) GTEST_SKIP() << found.error().because;
  EXPECT_EQ(found->interface, "lo");
  EXPECT_EQ(found->address, "127.0.0.1");
}

TEST(EngineChoice, a_search_can_begin_behind_a_provider) {
  auto found = find_in_libfabric({"", "auto", "lo", largest, "", "", 8});
  if (!found) GTEST_SKIP() << found.error().because;
  const std::string provider = found->engine->traits().provider;
  EXPECT_EQ(find_in_libfabric({"", "auto", "lo", largest, "", provider, 8})->engine->traits().provider,
            provider);
  EXPECT_FALSE(find_in_libfabric({"", "auto", "lo", largest, "", "lnx", 8}));  // the last that is known
  EXPECT_LT(place_of_provider("verbs;ofi_rxm"), place_of_provider(provider));
  EXPECT_EQ(place_of_provider("carrier-pigeon"), -1);
}

TEST(EngineChoice, where_there_is_no_card_nodes_meet_over_tcp_without_a_library) {
  if (may_have_cards()) GTEST_SKIP() << "this machine has one, /sys/class says";
  auto found = find_engine({"", "auto", "lo", largest});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->engine->traits().provider, kernel_tcp);
  EXPECT_EQ(found->interface, "lo");
  EXPECT_TRUE(found->over_tcp);
  EXPECT_EQ(found->passed_over.size(), 0u);
}

TEST(EngineChoice, tcp_by_the_kernel_comes_after_every_card) {
  EXPECT_LT(place_of_provider("verbs;ofi_rxm"), place_of_provider(kernel_tcp));
  EXPECT_LT(place_of_provider("psm3"), place_of_provider(kernel_tcp));
  auto found = find_engine({"", "auto", "lo", largest, "", kernel_tcp});
  ASSERT_TRUE(found) << "a search that begins there";
  EXPECT_EQ(found->engine->traits().provider, kernel_tcp);
}

TEST(EngineChoice, a_host_without_an_interface_is_told_what_it_lacks) {
  auto none = find_engine({"", kernel_tcp, "no-such-interface", largest});
  ASSERT_FALSE(none);
  EXPECT_NE(none.error().because.find("no-such-interface"), std::string::npos);
}

TEST(EngineChoice, who_names_a_file_of_libfabric_wants_it) {
  ::setenv("ATRIUM_LIBFABRIC", "libfabric.so.1", 1);
  auto wanted = wanted_engines();
  ::unsetenv("ATRIUM_LIBFABRIC");
  ASSERT_EQ(wanted->size(), 1u);
  EXPECT_STREQ(wanted->front().name, "libfabric");
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
