// One execution of a scenario: its atomic objects, its threads as fibers, and the choices that it repeats and makes.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <bits/atomic_base.h>
#include <setjmp.h>
#include <ucontext.h>

#include <functional>
#include <memory>
#include <unordered_map>

#include "explorer/explorer.hpp"
#include "explorer/view.hpp"

namespace model {

using Order = std::memory_order;

// An atomic word with all the values it has had in this execution. One that outlives executions begins each of them
// with its first value.
class Object {
 public:
  explicit Object(uint64_t value = 0);
  Object(const Object&) = delete;
  Object& operator=(const Object&) = delete;

  uint64_t load(Order order, const std::source_location& where);
  // The newest value, with all that its writer knew: for what stands in for a kernel or a network.
  uint64_t look(const std::source_location& where);
  // Sets the lowest bit, in one step that can be taken when it is clear.
  void lock(const std::source_location& where);
  void store(uint64_t value, Order order, const std::source_location& where);
  // Reads the newest value and writes change(it); returns what was there.
  uint64_t update(const std::function<uint64_t(uint64_t)>& change, Order order,
                  const std::source_location& where);
  // Writes `desired` if the newest value is `expected`; returns what was there.
  uint64_t compare_exchange(uint64_t expected, uint64_t desired, Order success, Order failure,
                            const std::source_location& where);

 private:
  friend class Execution;
  friend void futex_sleep(Object& word, uint32_t expected, const std::source_location& where);
  friend void futex_wake_all(Object& word, const std::source_location& where);
  struct Message {
    uint64_t value;
    View view;  // what an acquiring reader learns
  };
  void join_execution();
  uint64_t load(size_t oldest, Order order, const std::source_location& where);

  uint64_t first_;
  uint64_t execution_ = 0;  // the one that the rest belongs to
  size_t id_ = 0;
  std::vector<Message> history_;
};

void fence(Order order, const std::source_location& where);

inline size_t index_of(int thread) { return static_cast<size_t>(thread); }
std::string short_name(const char* file);  // as in `src`

// A place in the tree of executions: which of how many ways is taken.
struct Choice {
  size_t taken = 0;
  size_t ways = 0;
  // Where a thread is chosen, else empty: one a way; grows when a later step turns out to depend on the one taken here.
  std::vector<int> threads;
  std::vector<int> able;       // who could have gone on
  std::vector<bool> explored;  // the sleep set here: whose step need not be tried
};

// What the next step of a thread will touch.
struct Step {
  std::vector<size_t> objects;
  bool writes = false;
  bool blocked = false;  // may not be taken now
  bool depends_on(const Step& other) const;
};

class Execution {
 public:
  Execution(const Scenario& scenario, std::vector<Choice>& choices, const std::set<Site>& weakened,
            const Limits& limits, Outcome& outcome);
  ~Execution();
  void run();

  static Execution& current();
  static bool is_running();

 private:
  friend class Object;
  friend void fence(Order, const std::source_location&);
  friend void await(bool (*)(void*), void*, const std::source_location&);
  friend void futex_sleep(Object&, uint32_t, const std::source_location&);
  friend void futex_wake_all(Object&, const std::source_location&);
  friend void require(bool, const char*, const std::source_location&);
  friend void plain_read(const volatile void*, size_t, const std::source_location&);
  friend void plain_write(const volatile void*, size_t, const std::source_location&);
  friend int this_thread();
  friend size_t choose(size_t);
  friend Object& object_at(const volatile void*, uint64_t);

  struct Fiber {
    ucontext_t context;  // to begin with; then jumps, which need no system call
    jmp_buf rest;
    std::unique_ptr<std::byte[]> stack;
    View now, acquirable, released;
    Step next;
    bool finished = false;
    bool (*ready)(void*) = nullptr;  // of the wait that is its next step
    void* subject = nullptr;
    bool takes = false;   // its wait ends with a write
    bool asleep = false;  // in the kernel, until somebody wakes it
  };
  struct PlainCell {
    int writer = -1;
    uint32_t written = 0;
    std::vector<uint32_t> read;  // thread -> its clock when it last read
  };

  using Before = std::vector<size_t>;  // thread -> number of its last event that happened before, plus one
  // A step that has been taken.
  struct Event {
    int thread;
    Step step;
    size_t choice;
    Before before;  // as far as steps depend on each other
  };
  struct Taken {
    int thread;
    const char* what;
    uint64_t value;
    std::source_location where;
  };

  static Execution* the_current;

  static void enter_fiber();
  void resume(int thread);
  // On a fiber: lets the others go on until this step is chosen.
  void offer(Step step);
  int choose_thread();
  std::vector<int> able_threads();
  void find_conflicts();
  std::vector<int> beginnings_without(size_t number, int thread) const;
  bool try_before(size_t number, int thread);
  void record_event(int thread, size_t choice);
  size_t choose_way(size_t ways);
  void refresh_wait(int thread);
  bool try_wait(Fiber& fiber, const std::vector<size_t>& ways, std::vector<size_t>& most);
  Order asked(Order order, const std::source_location& where);
  void join_read(const View& learnt, Order order);
  View view_to_publish(Order order) const;
  void note(const char* what, uint64_t value, const std::source_location& where);
  std::string steps() const;
  void fail(const std::string& what);
  void check_plain(const volatile void* address, size_t bytes, bool writes,
                   const std::source_location& where);
  Fiber& me() { return fibers_[static_cast<size_t>(running_)]; }
  bool inside_thread() const { return running_ >= 0; }

  std::vector<Choice>& choices_;
  size_t depth_ = 0;            // choices made so far
  std::vector<bool> sleeping_;  // sleep set: whose next step was explored in an earlier sibling
  const std::set<Site>& weakened_;
  const Limits& limits_;
  Outcome& outcome_;

  uint64_t number_;
  std::function<void(int)> body_;
  std::vector<Fiber> fibers_;
  jmp_buf scheduler_;
  int running_ = -1;
  std::vector<Taken> taken_;
  bool all_finished_ = false;

  std::vector<Event> events_;
  std::vector<Before> before_;                         // of each thread
  std::unordered_map<size_t, Before> reads_, writes_;  // of each object

  size_t objects_ = 1;  // number 0 stands for the order of sequentially consistent fences
  View initial_, fences_;
  std::unordered_map<uintptr_t, PlainCell> plain_;
  std::unordered_map<uintptr_t, std::unique_ptr<Object>> words_;

  // While a wait's condition is evaluated its loads take the ways written here.
  const std::vector<size_t>* trial_ = nullptr;
  std::vector<size_t> trial_most_;     // of each load, how many ways it had
  std::vector<size_t> trial_objects_;  // what it looked at
};

}  // namespace model
