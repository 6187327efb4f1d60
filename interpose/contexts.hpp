// Communication contexts of this PE, by their handles.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>

#include "interpose/groups.hpp"

namespace atrium::interpose {

// The number of a destroyed context is used again: all operations of the first one were complete.
struct ToolContext {
  std::atomic<shmem_ctx_t> handle;  // what it is found by
  unsigned number;                  // 0: the default context
  const PeGroup* group;             // whose PEs its operations name
  std::atomic<ToolContext*> next;   // in the order in which they were made
};

extern ToolContext* default_context;  // null: before the first session

ToolContext* find_context(shmem_ctx_t handle);  // null: there is none
// The default context for a handle that is not known. Requires: there is one.
inline ToolContext& context_of(shmem_ctx_t handle) {
  if (default_context->handle.load(std::memory_order_relaxed) == handle) return *default_context;
  ToolContext* const found = find_context(handle);
  return found ? *found : *default_context;
}

// The number in the job of a PE of the context's team; -1: there is no such PE.
inline int pe_in_job(const ToolContext& context, int pe) {
  return pe < 0 || pe >= context.group->size() ? -1 : context.group->members[static_cast<size_t>(pe)];
}

// The first is the default one.
void add_context(shmem_ctx_t handle, const PeGroup* group);
void remove_context(shmem_ctx_t handle);
void remove_all_contexts();  // but the default one

}  // namespace atrium::interpose
