// A list that only grows, so that it is read without a lock.
// SPDX-License-Identifier: BSD-3-Clause
#include "race/model/context.hpp"

#include <algorithm>
#include <mutex>

#include "interpose/say.hpp"
#include "race/shadow/room.hpp"

namespace atrium::race {
namespace {

SpinLock contexts_lock;  // for changes
std::atomic<Context*> first_context{nullptr};
Context* last_context = nullptr;
unsigned contexts_count = 0;

const char gone = 0;  // its address is the handle of contexts that are no more

Context* behind(const std::atomic<Context*>& link) {
  return link.load(std::memory_order_acquire);  // SYNC race-contexts
}

Context* find(const void* handle) {
  Context* context = behind(first_context);
  while (context && context->handle.load(std::memory_order_acquire) != handle)  // SYNC race-contexts
    context = behind(context->next);
  return context;
}

Context& append() {
  const unsigned number = std::min(contexts_count++, most_contexts - 1);
  if (contexts_count == most_contexts + 1)
    interpose::say_once(
        "more contexts at a time than the check tells apart (4,096): some races are not seen");
  auto* const added = new Context{&gone, number, 0, nullptr, 0, nullptr};
  auto& link = last_context ? last_context->next : first_context;
  link.store(added, std::memory_order_release);  // SYNC race-contexts
  last_context = added;
  return *added;
}

void end(Context& context) {
  if (context.number != 0) context.handle.store(&gone, std::memory_order_relaxed);
}

}  // namespace

Context& context_of(const void* handle) {
  Context* const found = find(handle);
  return found ? *found : *behind(first_context);
}

Context& add_context(const void* handle, unsigned domain, const int* members, int size) {
  std::lock_guard guard(contexts_lock);
  Context* const dead = find(&gone);
  Context& added = dead ? *dead : append();
  added.domain = domain;
  added.members = members;
  added.size = size;
  added.handle.store(handle, std::memory_order_release);  // SYNC race-contexts
  return added;
}

void remove_context(const void* handle) {
  std::lock_guard guard(contexts_lock);
  Context* const found = find(handle);
  if (found) end(*found);
}

void remove_all_contexts() {
  std::lock_guard guard(contexts_lock);
  for (Context* one = behind(first_context); one; one = behind(one->next)) end(*one);
}

}  // namespace atrium::race
