// Distributed locks as a queue (MCS), with the state in one symmetric long.
// SPDX-License-Identifier: BSD-3-Clause
#include "ops/lock.hpp"

#include <cstddef>
#include <cstdint>

#include "arch/fence.hpp"
#include "check/handles.hpp"
#include "ops/atomic.hpp"
#include "ops/ordering.hpp"
#include "ops/target.hpp"
#include "topology/placement.hpp"
#include "wait/wait.hpp"

namespace atrium {
namespace {

uint32_t my_ticket() { return static_cast<uint32_t>(placement.me()) + 1; }

// No PE waits for a tail, so none is woken when it changes.
template <WordOp op>
uint32_t change_silently(const Target& word, uint32_t value, uint32_t expected = 0) {
  return detail::fetch_and_change_silently<op>(word, value, expected);
}

// A wait for a lock's memory that PE `pe` ends.
WaitReason reason_of(const void* lock, int pe) {
  WaitReason reason{WaitKind::lock, lock};
  reason.pe = pe;
  return reason;
}

// My view of a lock: its copies on other PEs.
class WideLock {
 public:
  using Word = long;
  static constexpr uint32_t granted = 1u << 30, next_mask = granted - 1;

  // Refuses before init and after finalize.
  explicit WideLock(long* lock)
      : mine_(*reinterpret_cast<Copy*>(lock)), tail_(default_context, &mine_.tail, home()) {}

  // True where nothing is checked, nothing is under way to other nodes, and the tail is on this node.
  bool is_plain() const { return tail_.is_here() && !checking() && pending_on(default_context) == 0; }

  uint32_t my_node() const {
    return __atomic_load_n(&mine_.node, __ATOMIC_ACQUIRE);
  }  // SYNC lock-link lock-grant
  void forget_grant() const { __atomic_fetch_and(&mine_.node, ~granted, __ATOMIC_RELAXED); }
  void clear_my_node() const { __atomic_store_n(&mine_.node, 0, __ATOMIC_RELAXED); }
  Target node_of(int pe) const { return Target(default_context, &mine_.node, pe); }
  WaitReason reason(int pe) const { return reason_of(&mine_, pe); }

  // A look first: a busy lock next door is not fetched for writing.
  bool is_taken() const { return tail_.is_here() && change_silently<WordOp::fetch>(tail_, 0) != 0; }
  uint32_t swap_tail(uint32_t value) const {
    return change_silently<WordOp::swap>(tail_, value);  // SYNC lock-tail
  }
  uint32_t swap_tail_if(uint32_t expected, uint32_t value) const {
    return change_silently<WordOp::compare_swap>(tail_, value, expected);  // SYNC lock-tail
  }

 private:
  struct Copy {
    uint32_t node, tail;
  };
  static_assert(sizeof(Copy) == sizeof(long) && offsetof(Copy, tail) == 4,
                "a lock is one long of the program; its halves are the node and the tail");

  // From the place within the data or the heap, which is the same on every PE where addresses may differ.
  // Locks in one array are 8 bytes apart; the multiplication spreads them.
  int home() const {
    const RemoteAddress place = remote_address(&mine_, placement.me());
    const uint64_t hash = (place.offset / sizeof(long) * range_count + static_cast<uint64_t>(place.range)) *
                          0x9E3779B97F4A7C15u;
    return static_cast<int>(((hash >> 32) * static_cast<uint64_t>(placement.pes())) >> 32);
  }

  Copy& mine_;
  Target tail_;
};

// The same in half the width: node and tail share a word, so that a tail is changed by comparing all of it.
class NarrowLock {
 public:
  using Word = uint32_t;
  static constexpr uint32_t granted = 1u << 15, next_mask = granted - 1;

  explicit NarrowLock(uint32_t* lock) : mine_(*lock), home_(default_context, lock, 0) {}

  uint32_t my_node() const {
    return __atomic_load_n(&mine_, __ATOMIC_ACQUIRE) & node_mask;
  }  // SYNC lock-link lock-grant
  void forget_grant() const { __atomic_fetch_and(&mine_, ~granted, __ATOMIC_RELAXED); }
  void clear_my_node() const { __atomic_fetch_and(&mine_, ~node_mask, __ATOMIC_RELAXED); }
  Target node_of(int pe) const { return Target(default_context, &mine_, pe); }
  WaitReason reason(int pe) const { return reason_of(&mine_, pe); }

  bool is_taken() const { return look() >> tail_shift != 0; }
  uint32_t swap_tail(uint32_t value) const {
    uint32_t word = look();
    while (!swap_tail_in(word, value)) continue;
    return word >> tail_shift;
  }
  uint32_t swap_tail_if(uint32_t expected, uint32_t value) const {
    uint32_t word = look();
    while (word >> tail_shift == expected && !swap_tail_in(word, value)) continue;
    return word >> tail_shift;
  }

 private:
  static constexpr uint32_t node_mask = 0xffff, tail_shift = 16;

