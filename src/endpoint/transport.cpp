// Addresses become places, word changes become records' operations.
// SPDX-License-Identifier: BSD-3-Clause
#include "endpoint/transport.hpp"

#include <algorithm>

namespace atrium {
namespace {

static_assert(static_cast<int>(WordOp::fetch) == static_cast<int>(RecordOp::fetch) &&
                  static_cast<int>(WordOp::set) == static_cast<int>(RecordOp::set) &&
                  static_cast<int>(WordOp::swap) == static_cast<int>(RecordOp::swap) &&
                  static_cast<int>(WordOp::compare_swap) == static_cast<int>(RecordOp::compare_swap) &&
                  static_cast<int>(WordOp::add) == static_cast<int>(RecordOp::add) &&
                  static_cast<int>(WordOp::bit_and) == static_cast<int>(RecordOp::bit_and) &&
                  static_cast<int>(WordOp::bit_or) == static_cast<int>(RecordOp::bit_or) &&
                  static_cast<int>(WordOp::bit_xor) == static_cast<int>(RecordOp::bit_xor),
              "the seam's operations are those of the records, by number");

Change change_of(const WordChange& change) {
  return {static_cast<RecordOp>(change.op), change.width, change.operand, change.comparand};
}

bool later(Completion how) { return how == Completion::nonblocking; }

}  // namespace

Place NetworkTransport::place_of(const RemoteAddress& address) const {
  const int node = placement_.node_of(address.pe), local = placement_.place_of(address.pe);
  const NodeLayout& layout = layouts_[static_cast<size_t>(node)];
  const uint64_t start = address.range == Range::globals ? layout.globals_at : layout.heaps_at;
  return {node, local, start + static_cast<uint64_t>(local) * layout.stride + address.offset};
}

void NetworkTransport::put(atrium_context& ctx, const RemoteAddress& dest, const void* source, size_t bytes,
                           Completion how) {
  endpoint_.put(&ctx.pending, place_of(dest), source, bytes, later(how));
}

void NetworkTransport::get(atrium_context& ctx, void* dest, const RemoteAddress& source, size_t bytes,
                           Completion how) {
  endpoint_.get(&ctx.pending, dest, place_of(source), bytes, later(how));
}

void NetworkTransport::put_strided(atrium_context& ctx, const RemoteAddress& dest, const void* source,
                                   const Strides& strides, Completion how) {
  endpoint_.put_blocks(&ctx.pending, place_of(dest), source, strides.dest_step, strides.source_step,
                       strides.block, strides.count, later(how));
}

void NetworkTransport::get_strided(atrium_context& ctx, void* dest, const RemoteAddress& source,
                                   const Strides& strides, Completion how) {
  endpoint_.get_blocks(&ctx.pending, dest, place_of(source), strides.dest_step, strides.source_step,
                       strides.block, strides.count, later(how));
}

uint64_t NetworkTransport::change_word(atrium_context&, const RemoteAddress& word, const WordChange& change) {
  return endpoint_.fetch_change(place_of(word), change_of(change));
}

void NetworkTransport::change_word_later(atrium_context& ctx, const RemoteAddress& word,
                                         const WordChange& change, void* old) {
  if (old)
    endpoint_.fetch_change_later(&ctx.pending, place_of(word), change_of(change), old);
  else
    endpoint_.change(&ctx.pending, place_of(word), change_of(change));
}

void NetworkTransport::put_signal(atrium_context& ctx, const RemoteAddress& dest, const void* source,
                                  size_t bytes, const RemoteAddress& signal, const WordChange& change,
                                  Completion how) {
  endpoint_.put_signal(&ctx.pending, place_of(dest), source, bytes, place_of(signal), change_of(change),
                       later(how));
}

void NetworkTransport::raise(atrium_context&, const RemoteAddress& flag, uint64_t epoch,
                             const RemoteAddress& dest, const void* source, size_t bytes) {
  endpoint_.raise(place_of(flag), epoch, place_of(bytes != 0 ? dest : flag), source, bytes);
}

void NetworkTransport::fence(atrium_context&) { endpoint_.fence(); }

void NetworkTransport::quiet(atrium_context& ctx) { endpoint_.quiet(&ctx.pending); }

void NetworkTransport::quiet(atrium_context&, std::span<const int> pes) {
  std::vector<int> nodes;
  for (int pe : pes) {
    if (!placement_.is_here(pe)) nodes.push_back(placement_.node_of(pe));
  }
  std::sort(nodes.begin(), nodes.end());
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  endpoint_.quiet_nodes(nodes.data(), nodes.size());
}

void NetworkTransport::forget(atrium_context&) {}

}  // namespace atrium
