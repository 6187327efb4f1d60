// Finds the loaded file that an address belongs to; the dynamic linker is asked once for each file.
// SPDX-License-Identifier: BSD-3-Clause
#include "interpose/objects.hpp"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <mutex>

#include "symbols/loaded.hpp"

namespace atrium::interpose {
namespace {

// Other threads read an object without a lock, at any time. So the object of a file that is gone is used again only for the same
// file at the same addresses.
constexpr int most = 1024;
Object objects[most];
std::atomic<int> count = 0;
SpinLock adding;
ModuleNames* modules = nullptr;

// Without memory from malloc, whose locks a tool may be looking at.
const char* path_of(const LoadedFile& file) {
  static char executable[1024];
  if (file.path()[0] != '\0') return file.path();
  const ssize_t length = readlink("/proc/self/exe", executable, sizeof executable - 1);
  executable[std::max<ssize_t>(length, 0)] = '\0';
  return executable;
}

// Null: there is no room.
Object* object_for(uintptr_t begin, uintptr_t base, unsigned number) {
  const int known = count.load(std::memory_order_relaxed);
  for (int i = 0; i < known; ++i)
    if (objects[i].begin == begin && objects[i].base == base && objects[i].number == number)
      return &objects[i];
  if (known == most) return nullptr;
  Object& object = objects[known];
  object.begin = begin, object.base = base, object.number = number;
  count.store(known + 1, std::memory_order_release);  // SYNC objects
  return &object;
}

// Whether the address is in that file.
bool add_if_it_holds(const LoadedFile& file, uintptr_t address) {
  uintptr_t begin = UINTPTR_MAX, end = 0;
  for (const auto& part : file.parts()) {
    if (part.p_type != PT_LOAD) continue;
    begin = std::min<uintptr_t>(begin, file.bias() + part.p_vaddr);
    end = std::max<uintptr_t>(end, file.bias() + part.p_vaddr + part.p_memsz);
  }
  if (address < begin || address >= end) return false;
  if (Object* const object = object_for(begin, file.bias(), number_in(*modules, path_of(file))))
    object->end.store(end, std::memory_order_relaxed);
  return true;
}

}  // namespace

const Object* find_object(uintptr_t address) {
  const int known = count.load(std::memory_order_acquire);  // SYNC objects
  for (int i = 0; i < known; ++i)
    if (address >= objects[i].begin && address < objects[i].end.load(std::memory_order_relaxed))
      return &objects[i];
  return nullptr;
}

void number_objects_in(ModuleNames& table) { modules = &table; }

const Object* look_for_object(uintptr_t address) {
  const std::lock_guard guard(adding);
  if (!find_object(address))
    any_loaded_file([&](const LoadedFile& file) { return add_if_it_holds(file, address); });
  return find_object(address);
}

void forget_unloaded_objects() {
  const std::lock_guard guard(adding);
  for (int i = 0; i < count.load(std::memory_order_relaxed); ++i) {
    Object& object = objects[i];
    const auto is_there = [&](const LoadedFile& file) { return file.bias() == object.base; };
    if (!any_loaded_file(is_there)) object.end.store(0, std::memory_order_relaxed);
  }
}

}  // namespace atrium::interpose
