// A hash table from the address of a lock, barrier or atomic variable to what it publishes.
// SPDX-License-Identifier: BSD-3-Clause
#include "race/threads/sync.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <mutex>

#include "interpose/say.hpp"
#include "race/shadow/untouched.hpp"

namespace atrium::race {
namespace {

constexpr const char* no_memory = "no memory for the clocks that threads leave for each other";

void make(Knowledge& knowledge) {
  if (knowledge.clock) return;
  knowledge.fenced = require_untouched<Tick>(no_memory, most_lanes);
  knowledge.clock = require_untouched<VectorClock>(no_memory);
}

void add_fenced(Tick* to, const Tick* from) {
  const uint32_t lanes = lanes_used();
  for (uint32_t l = 0; l < lanes; ++l) to[l] = std::max(to[l], from[l]);
}

Fences& fences_of(Strand& strand) {
  if (!strand.fences) strand.fences = new (require_untouched<Fences>(no_memory)) Fences{};
  return *strand.fences;
}

void add(const Knowledge& from, Knowledge& to) {
  if (!from.clock) return;
  make(to);
  to.clock->merge(*from.clock, lanes_used());
  add_fenced(to.fenced, from.fenced);
}

// A record and what it is about, found by linear probing. Never from malloc: locks of libraries are taken within it, too
// (UCX's, where it asks the system for memory).
struct SyncRecord {
  std::atomic<const volatile void*> address;
  Knowledge knowledge;
};
constexpr size_t record_bits = 20, most_records = size_t{1} << record_bits, most_probes = 64;

SyncRecord* records() {
  static SyncRecord* const all = require_untouched<SyncRecord>(no_memory, most_records);
  return all;
}

size_t first_probe(const volatile void* address) {
  constexpr uint64_t golden_ratio = 0x9e3779b97f4a7c15;
  return (reinterpret_cast<uint64_t>(address) * golden_ratio) >> (64 - record_bits);
}

// Relaxed: what lies in a record is guarded by its own lock.
bool is_about(SyncRecord& record, const volatile void* address) {
  const volatile void* found = record.address.load(std::memory_order_relaxed);
  if (!found && record.address.compare_exchange_strong(found, address, std::memory_order_relaxed))
    return true;
  return found == address;
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
  if (knowledge.is_shared) return leave(strand, knowledge);
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

// What a fence has acquired it releases, too. The fences of a strand are its own, so that no thread waits for their locks.
void order_by_fence(Strand& strand, bool acquires, bool releases) {
  Fences& fences = fences_of(strand);
  if (acquires) take(strand, fences.seen), forget(fences.seen);
  if (releases) replace(strand, fences.left);
}

void leave_relaxed(const Strand& strand, Knowledge& knowledge) {
  if (!strand.fences) return;
  std::lock_guard guard(knowledge.lock);
  add(strand.fences->left, knowledge);
}

void take_relaxed(Strand& strand, const Knowledge& knowledge) {
  std::lock_guard guard(const_cast<Knowledge&>(knowledge).lock);
  if (knowledge.clock) add(knowledge, fences_of(strand).seen);
}

const VectorClock* left_at_fence(const Strand& strand) {
  return strand.fences ? strand.fences->left.clock : nullptr;
}

void take_relaxed(Strand& strand, const VectorClock& clock) {
  Fences& fences = fences_of(strand);
  make(fences.seen);
  fences.seen.clock->merge(clock, lanes_used());
}

void forget(Knowledge& knowledge) {
  if (knowledge.is_shared) return;
  std::lock_guard guard(knowledge.lock);
  if (!knowledge.clock) return;
  knowledge.clock->arrivals_count = 0;
  std::fill_n(knowledge.clock->tick, lanes_used(), 0);
  std::fill_n(knowledge.fenced, lanes_used(), 0);
}

Knowledge& knowledge_at(const volatile void* address) {
  const Inside inside;  // locks of other libraries that are taken meanwhile would need a record, too
  // Orders more than is: races may be missed, none is made up.
  static Knowledge of_the_rest{.lock = {}, .clock = nullptr, .fenced = nullptr, .is_shared = true};
  SyncRecord* const all = records();
  for (size_t i = 0, at = first_probe(address); i < most_probes; ++i, ++at)
    if (SyncRecord& record = all[at % most_records]; is_about(record, address)) return record.knowledge;
  return of_the_rest;
}

void acquired(const volatile void* object) {
  if (!orders_threads()) return;
  const Inside inside;
  take(here(), knowledge_at(object));
}

void released(const volatile void* object) {
  if (!orders_threads()) return;
  const Inside inside;
  leave(here(), knowledge_at(object));
}

}  // namespace atrium::race
