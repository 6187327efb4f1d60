// The queue lock.
// SPDX-License-Identifier: BSD-3-Clause
#include "ops/lock.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "arena/arena.hpp"
#include "check/handles.hpp"
#include "ops/here.hpp"
#include "ops/ordering.hpp"
#include "topology/placement.hpp"
#include "wait/wait.hpp"

namespace atrium {
namespace {

constexpr uint32_t granted = 1u << 30;
constexpr uint32_t next_mask = granted - 1;

struct LockCopy {
  std::atomic<uint32_t> node;
  std::atomic<uint32_t> tail;
};
static_assert(sizeof(LockCopy) == sizeof(long) && offsetof(LockCopy, tail) == 4,
              "a lock is one long of the program; its halves are the node and the tail");

// My view of a lock: its copies on other PEs.
class Lock {
 public:
  explicit Lock(long* lock) : mine_(lock) {
    delta_of(default_context, placement.me());  // refuses before init and after finalize
    if (checking()) require_symmetric("lock", lock, sizeof *lock, alignof(long));
  }

  std::atomic<uint32_t>& my_node() const { return copy_at(0).node; }
  std::atomic<uint32_t>& node_of(int pe) const { return copy_at(delta(pe)).node; }
  std::atomic<uint32_t>& tail() const { return copy_at(delta(home())).tail; }

  void announce(int pe) const { notify(delta(pe)); }
  WaitReason reason() const { return WaitReason{WaitKind::lock, mine_}; }

 private:
  static ptrdiff_t delta(int pe) { return default_context.delta[pe]; }
  LockCopy& copy_at(ptrdiff_t delta) const { return *reinterpret_cast<LockCopy*>(there(mine_, delta)); }

  // From the place within the data or the heap, which is the same on every PE where addresses may differ.
  // Locks in one array are 8 bytes apart; the multiplication spreads them.
  int home() const {
    const auto* address = reinterpret_cast<const std::byte*>(mine_);
    const bool in_globals = arena.in_globals(mine_);
    const auto place =
        static_cast<uint64_t>(address - (in_globals ? arena.globals : arena.heap)) / sizeof(long);
    const uint64_t hash = (place * 2 + in_globals) * 0x9E3779B97F4A7C15u;
    return static_cast<int>(((hash >> 32) * static_cast<uint64_t>(placement.pes())) >> 32);
  }

  long* mine_;
};

// The locks that this PE holds are remembered only when arguments are checked.
void require_held(const long* address, bool held) {
  if (checking() && is_known_handle(address) != held) refuse_lock(!held);
}
void remember_held(const long* address) {
  if (checking()) register_handle(address);
}

uint32_t my_ticket() { return static_cast<uint32_t>(placement.me()) + 1; }

// Somebody is in front of me: I tell him and wait until he hands over. My node was empty before.
void queue_behind(const Lock& lock, int predecessor) {
  lock.node_of(predecessor).fetch_or(my_ticket(), std::memory_order_release);  // SYNC lock-link
  lock.announce(predecessor);
  wait_for(lock.reason(), [&] {
    return (lock.my_node().load(std::memory_order_acquire) & granted) != 0;  // SYNC lock-grant
  });
  lock.my_node().fetch_and(~granted, std::memory_order_relaxed);
}

void hand_over(const Lock& lock, uint32_t node) {
  const int successor = static_cast<int>(node & next_mask) - 1;
  lock.my_node().store(0, std::memory_order_relaxed);  // nobody else writes it until I queue again
  lock.node_of(successor).fetch_or(granted, std::memory_order_release);  // SYNC lock-grant
  lock.announce(successor);
}

// Whoever took the tail after me is about to write his number into my node.
uint32_t await_successor(const Lock& lock) {
  uint32_t node = 0;
  wait_for(lock.reason(), [&] {
    node = lock.my_node().load(std::memory_order_acquire);  // SYNC lock-link
    return node != 0;
  });
  return node;
}

// The lock becomes mine, if nobody is in the queue.
// SYNC lock-tail
bool take_free(const Lock& lock) {
  uint32_t free = 0;
  return lock.tail().compare_exchange_strong(free, my_ticket(), std::memory_order_acq_rel,
                                             std::memory_order_relaxed);
}

// The lock becomes free, if nobody is behind me.
// SYNC lock-tail
bool give_back(const Lock& lock) {
  uint32_t last = my_ticket();
  return lock.tail().compare_exchange_strong(last, 0, std::memory_order_release, std::memory_order_relaxed);
}

}  // namespace

void set_lock(long* address) {
  const Lock lock(address);
  require_held(address, false);
  // acquire: I see what the last holder did. release: who comes after me sees my node empty.
  const uint32_t last = lock.tail().exchange(my_ticket(), std::memory_order_acq_rel);  // SYNC lock-tail
  if (last != 0) queue_behind(lock, static_cast<int>(last) - 1);
  remember_held(address);
}

void clear_lock(long* address) {
  const Lock lock(address);
  require_held(address, true);
  if (checking()) forget_handle(address);
  quiet(default_context);
  uint32_t node = lock.my_node().load(std::memory_order_acquire);  // SYNC lock-link
  if (node == 0) {
    if (give_back(lock)) return;
    node = await_successor(lock);
  }
  hand_over(lock, node);
}

int test_lock(long* address) {
  const Lock lock(address);
  // A look first: a busy lock is not fetched for writing.
  if (lock.tail().load(std::memory_order_relaxed) == 0 && take_free(lock)) {
    remember_held(address);
    return 0;
  }
  give_way();
  return 1;
}

}  // namespace atrium
