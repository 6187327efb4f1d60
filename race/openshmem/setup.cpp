// Finds the symmetric memory by asking the library, creates this PE's shared memory and opens that of all others.
// SPDX-License-Identifier: BSD-3-Clause
#include "race/openshmem/setup.hpp"

#include <link.h>
#include <unistd.h>

#include <algorithm>
#include <span>
#include <string>

#include "interpose/caller.hpp"
#include "interpose/library.hpp"
#include "interpose/openshmem.hpp"
#include "interpose/say.hpp"
#include "race/model/job.hpp"
#include "race/model/site.hpp"
#include "race/model/strand.hpp"
#include "race/shadow/region.hpp"
#include "race/shadow/room.hpp"

namespace atrium::race {
namespace {

struct MappedRange {
  uintptr_t begin = 0, end = 0;
};

bool is_symmetric(uintptr_t address) {
  return pshmem_addr_accessible(reinterpret_cast<const void*>(address), pshmem_my_pe()) != 0;
}

// The last page of a run of symmetric pages that begins at `first`, in steps of +-page_bytes.
uintptr_t last_symmetric(uintptr_t first, intptr_t direction) {
  const auto page = [&](size_t n) {
    return first + static_cast<uintptr_t>(direction * static_cast<intptr_t>(n * page_bytes));
  };
  size_t reach = 1;
  while (is_symmetric(page(reach)) && reach < (size_t{1} << 35)) reach *= 2;
  size_t inside = reach / 2, outside = reach;
  while (outside - inside > 1) {
    const size_t middle = (inside + outside) / 2;
    (is_symmetric(page(middle)) ? inside : outside) = middle;
  }
  return page(inside);
}

MappedRange find_heap(const void* block) {
  const uintptr_t page = reinterpret_cast<uintptr_t>(block) & ~(page_bytes - 1);
  const uintptr_t first = is_symmetric(page) ? page : page + page_bytes;
  return {last_symmetric(first, -1), last_symmetric(first, 1) + page_bytes};
}

bool is_writable(const ElfW(Phdr) & part) { return part.p_type == PT_LOAD && (part.p_flags & PF_W); }

// The executable comes first. It may have several writable segments, between which all is symmetric, too.
int find_globals(dl_phdr_info* info, size_t, void* data) {
  MappedRange& range = *static_cast<MappedRange*>(data);
  const auto begin_of = [&](const ElfW(Phdr) & part) { return info->dlpi_addr + part.p_vaddr; };
  uintptr_t end = 0;
  for (const ElfW(Phdr) & part : std::span(info->dlpi_phdr, info->dlpi_phnum))
    if (is_writable(part)) end = std::max(end, begin_of(part) + part.p_memsz);
  for (const ElfW(Phdr) & part : std::span(info->dlpi_phdr, info->dlpi_phnum)) {
    if (!is_writable(part)) continue;
    for (uintptr_t page = begin_of(part) & ~(page_bytes - 1); page < begin_of(part) + part.p_memsz;
         page += page_bytes) {
      if (!is_symmetric(page)) continue;
      range = {page,
               std::min(last_symmetric(page, 1) + page_bytes, (end + page_bytes - 1) & ~(page_bytes - 1))};
      return 1;
    }
  }
  return 1;
}

constexpr const char* more_space =
    "a smaller SHMEM_SYMMETRIC_SIZE or fewer PEs; shadow counts against ulimit -v and -f";

void add_regions(int pe, const MappedRange& heap, const MappedRange& globals) {
  const SharedMemory& shared = job.shared[pe];
  const auto seen = [&](const MappedRange& range) {
    return pe == job.me ? range.begin
                        : reinterpret_cast<uintptr_t>(pshmem_ptr(reinterpret_cast<void*>(range.begin), pe));
  };
  add_symmetric(
      {seen(heap), heap.end - heap.begin, pe, true, shared.lines(true), shared.pages(true), shared.states()});
  if (globals.begin == globals.end) return;
  add_symmetric({seen(globals), globals.end - globals.begin, pe, false, shared.lines(false),
                 shared.pages(false), nullptr});
}

// All PEs agree: one that cannot join keeps the others out. The first that cannot; -1: all can.
int first_who_cannot(bool mine, int* votes) {
  *votes = mine ? 1 : 0;
  pshmem_barrier_all();
  int first = -1;
  for (int pe = job.pes; pe-- > 0;) {
    int theirs = 0;
    pshmem_getmem(&theirs, votes, sizeof theirs, pe);
    if (theirs != 1) first = pe;
  }
  pshmem_barrier_all();
  return first;
}

bool agree(bool mine, int* votes) { return first_who_cannot(mine, votes) < 0; }

// Whether each PE can load and store in the heaps of all. Their globals need not be mapped: see ShadowRegion.
bool all_reachable(const void* block, int* votes) {
  int away = 0;
  while (away < job.pes && pshmem_ptr(block, away)) ++away;
  const int first = first_who_cannot(away == job.pes, votes);
  if (first == job.me)
    interpose::say("cannot be made: shmem_ptr leads to no memory of PE " + std::to_string(away) +
                   ", as for one on another node; races are looked for on one node only");
  return first < 0;
}

// Some libraries' Fortran interfaces lie in the library and call its inner functions, which cannot be wrapped.
bool started_by_program(const Site& site) {
  if (!interpose::called_by_library(site)) return true;
  if (job.me == 0)
    interpose::say(
        "cannot be made: the calls of a Fortran interface within the OpenSHMEM library are not seen");
  return false;
}

// A PE that fails goes through the same barriers as the others.
bool join(SharedFile* files, int* votes, const MappedRange& heap, const MappedRange& globals) {
  const int mine = make_room(job.plan.bytes);
  if (mine < 0) say_no_room("no memory for the shadow", more_space);
  char* const base = mine < 0 ? nullptr : map_room(mine, job.plan.bytes);
  if (base) reinterpret_cast<Board*>(base)->lanes = static_cast<uint32_t>(job.pes);
  const SharedFile file{getpid(), mine};
  for (int pe = 0; pe < job.pes; ++pe) pshmem_putmem(&files[job.me], &file, sizeof file, pe);
  pshmem_barrier_all();
  const bool exist = std::none_of(files, files + job.pes, [](const SharedFile& each) { return each.fd < 0; });
  bool opened = exist && base;
  for (int pe = 0; opened && pe < job.pes; ++pe) {
    char* const shared = pe == job.me ? base : open_room(files[pe], job.plan.bytes);
    opened = shared != nullptr;
    job.shared[pe] = SharedMemory(shared, &job.plan);
  }
  if (exist && !opened) say_no_room("cannot map the shadow of all PEs", more_space);
  const bool all = agree(opened, votes);
  if (mine >= 0) close(mine);
  if (!all) return false;
  for (int pe = 0; pe < job.pes; ++pe) add_regions(pe, heap, globals);
  return true;
}

}  // namespace

bool set_up(const Site& site) {
  job.me = pshmem_my_pe();
  job.pes = pshmem_n_pes();
  if (job.pes > most_pes) {
    if (job.me == 0) interpose::say("cannot be made: more than " + std::to_string(most_pes) + " PEs");
    return false;
  }
  const size_t bytes_of_files = sizeof(SharedFile) * static_cast<size_t>(job.pes);
  auto* files = static_cast<SharedFile*>(pshmem_malloc(bytes_of_files + sizeof(int)));
  if (!files) return job.me == 0 ? say_no_room("no symmetric heap", "a larger SHMEM_SYMMETRIC_SIZE") : false;
  const MappedRange heap = find_heap(files);
  MappedRange globals;
  dl_iterate_phdr(find_globals, &globals);
  job.plan = plan_layout(job.pes, heap.end - heap.begin, globals.end - globals.begin);
  job.heap_begin = heap.begin;
  job.globals_begin = globals.begin;
  int* const votes = reinterpret_cast<int*>(files + job.pes);
  const bool joined = all_reachable(files, votes) && join(files, votes, heap, globals);
  pshmem_free(files);
  if (!joined) return false;
  learn_library(reinterpret_cast<const void*>(&pshmem_init));
  if (!started_by_program(site)) return false;
  set_here(&begin_strand(nullptr));
  if (job.me == 0) {
    const bool quiet = interpose::is_quiet();
    if (!quiet) interpose::say("on: each byte of symmetric memory that is used takes up to ten more");
    if (!quiet && !job.instrumented)
      interpose::say(std::string("only calls of OpenSHMEM are seen; ") + interpose::way_to_instrument +
                     " shows loads and stores, too");
  }
  return true;
}

bool find_again() {
  auto* votes = static_cast<int*>(pshmem_malloc(sizeof(int)));
  if (!votes) return false;
  const MappedRange heap = find_heap(votes);
  bool same = heap.begin == job.heap_begin && heap.end - heap.begin == job.plan.heap_bytes;
  for (int pe = 0; same && pe < job.pes; ++pe)
    same = pe == job.me ||
           shadow_of(reinterpret_cast<uintptr_t>(pshmem_ptr(votes, pe))).region == region_of(pe, true);
  const int first = first_who_cannot(same, votes);
  if (first == job.me)
    interpose::say("cannot go on: the symmetric heap is not where it was before the last shmem_finalize");
  pshmem_free(votes);
  return first < 0;
}

}  // namespace atrium::race
