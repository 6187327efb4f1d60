// Asks the dynamic linker once for each file.
// SPDX-License-Identifier: BSD-3-Clause
#include "interpose/objects.hpp"

#include <link.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstring>

namespace atrium::interpose {
namespace {

// Places of files that are gone have the end 0; it is written last, because others look meanwhile.
constexpr int most = 128;
Object objects[most];
std::atomic<int> count = 0;
std::atomic_flag adding;  // no mutex: a tool may replace those

struct Search {
  uintptr_t address;
  unsigned (*number_of)(const char* path);
};

// One whose file is gone, or a new one.
int free_place() {
  const int known = count.load(std::memory_order_relaxed);
  for (int i = 0; i < known; ++i)
    if (objects[i].end == 0) return i;
  return known;
}

int look_at(dl_phdr_info* info, size_t, void* data) {
  const Search& search = *static_cast<const Search*>(data);
  uintptr_t begin = UINTPTR_MAX, end = 0;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr)& part = info->dlpi_phdr[i];
    if (part.p_type != PT_LOAD) continue;
    begin = std::min<uintptr_t>(begin, info->dlpi_addr + part.p_vaddr);
    end = std::max<uintptr_t>(end, info->dlpi_addr + part.p_vaddr + part.p_memsz);
  }
  if (search.address < begin || search.address >= end) return 0;
  const int place = free_place();
  if (place == most) return 0;
  char path[1024] = "";
  if (info->dlpi_name[0] != '\0')
    std::strncpy(path, info->dlpi_name, sizeof path - 1);
  else if (readlink("/proc/self/exe", path, sizeof path - 1) < 0)
    path[0] = '\0';
  objects[place] = {begin, 0, info->dlpi_addr, search.number_of(path)};
  __atomic_store_n(&objects[place].end, end, __ATOMIC_RELEASE);  // SYNC objects
  count.store(std::max(count.load(std::memory_order_relaxed), place + 1),
              std::memory_order_release);  // SYNC objects
  return 1;
}

int is_at(dl_phdr_info* info, size_t, void* base) {
  return info->dlpi_addr == *static_cast<uintptr_t*>(base);
}

}  // namespace

const Object* find_object(uintptr_t address) {
  const int known = count.load(std::memory_order_acquire);  // SYNC objects
  for (int i = 0; i < known; ++i)
    if (address < __atomic_load_n(&objects[i].end, __ATOMIC_ACQUIRE) &&
        address >= objects[i].begin)  // SYNC objects
      return &objects[i];
  return nullptr;
}

const Object* look_for_object(uintptr_t address, unsigned (*number_of)(const char* path)) {
  while (adding.test_and_set(std::memory_order_acquire)) continue;  // SYNC objects-lock
  if (!find_object(address)) {
    Search search{address, number_of};
    dl_iterate_phdr(look_at, &search);
  }
  adding.clear(std::memory_order_release);  // SYNC objects-lock
  return find_object(address);
}

void forget_unloaded_objects() {
  while (adding.test_and_set(std::memory_order_acquire)) continue;  // SYNC objects-lock
  for (int i = 0; i < count.load(std::memory_order_relaxed); ++i) {
    Object& object = objects[i];
    if (object.end == 0 || dl_iterate_phdr(is_at, &object.base)) continue;
    __atomic_store_n(&object.end, 0, __ATOMIC_RELAXED);
  }
  adding.clear(std::memory_order_release);  // SYNC objects-lock
}

}  // namespace atrium::interpose
