// What every model's program is made of: scenarios, and a main that explores them and then their mutants.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <cstdlib>
#include <memory>
#include <source_location>

#include "explorer/explorer.hpp"

// Layouts are those of the real types; here an atomic object is larger.
#define static_assert(...) static_assert(true)

namespace model {

// A site at which relaxing the order is known to break nothing, and why.
struct Spared {
  const char* file;
  const char* text;  // what stands on the line
  const char* reason;
};

// The body of a function that the sources could call, and no scenario does.
[[noreturn]] inline void never_called(const std::source_location& where = std::source_location::current()) {
  require(false, "no scenario calls this", where);
  std::abort();
}

// Explores every scenario completely; then, for each site that asks for an order, that it is needed: with the order
// relaxed some scenario must fail, unless the site is spared. Writes one line each; the status of the program.
int explore_all(const std::vector<Scenario>& scenarios, const std::vector<Spared>& spared, int argc,
                char** argv);

// A scenario on objects of type `Shared`, made anew for each execution; `body(shared, thread)` runs on each thread.
template <class Shared, class Body>
Scenario scenario(std::string name, int threads, Body body) {
  return {std::move(name), threads, [body]() -> std::function<void(int)> {
            auto shared = std::make_shared<Shared>();
            return [shared, body](int thread) { body(*shared, thread); };
          }};
}

}  // namespace model
