// Reads the dynamic symbols of every loaded object where the dynamic linker left them.
// SPDX-License-Identifier: BSD-3-Clause
#include "os/loaded_objects.hpp"

#include <elf.h>
#include <link.h>

#include <cstdint>
#include <cstring>

namespace atrium {
namespace {

using Word = uint32_t;

// What an object exports: a hash table of its symbols. Its chains hold the indices of all that others may
// refer to.
struct Exports {
  const Word* hash =
      nullptr;  // DT_GNU_HASH: buckets, first index, size of the filter, shift, filter, buckets, chains
  const ElfW(Sym) * symbols = nullptr;
  const char* names = nullptr;

  template <class Visit>
  bool any(Visit visit) const {
    const Word buckets = hash[0], first = hash[1], filter = hash[2] * (sizeof(ElfW(Addr)) / sizeof(Word));
    const Word* bucket = hash + 4 + filter;
    const Word* chain = bucket + buckets;
    for (Word b = 0; b < buckets; b++) {
      for (Word index = bucket[b]; index != 0; index++) {
        if (visit(symbols[index])) return true;
        if (chain[index - first] & 1) break;  // the last of its chain
      }
    }
    return false;
  }
};

bool contains_this_library(const dl_phdr_info& object) {
  const auto here = reinterpret_cast<ElfW(Addr)>(&contains_this_library);
  for (int i = 0; i < object.dlpi_phnum; i++) {
    const ElfW(Phdr)& part = object.dlpi_phdr[i];
    if (part.p_type == PT_LOAD && here - object.dlpi_addr - part.p_vaddr < part.p_memsz) return true;
  }
  return false;
}

// glibc turns offsets into addresses in place, except in objects whose dynamic section it cannot write.
template <class T>
const T* locate(const dl_phdr_info& object, ElfW(Addr) value) {
  return reinterpret_cast<const T*>(value < object.dlpi_addr ? value + object.dlpi_addr : value);
}

Exports exports_of(const dl_phdr_info& object) {
  Exports found;
  for (int i = 0; i < object.dlpi_phnum; i++) {
    const ElfW(Phdr)& part = object.dlpi_phdr[i];
    if (part.p_type != PT_DYNAMIC) continue;
    for (auto* entry = reinterpret_cast<const ElfW(Dyn)*>(object.dlpi_addr + part.p_vaddr); entry->d_tag;
         entry++) {
      if (entry->d_tag == DT_GNU_HASH) found.hash = locate<Word>(object, entry->d_un.d_ptr);
      if (entry->d_tag == DT_SYMTAB) found.symbols = locate<ElfW(Sym)>(object, entry->d_un.d_ptr);
      if (entry->d_tag == DT_STRTAB) found.names = locate<char>(object, entry->d_un.d_ptr);
    }
  }
  return found;
}

// 1 ends the search.
int exports_prefix(dl_phdr_info* object, size_t, void* data) {
  if (contains_this_library(*object)) return 0;
  const Exports exports = exports_of(*object);
  if (!exports.hash || !exports.symbols || !exports.names) return 0;
  const char* prefix = static_cast<const char*>(data);
  const size_t length = std::strlen(prefix);
  return exports.any([&](const ElfW(Sym) & symbol) {
    return symbol.st_shndx != SHN_UNDEF && std::strncmp(exports.names + symbol.st_name, prefix, length) == 0;
  });
}

// The executable comes first.
int first_contains_us(dl_phdr_info* object, size_t, void*) { return contains_this_library(*object) ? 1 : 2; }

}  // namespace

bool linked_into_executable() { return dl_iterate_phdr(first_contains_us, nullptr) == 1; }

bool exported_elsewhere(const char* prefix) {
  return dl_iterate_phdr(exports_prefix, const_cast<char*>(prefix)) == 1;
}

}  // namespace atrium
