// Waiting for and testing one word of this PE's symmetric memory.
// SPDX-License-Identifier: BSD-3-Clause
#include "ops/wait.hpp"

#include "arena/arena.hpp"
#include "check/check.hpp"
#include "context/context.hpp"
#include "ops/compare.hpp"
#include "wait/wait.hpp"

namespace atrium::detail {

void require_watchable(const void* words, size_t bytes, size_t alignment) {
  require_symmetric("ivar", words, bytes, alignment);
}

void require_comparison(int cmp) {
  if (*symbol_of(cmp) == '\0') refuse_value("cmp", cmp, "SHMEM_CMP_EQ, NE, GT, GE, LT or LE");
}

void require_a_job() {
  if (!default_context.team) refuse_uninitialised();
}

// Writers compare the watched bytes by their distance from the park slot. That is the same on every PE for
// the heap; the static data may lie elsewhere in every process, so there any store may wake us.
WaitReason reason_for(WaitKind kind, const void* words, size_t bytes) {
  WaitReason reason{kind, words};
  if (arena.heap().contains(words, bytes)) reason.bytes = bytes;
  return reason;
}

template <class W>
W wait_for_value(WaitKind kind, const void* element, int cmp, W value) {
  if (checking()) require_watchable(element, sizeof(W), alignof(W));
  if (const W now = load_word<W>(element); holds(now, cmp, value)) return now;
  require_comparison(cmp);
  require_a_job();
  WaitReason reason = reason_for(kind, element, sizeof(W));
  reason.value = static_cast<uint64_t>(value);
  reason.comparison = symbol_of(cmp);
  reason.width = sizeof(W);
  W seen;
  wait_for(reason, [&] { return holds(seen = load_word<W>(element), cmp, value); });
  return seen;
}

template <class W>
bool test_value(const void* element, int cmp, W value) {
  if (checking()) require_watchable(element, sizeof(W), alignof(W));
  require_comparison(cmp);
  if (holds(load_word<W>(element), cmp, value)) return true;
  give_way();
  return false;
}

template int64_t wait_for_value(WaitKind, const void*, int, int64_t);
template uint64_t wait_for_value(WaitKind, const void*, int, uint64_t);
template int32_t wait_for_value(WaitKind, const void*, int, int32_t);
template uint32_t wait_for_value(WaitKind, const void*, int, uint32_t);
template int16_t wait_for_value(WaitKind, const void*, int, int16_t);
template uint16_t wait_for_value(WaitKind, const void*, int, uint16_t);
template bool test_value(const void*, int, int64_t);
template bool test_value(const void*, int, uint64_t);
template bool test_value(const void*, int, int32_t);
template bool test_value(const void*, int, uint32_t);
template bool test_value(const void*, int, int16_t);
template bool test_value(const void*, int, uint16_t);

}  // namespace atrium::detail
