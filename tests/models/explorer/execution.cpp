// One execution: fibers take turns at steps; loads choose among the values that their view allows.
// SPDX-License-Identifier: BSD-3-Clause
#include "explorer/execution.hpp"

#include <cstdio>
#include <cstring>

namespace model {
namespace {

constexpr size_t stack_bytes = size_t{64} << 10;
Execution* the_current = nullptr;
uint64_t executions = 0;

bool acquires(Order order) {
  return order != std::memory_order_relaxed && order != std::memory_order_release;
}
bool releases(Order order) {
  return order == std::memory_order_release || order == std::memory_order_acq_rel ||
         order == std::memory_order_seq_cst;
}

size_t index(int thread) { return static_cast<size_t>(thread); }

std::string short_name(const char* file) {
  const char* found = std::strstr(file, "src/");
  for (const char* next = found; next; next = std::strstr(next + 1, "src/")) found = next;
  return found ? found + 4 : file;
}

}  // namespace

Execution& Execution::current() { return *the_current; }
bool Execution::is_running() { return the_current && the_current->inside_thread(); }

bool Step::depends_on(const Step& other) const {
  if (!writes && !other.writes) return false;
  for (size_t mine : objects)
    if (std::find(other.objects.begin(), other.objects.end(), mine) != other.objects.end()) return true;
  return false;
}

Execution::Execution(const Scenario& scenario, std::vector<Choice>& choices, const std::set<Site>& weakened,
                     const Limits& limits, Outcome& outcome)
    : choices_(choices),
      sleeping_(static_cast<size_t>(scenario.threads)),
      weakened_(weakened),
      limits_(limits),
      outcome_(outcome),
      number_(++executions),
      fibers_(static_cast<size_t>(scenario.threads)),
      before_(fibers_.size(), Before(fibers_.size())) {
  the_current = this;
  body_ = scenario.start();
}

// What lies on the stacks of threads that have not finished is not destroyed: models keep nothing there that matters.
Execution::~Execution() {
  body_ = nullptr;  // the scenario's objects end with it
  the_current = nullptr;
}

void Execution::enter_fiber() {
  Execution& execution = current();
  const int thread = execution.running_;
  execution.body_(thread);
  execution.fibers_[static_cast<size_t>(thread)].finished = true;
  _longjmp(execution.scheduler_, 1);
}

void Execution::resume(int thread) {
  Fiber& fiber = fibers_[static_cast<size_t>(thread)];
  running_ = thread;
  if (!fiber.stack) {
    fiber.stack = std::make_unique<std::byte[]>(stack_bytes);
    fiber.now = initial_;
    getcontext(&fiber.context);
    fiber.context.uc_stack.ss_sp = fiber.stack.get();
    fiber.context.uc_stack.ss_size = stack_bytes;
    fiber.context.uc_link = nullptr;
    makecontext(&fiber.context, enter_fiber, 0);
    if (_setjmp(scheduler_) == 0) setcontext(&fiber.context);
  } else if (_setjmp(scheduler_) == 0) {
    _longjmp(fiber.rest, 1);
  }
  running_ = -1;
}

void Execution::offer(Step step) {
  Fiber& fiber = me();
  fiber.next = std::move(step);
  if (_setjmp(fiber.rest) == 0) _longjmp(scheduler_, 1);
}

void Execution::run() {
  for (size_t thread = 0; thread < fibers_.size(); ++thread) resume(static_cast<int>(thread));
  while (outcome_.failure.empty()) {
    const int thread = choose_thread();
    if (thread < 0) return;
    if (taken_.size() > limits_.steps) return fail("the execution does not end");
    resume(thread);
  }
}

// The thread that takes the next step; -1 when all have finished or what follows has been explored elsewhere.
int Execution::choose_thread() {
  std::vector<int> able = able_threads();
  if (all_finished_) return -1;
  if (able.empty()) {
    fail("nobody can go on");
    return -1;
  }
  find_conflicts();
  if (depth_ == choices_.size()) {
    std::vector<int> fresh = able;
    std::erase_if(fresh, [&](int thread) { return sleeping_[index(thread)]; });
    if (fresh.empty()) return -1;
    if (!limits_.every_order) fresh.resize(1);
    choices_.push_back({0, fresh.size(), fresh, able, sleeping_});
  }
  const size_t number = depth_++;
  const Choice& choice = choices_[number];
  for (size_t earlier = 0; earlier < choice.taken; ++earlier)
    sleeping_[index(choice.threads[earlier])] = true;
  const int chosen = choice.threads[choice.taken];
  record_event(chosen, number);
  const Step& step = events_.back().step;
  for (size_t thread = 0; thread < fibers_.size(); ++thread)
    if (sleeping_[thread] && fibers_[thread].next.depends_on(step)) sleeping_[thread] = false;
  return chosen;
}

std::vector<int> Execution::able_threads() {
  std::vector<int> able;
  all_finished_ = true;
  for (size_t thread = 0; thread < fibers_.size(); ++thread) {
    if (fibers_[thread].finished) continue;
    all_finished_ = false;
    if (fibers_[thread].ready) refresh_wait(static_cast<int>(thread));
    if (!fibers_[thread].next.blocked && !fibers_[thread].asleep) able.push_back(static_cast<int>(thread));
  }
  return able;
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
      if (known[index(event.thread)] > number) continue;
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
                       [&](size_t one) { return before[index(events_[one].thread)] > one; });
  };
  for (size_t later = number + 1; later < events_.size(); ++later) {
    const Event& event = events_[later];
    if (event.before[index(events_[number].thread)] > number) continue;
    if (!follows_one(event.before)) found.push_back(event.thread);
    kept.push_back(later);
  }
  const Step& next = fibers_[index(thread)].next;
  const bool depends =
      std::any_of(kept.begin(), kept.end(), [&](size_t one) { return events_[one].step.depends_on(next); });
  if (!depends && !follows_one(before_[index(thread)])) found.push_back(thread);
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
    if (choice.explored[index(one)] ||
        std::find(choice.threads.begin(), choice.threads.end(), one) != choice.threads.end())
      return true;
  const auto first = std::find_if(beginnings.begin(), beginnings.end(), is_able);
  if (first == beginnings.end()) return false;
  choice.threads.push_back(*first);
  choice.ways = choice.threads.size();
  return true;
}

