// Addresses become places, word changes become records' operations.
// SPDX-License-Identifier: BSD-3-Clause
#include "network/transport.hpp"

#include <algorithm>

#include "check/check.hpp"
#include "network/ring_client.hpp"

namespace atrium {
namespace {

bool later(Completion how) { return how == Completion::nonblocking; }

}  // namespace

Place NodeMap::place_of(const RemoteAddress& address, size_t bytes) const {
  if (bytes != 0 && !is_inside(address, bytes))
    refuse_unsymmetric("the remote object", arena[address.range].origin + address.offset, bytes);
  const int local = placement.place_of(address.pe);
  const uint64_t start = address.range == Range::globals ? layout.globals_at(local) : layout.heap_at(local);
  return {placement.node_of(address.pe), local, start + address.offset};
}

template <class Door>
Place NetworkTransport<Door>::place_of_blocks(const RemoteAddress& address, ptrdiff_t step,
                                              const Strides& strides) const {
  RemoteAddress last = address;
  if (strides.count > 0) last.offset += static_cast<uint64_t>(step) * (strides.count - 1);
  place_of(last, strides.block);
  return place_of(address, strides.block);
}

template <class Door>
void NetworkTransport<Door>::put(atrium_context& ctx, const RemoteAddress& dest, const void* source,
                                 size_t bytes, Completion how) {
  door_.put(&ctx.pending, place_of(dest, bytes), source, bytes, later(how));
}

template <class Door>
void NetworkTransport<Door>::get(atrium_context& ctx, void* dest, const RemoteAddress& source, size_t bytes,
                                 Completion how) {
  door_.get(&ctx.pending, dest, place_of(source, bytes), bytes, later(how));
}

template <class Door>
void NetworkTransport<Door>::put_strided(atrium_context& ctx, const RemoteAddress& dest, const void* source,
                                         const Strides& strides, Completion how) {
  door_.put_blocks(&ctx.pending, place_of_blocks(dest, strides.dest_step, strides), source, strides.dest_step,
                   strides.source_step, strides.block, strides.count, later(how));
}

template <class Door>
void NetworkTransport<Door>::get_strided(atrium_context& ctx, void* dest, const RemoteAddress& source,
                                         const Strides& strides, Completion how) {
  door_.get_blocks(&ctx.pending, dest, place_of_blocks(source, strides.source_step, strides),
                   strides.dest_step, strides.source_step, strides.block, strides.count, later(how));
}

template <class Door>
uint64_t NetworkTransport<Door>::change_word(atrium_context&, const RemoteAddress& word,
                                             const WordChange& change) {
  return door_.fetch_change(place_of(word, change.width), change);
}

template <class Door>
void NetworkTransport<Door>::change_word_later(atrium_context& ctx, const RemoteAddress& word,
                                               const WordChange& change, void* old) {
  if (old)
    door_.fetch_change_later(&ctx.pending, place_of(word, change.width), change, old);
  else
    door_.change(&ctx.pending, place_of(word, change.width), change);
}

template <class Door>
void NetworkTransport<Door>::put_signal(atrium_context& ctx, const RemoteAddress& dest, const void* source,
                                        size_t bytes, const RemoteAddress& signal, const WordChange& change,
                                        Completion how) {
  door_.put_signal(&ctx.pending, place_of(dest, bytes), source, bytes, place_of(signal, change.width), change,
                   later(how));
}

template <class Door>
void NetworkTransport<Door>::raise(atrium_context&, const RemoteAddress& flag, uint64_t epoch,
                                   const RemoteAddress& dest, const void* source, size_t bytes) {
  const Place at = place_of(flag, sizeof epoch);
  door_.raise(at, epoch, bytes != 0 ? place_of(dest, bytes) : at, source, bytes);
}

template <class Door>
void NetworkTransport<Door>::fence(atrium_context&) {
  door_.fence();
}

template <class Door>
void NetworkTransport<Door>::quiet(atrium_context& ctx) {
  door_.quiet(&ctx.pending);
}

template <class Door>
void NetworkTransport<Door>::quiet(atrium_context& ctx, std::span<const int> pes) {
  std::vector<int> nodes;
  for (int pe : pes) {
    if (!map_.placement.is_here(pe)) nodes.push_back(map_.placement.node_of(pe));
  }
  std::sort(nodes.begin(), nodes.end());
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  door_.quiet_nodes(&ctx.pending, nodes.data(), nodes.size());
}

template class NetworkTransport<Endpoint>;
template class NetworkTransport<RingClient>;

}  // namespace atrium
