// Reads the call from the file's code, and looks up in its symbol table where it leads to.
// SPDX-License-Identifier: BSD-3-Clause
#include "symbols/fortran_calls.hpp"

#include <map>
#include <mutex>
#include <utility>

#include "symbols/code_target.hpp"
#include "symbols/elf_file.hpp"
#include "symbols/fortran_names.hpp"
#include "symbols/symbol_map.hpp"
#include "symbols/symbol_table.hpp"

namespace atrium {
namespace {

constexpr uint64_t longest_call = 6;  // what call_before() looks at

class FortranCalls {
 public:
  explicit FortranCalls(const std::string& path) : wrappers_(wrappers_in(path), 0), file_(path) {}

  std::string routine_before(uint64_t returns) const {
    if (wrappers_.is_empty()) return {};
    const unsigned char* const code = code_before(returns);
    const CodeTarget target = code ? call_before(code + longest_call) : CodeTarget{};
    if (!target.address || target.is_slot) return {};
    const auto distance =
        static_cast<const unsigned char*>(target.address) - (code + static_cast<ptrdiff_t>(longest_call));
    const Symbol* const wrapper = wrappers_.around(returns + static_cast<uint64_t>(distance));
    return wrapper ? routine_of_wrapper(wrapper->name) : "";
  }

 private:
  // The bytes of the file in front of that address; null: there is no code.
  const unsigned char* code_before(uint64_t returns) const {
    for (const Elf64_Phdr& part : file_.parts()) {
      const uint64_t begin = returns - longest_call - part.p_vaddr;
      const bool holds = part.p_filesz >= longest_call && begin <= part.p_filesz - longest_call;
      if (part.p_type != PT_LOAD || !(part.p_flags & PF_X) || !holds) continue;
      const auto bytes = file_.at<unsigned char>(part.p_offset + begin, longest_call);
      return bytes.size() == longest_call ? bytes.data() : nullptr;
    }
    return nullptr;
  }

  const SymbolMap wrappers_;
  const ElfFile file_;
};

}  // namespace

std::string fortran_routine_before(const std::string& file, uint64_t returns) {
  static std::mutex& lock = *new std::mutex;  // threads may go on while the process ends
  static auto& files = *new std::map<std::string, FortranCalls>;
  const std::lock_guard hold(lock);
  return files.try_emplace(file, file).first->second.routine_before(returns);
}

}  // namespace atrium