void Execution::record_event(int thread, size_t choice) {
  Before& mine = before_[index(thread)];
  const auto join = [&](const Before& other) {
    for (size_t one = 0; one < other.size(); ++one) mine[one] = std::max(mine[one], other[one]);
  };
  const Step& step = fibers_[index(thread)].next;
  for (size_t object : step.objects) {
    join(writes_[object]);
    if (step.writes) join(reads_[object]);
  }
  mine[index(thread)] = events_.size() + 1;
  events_.push_back({thread, step, choice, mine});
  for (size_t object : step.objects) {
    Before& last = step.writes ? writes_[object] : reads_[object];
    last.resize(fibers_.size());
    for (size_t one = 0; one < last.size(); ++one) last[one] = std::max(last[one], mine[one]);
  }
}

size_t Execution::choose_way(size_t ways) {
  if (ways <= 1) return 0;
  if (depth_ == choices_.size()) choices_.push_back({0, ways, {}, {}, {}});
  return choices_[depth_++].taken;
}

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
  while (true) {
    holds = try_wait(fiber, ways, most) || holds;
    fiber.now = now, fiber.acquirable = acquirable;
    ways.resize(most.size());
    size_t load = ways.size();
    while (load > 0 && ways[load - 1] + 1 >= most[load - 1]) --load;
    if (load == 0) break;
    ++ways[load - 1];
    ways.resize(load);
  }
  running_ = -1;
  fiber.next = {trial_objects_, fiber.takes, !holds};
}

Order Execution::asked(Order order, const std::source_location& where) {
  if (order == std::memory_order_relaxed) return order;
  const Site site{short_name(where.file_name()), where.line()};
  outcome_.ordered_sites.insert(site);
  return weakened_.count(site) ? std::memory_order_relaxed : order;
}

void Execution::join_read(const View& learnt, Order order) {
  if (acquires(order))
    me().now.join(learnt);
  else
    me().acquirable.join(learnt);
}

View Execution::view_to_publish(Order order) const {
  const Fiber& fiber = fibers_[static_cast<size_t>(running_)];
  return releases(order) ? fiber.now : fiber.released;
}

void Execution::note(const char* what, uint64_t value, const std::source_location& where) {
  if (!trial_) taken_.push_back({running_, what, value, where});
}

