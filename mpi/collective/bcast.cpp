// A broadcast: the root puts its data down for its node and goes on, the others wait for it alone.
// SPDX-License-Identifier: BSD-3-Clause
//
// Data of more than a piece is put down and taken piece by piece, so that the others read the first ones while the root
// writes the next. The root's arrivals count the pieces, and its header says how many bytes there are.
//
// Between nodes, the leader of the root's node passes each piece on to the other leaders, by the MPI's broadcast. They receive it
// into the memory of their nodes, and are there what the root is on its own. The header travels in front of the first piece:
//
//   small   | arrived | header | data |  of a half of a slot (comm/rank_slot.hpp)
//   large   | -       | header | data |  in the area to send from
#include <algorithm>
#include <cstring>

#include "collective/collective.hpp"
#include "datatype/shape.hpp"
#include "exchange/run.hpp"

namespace atrium::mpi {
namespace {

constexpr std::size_t piece_bytes = 64 << 10;  // a part of what the cache of one core holds

constexpr std::size_t front_bytes = 32;  // before large data: the header, behind a gap
static_assert(offsetof(Half, small) - offsetof(Half, header) == sizeof(CallHeader) &&
                  front_bytes >= sizeof(CallHeader) && front_bytes % alignof(CallHeader) == 0,
              "one message has both");

// On every node one rank writes, the root or the leader, and the others read.
class NodeBcast {
 public:
  NodeBcast(CommState& state, int root, const Block& block)
      : state_(state),
        buffer_(state.node_buffer()),
        block_(block),
        at_(reinterpret_cast<std::byte*>(block.at)),
        root_(root),
        is_here_(nodes().node_of[root] == nodes().mine),
        writer_(is_here_ ? nodes().local_of[root] : 0),
        passes_on_(!state.on_one_node() && nodes().i_lead()) {}

  CallOutcome run() {
    if (state_.rank() == root_) return put_down();
    return passes_on_ && !is_here_ ? receive() : take();
  }

 private:
  CallOutcome put_down();
  CallOutcome receive();
  CallOutcome take();
  const Nodes& nodes() const { return state_.nodes(); }
  std::byte* place(std::size_t bytes) const {
    if (buffer_.is_small(bytes)) return buffer_.place(writer_, bytes);
    return buffer_.sending() + (state_.on_one_node() ? 0 : front_bytes);
  }
  std::size_t room() const { return buffer_.area() - (state_.on_one_node() ? 0 : front_bytes); }
  bool in_pieces() const { return block_.shape->contiguous; }
  void say(const CallHeader& header, std::byte* to);
  void pass_on(std::size_t done);
  void copy_piece(std::size_t done, std::size_t sent);
  int finish(std::size_t sent);

  CommState& state_;
  NodeBuffer& buffer_;
  const Block& block_;
  std::byte* at_;
  int root_;
  bool is_here_;    // the root
  int writer_;      // of this node, its number there
  bool passes_on_;  // this rank, from node to node
  int error_ = MPI_SUCCESS;
};

void NodeBcast::say(const CallHeader& header, std::byte* to) {
  buffer_.header(writer_) = header;
  if (!state_.on_one_node()) std::memcpy(to - sizeof header, &header, sizeof header);
}

// A piece, from the leader of the root's node to those of the others; the first one with the header.
void NodeBcast::pass_on(std::size_t done) {
  std::byte* from = place(block_.bytes()) + done;
  std::size_t bytes = std::min(piece_bytes, block_.bytes() - done);
  if (done == 0) from -= sizeof(CallHeader), bytes += sizeof(CallHeader);
  const int leader = nodes().all[nodes().node_of[root_]].leader_ranks[0];
  const int error = PMPI_Bcast(from, static_cast<int>(bytes), MPI_BYTE, leader, state_.leaders());
  if (error != MPI_SUCCESS) error_ = error;
}

CallOutcome NodeBcast::put_down() {
  const std::size_t bytes = block_.bytes();
  buffer_.begin();
  std::byte* to = place(bytes);  // of this call's half
  const bool packed = in_pieces() || pack(block_, to, state_.comm()) == MPI_SUCCESS;
  const CallHeader header{packed ? CallVerdict::go : CallVerdict::fallback, bytes, 0};
  say(header, to);
  for (std::size_t done = 0; done < bytes; done += piece_bytes) {
    if (packed && in_pieces()) std::memcpy(to + done, at_ + done, std::min(piece_bytes, bytes - done));
    buffer_.arrive();
    if (passes_on_) pass_on(done);
    if (!packed) break;
  }
  return {header, error_};
}

// Into the caller's memory, as far as there is room and it is not unpacked as a whole.
void NodeBcast::copy_piece(std::size_t done, std::size_t sent) {
  const std::size_t wanted = std::min(sent, block_.bytes());
  if (in_pieces() && done < wanted)
    std::memcpy(at_ + done, place(sent) + done, std::min(piece_bytes, wanted - done));
}

// All pieces are there.
int NodeBcast::finish(std::size_t sent) {
  if (error_ != MPI_SUCCESS) return error_;
  if (sent > block_.bytes()) return MPI_ERR_TRUNCATE;
  return in_pieces() ? MPI_SUCCESS : unpack(place(sent), sent, block_, state_.comm());
}

// A leader, from that of the root's node; for the ranks here.
CallOutcome NodeBcast::receive() {
  buffer_.begin();
  std::byte* to = place(block_.bytes());
  pass_on(0);
  CallHeader header;
  std::memcpy(&header, to - sizeof header, sizeof header);
  buffer_.header(writer_) = header;
  buffer_.arrive();
  if (header.verdict != CallVerdict::go) return {header, MPI_SUCCESS};
  copy_piece(0, header.need);
  for (std::size_t done = piece_bytes; done < header.need; done += piece_bytes) {
    pass_on(done);
    buffer_.arrive();
    copy_piece(done, header.need);
  }
  return {header, finish(header.need)};
}

CallOutcome NodeBcast::take() {
  buffer_.begin_to_read();
  buffer_.arrive();
  buffer_.await(writer_, place(block_.bytes()), block_.bytes());
  CallHeader header = buffer_.header(writer_);
  if (!is_known(header.verdict)) header.verdict = CallVerdict::fallback;  // memory that was written over
  if (passes_on_) pass_on(0);
  if (header.verdict != CallVerdict::go) return {header, MPI_SUCCESS};
  if (header.need > room()) return {header, MPI_ERR_INTERN};
  copy_piece(0, header.need);
  for (std::size_t done = piece_bytes; done < header.need; done += piece_bytes) {
    buffer_.arrive(), buffer_.await(writer_);
    if (passes_on_) pass_on(done);
    copy_piece(done, header.need);
  }
  return {header, finish(header.need)};
}

int call_mpi(const BcastCall& broadcast) {
  return PMPI_Bcast(broadcast.buffer, broadcast.count, broadcast.type, broadcast.root, broadcast.comm);
}

class Bcast : public Collective {
 public:
  explicit Bcast(const BcastCall& broadcast) : broadcast_(broadcast), shape_(describe(broadcast.type)) {}

