// Waiting for words of an array: all, any, some.
// SPDX-License-Identifier: BSD-3-Clause
//
// The empty set (no elements, or all left out): all hold; there is no any (SIZE_MAX) and no some (0).
// Fairness: the search for any begins at another place each time, so that an element that stays true hides no
// other for ever. Some looks at every element and needs no such care.
#include "arena/arena.hpp"
#include "check/check.hpp"
#include "ops/compare.hpp"
#include "wait/wait.hpp"

namespace atrium::detail {
namespace {

constexpr size_t none = SIZE_MAX;

template <class W>
bool is_included(const WatchedWords<W>& watch, size_t i) {
  return !watch.status || watch.status[i] == 0;
}

template <class W>
bool element_holds(const WatchedWords<W>& watch, size_t i) {
  const W value = static_cast<const Aliasing<W>*>(watch.values)[i * watch.values_step];
  return holds(load_word<W>(watch.elements, i), watch.cmp, value);
}

template <class W>
bool is_empty(const WatchedWords<W>& watch) {
  for (size_t i = 0; i < watch.count; ++i)
    if (is_included(watch, i)) return false;
  return true;
}

// Steps of the golden ratio visit all parts of any array evenly, however a thread alternates between arrays;
// a plain round-robin counter would keep in step with such a program and starve some element.
size_t next_start(size_t count) {
  static thread_local uint32_t turn = 0;
  turn += 0x9E3779B9u;
  return static_cast<size_t>((static_cast<unsigned __int128>(turn) * count) >> 32);
}

template <class W>
size_t find_any(const WatchedWords<W>& watch) {
  if (watch.count == 0) return none;
  const size_t start = next_start(watch.count);
  for (size_t step = 0, i = start; step < watch.count; ++step, i = i + 1 == watch.count ? 0 : i + 1)
    if (is_included(watch, i) && element_holds(watch, i)) return i;
  return none;
}

template <class W>
size_t find_some(const WatchedWords<W>& watch, size_t* indices) {
  size_t found = 0;
  for (size_t i = 0; i < watch.count; ++i)
    if (is_included(watch, i) && element_holds(watch, i)) indices[found++] = i;
  return found;
}

template <class W>
void check(const WatchedWords<W>& watch) {
  require_comparison(watch.cmp);
  if (!checking()) return;
  require_watchable(watch.elements, bytes_of(watch.count, sizeof(W)), alignof(W));
  require_memory("cmp_values", watch.values, bytes_of(watch.count * watch.values_step, sizeof(W)));
}

template <class W>
void check(const WatchedWords<W>& watch, const size_t* indices) {
  check(watch);
  if (checking()) require_memory("indices", indices, bytes_of(watch.count, sizeof *indices));
}

template <class W>
WaitReason reason_for(const WatchedWords<W>& watch) {
  WaitReason reason{WaitKind::value, watch.elements};
  const size_t bytes = bytes_of(watch.count, sizeof(W));
  if (arena.heap().contains(watch.elements, bytes)) reason.bytes = bytes;
  return reason;
}

}  // namespace

// One after the other: an element that held once counts, also if it changes later.
template <class W>
void wait_all(const WatchedWords<W>& watch) {
  check(watch);
  const WaitReason reason = reason_for(watch);
  for (size_t i = 0; i < watch.count; ++i)
    if (is_included(watch, i) && !element_holds(watch, i)) {
      require_a_job();
      wait_for(reason, [&] { return element_holds(watch, i); });
    }
}

template <class W>
size_t wait_any(const WatchedWords<W>& watch) {
  check(watch);
  if (is_empty(watch)) return none;
  size_t found = none;
  if ((found = find_any(watch)) != none) return found;
  require_a_job();
  wait_for(reason_for(watch), [&] { return (found = find_any(watch)) != none; });
  return found;
}

template <class W>
size_t wait_some(const WatchedWords<W>& watch, size_t* indices) {
  check(watch, indices);
  if (is_empty(watch)) return 0;
  size_t found = 0;
  if ((found = find_some(watch, indices)) != 0) return found;
  require_a_job();
  wait_for(reason_for(watch), [&] { return (found = find_some(watch, indices)) != 0; });
  return found;
}

template <class W>
bool test_all(const WatchedWords<W>& watch) {
  check(watch);
  for (size_t i = 0; i < watch.count; ++i)
    if (is_included(watch, i) && !element_holds(watch, i)) {
      give_way();
      return false;
    }
  return true;
}

template <class W>
size_t test_any(const WatchedWords<W>& watch) {
  check(watch);
  const size_t found = find_any(watch);
  if (found == none) give_way();
  return found;
}

template <class W>
size_t test_some(const WatchedWords<W>& watch, size_t* indices) {
  check(watch, indices);
  const size_t found = find_some(watch, indices);
  if (found == 0) give_way();
  return found;
}

#define ATRIUM_DEFINE_FOR(W)                                  \
  template void wait_all(const WatchedWords<W>&);             \
  template size_t wait_any(const WatchedWords<W>&);           \
  template size_t wait_some(const WatchedWords<W>&, size_t*); \
  template bool test_all(const WatchedWords<W>&);             \
  template size_t test_any(const WatchedWords<W>&);           \
  template size_t test_some(const WatchedWords<W>&, size_t*);
ATRIUM_DEFINE_FOR(int64_t)
ATRIUM_DEFINE_FOR(uint64_t)
ATRIUM_DEFINE_FOR(int32_t)
ATRIUM_DEFINE_FOR(uint32_t)
#undef ATRIUM_DEFINE_FOR

}  // namespace atrium::detail
