// Reads .symtab, or .dynsym of a stripped file.
// SPDX-License-Identifier: BSD-3-Clause
#include "os/symbol_table.hpp"

#include <cxxabi.h>
#include <elf.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>

namespace atrium {
namespace {

// A file mapped to be read.
class Mapped {
 public:
  explicit Mapped(const std::string& path) {
    const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    struct stat about {};
    if (fd >= 0 && fstat(fd, &about) == 0 && about.st_size > 0) {
      size_ = static_cast<size_t>(about.st_size);
      void* base = mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, fd, 0);
      base_ = base == MAP_FAILED ? nullptr : static_cast<const char*>(base);
    }
    if (fd >= 0) close(fd);
  }
  ~Mapped() {
    if (base_) munmap(const_cast<char*>(base_), size_);
  }
  Mapped(const Mapped&) = delete;
  Mapped& operator=(const Mapped&) = delete;

  template <class T>
  const T* at(uint64_t offset, uint64_t count = 1) const {
    if (!base_ || offset > size_ || count > (size_ - offset) / sizeof(T)) return nullptr;
    return reinterpret_cast<const T*>(base_ + offset);
  }

 private:
  const char* base_ = nullptr;
  size_t size_ = 0;
};

struct Found {
  std::string name;
  uint64_t offset = 0, bytes = 0;
};

// Shows the symbols of a table to `visit` until that returns true.
template <class Visit>
bool visit_table(const Mapped& file, const Elf64_Shdr& table, const Elf64_Shdr& names, Visit visit) {
  const uint64_t count = table.sh_entsize == 0 ? 0 : table.sh_size / sizeof(Elf64_Sym);
  const auto* symbols = file.at<Elf64_Sym>(table.sh_offset, count);
  for (uint64_t i = 0; symbols && i < count; ++i) {
    const char* name =
        symbols[i].st_name < names.sh_size ? file.at<char>(names.sh_offset + symbols[i].st_name) : nullptr;
    if (name && visit(symbols[i], name)) return true;
  }
  return false;
}

// The same with those of .symtab, then of .dynsym.
template <class Visit>
bool visit_symbols(const std::string& path, Visit visit) {
  const Mapped file(path);
  const auto* head = file.at<Elf64_Ehdr>(0);
  if (!head || std::memcmp(head->e_ident, ELFMAG, SELFMAG) != 0) return false;
  const auto* sections = file.at<Elf64_Shdr>(head->e_shoff, head->e_shnum);
  for (const unsigned kind : {unsigned{SHT_SYMTAB}, unsigned{SHT_DYNSYM}})
    for (unsigned i = 0; sections && i < head->e_shnum; ++i)
      if (sections[i].sh_type == kind && sections[i].sh_link < head->e_shnum &&
          visit_table(file, sections[i], sections[sections[i].sh_link], visit))
        return true;
  return false;
}

bool is_part_of_file(const Elf64_Sym& symbol, unsigned type) {
  return ELF64_ST_TYPE(symbol.st_info) == type && symbol.st_size != 0 && symbol.st_shndx != SHN_UNDEF &&
         symbol.st_shndx < SHN_LORESERVE;
}

std::vector<Symbol> symbols_in(const std::string& file, unsigned type) {
  std::vector<Symbol> symbols;
  visit_symbols(file, [&](const Elf64_Sym& symbol, const char* name) {
    if (is_part_of_file(symbol, type)) symbols.push_back({name, symbol.st_value, symbol.st_size});
    return false;
  });
  return symbols;
}

Found symbol_in(const std::string& path, unsigned type, uint64_t address) {
  Found found;
  visit_symbols(path, [&](const Elf64_Sym& symbol, const char* name) {
    if (ELF64_ST_TYPE(symbol.st_info) != type || address - symbol.st_value >= symbol.st_size) return false;
    found = {name, address - symbol.st_value, symbol.st_size};
    return !found.name.empty();
  });
  return found;
}

std::string demangled(const std::string& name) {
  if (name.rfind("_Z", 0) != 0) return name;
  int status = 0;
  char* const text = abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status);
  std::string result = status == 0 && text ? text : name;
  std::free(text);
  return result;
}

// A static variable of a function is called "name.1234" by gcc, "function.name" by clang; "name.lto_priv.0" where
// gcc has joined files that use one name.
std::string as_written(const std::string& name) {
  const size_t dot = name.rfind('.');
  if (dot == std::string::npos || dot + 1 == name.size()) return name;
  const std::string last = name.substr(dot + 1), rest = name.substr(0, dot);
  const bool added = (last[0] >= '0' && last[0] <= '9') || last == "lto_priv";
  return added ? as_written(rest) : last;
}

}  // namespace

std::vector<Symbol> functions_in(const std::string& file) { return symbols_in(file, STT_FUNC); }
std::vector<Symbol> variables_in(const std::string& file) { return symbols_in(file, STT_OBJECT); }

std::vector<std::string> imports_of(const std::string& file) {
  std::vector<std::string> names;
  visit_symbols(file, [&](const Elf64_Sym& symbol, const char* name) {
    if (symbol.st_shndx == SHN_UNDEF) names.emplace_back(name);
    return false;
  });
  return names;
}

std::string function_in(const std::string& file, uint64_t address) {
  return demangled(symbol_in(file, STT_FUNC, address).name);
}

std::string name_in_source(const std::string& symbol) { return demangled(as_written(symbol)); }

NamedVariable variable_in(const std::string& file, uint64_t address) {
  const Found found = symbol_in(file, STT_OBJECT, address);
  return {name_in_source(found.name), found.offset, found.bytes};
}

}  // namespace atrium
