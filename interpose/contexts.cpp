// Keeps contexts in a list that only grows, so that it is read without a lock.
// SPDX-License-Identifier: BSD-3-Clause
#include "interpose/contexts.hpp"

#include <mutex>

#include "interpose/spin_lock.hpp"

namespace atrium::interpose {

ToolContext* default_context = nullptr;

namespace {

SpinLock lock;  // for changes
ToolContext* last_context = nullptr;
unsigned count = 0;

// Its address is the handle of contexts that are no more.
char nobody = 0;
shmem_ctx_t gone() { return reinterpret_cast<shmem_ctx_t>(&nobody); }

ToolContext* behind(const std::atomic<ToolContext*>& link) {
  return link.load(std::memory_order_acquire);  // SYNC tool-contexts
}

ToolContext& append() {
  auto* const added = new ToolContext{gone(), count++, nullptr, nullptr};
  if (last_context)
    last_context->next.store(added, std::memory_order_release);  // SYNC tool-contexts
  else
    default_context = added;
  last_context = added;
  return *added;
}

void end(ToolContext& context) {
  if (context.number != 0) context.handle.store(gone(), std::memory_order_relaxed);
}

}  // namespace

ToolContext* find_context(shmem_ctx_t handle) {
  ToolContext* context = default_context;
  while (context && context->handle.load(std::memory_order_acquire) != handle)  // SYNC tool-contexts
    context = behind(context->next);
  return context;
}

void add_context(shmem_ctx_t handle, const PeGroup* group) {
  if (!group) return;
  const std::lock_guard guard(lock);
  if (default_context && default_context->handle.load(std::memory_order_relaxed) == handle) return;
  ToolContext* const dead = find_context(gone());
  ToolContext& added = dead ? *dead : append();
  added.group = group;
  added.handle.store(handle, std::memory_order_release);  // SYNC tool-contexts
}

void remove_context(shmem_ctx_t handle) {
  const std::lock_guard guard(lock);
  ToolContext* const found = find_context(handle);
  if (found) end(*found);
}

void remove_all_contexts() {
  const std::lock_guard guard(lock);
  for (ToolContext* one = default_context; one; one = behind(one->next)) end(*one);
}

}  // namespace atrium::interpose
