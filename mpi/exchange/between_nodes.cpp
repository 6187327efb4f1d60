// One all-to-all over several nodes: packing into shared memory, leaders' messages, unpacking.
// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/between_nodes.hpp"

#include <optional>

#include "exchange/messages.hpp"
#include "exchange/region.hpp"

namespace atrium::mpi {
namespace {

class NodeExchange {
 public:
  NodeExchange(CommState& state, const Exchange& exchange, std::size_t block_bytes)
      : state_(state),
        buffer_(state.node_buffer()),
        nodes_(state.nodes()),
        exchange_(exchange),
        block_bytes_(block_bytes),
        out_(sending_side(exchange)),
        in_(exchange.receive) {}

  CallOutcome run();

 private:
  ExchangeRegion region(std::byte* begin, int from, int to) const {
    return {begin, nodes_.all[from].size(), nodes_.all[to].size(), block_bytes_};
  }
  void write_sizes();
  std::size_t row_begin(int node) const;
  int fill(int node);
  CallHeader fill_all();
  void take(int node);
  void take_from_others();

  CommState& state_;
  NodeBuffer& buffer_;
  const Nodes& nodes_;
  const Exchange& exchange_;
  std::size_t block_bytes_;
  Blocks out_, in_;
  Regions regions_;
  bool is_too_small_ = false;
  int error_ = MPI_SUCCESS;
};

void NodeExchange::write_sizes() {
  std::uint64_t* notice = buffer_.notice(nodes_.local);
  for (int node = 0; node < nodes_.count(); ++node) {
    std::uint64_t to = 0, from = 0;
    for (int rank : nodes_.all[node].ranks) {
      to += out_.bytes(rank);
      from += in_.bytes(rank);
    }
    notice[node] = to;
    notice[nodes_.count() + node] = from;
  }
}

// Where my blocks begin in the region to that node, behind those of the ranks before me.
std::size_t NodeExchange::row_begin(int node) const {
  if (block_bytes_) return std::size_t(nodes_.local) * nodes_.all[node].size() * block_bytes_;
  std::size_t begin = 0;
  for (int other = 0; other < nodes_.local; ++other) begin += buffer_.notice(other)[node];
  return begin;
}

int NodeExchange::fill(int node) {
  const ExchangeRegion to = region(buffer_.sending() + regions_.send_at[node], nodes_.mine, node);
  std::byte* place = to.data() + row_begin(node);
  int column = 0;
  for (int rank : nodes_.all[node].ranks) {
    const Block block = out_.at(rank);
    if (!block_bytes_) to.table_row(nodes_.local)[column++] = block.bytes();
    if (const int error = pack(block, place, state_.comm()); error != MPI_SUCCESS) return error;
    place += block.bytes();
  }
  return MPI_SUCCESS;
}

CallHeader NodeExchange::fill_all() {
  CallHeader header{CallVerdict::go, 0, regions_.widest};
  if (!block_bytes_ && !out_.are_packable(state_.size()))
    return header.verdict = CallVerdict::fallback, header;
  if (is_too_small_) return header.verdict = CallVerdict::too_small, header.need = regions_.need, header;
  if (!block_bytes_ && !state_.chooser().sends_data(regions_.widest))
    return header.verdict = CallVerdict::no_data, header;
  for (int node = 0; node < nodes_.count(); ++node)
    if (fill(node) != MPI_SUCCESS) header.verdict = CallVerdict::fallback;
  return header;
}

void NodeExchange::take(int node) {
  const bool is_mine = node == nodes_.mine;
  std::byte* begin =
      is_mine ? buffer_.sending() + regions_.send_at[node] : buffer_.receiving() + regions_.receive_at[node];
  const std::size_t length = is_mine ? regions_.send_bytes[node] : regions_.receive_bytes[node];
  const auto put = [&](int row, std::byte* place, std::size_t bytes) {
    const Block block = in_.at(nodes_.all[node].ranks[row]);
    const int error = bytes > block.bytes() ? MPI_ERR_TRUNCATE : unpack(place, bytes, block, state_.comm());
    if (error != MPI_SUCCESS) error_ = error;
  };
  if (!region(begin, node, nodes_.mine).for_each_in_column(nodes_.local, length, put))
    error_ = MPI_ERR_INTERN;
}

void NodeExchange::take_from_others() {
  for (int turn = 1; turn < nodes_.count(); ++turn) take((nodes_.mine + turn) % nodes_.count());
}

CallOutcome NodeExchange::run() {
  buffer_.begin();
  if (!block_bytes_) {
    write_sizes();
    buffer_.arrive();
    buffer_.await_all();
  }
  regions_ = block_bytes_ ? regions_of_uniform(state_, block_bytes_) : regions_of_notices(state_);
  is_too_small_ = regions_.need > buffer_.share_bytes();
  std::optional<Messages> messages;
  if (nodes_.i_lead()) messages.emplace(state_, regions_, is_too_small_);
  buffer_.header(nodes_.local) = fill_all();
  buffer_.arrive();
  buffer_.await_all();
  const CallHeader ours = buffer_.strongest();
  if (messages) messages->send(ours);
  const bool early = !exchange_.in_place() && ours.verdict == CallVerdict::go;
  if (early) take(nodes_.mine);
  if (messages) buffer_.deliver(messages->finish());
  CallHeader all = stronger(ours, buffer_.await_leaders(nodes_.here().leaders));
  if (all.verdict == CallVerdict::truncated) error_ = MPI_ERR_TRUNCATE;
  if (all.verdict == CallVerdict::go) {
    if (!early) take(nodes_.mine);
    take_from_others();
  }
  if (all.verdict == CallVerdict::truncated) all.verdict = CallVerdict::go;
  return {all, error_};
}

}  // namespace

std::size_t share_for_uniform_between_nodes(const CommState& state, std::size_t block_bytes) {
  const std::size_t heads = 2 * sizeof(NodeHeader) * state.nodes().count();
  return block_bytes * state.size() + heads;
}

CallOutcome exchange_uniform_between_nodes(CommState& state, const Exchange& exchange,
                                           std::size_t block_bytes) {
  return NodeExchange(state, exchange, block_bytes).run();
}

CallOutcome exchange_varying_between_nodes(CommState& state, const Exchange& exchange) {
  return NodeExchange(state, exchange, 0).run();
}

}  // namespace atrium::mpi
