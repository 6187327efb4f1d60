// Translates addresses into places, and atomic operations into operations of the wire.
// SPDX-License-Identifier: BSD-3-Clause
#include "network/transport.hpp"

#include <algorithm>
#include <cstdint>

#include "check/check.hpp"

namespace atrium {
namespace {

bool later(Completion how) { return how == Completion::nonblocking; }

// A node takes an operation on a word that is not aligned for a message that makes no sense: it is refused here.
const RemoteAddress& aligned(const RemoteAddress& word, size_t width) {
  const std::byte* const mine = my_address(word);
  if (reinterpret_cast<uintptr_t>(mine) % width != 0)
    require_symmetric("the remote word", mine, width, width);
  return word;
}

}  // namespace

Place NodeMap::place_of(const RemoteAddress& address, size_t bytes) const {
  if (bytes != 0 && !is_inside(address, bytes))
    refuse_unsymmetric("the remote object", my_address(address), bytes);
  const int local = placement.place_of(address.pe);
  const uint64_t start = address.range == Range::globals ? layout.globals_at(local) : layout.heap_at(local);
  return {placement.node_of(address.pe), local, start + address.offset};
}

Place NetworkTransport::place_of_blocks(const RemoteAddress& address, ptrdiff_t step,
                                        const Strides& strides) const {
  RemoteAddress last = address;
  ptrdiff_t distance = 0;
  if (strides.count > 0 && __builtin_mul_overflow(step, strides.count - 1, &distance))
    place_of(address, SIZE_MAX);  // refused: a distance that wraps around may lead back into the range
  last.offset += static_cast<uint64_t>(distance);
  place_of(last, strides.block);
  return place_of(address, strides.block);
}

void NetworkTransport::put(atrium_context& ctx, const RemoteAddress& dest, const void* source, size_t bytes,
                           Completion how) {
  issuer_.put(&ctx.pending, place_of(dest, bytes), source, bytes, later(how));
}

void NetworkTransport::get(atrium_context& ctx, void* dest, const RemoteAddress& source, size_t bytes,
                           Completion how) {
  issuer_.get(&ctx.pending, dest, place_of(source, bytes), bytes, later(how));
}

void NetworkTransport::put_strided(atrium_context& ctx, const RemoteAddress& dest, const void* source,
                                   const Strides& strides, Completion how) {
  issuer_.put_blocks(&ctx.pending, place_of_blocks(dest, strides.dest_step, strides), source,
                     strides.dest_step, strides.source_step, strides.block, strides.count, later(how));
}

void NetworkTransport::get_strided(atrium_context& ctx, void* dest, const RemoteAddress& source,
                                   const Strides& strides, Completion how) {
  issuer_.get_blocks(&ctx.pending, dest, place_of_blocks(source, strides.source_step, strides),
                     strides.dest_step, strides.source_step, strides.block, strides.count, later(how));
}

uint64_t NetworkTransport::change_word(atrium_context&, const RemoteAddress& word, const WordChange& change) {
  return issuer_.fetch_change(place_of(aligned(word, change.width), change.width), change);
}

void NetworkTransport::change_word_later(atrium_context& ctx, const RemoteAddress& word,
                                         const WordChange& change, void* old) {
  if (old)
    issuer_.fetch_change_later(&ctx.pending, place_of(aligned(word, change.width), change.width), change,
                               old);
  else
    issuer_.change(&ctx.pending, place_of(aligned(word, change.width), change.width), change);
}

void NetworkTransport::put_signal(atrium_context& ctx, const RemoteAddress& dest, const void* source,
                                  size_t bytes, const RemoteAddress& signal, const WordChange& change,
                                  Completion how) {
  issuer_.put_signal(&ctx.pending, place_of(dest, bytes), source, bytes,
                     place_of(aligned(signal, change.width), change.width), change, later(how));
}

void NetworkTransport::raise(atrium_context&, const RemoteAddress& flag, uint64_t epoch,
                             const RemoteAddress& dest, const void* source, size_t bytes, Next next) {
  const Place at = place_of(flag, sizeof epoch);
  issuer_.raise(at, epoch, bytes != 0 ? place_of(dest, bytes) : at, source, bytes, next);
}

void NetworkTransport::fence(atrium_context&) { issuer_.fence(); }

void NetworkTransport::quiet(atrium_context& ctx) { issuer_.quiet(&ctx.pending); }

void NetworkTransport::quiet(atrium_context& ctx, std::span<const int> pes) {
  std::vector<int> nodes;
  for (int pe : pes) {
    if (!map_.placement.is_here(pe)) nodes.push_back(map_.placement.node_of(pe));
  }
  std::sort(nodes.begin(), nodes.end());
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  issuer_.quiet_nodes(&ctx.pending, nodes.data(), nodes.size());
}

}  // namespace atrium
