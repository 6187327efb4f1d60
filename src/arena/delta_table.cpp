// Delta tables between guards.
// SPDX-License-Identifier: BSD-3-Clause
#include "arena/delta_table.hpp"

#include <sys/mman.h>

#include <algorithm>

#include "os/memory_limits.hpp"
#include "os/page.hpp"
#include "shmem/types.h"

namespace atrium {
namespace {

constexpr size_t margin = 64;  // entries of AWAY before the first and behind the last, at least

size_t guard_bytes(Guard guard) {
  constexpr size_t near = size_t{1} << 20;
  constexpr size_t every_int = (size_t{1} << 31) * sizeof(ptrdiff_t);
  if (guard == Guard::near) return near;
  return address_space_left() == SIZE_MAX ? every_int : near;
}

// A page or two: each page touched costs the start of a PE and the making of a team 2 us.
size_t readable_bytes(int size) {
  return round_up((static_cast<size_t>(size) + 2 * margin) * sizeof(ptrdiff_t), page_size());
}

}  // namespace

Result<ptrdiff_t*> create_delta_table(int size, Guard guard) {
  const size_t outside = guard_bytes(guard), readable = readable_bytes(size);
  void* base =
      ::mmap(nullptr, readable + 2 * outside, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (base == MAP_FAILED)
    return system_error("cannot make the table of PEs", "mmap").try_this("ulimit -v unlimited");
  auto* first = reinterpret_cast<ptrdiff_t*>(static_cast<std::byte*>(base) + outside);
  if (::mprotect(first, readable, PROT_READ | PROT_WRITE) != 0) {
    Error error = system_error("cannot make the table of PEs", "mprotect");
    ::munmap(base, readable + 2 * outside);
    return error;
  }
  std::fill_n(first, readable / sizeof(ptrdiff_t), ATRIUM_AWAY);
  return first + margin;
}

Result<void> extend_delta_table(ptrdiff_t* table, int size, Guard guard) {
  const size_t readable = readable_bytes(size);
  if (readable > guard_bytes(guard))
    return Error{
        "cannot make the table of PEs", "too many PEs for its address space", {}, "ulimit -v unlimited"};
  ptrdiff_t* first = table - margin;
  if (::mprotect(first, readable, PROT_READ | PROT_WRITE) != 0)
    return system_error("cannot make the table of PEs", "mprotect");
  std::fill_n(first, readable / sizeof(ptrdiff_t), ATRIUM_AWAY);
  return {};
}

void destroy_delta_table(ptrdiff_t* table, int size, Guard guard) {
  const size_t outside = guard_bytes(guard);
  std::byte* base = reinterpret_cast<std::byte*>(table - margin) - outside;
  ::munmap(base, readable_bytes(size) + 2 * outside);
}

// Data, not code: the inline path may look before any constructor has run.
#define EIGHT(entry) entry, entry, entry, entry, entry, entry, entry, entry
#define ROW EIGHT(EIGHT(EIGHT(ATRIUM_AWAY)))
const ptrdiff_t nowhere_entries[2 * nowhere_half] = {EIGHT(ROW), EIGHT(ROW)};
#undef ROW
#undef EIGHT

}  // namespace atrium
