// What every engine between nodes must find out of a peer's host, which answers whatever the peer itself does.
// SPDX-License-Identifier: BSD-3-Clause
#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <functional>

#include "engine/tcp/name.hpp"
#include "engine_contract.hpp"

namespace atrium {
namespace {

using EngineProbeContract = EngineContract;

INSTANTIATE_TEST_SUITE_P(engine, EngineProbeContract, testing::ValuesIn(engines_of_contract),
                         [](const auto& info) { return std::string(info.param.name); });

// What each look comes to at last, while everybody goes on.
Probe::Answer answer_of(Probe& probe, const std::function<void()>& turn) {
  Probe::Answer answer = probe.look();
  for (int looks = 0; looks < 20'000 && answer == Probe::Answer::none_yet; ++looks) {
    turn();
    ::usleep(100);
    answer = probe.look();
  }
  return answer;
}

long open_descriptors() {
  const std::filesystem::directory_iterator all("/proc/self/fd");
  return std::distance(begin(all), end(all));
}

TEST_P(EngineProbeContract, the_host_of_a_peer_answers_whatever_the_peer_does) {
  OPEN(2);
  const auto nobody_turns = [] {};
  send(0, 1, "connects");
  until([&] { return received[1].size() == 1; });
  const long descriptors = open_descriptors();
  for (int round = 0; round < 20; ++round) {
    auto probe = engine(0).probe(peer(0, 1));
    if (!probe) GTEST_SKIP() << "it knows no way to ask";
    EXPECT_EQ(answer_of(*probe, nobody_turns), Probe::Answer::reachable);
  }
  for (int round = 0; round < 20; ++round) engine(0).probe(peer(0, 1));  // given up at once
  // The peer finds connections without a word, and minds no more than their maker.
  for (int number = 0; number < 100; ++number) {
    send(0, 1, text_of(0, number, largest));
    send(1, 0, text_of(1, number, largest));
  }
  until([&] { return received[0].size() == 100 && received[1].size() == 101; });
  until([&] {
    return open_descriptors() == descriptors;
  });  // the peer's host closes its ends when it finds out
  net.engines.pop_back();
  EXPECT_EQ(answer_of(*engine(0).probe(peer(0, 1)), nobody_turns), Probe::Answer::reachable);
}

TEST_P(EngineProbeContract, a_host_that_is_cut_off_never_answers) {
  OPEN(2);
  Peer whom = peer(0, 1);
  if (net.memory) {
    net.memory->cut(0, 1);
  } else if (names[1].size() == sizeof(sockaddr_in)) {
    sockaddr_in nobody{};
    std::memcpy(&nobody, names[1].data(), sizeof nobody);
    nobody.sin_addr.s_addr = htonl(INADDR_ALLHOSTS_GROUP);  // of which no connection can be asked
    whom = *engine(0).insert({reinterpret_cast<const char*>(&nobody), sizeof nobody});
  } else if (const auto known = unpack_tcp_name(names[1])) {
    const TcpName nobody{"224.0.0.1" + known->address.substr(known->address.rfind(':')), known->token};
    whom = *engine(0).insert(pack(nobody));
  }
  for (int round = 0; round < 20; ++round) {
    auto probe = engine(0).probe(whom);
    if (!probe) GTEST_SKIP() << "it knows no way to ask";
    for (int looks = 0; looks < 100; ++looks) EXPECT_NE(probe->look(), Probe::Answer::reachable);
  }
  if (!net.memory) return;
  net.memory->join(0, 1);
  auto probe = engine(0).probe(whom);
  EXPECT_EQ(answer_of(*probe, [] {}), Probe::Answer::reachable);
}

}  // namespace
}  // namespace atrium
