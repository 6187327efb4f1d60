// What the root of a tree of agents writes while a large job starts: the facts of all nodes, to each agent below it.
// SPDX-License-Identifier: BSD-3-Clause
#include "job/node_facts.hpp"

#include <gtest/gtest.h>

#include <random>

#include "engine/tcp/name.hpp"
#include "launch/hosts/messages.hpp"

namespace atrium {
namespace {

constexpr int nodes = 1024;
std::mt19937_64 random_bits(29);

// Two bytes of a port, four of an address of IPv4, as libfabric's TCP providers write them.
std::string libfabric_name(int node) {
  const uint64_t port = random_bits();
  std::string name(16, '\0');
  name[0] = 2;
  name[2] = static_cast<char>(port), name[3] = static_cast<char>(port >> 8);
  name[4] = 10, name[6] = static_cast<char>(node >> 8), name[7] = static_cast<char>(node);
  return name;
}

// Atrium's own engine adds a token.
std::string kernel_tcp_name(int node) {
  const auto port = static_cast<uint16_t>(random_bits() | 1024);
  return pack(TcpName{
      "10.0." + std::to_string(node / 256) + "." + std::to_string(node % 256) + ":" + std::to_string(port),
      random_bits()});
}

using NameOf = std::string (*)(int node);

std::string facts_of(int node, int endpoints, NameOf name_of) {
  NodeFacts facts{{}, true, "node" + std::to_string(10000 + node), {}, "tcp;ofi_rxm", {}};
  for (int i = 0; i < endpoints; ++i) facts.endpoints.push_back({name_of(node), {random_bits(), 0}});
  return pack(facts);
}

size_t bytes_of_a_node(int endpoints, NameOf name_of) {
  NodeBlobs blobs;
  for (int node = 0; node < nodes; ++node) blobs.emplace_back(node, facts_of(node, endpoints, name_of));
  return frame_of(blobs).bytes().size() / nodes;
}

// Of 260 that a node packs. On demand they would come later, one after the other (docs/design/launcher.md).
TEST(NodeFacts, of_four_endpoints_are_80_bytes_on_a_link) {
  EXPECT_LE(bytes_of_a_node(4, libfabric_name), 80u);
}

TEST(NodeFacts, of_the_kernels_tcp_have_a_token_of_8_bytes_more_for_each_endpoint) {
  EXPECT_LE(bytes_of_a_node(4, kernel_tcp_name), bytes_of_a_node(4, libfabric_name) + 4 * 8u);
}

TEST(NodeFacts, grow_by_little_more_than_key_and_port_of_each_endpoint) {
  EXPECT_LE(bytes_of_a_node(64, libfabric_name), bytes_of_a_node(1, libfabric_name) + 63 * 18u);
}

}  // namespace
}  // namespace atrium
