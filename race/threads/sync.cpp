// Records by address.
// SPDX-License-Identifier: BSD-3-Clause
#include "race/threads/sync.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <mutex>
#include <unordered_map>

#include "race/report/say.hpp"

namespace atrium::race {
namespace {

void* untouched(size_t bytes) {
  void* memory =
      mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) give_up("no memory for what threads tell each other");
  return memory;
}

void make(Knowledge& knowledge) {
  if (knowledge.clock) return;
  knowledge.fenced = static_cast<Tick*>(untouched(sizeof(Tick) * most_lanes));
  knowledge.clock = static_cast<Clock*>(untouched(sizeof(Clock)));
}

void add_fenced(Tick* to, const Tick* from) {
  const uint32_t lanes = lanes_used();
  for (uint32_t l = 0; l < lanes; ++l) to[l] = std::max(to[l], from[l]);
}

}  // namespace

void leave(Strand& strand, Knowledge& knowledge) {
  std::lock_guard guard(knowledge.lock);
  make(knowledge);
  knowledge.clock->merge(*strand.clock, lanes_used());
  add_fenced(knowledge.fenced, strand.fenced);
  strand.advance();
}

void replace(Strand& strand, Knowledge& knowledge) {
  std::lock_guard guard(knowledge.lock);
  make(knowledge);
  knowledge.clock->copy(*strand.clock, lanes_used());
  std::copy_n(strand.fenced, lanes_used(), knowledge.fenced);
  strand.advance();
}

void take(Strand& strand, const Knowledge& knowledge) {
  std::lock_guard guard(const_cast<Knowledge&>(knowledge).lock);
  if (!knowledge.clock) return;
  strand.clock->merge(*knowledge.clock, lanes_used());
  add_fenced(strand.fenced, knowledge.fenced);
}

void forget(Knowledge& knowledge) {
  std::lock_guard guard(knowledge.lock);
  if (!knowledge.clock) return;
  knowledge.clock->arrivals_count = 0;
  std::fill_n(knowledge.clock->tick, lanes_used(), 0);
  std::fill_n(knowledge.fenced, lanes_used(), 0);
}

Knowledge& knowledge_at(const volatile void* address) {
  static std::unordered_map<const volatile void*, Knowledge*>& known =
      *new std::unordered_map<const volatile void*, Knowledge*>;
  static SpinLock lock;
  std::lock_guard guard(lock);
  Knowledge*& knowledge = known[address];
  if (!knowledge) knowledge = new Knowledge;
  return *knowledge;
}

}  // namespace atrium::race
