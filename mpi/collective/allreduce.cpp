// A reduction: every rank puts down what it has, and all of a node are combined in the order of the ranks.
// SPDX-License-Identifier: BSD-3-Clause
//
// Small: every rank combines all of it, after one synchronisation. Large: each rank combines one part for all, puts the
// result where its own part was, which nobody else reads, and after a second synchronisation all take the other parts.
// Either way each element is combined in the order of the ranks, so that all ranks have the same result in every run.
//
// Between nodes: small, the leader combines all of it; large, the parts are put together in the node's memory. The leaders
// reduce what their nodes have there by the MPI, and all ranks of a node take the result out of it.
#include <algorithm>
#include <cstring>

#include "collective/collective.hpp"
#include "collective/leader.hpp"
#include "datatype/shape.hpp"
#include "exchange/run.hpp"
#include "operation/operation.hpp"
#include "settings/which_mpi.hpp"

namespace atrium::mpi {
namespace {

// All ranks' data together up to which one rank reads it in less time than a second synchronisation takes.
constexpr std::size_t combined_by_all = 16 << 10;

// Of floating-point numbers, between nodes, where no trial decides: leaders copy larger ones slower than some networks are.
constexpr std::size_t largest_sum_between_nodes = 64 << 10;

// Elements [begin, end) of a call.
struct ElementRange {
  std::size_t begin, end;
};

class AllreduceCall {
 public:
  AllreduceCall(CommState& state, const Reduction& reduction, const ReduceOperation& operation)
      : state_(state),
        buffer_(state.node_buffer()),
        reduction_(reduction),
        operation_(operation),
        rank_(state.nodes().local),
        ranks_(state.nodes().here().size()),
        count_(static_cast<std::size_t>(reduction.count)),
        send_(static_cast<const std::byte*>(reduction.send == MPI_IN_PLACE ? reduction.receive
                                                                           : reduction.send)),
        receive_(static_cast<std::byte*>(reduction.receive)) {}

  // Answers the MPI's code.
  int run();

 private:
  std::size_t bytes() const { return bytes(count_); }
  bool is_small() const { return bytes() * static_cast<std::size_t>(ranks_) <= combined_by_all; }
  std::size_t bytes(std::size_t elements) const { return elements * operation_.element_bytes; }
  const std::byte* place(int rank) const { return buffer_.place(rank, bytes()); }
  ElementRange part_of(int rank) const;
  void combine(ElementRange part);
  void publish(ElementRange part, std::byte* result);
  void take(int rank);
  int reduce_among_leaders();
  int run_between_nodes();

