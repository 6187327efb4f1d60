// Walks the stack outward, where a routine was called by the library's own code for inlined calls.
// SPDX-License-Identifier: BSD-3-Clause
#include <unwind.h>

#include "race/report/modules.hpp"

extern "C" char __ehdr_start __attribute__((visibility("hidden")));
extern "C" char _end __attribute__((visibility("hidden")));

namespace atrium::race {
namespace {

struct Search {
  uintptr_t begin, end, found;
};

bool is_ours(uintptr_t address) {
  const auto begin = reinterpret_cast<uintptr_t>(&__ehdr_start), end = reinterpret_cast<uintptr_t>(&_end);
  return address >= begin && address < end;
}

_Unwind_Reason_Code visit(_Unwind_Context* frame, void* data) {
  auto& search = *static_cast<Search*>(data);
  const uintptr_t address = _Unwind_GetIP(frame);
  if (address == 0 || is_ours(address) || (address >= search.begin && address < search.end))
    return _URC_NO_REASON;
  search.found = address;
  return _URC_END_OF_STACK;
}

}  // namespace

uintptr_t caller_outside(uintptr_t begin, uintptr_t end) {
  Search search{begin, end, 0};
  _Unwind_Backtrace(visit, &search);
  return search.found;
}

}  // namespace atrium::race
