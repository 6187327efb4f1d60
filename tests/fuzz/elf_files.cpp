// ELF files: what programs and libraries say of themselves, in their headers and symbol tables, with any bytes in it.
// SPDX-License-Identifier: BSD-3-Clause
#include <sys/mman.h>
#include <unistd.h>

#include "input.hpp"
#include "symbols/elf_program.hpp"
#include "symbols/symbol_map.hpp"
#include "symbols/symbol_table.hpp"

using namespace atrium;

namespace {

// A file of these bytes, without a name in any folder.
class MemoryFile {
 public:
  MemoryFile(const std::uint8_t* data, std::size_t size) : fd_(memfd_create("elf", MFD_CLOEXEC)) {
    MUST(fd_ >= 0 && write(fd_, data, size) == static_cast<ssize_t>(size), "there is a file");
  }
  ~MemoryFile() { close(fd_); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  std::string path() const { return "/proc/self/fd/" + std::to_string(fd_); }

 private:
  int fd_;
};

bool holds(const Symbol& symbol, std::uint64_t address) { return address - symbol.address < symbol.bytes; }

void look_up_all(const std::vector<Symbol>& symbols) {
  const SymbolMap map(symbols, 0);
  MUST(map.is_empty() == symbols.empty(), "no symbol, no map");
  for (const Symbol& one : symbols) {
    const Symbol* const found = map.around(one.address);
    MUST(!found || holds(*found, one.address), "what is found is where it was looked for");
    MUST(found || one.address + one.bytes < one.address,
         "a symbol is found, but for one that reaches around the end");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const MemoryFile file(data, size);
  const ElfProgram program = read_elf_program(file.path());
  MUST(program.is_elf || (program.interpreter.empty() && program.needed.empty()),
       "no ELF file needs nothing");
  MUST(!program.is_elf || program.machine != 0 || program.other_machine().empty(), "a machine has a name");
  const std::vector<Symbol> functions = functions_in(file.path());
  for (const Symbol& one : functions)
    if (!one.name.empty())
      MUST(!function_in(file.path(), one.address).empty(),
           "a function that has a name is found by its address");
  look_up_all(functions);
  look_up_all(variables_in(file.path()));
  for (const std::string& name : imports_of(file.path())) MUST(name.size() < size, "names lie in the file");
  return 0;
}
