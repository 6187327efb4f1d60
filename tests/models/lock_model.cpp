// The queue lock (src/ops/lock): one holder at a time, who sees what the last one did; nobody waits for ever.
// SPDX-License-Identifier: BSD-3-Clause
//
// Models: SYNC lock-tail lock-link lock-grant
#include "model.hpp"
#include "ops/lock.cpp"

namespace atrium {

namespace detail {
bool arguments_checked = false;
void quiet_away(Context&) { model::never_called(); }
}  // namespace detail
// Checks, and locks that something else has written to, have no part here.
void require_symmetric(const char*, const void*, size_t, size_t) { model::never_called(); }
void register_handle(const void*) { model::never_called(); }
void forget_handle(const void*) { model::never_called(); }
bool is_known_handle(const void*) { model::never_called(); }
void refuse_lock(bool) { model::never_called(); }
void refuse_lock_word(int) { model::never_called(); }

ParkSlot* my_park_slot = nullptr;
static Context context_of_all;
Context& default_context = context_of_all;

namespace {

template <int pes>
struct Memory {
  Memory() {
    placement.pes_ = pes;
    for (int pe = 0; pe < pes; ++pe) memory_of[pe] = reinterpret_cast<std::byte*>(&locks[pe]);
  }
  long locks[pes] = {};
  long guarded = 0;
  long holders = 0;
};

template <int pes>
void work_alone(Memory<pes>& memory) {
  model::plain_write(&memory.guarded, sizeof memory.guarded);
  MODEL_REQUIRE(memory.holders++ == 0);
  ++memory.guarded;
  --memory.holders;
}

template <int pes, int times>
void take_it(Memory<pes>& memory, int thread) {
  for (int time = 0; time < times; ++time) {
    set_lock(&memory.locks[thread]);
    work_alone(memory);
    clear_lock(&memory.locks[thread]);
  }
}

void one_comes_again(Memory<3>& memory, int thread) {
  if (thread == 0)
    take_it<3, 2>(memory, thread);
  else
    take_it<3, 1>(memory, thread);
}

void one_only_tries(Memory<3>& memory, int thread) {
  if (thread > 0) return take_it<3, 1>(memory, thread);
  if (test_lock(&memory.locks[thread]) != 0) return;
  work_alone(memory);
  clear_lock(&memory.locks[thread]);
}

// Two locks, and what their holders say.
struct TwoLocks {
  TwoLocks() {
    placement.pes_ = 2;
    for (int pe = 0; pe < 2; ++pe) memory_of[pe] = reinterpret_cast<std::byte*>(&locks[pe]);
  }
  long locks[2][2] = {};
  long said[2] = {};
  long missed = 0;
};

// What a holder said is complete when it has cleared its lock, though nobody else wants that: one of two hears the other.
void say_and_listen(TwoLocks& memory, int thread) {
  long* lock = &memory.locks[thread][thread];
  set_lock(lock);
  __atomic_store_n(&memory.said[thread], 1L, __ATOMIC_RELAXED);
  clear_lock(lock);
  if (__atomic_load_n(&memory.said[1 - thread], __ATOMIC_RELAXED) == 0) MODEL_REQUIRE(memory.missed++ == 0);
}

}  // namespace
}  // namespace atrium

int main(int argc, char** argv) {
  using namespace atrium;
  return model::explore_all(
      {model::scenario<Memory<2>>("two PEs, twice each", 2, take_it<2, 2>),
       model::scenario<Memory<3>>("three PEs", 3, take_it<3, 1>),
       model::scenario<Memory<3>>("one of three comes again", 3, one_comes_again),
       model::scenario<Memory<3>>("one of three only tries", 3, one_only_tries),
       model::scenario<TwoLocks>("two with a lock each", 2, say_and_listen)},
      {{"ops/atomic.hpp", "__atomic_load(word", "a look before the exchange that decides"},
       {"ops/atomic.hpp", "__atomic_fetch_or(word",
        "behind release()'s full fence, which on x86 is this exchange"},
       {"transport/pending.hpp", "", "nothing is under way to other nodes"}},
      argc, argv);
}
