// The shadow of private memory, in two levels: a table of chunks, and those chunks in which something was accessed.
// SPDX-License-Identifier: BSD-3-Clause
#include "race/shadow/private.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <mutex>
#include <vector>

#include "interpose/say.hpp"
#include "race/shadow/chunks.h"
#include "race/shadow/shared_memory.hpp"
#include "race/shadow/untouched.hpp"

namespace atrium::race {
namespace {

constexpr unsigned chunk_bits = 16;
constexpr size_t lines_of_chunk = (size_t{1} << chunk_bits) / 8;
constexpr size_t chunks_of_all = size_t{1} << (atrium_race_address_bits - chunk_bits);

bool has_shadow(uintptr_t address) { return address >> atrium_race_address_bits == 0; }

using Chunk = std::atomic<ShadowLine*>;

Chunk* table() {
  static Chunk* const chunks = [] {
    auto* made = untouched<Chunk>(chunks_of_all);
    if (!made)
      interpose::say_once(
          "no address space for the shadow of private memory: races between threads are not seen");
    return made;
  }();
  return chunks;
}

// From large pieces, because a process may have only so many mappings.
ShadowLine* new_chunk() {
  constexpr size_t piece_chunks = 512;
  static SpinLock lock;
  static ShadowLine* piece = nullptr;
  static size_t used = piece_chunks;
  const std::lock_guard guard(lock);
  if (used == piece_chunks) {
    piece = untouched<ShadowLine>(piece_chunks * lines_of_chunk);
    used = 0;
  }
  return piece ? piece + used++ * lines_of_chunk : nullptr;
}

struct Apart {
  const void* owner;
  uintptr_t begin, end;
};
std::vector<Apart>& all_apart = *new std::vector<Apart>;
std::atomic<size_t> count_apart{0};
SpinLock apart_lock;

}  // namespace

void set_apart(const void* owner, uintptr_t begin, uintptr_t end) {
  const std::lock_guard guard(apart_lock);
  for (const Apart& one : all_apart)
    if (one.owner == owner && one.begin == begin) return;
  all_apart.push_back({owner, begin, end});
  count_apart.store(all_apart.size(), std::memory_order_relaxed);
}

void put_back(const void* owner) {
  const std::lock_guard guard(apart_lock);
  std::erase_if(all_apart, [&](const Apart& one) { return one.owner == owner; });
  count_apart.store(all_apart.size(), std::memory_order_relaxed);
}

// Relaxed: a thread that uses such memory has set it apart, or synchronised with the one that has.
bool is_apart(uintptr_t address) {
  if (count_apart.load(std::memory_order_relaxed) == 0) return false;
  const std::lock_guard guard(apart_lock);
  return std::any_of(all_apart.begin(), all_apart.end(),
                     [&](const Apart& one) { return one.begin <= address && address < one.end; });
}

ShadowLine* private_line(uintptr_t address) {
  if (!has_shadow(address) || !table()) return nullptr;
  Chunk& chunk = table()[address >> chunk_bits];
  ShadowLine* lines = chunk.load(std::memory_order_acquire);
  if (!lines) {
    ShadowLine* const made = new_chunk();
    if (!made) return nullptr;
    if (chunk.compare_exchange_strong(lines, made)) lines = made;
  }
  return lines + (address >> 3 & (lines_of_chunk - 1));
}

void clear_private(uintptr_t address, size_t bytes) {
  if (!table()) return;
  const uintptr_t end = (address + bytes) & ~uintptr_t{7};
  for (uintptr_t at = (address + 7) & ~uintptr_t{7}; at < end && has_shadow(at);) {
    const uintptr_t next = std::min(end, ((at >> chunk_bits) + 1) << chunk_bits);
    if (ShadowLine* lines = table()[at >> chunk_bits].load(std::memory_order_acquire))
      std::memset(static_cast<void*>(lines + (at >> 3 & (lines_of_chunk - 1))), 0,
                  (next - at) / 8 * sizeof(ShadowLine));
    at = next;
  }
}

}  // namespace atrium::race
