// Modules by their number in the job's table, so that a place has one name on all PEs.
// SPDX-License-Identifier: BSD-3-Clause
#include "race/report/modules.hpp"

#include <link.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <mutex>

#include "race/model/job.hpp"
#include "race/model/site.hpp"
#include "race/model/strand.hpp"
#include "race/openshmem.hpp"

namespace atrium::race {
namespace {

struct Module {
  uintptr_t begin, end, base;
  unsigned number;
};

constexpr int most_here = 128;
Module modules[most_here];
int modules_count = 0;
SpinLock modules_lock;
uintptr_t library_begin = 0, library_end = 0;  // the OpenSHMEM library: nobody's program

constexpr const char* names[] = {
    "?", "load", "store", "atomic", "lock",
#define RACE_ROUTINE(name) #name,
#include "race/generated/routines.inc"
#undef RACE_ROUTINE
};

unsigned number_in_job(const char* path) {
  Board& all = board();
  std::lock_guard guard(all.modules_lock);
  const uint32_t count = all.modules.load();
  for (uint32_t i = 1; i <= count; ++i)
    if (std::strcmp(all.module[i].path, path) == 0) return i;
  if (count == most_modules) return 0;
  std::snprintf(all.module[count + 1].path, sizeof all.module[0].path, "%s", path);
  all.modules.store(count + 1);
  return count + 1;
}

int look_at_object(dl_phdr_info* info, size_t, void* address) {
  uintptr_t begin = UINTPTR_MAX, end = 0;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr)& part = info->dlpi_phdr[i];
    if (part.p_type != PT_LOAD) continue;
    begin = std::min<uintptr_t>(begin, info->dlpi_addr + part.p_vaddr);
    end = std::max<uintptr_t>(end, info->dlpi_addr + part.p_vaddr + part.p_memsz);
  }
  const auto wanted = reinterpret_cast<uintptr_t>(address);
  if (wanted < begin || wanted >= end || modules_count == most_here) return 0;
  char path[1024] = "";
  if (info->dlpi_name[0] != '\0')
    std::strncpy(path, info->dlpi_name, sizeof path - 1);
  else if (readlink("/proc/self/exe", path, sizeof path - 1) < 0)
    path[0] = '\0';
  modules[modules_count] = {begin, end, info->dlpi_addr, number_in_job(path)};
  __atomic_store_n(&modules_count, modules_count + 1, __ATOMIC_RELEASE);
  return 1;
}

const Module* find_module(uintptr_t address) {
  const int count = __atomic_load_n(&modules_count, __ATOMIC_ACQUIRE);
  for (int i = 0; i < count; ++i)
    if (address >= modules[i].begin && address < modules[i].end) return &modules[i];
  return nullptr;
}

const Module* module_of(uintptr_t address) {
  if (const Module* module = find_module(address)) return module;
  const Inside inside;
  std::lock_guard guard(modules_lock);
  if (const Module* module = find_module(address)) return module;
  dl_iterate_phdr(look_at_object, reinterpret_cast<void*>(address));
  return find_module(address);
}

}  // namespace

const char* name_of(Routine routine) {
  return routine < Routine::count ? names[static_cast<size_t>(routine)] : "?";
}

void learn_library() {
  if (const Module* module = module_of(reinterpret_cast<uintptr_t>(&pshmem_init))) {
    library_begin = module->begin;
    library_end = module->end;
  }
}

Origin origin_of(const Site& site, size_t bytes) {
  auto address = reinterpret_cast<uintptr_t>(site.caller);
  if (address - library_begin < library_end - library_begin)
    address = caller_outside(library_begin, library_end);
  const Module* module = module_of(address);
  if (!module) return Origin(static_cast<unsigned>(site.routine), 0, 0, bytes);
  return Origin(static_cast<unsigned>(site.routine), module->number,
                static_cast<uint32_t>(address - module->base), bytes);
}

}  // namespace atrium::race
