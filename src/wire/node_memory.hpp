// The memory of my node's PEs as an endpoint sees it, and what records do to it.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>

#include "wire/message.hpp"

namespace atrium {

// How the memory of a node's PEs lies in what endpoints map and register, the node's *view*; all nodes' alike:
//
//   | system 0 | heap 0 | globals 0 |..| system 1 | heap 1 | globals 1 |..|
//    <--- heap_bytes --->
//    <----------- part_bytes --------->
//
// It has no gap between a heap and static data, as the segment has (segment/layout.hpp), because a network that pins registered
// memory would allocate the pages of the gap, too.
struct NodeLayout {
  uint64_t heap_bytes = 0;  // with the system area in front
  uint64_t globals_bytes = 0;
  uint64_t part_bytes = 0;

  uint64_t heap_at(int local) const { return static_cast<uint64_t>(local) * part_bytes; }
  uint64_t globals_at(int local) const { return heap_at(local) + heap_bytes; }
};

// The view of my node.
struct NodeMemory {
  char* view = nullptr;
  int pes = 0;
  NodeLayout layout;

  uint64_t bytes() const { return static_cast<uint64_t>(pes) * layout.part_bytes; }

  // Whether [place, place + bytes) is memory of that PE.
  bool allows(unsigned local, uint64_t place, uint64_t length) const {
    if (local >= static_cast<unsigned>(pes)) return false;
    const int pe = static_cast<int>(local);
    return inside(layout.heap_at(pe), layout.heap_bytes, place, length) ||
           inside(layout.globals_at(pe), layout.globals_bytes, place, length);
  }

 private:
  static bool inside(uint64_t start, uint64_t size, uint64_t place, uint64_t length) {
    return place >= start && place - start <= size && length <= size - (place - start);
  }
};

enum class Executed {
  refused,  // it would access memory outside that PE's, or a misaligned word; nothing has happened
  done,
  changed  // and a thread may wait for it: [place, place + `changed_bytes`)
};

struct Outcome {
  Executed executed = Executed::refused;
  uint64_t changed_bytes = 0;
  uint64_t value = 0;  // what a `change` found
};

// A put, change or landed record. Records executed one after the other appear in this order to threads that acquire.
Outcome execute(const NodeMemory& memory, const Record& record);
// A get record: `dest` holds largest_reply bytes. False: refused.
bool fetch_for(const NodeMemory& memory, const Record& record, char* dest, size_t& bytes);

}  // namespace atrium
