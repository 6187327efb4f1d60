// One all-to-all on a single node: every rank packs into its share and reads from the others'.
// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/on_node.hpp"

#include <algorithm>
#include <cstring>

#include "exchange/layout.hpp"

namespace atrium::mpi {
namespace {

// Blocks that lie one behind the other in the sender's memory lie so in its share: one or two copies for all.
void copy_plain(const Side& from, std::byte* share, std::size_t bytes, int rank, int size) {
  const char* source = static_cast<const char*>(from.buffer);
  std::memcpy(share, source, rank * bytes);
  const std::size_t behind = (rank + 1) * bytes;
  std::memcpy(share + behind, source + behind, (size - rank - 1) * bytes);
}

int pack_uniform(CommState& state, const Blocks& out, std::byte* share, std::size_t bytes) {
  int error = MPI_SUCCESS;
  for (int peer = 0; peer < state.size() && error == MPI_SUCCESS; ++peer)
    error = pack(out.at(peer), share + peer * bytes, state.comm());
  return error;
}

int pack_varying(CommState& state, const Blocks& out, const BlockTable& table) {
  std::uint64_t at = 0;
  int error = MPI_SUCCESS;
  for (int peer = 0; peer < state.size() && error == MPI_SUCCESS; ++peer) {
    const Block block = out.at(peer);
    table.begins[peer] = at;
    error = pack(block, table.data + at, state.comm());
    at += block.bytes();
  }
  table.begins[state.size()] = at;
  return error;
}

// One exchange of equal blocks.
class UniformCall {
 public:
  UniformCall(CommState& state, const Exchange& exchange, std::size_t bytes)
      : state_(state),
        buffer_(state.node_buffer()),
        exchange_(exchange),
        from_(sending_side(exchange)),
        out_(from_),
        in_(exchange.receive),
        bytes_(bytes) {}

  CallOutcome run();

 private:
  std::byte* place(int rank) const { return buffer_.place(rank, bytes_ * state_.size()); }
  void put_down();
  void take(const std::byte* from, int peer);
  void take_own();
  void take_from_others();

  CommState& state_;
  NodeBuffer& buffer_;
  const Exchange& exchange_;
  const Side& from_;
  const Blocks out_, in_;
  const std::size_t bytes_;
  CallOutcome outcome_;
};

void UniformCall::put_down() {
  std::byte* share = place(state_.rank());
  if (out_.are_plain())
    copy_plain(from_, share, bytes_, state_.rank(), state_.size());
  else if (pack_uniform(state_, out_, share, bytes_) != MPI_SUCCESS)
    outcome_.strongest.verdict = CallVerdict::fallback;
  buffer_.header(state_.rank()) = CallHeader{outcome_.strongest.verdict, 0, 0};
  buffer_.arrive();
}

void UniformCall::take(const std::byte* from, int peer) {
  const int error = unpack(from, bytes_, in_.at(peer), state_.comm());
  if (error != MPI_SUCCESS) outcome_.error = error;
}

// My block for myself is not in my share if the share was copied in one go.
void UniformCall::take_own() {
  if (outcome_.strongest.verdict != CallVerdict::go) return;
  const std::byte* blocks = out_.are_plain() ? static_cast<std::byte*>(from_.buffer) : place(state_.rank());
  take(blocks + state_.rank() * bytes_, state_.rank());
}

void UniformCall::take_from_others() {
  const int rank = state_.rank(), size = state_.size();
  for (int turn = 1; turn < size; ++turn) {
    const int peer = rank + turn < size ? rank + turn : rank + turn - size;
    const std::byte* mine = place(peer) + rank * bytes_;
    buffer_.await(peer, mine, bytes_);
    outcome_.strongest.verdict = std::max(outcome_.strongest.verdict, buffer_.header(peer).verdict);
    take(mine, peer);
  }
}

CallOutcome UniformCall::run() {
  buffer_.begin();
  put_down();
  if (exchange_.in_place()) {  // what is sent must not be overwritten before it is certain to be taken
    buffer_.await_all();
    outcome_.strongest.verdict = buffer_.strongest().verdict;
    if (outcome_.strongest.verdict != CallVerdict::go) return outcome_;
  } else {
    take_own();
  }
  take_from_others();
  if (in_.at(0).bytes() < bytes_) outcome_.error = MPI_ERR_TRUNCATE;
  return outcome_;
}

// The rank's block of a peer's share.
int take_block(CommState& state, std::byte* share, const Block& block) {
  const auto found =
      BlockTable(share, state.size()).block(state.rank(), state.size(), state.node_buffer().share_bytes());
  if (!found) return MPI_ERR_INTERN;
  return found->bytes > block.bytes() ? MPI_ERR_TRUNCATE
                                      : unpack(found->at, found->bytes, block, state.comm());
}

}  // namespace

CallOutcome exchange_uniform_on_node(CommState& state, const Exchange& exchange, std::size_t bytes) {
  return UniformCall(state, exchange, bytes).run();
}

CallHeader offer_varying_on_node(CommState& state, const Exchange& exchange, bool with_data) {
  NodeBuffer& buffer = state.node_buffer();
  const Blocks out(sending_side(exchange));
  const std::size_t total = out.total(state.size());
  CallHeader header{CallVerdict::go, BlockTable::bytes_of(state.size()) + total,
                    (total + state.size() - 1) / state.size()};
  buffer.begin();
  if (!out.are_packable(state.size()))
    header.verdict = CallVerdict::fallback;
  else if (header.need > buffer.share_bytes())
    header.verdict = CallVerdict::too_small;
  else if (with_data &&
           pack_varying(state, out, BlockTable(buffer.share(state.rank()), state.size())) != MPI_SUCCESS)
    header.verdict = CallVerdict::fallback;
  buffer.header(state.rank()) = header;
  buffer.arrive();
  buffer.await_all();
  return buffer.strongest();
}

int take_varying_on_node(CommState& state, const Exchange& exchange) {
  NodeBuffer& buffer = state.node_buffer();
  const Blocks in(exchange.receive);
  int error = MPI_SUCCESS;
  for (int turn = 0; turn < state.size(); ++turn) {
    const int peer = (state.rank() + turn) % state.size();
    const int failed = take_block(state, buffer.share(peer), in.at(peer));
    if (failed != MPI_SUCCESS) error = failed;
  }
  return error;
}

}  // namespace atrium::mpi
