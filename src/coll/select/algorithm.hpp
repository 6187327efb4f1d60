// What the selection knows of an algorithm, and of the rule that prefers it.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <climits>
#include <cstddef>
#include <cstdint>

#include "team/nodes.hpp"
#include "team/team.hpp"

namespace atrium {

// What teams an algorithm can serve: `one` reads what members of other nodes would have to send, `many` is made of
// leaders of nodes.
enum class ServedNodes { any, one, many };

// One algorithm of a family; Run is the family's signature. The limits say what it can do, not when it is good.
template <class Run>
struct Algorithm {
  const char* name;  // in SHMEM_<COLL>_ALGORITHM, in the test suite, of the file
  Run* run;
  size_t most_bytes = SIZE_MAX;
  int most_members = INT_MAX;
  ServedNodes nodes = ServedNodes::any;
  int most_nodes = INT_MAX;

  bool fits(const Team& team, size_t bytes) const {
    return team.size <= most_members && bytes <= most_bytes &&
           (!team.nodes || team.nodes->count() <= most_nodes);
  }
  bool can(const Team& team, size_t bytes) const {
    return fits(team, bytes) &&
           (nodes == ServedNodes::any || (nodes == ServedNodes::many) == team.spans_nodes);
  }
};

// oversubscribed: a node of the job has more PEs than CPUs. spread: the members are in several caches or NUMA nodes, which is known of
// one node only, so rules for teams that span nodes do not ask for it. over_nodes(n) is for those only: more than n. So is
// in_one_exchange(): the leaders' buffers hold all of it at once (coll/steps/leader_buffer.hpp); and where_all_work(): the members of
// the fullest node help their leaders (coll/select/family.hpp), and up_to_per_node(bytes): divided among the nodes it is no more
// for each, and where_messages_cost(): each costs a CPU a microsecond or more, as over TCP; and on_shared_nodes(): a node has several
// members, with CPUs of their own, and where_leaders_send_less(): than all members would, and where_sums_are_spread() and where_scans_are_spread():
// not combined by leaders (coll/select/family.hpp). total_up_to(bytes): what all members bring, each as much as I do, is no more.
struct When {
  enum class Fact { nothing, oversubscribed, spread, nodes };
  static const When always, oversubscribed, spread;
  static constexpr When over_nodes(int count) { return {Fact::nodes, count}; }
  static constexpr When total_up_to(size_t bytes) { return {Fact::nothing, 0, false, bytes}; }
  static constexpr When up_to_per_node(size_t bytes) {
    return {Fact::nothing, 0, false, SIZE_MAX, false, bytes};
  }
  constexpr When in_one_exchange() const {
    When narrower = *this;
    narrower.by_one_exchange = true;
    return narrower;
  }
  constexpr When where_all_work() const {
    When narrower = *this;
    narrower.all_work = true;
    return narrower;
  }
  constexpr When on_shared_nodes() const {
    When narrower = *this;
    narrower.shared_nodes = true;
    return narrower;
  }
  constexpr When where_messages_cost() const {
    When narrower = *this;
    narrower.costly_messages = true;
    return narrower;
  }
  constexpr When where_sums_are_spread() const {
    When narrower = *this;
    narrower.by_spreading = true;
    return narrower;
  }
  constexpr When where_scans_are_spread() const {
    When narrower = *this;
    narrower.scans_by_spreading = true;
    return narrower;
  }
  constexpr When where_leaders_send_less() const {
    When narrower = *this;
    narrower.by_leaders = true;
    return narrower;
  }

  Fact fact;
  int nodes = 0;
  bool by_one_exchange = false;
  size_t most_in_total = SIZE_MAX;
  bool all_work = false;
  size_t most_per_node = SIZE_MAX;
  bool costly_messages = false;
  bool shared_nodes = false;
  bool by_leaders = false;
  bool by_spreading = false;
  bool scans_by_spreading = false;
};
inline constexpr When When::always{Fact::nothing};
inline constexpr When When::oversubscribed{Fact::oversubscribed};
inline constexpr When When::spread{Fact::spread};

// "For teams up to so many members, and up to so many bytes, use this." The first rule that holds wins.
template <class Run>
struct Rule {
  int members;
  size_t bytes;
  When when;
  const Algorithm<Run>* algorithm;
};

inline constexpr int any_members = INT_MAX;
inline constexpr size_t any_bytes = SIZE_MAX;

}  // namespace atrium
