// A broadcast on one node: the root puts its data down and goes on, the others wait for it alone.
// SPDX-License-Identifier: BSD-3-Clause
//
// Data of more than a piece is put down and taken piece by piece, so that the others read the first ones while the root
// writes the next. The root's arrivals count the pieces, and its header says how many bytes there are.
#include <algorithm>
#include <cstring>

#include "collective/collective.hpp"
#include "datatype/refused.hpp"
#include "datatype/shape.hpp"
#include "exchange/run.hpp"

namespace atrium::mpi {
namespace {

constexpr std::size_t piece_bytes = 64 << 10;  // a part of what the cache of one core holds

// Smaller ones are the MPI's where nobody asks for ours. In a row of broadcasts its root runs ahead by many of them, ours by one,
// and trials of a few calls do not see that.
constexpr std::size_t fewest_measured_bytes = 1 << 10;

// The others write nothing, so that the root has the shares of all of them.
std::size_t share_for(std::size_t bytes, int ranks) {
  return (bytes + static_cast<std::size_t>(ranks) - 1) / static_cast<std::size_t>(ranks);
}

class Call {
 public:
  Call(CommState& state, int root, const Block& block)
      : buffer_(state.node_buffer()),
        root_(root),
        block_(block),
        at_(reinterpret_cast<std::byte*>(block.at)),
        pack_comm_(state.pack_comm()) {}

  Outcome put_down();
  Outcome take();

 private:
  std::byte* place(std::size_t bytes) const {
    return buffer_.is_small(bytes) ? buffer_.place(root_, bytes) : buffer_.sending();
  }
  bool in_pieces() const { return block_.shape->contiguous; }
  int take_pieces(std::size_t sent);

  NodeBuffer& buffer_;
  int root_;
  const Block& block_;
  std::byte* at_;
  MPI_Comm pack_comm_;
};

Outcome Call::put_down() {
  const std::size_t bytes = block_.bytes();
  buffer_.begin();
  std::byte* to = place(bytes);  // of this call's half
  const bool packed = in_pieces() || pack(block_, to, pack_comm_) == MPI_SUCCESS;
  const CallHeader header{packed ? Verdict::go : Verdict::fallback, bytes, 0};
  buffer_.header(root_) = header;
  if (!packed) buffer_.arrive();
  for (std::size_t done = 0; packed && done < bytes; done += piece_bytes) {
    if (in_pieces()) std::memcpy(to + done, at_ + done, std::min(piece_bytes, bytes - done));
    buffer_.arrive();
  }
  return {header, MPI_SUCCESS};
}

// The first piece has arrived.
int Call::take_pieces(std::size_t sent) {
  const std::byte* from = place(sent);
  const std::size_t wanted = std::min(sent, block_.bytes());
  for (std::size_t done = 0; done < sent; done += piece_bytes) {
    if (done > 0) buffer_.arrive(), buffer_.await(root_);
    if (in_pieces() && done < wanted)
      std::memcpy(at_ + done, from + done, std::min(piece_bytes, wanted - done));
  }
  if (sent > wanted) return MPI_ERR_TRUNCATE;
  return in_pieces() ? MPI_SUCCESS : unpack(from, sent, block_, pack_comm_);
}

Outcome Call::take() {
  buffer_.begin_to_read();
  buffer_.arrive();
  buffer_.await(root_, place(block_.bytes()), block_.bytes());
  CallHeader header = buffer_.header(root_);
  if (!is_known(header.verdict)) header.verdict = Verdict::fallback;  // memory that was written over
  if (header.verdict != Verdict::go) return {header, MPI_SUCCESS};
  if (header.need > buffer_.area()) return {header, MPI_ERR_INTERN};
  return {header, take_pieces(header.need)};
}

int call_mpi(const Broadcast& broadcast) {
  return PMPI_Bcast(broadcast.buffer, broadcast.count, broadcast.type, broadcast.root, broadcast.comm);
}

class Bcast : public Collective {
 public:
  explicit Bcast(const Broadcast& broadcast) : broadcast_(broadcast), shape_(describe(broadcast.type)) {}

  int call_mpi() const { return atrium::mpi::call_mpi(broadcast_); }
  std::size_t bytes() const { return block().bytes(); }
  bool prepare(CommState& state) const {
    return bytes() <= largest_block && state.prepare_on_one_node(share_for(bytes(), state.size()));
  }
  Outcome exchange(CommState& state) const {
    const Block data = block();
    Call call(state, broadcast_.root, data);
    const Outcome outcome = state.rank() == broadcast_.root ? call.put_down() : call.take();
    state.node_buffer().leave_early();
    return outcome;
  }

 private:
  Block block() const { return {static_cast<char*>(broadcast_.buffer), broadcast_.count, &shape_}; }

  const Broadcast& broadcast_;
  Shape shape_;
};

bool is_refused(const Broadcast& broadcast, int ranks) {
  return broadcast.type == MPI_DATATYPE_NULL || broadcast.count < 0 || broadcast.root < 0 ||
         broadcast.root >= ranks || broadcast.buffer == MPI_IN_PLACE ||
         lacks_memory(broadcast.buffer, broadcast.count, broadcast.type);
}

}  // namespace

int bcast(const Broadcast& broadcast) {
  CommState* state = state_for_call(broadcast.comm, [&](int ranks) { return is_refused(broadcast, ranks); });
  if (!state || state->settings().bcast == Mode::never) return call_mpi(broadcast);
  const Bcast call(broadcast);
  const bool is_measured = state->settings().bcast == Mode::automatic;
  if (call.bytes() < (is_measured ? fewest_measured_bytes : 1)) return call.call_mpi();
  const std::size_t sent = state->rank() == broadcast.root ? call.bytes() : 0;
  return Run(*state, call).from(state->chooser().begin_uniform(call.bytes(), sent, broadcasts));
}

}  // namespace atrium::mpi
