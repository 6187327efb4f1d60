// The away transport of jobs that span nodes (transport/away.hpp): by an endpoint of this PE or of a neighbour.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "network/issuer.hpp"
#include "topology/placement.hpp"
#include "transport/away.hpp"
#include "wire/node_memory.hpp"

namespace atrium {

// Where the memory lies that PEs can address.
struct NodeMap {
  const Placement& placement;
  NodeLayout layout;  // of each node

  // Of `bytes` bytes. Ends the job when they leave their range: the network would write them into the next one.
  Place place_of(const RemoteAddress& address, size_t bytes) const;
};

class NetworkTransport final : public AwayTransport {
 public:
  // Both live as long as this.
  NetworkTransport(Issuer& issuer, const NodeMap& map) : issuer_(issuer), map_(map) {}

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
             const void* source, size_t bytes, Next next) override;
  void fence(atrium_context& ctx) override;
  void quiet(atrium_context& ctx) override;
  void quiet(atrium_context& ctx, std::span<const int> pes) override;

 private:
  Place place_of(const RemoteAddress& address, size_t bytes) const { return map_.place_of(address, bytes); }
  // Of the first of these blocks.
  Place place_of_blocks(const RemoteAddress& address, ptrdiff_t step, const Strides& strides) const;

  Issuer& issuer_;
  const NodeMap& map_;
};

}  // namespace atrium
