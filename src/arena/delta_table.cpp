// Allocates delta tables between inaccessible guard pages.
// SPDX-License-Identifier: BSD-3-Clause
#include "arena/delta_table.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <new>
#include <vector>

#include "os/job_memory.hpp"
#include "os/memory_limits.hpp"
#include "os/page.hpp"
#include "shmem/types.h"

namespace atrium {
namespace {

constexpr size_t margin = 64;  // entries of AWAY before the first and behind the last, at least

constexpr size_t every_int = (size_t{1} << 31) * sizeof(ptrdiff_t);

// All in bytes; the readable part begins `margin` entries before entry 0.
struct TableShape {
  size_t below;  // PROT_NONE before the readable part
  size_t
      readable;  // mostly a page or two: each touched costs the start of a PE and the making of a team 2 us
  size_t reach;  // from the readable part's beginning to where PROT_NONE ends
  size_t far;    // the page behind that, where `unsigned` numbers end, or nothing

  size_t all() const { return below + reach + far; }
};

TableShape shape_of(int size, Guard guard) {
  constexpr size_t near = size_t{1} << 20;
  const size_t readable = round_up((static_cast<size_t>(size) + 2 * margin) * sizeof(ptrdiff_t), page_size());
  if (guard == Guard::near || address_space_left() != SIZE_MAX) return {near, readable, readable + near, 0};
  if (guard == Guard::every_int) return {every_int, readable, every_int, 0};
  return {every_int, readable, 2 * every_int, page_size()};
}

// Where `unsigned` numbers end past the table's own memory, that end shall at least be an address of the user's, at
// which a handler can put a page (guard_faults.cpp): so far below the stack, which is at the top. The kernel's own choice
// may be less than 32 GiB from there, where processors fault without saying the address.
void* place_for(const TableShape& shape, Guard guard) {
  if (guard != Guard::every_number || shape.far) return nullptr;
  auto here = reinterpret_cast<uintptr_t>(&shape);
  return reinterpret_cast<void*>((here & -uintptr_t{page_size()}) -
                                 4 * every_int);  // 32 GiB below what it reaches
}

void fill_away(std::byte* start, size_t bytes) {
  std::fill_n(reinterpret_cast<ptrdiff_t*>(start), bytes / sizeof(ptrdiff_t), ATRIUM_AWAY);
}

bool fill_with_own_memory(std::byte* start, size_t bytes) {
  if (::mprotect(start, bytes, PROT_READ | PROT_WRITE) != 0) return false;
  fill_away(start, bytes);
  return true;
}

// 64 KiB of AWAY, in a file without a name.
class AwayFile {
 public:
  static constexpr size_t bytes = size_t{64} << 10;

  AwayFile() {
    auto file = create_memfd();
    if (!file) return;
    const std::vector<ptrdiff_t> entries(bytes / sizeof(ptrdiff_t), ATRIUM_AWAY);
    if (::write(*file, entries.data(), bytes) == static_cast<ssize_t>(bytes))
      descriptor_ = *file;
    else
      ::close(*file);
  }
  ~AwayFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  AwayFile(const AwayFile&) = delete;
  AwayFile& operator=(const AwayFile&) = delete;

  // Pages that are written into become this process's own.
  bool map_at(std::byte* start) const {
    return descriptor_ >= 0 && ::mmap(start, bytes, PROT_READ | PROT_WRITE,
                                      MAP_PRIVATE | MAP_FIXED | MAP_NORESERVE, descriptor_, 0) != MAP_FAILED;
  }

 private:
  int descriptor_ = -1;
};

// What is no whole file of it is filled, and all where there can be no such file.
bool make_away(std::byte* start, size_t bytes) {
  size_t mapped = 0;
  if (bytes >= 2 * AwayFile::bytes) {
    const AwayFile file;
    while (mapped + AwayFile::bytes <= bytes && file.map_at(start + mapped)) mapped += AwayFile::bytes;
  }
  return mapped == bytes || fill_with_own_memory(start + mapped, bytes - mapped);
}

std::byte* beginning_of(ptrdiff_t* table) { return reinterpret_cast<std::byte*>(table - margin); }

// The table that was given back last, all AWAY, for the next team: the system calls and page faults of making one
// are most of what a split and a destroy take (docs/measurements/collectives.md). Of one page, as nearly all teams' are.
std::atomic<ptrdiff_t*> spare{nullptr};

bool fits_spare(const TableShape& shape, Guard guard) {
  return guard == Guard::near && shape.readable == page_size();
}

}  // namespace

Result<ptrdiff_t*> create_delta_table(int size, Guard guard) {
  const TableShape shape = shape_of(size, guard);
  if (fits_spare(shape, guard)) {
    ptrdiff_t* kept = spare.exchange(nullptr, std::memory_order_acquire);  // SYNC spare-table
    if (kept) return kept;
  }
  void* base = ::mmap(place_for(shape, guard), shape.all(), PROT_NONE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (base == MAP_FAILED)
    return system_error("cannot make the table of PEs", "mmap").try_this("ulimit -v unlimited");
  std::byte* first = static_cast<std::byte*>(base) + shape.below;
  if (!make_away(first, shape.readable) || (shape.far && !make_away(first + shape.reach, shape.far))) {
    Error error = system_error("cannot make the table of PEs", "mprotect");
    ::munmap(base, shape.all());
    return error;
  }
  return reinterpret_cast<ptrdiff_t*>(first) + margin;
}

Result<ptrdiff_t*> create_inner_table(int size) {
  constexpr int most_without_guards = 8192;
  auto* const table =
      size <= most_without_guards ? new (std::nothrow) ptrdiff_t[static_cast<size_t>(size)] : nullptr;
  if (!table) return create_delta_table(size);
  std::fill_n(table, size, ATRIUM_AWAY);
  return table;
}

Result<void> extend_delta_table(ptrdiff_t* table, int size, Guard guard) {
  const TableShape shape = shape_of(size, guard);
  if (shape.readable > shape_of(1, guard).reach)
    return Error{
        "cannot make the table of PEs", "too many PEs for its address space", {}, "ulimit -v unlimited"};
  if (shape.readable == shape_of(1, guard).readable)  // so much can be read already
    fill_away(beginning_of(table), shape.readable);
  else if (!make_away(beginning_of(table), shape.readable))
    return system_error("cannot make the table of PEs", "mprotect");
  return {};
}

void destroy_delta_table(ptrdiff_t* table, int size, Guard guard) {
  const TableShape shape = shape_of(size, guard);
  if (fits_spare(shape, guard)) {
    // All other pages are unchanged.
    std::fill_n(table, size, ATRIUM_AWAY);
    table = spare.exchange(table, std::memory_order_acq_rel);  // SYNC spare-table
    if (!table) return;
  }
  ::munmap(beginning_of(table) - shape.below, shape.all());
}

GuardedTable guarded_memory(ptrdiff_t* table, int size, Guard guard) {
  const TableShape shape = shape_of(size, guard);
  return {beginning_of(table) - shape.below, shape.all()};
}

// Data, not code: the inline path may look before any constructor has run.
#define EIGHT(entry) entry, entry, entry, entry, entry, entry, entry, entry
#define ROW EIGHT(EIGHT(EIGHT(ATRIUM_AWAY)))
const ptrdiff_t nowhere_entries[2 * nowhere_half] = {EIGHT(ROW), EIGHT(ROW)};
#undef ROW
#undef EIGHT

}  // namespace atrium
