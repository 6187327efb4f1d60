// What a node sends to the others before they are connected, as bytes.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.hpp"
#include "network/endpoint.hpp"

namespace atrium {

struct NodeFacts {
  static constexpr size_t longest_name = 112;  // bytes of an address in its provider's form

  JobSecret secret{};    // node 0's; another node's says nothing
  bool has_aes = false;  // its processors seal by AES
  std::string host;
  std::string watch;                       // where its NodeWatch listens; empty: it has none
  std::string provider;                    // of its endpoints
  std::vector<EndpointAddress> endpoints;  // of the first places
};

// Requires: no name of an endpoint is longer than longest_name.
std::string pack(const NodeFacts& facts);
// Any bytes. False: no node of this version has written them for `places` PEs, of which one at least has an endpoint.
bool unpack(std::string_view text, size_t places, NodeFacts& facts);

// `node` and `first_node` as messages name them.
Error different_providers(const std::string& node, const std::string& provider, const std::string& first_node,
                          const std::string& first);

}  // namespace atrium
