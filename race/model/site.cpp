// Numbers files in a table that all PEs share, so that a place has the same origin on each of them.
// SPDX-License-Identifier: BSD-3-Clause
#include "race/model/site.hpp"

#include "interpose/caller.hpp"
#include "interpose/objects.hpp"
#include "race/model/job.hpp"
#include "race/model/strand.hpp"

namespace atrium::race {
namespace {

const interpose::Object* module_of(uintptr_t address) {
  if (const auto* module = interpose::find_object(address)) return module;
  const Inside inside;
  return interpose::look_for_object(address);
}

}  // namespace

void learn_library(const void* function) { interpose::learn_library(board().modules, function); }

Origin origin_of(const Site& site, size_t bytes) {
  const uintptr_t address = interpose::caller_outside_library(reinterpret_cast<uintptr_t>(site.caller));
  return origin_in_program({site.routine, reinterpret_cast<void*>(address)}, bytes);
}

Origin origin_in_program(const Site& site, size_t bytes) {
  const auto address = reinterpret_cast<uintptr_t>(site.caller);
  const auto* module = module_of(address);
  if (!module) return Origin(static_cast<unsigned>(site.routine), 0, 0, bytes);
  return Origin(static_cast<unsigned>(site.routine), module->number,
                static_cast<uint32_t>(address - module->base), bytes);
}

}  // namespace atrium::race
