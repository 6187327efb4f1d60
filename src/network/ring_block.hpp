// The system memory that a PE without an endpoint shares with the neighbour whose endpoint it uses; one block per PE.
// SPDX-License-Identifier: BSD-3-Clause
//
// Words.      *Owner*: a PE with an endpoint. *Client*: one without, whose commands go through a ring to an owner of its
//             node. *Counter*: counts what is not complete (wire/pending.hpp): the client counts a command before it
//             writes it, the owner counts what becomes of it before it takes that one back. *Staging buffer*: through
//             it goes what is not in symmetric memory, which the owner does not map, and blocking puts of some size.
// Invariants. No pointer is stored. Zero-filled memory is a block of a client that has asked for nothing. Pages of staging
//             buffers that are never used are never touched. An owner's block is its bell alone.
#pragma once

#include <cstddef>
#include <cstdint>

#include "network/command_ring.hpp"
#include "network/doorbell.hpp"
#include "network/questions.hpp"
#include "wire/protocol.hpp"

namespace atrium {

struct alignas(128) RingBlock {
  static constexpr uint32_t ring_room = 64 << 10;
  static constexpr size_t staging_bytes = size_t{256}
                                          << 10;  // 64 KiB: large transfers took 2.5 times as long
  static constexpr size_t result_bytes = size_t{64} << 10;
  static constexpr size_t staging_buffers = 4;
  // Counters, by number.
  static constexpr uint16_t uncounted = 0;  // operations that no context waits for
  static constexpr uint16_t first_context = 1, contexts = 26;
  static constexpr uint16_t results = first_context + contexts;  // what fills the buffer of results
  static constexpr uint16_t first_staging = results + 1;
  static constexpr uint16_t counters = first_staging + staging_buffers;

  static_assert(counters <= 32, "an owner has a bit for each");
  static_assert(2 * command_size(largest_payload) <= ring_room / 2, "a ring that is not crowded has room");

  Doorbell bell;                     // an owner's: commands have come
  alignas(128) Questions questions;  // a client's, to its owner
  alignas(128) Doorbell done;        // a client's: something is complete
  Doorbell room;                     // ... or there is space in its ring again
  alignas(128) uint64_t counter[counters];
  CommandRing<ring_room> ring;
  alignas(128) char staging[staging_buffers][staging_bytes];
  char result[result_bytes];
};

}  // namespace atrium
