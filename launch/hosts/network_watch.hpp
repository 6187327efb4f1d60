// The network between two nodes, as the PEs of this host see it: who does not answer them, and who of them would answer.
// SPDX-License-Identifier: BSD-3-Clause
//
// A PE that receives nothing from another host reports it (src/lobby/liveness.hpp); the job asks that host whether its PE takes
// turns at the network, and has no large data that are under way for long, behind which its answer may be, or misses an
// answer itself. Then neither end is slow, stopped or dead, and what lies between them is cut. Both must have taken turns
// for a while: one that had no CPU for seconds (16 PEs that yield on 2 CPUs, Linux 6.18) answers when it has one again, which takes its time.
#pragma once

#include <cstdint>
#include <vector>

#include "launch/hosts/host.hpp"
#include "launch/process/job_segment.hpp"

namespace atrium {

class NetworkWatch {
 public:
  NetworkWatch(const JobSegment& segment, int pes);

  // Who receives nothing from whom, of the PEs of this host. To be called now and then.
  std::vector<SilentPeer> look();
  // Would the endpoint of this PE answer at once?
  bool would_answer(int pe) const;

 private:
  struct Endpoint {
    uint64_t turns = 0;  // at the last look
    int steady = 0;      // looks in a row that have found more of them
    uint64_t newest_transfer = 0;
    bool slow = false;  // a transfer has been under way since the last look
  };
  static constexpr int steady_looks = 3;

  const JobSegment& segment_;
  std::vector<Endpoint> endpoints_;  // by PE
};

Error describe_cut(const SilentPeer& silent, const std::string& host_of_silent);

}  // namespace atrium
