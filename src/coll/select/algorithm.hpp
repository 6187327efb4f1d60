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

// What a rule asks of the nodes of a team, with so many bytes.
using NodesTest = bool(const TeamNodes& nodes, size_t bytes);

// oversubscribed: a node of the job has more PEs than CPUs. spread: the members are in several caches or NUMA nodes, which is known of
// one node only, so rules for teams that span nodes do not ask for it. over_nodes(n) is for those only: more than n. So is where(test),
// which may be asked several times. total_up_to(bytes): what all members bring, each as much as I do, is no more.
struct When {
  enum class Fact { nothing, oversubscribed, spread, nodes };
  static constexpr int most_tests = 3;
  static const When always, oversubscribed, spread;
  static constexpr When over_nodes(int count) { return {Fact::nodes, count}; }
  static constexpr When total_up_to(size_t bytes) { return {Fact::nothing, 0, bytes}; }
  constexpr When where(NodesTest& test) const {
    When narrower = *this;
    narrower.tests[narrower.test_count++] = &test;
    return narrower;
  }

  Fact fact;
  int nodes = 0;
  size_t most_in_total = SIZE_MAX;
  NodesTest* tests[most_tests] = {};
  int test_count = 0;  // gcc compares no address of a function at compile time if it sanitizes
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
