// A leader's messages of one call: regions out of shared memory and into it.
// SPDX-License-Identifier: BSD-3-Clause
//
// Of a message that is too long for its receiver an MPI need not deliver even the header: that node may then take
// the call for a smaller one than the others do. A program that gets MPI_ERR_TRUNCATE is erroneous.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "exchange/region.hpp"

namespace atrium::mpi {

class Messages {
 public:
  // Posts the receives. A node whose areas are too small still takes what others send, and drops it.
  Messages(CommState& state, const Regions& regions, bool is_too_small);
  // Sends this node's regions, or only headers if they could not be filled. All ranks here have arrived.
  void send(const CallHeader& ours);
  // Waits for all of them; what other nodes said.
  CallHeader finish();

 private:
  template <class F>
  void for_each_partner(F f) const;
  std::byte* receive_place(int node);
  bool has_finished();
  std::size_t receive_bytes(int node) const;

  CommState& state_;
  const Regions& regions_;
  bool is_too_small_;
  std::vector<int> sources_;           // nodes from which a message comes to this leader
  std::vector<MPI_Request> requests_;  // the receives, in that order, then the sends
  std::size_t finished_ = 0;           // of them
  bool is_truncated_ = false;
  std::vector<std::unique_ptr<std::byte[]>> drain_;  // by source, where the areas are too small
  NodeHeader header_{};                              // all that is sent of regions that were not filled
};

}  // namespace atrium::mpi
