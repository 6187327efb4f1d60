// By debug information; without it, by the symbol table.
// SPDX-License-Identifier: BSD-3-Clause
#include "profile/report/places.hpp"

namespace atrium::profile {

SourcePlace Places::look_up(const std::string& module, uint64_t address) {
  auto& file = files_[module];
  if (!file) file = std::make_unique<DebugInfo>(module);
  SourcePlace place = place_in_file(place_of_frames(file->frames_at(address)), module, address);
  any_unknown_ |= !place.has_line();
  return place;
}

// A return address is behind the call, which may be the next line's: look a byte before it.
const SourcePlace& Places::of(const Page& page, const CallSite& line) {
  const uint32_t modules = page.modules.count.load(std::memory_order_acquire);  // SYNC tool-modules
  const bool known = line.module != 0 && line.module <= modules;
  const std::string module = known ? page.modules.name[line.module].path : "";
  const auto [found, added] = known_.try_emplace({module, line.offset});
  if (added && known) found->second = look_up(module, line.offset - 1);
  return found->second;
}

}  // namespace atrium::profile
