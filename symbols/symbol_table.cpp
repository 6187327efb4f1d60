// Reads the symbols in the order of the table.
// SPDX-License-Identifier: BSD-3-Clause
#include "symbols/symbol_table.hpp"

#include <string_view>

#include "symbols/elf_file.hpp"
#include "symbols/names.hpp"

namespace atrium {
namespace {

// Shows the symbols of .symtab, then those of .dynsym, to `visit` until that returns true.
template <class Visit>
void visit_symbols(const std::string& path, Visit visit) {
  const ElfFile file(path);
  const auto sections = file.sections();
  for (const unsigned kind : {unsigned{SHT_SYMTAB}, unsigned{SHT_DYNSYM}})
    for (const Elf64_Shdr& table : sections) {
      if (table.sh_type != kind || table.sh_link >= sections.size()) continue;
      const Elf64_Shdr& names = sections[table.sh_link];
      for (const Elf64_Sym& symbol : file.at<Elf64_Sym>(table.sh_offset, table.sh_size / sizeof(Elf64_Sym)))
        if (symbol.st_name < names.sh_size && visit(symbol, file.text_at(names.sh_offset + symbol.st_name)))
          return;
    }
}

std::vector<Symbol> symbols_in(const std::string& file, unsigned type) {
  std::vector<Symbol> symbols;
  visit_symbols(file, [&](const Elf64_Sym& symbol, std::string_view name) {
    const bool is_part_of_file = symbol.st_shndx != SHN_UNDEF && symbol.st_shndx < SHN_LORESERVE;
    if (is_part_of_file && ELF64_ST_TYPE(symbol.st_info) == type && symbol.st_size != 0)
      symbols.push_back({std::string(name), symbol.st_value, symbol.st_size});
    return false;
  });
  return symbols;
}

}  // namespace

std::vector<Symbol> functions_in(const std::string& file) { return symbols_in(file, STT_FUNC); }
std::vector<Symbol> variables_in(const std::string& file) { return symbols_in(file, STT_OBJECT); }

std::vector<std::string> imports_of(const std::string& file) {
  std::vector<std::string> names;
  visit_symbols(file, [&](const Elf64_Sym& symbol, std::string_view name) {
    if (symbol.st_shndx == SHN_UNDEF) names.emplace_back(name);
    return false;
  });
  return names;
}

std::string function_in(const std::string& file, uint64_t address) {
  std::string found;
  visit_symbols(file, [&](const Elf64_Sym& symbol, std::string_view name) {
    const bool holds =
        ELF64_ST_TYPE(symbol.st_info) == STT_FUNC && address - symbol.st_value < symbol.st_size;
    if (holds) found = name;
    return !found.empty();
  });
  return function_as_written(found);
}

}  // namespace atrium
