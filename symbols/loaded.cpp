// Reads the dynamic symbols where the dynamic linker has mapped them.
// SPDX-License-Identifier: BSD-3-Clause
#include "symbols/loaded.hpp"

#include <algorithm>

namespace atrium {
namespace {

using Word = uint32_t;

// What a file exports: a hash table of its symbols. Its chains hold the indices of all that others may refer to.
struct Exports {
  const Word* hash =
      nullptr;  // DT_GNU_HASH: buckets, first index, size of the filter, shift, filter, buckets, chains
  const ElfW(Sym) * symbols = nullptr;
  const char* names = nullptr;

  template <class Visit>
      const ElfW(Sym) * find(Visit visit) const {
    const Word buckets = hash[0], first = hash[1], filter = hash[2] * (sizeof(ElfW(Addr)) / sizeof(Word));
    const Word* bucket = hash + 4 + filter;
    const Word* chain = bucket + buckets;
    for (Word b = 0; b < buckets; b++) {
      for (Word index = bucket[b]; index != 0; index++) {
        if (visit(symbols[index])) return &symbols[index];
        if (chain[index - first] & 1) break;  // the last of its chain
      }
    }
    return nullptr;
  }
};

// glibc turns offsets into addresses in place, except in files whose dynamic section it cannot write.
template <class T>
void locate(const LoadedFile& file, ElfW(Addr) value, const T*& place) {
  place = reinterpret_cast<const T*>(value < file.bias() ? value + file.bias() : value);
}

Exports exports_of(const LoadedFile& file) {
  Exports exports;
  for (const auto& part : file.parts()) {
    if (part.p_type != PT_DYNAMIC) continue;
    for (auto* entry = reinterpret_cast<const ElfW(Dyn)*>(file.bias() + part.p_vaddr); entry->d_tag;
         entry++) {
      if (entry->d_tag == DT_GNU_HASH) locate(file, entry->d_un.d_ptr, exports.hash);
      if (entry->d_tag == DT_SYMTAB) locate(file, entry->d_un.d_ptr, exports.symbols);
      if (entry->d_tag == DT_STRTAB) locate(file, entry->d_un.d_ptr, exports.names);
    }
  }
  return exports;
}

}  // namespace

bool LoadedFile::contains(uintptr_t address) const {
  return std::any_of(parts().begin(), parts().end(), [&](const ElfW(Phdr) & part) {
    return part.p_type == PT_LOAD && is_within(part, address);
  });
}

const void* LoadedFile::find_export(const std::function<bool(const char* name)>& is_wanted) const {
  const Exports exports = exports_of(*this);
  if (!exports.hash || !exports.symbols || !exports.names) return nullptr;
  const auto* const symbol = exports.find([&](const ElfW(Sym) & one) {
    return one.st_shndx != SHN_UNDEF && is_wanted(exports.names + one.st_name);
  });
  return symbol ? reinterpret_cast<const void*>(bias() + symbol->st_value) : nullptr;
}

}  // namespace atrium
