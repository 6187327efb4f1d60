// The one walk through DWARF: from a unit to the function that holds an address, and through the calls that were inlined there.
// SPDX-License-Identifier: BSD-3-Clause
#include "symbols/debug_info.hpp"

#include <algorithm>
#include <cstring>
#include <iterator>

#include "symbols/common_block.hpp"
#include "symbols/dwarf.hpp"
#include "symbols/names.hpp"

namespace atrium {
namespace {

bool is_one_of(int tag, std::initializer_list<int> tags) {
  return std::find(tags.begin(), tags.end(), tag) != tags.end();
}
bool is_function(int tag) { return tag == tag_subprogram || tag == tag_inlined; }

// The functions around an address: the outermost first, those inlined into it behind it.
class Scopes {
 public:
  Scopes(const Libdw& dw, DwarfDie& unit, uint64_t address) : dw_(dw), address_(address) {
    if (!find_within(unit, false)) find_within(unit, true);
  }
  std::vector<DwarfDie> functions;

 private:
  // gcc declares OpenMP's parallel regions within functions and puts them elsewhere: `everywhere` looks there, too.
  bool find_within(DwarfDie& outer, bool everywhere) {
    DwarfDie child;
    for (int end = dw_.dwarf_child(&outer, &child); end == 0; end = dw_.dwarf_siblingof(&child, &child)) {
      const int tag = dw_.dwarf_tag(&child);
      const bool has_code = is_function(tag) || is_one_of(tag, {tag_block, tag_catch, tag_try});
      const bool holds = has_code && dw_.dwarf_haspc(&child, address_) > 0;
      const bool may_own = is_one_of(tag, {tag_namespace, tag_class, tag_structure, tag_module}) ||
                           (everywhere && tag == tag_subprogram);
      if (holds && is_function(tag)) functions.push_back(child);
      if ((holds || may_own) && (find_within(child, everywhere) || holds)) return true;
    }
    return false;
  }

