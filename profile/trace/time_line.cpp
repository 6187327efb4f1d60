// The one reading of recorded events.
// SPDX-License-Identifier: BSD-3-Clause
#include "profile/trace/time_line.hpp"

namespace atrium::profile {

uint64_t TimeLine::ns(uint64_t ticks) const {
  const uint64_t begin = sheet_.head().begin.ticks;
  return ticks > begin ? static_cast<uint64_t>(scale_.ns(ticks - begin)) : 0;
}

Happening TimeLine::read(int pe, const Event& event) const {
  const Page& page = sheet_.page(pe);
  Happening one{&event, pe, static_cast<EventKind>(event.kind), event.begin, event.begin + event.ticks, ""};
  if (one.is_region()) {
    one.name = page.region[event.line % most_regions].name;
    return one;
  }
  const Line& line = page.line[event.line % most_lines];
  one.routine = static_cast<interpose::Routine>(line.routine);
  one.name = interpose::name_of(one.routine);
  one.place = &places_.of(page, line);
  if (one.kind != EventKind::collective) one.other = event.pe;
  if (one.kind != EventKind::wait) one.bytes = event.bytes;
  return one;
}

std::vector<const Event*> TimeLine::events_of(int pe) const {
  const Kept kept = kept_events(sheet_, pe);
  std::vector<const Event*> all;
  all.reserve(kept.count());
  for (uint64_t i = kept.first; i < kept.end; ++i) all.push_back(&kept.at(i));
  return all;
}

}  // namespace atrium::profile
