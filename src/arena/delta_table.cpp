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

struct Shape {
  size_t guard;  // bytes of PROT_NONE on each side
  size_t front;  // bytes of AWAY before entry 0: one page
  size_t open;   // readable bytes in all
};

size_t guard_bytes(Guard guard) {
  constexpr size_t near = size_t{1} << 20;
  constexpr size_t every_int = (size_t{1} << 31) * sizeof(ptrdiff_t);
  if (guard == Guard::near) return near;
  return address_space_left() == SIZE_MAX ? every_int : near;
}

Shape shape_of(int size, Guard guard) {
  const size_t page = page_size();
  const size_t entries = round_up(static_cast<size_t>(size) * sizeof(ptrdiff_t), page);
  return {guard_bytes(guard), page, page + entries + page};
}

}  // namespace

Result<ptrdiff_t*> create_delta_table(int size, Guard guard) {
  const Shape shape = shape_of(size, guard);
  void* base = ::mmap(nullptr, shape.open + 2 * shape.guard, PROT_NONE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (base == MAP_FAILED)
    return system_error("cannot make the table of PEs", "mmap").try_this("ulimit -v unlimited");
  std::byte* open = static_cast<std::byte*>(base) + shape.guard;
  if (::mprotect(open, shape.open, PROT_READ | PROT_WRITE) != 0) {
    Error error = system_error("cannot make the table of PEs", "mprotect");
    ::munmap(base, shape.open + 2 * shape.guard);
    return error;
  }
  auto* first = reinterpret_cast<ptrdiff_t*>(open);
  std::fill_n(first, shape.open / sizeof(ptrdiff_t), ATRIUM_AWAY);
  return reinterpret_cast<ptrdiff_t*>(open + shape.front);
}

Result<void> extend_delta_table(ptrdiff_t* table, int size, Guard guard) {
  const Shape shape = shape_of(size, guard);
  const size_t readable = shape.open - shape.front;
  if (readable > shape.guard)
    return Error{
        "cannot make the table of PEs", "too many PEs for its address space", {}, "ulimit -v unlimited"};
  if (::mprotect(table, readable, PROT_READ | PROT_WRITE) != 0)
    return system_error("cannot make the table of PEs", "mprotect");
  std::fill_n(table, readable / sizeof(ptrdiff_t), ATRIUM_AWAY);
  return {};
}

void destroy_delta_table(ptrdiff_t* table, int size, Guard guard) {
  const Shape shape = shape_of(size, guard);
  std::byte* base = reinterpret_cast<std::byte*>(table) - shape.front - shape.guard;
  ::munmap(base, shape.open + 2 * shape.guard);
}

// Data, not code: the inline path may look before any constructor has run.
#define EIGHT(entry) entry, entry, entry, entry, entry, entry, entry, entry
#define ROW EIGHT(EIGHT(EIGHT(ATRIUM_AWAY)))
const ptrdiff_t nowhere_entries[2 * nowhere_half] = {EIGHT(ROW), EIGHT(ROW)};
#undef ROW
#undef EIGHT

}  // namespace atrium