  const Libdw& dw_;
  const uint64_t address_;
};

uint64_t number_of(const Libdw& dw, DwarfDie& die, unsigned name) {
  DwarfAttribute attribute;
  uint64_t value = 0;
  DwarfAttribute* const found = dw.dwarf_attr(&die, name, &attribute);
  return found && dw.dwarf_formudata(found, &value) == 0 ? value : 0;
}

// Where an inlined function was called.
SourceFrame caller_of(const Libdw& dw, DwarfDie& inlined, DwarfDie& unit) {
  SourceFrame frame;
  DwarfFiles* files = nullptr;
  size_t count = 0;
  const auto file = number_of(dw, inlined, dwarf_call_file);
  frame.line = static_cast<int>(number_of(dw, inlined, dwarf_call_line));
  if (dw.dwarf_getsrcfiles(&unit, &files, &count) != 0 || file >= count) return frame;
  if (const char* name = dw.dwarf_filesrc(files, file, nullptr, nullptr)) frame.file = name;
  return frame;
}

// Also where the compiler has written no table of addresses (.debug_aranges), as clang does not.
DwarfDie* find_unit(const Libdw& dw, DwflModule* module, uint64_t address, uint64_t* bias) {
  DwarfDie* unit = dw.dwfl_module_addrdie(module, address, bias);
  if (unit) return unit;
  do {
    unit = dw.dwfl_module_nextcu(module, unit, bias);
  } while (unit && dw.dwarf_haspc(unit, address - *bias) <= 0);
  return unit;
}

// With -gsplit-dwarf the program has the lines, and another file (.dwo) has all else of a unit, if it is still there.
DwarfDie with_functions(const Libdw& dw, const DwarfDie& unit) {
  DwarfDie split{};
  const bool known =
      dw.dwarf_cu_info(unit.unit, nullptr, nullptr, nullptr, &split, nullptr, nullptr, nullptr) == 0;
  return known && split.address ? split : unit;
}

void find_line(const Libdw& dw, DwarfDie& unit, uint64_t address, SourceFrame& frame) {
  DwarfLine* const line = dw.dwarf_getsrc_die(&unit, address);
  const char* const file = line ? dw.dwarf_linesrc(line, nullptr, nullptr) : nullptr;
  if (file && dw.dwarf_lineno(line, &frame.line) == 0) frame.file = file;
}

// Asked of each module, because the job's memory lies over a program's variables, so that none seems to be there.
struct VariableSearch {
  const Libdw& dw;
  uint64_t address;
  NamedVariable found;
};
int find_variable(DwflModule* module, void**, const char*, uint64_t, void* argument) {
  auto& search = *static_cast<VariableSearch*>(argument);
  uint64_t offset = 0, size = 0;
  unsigned char symbol[24] = {};  // Elf64_Sym, whose last field is the size
  const char* const name =
      search.dw.dwfl_module_addrinfo(module, search.address, &offset, symbol, nullptr, nullptr, nullptr);
  std::memcpy(&size, symbol + 16, sizeof size);
  if (!name || offset >= size) return 0;  // go on
  search.found = variable_in_common_block(search.dw, module, name, search.address, offset);
  if (search.found.name.empty()) search.found = part_of_variable(name, offset);
  return 1;
}

}  // namespace

Dwfl* DebugInfo::begin(void* find_section) {
  static char* no_path = nullptr;
  callbacks_ = {reinterpret_cast<void*>(dw_->dwfl_linux_proc_find_elf),
                reinterpret_cast<void*>(dw_->dwfl_standard_find_debuginfo), find_section, &no_path};
  return dw_->dwfl_begin(&callbacks_);
}

DebugInfo::DebugInfo(pid_t process) : dw_(open_libdw()) {
  Dwfl* const files = dw_ ? begin(nullptr) : nullptr;
  if (files && dw_->dwfl_linux_proc_report(files, process) == 0 &&
      dw_->dwfl_report_end(files, nullptr, nullptr) == 0)
    files_ = files;
}

DebugInfo::DebugInfo(const std::string& file) : dw_(open_libdw()) {
  Dwfl* const files = dw_ ? begin(reinterpret_cast<void*>(dw_->dwfl_offline_section_address)) : nullptr;
  if (!files) return;
  only_ = dw_->dwfl_report_offline(files, file.c_str(), file.c_str(), -1);
  dw_->dwfl_report_end(files, nullptr, nullptr);
  if (!only_) return;
  files_ = files;
  dw_->dwfl_module_getelf(only_, &shift_);
}

DwflModule* DebugInfo::module_of(uint64_t address) const {
  return only_ ? only_ : files_ ? dw_->dwfl_addrmodule(files_, address) : nullptr;
}

std::vector<SourceFrame> DebugInfo::frames_at(uint64_t address) const {
  address += shift_;
  DwflModule* const module = module_of(address);
  if (!module) return {};
  std::vector<SourceFrame> frames(1);
  uint64_t bias = 0, offset = 0;
  if (DwarfDie* const unit = find_unit(*dw_, module, address, &bias)) {
    find_line(*dw_, *unit, address - bias, frames[0]);
    DwarfDie functions = with_functions(*dw_, *unit);
    Scopes scopes(*dw_, functions, address - bias);
    for (auto scope = scopes.functions.rbegin(); scope != scopes.functions.rend(); ++scope) {
      if (const char* name = dw_->dwarf_diename(&*scope)) frames.back().function = function_as_written(name);
      if (dw_->dwarf_tag(&*scope) == tag_subprogram) break;
      frames.back().is_inlined = true;
      frames.push_back(caller_of(*dw_, *scope, functions));
    }
  }
  // That of a function of C++ has its namespace and parameters.
  unsigned char symbol[24];
  const char* const name =
      dw_->dwfl_module_addrinfo(module, address, &offset, symbol, nullptr, nullptr, nullptr);
  std::string& outermost = frames.back().function;
  if (name && (outermost.empty() || std::strncmp(name, "_Z", 2) == 0)) outermost = function_as_written(name);
  return frames;
}

std::string DebugInfo::file_at(uint64_t address) const {
  DwflModule* const module = module_of(address);
  const char* const name =
      module ? dw_->dwfl_module_info(module, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr)
             : nullptr;
  return name ? name : "";
}

NamedVariable DebugInfo::variable_at(uint64_t address) const {
  VariableSearch search{*dw_, address, {}};
  if (files_) dw_->dwfl_getmodules(files_, find_variable, &search, 0);
  return search.found;
}

}  // namespace atrium
