// Makes, checks and reads tables of stretches.
// SPDX-License-Identifier: BSD-3-Clause
//
//   words: Stretch[stretches], by PE | by_node[stretches]: their numbers, node after node | begins[nodes + 1]
#include "topology/placement.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "core/everlasting.hpp"
#include "core/per_pe.hpp"

namespace atrium {
namespace {

ATRIUM_PER_PE constinit Everlasting<Placement> everlasting_placement;

constexpr size_t words_of_a_stretch = 3;
static_assert(sizeof(Stretch) == words_of_a_stretch * sizeof(int32_t), "the lobby has them as words");

}  // namespace

const Placement& placement = everlasting_placement.object;

void set_placement(Placement of_job) { everlasting_placement.object = std::move(of_job); }

void Placement::Builder::add(int node, int count) {
  if (count == 0) return;
  if (static_cast<size_t>(node) >= places_.size()) places_.resize(static_cast<size_t>(node) + 1, 0);
  int& place = places_[static_cast<size_t>(node)];
  if (stretches_.empty() || stretches_.back().node != node) stretches_.push_back({pes_, node, place});
  place += count;
  pes_ += count;
}

Placement Placement::Builder::seen_by(int me) const {
  const size_t count = stretches_.size(), nodes = places_.size();
  auto memory = std::make_shared<std::vector<int32_t>>(words_of(count, nodes));
  int32_t* word = memory->data();
  for (const Stretch& stretch : stretches_)
    for (int32_t value : {stretch.first, stretch.node, stretch.place}) *word++ = value;
  int32_t *const by_node = word, *const begins = word + count;
  std::iota(by_node, begins, 0);
  std::stable_sort(by_node, begins, [&](int32_t a, int32_t b) {
    return stretches_[static_cast<size_t>(a)].node < stretches_[static_cast<size_t>(b)].node;
  });
  for (const Stretch& stretch : stretches_) ++begins[stretch.node + 1];
  std::partial_sum(begins, begins + nodes + 1, begins);
  Placement pes(pes_, count, *memory, memory);
  pes.look_from(me);
  return pes;
}

Placement::Placement(int pes, size_t stretches, std::span<const int32_t> words,
                     std::shared_ptr<const void> keeper)
    : pes_(pes),
      words_(words),
      stretches_(reinterpret_cast<const Stretch*>(words.data()), stretches),
      by_node_(words.subspan(words_of_a_stretch * stretches, stretches)),
      begins_(words.subspan((words_of_a_stretch + 1) * stretches)),
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
}

std::optional<Placement> Placement::reading(int me, int pes, size_t stretches, std::span<const int32_t> words,
                                            std::shared_ptr<const void> keeper) {
  if (stretches == 0 || words.size() < words_of(stretches, 1) || me < 0 || me >= pes) return std::nullopt;
  Placement read(pes, stretches, words, std::move(keeper));
  if (!read.is_table_of(pes)) return std::nullopt;
  read.look_from(me);
  return read;
}

// Checks the table step by step, and uses only what has been found right.
bool Placement::is_table_of(int pes) const {
  const auto count = static_cast<int32_t>(stretches_.size());
  int32_t next = 0;
  for (const Stretch& stretch : stretches_) {
    if (&stretch == &stretches_.front() ? stretch.first != 0 : stretch.first <= next) return false;
    next = stretch.first;
  }
  if (next >= pes || begins_.front() != 0 || begins_.back() != count) return false;
  for (int node = 0; node < nodes(); ++node) {
    const int32_t begin = begins_[static_cast<size_t>(node)], end = begins_[static_cast<size_t>(node) + 1];
    if (begin >= end || end > count) return false;
    int32_t before = -1, place = 0;
    for (const int32_t number :
         by_node_.subspan(static_cast<size_t>(begin), static_cast<size_t>(end - begin))) {
      if (number <= before || number >= count) return false;
      const Stretch& stretch = stretches_[static_cast<size_t>(number)];
      if (stretch.node != node || stretch.place != place) return false;
      place += end_of(static_cast<size_t>(number)) - stretch.first;
      before = number;
    }
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

int Placement::size_of(int node) const {
  const auto last =
      static_cast<size_t>(by_node_[static_cast<size_t>(begins_[static_cast<size_t>(node) + 1]) - 1]);
  return stretches_[last].place + end_of(last) - stretches_[last].first;
}

int Placement::pe_at(int node, int place) const {
  const auto begin = by_node_.begin() + begins_[static_cast<size_t>(node)],
             end = by_node_.begin() + begins_[static_cast<size_t>(node) + 1];
  const auto behind = std::upper_bound(begin, end, place, [&](int wanted, int32_t number) {
    return wanted < stretches_[static_cast<size_t>(number)].place;
  });
  const Stretch& stretch = stretches_[static_cast<size_t>(*std::prev(behind))];
  return stretch.first + place - stretch.place;
}

bool Placement::nodes_appear_in_order() const {
  int32_t next = 0;
  for (const Stretch& stretch : stretches_) {
    if (stretch.node > next) return false;
    next += stretch.node == next ? 1 : 0;
  }
  return true;
}

}  // namespace atrium
