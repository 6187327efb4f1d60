// Waits for a condition of the model, and for the kernel's futex: all ways in which they can end are tried.
// SPDX-License-Identifier: BSD-3-Clause
#include "explorer/execution.hpp"

namespace model {
namespace {

// The next way of a condition's loads, of which each has `most` ways: like an odometer. False behind the last one.
bool advance(std::vector<size_t>& ways, const std::vector<size_t>& most) {
  ways.resize(most.size());
  size_t load = ways.size();
  while (load > 0 && ways[load - 1] + 1 >= most[load - 1]) --load;
  ways.resize(load);
  if (load > 0) ++ways[load - 1];
  return load > 0;
}

}  // namespace

// Evaluates the condition once, each load going the way that `ways` says (0 behind its end).
bool Execution::try_wait(Fiber& fiber, const std::vector<size_t>& ways, std::vector<size_t>& most) {
  const View now = fiber.now, acquirable = fiber.acquirable;
  trial_ = &ways;
  trial_most_.clear();
  const bool holds = fiber.ready(fiber.subject);
  trial_ = nullptr;
  most = trial_most_;
  if (!holds) fiber.now = now, fiber.acquirable = acquirable;
  return holds;
}

// May the wait end now? And what does it look at?
void Execution::refresh_wait(int thread) {
  Fiber& fiber = fibers_[static_cast<size_t>(thread)];
  const View now = fiber.now, acquirable = fiber.acquirable;
  std::vector<size_t> ways, most;
  running_ = thread;
  trial_objects_.clear();
  bool holds = false;
  do {
    holds = try_wait(fiber, ways, most) || holds;
    fiber.now = now, fiber.acquirable = acquirable;
  } while (advance(ways, most));
  running_ = -1;
  fiber.next = {trial_objects_, fiber.takes, !holds};
}

void await(bool (*ready)(void*), void* subject, const std::source_location& where) {
  Execution& execution = Execution::current();
  Execution::Fiber& fiber = execution.me();
  fiber.ready = ready;
  fiber.subject = subject;
  execution.offer({});
  fiber.ready = nullptr;
  // All ways in which it can end now, in the order of the odometer; the next choice says which.
  std::vector<std::vector<size_t>> endings;
  const View now = fiber.now, acquirable = fiber.acquirable;
  std::vector<size_t> ways, most;
  fiber.ready = ready;
  do {
    if (execution.try_wait(fiber, ways, most)) {
      ways.resize(most.size());
      endings.push_back(ways);
      fiber.now = now, fiber.acquirable = acquirable;
    }
  } while (advance(ways, most));
  const size_t ending = execution.choose_way(endings.size());
  execution.try_wait(fiber, endings[ending], most);
  fiber.ready = nullptr;
  execution.note("waited", ending, where);
}

void futex_sleep(Object& word, uint32_t expected, const std::source_location& where) {
  Execution& execution = Execution::current();
  word.join_execution();
  execution.offer({{word.id_}, true, false});  // the kernel looks under a lock of its own: the newest value
  const bool sleeps = static_cast<uint32_t>(word.history_.back().value) == expected;
  execution.note(sleeps ? "asleep" : "no sleep", expected, where);
  execution.me().now.see(word.id_, static_cast<uint32_t>(word.history_.size() - 1));
  if (!sleeps) return;
  execution.me().asleep = true;
  execution.offer({{word.id_}, true, false});
}

void futex_wake_all(Object& word, const std::source_location& where) {
  Execution& execution = Execution::current();
  word.join_execution();
  execution.offer({{word.id_}, true, false});
  for (auto& fiber : execution.fibers_)
    if (fiber.asleep && fiber.next.objects == std::vector<size_t>{word.id_}) fiber.asleep = false;
  execution.note("wake", 0, where);
}

}  // namespace model
