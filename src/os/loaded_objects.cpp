// Reads the dynamic symbols of every loaded object where the dynamic linker left them.
// SPDX-License-Identifier: BSD-3-Clause
#include "os/loaded_objects.hpp"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>

#include <cstdint>
#include <cstring>

namespace atrium {
namespace {

using Word = uint32_t;

// What an object exports: a hash table of its symbols. Its chains hold the indices of all that others may refer to.
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
  Exports exports;
  for (int i = 0; i < object.dlpi_phnum; i++) {
    const ElfW(Phdr)& part = object.dlpi_phdr[i];
    if (part.p_type != PT_DYNAMIC) continue;
    for (auto* entry = reinterpret_cast<const ElfW(Dyn)*>(object.dlpi_addr + part.p_vaddr); entry->d_tag;
         entry++) {
      if (entry->d_tag == DT_GNU_HASH) exports.hash = locate<Word>(object, entry->d_un.d_ptr);
      if (entry->d_tag == DT_SYMTAB) exports.symbols = locate<ElfW(Sym)>(object, entry->d_un.d_ptr);
      if (entry->d_tag == DT_STRTAB) exports.names = locate<char>(object, entry->d_un.d_ptr);
    }
  }
  return exports;
}

struct Search {
  bool (*is_wanted)(const char* name);
};

constexpr int go_on = 0, found = 1, not_found = 2;  // any but 0 ends the search

// Objects come in the order in which the dynamic linker searches them: the executable, what is preloaded, libraries.
int exports_wanted(dl_phdr_info* object, size_t, void* data) {
  if (contains_this_library(*object)) return not_found;
  const Exports exports = exports_of(*object);
  if (!exports.hash || !exports.symbols || !exports.names) return go_on;
  const auto is_wanted = static_cast<const Search*>(data)->is_wanted;
  const auto is_match = [&](const ElfW(Sym) & symbol) {
    return symbol.st_shndx != SHN_UNDEF && is_wanted(exports.names + symbol.st_name);
  };
  return exports.any(is_match) ? found : go_on;
}

struct OtherSearch {
  const char* name;
  OtherCopy copy;
};

int is_other_copy(dl_phdr_info* object, size_t, void* data) {
  const char* const slash = std::strrchr(object->dlpi_name, '/');
  const char* const file = slash ? slash + 1 : object->dlpi_name;
  if (std::strncmp(file, "libatrium.so", 12) != 0 || contains_this_library(*object)) return go_on;
  const Exports exports = exports_of(*object);
  auto& search = *static_cast<OtherSearch*>(data);
  const auto is_match = [&](const ElfW(Sym) & symbol) {
    if (symbol.st_shndx == SHN_UNDEF || std::strcmp(exports.names + symbol.st_name, search.name) != 0)
      return false;
    search.copy = {object->dlpi_name, reinterpret_cast<const void*>(object->dlpi_addr + symbol.st_value)};
    return true;
  };
  return exports.hash && exports.symbols && exports.names && exports.any(is_match) ? found : go_on;
}

}  // namespace

std::optional<OtherCopy> other_copy_with(const char* name) {
  OtherSearch search{name, {}};
  if (dl_iterate_phdr(is_other_copy, &search) != found) return std::nullopt;
  return search.copy;
}

const char* path_of_this_library() {
  Dl_info library{};
  const bool known = ::dladdr(reinterpret_cast<const void*>(&contains_this_library), &library) != 0;
  return known && library.dli_fname ? library.dli_fname : "";
}

bool exported_before_us(bool (*is_wanted)(const char* name)) {
  Search search{is_wanted};
  return dl_iterate_phdr(exports_wanted, &search) == found;
}

}  // namespace atrium
