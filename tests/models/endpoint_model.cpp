// What threads of a PE share when there are other nodes (src/network): the progress lock, and the count of what is
// pending, by which one thread learns what another one has brought.
// SPDX-License-Identifier: BSD-3-Clause
//
// Models: SYNC progress pending
#include "model.hpp"
// clang-format off: before what uses words
#include "explorer/words.hpp"
// clang-format on
#include "network/progress_lock.hpp"
#include "transport/pending.hpp"
#include "wire/pending.hpp"

namespace atrium {
namespace {

struct Shared {
  ProgressLock lock;
  long guarded = 0;
  uint64_t pending = 2;
  atrium_context context{nullptr, 2};
  long brought[2] = {};
};

void work(Shared& shared) {
  model::plain_write(&shared.guarded, sizeof shared.guarded);
  ++shared.guarded;
}

// With so many looks before it sleeps: more than one differ only in how many there are.
template <int times, int looks>
void take_turns(Shared& shared, int) {
  for (int time = 0; time < times; ++time) {
    shared.lock.lock(looks);
    work(shared);
    shared.lock.unlock();
  }
}

void one_only_tries(Shared& shared, int thread) {
  if (thread > 0) return take_turns<1, 0>(shared, thread);
  if (!shared.lock.try_lock()) return;
  work(shared);
  shared.lock.unlock();
}

void one_gives_up(Shared& shared, int thread) {
  if (thread > 0) return take_turns<1, 0>(shared, thread);
  if (!shared.lock.lock_soon(0)) return;
  work(shared);
  shared.lock.unlock();
}

void expect_all(Shared& shared) {
  for (const long& brought : shared.brought) {
    model::plain_read(&brought, sizeof brought);
    MODEL_REQUIRE(brought == 1);
  }
}
void bring(Shared& shared, int thread) {
  long& brought = shared.brought[thread - 1];
  model::plain_write(&brought, sizeof brought);
  brought = 1;
}

// Two are pending, which two threads complete: who finds none sees what both have brought.
void what_completes_is_there(Shared& shared, int thread) {
  if (thread == 0) {
    model::await([](void* s) { return is_complete(&static_cast<Shared*>(s)->pending); }, &shared);
    return expect_all(shared);
  }
  bring(shared, thread);
  complete(&shared.pending);
}

void what_a_context_awaits_is_there(Shared& shared, int thread) {
  if (thread == 0) {
    model::await([](void* s) { return pending_on(static_cast<Shared*>(s)->context) == 0; }, &shared);
    return expect_all(shared);
  }
  bring(shared, thread);
  complete(&shared.context.pending);
}

}  // namespace
}  // namespace atrium

int main(int argc, char** argv) {
  using namespace atrium;
  return model::explore_all(
      {model::scenario<Shared>("two threads take the lock twice", 2, take_turns<2, 1>),
       model::scenario<Shared>("three threads take the lock", 3, take_turns<1, 0>),
       model::scenario<Shared>("one of three only tries", 3, one_only_tries),
       model::scenario<Shared>("one of three sleeps once and gives up", 3, one_gives_up),
       model::scenario<Shared>("what has completed is there", 3, what_completes_is_there),
       model::scenario<Shared>("what a context awaits is there", 3, what_a_context_awaits_is_there)},
      {}, argc, argv);
}
