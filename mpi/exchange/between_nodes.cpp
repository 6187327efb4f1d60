// The exchange between nodes.
// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/between_nodes.hpp"

#include <optional>

#include "exchange/messages.hpp"
#include "exchange/region.hpp"

namespace atrium::mpi {
namespace {

class Call {
 public:
  using Expects = bool (*)(Plan& plan, std::size_t widest);

  Call(Plan& plan, const Exchange& exchange, std::size_t block_bytes, Expects expects)
      : plan_(plan),
        room_(plan.room()),
        nodes_(plan.nodes()),
        exchange_(exchange),
        block_bytes_(block_bytes),
        expects_(expects),
        out_(sending_side(exchange)),
        in_(exchange.receive) {}

  Outcome run();

 private:
  Region region(std::byte* begin, int from, int to) const {
    return {begin, nodes_.all[from], nodes_.all[to], block_bytes_};
  }
  void tell_sizes();
  bool is_packable() const;
  std::size_t row_begin(int node) const;
  int fill(int node);
  Card fill_all();
  void take(int node);
  void take_from_others();

  Plan& plan_;
  Room& room_;
  const Nodes& nodes_;
  const Exchange& exchange_;
  std::size_t block_bytes_;
  Expects expects_;
  Blocks out_, in_;
  Regions regions_;
  bool is_narrow_ = false;
  int error_ = MPI_SUCCESS;
};

void Call::tell_sizes() {
  std::uint64_t* notice = room_.notice(nodes_.local);
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

// Each block in one piece.
bool Call::is_packable() const {
  for (int rank = 0; rank < plan_.size(); ++rank)
    if (out_.bytes(rank) > largest_block) return false;
  return true;
}

// Where my blocks begin in the region to that node, behind those of the ranks before me.
std::size_t Call::row_begin(int node) const {
  if (block_bytes_) return std::size_t(nodes_.local) * nodes_.all[node].size() * block_bytes_;
  std::size_t begin = 0;
  for (int other = 0; other < nodes_.local; ++other) begin += room_.notice(other)[node];
  return begin;
}

int Call::fill(int node) {
  const Region to = region(room_.sending() + regions_.send_at[node], nodes_.mine, node);
  std::byte* place = to.data() + row_begin(node);
  int column = 0;
  for (int rank : nodes_.all[node].ranks) {
    const Block block = out_.at(rank);
    if (!block_bytes_) to.table_row(nodes_.local)[column++] = block.bytes();
    if (const int error = pack(block, place, plan_.quiet()); error != MPI_SUCCESS) return error;
    place += block.bytes();
  }
  return MPI_SUCCESS;
}

Card Call::fill_all() {
  Card card{Verdict::go, 0, regions_.widest};
  if (!block_bytes_ && !is_packable()) return card.verdict = Verdict::pass, card;
  if (is_narrow_) return card.verdict = Verdict::narrow, card.need = regions_.need, card;
  if (!block_bytes_ && !expects_(plan_, regions_.widest)) return card.verdict = Verdict::absent, card;
  for (int node = 0; node < nodes_.count(); ++node)
    if (fill(node) != MPI_SUCCESS) card.verdict = Verdict::pass;
  return card;
}

void Call::take(int node) {
  std::byte* begin = node == nodes_.mine ? room_.sending() + regions_.send_at[node]
                                         : room_.receiving() + regions_.receive_at[node];
  region(begin, node, nodes_.mine)
      .for_each_in_column(nodes_.local, [&](int row, std::byte* place, std::size_t bytes) {
        const Block block = in_.at(nodes_.all[node].ranks[row]);
        const int error =
            bytes > block.bytes() ? MPI_ERR_TRUNCATE : unpack(place, bytes, block, plan_.quiet());
        if (error != MPI_SUCCESS) error_ = error;
      });
}

void Call::take_from_others() {
  for (int turn = 1; turn < nodes_.count(); ++turn) take((nodes_.mine + turn) % nodes_.count());
}

Outcome Call::run() {
  room_.begin();
  if (!block_bytes_) {
    tell_sizes();
    room_.arrive();
    room_.await_all();
  }
  regions_ = block_bytes_ ? regions_of_uniform(plan_, block_bytes_) : regions_of_notices(plan_);
  is_narrow_ = regions_.need > room_.share_bytes();
  std::optional<Messages> messages;
  if (nodes_.i_lead()) messages.emplace(plan_, regions_, is_narrow_);
  room_.card(nodes_.local) = fill_all();
  room_.arrive();
  room_.await_all();
  const Card ours = room_.strongest();
  if (messages) messages->send(ours);
  const bool early = !exchange_.in_place() && ours.verdict == Verdict::go;
  if (early) take(nodes_.mine);
  if (messages) room_.deliver(messages->finish());
  const Card all = stronger(ours, room_.await_leaders(nodes_.here().leaders));
  if (all.verdict == Verdict::torn) error_ = MPI_ERR_TRUNCATE;
  if (all.verdict == Verdict::go) {
    if (!early) take(nodes_.mine);
    take_from_others();
  }
  return {all.verdict == Verdict::torn ? Verdict::go : all.verdict, all.need, all.widest, error_};
}

}  // namespace

std::size_t share_for_uniform_between_nodes(const Plan& plan, std::size_t block_bytes) {
  const std::size_t heads = 2 * sizeof(Envelope) * plan.nodes().count();
  return block_bytes * plan.size() + heads;
}

Outcome exchange_uniform_between_nodes(Plan& plan, const Exchange& exchange, std::size_t block_bytes) {
  return Call(plan, exchange, block_bytes, nullptr).run();
}

Outcome exchange_varying_between_nodes(Plan& plan, const Exchange& exchange,
                                       bool (*expects)(Plan& plan, std::size_t widest)) {
  return Call(plan, exchange, 0, expects).run();
}

}  // namespace atrium::mpi
