// Chooses addresses from a list of free ranges, and asks the system nothing, so that tests can try any address space.
// SPDX-License-Identifier: BSD-3-Clause
#include "arena/addresses.hpp"

#include <algorithm>

#include "os/page.hpp"

namespace atrium {
namespace {

using Ranges = std::vector<AddressRange>;

// Candidate positions in a range, as eighths of the room there is: not at its edges first, where the C
// library's heap and mappings grow.
constexpr int eighths[] = {2, 4, 1, 5, 3, 6, 7, 0, 8};

// The largest address <= `address` that is `offset` modulo `alignment`.
uintptr_t align_like(uintptr_t address, uintptr_t offset, size_t alignment) {
  const uintptr_t remainder = (address - offset) % alignment;
  return address - remainder;
}

void remove(Ranges& ranges, uintptr_t begin, size_t size) {
  Ranges kept;
  for (const AddressRange& range : ranges) {
    const uintptr_t end = begin + size;
    if (end <= range.begin || begin >= range.end) {
      kept.push_back(range);
      continue;
    }
    if (range.begin < begin) kept.push_back({range.begin, begin});
    if (end < range.end) kept.push_back({end, range.end});
  }
  ranges = std::move(kept);
}

// Calls `accept(address)` for good addresses of `size` bytes, congruent to `like` modulo `alignment`, the
// roomiest range first, until it returns true.
template <class Accept>
bool try_positions(const Ranges& ranges, size_t size, uintptr_t like, size_t alignment, Accept accept) {
  Ranges by_size = ranges;
  std::sort(by_size.begin(), by_size.end(), [](auto& a, auto& b) { return a.size() > b.size(); });
  for (const AddressRange& range : by_size) {
    if (range.size() < size + 2 * alignment) return false;
    const size_t room = range.size() - size - alignment;
    for (int eighth : eighths) {
      const uintptr_t address =
          align_like(range.begin + alignment + room / 8 * static_cast<size_t>(eighth), like, alignment);
      if (address >= range.begin && size <= range.end - address && accept(address)) return true;
    }
  }
  return false;
}

// My arena at H and the peers' at H + skip, for a skip that is already fixed.
std::optional<uintptr_t> find_heap(const Ranges& free, const AddressNeeds& needs, ptrdiff_t skip) {
  std::optional<uintptr_t> heap;
  try_positions(free, needs.own, 0 - needs.system, needs.heap_alignment, [&](uintptr_t candidate) {
    const uintptr_t peers = candidate + static_cast<uintptr_t>(skip);
    const bool apart = peers >= candidate + needs.own || peers + needs.peers <= candidate;
    if (!apart || !is_free(free, peers, needs.peers)) return false;
    heap = candidate;
    return true;
  });
  return heap;
}

}  // namespace

// The C library's heap begins up to 1 GiB behind the static data (Linux, arch_randomize_brk) and is rarely larger than some
// more. Both views of all peers are to fit in an eighth of 128 TiB of addresses.
size_t generous_spacing(size_t part, int places) {
  constexpr size_t enough = size_t{16} << 30, each_view = size_t{8} << 40;
  const size_t affordable = round_down(each_view / static_cast<size_t>(places), huge_page_size);
  const size_t least = round_up(part, cache_hash_period) + huge_page_size;
  if (least > affordable) return std::max(part, std::min(enough, affordable));
  const size_t most = std::min(enough, affordable) - huge_page_size;
  return std::max(least, round_down(most, cache_hash_period) + huge_page_size);
}

std::optional<ArenaAddresses> find_addresses(Ranges free, const AddressNeeds& needs) {
  std::optional<ArenaAddresses> found;
  if (needs.peers == 0) {
    if (auto heap = find_heap(free, needs, static_cast<ptrdiff_t>(round_up(needs.own, needs.alignment))))
      found = ArenaAddresses{*heap, 0};
    return found;
  }
  // Where no globals pin it, any address serves as the origin of `skip`.
  const uintptr_t origin = needs.globals ? needs.globals : round_up(free.front().begin, needs.alignment);
  const auto take = [&](uintptr_t globals_of_peers) {
    const ptrdiff_t skip = static_cast<ptrdiff_t>(globals_of_peers - origin);
    Ranges left = free;
    if (needs.globals) remove(left, globals_of_peers, needs.peers);
    if (auto heap = find_heap(left, needs, skip)) found = ArenaAddresses{*heap, skip};
    return found.has_value();
  };
  try_positions(free, needs.peers, origin + huge_page_size, cache_hash_period, take) ||
      try_positions(free, needs.peers, origin, needs.alignment, take);
  return found;
}

}  // namespace atrium
