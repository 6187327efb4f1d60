// An operation on the memory of another node, in the form that it has from the transport (transport/away.hpp) to its record.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "wire/pending.hpp"

namespace atrium {

// What is done to a word. With `operand` x, and for compare_swap `comparand` c. A record has three bits for it (wire/message.hpp).
enum class WordOp : uint8_t {
  fetch,         // nothing
  set,           // word = x
  swap,          // word = x
  compare_swap,  // if (word == c) word = x
  add,           // word += x
  bit_and,       // word &= x
  bit_or,        // word |= x
  bit_xor,       // word ^= x
  count
};

struct WordChange {
  WordOp op = WordOp::fetch;
  uint8_t width = 8;     // bytes: 4 or 8; set, add and the comparing wait words also 2
  uint64_t operand = 0;  // in the low `width` bytes
  uint64_t comparand = 0;
};

// Where a peer's copy lies.
struct Place {
  int node;
  int local;        // number of the PE on that node
  uint64_t offset;  // in that node's view (wire/node_memory.hpp)
};

enum class OperationKind : uint8_t {
  none,
  put,     // `bytes` of mine to `place`
  get,     // ... from there
  change,  // of the word at `place`
  fetch,   // ... whose old value is wanted
  signal,  // a put, which may be of 0 bytes, and behind it the change of the word at the signal's place
  fence    // what was issued before is seen before what is issued later, per node
};

// What its issuer does next. `same_node`: at once, another operation for the same node, and one message carries the records of both.
enum class Next : bool { unknown, same_node };

// PEs of one node write it to each other as it is (network/command.hpp).
struct Operation {
  OperationKind kind = OperationKind::none;
  Next next = Next::unknown;
  int32_t signal_local = 0;  // on the node of `place`
  uint64_t signal_offset = 0;
  Place place{};
  uint64_t bytes = 0;
  WordChange change{};

  Place signal_place() const { return {place.node, signal_local, signal_offset}; }
  bool puts() const { return kind == OperationKind::put || kind == OperationKind::signal; }
};

// An operation with the memory and the counters of this process that it concerns.
struct Request : Operation {
  char* here = nullptr;        // source or destination
  Pending* pending = nullptr;  // counts it until it is complete
  Pending* returns = nullptr;  // counts it until `here` may be used again; of a large put that leaves no copy
  bool copies = false;         // leaves one, if there is room, and `here` may be used again at once
  bool is_awaited = false;     // the thread that begins it waits for it alone, and sends it
};

inline Operation put_of(const Place& to, uint64_t bytes) {
  return {.kind = OperationKind::put, .place = to, .bytes = bytes};
}
inline Operation get_of(const Place& from, uint64_t bytes) {
  return {.kind = OperationKind::get, .place = from, .bytes = bytes};
}
inline Operation change_of(const Place& word, const WordChange& change) {
  return {.kind = OperationKind::change, .place = word, .change = change};
}
inline Operation fetch_of(const Place& word, const WordChange& change) {
  return {.kind = OperationKind::fetch, .place = word, .change = change};
}
inline Operation signal_of(const Place& to, uint64_t bytes, const Place& signal, const WordChange& change) {
  return {OperationKind::signal, Next::unknown, signal.local, signal.offset, to, bytes, change};
}

inline Place moved(const Place& place, ptrdiff_t bytes) {
  return {place.node, place.local, place.offset + static_cast<uint64_t>(bytes)};
}

}  // namespace atrium
