// Where the PEs of the job are: which node each belongs to, and which place it has there.
// SPDX-License-Identifier: BSD-3-Clause
//
// Words.      A PE's *number* counts over the job: what programs, teams and the tables of deltas mean by a PE. Its
//             *place* counts over its node: what the lobby and the segment are divided by. On one node both are
//             the same. A *stretch*: PEs with consecutive numbers that are dealt in turn to nodes with consecutive numbers, a
//             *run* of them at a time. Blocks of one size are one stretch, and so is round robin.
// Invariants. Nodes are numbered 0, 1, ..., each has a PE. The places of a node are 0, 1, ... in the order of
//             the PEs' numbers. Nothing else is assumed: blocks, round robin, any list, nodes of unequal size.
// Memory.     A table of stretches, and 8 bytes for each node to look them up by; copies share one. In a job it lies in the lobby, where
//             all PEs of a node read the same one: nothing here grows with the job in a PE's own memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace atrium {

// The first `run` PEs are on `node`, the next ones on the node after it, and behind the last node it begins again. The last run may be
// shorter. Each of the nodes has a PE of it.
struct Stretch {
  int32_t first;  // PE
  int32_t node, nodes;
  int32_t run;
  int32_t place;  // of its first PE on each of its nodes

  // Requires: a PE of this stretch.
  int node_of(int pe) const { return node + (pe - first) / run % nodes; }
  int place_of(int pe) const {
    const int turn = (pe - first) / run;
    return place + turn / nodes * run + (pe - first - turn * run);
  }
  bool is_on(int which) const { return which >= node && which < node + nodes; }
  // The other way. Requires: it is there.
  int pe_at(int on_node, int at_place) const {
    const int turn = (at_place - place) / run;
    return first + (turn * nodes + on_node - node) * run + (at_place - place - turn * run);
  }
  // How many of `count` PEs, all that there are, are on that node.
  int share_of(int on_node, int count) const {
    const int round = run * nodes, rest = count % round - (on_node - node) * run;
    return count / round * run + (rest < 0 ? 0 : rest < run ? rest : run);
  }
};

namespace detail {
inline constexpr Stretch stretch_of_one_pe{0, 0, 1, 1, 0};
inline constexpr int32_t table_of_one_pe[] = {0, 0, 1, 1, 0, 0, 1, 0};
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
  int node_of(int pe) const { return stretch_of(pe).node_of(pe); }
  int place_of(int pe) const { return stretch_of(pe).place_of(pe); }
  bool is_here(int pe) const { return node_of(pe) == node_; }
  // How many PEs from this one on are on the same node without a gap.
  int run_from(int pe) const;
  // Nodes are numbered in the order of their lowest PEs.
  bool nodes_appear_in_order() const;
  // ... and the PEs of each have consecutive numbers.
  bool lies_node_after_node() const { return lies_node_after_node_; }
  size_t stretches() const { return stretches_.size(); }

  // The PEs of a node, by place. Used while the placement lives.
  class PesOfNode;
  PesOfNode pes_of(int node) const;
  PesOfNode pes_here() const;

  // The table, to be copied. And a placement that reads it where it lies, while `keeper` is held. None where it makes no sense.
  std::span<const int32_t> words() const { return words_; }
  static std::optional<Placement> reading(int me, int pes, size_t stretches, size_t nodes,
                                          std::span<const int32_t> words, std::shared_ptr<const void> keeper);

  bool is_valid() const;

  // Takes PEs in their order.
  class Builder {
   public:
    // The next `count` PEs are on that node.
    void add(int node, int count);
    // Requires: each node up to the highest has a PE, and `me` is one.
    Placement seen_by(int me) const;

   private:
    void end_run();
    bool continues_last(int count) const;

    std::vector<Stretch> stretches_;
    std::vector<int> places_;  // by node
    int pes_ = 0;
    int node_ = -1, begin_ = 0;  // of the run that goes on
    int runs_ = 0;               // of the last stretch
    bool is_whole_ = true;       // so is its last run
    bool has_turned_ = false;    // it has been on its first node again: it will have no more nodes
  };

 private:
  Placement(int pes, size_t stretches, size_t nodes, std::span<const int32_t> words,
            std::shared_ptr<const void> keeper);
  bool is_table_of(int pes) const;
  void look_from(int me);
  const Stretch& stretch_of(int pe) const {
    if (stretches_.size() == 1) return stretches_.front();
    // Right where all are equally long.
    const size_t guess = static_cast<size_t>(pe) * stretches_.size() / static_cast<size_t>(pes_);
    const Stretch& stretch = stretches_[guess];
    return stretch.first <= pe && pe < end_of(guess) ? stretch : search(pe);
  }
  const Stretch& search(int pe) const;
  int end_of(size_t stretch) const {
    return stretch + 1 < stretches_.size() ? stretches_[stretch + 1].first : pes_;
  }
  int count_of(size_t stretch) const { return end_of(stretch) - stretches_[stretch].first; }
  // The numbers of the stretches that are on it.
  std::span<const int32_t> stretches_on(int node) const {
    const auto begin = static_cast<size_t>(begins_[static_cast<size_t>(node)]);
    return by_node_.subspan(begin, static_cast<size_t>(begins_[static_cast<size_t>(node) + 1]) - begin);
  }
  bool are_stretches_of(int pes) const;
  bool are_stretches_on(int node) const;
  int size_of(int node) const;
  int pe_at(int node, int place) const;

  int me_ = 0, pes_ = 1;
  int node_ = 0, place_ = 0, places_ = 1, most_places_ = 1;
  bool lies_node_after_node_ = true;
  std::span<const int32_t> words_ = detail::table_of_one_pe;
  std::span<const Stretch> stretches_{&detail::stretch_of_one_pe, 1};
  std::span<const int32_t> begins_{detail::table_of_one_pe + 5,
                                   2};  // where each node's begin below; at the end, how many there are
  std::span<const int32_t> by_node_{detail::table_of_one_pe + 7,
                                    1};  // numbers of the stretches of node 0, of node 1, ...
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
