// The away transport of jobs that span nodes: an endpoint, or a neighbour's, behind the seam of transport/away.hpp.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "endpoint/endpoint.hpp"
#include "topology/placement.hpp"
#include "transport/away.hpp"

namespace atrium {

// How a node's segment is divided (segment/layout.hpp): nodes need not be alike.
struct NodeLayout {
  uint64_t heaps_at = 0;
  uint64_t globals_at = 0;
  uint64_t stride = 0;
};

// Where everything lies that PEs can name.
struct NodeMap {
  const Placement& placement;
  std::vector<NodeLayout> layouts;  // by node

  Place place_of(const RemoteAddress& address) const;
};

// `Door`: an Endpoint, or a RingClient that has one's use.
template <class Door>
class NetworkTransport final : public AwayTransport {
 public:
  // Both live as long as this.
  NetworkTransport(Door& door, const NodeMap& map) : door_(door), map_(map) {}

  void put(atrium_context& ctx, const RemoteAddress& dest, const void* source, size_t bytes,
           Completion how) override;
  void get(atrium_context& ctx, void* dest, const RemoteAddress& source, size_t bytes,
           Completion how) override;
  void put_strided(atrium_context& ctx, const RemoteAddress& dest, const void* source, const Strides& strides,
                   Completion how) override;
  void get_strided(atrium_context& ctx, void* dest, const RemoteAddress& source, const Strides& strides,
                   Completion how) override;
  uint64_t change_word(atrium_context& ctx, const RemoteAddress& word, const WordChange& change) override;
  void change_word_later(atrium_context& ctx, const RemoteAddress& word, const WordChange& change,
                         void* old) override;
  void put_signal(atrium_context& ctx, const RemoteAddress& dest, const void* source, size_t bytes,
                  const RemoteAddress& signal, const WordChange& change, Completion how) override;
  void raise(atrium_context& ctx, const RemoteAddress& flag, uint64_t epoch, const RemoteAddress& dest,
             const void* source, size_t bytes) override;
  void fence(atrium_context& ctx) override;
  void quiet(atrium_context& ctx) override;
  void quiet(atrium_context& ctx, std::span<const int> pes) override;

 private:
  Place place_of(const RemoteAddress& address) const { return map_.place_of(address); }

  Door& door_;
  const NodeMap& map_;
};

}  // namespace atrium
