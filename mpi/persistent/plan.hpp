// What one start of a persistent exchange copies, known when the request is made.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <cstddef>
#include <vector>

#include "comm/comm_state.hpp"
#include "datatype/shape.hpp"
#include "exchange/exchange.hpp"

namespace atrium::mpi {

// To whom this rank sends its blocks, in their order, and from whom it receives: all ranks, or its neighbours in the
// communicator's topology. A neighbour may be MPI_PROC_NULL.
struct Partners {
  bool are_neighbours = false;
  std::vector<int> destinations, sources;
};
Partners all_ranks(int size);
Partners neighbours_in(MPI_Comm comm);

// Elements in the user's memory and the place of their packed bytes in a rank's share.
struct PackedBlock {
  int rank = 0;  // whose share it is
  char* at = nullptr;
  MPI_Aint count = 0;
  TypeShape shape;
  std::size_t place = 0, bytes = 0;  // in the share
  Block elements() const { return {at, count, &shape}; }
};

// What a rank sends itself, where neither side has gaps.
struct OwnBlock {
  char* to = nullptr;
  const char* from = nullptr;
  std::size_t bytes = 0;
};

class Plan {
 public:
  // Collective over the communicator: the ranks exchange where in their shares the blocks will be. The program may
  // free its types and arrays afterwards.
  Plan(CommState& state, const Exchange& exchange, const Partners& partners);
  ~Plan();
  Plan(const Plan&) = delete;
  Plan& operator=(const Plan&) = delete;

  // Every block fits what its receiver expects, and can be packed. The same on all ranks, as `share` is.
  bool is_possible() const { return possible_; }
  std::size_t share() const { return share_; }  // bytes, of the rank that sends most
  const std::vector<PackedBlock>& sent() const { return sent_; }
  const std::vector<PackedBlock>& received() const { return received_; }
  const OwnBlock& own() const { return own_; }

 private:
  struct Place;
  PackedBlock describe_packed(int rank, const Block& block);
  std::vector<Place> place_blocks(const CommState& state, const Exchange& exchange, const Partners& partners);
  static void exchange_places(const Exchange& exchange, const Partners& partners,
                              const std::vector<Place>& mine, std::vector<Place>& theirs);
  void find_blocks(const CommState& state, const Exchange& exchange, const Partners& partners,
                   const std::vector<Place>& places);
  bool keeps_own_block(const CommState& state, const Exchange& exchange, const Partners& partners);
  void agree(CommState& state);

  std::vector<PackedBlock> sent_, received_;
  OwnBlock own_;
  std::vector<MPI_Datatype> kept_types_;
  std::size_t mine_ = 0, share_ = 0;
  bool possible_ = true;
};

}  // namespace atrium::mpi
