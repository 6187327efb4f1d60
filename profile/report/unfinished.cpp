// Reads the threads' places of PEs that are gone.
// SPDX-License-Identifier: BSD-3-Clause
#include "profile/report/unfinished.hpp"

#include <algorithm>

namespace atrium::profile {
namespace {

uint64_t last_record(const Page& page) {
  uint64_t last = page.begin;
  for (const Thread& thread : page.thread) last = std::max<uint64_t>(last, thread.since);
  return last;
}

uint64_t from(uint64_t earlier, uint64_t later) { return later > earlier ? later - earlier : 0; }

void add_regions(const Thread& thread, uint32_t number, uint64_t end, std::vector<Event>& events) {
  const uint32_t open = thread.regions.load(std::memory_order_acquire);  // SYNC call-under-way
  for (size_t i = std::min<size_t>(open, Thread::most_open); i-- > 0;)
    if (const Thread::OpenRegion& one = thread.region[i]; one.number < most_regions)
      events.push_back({one.begin, from(one.begin, end), 0, 0, one.number, -1, EventKind::region, 1, number});
}

void add_call(const Thread& thread, uint32_t number, uint64_t end, std::vector<Event>& events) {
  const uint32_t doing = thread.doing.load(std::memory_order_acquire);  // SYNC call-under-way
  if (doing == 0 || doing > most_lines) return;
  const uint64_t begin = thread.since;
  events.push_back(
      {begin, from(begin, end), thread.bytes, thread.place, doing - 1, thread.with, thread.kind, 1, number});
}

// Until the last of its members came; all of it where one never did.
uint64_t waited_for_members(const RecordBuffer& buffer, const Page& page, const Event& call) {
  const unsigned place = arrivals_of_collective(call.place);
  if (place >= most_teams) return 0;
  const TeamArrivals& mine = page.arrivals_of[place];
  const uint64_t number = number_of_collective(call.place);
  uint64_t last = 0;
  int came = 0;
  for (int pe = 0; pe < buffer.pes(); ++pe) {
    const TeamArrivals* const theirs = find_arrivals(buffer.page(pe), mine.key);
    if (!theirs || theirs->number < number) continue;
    ++came;
    if (const auto& arrival = theirs->arrival[number % TeamArrivals::kept]; arrival.number == number)
      last = std::max<uint64_t>(last, arrival.ticks);
  }
  return came < mine.size ? call.ticks : std::min(call.ticks, from(call.begin, last));
}

}  // namespace

uint64_t end_of(const Page& page) {
  if (page.end != 0) return page.end;
  return std::max<uint64_t>(page.gone, last_record(page));
}

std::vector<Event> unfinished_events(const Page& page) {
  std::vector<Event> events;
  if (page.end != 0) return events;
  const uint64_t end = end_of(page);
  uint32_t number = 0;
  for (const Thread& thread : page.thread) {
    add_call(thread, number, end, events);
    add_regions(thread, number++, end, events);
  }
  return events;
}

uint64_t waited_in(const RecordBuffer& buffer, const Page& page, const Event& call) {
  if (call.kind == EventKind::wait) return call.ticks;
  return call.kind == EventKind::collective ? waited_for_members(buffer, page, call) : 0;
}

const TeamArrivals* find_arrivals(const Page& page, uint64_t key) {
  const auto found = std::find_if(std::begin(page.arrivals_of), std::end(page.arrivals_of),
                                  [&](const TeamArrivals& one) { return one.key == key; });
  return found == std::end(page.arrivals_of) ? nullptr : found;
}

}  // namespace atrium::profile
