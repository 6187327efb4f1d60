// Writes and reads the addresses that a node announces for the watch between nodes.
// SPDX-License-Identifier: BSD-3-Clause
#include "job/watch_notice.hpp"

#include <cstddef>
#include <cstdlib>

#include "topology/networks.hpp"

namespace atrium {
namespace {

// Off the front; empty at the end.
std::string take_word(std::string& text) {
  const size_t end = text.find(' ');
  std::string word = text.substr(0, end);
  text.erase(0, end == text.npos ? end : end + 1);
  return word;
}

// Of the network whose address begins so.
std::string name_in(const WatchNotice& node, const std::string& address) {
  for (size_t i = 0; i < node.networks.size(); ++i)
    if (node.networks[i].starts_with(address + "/")) return node.names[i];
  return "";
}

}  // namespace

std::string WatchNotice::text() const {
  std::string text = std::to_string(secret) + " " + host;
  for (size_t i = 0; i < networks.size(); ++i) text += " " + networks[i] + " " + names[i];
  return text;
}

WatchNotice WatchNotice::read(const std::string& text) {
  std::string rest = text;
  WatchNotice node;
  node.secret = std::strtoull(take_word(rest).c_str(), nullptr, 10);
  node.host = take_word(rest).substr(0, 64);
  while (!rest.empty()) {
    const std::string network = take_word(rest), name = take_word(rest);
    if (name.empty()) break;
    node.networks.push_back(network);
    node.names.push_back(name);
  }
  return node;
}

std::vector<std::string> names_in_common(const std::vector<WatchNotice>& nodes) {
  std::vector<std::vector<std::string>> networks;
  for (const WatchNotice& node : nodes) networks.push_back(node.networks);
  std::vector<std::string> names = addresses_in_common(networks);
  for (size_t node = 0; node < names.size(); ++node) names[node] = name_in(nodes[node], names[node]);
  return names;
}

}  // namespace atrium
