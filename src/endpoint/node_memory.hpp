// The memory of my node's PEs as an endpoint sees it, and what records do to it.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>

#include "endpoint/message.hpp"

namespace atrium {

// One mapping of the node's whole segment, and which parts of it belong to PEs (segment/layout.hpp).
struct NodeMemory {
  char* view = nullptr;
  uint64_t bytes = 0;  // of the segment
  int pes = 0;         // of this node
  uint64_t stride = 0;
  uint64_t heaps_at = 0, heap_bytes = 0;  // with the system area in front
  uint64_t globals_at = 0, globals_bytes = 0;

  // Whether [place, place + bytes) is memory of that PE.
  bool allows(unsigned local, uint64_t place, uint64_t length) const {
    if (local >= static_cast<unsigned>(pes)) return false;
    return inside(heaps_at + local * stride, heap_bytes, place, length) ||
           inside(globals_at + local * stride, globals_bytes, place, length);
  }

 private:
  static bool inside(uint64_t start, uint64_t size, uint64_t place, uint64_t length) {
    return place >= start && place - start <= size && length <= size - (place - start);
  }
};

enum class Executed {
  refused,  // it would touch what is not memory of that PE, or a word across its alignment: nothing has happened
  done,
  changed  // and somebody may wait for it: [place, place + `changed_bytes`)
};

struct Outcome {
  Executed executed = Executed::refused;
  uint64_t changed_bytes = 0;
  uint64_t value = 0;  // what a `change` found
};

// A put, change or landed record. Records executed one after the other appear in this order to whoever acquires.
Outcome execute(const NodeMemory& memory, const Record& record);
// A get record: `dest` has room for largest_reply bytes. False: refused.
bool fetch_for(const NodeMemory& memory, const Record& record, char* dest, size_t& bytes);

}  // namespace atrium
