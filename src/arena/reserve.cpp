// Tries the usual place first, and searches the address space only when that is taken.
// SPDX-License-Identifier: BSD-3-Clause
#include "arena/reserve.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <span>

#include "os/address_space.hpp"
#include "os/page.hpp"

extern "C" void __tsan_init() __attribute__((weak));

namespace atrium {
namespace {

constexpr uintptr_t TiB = uintptr_t{1} << 40;
// On 64-bit Linux nothing is here, whatever its layout: executables lie below 4 TiB or above two thirds of all addresses, with
// the C library's heap behind them, and libraries and stacks at the top; sanitizers keep what they know below 17 TiB.
constexpr uintptr_t usual_heap = 40 * TiB;
constexpr ptrdiff_t usual_skip = 12 * TiB + huge_page_size;  // apart in caches
constexpr size_t usual_room = 8 * TiB;
constexpr const char* remedy = "a smaller SHMEM_SYMMETRIC_SIZE, or ulimit -v unlimited";

// Takes the range if it is still free, so that nothing else is put there before the mappings are.
Result<void> reserve(const AddressRange& range) {
  if (range.size() == 0) return {};
  auto* const where = reinterpret_cast<void*>(range.begin);
  void* got = ::mmap(where, range.size(), PROT_NONE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
  if (got == where) return {};
  Error error = system_error("cannot reserve address space for the symmetric memory", "mmap");
  if (got != MAP_FAILED) ::munmap(got, range.size());  // kernels before 4.17 take the address as a hint
  return error.try_this(remedy);
}

void release(const AddressRange& range) {
  if (range.size() != 0) ::munmap(reinterpret_cast<void*>(range.begin), range.size());
}

// All of them or none.
Result<void> reserve_all(std::span<const AddressRange> ranges) {
  for (size_t taken = 0; taken < ranges.size(); ++taken) {
    auto reserved = reserve(ranges[taken]);
    if (reserved) continue;
    for (const AddressRange& range : ranges.first(taken)) release(range);
    return reserved;
  }
  return {};
}

AddressRange range_at(uintptr_t begin, size_t size) { return {begin, begin + size}; }

Result<ArenaAddresses> reserve_at(const ArenaAddresses& place, const AddressNeeds& needs) {
  const auto skip = static_cast<uintptr_t>(place.skip);
  const AddressRange ranges[] = {range_at(place.heap, needs.own), range_at(place.heap + skip, needs.peers),
                                 range_at(needs.globals + skip, needs.globals ? needs.peers : 0)};
  if (auto reserved = reserve_all(ranges); !reserved) return reserved.error();
  return place;
}

Result<ArenaAddresses> reserve_among(const std::vector<AddressRange>& free, const AddressNeeds& needs) {
  const auto place = find_addresses(free, needs);
  if (!place)
    return Error{
        "cannot reserve address space for the symmetric memory", "no free range is large enough", {}, remedy};
  return reserve_at(*place, needs);
}

// A program under the thread sanitizer may use little of its address space, and is ended by an attempt
// elsewhere.
// These are the parts that every version of it leaves to programs (x86-64; with and without PIE).
std::vector<AddressRange> within_thread_sanitizer(const std::vector<AddressRange>& free) {
  constexpr AddressRange allowed[] = {{uintptr_t{1} << 24, uintptr_t{1} << 39},
                                      {0x550000000000, 0x568000000000}};
  std::vector<AddressRange> both;
  for (const AddressRange& range : free)
    for (const AddressRange& part : allowed) {
      const AddressRange cut{std::max(range.begin, part.begin), std::min(range.end, part.end)};
      if (cut.begin < cut.end) both.push_back(cut);
    }
  return both;
}

}  // namespace

// First where every PE can have its own heap at one address: programs send such addresses to each other, though the standard
// promises nothing. Then between the executable and the libraries, where there is nothing either. Finding out for sure means
// reading /proc/self/maps, a tenth of shmem_init.
Result<ArenaAddresses> reserve_addresses(const AddressNeeds& needs) {
  if (!__tsan_init && needs.own <= usual_room && needs.peers <= usual_room) {
    auto usual = reserve_at({usual_heap - needs.system, needs.peers ? usual_skip : 0}, needs);
    if (usual) return usual;
  }
  if (needs.globals != 0 && !__tsan_init) {
    auto likely = reserve_among({{needs.globals + 4 * TiB, needs.globals + 36 * TiB}}, needs);
    if (likely) return likely;
  }
  auto free = free_ranges();
  if (!free) return free.error();
  return reserve_among(__tsan_init ? within_thread_sanitizer(*free) : *free, needs);
}

}  // namespace atrium