// The last steps, a line each.
std::string Execution::steps() const {
  constexpr size_t most = 60;
  std::string text;
  for (size_t step = taken_.size() > most ? taken_.size() - most : 0; step < taken_.size(); ++step) {
    const Taken& taken = taken_[step];
    char line[256];
    std::snprintf(line, sizeof line, "  thread %d  %-9s %6llu  %s:%u\n", taken.thread, taken.what,
                  static_cast<unsigned long long>(taken.value), short_name(taken.where.file_name()).c_str(),
                  taken.where.line());
    text += line;
  }
  return text;
}

void Execution::fail(const std::string& what) {
  if (!outcome_.failure.empty()) return;
  outcome_.failure = what;
  outcome_.steps = steps();
}

Object::Object(uint64_t value) : first_(value) {
  if (the_current) join_execution();
}

void Object::join_execution() {
  Execution& execution = Execution::current();
  if (execution_ == execution.number_) return;
  execution_ = execution.number_;
  id_ = execution.objects_++;
  history_.assign(1, {first_, View()});
}

uint64_t Object::load(Order order, const std::source_location& where) {
  Execution& execution = Execution::current();
  join_execution();
  if (!Execution::is_running()) return history_.back().value;
  order = execution.asked(order, where);
  if (!execution.trial_) execution.offer({{id_}, false, false});
  return load(execution.me().now.seen(id_), order, where);
}

uint64_t Object::look(const std::source_location& where) {
  Execution& execution = Execution::current();
  join_execution();
  if (!execution.trial_) execution.offer({{id_}, false, false});
  return load(history_.size() - 1, std::memory_order_acquire, where);
}

void Object::lock(const std::source_location& where) {
  Execution& execution = Execution::current();
  join_execution();
  execution.me().takes = true;
  await(
      [](void* word) { return (static_cast<Object*>(word)->look(std::source_location::current()) & 1) == 0; },
      this, where);
  execution.me().takes = false;
  const Message last = history_.back();
  execution.me().now.see(id_, static_cast<uint32_t>(history_.size()));
  history_.push_back({last.value | 1, last.view});
}

// One of the values from the oldest on: which one is a choice.
uint64_t Object::load(size_t oldest, Order order, const std::source_location& where) {
  Execution& execution = Execution::current();
  const size_t ways = history_.size() - oldest;
  size_t way = 0;
  if (execution.trial_) {
    execution.trial_objects_.push_back(id_);
    if (execution.trial_most_.size() < execution.trial_->size())
      way = (*execution.trial_)[execution.trial_most_.size()];
    execution.trial_most_.push_back(ways);
  } else {
    way = execution.choose_way(ways);
  }
  const size_t index = history_.size() - 1 - way;
  execution.me().now.see(id_, static_cast<uint32_t>(index));
  execution.join_read(history_[index].view, order);
  execution.note(way ? "old load" : "load", history_[index].value, where);
  return history_[index].value;
}

void Object::store(uint64_t value, Order order, const std::source_location& where) {
  Execution& execution = Execution::current();
  join_execution();
  if (!execution.inside_thread()) {
    history_.assign(1, {value, {}});
    return;
  }
  order = execution.asked(order, where);
  execution.offer({{id_}, true, false});
  execution.me().now.see(id_, static_cast<uint32_t>(history_.size()));
  View view = execution.view_to_publish(order);
  view.see(id_, static_cast<uint32_t>(history_.size()));
  history_.push_back({value, std::move(view)});
  execution.note("store", value, where);
}

uint64_t Object::update(const std::function<uint64_t(uint64_t)>& change, Order order,
                        const std::source_location& where) {
  Execution& execution = Execution::current();
  join_execution();
  order = execution.asked(order, where);
  execution.offer({{id_}, true, false});
  const Message last = history_.back();
  execution.me().now.see(id_, static_cast<uint32_t>(history_.size()));
  execution.join_read(last.view, order);
  View view = execution.view_to_publish(order);
  view.see(id_, static_cast<uint32_t>(history_.size()));
  view.join(last.view);  // the release sequence goes on
  const uint64_t value = change(last.value);
  history_.push_back({value, std::move(view)});
  execution.note("update", value, where);
  return last.value;
}

