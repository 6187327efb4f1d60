// The set of contexts and teams that have been created and not yet destroyed.
// SPDX-License-Identifier: BSD-3-Clause
#include "check/handles.hpp"

#include <mutex>
#include <unordered_set>

namespace atrium {
namespace {

constinit std::mutex mutex;

// Never destroyed (core/never_destroyed.hpp). Whoever calls holds the mutex, which the thread sanitizer sees.
std::unordered_set<const void*>& alive() {
  static auto& all = *new std::unordered_set<const void*>;
  return all;
}

}  // namespace

void register_handle(const void* handle) {
  std::lock_guard guard(mutex);
  alive().insert(handle);
}

void forget_handle(const void* handle) {
  std::lock_guard guard(mutex);
  alive().erase(handle);
}

bool is_known_handle(const void* handle) {
  std::lock_guard guard(mutex);
  return alive().count(handle) != 0;
}

}  // namespace atrium
