// The exchange on one node.
// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/on_node.hpp"

#include <algorithm>
#include <cstring>

namespace atrium::mpi {
namespace {

std::size_t table_bytes(int ranks) { return ((ranks + 1) * sizeof(std::uint64_t) + 63) & ~std::size_t{63}; }

// Where the blocks of a share are.
struct Table {
  std::uint64_t* begins;
  std::byte* data;
  Table(std::byte* share, int ranks)
      : begins(reinterpret_cast<std::uint64_t*>(share)), data(share + table_bytes(ranks)) {}
  std::byte* block(int peer) const { return data + begins[peer]; }
  std::size_t bytes(int peer) const { return begins[peer + 1] - begins[peer]; }
};

// One side of an exchange of equal blocks.
class Row {
 public:
  explicit Row(const Side& side)
      : begin_(static_cast<char*>(side.buffer)), count_(side.count), shape_(describe(side.type)) {}
  Block at(int peer) const { return {begin_ + shape_.extent * count_ * peer, count_, &shape_}; }
  // Blocks that lie one behind the other in the sender's memory lie so in its share: one or two copies for all.
  bool is_plain() const { return shape_.contiguous; }

 private:
  char* begin_;
  MPI_Aint count_;
  Shape shape_;
};

void copy_plain(const Side& from, std::byte* share, std::size_t bytes, int rank, int size) {
  const char* source = static_cast<const char*>(from.buffer);
  std::memcpy(share, source, rank * bytes);
  const std::size_t behind = (rank + 1) * bytes;
  std::memcpy(share + behind, source + behind, (size - rank - 1) * bytes);
}

int pack_uniform(Plan& plan, const Row& out, std::byte* share, std::size_t bytes) {
  int error = MPI_SUCCESS;
  for (int peer = 0; peer < plan.size() && error == MPI_SUCCESS; ++peer)
    error = pack(out.at(peer), share + peer * bytes, plan.quiet());
  return error;
}

int pack_varying(Plan& plan, const Blocks& out, const Table& table) {
  std::uint64_t at = 0;
  int error = MPI_SUCCESS;
  for (int peer = 0; peer < plan.size() && error == MPI_SUCCESS; ++peer) {
    const Block block = out.at(peer);
    table.begins[peer] = at;
    error = pack(block, table.data + at, plan.quiet());
    at += block.bytes();
  }
  table.begins[plan.size()] = at;
  return error;
}

// The largest block counts: each is packed in one piece.
bool is_packable(const Blocks& out, int size) {
  for (int peer = 0; peer < size; ++peer)
    if (out.bytes(peer) > largest_block) return false;
  return true;
}

// One exchange of equal blocks.
class UniformCall {
 public:
  UniformCall(Plan& plan, const Exchange& exchange, std::size_t bytes)
      : plan_(plan),
        room_(plan.room()),
        exchange_(exchange),
        from_(sending_side(exchange)),
        out_(from_),
        in_(exchange.receive),
        bytes_(bytes) {}

  Outcome run();

 private:
  std::byte* place(int rank) const { return room_.place(rank, bytes_ * plan_.size()); }
  void put_down();
  void take(const std::byte* from, int peer);
  void take_own();
  void take_from_others();

  Plan& plan_;
  Room& room_;
  const Exchange& exchange_;
  const Side& from_;
  const Row out_, in_;
  const std::size_t bytes_;
  Outcome outcome_;
};

void UniformCall::put_down() {
  std::byte* share = place(plan_.rank());
  if (out_.is_plain())
    copy_plain(from_, share, bytes_, plan_.rank(), plan_.size());
  else if (pack_uniform(plan_, out_, share, bytes_) != MPI_SUCCESS)
    outcome_.verdict = Verdict::pass;
  room_.card(plan_.rank()) = Card{outcome_.verdict, 0, 0};
  room_.arrive();
}

void UniformCall::take(const std::byte* from, int peer) {
  const int error = unpack(from, bytes_, in_.at(peer), plan_.quiet());
  if (error != MPI_SUCCESS) outcome_.error = error;
}

// My block for myself is not in my share if the share was copied in one go.
void UniformCall::take_own() {
  if (outcome_.verdict != Verdict::go) return;
  const std::byte* blocks = out_.is_plain() ? static_cast<std::byte*>(from_.buffer) : place(plan_.rank());
  take(blocks + plan_.rank() * bytes_, plan_.rank());
}

void UniformCall::take_from_others() {
  const int rank = plan_.rank(), size = plan_.size();
  for (int turn = 1; turn < size; ++turn) {
    const int peer = rank + turn < size ? rank + turn : rank + turn - size;
    const std::byte* mine = place(peer) + rank * bytes_;
    room_.await(peer, mine, bytes_);
    outcome_.verdict = std::max(outcome_.verdict, room_.card(peer).verdict);
    take(mine, peer);
  }
}

Outcome UniformCall::run() {
  room_.begin();
  put_down();
  if (exchange_.in_place()) {  // what is sent must not be overwritten before it is certain to be taken
    room_.await_all();
    outcome_.verdict = room_.strongest().verdict;
    if (outcome_.verdict != Verdict::go) return outcome_;
  } else {
    take_own();
  }
  take_from_others();
  if (in_.at(0).bytes() < bytes_) outcome_.error = MPI_ERR_TRUNCATE;
  return outcome_;
}

}  // namespace

std::size_t share_for_uniform(const Plan& plan, std::size_t block_bytes) { return block_bytes * plan.size(); }

std::size_t share_for_varying(const Plan& plan, std::size_t total) {
  return table_bytes(plan.size()) + total;
}

Outcome exchange_uniform_on_node(Plan& plan, const Exchange& exchange, std::size_t bytes) {
  return UniformCall(plan, exchange, bytes).run();
}

Card offer_varying_on_node(Plan& plan, const Exchange& exchange, bool with_data) {
  Room& room = plan.room();
  const Blocks out(sending_side(exchange));
  const std::size_t total = out.total(plan.size());
  Card card{Verdict::go, share_for_varying(plan, total), (total + plan.size() - 1) / plan.size()};
  room.begin();
  if (!is_packable(out, plan.size()))
    card.verdict = Verdict::pass;
  else if (card.need > room.share_bytes())
    card.verdict = Verdict::narrow;
  else if (with_data && pack_varying(plan, out, Table(room.share(plan.rank()), plan.size())) != MPI_SUCCESS)
    card.verdict = Verdict::pass;
  room.card(plan.rank()) = card;
  room.arrive();
  room.await_all();
  return room.strongest();
}

int take_varying_on_node(Plan& plan, const Exchange& exchange) {
  Room& room = plan.room();
  const Blocks in(exchange.receive);
  int error = MPI_SUCCESS;
  for (int turn = 0; turn < plan.size(); ++turn) {
    const int peer = (plan.rank() + turn) % plan.size();
    const Table table(room.share(peer), plan.size());
    const Block block = in.at(peer);
    const std::size_t sent = table.bytes(plan.rank());
    const int failed =
        sent > block.bytes() ? MPI_ERR_TRUNCATE : unpack(table.block(plan.rank()), sent, block, plan.quiet());
    if (failed != MPI_SUCCESS) error = failed;
  }
  return error;
}

}  // namespace atrium::mpi