// A failing one is a load of the newest value. (A weak one that fails without cause is a fruitless look.)
uint64_t Object::compare_exchange(uint64_t expected, uint64_t desired, Order success, Order failure,
                                  const std::source_location& where) {
  Execution& execution = Execution::current();
  join_execution();
  success = execution.asked(success, where);
  failure = execution.asked(failure, where);
  execution.offer({{id_}, true, false});
  const Message last = history_.back();
  if (last.value != expected) {
    execution.me().now.see(id_, static_cast<uint32_t>(history_.size() - 1));
    execution.join_read(last.view, failure);
    execution.note("no swap", last.value, where);
    return last.value;
  }
  execution.me().now.see(id_, static_cast<uint32_t>(history_.size()));
  execution.join_read(last.view, success);
  View view = execution.view_to_publish(success);
  view.see(id_, static_cast<uint32_t>(history_.size()));
  view.join(last.view);
  history_.push_back({desired, std::move(view)});
  execution.note("swap", desired, where);
  return expected;
}

void fence(Order order, const std::source_location& where) {
  Execution& execution = Execution::current();
  order = execution.asked(order, where);
  if (order == std::memory_order_relaxed) return;
  if (order == std::memory_order_seq_cst) execution.offer({{0}, true, false});
  Execution::Fiber& fiber = execution.me();
  if (acquires(order)) fiber.now.join(fiber.acquirable);
  if (order == std::memory_order_seq_cst) {
    fiber.now.join(execution.fences_);
    execution.fences_ = fiber.now;
  }
  if (releases(order)) fiber.released = fiber.now;
  execution.note("fence", 0, where);
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
  while (true) {
    if (execution.try_wait(fiber, ways, most)) {
      ways.resize(most.size());
      endings.push_back(ways);
      fiber.now = now, fiber.acquirable = acquirable;
    }
    ways.resize(most.size());
    size_t load = ways.size();
    while (load > 0 && ways[load - 1] + 1 >= most[load - 1]) --load;
    if (load == 0) break;
    ++ways[load - 1];
    ways.resize(load);
  }
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

void require(bool condition, const char* what, const std::source_location& where) {
  if (condition) return;
  Execution& execution = Execution::current();
  execution.fail(std::string(what) + " does not hold, " + short_name(where.file_name()) + ":" +
                 std::to_string(where.line()));
  execution.offer({});
}

void Execution::check_plain(const volatile void* address, size_t bytes, bool writes,
                            const std::source_location& where) {
  if (!inside_thread() || trial_) return;
  const auto begin = reinterpret_cast<uintptr_t>(address) / 8;
  const auto end = (reinterpret_cast<uintptr_t>(address) + bytes + 7) / 8;
  me().now.advance(static_cast<size_t>(running_));
  const auto races = [&](int other, uint32_t clock) {
    return other != running_ && clock > me().now.clock(static_cast<size_t>(other));
  };
  for (uintptr_t place = begin; place < end; ++place) {
    PlainCell& cell = plain_[place];
    cell.read.resize(fibers_.size());
    bool race = cell.writer >= 0 && races(cell.writer, cell.written);
    for (size_t other = 0; writes && other < fibers_.size(); ++other)
      race |= races(static_cast<int>(other), cell.read[other]);
    const uint32_t clock = me().now.clock(static_cast<size_t>(running_));
    if (writes)
      cell.writer = running_, cell.written = clock;
    else
      cell.read[static_cast<size_t>(running_)] = clock;
    note(writes ? "write" : "read", place % 1000, where);
    if (race) {
      fail("a data race at " + short_name(where.file_name()) + ":" + std::to_string(where.line()));
      return offer({});
    }
  }
}

void plain_read(const volatile void* address, size_t bytes, const std::source_location& where) {
  Execution::current().check_plain(address, bytes, false, where);
}
void plain_write(const volatile void* address, size_t bytes, const std::source_location& where) {
  Execution::current().check_plain(address, bytes, true, where);
}

Object& object_at(const volatile void* address, uint64_t first) {
  auto& object = Execution::current().words_[reinterpret_cast<uintptr_t>(address)];
  if (!object) object = std::make_unique<Object>(first);
  return *object;
}

size_t choose(size_t ways) { return Execution::current().choose_way(ways); }

int this_thread() { return Execution::current().running_; }

}  // namespace model