  int call_mpi() const { return atrium::mpi::call_mpi(broadcast_); }
  std::size_t bytes() const { return block().bytes(); }
  bool prepare(CommState& state) const {
    return bytes() <= largest_block && state.find_nodes_of_one_leader() && state.prepare(share(state));
  }
  CallOutcome exchange(CommState& state) const {
    const Block data = block();
    const CallOutcome outcome = NodeBcast(state, broadcast_.root, data).run();
    state.node_buffer().leave_early();
    return outcome;
  }

 private:
  // The others write nothing, so that who writes has the shares of all ranks of its node.
  std::size_t share(CommState& state) const {
    const auto ranks = static_cast<std::size_t>(state.nodes().narrowest);
    return (bytes() + (state.on_one_node() ? 0 : front_bytes) + ranks - 1) / ranks;
  }
  Block block() const { return {static_cast<char*>(broadcast_.buffer), broadcast_.count, &shape_}; }

  const BcastCall& broadcast_;
  TypeShape shape_;
};

bool is_refused(const BcastCall& broadcast, int ranks) {
  return broadcast.type == MPI_DATATYPE_NULL || broadcast.count < 0 || broadcast.root < 0 ||
         broadcast.root >= ranks || broadcast.buffer == MPI_IN_PLACE ||
         lacks_memory(broadcast.buffer, broadcast.count, broadcast.type);
}

// Only of named types is the size remembered: the handle of a freed one may come back as another type.
void remember_small_bcasts(const BcastCall& broadcast, std::size_t fewest_bytes) {
  const std::size_t size = remember_size(broadcast.type);
  if (size == 0) return;
  small_bcasts[small_bcasts_place(broadcast.type, broadcast.comm)] = {
      broadcast.comm, broadcast.type, forgotten_states.load(std::memory_order_relaxed),
      (fewest_bytes - 1) / size + 1};
}

}  // namespace

int bcast(const BcastCall& broadcast) {
  const auto refused = [&](int ranks) { return is_refused(broadcast, ranks); };
  CommState* state = find_state_for_call(broadcast.comm, refused);
  if (!state) return call_mpi(broadcast);
  const Bcast call(broadcast);
  // Some ranks know of a small one before they come here, and settle nothing in it.
  if (call.bytes() < state->fewest_broadcast_bytes())
    return remember_small_bcasts(broadcast, state->fewest_broadcast_bytes()), call.call_mpi();
  if (state->has_to_settle()) settle(*state);
  if (call.bytes() < state->fewest_broadcast_bytes()) return call.call_mpi();
  const std::size_t sent = state->rank() == broadcast.root ? call.bytes() : 0;
  return run_uniform(*state, call, call.bytes(), sent, broadcasts);
}

}  // namespace atrium::mpi
