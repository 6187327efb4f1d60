// The files that are loaded into this process: the executable, what is preloaded, libraries.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <link.h>

#include <cstdint>
#include <functional>
#include <span>

namespace atrium {

class LoadedFile {
 public:
  explicit LoadedFile(const dl_phdr_info& info) : info_(info) {}

  const char* path() const { return info_.dlpi_name; }  // the executable's is empty
  uintptr_t bias() const { return info_.dlpi_addr; }
  const void* thread_data() const { return info_.dlpi_tls_data; }  // the calling thread's; null: none
  std::span<const ElfW(Phdr)> parts() const { return {info_.dlpi_phdr, info_.dlpi_phnum}; }
  bool is_within(const ElfW(Phdr) & part, uintptr_t address) const {
    return address - bias() - part.p_vaddr < part.p_memsz;
  }
  bool contains(uintptr_t address) const;

  // The address of what it exports under a name that `is_wanted` accepts; null: nothing.
  const void* find_export(const std::function<bool(const char* name)>& is_wanted) const;

 private:
  const dl_phdr_info& info_;
};

// Shows them to `visit` until that answers true, in the order in which the dynamic linker searches them. Whether it did.
template <class Visit>
bool any_loaded_file(Visit visit) {
  const auto show = [](dl_phdr_info* info, size_t, void* data) -> int {
    return (*static_cast<Visit*>(data))(LoadedFile(*info));
  };
  return dl_iterate_phdr(show, &visit) != 0;
}

}  // namespace atrium
