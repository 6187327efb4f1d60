// The queue lock.
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

constexpr uint32_t granted = 1u << 30;
constexpr uint32_t next_mask = granted - 1;

struct LockCopy {
  uint32_t node;
  uint32_t tail;
};
static_assert(sizeof(LockCopy) == sizeof(long) && offsetof(LockCopy, tail) == 4,
              "a lock is one long of the program; its halves are the node and the tail");

// My view of a lock: its copies on other PEs.
class Lock {
 public:
  // Refuses before init and after finalize.
  explicit Lock(long* lock)
      : mine_(*reinterpret_cast<LockCopy*>(lock)), tail_(default_context, &mine_.tail, home()) {}

  // Nothing is to be checked, nothing under way to other nodes, and the tail on this one.
  bool is_plain() const { return tail_.is_here() && !checking() && pending_on(default_context) == 0; }

  uint32_t my_node() const {
    return __atomic_load_n(&mine_.node, __ATOMIC_ACQUIRE);
  }  // SYNC lock-link lock-grant
  void forget_grant() const { __atomic_fetch_and(&mine_.node, ~granted, __ATOMIC_RELAXED); }
  void clear_my_node() const { __atomic_store_n(&mine_.node, 0, __ATOMIC_RELAXED); }
  Target node_of(int pe) const { return Target(default_context, &mine_.node, pe); }
  const Target& tail() const { return tail_; }

  // A wait that PE `pe` ends.
  WaitReason reason(int pe) const {
    WaitReason reason{WaitKind::lock, &mine_};
    reason.pe = pe;
    return reason;
  }

 private:
  // From the place within the data or the heap, which is the same on every PE where addresses may differ.
  // Locks in one array are 8 bytes apart; the multiplication spreads them.
  int home() const {
    const RemoteAddress place = remote_address(&mine_, placement.me());
    const uint64_t hash = (place.offset / sizeof(long) * range_count + static_cast<uint64_t>(place.range)) *
                          0x9E3779B97F4A7C15u;
    return static_cast<int>(((hash >> 32) * static_cast<uint64_t>(placement.pes())) >> 32);
  }

  LockCopy& mine_;
  Target tail_;
};

// The locks that this PE holds are remembered only when arguments are checked.
void require_lock(const long* address) {
  if (checking()) require_symmetric("lock", address, sizeof *address, alignof(long));
}
void require_held(const long* address, bool held) {
  require_lock(address);
  if (checking() && is_known_handle(address) != held) refuse_lock(!held);
}
void remember_held(const long* address) {
  if (checking()) register_handle(address);
}

uint32_t my_ticket() { return static_cast<uint32_t>(placement.me()) + 1; }

// Somebody is in front of me: I tell him and wait until he hands over. My node was empty before.
[[gnu::noinline]] void queue_behind(long* address, int predecessor) {
  const Lock lock(address);
  detail::change<WordOp::bit_or>(lock.node_of(predecessor), my_ticket());               // SYNC lock-link
  wait_for(lock.reason(predecessor), [&] { return (lock.my_node() & granted) != 0; });  // SYNC lock-grant
  lock.forget_grant();
}

// To whoever took the tail after me, and has written his number into my node or is about to.
[[gnu::noinline]] void hand_over(long* address) {
  const Lock lock(address);
  uint32_t node = 0;
  wait_for(lock.reason(-1), [&] { return (node = lock.my_node()) != 0; });  // SYNC lock-link
  const int successor = static_cast<int>(node & next_mask) - 1;
  lock.clear_my_node();  // nobody else writes it until I queue again
  detail::change<WordOp::bit_or>(lock.node_of(successor), granted);  // SYNC lock-grant
}

// Nobody waits for a tail, so nobody is told that it has changed.
template <WordOp op>
uint32_t change_tail(const Lock& lock, uint32_t value, uint32_t expected = 0) {
  return detail::fetch_and_change_silently<op>(lock.tail(), value, expected);
}

// The lock becomes mine, if nobody is in the queue. A look first: a busy lock next door is not fetched for writing.
bool take_free(const Lock& lock) {
  if (lock.tail().is_here() && change_tail<WordOp::fetch>(lock, 0) != 0) return false;
  return change_tail<WordOp::compare_swap>(lock, my_ticket()) == 0;  // SYNC lock-tail
}

// The lock becomes free, if nobody is behind me.
bool give_back(const Lock& lock) {
  return change_tail<WordOp::compare_swap>(lock, 0, my_ticket()) == my_ticket();  // SYNC lock-tail
}

void acquire(const Lock& lock, long* address) {
  // acquire: I see what the last holder did. release: who comes after me sees my node empty.
  const uint32_t last = change_tail<WordOp::swap>(lock, my_ticket());  // SYNC lock-tail
  if (last != 0) queue_behind(address, static_cast<int>(last) - 1);
}

// A quiet first, of which nothing is left on the node but its fence: the program may go on to look for what others have
// stored before they looked for this.
void release(const Lock& lock, long* address) {
  full_fence_before_exchange();
  if (lock.my_node() == 0 && give_back(lock)) return;
  hand_over(address);
}

[[gnu::noinline]] void acquire_with_care(long* address) {
  require_held(address, false);
  acquire(Lock(address), address);
  remember_held(address);
}

[[gnu::noinline]] void release_with_care(long* address) {
  require_held(address, true);
  if (checking()) forget_handle(address);
  quiet(default_context);
  release(Lock(address), address);
}

}  // namespace

// A processor waits with an atomic exchange until its earlier stores are out. So the way of a plain lock that nobody else wants
// has none, not even of registers to the stack: whatever else there is to do is called apart, with the program's address.
void set_lock(long* address) {
  const Lock lock(address);
  lock.is_plain() ? acquire(lock, address) : acquire_with_care(address);
}

void clear_lock(long* address) {
  const Lock lock(address);
  lock.is_plain() ? release(lock, address) : release_with_care(address);
}

int test_lock(long* address) {
  const Lock lock(address);
  require_lock(address);
  if (take_free(lock)) {
    remember_held(address);
    return 0;
  }
  give_way();
  return 1;
}

}  // namespace atrium
