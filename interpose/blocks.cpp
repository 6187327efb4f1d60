// Keeps blocks in the order of their addresses.
// SPDX-License-Identifier: BSD-3-Clause
#include "interpose/blocks.hpp"

#include <map>
#include <mutex>

#include "interpose/spin_lock.hpp"

namespace atrium::interpose {
namespace {

SpinLock lock;
std::map<uintptr_t, TrackedBlock>& blocks = *new std::map<uintptr_t, TrackedBlock>;

uintptr_t address_of(const void* begin) { return reinterpret_cast<uintptr_t>(begin); }

}  // namespace

void add_block(const void* begin, size_t bytes, uint64_t place) {
  const uintptr_t at = address_of(begin);
  const std::lock_guard guard(lock);
  blocks.erase(blocks.lower_bound(at), blocks.lower_bound(at + bytes));
  blocks[at] = {at, bytes, place, 0, true};
}

void end_block(const void* begin, uint64_t place) {
  const std::lock_guard guard(lock);
  const auto found = blocks.find(address_of(begin));
  if (found == blocks.end() || !found->second.alive) return;
  found->second.alive = false;
  found->second.freed = place;
}

std::optional<TrackedBlock> live_block(const void* begin) {
  const std::lock_guard guard(lock);
  const auto found = blocks.find(address_of(begin));
  return found == blocks.end() || !found->second.alive ? std::nullopt : std::optional(found->second);
}

std::vector<TrackedBlock> end_all_blocks(uint64_t place) {
  std::vector<TrackedBlock> ended;
  const std::lock_guard guard(lock);
  for (auto& [begin, block] : blocks) {
    if (!block.alive) continue;
    ended.push_back(block);
    block.alive = false;
    block.freed = place;
  }
  return ended;
}

std::optional<TrackedBlock> block_near(uintptr_t address) {
  const std::lock_guard guard(lock);
  const auto after = blocks.upper_bound(address);
  return after == blocks.begin() ? std::nullopt : std::optional(std::prev(after)->second);
}

}  // namespace atrium::interpose
