// Which orders of steps need not be tried, because they give what another order gives: partial order reduction.
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>

#include "explorer/execution.hpp"

namespace model {

bool Step::depends_on(const Step& other) const {
  if (!writes && !other.writes) return false;
  for (size_t mine : objects)
    if (std::find(other.objects.begin(), other.objects.end(), mine) != other.objects.end()) return true;
  return false;
}

// For each thread's next step: another thread's step that it depends on, and that did not happen before it, might also
// come after it. So that order is tried, too (source sets: Abdulla and others, "Optimal dynamic partial order
// reduction", POPL 2014).
void Execution::find_conflicts() {
  for (size_t thread = 0; thread < fibers_.size(); ++thread) {
    if (fibers_[thread].finished) continue;
    Before known = before_[thread];
    for (size_t number = events_.size(); number-- > 0;) {
      const Event& event = events_[number];
      if (event.thread == static_cast<int>(thread) || !event.step.depends_on(fibers_[thread].next)) continue;
      if (known[index_of(event.thread)] > number) continue;
      if (!try_before(number, static_cast<int>(thread))) continue;
      for (size_t one = 0; one < known.size(); ++one) known[one] = std::max(known[one], event.before[one]);
    }
  }
}

// The other order begins with a step that needs neither that event nor what follows from it: with one of these threads.
std::vector<int> Execution::beginnings_without(size_t number, int thread) const {
  std::vector<int> found, passed;
  std::vector<size_t> kept;
  const auto follows_one = [&](const Before& before) {
    return std::any_of(kept.begin(), kept.end(),
                       [&](size_t one) { return before[index_of(events_[one].thread)] > one; });
  };
  for (size_t later = number + 1; later < events_.size(); ++later) {
    const Event& event = events_[later];
    if (event.before[index_of(events_[number].thread)] > number) continue;
    if (!follows_one(event.before)) found.push_back(event.thread);
    kept.push_back(later);
  }
  const Step& next = fibers_[index_of(thread)].next;
  const bool depends =
      std::any_of(kept.begin(), kept.end(), [&](size_t one) { return events_[one].step.depends_on(next); });
  if (!depends && !follows_one(before_[index_of(thread)])) found.push_back(thread);
  return found;
}

// False when the thread could not have gone on there: then the event did not come first by chance.
bool Execution::try_before(size_t number, int thread) {
  Choice& choice = choices_[events_[number].choice];
  const std::vector<int> beginnings = beginnings_without(number, thread);
  const auto is_able = [&](int one) {
    return std::find(choice.able.begin(), choice.able.end(), one) != choice.able.end();
  };
  if (std::find(beginnings.begin(), beginnings.end(), thread) != beginnings.end() && !is_able(thread))
    return false;
  for (int one : beginnings)
    if (choice.explored[index_of(one)] ||
        std::find(choice.threads.begin(), choice.threads.end(), one) != choice.threads.end())
      return true;
  const auto first = std::find_if(beginnings.begin(), beginnings.end(), is_able);
  if (first == beginnings.end()) return false;
  choice.threads.push_back(*first);
  choice.ways = choice.threads.size();
  return true;
}

void Execution::record_event(int thread, size_t choice) {
  Before& mine = before_[index_of(thread)];
  const auto join = [&](const Before& other) {
    for (size_t one = 0; one < other.size(); ++one) mine[one] = std::max(mine[one], other[one]);
  };
  const Step& step = fibers_[index_of(thread)].next;
  for (size_t object : step.objects) {
    join(writes_[object]);
    if (step.writes) join(reads_[object]);
  }
  mine[index_of(thread)] = events_.size() + 1;
  events_.push_back({thread, step, choice, mine});
  for (size_t object : step.objects) {
    Before& last = step.writes ? writes_[object] : reads_[object];
    last.resize(fibers_.size());
    for (size_t one = 0; one < last.size(); ++one) last[one] = std::max(last[one], mine[one]);
  }
}

}  // namespace model
