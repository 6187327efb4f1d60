// A persistent all-to-all on one node, carried out through shared memory.
// SPDX-License-Identifier: BSD-3-Clause
//
// Words. The program's handle is the MPI's own persistent request, which can be started at any time as if there were no
// library. Where a start goes our way, that request stays inactive, and what completes requests looks here first
// (interpose/requests.cpp).
//
// MPI_Start packs all that this rank sends into its share, announces it, and does not wait: with that it has done its part.
// What is received is copied by the call that completes the request. So the rule of progress is kept whatever a rank does
// between the two: no other rank waits for more than its start.
//
// Invariants:
//   - A request has a buffer of its own, whose two halves are used in turn (comm/rank_slot.hpp). A start writes its half only
//     after this rank has completed the start before, in which it has seen all ranks arrive; so all have read what belongs to
//     the start before that.
//   - Which way a start goes is a function of the number of starts and of costs that all ranks know. The costs travel with
//     the arrivals of a start, so that no rank waits for them.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <memory>
#include <string>

#include "choice/choice.hpp"
#include "comm/comm_state.hpp"
#include "persistent/plan.hpp"

namespace atrium::mpi {

class PersistentExchange {
 public:
  // Null on all ranks where the MPI has to carry it out. Collective.
  static std::unique_ptr<PersistentExchange> make(std::shared_ptr<CommState> state, const Exchange& exchange,
                                                  const Partners& partners, MPI_Request handle);
  ~PersistentExchange();

  int start();
  bool is_started() const { return is_started_; }
  // Started, and not by the MPI.
  bool is_ours() const { return is_started_ && way_ == Way::own; }

  // Our way: takes what has arrived, and answers whether that was all; the MPI's: true, its request tells.
  bool poll();
  // Our way: takes everything.
  void finish();
  // The program has learned that it is complete. Raises an error of this rank, and answers it.
  int retire();
  // The program has spent so much time in a call for it.
  void spent(std::int64_t nanoseconds) { spent_ns_ += static_cast<double>(nanoseconds); }

  const RankWaitPolicy& wait_policy() const { return buffer_->wait_policy(); }

 private:
  PersistentExchange(std::shared_ptr<CommState> state, std::unique_ptr<Plan> plan,
                     std::unique_ptr<NodeBuffer> buffer, MPI_Request handle);
  bool measures() const;
  Way choose();
  std::byte* place(int rank) const { return buffer_->place(rank, plan_->share()); }
  void put_down();
  void take(const PackedBlock& block);
  bool have_all_arrived() const;
  void learn();

  std::shared_ptr<CommState> state_;  // it may outlive its communicator, as the request does
  std::unique_ptr<Plan> plan_;
  std::unique_ptr<NodeBuffer> buffer_;
  MPI_Request handle_;
  Choice choice_;
  Way way_ = Way::mpi;
  bool is_started_ = false, sends_costs_ = false;
  std::size_t taken_ = 0;  // blocks
  double spent_ns_ = 0;
  int error_ = MPI_SUCCESS;
};

}  // namespace atrium::mpi
