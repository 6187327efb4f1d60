// What a tool is: two functions, which are called before and after each call of a routine. docs/howto/add-a-tool.md shows one.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <type_traits>

#include "interpose/blocks.hpp"
#include "interpose/library.hpp"
#include "interpose/operation.hpp"

namespace atrium::interpose {

// A tool defines both, and `tool_name` (say.hpp). The routine runs between them, so what after() ends may lie in
// RoutineCall::scratch. `result`: what the routine returned, if that is a pointer or an integer; else 0. shmem_global_exit does not
// return. Any thread may call at any time.
void before(RoutineCall& operation);
void after(RoutineCall& operation, uint64_t result);

// From now on teams, contexts and blocks are known, until the session ends: then all but the predefined ones are forgotten,
// and so are blocks, whose end is noted with `place`. A tool calls them when shmem_init has run and when shmem_finalize is to run
// or has, or never, if it needs none of them. Requires: no other thread calls.
void begin_session();
std::vector<TrackedBlock> end_session(uint64_t place = 0);
void abandon_session();  // as the child of a fork does, which is no PE

// For the wrappers, which know the family when they are compiled.
extern bool in_session;
void find_block(RoutineCall& operation);
void forget(const RoutineCall& operation);                  // before the routine runs
void learn(const RoutineCall& operation, uint64_t result);  // when it has run

template <class Result>
uint64_t word_of(Result result) {
  if constexpr (std::is_pointer_v<Result>)
    return reinterpret_cast<uintptr_t>(result);
  else if constexpr (std::is_integral_v<Result>)
    return static_cast<uint64_t>(result);
  else
    return 0;
}

[[gnu::always_inline]] inline void find(RoutineCall& operation, RoutineFamily family, Members of, int pe) {
  if (of == Members::all) operation.group = world_group;
  if (of == Members::team) operation.group = group_of_team(operation.team);
  if (of == Members::set) operation.group = group_of_set(operation.set());
  if (has_target(family)) {
    operation.context = &context_of(operation.ctx);
    operation.target = pe_in_job(*operation.context, pe);
  }
  if (family == RoutineFamily::free || family == RoutineFamily::reallocate) find_block(operation);
}

// Calls the routine, and the tool before and after it. The tool may change the call, so what the compiler knows of it is read first.
template <class Run>
[[gnu::always_inline]] inline auto call_with_tool(RoutineCall&& operation, Run run) {
  const RoutineFamily family = operation.family;
  if (family == RoutineFamily::init) need_library();
  if (in_session) find(operation, family, operation.of, operation.pe);
  before(operation);
  if (keeps_something(family) && in_session) forget(operation);
  if constexpr (std::is_void_v<decltype(run())>) {
    run();
    after(operation, 0);
    if (keeps_something(family) && in_session) learn(operation, 0);
  } else {
    const auto result = run();
    after(operation, word_of(result));
    if (keeps_something(family) && in_session) learn(operation, word_of(result));
    return result;
  }
}

}  // namespace atrium::interpose
