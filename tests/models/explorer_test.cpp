// The explorer itself: on random programs, what it leaves out differs in nothing but the order of independent steps.
// SPDX-License-Identifier: BSD-3-Clause
#include "explorer/explorer.hpp"

#include <atomic>
#include <cstdio>
#include <memory>
#include <random>
#include <set>

namespace {

constexpr int most_threads = 3;
using Values = std::vector<uint64_t>;

struct Action {
  enum Kind { load, store, add, fence, wait, kinds } kind;
  int object;
  uint32_t value;
};
using Program = std::vector<std::vector<Action>>;

Program random_program(std::mt19937& random) {
  Program program(2 + random() % (most_threads - 1));
  for (auto& thread : program)
    for (auto actions = 1 + random() % 3; actions > 0; --actions)
      thread.push_back({static_cast<Action::Kind>(random() % Action::kinds), static_cast<int>(random() % 2),
                        static_cast<uint32_t>(1 + random() % 2)});
  return program;
}

// The objects of one execution, and what its threads have read.
struct Memory {
  std::atomic<uint32_t> objects[2] = {0, 0};
  Values read[most_threads];
};

void act(Memory& memory, int thread, const Action& action) {
  std::atomic<uint32_t>& object = memory.objects[action.object];
  Values& read = memory.read[thread];
  switch (action.kind) {
    case Action::load:
      read.push_back(object.load(std::memory_order_acquire));
      break;
    case Action::store:
      object.store(action.value, std::memory_order_release);
      break;
    case Action::add:
      read.push_back(object.fetch_add(action.value, std::memory_order_relaxed));
      break;
    case Action::fence:
      model::fence(std::memory_order_seq_cst, std::source_location::current());
      break;
    default:
      model::await(
          [](void* word) {
            return static_cast<std::atomic<uint32_t>*>(word)->load(std::memory_order_acquire) > 0;
          },
          &object);
  }
}

// Everything that the threads can read, over all executions that end; and whether some execution does not.
struct Seen {
  std::set<std::vector<Values>> outcomes;
  bool stuck = false;
};

Seen run(const Program& program, bool every_order) {
  Seen seen;
  const model::Scenario scenario{"random", static_cast<int>(program.size()),
                                 [&]() -> std::function<void(int)> {
                                   auto memory = std::make_shared<Memory>();
                                   auto running = std::make_shared<size_t>(program.size());
                                   return [&seen, &program, memory, running](int thread) {
                                     for (const Action& action : program[static_cast<size_t>(thread)])
                                       act(*memory, thread, action);
                                     if (--*running == 0)
                                       seen.outcomes.insert({memory->read, memory->read + most_threads});
                                   };
                                 }};
  model::Limits limits;
  limits.every_order = every_order;
  seen.stuck = !model::explore(scenario, {}, limits).failure.empty();
  return seen;
}

}  // namespace

int main(int argc, char** argv) {
  const int rounds = argc > 1 ? std::atoi(argv[1]) : 600;
  std::mt19937 random(1);
  for (int round = 0; round < rounds; ++round) {
    const Program program = random_program(random);
    const Seen all = run(program, true), some = run(program, false);
    if (all.stuck == some.stuck && (all.stuck || all.outcomes == some.outcomes)) continue;
    std::printf("round %d: %zu outcomes, %zu of them found\n", round, all.outcomes.size(),
                some.outcomes.size());
    return 1;
  }
  std::printf("%d random programs: nothing was left out\n", rounds);
}
