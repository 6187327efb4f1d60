// Counts the PEs of each node.
// SPDX-License-Identifier: BSD-3-Clause
#include "topology/placement.hpp"

#include <algorithm>
#include <utility>

#include "core/everlasting.hpp"
#include "core/per_pe.hpp"

namespace atrium {
namespace {

ATRIUM_PER_PE constinit Everlasting<Placement> everlasting_placement;

}  // namespace

const Placement& placement = everlasting_placement.object;

void set_placement(Placement of_job) { everlasting_placement.object = std::move(of_job); }

Placement::Placement(int me, std::vector<int> nodes)
    : me_(me), pes_(static_cast<int>(nodes.size())), node_of_(std::move(nodes)) {
  nodes_ = 1 + *std::max_element(node_of_.begin(), node_of_.end());
  first_.assign(static_cast<size_t>(nodes_) + 1, 0);
  for (int node : node_of_) place_of_.push_back(static_cast<int>(first_[static_cast<size_t>(node) + 1]++));
  most_places_ = static_cast<int>(*std::max_element(first_.begin(), first_.end()));
  for (size_t node = 0; node < static_cast<size_t>(nodes_); ++node) first_[node + 1] += first_[node];
  by_node_.resize(node_of_.size());
  for (int pe = 0; pe < pes_; ++pe)
    by_node_[first_[static_cast<size_t>(node_of(pe))] + static_cast<size_t>(place_of(pe))] = pe;
  node_ = node_of(me);
  place_ = place_of(me);
  places_ = static_cast<int>(pes_here().size());
}

std::span<const int> Placement::pes_of(int node) const {
  static constexpr int alone[] = {0};
  if (by_node_.empty()) return alone;
  const size_t begin = first_[static_cast<size_t>(node)], end = first_[static_cast<size_t>(node) + 1];
  return {by_node_.data() + begin, end - begin};
}

bool Placement::is_valid() const {
  if (by_node_.empty()) return pes_ == 1;
  for (int node = 0; node < nodes_; ++node) {
    const auto pes = pes_of(node);
    if (pes.empty() || static_cast<int>(pes.size()) > most_places_ || !std::is_sorted(pes.begin(), pes.end()))
      return false;
    for (size_t place = 0; place < pes.size(); ++place)
      if (node_of(pes[place]) != node || place_of(pes[place]) != static_cast<int>(place)) return false;
  }
  return me_ >= 0 && me_ < pes_ && pes_here()[static_cast<size_t>(place_)] == me_;
}

}  // namespace atrium
