// Sorts the stores to each PE by time and searches backwards from the end of each wait.
// SPDX-License-Identifier: BSD-3-Clause
#include "profile/trace/flows.hpp"

#include <algorithm>
#include <string_view>

#include "interpose/site.hpp"

namespace atrium::profile {
namespace {

constexpr int most_steps = 100000;  // back from a wait

struct Store {
  const Event* event;
  int pe;
  uint64_t reach;  // bytes that it writes at its place
};

uint64_t end_of(const Event& event) { return event.begin + event.ticks; }

// Of a put with a signal the place is the signal's, the bytes are the data's.
uint64_t reach_of(const Page& page, const Event& event) {
  if (event.line >= most_lines) return 0;
  const std::string_view routine =
      interpose::name_of(static_cast<interpose::Routine>(page.line[event.line].routine));
  return routine.find("_signal") != std::string_view::npos ? 8 : event.bytes;
}

std::vector<std::vector<Store>> stores_by_target(const TimeLine& line) {
  std::vector<std::vector<Store>> stores(static_cast<size_t>(line.pes()));
  for (int pe = 0; pe < line.pes(); ++pe)
    for (const Event* event : line.events_of(pe))
      if (event->kind == EventKind::store && event->place != 0 && event->pe >= 0 && event->pe < line.pes())
        stores[static_cast<size_t>(event->pe)].push_back(
            {event, pe, reach_of(line.buffer().page(pe), *event)});
  for (auto& list : stores)
    std::sort(list.begin(), list.end(),
              [](const Store& a, const Store& b) { return a.event->begin < b.event->begin; });
  return stores;
}

bool touches(const Store& store, const Event& wait) {
  return store.event->place < wait.place + std::max<uint64_t>(wait.bytes, 1) &&
         wait.place < store.event->place + store.reach;
}

const Store* ender_of(const Event& wait, const std::vector<Store>& stores) {
  auto next = std::lower_bound(stores.begin(), stores.end(), end_of(wait),
                               [](const Store& store, uint64_t end) { return store.event->begin < end; });
  for (int step = 0; step < most_steps && next != stores.begin(); ++step) {
    --next;
    if (touches(*next, wait)) return end_of(*next->event) >= wait.begin ? &*next : nullptr;
  }
  return nullptr;
}

}  // namespace

std::vector<Flow> find_flows(const TimeLine& line) {
  const auto stores = stores_by_target(line);
  std::vector<Flow> flows;
  for (int pe = 0; pe < line.pes(); ++pe)
    for (const Event* wait : line.events_of(pe)) {
      if (wait->kind != EventKind::wait || wait->place == 0 || wait->ticks == 0 || wait->unfinished) continue;
      if (const Store* store = ender_of(*wait, stores[static_cast<size_t>(pe)]))
        flows.push_back({store->pe, pe, store->event, wait});
    }
  return flows;
}

}  // namespace atrium::profile
