// Reductions: every member gets, element by element, the combination of all sources.
// SPDX-License-Identifier: BSD-3-Clause
//
// On one node operands are combined in the order of member numbers, ((s0 op s1) op s2) ..., in every algorithm and on
// every PE: the result is the same to the last bit everywhere, whatever was chosen. Between nodes `leaders`, `leaders_spread`,
// `leaders_put`, `leaders_halving` and `leaders_slices` combine those of a node first, and then the nodes': the same on every PE, too.
#pragma once

#include "coll/element_loops.hpp"
#include "coll/select/family.hpp"
#include "team/team.hpp"

namespace atrium {

// `dest` may be `source`, on all PEs alike.
using ReduceRun = void(Team& team, void* dest, const void* source, size_t n, const ElementLoop& loop);
using ReduceAlgorithm = Algorithm<ReduceRun>;

namespace reduce_by {
extern const ReduceAlgorithm eager_exchange, share, push, pull, two_level, leaders, leaders_spread,
    leaders_put, leaders_halving, leaders_slices;
}

extern Family<CollectiveFamily::reduce, ReduceRun> reductions;

}  // namespace atrium
