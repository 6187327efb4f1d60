// Adds up the flows in one row for each pair of PEs and each pair of source lines.
// SPDX-License-Identifier: BSD-3-Clause
#include "profile/trace/ended_waits.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include "profile/trace/flows.hpp"
#include "profile/trace/time_line.hpp"

namespace atrium::profile {
namespace {

EndedWaitRow row_of(const TimeLine& line, const Flow& flow) {
  const auto place_of = [&](int pe, const Event& event) {
    const Happening happening = line.read(pe, event);
    return (happening.place ? happening.place->text() + ", " : std::string()) + happening.name;
  };
  return {flow.to_pe, place_of(flow.to_pe, *flow.wait), flow.from_pe, place_of(flow.from_pe, *flow.store)};
}

}  // namespace

std::vector<EndedWaitRow> ended_waits(const RecordBuffer& buffer, const Scale& scale, Places& places) {
  const TimeLine line(buffer, scale, places);
  std::map<std::tuple<int, uint32_t, int, uint32_t>, EndedWaitRow> found;
  for (const Flow& flow : find_flows(line)) {
    const auto [row, first] =
        found.try_emplace({flow.to_pe, flow.wait->line, flow.from_pe, flow.store->line});
    if (first) row->second = row_of(line, flow);
    const uint64_t begin = flow.wait->begin;
    ++row->second.times;
    row->second.seconds += static_cast<double>(line.ns(begin + flow.wait->ticks) - line.ns(begin)) * 1e-9;
  }
  std::vector<EndedWaitRow> rows;
  for (auto& [key, row] : found) rows.push_back(std::move(row));
  std::stable_sort(rows.begin(), rows.end(),
                   [](const auto& a, const auto& b) { return a.seconds > b.seconds; });
  return rows;
}

}  // namespace atrium::profile
