// Sets of handles that are alive: contexts always, because destroying one twice must be refused, and locks where arguments are checked.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <vector>

namespace atrium {

// Addresses in an open table: none of its calls takes memory unless there are more handles than ever. Threads: the caller serialises.
class HandleSet {
 public:
  void insert(const void* handle);
  bool erase(const void* handle);  // whether it was there
  bool contains(const void* handle) const { return !places_.empty() && places_[place_of(handle)] == handle; }

 private:
  size_t home_of(const void* handle) const;
  size_t after(size_t place) const { return (place + 1) & (places_.size() - 1); }
  size_t place_of(const void* handle) const;
  void grow();

  std::vector<const void*> places_;  // a power of two of them, at most half of them taken; null is free
  size_t count_ = 0;
};

// One for all locks. Threads: any.
void register_handle(const void* handle);
void forget_handle(const void* handle);
bool is_known_handle(const void* handle);

}  // namespace atrium