  CommState& state_;
  NodeBuffer& buffer_;
  const Reduction& reduction_;
  const ReduceOperation& operation_;
  int rank_, ranks_;  // on the node
  std::size_t count_;
  const std::byte* send_;
  std::byte* receive_;
};

ElementRange AllreduceCall::part_of(int rank) const {
  const auto ranks = static_cast<std::size_t>(ranks_), each = (count_ + ranks - 1) / ranks;
  const std::size_t begin = std::min(count_, each * static_cast<std::size_t>(rank));
  return {begin, std::min(count_, begin + each)};
}

// Into my result. What I sent lies in my share by now, so that the two may be the same memory.
void AllreduceCall::combine(ElementRange part) {
  const std::size_t at = bytes(part.begin), elements = part.end - part.begin;
  for (int rank = 0; rank < ranks_; ++rank) {
    const std::byte* from = place(rank) + at;
    buffer_.await(rank, from, bytes(elements));
    if (rank == 0)
      std::memcpy(receive_ + at, from, bytes(elements));
    else
      operation_.combine(receive_ + at, from, elements);
  }
}

void AllreduceCall::publish(ElementRange part, std::byte* result) {
  std::memcpy(result + bytes(part.begin), receive_ + bytes(part.begin), bytes(part.end - part.begin));
}

void AllreduceCall::take(int rank) {
  const ElementRange part = part_of(rank);
  buffer_.await(rank);
  std::memcpy(receive_ + bytes(part.begin), place(rank) + bytes(part.begin), bytes(part.end - part.begin));
}

// Of what this node has, which becomes the result.
int AllreduceCall::reduce_among_leaders() {
  if (is_small()) combine({0, count_}), publish({0, count_}, buffer_.receiving());
  return PMPI_Allreduce(MPI_IN_PLACE, buffer_.receiving(), reduction_.count, reduction_.type, reduction_.op,
                        state_.leaders());
}

int AllreduceCall::run_between_nodes() {
  if (!is_small()) {
    combine(part_of(rank_));
    publish(part_of(rank_), buffer_.receiving());
    buffer_.arrive();
  }
  const int error = through_leader(state_, [&] { return reduce_among_leaders(); });
  if (error == MPI_SUCCESS) std::memcpy(receive_, buffer_.receiving(), bytes());
  return error;
}

int AllreduceCall::run() {
  buffer_.begin();
  std::memcpy(buffer_.place(rank_, bytes()), send_, bytes());
  buffer_.arrive();
  if (!state_.on_one_node()) return run_between_nodes();
  if (is_small()) return combine({0, count_}), MPI_SUCCESS;
  combine(part_of(rank_));
  publish(part_of(rank_), buffer_.place(rank_, bytes()));
  buffer_.arrive();
  for (int turn = 1; turn < ranks_; ++turn) take((rank_ + turn) % ranks_);
  return MPI_SUCCESS;
}

int call_mpi(const Reduction& reduction) {
  return PMPI_Allreduce(reduction.send, reduction.receive, reduction.count, reduction.type, reduction.op,
                        reduction.comm);
}

class Allreduce : public Collective {
 public:
  Allreduce(const Reduction& reduction, const ReduceOperation& operation, CallKind kind)
      : reduction_(reduction), operation_(operation), kind_(kind) {}

  int call_mpi() const { return atrium::mpi::call_mpi(reduction_); }
  std::size_t bytes() const { return operation_.element_bytes * static_cast<std::size_t>(reduction_.count); }
  bool prepare(CommState& state) const {
    return bytes() <= largest_block && state.find_nodes_of_one_leader() && suits(state) &&
           state.prepare(bytes());
  }
  CallOutcome exchange(CommState& state) const {
    if (state.leaves_to_mpi(operation_)) return {{CallVerdict::fallback, 0, 0}, MPI_SUCCESS};
    return {{}, AllreduceCall(state, reduction_, operation_).run()};
  }

 private:
  // Where no trial decides: nodes of one rank have nothing to put together.
  bool suits(const CommState& state) const {
    return kind_ != float_sums || state.on_one_node() || state.settings().allreduce == Mode::always ||
           (state.nodes().widest > 1 && bytes() <= largest_sum_between_nodes);
  }

  const Reduction& reduction_;
  const ReduceOperation& operation_;
  CallKind kind_;
};

// Operation and type are known to fit each other. MPICH takes no null pointer and not the same buffer on both sides.
bool is_refused(const Reduction& reduction) {
  if (reduction.count < 0 || reduction.receive == MPI_IN_PLACE) return true;
  if (!is_mpich() || reduction.count == 0) return false;
  return !reduction.receive || !reduction.send || reduction.send == reduction.receive;
}

}  // namespace

// Two values have one order only: a sum of two may go either way.
int allreduce(const Reduction& reduction) {
  ReduceOperation operation;
  CommState* state = state_for_call(reduction.comm, [&](int) {
    operation = operation_of(reduction.op, reduction.type);
    return !operation || is_refused(reduction);
  });
  if (!state || reduction.count == 0 || state->settings().allreduce == Mode::never ||
      state->leaves_to_mpi(operation))
    return call_mpi(reduction);
  const CallKind kind = operation.depends_on_order && state->size() > 2 ? float_sums : reductions;
  const Allreduce call(reduction, operation, kind);
  return run_uniform(*state, call, call.bytes(), call.bytes(), kind);
}

}  // namespace atrium::mpi
