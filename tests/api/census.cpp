// A tool of one file, as docs/howto/add-a-tool.md shows it: counts what this PE puts, and which families of routines it calls.
// SPDX-License-Identifier: BSD-3-Clause
#include <atomic>
#include <string>

#include "interpose/say.hpp"
#include "interpose/tool.hpp"

namespace atrium::interpose {
namespace {

std::atomic<uint64_t> calls[families];
std::atomic<uint64_t> bytes_put = 0, elsewhere = 0;

std::string missing() {
  std::string text;
  for (size_t family = 0; family < families; ++family)
    if (calls[family] == 0) text += " " + std::to_string(family);
  return text.empty() ? "" : "; not of:" + text;
}

// What interpose finds while a session lasts.
bool is_well_found(const RoutineCall& operation) {
  if (operation.family == RoutineFamily::put) return operation.context && operation.target == operation.pe;
  if (operation.family == RoutineFamily::free) return operation.block_bytes == 64;
  if (operation.of != Members::none && operation.family != RoutineFamily::init)
    return operation.group &&
           operation.group->members[static_cast<size_t>(operation.group->rank)] == pshmem_my_pe();
  return true;
}

}  // namespace

const char* const tool_name = "census";

void before(RoutineCall& operation) {
  ++calls[static_cast<size_t>(operation.family)];
  if (!is_well_found(operation)) ++elsewhere;
  if (operation.family == RoutineFamily::put) bytes_put += operation.bytes();
  if (operation.family == RoutineFamily::global_exit)
    say("put " + std::to_string(bytes_put) + " bytes, shown all families" + missing() + ", " +
        std::to_string(elsewhere) + " of what was not found");
}

void after(RoutineCall& operation, uint64_t result) {
  if (operation.family == RoutineFamily::init && result == 0) begin_session();
  if (operation.family == RoutineFamily::finalize) end_session();
}

}  // namespace atrium::interpose
