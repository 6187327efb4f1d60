// Runs a small program of several threads in every order, and with every value that weak memory lets a load see.
// SPDX-License-Identifier: BSD-3-Clause
//
// Words.      A *scenario* makes its shared objects anew, starts threads, and asserts. An *execution* is one run of it
//             to the end. A *step* is one access to an atomic object, a fence, or the end of a wait: the only places
//             where threads take turns. A *site* is the line of source that makes the access.
// How.        Depth first over a stack of choices: who takes the next step, and which value a load returns. Each
//             execution repeats the choices of the stack and then goes its own way. Executions that differ only in
//             the order of steps that do not touch the same object are left out (source sets and sleep sets:
//             Abdulla and others, "Optimal dynamic partial order reduction", POPL 2014).
//             A wait (`wait_for`) is one step that may be taken only when its condition can hold: fruitless looks
//             are not explored, because a condition has no side effect before it holds.
// Found.      A failed assertion, a data race of plain accesses, a state in which nobody can go on.
// Not found.  What needs load buffering (view.hpp); anything that only more threads or longer scenarios show.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <set>
#include <source_location>
#include <string>
#include <vector>

namespace model {

struct Site {
  std::string file;
  uint32_t line = 0;
  auto operator<=>(const Site&) const = default;
};

struct Scenario {
  std::string name;
  int threads;
  // Makes the shared objects and returns what a thread does; called once for each execution.
  std::function<std::function<void(int thread)>()> start;
};

struct Outcome {
  uint64_t executions = 0;
  bool complete = false;         // every execution has been seen
  std::string failure;           // empty: nothing was found
  std::string steps;             // of the failing execution, a line each
  std::set<Site> ordered_sites;  // sites at which an order stronger than relaxed was asked for
};

struct Limits {
  uint64_t executions = 2'000'000;
  uint32_t steps = 2'000;    // of one execution
  bool every_order = false;  // leave no order out, for tests of the explorer itself
};

// Explores the scenario until something is found. At the sites in `weakened` memory orders are relaxed and fences do
// nothing.
Outcome explore(const Scenario& scenario, const std::set<Site>& weakened = {}, const Limits& limits = {});

// To be called by a scenario's threads.
void require(bool condition, const char* what,
             const std::source_location& where = std::source_location::current());
#define MODEL_REQUIRE(condition) ::model::require((condition), #condition)

// Accesses to plain memory: checked against each other, never a step. Each 8 bytes from `address` on.
void plain_read(const volatile void* address, size_t bytes,
                const std::source_location& where = std::source_location::current());
void plain_write(const volatile void* address, size_t bytes,
                 const std::source_location& where = std::source_location::current());

// Which thread is running: 0 ... threads-1.
int this_thread();

// Takes a step when `ready` can return true, and returns after it has. Requires: `ready` only loads, and has no side
// effect before it succeeds.
void await(bool (*ready)(void*), void* subject,
           const std::source_location& where = std::source_location::current());

// One of so many ways in which the surroundings may behave, 0 ... ways-1: all of them are explored.
size_t choose(size_t ways);

// The kernel's futex: sleeps while the word holds `expected`; nobody but a wake ends the sleep.
class Object;
void futex_sleep(Object& word, uint32_t expected, const std::source_location& where);
void futex_wake_all(Object& word, const std::source_location& where);

}  // namespace model
