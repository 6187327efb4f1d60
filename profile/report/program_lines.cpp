// Walks outward through inlined calls, as addr2line does.
// SPDX-License-Identifier: BSD-3-Clause
#include "profile/report/program_lines.hpp"

#include <algorithm>
#include <cstdlib>
#include <span>

#include "os/dwarf_library.hpp"

namespace atrium::profile {
namespace {

// Of DWARF 5, sections 7.5.3 and 7.5.4.
constexpr int tag_inlined = 0x1d, tag_subprogram = 0x2e;
constexpr unsigned attribute_call_file = 0x58, attribute_call_line = 0x59;

char* no_path = nullptr;

}  // namespace

struct ProgramLines::Opened {
  DwarfLibrary dwarf{};
  DwflCallbacks callbacks{};
  Dwfl* files = nullptr;
  DwflModule* module = nullptr;
  uint64_t shift = 0;  // from the file's own addresses to libdwfl's

  void open(const char* file) {
    if (!open_dwarf_library(dwarf)) return;
    callbacks = {dwarf.find_elf, dwarf.find_debuginfo, dwarf.offline_section, &no_path};
    files = dwarf.begin(&callbacks);
    if (files) module = dwarf.report_file(files, file, file, -1);
    if (files) dwarf.report_end(files, nullptr, nullptr);
    if (module) dwarf.elf_of(module, &shift);
  }

  SourceFrame innermost(uint64_t address) const {
    SourceFrame frame;
    SourceLine line;
    if (find_line(dwarf, module, address, line)) frame = {"", line.file, line.number};
    return frame;
  }

  // The scopes around an address, the innermost first, through the calls that were inlined.
  int scopes_at(uint64_t address, DwarfDie*& unit, DwarfDie** scopes) const {
    uint64_t bias = 0;
    unit = find_unit(dwarf, module, address, &bias);
    DwarfDie found, scope;
    if (!unit || !find_scope(dwarf, unit, address - bias, found)) return 0;
    const bool same = dwarf.die_at(dwarf.dwarf_of(module, &bias), dwarf.offset_of(&found), &scope) != nullptr;
    return same ? dwarf.scopes_around(&scope, scopes) : 0;
  }

  // Where the inlined function was called.
  SourceFrame caller_of(DwarfDie* inlined, DwarfDie* unit) const {
    SourceFrame frame;
    DwarfAttribute attribute;
    DwarfFiles* files_of_unit = nullptr;
    uint64_t number = 0;
    if (dwarf.files_of(unit, &files_of_unit, nullptr) == 0 &&
        dwarf.number_in(dwarf.attribute_of(inlined, attribute_call_file, &attribute), &number) == 0)
      if (const char* name = dwarf.file_name(files_of_unit, number, nullptr, nullptr)) frame.file = name;
    if (dwarf.number_in(dwarf.attribute_of(inlined, attribute_call_line, &attribute), &number) == 0)
      frame.line = static_cast<int>(number);
    return frame;
  }
};

ProgramLines::ProgramLines(const std::string& file) : opened_(std::make_unique<Opened>()) {
  opened_->open(file.c_str());
}

// What libdw has read stays: whoever asks for lines is about to end.
ProgramLines::~ProgramLines() = default;

std::vector<SourceFrame> ProgramLines::frames_at(uint64_t address) const {
  const Opened& opened = *opened_;
  if (!opened.module) return {};
  address += opened.shift;
  std::vector<SourceFrame> frames{opened.innermost(address)};
  DwarfDie *unit = nullptr, *scopes = nullptr;
  const int count = opened.scopes_at(address, unit, &scopes);
  for (DwarfDie& scope : std::span(scopes, static_cast<size_t>(std::max(count, 0)))) {
    const int tag = opened.dwarf.tag_of(&scope);
    if (tag != tag_inlined && tag != tag_subprogram) continue;
    const char* const name = opened.dwarf.die_name(&scope);
    frames.back().function = name ? name : "";
    if (tag == tag_subprogram) break;
    frames.push_back(opened.caller_of(&scope, unit));
  }
  std::free(scopes);
  if (const char* symbol = opened.dwarf.name_of(opened.module, address);
      symbol && frames.back().function.empty())
    frames.back().function = readable_symbol(symbol);
  return frames;
}

}  // namespace atrium::profile
