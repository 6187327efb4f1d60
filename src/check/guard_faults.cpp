// Handles the faults of inlined code that was given a PE number far outside of the job.
// SPDX-License-Identifier: BSD-3-Clause
#include "check/guard_faults.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <cstdint>

#include "os/page.hpp"
#include "shmem/types.h"

namespace atrium {
namespace {

// A number that is wrong ends the job; only shmem_ptr may ask on. And who writes here, whom a page of AWAY does not
// help, faults for good after so many times.
constexpr int most = 256;

GuardedTable guarded{};
const ptrdiff_t* of_pe_0 = nullptr;
std::atomic<int> answered = 0;

// Filled elsewhere and put there as a whole, because another thread may read it at any time.
bool show_away_at(std::byte* page) {
  const size_t bytes = page_size();
  void* made = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (made == MAP_FAILED) return false;
  std::fill_n(static_cast<ptrdiff_t*>(made), bytes / sizeof(ptrdiff_t), ATRIUM_AWAY);
  return mprotect(made, bytes, PROT_READ) == 0 &&
         mremap(made, bytes, bytes, MREMAP_MAYMOVE | MREMAP_FIXED, page) != MAP_FAILED;
}

// Is it the guard's, or where a small negative number leads as an `unsigned`, and a ulimit -v leaves no room for a guard?
bool is_of_a_wrong_number(const siginfo_t& info) {
  const auto address = reinterpret_cast<uintptr_t>(info.si_addr);
  if (info.si_code == SEGV_ACCERR)
    return address - reinterpret_cast<uintptr_t>(guarded.begin) < guarded.bytes;
  constexpr uintptr_t slips = 1 << 16, numbers = uintptr_t{1} << 32;
  const uintptr_t begin = reinterpret_cast<uintptr_t>(of_pe_0) + (numbers - slips) * sizeof(ptrdiff_t);
  return info.si_code == SEGV_MAPERR && address - begin < slips * sizeof(ptrdiff_t);
}

}  // namespace

bool answer_wrong_number(const siginfo_t& info) {
  if (!of_pe_0 || !is_of_a_wrong_number(info) || answered.fetch_add(1) >= most) return false;
  return show_away_at(static_cast<std::byte*>(info.si_addr) -
                      reinterpret_cast<uintptr_t>(info.si_addr) % page_size());
}

void answer_faults_in(GuardedTable table, const ptrdiff_t* entry_of_pe_0) {
  guarded = table;
  of_pe_0 = entry_of_pe_0;
}

}  // namespace atrium
