// An access: it is recorded in the shadow and compared with the accesses that are there.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>

#include "race/model/strand.hpp"
#include "race/shadow/region.hpp"

namespace atrium::race {

struct Access {
  Strand* strand;
  Lane lane;  // T of the strand, or O of an operation
  uint8_t kind;
  Origin origin;
  const ToolContext* context = nullptr;  // of an operation: its fences count
  bool operation = false;                // in lane O

  Tick tick() const { return strand->tick(); }
};

// Complete when the call returns.
inline Access access_now(Strand& strand, uint8_t kind, Origin origin) {
  return {&strand, strand.lane, kind, origin};
}
// Complete at a time that fences, quiets and observed values limit.
inline Access access_later(OperationStream& stream, uint8_t kind, Origin origin) {
  stream.strand->issue();
  return {stream.strand, stream.lane, kind, origin, stream.context, true};
}

// Where an access is.
struct AccessTarget {
  ShadowAddress shadow;  // empty: private memory
  uintptr_t address;     // of private memory
  unsigned unit = 1;     // how many bytes a bit of the accesses' masks stands for; 0: the place is exact
};

void touch(ShadowAddress shadow, size_t bytes, const Access& access);
void touch_private(uintptr_t address, size_t bytes, const Access& access);
void touch_anywhere(const void* address, size_t bytes, const Access& access);

// Decides whether private memory is checked: called when a session begins or ends, and with the first thread.
void update_watch();

// No thread and no completed operation is left that could care about this memory.
void forget_private(uintptr_t address, size_t bytes);
void forget_completed(const Strand& strand);

bool ordered_before(Epoch there, const Access& access);

}  // namespace atrium::race
