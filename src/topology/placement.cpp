// Builds, checks and searches the tables that say which PE is on which node.
// SPDX-License-Identifier: BSD-3-Clause
//
// As words: Stretch[stretches], ordered by PE; begins[nodes + 1]; by_node[], for each node the numbers of its stretches.
#include "topology/placement.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "core/never_destroyed.hpp"
#include "core/per_pe.hpp"

namespace atrium {
namespace {

ATRIUM_PER_PE constinit NeverDestroyed<Placement> kept_placement;

constexpr size_t words_of_a_stretch = 5;
static_assert(sizeof(Stretch) == words_of_a_stretch * sizeof(int32_t), "the lobby has them as words");

}  // namespace

const Placement& placement = kept_placement.object;

void set_placement(Placement of_job) { kept_placement.object = std::move(of_job); }

void Placement::Builder::add(int node, int count) {
  if (count == 0) return;
  if (node != node_) {
    end_run();
    node_ = node;
    begin_ = pes_;
  }
  pes_ += count;
}

// Does the run that ends belong to the last stretch?
bool Placement::Builder::continues_last(int count) const {
  if (stretches_.empty() || !is_whole_) return false;
  const Stretch& last = stretches_.back();
  if (count > last.run) return false;
  if (has_turned_) return node_ == last.node + runs_ % last.nodes;
  const bool is_next = node_ == last.node + runs_ && places_[static_cast<size_t>(node_)] == last.place;
  return is_next || node_ == last.node;
}

void Placement::Builder::end_run() {
  const int count = pes_ - begin_;
  if (count == 0) return;
  const auto node = static_cast<size_t>(node_);
  if (node >= places_.size()) places_.resize(node + 1, 0);
  if (continues_last(count)) {
    Stretch& last = stretches_.back();
    has_turned_ |= node_ == last.node;
    last.nodes += has_turned_ ? 0 : 1;
    is_whole_ = count == last.run;
    ++runs_;
  } else {
    stretches_.push_back({begin_, node_, 1, count, places_[node]});
    runs_ = 1;
    is_whole_ = true;
    has_turned_ = false;
  }
  places_[node] += count;
  begin_ = pes_;
}

Placement Placement::Builder::seen_by(int me) const {
  Builder all = *this;
  all.end_run();
  const size_t count = all.stretches_.size(), nodes = all.places_.size();
  std::vector<int32_t> begins(nodes + 1);
  for (const Stretch& stretch : all.stretches_)
    for (int node = stretch.node; node < stretch.node + stretch.nodes; ++node)
      ++begins[static_cast<size_t>(node) + 1];
  std::partial_sum(begins.begin(), begins.end(), begins.begin());

  auto memory = std::make_shared<std::vector<int32_t>>();
  memory->reserve(words_of_a_stretch * count + begins.size() + static_cast<size_t>(begins.back()));
  for (const Stretch& s : all.stretches_)
    memory->insert(memory->end(), {s.first, s.node, s.nodes, s.run, s.place});
  memory->insert(memory->end(), begins.begin(), begins.end());
  const size_t by_node = memory->size();
  memory->resize(by_node + static_cast<size_t>(begins.back()));
  for (size_t i = 0; i < count; ++i)
    for (int node = all.stretches_[i].node; node < all.stretches_[i].node + all.stretches_[i].nodes; ++node)
      (*memory)[by_node + static_cast<size_t>(begins[static_cast<size_t>(node)]++)] = static_cast<int32_t>(i);
  Placement pes(all.pes_, count, nodes, *memory, memory);
  pes.look_from(me);
  return pes;
}

Placement::Placement(int pes, size_t stretches, size_t nodes, std::span<const int32_t> words,
                     std::shared_ptr<const void> keeper)
    : pes_(pes),
      words_(words),
      stretches_(reinterpret_cast<const Stretch*>(words.data()), stretches),
      begins_(words.subspan(words_of_a_stretch * stretches, nodes + 1)),
      by_node_(words.subspan(words_of_a_stretch * stretches + nodes + 1)),
      keeper_(std::move(keeper)) {}

Placement::Placement(int me, const std::vector<int>& nodes) {
  Builder builder;
  for (int node : nodes) builder.add(node, 1);
  *this = builder.seen_by(me);
}

Placement Placement::on_one_node(int me, int pes) {
  Builder builder;
  builder.add(0, pes);
  return builder.seen_by(me);
}

Placement Placement::seen_by(int me) const {
  Placement same = *this;
  same.look_from(me);
  return same;
}

void Placement::look_from(int me) {
  me_ = me;
  node_ = node_of(me);
  place_ = place_of(me);
  places_ = size_of(node_);
  most_places_ = 0;
  for (int node = 0; node < nodes(); ++node) most_places_ = std::max(most_places_, size_of(node));
  lies_node_after_node_ = nodes_appear_in_order() && by_node_.size() == static_cast<size_t>(nodes());
  for (size_t i = 0; i < stretches_.size(); ++i)
    lies_node_after_node_ &=
        stretches_[i].nodes == 1 || count_of(i) <= stretches_[i].run * stretches_[i].nodes;
}

std::optional<Placement> Placement::reading(int me, int pes, size_t stretches, size_t nodes,
                                            std::span<const int32_t> words,
                                            std::shared_ptr<const void> keeper) {
  if (stretches == 0 || nodes == 0 || words.size() < words_of_a_stretch * stretches + nodes + 1)
    return std::nullopt;
  if (me < 0 || me >= pes) return std::nullopt;
  Placement read(pes, stretches, nodes, words, std::move(keeper));
  if (!read.is_table_of(pes)) return std::nullopt;
  read.look_from(me);
  return read;
}

bool Placement::are_stretches_of(int pes) const {
  int32_t end = pes;
  size_t entries = 0;
  for (size_t i = stretches_.size(); i-- > 0; end = stretches_[i].first) {
    const Stretch& s = stretches_[i];
    if (s.first < 0 || s.first >= end) return false;
    const int32_t count = end - s.first;
    if (s.run < 1 || s.run > count || s.nodes < 1 || s.node < 0 || s.nodes > nodes() - s.node) return false;
    if (int64_t{s.nodes - 1} * s.run >= count) return false;
    entries += static_cast<size_t>(s.nodes);
  }
  return end == 0 && entries == by_node_.size();
}

// Each once, and their places without a gap.
bool Placement::are_stretches_on(int node) const {
  int32_t before = -1, place = 0;
  for (const int32_t number : stretches_on(node)) {
    if (number <= before || static_cast<size_t>(number) >= stretches_.size()) return false;
    const Stretch& stretch = stretches_[static_cast<size_t>(number)];
    if (!stretch.is_on(node) || stretch.place != place) return false;
    place += stretch.share_of(node, count_of(static_cast<size_t>(number)));
    before = number;
  }
  return true;
}

// Checks the table step by step, and uses only what has been found right.
bool Placement::is_table_of(int pes) const {
  const auto entries = static_cast<int32_t>(by_node_.size());
  if (!are_stretches_of(pes) || begins_.front() != 0 || begins_.back() != entries) return false;
  for (int node = 0; node < nodes(); ++node) {
    const int32_t begin = begins_[static_cast<size_t>(node)], end = begins_[static_cast<size_t>(node) + 1];
    if (begin < 0 || begin >= end || end > entries || !are_stretches_on(node)) return false;
  }
  return true;
}

bool Placement::is_valid() const {
  return me_ >= 0 && me_ < pes_ && is_table_of(pes_) && node_of(me_) == node_ && pe_at(node_, place_) == me_;
}

const Stretch& Placement::search(int pe) const {
  const auto behind =
      std::upper_bound(stretches_.begin(), stretches_.end(), pe,
                       [](int number, const Stretch& stretch) { return number < stretch.first; });
  return *std::prev(behind);
}

int Placement::run_from(int pe) const {
  const Stretch& stretch = stretch_of(pe);
  const int end = end_of(static_cast<size_t>(&stretch - stretches_.data()));
  if (stretch.nodes == 1) return end - pe;
  return std::min(end - pe, stretch.run - (pe - stretch.first) % stretch.run);
}

int Placement::size_of(int node) const {
  const auto last = static_cast<size_t>(stretches_on(node).back());
  return stretches_[last].place + stretches_[last].share_of(node, count_of(last));
}

int Placement::pe_at(int node, int place) const {
  const std::span<const int32_t> numbers = stretches_on(node);
  const auto behind = std::upper_bound(
      numbers.begin(), numbers.end(), place,
      [&](int wanted, int32_t number) { return wanted < stretches_[static_cast<size_t>(number)].place; });
  return stretches_[static_cast<size_t>(*std::prev(behind))].pe_at(node, place);
}

bool Placement::nodes_appear_in_order() const {
  int32_t next = 0;
  for (const Stretch& stretch : stretches_) {
    if (stretch.node > next) return false;
    next = std::max(next, stretch.node + stretch.nodes);
  }
  return true;
}

}  // namespace atrium
