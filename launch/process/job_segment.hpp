// The job's memory as the launcher sees it: for each node the descriptor that its PEs inherit, and the lobby at
// its front.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <sys/types.h>

#include <ctime>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/result.hpp"
#include "lobby/lobby.hpp"
#include "os/life_mark.hpp"
#include "topology/cores.hpp"
#include "topology/placement.hpp"

namespace atrium {

// Where a PE waits, in its own words, and how far one can rely on it (lobby/lobby.hpp).
struct PublishedWait {
  uint64_t since_ns = 0;   // CLOCK_MONOTONIC of that host
  uint64_t waited_ns = 0;  // until this sample (report/standstill.hpp)
  uint64_t changes = 0, looks = 0, seen = 0;
  uint32_t waiting = 0;
  bool stands = false;
  bool polls =
      false;  // no wait of ours, but a loop of the program's, which tests in vain; `looks` counts some of them
  WaitDetails details{};
};

class JobSegment {
 public:
  // `node_of` each PE of the job, on which nodes are numbered from 0 without a gap. `only`: the one that is on this host
  // while others are elsewhere; -1: all are here.
  static Result<JobSegment> create(const std::vector<int>& node_of, const std::vector<Core>& cores,
                                   int only = -1);

  int nodes() const { return placement_.nodes(); }
  // Of PEs that are elsewhere nothing is known: they are absent, without process and wait.
  bool is_here(int pe) const { return node_of(pe).lobby != nullptr; }
  // Of the memory of this PE's node. Requires: is_here(pe).
  int fd(int pe) const { return node_of(pe).fd; }
  // Of the memories of all nodes here.
  std::vector<int> fds() const;
  bool is_first_of_node(int pe) const { return placement_.place_of(pe) == 0; }
  // What first PEs of nodes here have contributed since the last call: node and bytes.
  std::vector<std::pair<int, std::string>> take_contributions();
  // What all nodes have contributed, by node, goes to the lobbies here, whose PEs are woken.
  void deliver(const std::vector<std::string>& blobs);
  PeState state(int pe) const;
  FaultWatch faults(int pe) const;
  // Its exit() has begun.
  bool exits(int pe) const;
  // The status given to shmem_global_exit, once some PE has called it.
  std::optional<int> exit_request() const;
  // Informs the PEs of all nodes on this host that a PE of the job has called it.
  void announce_exit() const;
  // Has any PE entered shmem_init?
  bool in_use() const;
  // The process that has joined as that PE, as it calls itself; 0 when none has.
  pid_t registered_pid(int pe) const {
    return is_here(pe) ? slot(pe).pid.load(std::memory_order_relaxed) : 0;
  }
  // The same while it lives, as oshrun calls it, whatever PID namespace it is in (os/life_mark.hpp); else 0.
  pid_t marked_pid(int pe) const { return is_here(pe) ? find_life_mark(fd(pe), placement_.place_of(pe)) : 0; }
  // Removes what a PE that was killed while it made a System V segment has left. Requires: no PE lives.
  void remove_leftovers() const;
  // Where it waits, if it has waited long.
  std::optional<PublishedWait> wait(int pe) const;
  // Where it tests in vain, if it has done so for a while; perhaps no more.
  std::optional<PublishedWait> polling(int pe) const;
  // What it has begun between nodes, and what it has ended, up to now.
  std::pair<uint64_t, uint64_t> traffic(int pe) const;
  // What its endpoint receives; null: the PE is on another node.
  const Liveness* liveness(int pe) const;
  // The PE whose endpoint that is; -1: there is none.
  int pe_of_endpoint(uint32_t node, uint32_t endpoint) const;

 private:
  struct Node {
    int fd = -1;
    Lobby* lobby = nullptr;  // none: on another host
    uint32_t taken = 0;      // the last round of take_contributions()
  };

  explicit JobSegment(Placement placement) : placement_(std::move(placement)) {}
  const Node& node_of(int pe) const { return nodes_[static_cast<size_t>(placement_.node_of(pe))]; }
  PeSlot& slot(int pe) const { return node_of(pe).lobby->slots()[placement_.place_of(pe)]; }

  Placement placement_;
  std::vector<Node> nodes_;
  time_t begin_ = time(nullptr);
};

}  // namespace atrium
