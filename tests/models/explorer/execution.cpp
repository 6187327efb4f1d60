// Runs one execution: threads are fibers that take turns at steps, in an order that is chosen.
// SPDX-License-Identifier: BSD-3-Clause
#include "explorer/execution.hpp"

#include <cstdio>
#include <cstring>

namespace model {
namespace {

constexpr size_t stack_bytes = size_t{64} << 10;
uint64_t executions = 0;

}  // namespace

std::string short_name(const char* file) {
  const char* found = std::strstr(file, "src/");
  for (const char* next = found; next; next = std::strstr(next + 1, "src/")) found = next;
  return found ? found + 4 : file;
}

Execution* Execution::the_current = nullptr;
Execution& Execution::current() { return *the_current; }
bool Execution::is_running() { return the_current && the_current->inside_thread(); }

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
    std::erase_if(fresh, [&](int thread) { return sleeping_[index_of(thread)]; });
    if (fresh.empty()) return -1;
    if (!limits_.every_order) fresh.resize(1);
    choices_.push_back({0, fresh.size(), fresh, able, sleeping_});
  }
  const size_t number = depth_++;
  const Choice& choice = choices_[number];
  for (size_t earlier = 0; earlier < choice.taken; ++earlier)
    sleeping_[index_of(choice.threads[earlier])] = true;
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

size_t Execution::choose_way(size_t ways) {
  if (ways <= 1) return 0;
  if (depth_ == choices_.size()) choices_.push_back({0, ways, {}, {}, {}});
  return choices_[depth_++].taken;
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

void require(bool condition, const char* what, const std::source_location& where) {
  if (condition) return;
  Execution& execution = Execution::current();
  execution.fail(std::string(what) + " does not hold, " + short_name(where.file_name()) + ":" +
                 std::to_string(where.line()));
  execution.offer({});
}

size_t choose(size_t ways) { return Execution::current().choose_way(ways); }

int this_thread() { return Execution::current().running_; }

}  // namespace model
