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

struct Chunk {
  ShadowLine line[lines_of_chunk];
  // How many lines at its end may hold something: stacks, which are cleared often, grow from there.
  std::atomic<size_t> used;

  void use(size_t number) {
    const size_t least = lines_of_chunk - number;
    size_t now = used.load(std::memory_order_relaxed);
    while (now < least && !used.compare_exchange_weak(now, least, std::memory_order_relaxed)) {
    }
  }
  // Others may use lines outside of these meanwhile.
  void clear(size_t begin, size_t end) {
    size_t now = used.load(std::memory_order_relaxed);
    const size_t lowest = lines_of_chunk - now;
    if (end <= lowest) return;
    const size_t first = std::max(begin, lowest);
    std::memset(static_cast<void*>(line + first), 0, (end - first) * sizeof(ShadowLine));
    if (begin <= lowest) used.compare_exchange_strong(now, lines_of_chunk - end, std::memory_order_relaxed);
  }
};
using ChunkPlace = std::atomic<Chunk*>;

ChunkPlace* table() {
  static ChunkPlace* const chunks = [] {
    auto* made = untouched<ChunkPlace>(chunks_of_all);
    if (!made)
      interpose::say_once(
          "no address space for the shadow of private memory: races between threads are not seen");
    return made;
  }();
  return chunks;
}

// From large pieces, because a process may have only so many mappings.
Chunk* new_chunk() {
  constexpr size_t piece_chunks = 512;
  static SpinLock lock;
  static Chunk* piece = nullptr;
  static size_t used = piece_chunks;
  const std::lock_guard guard(lock);
  if (used == piece_chunks) {
    piece = untouched<Chunk>(piece_chunks);
    used = 0;
  }
  return piece ? piece + used++ : nullptr;
}

size_t line_number(uintptr_t address) { return address >> 3 & (lines_of_chunk - 1); }

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
  ChunkPlace& place = table()[address >> chunk_bits];
  Chunk* chunk = place.load(std::memory_order_acquire);
  if (!chunk) {
    Chunk* const made = new_chunk();
    if (!made) return nullptr;
    if (place.compare_exchange_strong(chunk, made)) chunk = made;
  }
  chunk->use(line_number(address));
  return chunk->line + line_number(address);
}

void clear_private(uintptr_t address, size_t bytes) {
  if (!table()) return;
  const uintptr_t end = (address + bytes) & ~uintptr_t{7};
  for (uintptr_t at = (address + 7) & ~uintptr_t{7}; at < end && has_shadow(at);) {
    const uintptr_t next = std::min(end, ((at >> chunk_bits) + 1) << chunk_bits);
    if (Chunk* const chunk = table()[at >> chunk_bits].load(std::memory_order_acquire))
      chunk->clear(line_number(at), line_number(at) + (next - at) / 8);
    at = next;
  }
}

}  // namespace atrium::race
