// Reads the recorded events of all PEs in order of time, and hands them to the writers of time lines.
// SPDX-License-Identifier: BSD-3-Clause
#include "profile/trace/time_line.hpp"

#include <algorithm>

#include "profile/report/unfinished.hpp"

namespace atrium::profile {
namespace {

// They were recorded in the order in which they ended. Where a tick is long, a call may begin at the same one as the region
// that it lies in, and as the call before it.
bool begins_before(const Happening& a, const Happening& b) {
  if (a.begin != b.begin) return a.begin < b.begin;
  if (a.is_region() != b.is_region()) return a.is_region();
  return a.is_region() && a.end > b.end;
}

void nest(std::vector<Happening>& list) {
  std::stable_sort(list.begin(), list.end(), begins_before);
  std::vector<uint64_t> open;  // the ends
  for (Happening& one : list) {
    while (!open.empty() && open.back() <= one.begin) open.pop_back();
    if (!open.empty()) one.end = std::min(one.end, open.back());
    open.push_back(one.end);
  }
}

}  // namespace

Kept kept_events(const RecordBuffer& buffer, int pe) {
  const uint64_t room = buffer.head().events, end = buffer.page(pe).events.get();
  return {buffer.events(pe), std::max<uint64_t>(room, 1), end > room ? end - room : 0, room == 0 ? 0 : end};
}

TimeLine::TimeLine(const RecordBuffer& buffer, const Scale& scale, Places& places)
    : buffer_(buffer), scale_(scale), places_(places) {
  for (int pe = 0; pe < buffer.pes(); ++pe) unfinished_.push_back(unfinished_events(buffer.page(pe)));
}

std::string TimeLine::ending_of(int pe) const {
  const Page& page = buffer_.page(pe);
  if (page.begin == 0 || page.end != 0) return {};
  const std::string how = page.ending;
  return "PE " + std::to_string(pe) + " " + (how.empty() ? "ended without shmem_finalize" : how);
}

uint64_t TimeLine::ns(uint64_t ticks) const {
  const uint64_t begin = buffer_.head().begin.ticks;
  return ticks > begin ? static_cast<uint64_t>(scale_.ns(ticks - begin)) : 0;
}

Happening TimeLine::read(int pe, const Event& event) const {
  const Page& page = buffer_.page(pe);
  Happening one{&event, pe, event.kind, event.begin, event.begin + event.ticks, ""};
  one.unfinished = event.unfinished != 0;
  if (one.is_region()) {
    one.name = page.region[event.line % most_regions].name;
    return one;
  }
  const CallSite& line = page.line[event.line % most_lines];
  one.routine = static_cast<interpose::Routine>(line.routine);
  one.place = &places_.of(page, line);
  one.name = written_name(line, *one.place);
  if (one.kind != EventKind::collective) one.other = event.pe;
  if (one.kind != EventKind::wait) one.bytes = event.bytes;
  return one;
}

std::vector<const Event*> TimeLine::events_of(int pe) const {
  const Kept kept = kept_events(buffer_, pe);
  std::vector<const Event*> all;
  all.reserve(kept.count());
  for (uint64_t i = kept.first; i < kept.end; ++i) all.push_back(&kept.at(i));
  for (const Event& event : unfinished_[static_cast<size_t>(pe)]) all.push_back(&event);
  return all;
}

std::map<uint32_t, std::vector<Happening>> TimeLine::threads_of(int pe) const {
  std::map<uint32_t, std::vector<Happening>> threads;
  for (const Event* event : events_of(pe)) threads[event->thread].push_back(read(pe, *event));
  for (auto& [thread, list] : threads) nest(list);
  return threads;
}

}  // namespace atrium::profile
