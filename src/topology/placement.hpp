// Where the PEs of the job are: which node each belongs to, and which place it has there.
// SPDX-License-Identifier: BSD-3-Clause
//
// Words.      A PE's *number* counts over the job: what programs, teams and the tables of deltas mean by a PE. Its
//             *place* counts over its node: what the lobby and the segment are divided by. On one node both are
//             the same. A *stretch*: PEs with consecutive numbers on one node, as many as there are.
// Invariants. Nodes are numbered 0, 1, ..., each has a PE. The places of a node are 0, 1, ... in the order of
//             the PEs' numbers. Nothing else is assumed: blocks, round robin, any list, nodes of unequal size.
// Memory.     A table of stretches, of which copies share one. In a job it lies in the lobby, where all PEs of a node read the same
//             one: nothing here grows with the job in a PE's own memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace atrium {

struct Stretch {
  int32_t first;  // PE
  int32_t node;
  int32_t place;  // of the first PE
};

namespace detail {
inline constexpr Stretch stretch_of_one_pe{0, 0, 0};
inline constexpr int32_t table_of_one_pe[] = {0, 0, 0, 0, 0, 1};
}  // namespace detail

class Placement {
 public:
  // A job of one PE.
  constexpr Placement() = default;
  // `nodes[pe]` is the node of each PE, of which this process is number `me`. Requires: is_valid().
  Placement(int me, const std::vector<int>& nodes);
  static Placement on_one_node(int me, int pes);
  // The same PEs, as number `me` sees them.
  Placement seen_by(int me) const;

  int me() const { return me_; }
  int pes() const { return pes_; }
  int node() const { return node_; }
  int nodes() const { return static_cast<int>(begins_.size()) - 1; }
  int place() const { return place_; }              // mine on my node
  int places() const { return places_; }            // PEs of my node
  int most_places() const { return most_places_; }  // PEs of the fullest node

  // Requires: 0 <= pe < pes().
  int node_of(int pe) const { return stretch_of(pe).node; }
  int place_of(int pe) const {
    const Stretch& stretch = stretch_of(pe);
    return stretch.place + pe - stretch.first;
  }
  bool is_here(int pe) const { return node_of(pe) == node_; }
  // How many PEs from this one on are on the same node without a gap.
  int run_from(int pe) const { return end_of(static_cast<size_t>(&stretch_of(pe) - stretches_.data())) - pe; }
  // Nodes are numbered in the order of their lowest PEs.
  bool nodes_appear_in_order() const;
  size_t stretches() const { return stretches_.size(); }

  // The PEs of a node, by place. Used while the placement lives.
  class PesOfNode;
  PesOfNode pes_of(int node) const;
  PesOfNode pes_here() const;

  // The table, to be copied: words_of() of them. And a placement that reads it where it lies, while `keeper` is held. None where it
  // makes no sense.
  std::span<const int32_t> words() const { return words_; }
  static constexpr size_t words_of(size_t stretches, size_t nodes) { return 4 * stretches + nodes + 1; }
  static std::optional<Placement> reading(int me, int pes, size_t stretches, std::span<const int32_t> words,
                                          std::shared_ptr<const void> keeper);

  bool is_valid() const;

  // Takes PEs in their order.
  class Builder {
   public:
    // The next `count` PEs are on that node.
    void add(int node, int count);
    // Requires: each node up to the highest has a PE, and `me` is one.
    Placement seen_by(int me) const;

   private:
    std::vector<Stretch> stretches_;
    std::vector<int> places_;  // by node
    int pes_ = 0;
  };

 private:
  Placement(int pes, size_t stretches, std::span<const int32_t> words, std::shared_ptr<const void> keeper);
  bool is_table_of(int pes) const;
  void look_from(int me);
  const Stretch& stretch_of(int pe) const {
    // Right where all are equally long.
    const size_t guess = static_cast<size_t>(pe) * stretches_.size() / static_cast<size_t>(pes_);
    const Stretch& stretch = stretches_[guess];
    return stretch.first <= pe && pe < end_of(guess) ? stretch : search(pe);
  }
  const Stretch& search(int pe) const;
  int end_of(size_t stretch) const {
    return stretch + 1 < stretches_.size() ? stretches_[stretch + 1].first : pes_;
  }
  int size_of(int node) const;
  int pe_at(int node, int place) const;

  int me_ = 0, pes_ = 1;
  int node_ = 0, place_ = 0, places_ = 1, most_places_ = 1;
  std::span<const int32_t> words_ = detail::table_of_one_pe;
  std::span<const Stretch> stretches_{&detail::stretch_of_one_pe, 1};
  std::span<const int32_t> by_node_{detail::table_of_one_pe + 3,
                                    1};  // numbers of the stretches of node 0, of node 1, ...
  std::span<const int32_t> begins_{detail::table_of_one_pe + 4,
                                   2};  // where each node's begin there; at the end, how many there are
  std::shared_ptr<const void> keeper_;
};

class Placement::PesOfNode {
 public:
  class Iterator {
   public:
    using iterator_category = std::forward_iterator_tag;
    using value_type = int;
    using difference_type = ptrdiff_t;
    using pointer = const int*;
    using reference = int;

    Iterator() = default;
    Iterator(const Placement& pes, int node, int place) : pes_(&pes), node_(node), place_(place) {}
    int operator*() const { return pes_->pe_at(node_, place_); }
    Iterator& operator++() { return ++place_, *this; }
    Iterator operator++(int) {
      const Iterator before = *this;
      ++place_;
      return before;
    }
    bool operator==(const Iterator& other) const { return place_ == other.place_; }

   private:
    const Placement* pes_ = nullptr;
    int node_ = 0, place_ = 0;
  };

  PesOfNode(const Placement& pes, int node) : pes_(&pes), node_(node), size_(pes.size_of(node)) {}
  size_t size() const { return static_cast<size_t>(size_); }
  int operator[](size_t place) const { return pes_->pe_at(node_, static_cast<int>(place)); }
  int front() const { return (*this)[0]; }
  Iterator begin() const { return {*pes_, node_, 0}; }
  Iterator end() const { return {*pes_, node_, size_}; }

 private:
  const Placement* pes_;
  int node_, size_;
};

inline Placement::PesOfNode Placement::pes_of(int node) const { return {*this, node}; }
inline Placement::PesOfNode Placement::pes_here() const { return pes_of(node_); }

// Of this job; one PE before it has been joined.
extern const Placement& placement;
void set_placement(Placement of_job);

}  // namespace atrium
