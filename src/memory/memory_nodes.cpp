// Translates hints into a memory policy and passes it to the kernel by mbind(2).
// SPDX-License-Identifier: BSD-3-Clause
#include "memory/memory_nodes.hpp"

#include <cstring>

#include "arena/heap_allocator.hpp"
#include "atrium_memory_policy.h"
#include "os/page.hpp"

namespace atrium {
namespace {

constexpr atrium_memory_policy unplaced{};  // mode atrium_policy_none

// High bandwidth counts more if the system has such memory.
atrium_memory_policy policy_of(long hints) {
  const atrium_node_set allowed = atrium_allowed_nodes();
  const auto chosen = [&](int choice) {
    return atrium_chosen_policy(choice, atrium_node_here(), &allowed, ATRIUM_SYSTEM_FOLDER);
  };
  if ((hints & SHMEMX_MALLOC_HIGH_BANDWIDTH) != 0) {
    const atrium_memory_policy fast = chosen(atrium_memory_high_bandwidth);
    if (fast.mode != atrium_policy_none) return fast;
  }
  return (hints & SHMEMX_MALLOC_INTERLEAVE) != 0 ? chosen(atrium_memory_interleaved) : unplaced;
}

}  // namespace

size_t unit_of_block(size_t bytes, long hints) {
  if (!are_placing(hints)) return HeapAllocator::granule;
  return bytes < huge_page_size ? page_size() : huge_page_size;
}

std::string place_pages(void* begin, size_t bytes, long hints) {
  const atrium_memory_policy policy = policy_of(hints);
  if (policy.mode == atrium_policy_none)
    return "the system tells of no memory that is faster than the PE's own";
  const int error = atrium_apply_policy(begin, bytes, &policy, atrium_move_pages);
  return error == 0 ? "" : std::string("mbind: ") + std::strerror(error);
}

void forget_placement(void* begin, size_t bytes) { atrium_apply_policy(begin, bytes, &unplaced, 0); }

}  // namespace atrium
