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

// Blocks that lie one behind the other in the sender's memory lie so in its share: one or two copies for all.
bool is_plain(const Side& side, const Blocks& blocks) {
  return !side.counts && blocks.at(0).shape->contiguous;
}

void copy_plain(const Side& from, std::byte* share, std::size_t bytes, int rank, int size) {
  const char* source = static_cast<const char*>(from.buffer);
  std::memcpy(share, source, rank * bytes);
  const std::size_t behind = (rank + 1) * bytes;
  std::memcpy(share + behind, source + behind, (size - rank - 1) * bytes);
}

int pack_uniform(Plan& plan, const Blocks& out, std::byte* share, std::size_t bytes, MPI_Comm comm) {
  int error = MPI_SUCCESS;
  for (int peer = 0; peer < plan.size() && error == MPI_SUCCESS; ++peer)
    error = pack(out.at(peer), share + peer * bytes, comm);
  return error;
}

int pack_varying(Plan& plan, const Blocks& out, const Table& table, MPI_Comm comm) {
  std::uint64_t at = 0;
  int error = MPI_SUCCESS;
  for (int peer = 0; peer < plan.size() && error == MPI_SUCCESS; ++peer) {
    const Block block = out.at(peer);
    table.begins[peer] = at;
    error = pack(block, table.data + at, comm);
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

}  // namespace

std::size_t share_for_uniform(const Plan& plan, std::size_t block_bytes) { return block_bytes * plan.size(); }

std::size_t share_for_varying(const Plan& plan, std::size_t total) {
  return table_bytes(plan.size()) + total;
}

Outcome exchange_uniform_on_node(Plan& plan, const Exchange& exchange, std::size_t bytes) {
  Room& room = plan.room();
  const int rank = plan.rank(), size = plan.size();
  const Side& from = sending_side(exchange);
  const Blocks out(from), in(exchange.receive);
  room.begin();
  std::byte* mine = room.share(rank);
  const bool plain = is_plain(from, out);
  Outcome outcome;
  if (plain)
    copy_plain(from, mine, bytes, rank, size);
  else if (pack_uniform(plan, out, mine, bytes, exchange.comm) != MPI_SUCCESS)
    outcome.verdict = Verdict::pass;
  room.card(rank) = Card{outcome.verdict, 0, 0};
  room.arrive();
  if (exchange.in_place()) {
    room.await_all();
    outcome.verdict = room.strongest().verdict;
    if (outcome.verdict != Verdict::go) return outcome;
  } else if (outcome.verdict == Verdict::go) {
    const std::byte* own = plain ? static_cast<std::byte*>(from.buffer) + rank * bytes : mine + rank * bytes;
    outcome.error = unpack(own, bytes, in.at(rank), exchange.comm);
  }
  if (in.bytes(0) < bytes) outcome.error = MPI_ERR_TRUNCATE;
  for (int turn = 1; turn < size; ++turn) {
    const int peer = rank + turn < size ? rank + turn : rank + turn - size;
    room.await(peer);
    outcome.verdict = std::max(outcome.verdict, room.card(peer).verdict);
    const int error = unpack(room.share(peer) + rank * bytes, bytes, in.at(peer), exchange.comm);
    if (error != MPI_SUCCESS) outcome.error = error;
  }
  if (outcome.error == MPI_ERR_TRUNCATE) PMPI_Comm_call_errhandler(exchange.comm, outcome.error);
  return outcome;
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
  else if (with_data &&
           pack_varying(plan, out, Table(room.share(plan.rank()), plan.size()), exchange.comm) != MPI_SUCCESS)
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
    const int failed = sent > block.bytes() ? MPI_ERR_TRUNCATE
                                            : unpack(table.block(plan.rank()), sent, block, exchange.comm);
    if (failed != MPI_SUCCESS) error = failed;
  }
  if (error == MPI_ERR_TRUNCATE) PMPI_Comm_call_errhandler(exchange.comm, error);
  return error;
}

}  // namespace atrium::mpi
