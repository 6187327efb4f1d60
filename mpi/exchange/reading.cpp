// Tables of places in shared memory, and reads of other processes' memory.
// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/reading.hpp"

#include <algorithm>

#include "exchange/layout.hpp"
#include "segment/other_process.hpp"

namespace atrium::mpi {
namespace {

ReadTable table_of(CommState& state, int rank) { return ReadTable(state.node_buffer().share(rank)); }

std::uint64_t address_of(const void* place) { return reinterpret_cast<std::uint64_t>(place); }

// ---- Offering ----

class ReadOffer {
 public:
  ReadOffer(CommState& state, const Exchange& exchange)
      : state_(state), out_(exchange.send), table_(table_of(state, state.rank())) {}

  CallHeader write();

 private:
  bool is_readable(const Block& block) const;
  void find_exported();
  std::size_t bytes_to_pack() const;
  bool fill();

  CommState& state_;
  const Blocks out_;
  const ReadTable table_;
};

// Blocks are in one buffer as a rule: one piece is looked for.
void ReadOffer::find_exported() {
  *table_.head = {};
  for (int peer = 0; peer < state_.size() && table_.head->exported.segment < 0; ++peer)
    if (const Block block = out_.at(peer); block.bytes() > 0)
      table_.head->exported = exported_memory_at(block.at);
}

bool ReadOffer::is_readable(const Block& block) const {
  return block.shape->contiguous &&
         (state_.reads_processes() || table_.head->exported.holds(address_of(block.at), block.bytes()));
}

std::size_t ReadOffer::bytes_to_pack() const {
  std::size_t sum = 0;
  for (int peer = 0; peer < state_.size(); ++peer)
    if (const Block block = out_.at(peer); !is_readable(block)) sum += block.bytes();
  return sum;
}

bool ReadOffer::fill() {
  std::byte* room = nullptr;
  if (const std::size_t bytes = bytes_to_pack()) {
    const bool must_be_exported = !state_.reads_processes();
    room = state_.packed().room(bytes, must_be_exported);
    if (!room) return false;
  }
  const ExportedMemory packed = state_.reads_processes() ? ExportedMemory{} : exported_memory_at(room);
  for (int peer = 0; peer < state_.size(); ++peer) {
    const Block block = out_.at(peer);
    if (is_readable(block)) {
      table_.places[peer] = {address_of(block.at), block.bytes()};
      continue;
    }
    if (block.bytes() > largest_block || pack(block, room, state_.comm()) != MPI_SUCCESS) return false;
    table_.places[peer] = {address_of(room), block.bytes()};
    room += block.bytes();
  }
  if (packed.segment >= 0) table_.head->packed = packed;
  return true;
}

CallHeader ReadOffer::write() {
  const std::size_t ranks = static_cast<std::size_t>(state_.size()), total = out_.total(state_.size());
  CallHeader header{CallVerdict::go, share_for_reading(state_), (total + ranks - 1) / ranks};
  if (header.need > state_.node_buffer().share_bytes())
    return header.verdict = CallVerdict::too_small, header;
  find_exported();
  if (!fill()) header.verdict = CallVerdict::fallback;
  return header;
}

void put_down(CommState& state, const Exchange& exchange) {
  NodeBuffer& buffer = state.node_buffer();
  buffer.begin();
  buffer.header(state.rank()) = ReadOffer(state, exchange).write();
  buffer.arrive();
}

// ---- Reading ----

class MemoryReader {
 public:
  MemoryReader(CommState& state, const Exchange& exchange) : state_(state), in_(exchange.receive) {}

  CallOutcome run();

 private:
  void take(int peer);
  bool take_block(int peer, const ReadTable& table, const Block& block);
  bool copy(int peer, const ReadTable::Head& head, const ReadTable::Place& place, std::byte* to) const;

  CommState& state_;
  const Blocks in_;
  bool has_failed_ = false;
  CallOutcome outcome_;
};

bool MemoryReader::copy(int peer, const ReadTable::Head& head, const ReadTable::Place& place,
                        std::byte* to) const {
  for (const ExportedMemory& exported : {head.exported, head.packed}) {
    if (!exported.holds(place.address, place.bytes)) continue;
    if (const std::byte* memory = map_exported_memory(exported)) {
      std::memcpy(to, memory + (place.address - exported.address), place.bytes);
      return true;
    }
  }
  return state_.reads_processes() && read_process(state_.process(peer), place.address, to, place.bytes);
}

bool MemoryReader::take_block(int peer, const ReadTable& table, const Block& block) {
  const ReadTable::Place& place = table.places[state_.rank()];
  if (place.bytes > block.bytes()) return outcome_.error = MPI_ERR_TRUNCATE, true;
  if (place.bytes == 0) return true;
  const bool is_mine = peer == state_.rank();
  const auto* here = reinterpret_cast<const std::byte*>(place.address);
  if (!is_mine && block.shape->contiguous)
    return copy(peer, *table.head, place, reinterpret_cast<std::byte*>(block.at));
  if (!is_mine) {
    std::byte* room = state_.unpacked().room(place.bytes, false);
    if (!room || !copy(peer, *table.head, place, room)) return false;
    here = room;
  }
  const int error = unpack(here, place.bytes, block, state_.comm());
  if (error != MPI_SUCCESS) outcome_.error = error;
  return true;
}

void MemoryReader::take(int peer) {
  NodeBuffer& buffer = state_.node_buffer();
  buffer.await(peer);
  CallVerdict& strongest = outcome_.strongest.verdict;
  strongest = std::max(strongest, buffer.header(peer).verdict);
  if (strongest == CallVerdict::go && !take_block(peer, table_of(state_, peer), in_.at(peer)))
    has_failed_ = true;
}

// The send buffer is the caller's again when all have read; then all know as well whether all could.
CallOutcome MemoryReader::run() {
  NodeBuffer& buffer = state_.node_buffer();
  for (int turn = 0; turn < state_.size(); ++turn) take((state_.rank() + turn) % state_.size());
  table_of(state_, state_.rank()).head->has_failed = has_failed_;
  buffer.arrive();
  buffer.await_all();
  for (int rank = 0; rank < state_.size(); ++rank)
    if (table_of(state_, rank).head->has_failed) outcome_.strongest.verdict = CallVerdict::fallback;
  return outcome_;
}

}  // namespace

std::size_t share_for_reading(const CommState& state) { return ReadTable::bytes_of(state.size()); }

CallOutcome exchange_by_reading(CommState& state, const Exchange& exchange) {
  put_down(state, exchange);
  return MemoryReader(state, exchange).run();
}

CallHeader offer_to_readers(CommState& state, const Exchange& exchange) {
  put_down(state, exchange);
  state.node_buffer().await_all();
  return state.node_buffer().strongest();
}

CallOutcome read_from_others(CommState& state, const Exchange& exchange) {
  return MemoryReader(state, exchange).run();
}

}  // namespace atrium::mpi
