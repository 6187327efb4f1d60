// Uses debug information, or the symbol table where there is none.
// SPDX-License-Identifier: BSD-3-Clause
#include "profile/report/places.hpp"

#include "atrium_larger_stack.hpp"
#include "interpose/site.hpp"
#include "symbols/addr2line.hpp"
#include "symbols/child.hpp"

namespace atrium::profile {
namespace {

// A return address is behind the call, which may be the next line's: look a byte before it.
uint64_t instruction_of(const CallSite& line) { return line.offset - 1; }

}  // namespace

void Places::ask_for_lines(const Page& page, uint32_t module, const std::string& file) {
  std::vector<uint64_t> addresses;
  for (const CallSite& line : page.line)
    if (line.key != 0 && line.module == module && !by_addr2line_.contains({file, instruction_of(line)}))
      addresses.push_back(instruction_of(line));
  const auto answers = ask_addr2line(file, addresses);
  for (size_t i = 0; i < addresses.size(); ++i)
    by_addr2line_[{file, addresses[i]}] = answers.empty() ? std::vector<SourceFrame>() : answers[i];
}

SourcePlace Places::look_up(const Page& page, uint32_t module, const Address& address) {
  const auto& [file, instruction] = address;
  auto& debug_info = files_[file];
  if (!debug_info) debug_info = std::make_unique<DebugInfo>(file);
  if (!debug_info->is_open() && !by_addr2line_.contains(address)) ask_for_lines(page, module, file);
  const auto frames = debug_info->is_open() ? debug_info->frames_at(instruction) : by_addr2line_[address];
  SourcePlace place = place_in_file(place_of_frames(frames), file, instruction);
  any_unknown_ |= !place.has_line();
  return place;
}

const char* written_name(const CallSite& line, const SourcePlace& place) {
  return place.routine.empty() ? interpose::name_of(static_cast<interpose::Routine>(line.routine))
                               : place.routine.c_str();
}

const SourcePlace& Places::of(const Page& page, const CallSite& line) {
  const uint32_t modules = page.modules.count.load(std::memory_order_acquire);  // SYNC tool-modules
  const bool known = line.module != 0 && line.module <= modules;
  const Address address{known ? page.modules.name[line.module].path : "", instruction_of(line)};
  const auto [found, added] = known_.try_emplace(address);
  if (added && known)
    on_larger_stack(look_up_stack_bytes,
                    [&, place = &found->second, of = &address] { *place = look_up(page, line.module, *of); });
  return found->second;
}

}  // namespace atrium::profile
