// What all nodes of a job must decide alike: who runs the same program, how large the heap is, which rules of the
// collectives hold.
// SPDX-License-Identifier: BSD-3-Clause
//
// Each node finds out about itself; these collect what all have found, by the bootstrap's allgather. On one node
// what it has found is what holds, and nothing is exchanged.
#pragma once

#include <climits>
#include <optional>
#include <string>
#include <vector>

#include "bootstrap/bootstrap.hpp"
#include "core/result.hpp"
#include "lobby/visit.hpp"

namespace atrium {

// How a node can be reached.
struct NetworkOffer {
  std::string provider;  // that it has opened
  // "10.1.2.3/16" of each network that its host may be reached in, the preferred one first (topology/networks.hpp)
  std::vector<std::string> networks;
};

struct NetworkChoice {
  std::string
      provider;         // of all nodes; while they differ, that of the node that has passed most of them over
  std::string address;  // my host's in the first network that all hosts share; empty where there is none
  std::optional<Error> difference;  // between the nodes' providers, as a message
};

struct JobPlan {
  SegmentPlan segment;  // my node's, with the heap that every node can hold
  NetworkChoice network;
};

// Collective over all PEs. Of what my node plans and offers only its first PE's counts. An Error, which names the host, when a
// node runs another program.
Result<JobPlan> agree_on_plan(Bootstrap& bootstrap, LobbyVisit& lobby, SegmentPlan mine,
                              const NetworkOffer& offer);

struct JobTraits {
  bool oversubscribed = false;  // some node has more PEs than CPUs
  bool threaded = false;        // some PE has threads that communicate at the same time
  bool checked = false;         // some PE has asked for checks, and so for the comparison of collective calls
  bool leaks = false;           // some PE has asked for a report of leaks
  bool bounded = false;         // some node's memory is scarcer than the machine's (segment/segment.hpp)
  bool pinned = false;          // some node's network has made its memory present, and keeps these pages
  uint32_t settings = 0;        // my node's fingerprint (job/common_settings.hpp)
  bool same_settings = true;    // all nodes have it
  int cpus = INT_MAX;           // that every node has for its PEs
};

// Collective over all PEs. `mine` is what my node has found.
Result<JobTraits> agree_on_traits(Bootstrap& bootstrap, LobbyVisit& lobby, const JobTraits& mine);

}  // namespace atrium
