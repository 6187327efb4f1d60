// The set of contexts and teams that have been created and not yet destroyed.
// SPDX-License-Identifier: BSD-3-Clause
#include "check/handles.hpp"

#include <mutex>
#include <unordered_set>

namespace atrium {
namespace {

struct Handles {
  std::mutex mutex;
  std::unordered_set<const void*> alive;
};

// Never destroyed: contexts may be used by a program's own destructors.
Handles& handles() {
  static auto* all = new Handles;
  return *all;
}

}  // namespace

void register_handle(const void* handle) {
  std::lock_guard guard(handles().mutex);
  handles().alive.insert(handle);
}

void forget_handle(const void* handle) {
  std::lock_guard guard(handles().mutex);
  handles().alive.erase(handle);
}

bool is_known_handle(const void* handle) {
  std::lock_guard guard(handles().mutex);
  return handles().alive.count(handle) != 0;
}

}  // namespace atrium
