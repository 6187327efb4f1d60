// Distributes PEs over pretended nodes, as --nodes and ATRIUM_NODES ask.
// SPDX-License-Identifier: BSD-3-Clause
#include "launch/cli/nodes.hpp"

#include <algorithm>
#include <climits>
#include <numeric>
#include <optional>
#include <string_view>

#include "atrium_words.hpp"
#include "core/settings.hpp"

namespace atrium {
namespace {

constexpr std::string_view in_turns = ":cyclic";

// "1+3" -> {1, 3}; nothing where a part is no number above 0.
std::optional<std::vector<int>> numbers_in(std::string_view text) {
  std::vector<int> numbers;
  while (const auto number = take_number<int>(text)) {
    if (*number < 1) return std::nullopt;
    numbers.push_back(*number);
    if (text.empty()) return numbers;
    if (!text.starts_with('+')) return std::nullopt;
    text.remove_prefix(1);
  }
  return std::nullopt;
}

std::string_view without_turns(std::string_view text) {
  if (text.ends_with(in_turns)) text.remove_suffix(in_turns.size());
  return text;
}

// How many PEs each node gets, none of them 0.
std::vector<int> equal_sizes(int nodes, int pes) {
  std::vector<int> sizes;
  nodes = std::min(nodes, pes);
  for (int node = 0; node < nodes; ++node) sizes.push_back(pes / nodes + (node < pes % nodes));
  return sizes;
}

std::vector<int> given_sizes(const std::vector<int>& wanted, int pes) {
  std::vector<int> sizes;
  for (size_t node = 0; node < wanted.size() && pes > 0; ++node) {
    sizes.push_back(node + 1 == wanted.size() ? pes : std::min(wanted[node], pes));
    pes -= sizes.back();
  }
  return sizes;
}

std::vector<int> sizes_of(const std::vector<int>& wanted, int pes) {
  return wanted.size() == 1 ? equal_sizes(wanted[0], pes) : given_sizes(wanted, pes);
}

}  // namespace

std::vector<int> deal_pes(std::vector<int> sizes, int pes, bool cyclic) {
  std::vector<int> node_of;
  for (size_t node = 0; node_of.size() < static_cast<size_t>(pes); node = (node + 1) % sizes.size()) {
    const int now = cyclic ? std::min(sizes[node], 1) : sizes[node];
    node_of.insert(node_of.end(), static_cast<size_t>(now), static_cast<int>(node));
    sizes[node] -= now;
  }
  return node_of;
}

std::string pretended_nodes(const Options& options) {
  return options.nodes.empty() ? setting("ATRIUM_NODES") : options.nodes;
}

int pes_of_nodes(const std::string& text, int per_node) {
  const auto numbers = numbers_in(without_turns(text));
  if (!numbers) return 0;
  const long all = numbers->size() > 1 ? std::accumulate(numbers->begin(), numbers->end(), 0L)
                                       : long{numbers->front()} * per_node;
  return static_cast<int>(std::min<long>(all, INT_MAX));
}

Result<std::vector<int>> spread_over_nodes(const std::string& text, int pes) {
  std::string_view sizes = without_turns(text);
  const bool cyclic = sizes.size() < text.size();
  if (text.empty()) sizes = "1";
  const auto numbers = numbers_in(sizes);
  if (!numbers)
    return Error{"cannot spread the PEs over '" + text + "' nodes",
                 "it is neither a number of nodes nor the PEs of each",
                 {},
                 "--nodes 4, --nodes 1+3 or --nodes 2:cyclic"};
  return deal_pes(sizes_of(*numbers, pes), pes, cyclic);
}

std::string note_on_absent_nodes(const std::string& text, int pes) {
  const auto wanted = numbers_in(without_turns(text));
  if (!wanted) return {};
  const size_t nodes = wanted->size() == 1 ? static_cast<size_t>(wanted->front()) : wanted->size();
  const size_t made = sizes_of(*wanted, pes).size();
  if (made == nodes) return {};
  return "'" + text + "' asks for " + std::to_string(nodes) + " nodes, and " + std::to_string(pes) +
         (pes == 1 ? " PE is" : " PEs are") + " enough for " + std::to_string(made) +
         ": a node without a PE does not exist";
}

}  // namespace atrium