  uint32_t look() const { return change_silently<WordOp::fetch>(home_, 0); }
  // False: the word is another by now, which `word` becomes.
  bool swap_tail_in(uint32_t& word, uint32_t tail) const {
    const uint32_t wanted = (word & node_mask) | tail << tail_shift;
    const uint32_t seen = change_silently<WordOp::compare_swap>(home_, wanted, word);  // SYNC lock-tail
    if (seen == word) return true;
    word = seen;
    return false;
  }

  uint32_t& mine_;
  Target home_;
};

// The locks that this PE holds are remembered only when arguments are checked.
template <class Word>
void require_lock(const Word* address) {
  if (checking()) require_symmetric("lock", address, sizeof *address, alignof(Word));
}
template <class Word>
void require_held(const Word* address, bool held) {
  require_lock(address);
  if (checking() && is_known_handle(address) != held) refuse_lock(!held);
}
void remember_held(const void* address) {
  if (checking()) register_handle(address);
}

void require_in_queue(int pe) {
  if (pe < 0 || pe >= placement.pes()) refuse_lock_word(pe);
}

// Another PE is in front of me: I enter my number in its node and wait until it releases the lock. My node was empty before.
template <class Lock>
[[gnu::noinline]] void queue_behind(typename Lock::Word* address, int predecessor) {
  require_in_queue(predecessor);
  const Lock lock(address);
  detail::change<WordOp::bit_or>(lock.node_of(predecessor), my_ticket());  // SYNC lock-link
  wait_for(lock.reason(predecessor),
           [&] { return (lock.my_node() & Lock::granted) != 0; });  // SYNC lock-grant
  lock.forget_grant();
}

// Passes the lock to the PE that took the tail after me, and has written its number into my node or is about to.
template <class Lock>
[[gnu::noinline]] void hand_over(typename Lock::Word* address) {
  const Lock lock(address);
  uint32_t node = 0;
  wait_for(lock.reason(-1), [&] { return (node = lock.my_node()) != 0; });  // SYNC lock-link
  const int successor = static_cast<int>(node & Lock::next_mask) - 1;
  require_in_queue(successor);
  lock.clear_my_node();  // no other PE writes it until I queue again
  detail::change<WordOp::bit_or>(lock.node_of(successor), Lock::granted);  // SYNC lock-grant
}

// The lock becomes mine, if the queue is empty.
template <class Lock>
bool take_free(const Lock& lock) {
  return !lock.is_taken() && lock.swap_tail_if(0, my_ticket()) == 0;
}

// The lock becomes free, if no PE is behind me.
template <class Lock>
bool give_back(const Lock& lock) {
  return lock.swap_tail_if(my_ticket(), 0) == my_ticket();
}

template <class Lock>
void acquire(const Lock& lock, typename Lock::Word* address) {
  // acquire: I see what the last holder did. release: who comes after me sees my node empty.
  const uint32_t last = lock.swap_tail(my_ticket());
  if (last != 0) queue_behind<Lock>(address, static_cast<int>(last) - 1);
}

// A quiet first, of which nothing is left on the node but its fence: the program may go on to look for what others have
// stored before they looked for this.
template <class Lock>
void release(const Lock& lock, typename Lock::Word* address) {
  full_fence_before_exchange();
  if (lock.my_node() == 0 && give_back(lock)) return;
  hand_over<Lock>(address);
}

template <class Lock>
[[gnu::noinline]] void acquire_with_care(typename Lock::Word* address) {
  require_held(address, false);
  acquire(Lock(address), address);
  remember_held(address);
}

template <class Lock>
[[gnu::noinline]] void release_with_care(typename Lock::Word* address) {
  require_held(address, true);
  if (checking()) forget_handle(address);
  quiet(default_context);
  release(Lock(address), address);
}

template <class Lock>
int try_to_take(typename Lock::Word* address) {
  const Lock lock(address);
  require_lock(address);
  if (take_free(lock)) {
    remember_held(address);
    return 0;
  }
  give_way();
  return 1;
}

}  // namespace

// A processor delays an atomic exchange until its earlier stores are done. So the path of a plain lock that no other PE wants has
// no stores, not even of registers to the stack: everything else is in a function of its own, with the program's address.
void set_lock(long* address) {
  const WideLock lock(address);
  lock.is_plain() ? acquire(lock, address) : acquire_with_care<WideLock>(address);
}

void clear_lock(long* address) {
  const WideLock lock(address);
  lock.is_plain() ? release(lock, address) : release_with_care<WideLock>(address);
}

int test_lock(long* address) { return try_to_take<WideLock>(address); }

void set_lock(uint32_t* address) { acquire_with_care<NarrowLock>(address); }
void clear_lock(uint32_t* address) { release_with_care<NarrowLock>(address); }
int test_lock(uint32_t* address) { return try_to_take<NarrowLock>(address); }

}  // namespace atrium
