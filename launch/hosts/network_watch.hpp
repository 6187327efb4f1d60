// The network between two nodes, as the PEs of this host see it: which peers do not answer them, and which of them would answer.
// SPDX-License-Identifier: BSD-3-Clause
//
// A PE that receives nothing from another host reports it (src/lobby/liveness.hpp). The job then asks that host whether its PE
// polls the network and has no large transfer under way, behind which its answer may be queued, or whether it misses an answer
// itself. If so, neither end is slow, stopped or dead, and the network between them is cut. Both must have polled for a while: a PE
// that had no CPU for seconds (16 PEs that yield on 2 CPUs, Linux 6.18) answers only when it has one again.
#pragma once

#include <cstdint>
#include <vector>

#include "launch/hosts/host.hpp"
#include "launch/process/job_segment.hpp"

namespace atrium {

class NetworkWatch {
 public:
  NetworkWatch(const JobSegment& segment, int pes);

  // Which PEs of this host receive nothing from which peers. To be called now and then.
  std::vector<SilentPeer> check();
  // Would the endpoint of this PE answer at once?
  bool would_answer(int pe) const;

 private:
  struct Endpoint {
    uint64_t turns = 0;  // at the last check
    int steady = 0;      // checks in a row that have found more of them
    uint64_t newest_transfer = 0;
    bool slow = false;  // a transfer has been under way since the last check
  };
  static constexpr int steady_checks = 3;

  const JobSegment& segment_;
  std::vector<Endpoint> endpoints_;  // by PE
};

Error describe_cut(const SilentPeer& silent, const std::string& host_of_silent);
// The silent PE has as many files open as it may: `limit`.
Error describe_full(const SilentPeer& silent, const std::string& host_of_silent, size_t limit);

}  // namespace atrium
