// Sleeping and waking (src/wait/park): no wake-up is lost, whoever watches what.
// SPDX-License-Identifier: BSD-3-Clause
//
// Models: SYNC park
#include "model.hpp"
#include "wait/park.cpp"

namespace atrium {

namespace detail {
WaitPolicy chosen_policy;
}

namespace {

// Two words that PEs wait for; all threads see one park slot, the sleepers'.
struct Memory {
  Memory() {
    detail::chosen_policy.writers_wake = true;
    my_park_slot = &slot;
  }
  ParkSlot slot;
  std::atomic<uint64_t> words[2];
};

void wait_until_at_least(std::atomic<uint64_t>& word, uint64_t value) {
  struct Wait {
    std::atomic<uint64_t>& word;
    uint64_t value;
  } wait{word, value};
  const WaitReason reason{WaitKind::value, &word, sizeof word, value, ">="};
  while (!nap(
      reason,
      [](void* subject) {
        const Wait& wait = *static_cast<Wait*>(subject);
        return wait.word.load(std::memory_order_acquire) >= wait.value;
      },
      &wait, 1000)) {
  }
}

void write(std::atomic<uint64_t>& word, uint64_t value) {
  word.store(value, std::memory_order_release);
  notify(0, &word, sizeof word);
}

void one_sleeper(Memory& memory, int thread) {
  if (thread == 0)
    wait_until_at_least(memory.words[0], 1);
  else
    write(memory.words[0], 1);
}

void who_watches_one_word_is_not_lost_to_a_writer_of_another(Memory& memory, int thread) {
  if (thread == 0)
    wait_until_at_least(memory.words[0], 1);
  else
    write(memory.words[thread - 1], 1);
}

void a_second_wait_after_the_first(Memory& memory, int thread) {
  for (uint64_t round : {0, 1}) {
    if (thread == 0)
      wait_until_at_least(memory.words[round], 1);
    else
      write(memory.words[round], 1);
  }
}

}  // namespace
}  // namespace atrium

int main(int argc, char** argv) {
  using namespace atrium;
  return model::explore_all({model::scenario<Memory>("one sleeper", 2, one_sleeper),
                             model::scenario<Memory>("another word is written, too", 3,
                                                     who_watches_one_word_is_not_lost_to_a_writer_of_another),
                             model::scenario<Memory>("a second wait", 2, a_second_wait_after_the_first)},
                            {}, argc, argv);
}
