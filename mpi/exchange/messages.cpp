// Sends and receives regions on the leaders' communicator.
// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/messages.hpp"

#include <algorithm>
#include <new>

namespace atrium::mpi {
namespace {

constexpr int tag = 0;  // one message for each pair of nodes and call: MPI keeps their order

// The leader of `node` whose business `other` is.
int leader_for(const Node& node, int other) { return other % node.leaders; }

}  // namespace

// Calls f(node, rank in the leaders' communicator) for each node whose messages this leader sends and receives.
template <class F>
void Messages::for_each_partner(F f) const {
  const Nodes& nodes = state_.nodes();
  for (int other = 0; other < nodes.count(); ++other) {
    if (other == nodes.mine || leader_for(nodes.here(), other) != nodes.local) continue;
    const Node& there = nodes.all[other];
    f(other, there.leader_ranks[leader_for(there, nodes.mine)]);
  }
}

std::byte* Messages::receive_place(int node) {
  if (!is_too_small_) return state_.node_buffer().receiving() + regions_.receive_at[node];
  return drain_.emplace_back(std::make_unique_for_overwrite<std::byte[]>(receive_bytes(node))).get();
}

// A node that would send more than a message holds has too small areas itself, and sends a header.
std::size_t Messages::receive_bytes(int node) const {
  return std::min(regions_.receive_bytes[node], largest_message);
}

Messages::Messages(CommState& state, const Regions& regions, bool is_too_small)
    : state_(state), regions_(regions), is_too_small_(is_too_small) {
  for_each_partner([&](int node, int leader) {
    sources_.push_back(node);
    std::byte* place = receive_place(node);
    new (place) NodeHeader{CallVerdict::go, 0, 0};  // of a message that is too long nothing at all may arrive
    PMPI_Irecv(place, static_cast<int>(receive_bytes(node)), MPI_BYTE, leader, tag, state.leaders(),
               &requests_.emplace_back());
  });
}

void Messages::send(const CallHeader& ours) {
  const bool is_filled = ours.verdict == CallVerdict::go;
  header_ = NodeHeader{ours.verdict, ours.need, ours.widest};
  for_each_partner([&](int node, int leader) {
    std::byte* region = state_.node_buffer().sending() + regions_.send_at[node];
    if (is_filled) *reinterpret_cast<NodeHeader*>(region) = header_;
    const void* what = is_filled ? region : static_cast<void*>(&header_);
    const std::size_t bytes = is_filled ? regions_.send_bytes[node] : sizeof(NodeHeader);
    PMPI_Isend(what, static_cast<int>(bytes), MPI_BYTE, leader, tag, state_.leaders(),
               &requests_.emplace_back());
  });
}

// One by one: with an error MPICH's MPI_Testall leaves open what has become of the others.
bool Messages::has_finished() {
  for (; finished_ < requests_.size(); ++finished_) {
    int done = 0;
    const int error = PMPI_Test(&requests_[finished_], &done, MPI_STATUS_IGNORE);
    if (error != MPI_SUCCESS) is_truncated_ = true;
    if (!done && error == MPI_SUCCESS) return false;
  }
  return true;
}

CallHeader Messages::finish() {
  wait_until(state_.node_buffer().wait_policy(), [&] { return has_finished(); });
  CallHeader strongest{is_truncated_ ? CallVerdict::truncated : CallVerdict::go, 0, 0};
  for (std::size_t index = 0; index < sources_.size(); ++index) {
    const std::byte* place = is_too_small_
                                 ? drain_[index].get()
                                 : state_.node_buffer().receiving() + regions_.receive_at[sources_[index]];
    strongest = stronger(strongest, read_header(*reinterpret_cast<const NodeHeader*>(place)));
  }
  return strongest;
}

}  // namespace atrium::mpi
