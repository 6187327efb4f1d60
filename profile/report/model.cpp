// Adds up the pages of all PEs.
// SPDX-License-Identifier: BSD-3-Clause
#include "profile/report/model.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include "interpose/site.hpp"

namespace atrium::profile {
namespace {

using Key = std::pair<Place, std::string>;  // and the routine

std::string name_of(const Line& line) {
  return interpose::name_of(static_cast<interpose::Routine>(line.routine));
}

class Reader {
 public:
  Reader(const Sheet& sheet, const Scale& scale, Places& places)
      : sheet_(sheet), scale_(scale), places_(places) {}

  Profile read(const std::string& program) {
    profile_.program = program;
    profile_.pes.resize(static_cast<size_t>(sheet_.pes()));
    for (int pe = 0; pe < sheet_.pes(); ++pe)
      if (sheet_.page(pe).state.load(std::memory_order_acquire) != 0) read_page(pe);  // SYNC sheet-page
    keep();
    return std::move(profile_);
  }

 private:
  double since_begin(uint64_t ticks) const {
    return ticks > sheet_.head().begin.ticks ? scale_.seconds(ticks - sheet_.head().begin.ticks) : 0;
  }

  void read_page(int pe) {
    const Page& page = sheet_.page(pe);
    PeRow& row = profile_.pes[static_cast<size_t>(pe)];
    row.seen = true;
    row.cost_ns = static_cast<double>(page.cost_ps.get()) / 1000;
    row.lost = page.lost_lines.get() + page.lost_lates.get();
    row.unmatched = page.unmatched.get();
    row.heap_most = page.heap_most.get();
    row.events = page.events.get();
    for (uint32_t i = 0; i < std::min<uint32_t>(page.samples, most_samples); ++i)
      row.heap.emplace_back(since_begin(page.sample[i].ticks), page.sample[i].bytes);
    for (size_t i = 0; i < most_lines; ++i) read_line(pe, page, i);
    for (const Late& late : page.late) read_late(page, late);
    for (const Region& region : page.region) read_region(region);
    read_traffic(pe);
    read_end(page, row);
  }

  void read_end(const Page& page, PeRow& row) {
    const uint64_t end = page.end;
    row.finished = end != 0;
    const uint64_t last = row.finished ? end : std::max<uint64_t>(page.since, page.begin);
    row.seconds = scale_.seconds(last - page.begin);
    profile_.seconds = std::max(profile_.seconds, row.seconds);
    const uint32_t doing = page.doing;
    if (row.finished || doing == 0 || doing > most_lines) return;
    const Line& line = page.line[doing - 1];
    row.doing = name_of(line) + ", " + places_.of(page, line).whole();
  }

  void read_line(int pe, const Page& page, size_t number) {
    const Line& line = page.line[number];
    if (line.calls.get() == 0) return;
    const Sum sum{line.calls.get(), line.bytes.get(), scale_.seconds(line.ticks.get()),
                  scale_.seconds(line.waiting.get()), scale_.seconds(line.longest.get())};
    PeRow& row = profile_.pes[static_cast<size_t>(pe)];
    row.inside += sum.seconds;
    row.waiting += sum.waiting;
    row.calls += sum.calls;
    const std::string routine = number == 0 ? "other lines" : name_of(line);
    routines_[routine].add(sum);
    const Place place = number == 0 ? Place{} : places_.of(page, line);
    LineRow& one = lines_[{place, routine}];
    one.seconds_of.resize(profile_.pes.size());
    one.seconds_of[static_cast<size_t>(pe)] += sum.seconds;
    one.sum.add(sum);
    read_allocations(page, number, {place, routine});
  }

  void read_allocations(const Page& page, size_t number, const Key& key) {
    const Allocations& here = page.allocations[number];
    if (here.most.get() == 0) return;
    MemoryRow& row = memory_[key];
    row.most = std::max(row.most, here.most.get());
    row.largest = std::max(row.largest, here.largest.get());
    row.left = std::max(row.left, here.bytes.get());
  }

  void read_late(const Page& page, const Late& late) {
    if (late.key == 0) return;
    const uint64_t packed = late.key - 1;
    const Line& line = page.line[packed >> 32];
    const Key key{places_.of(page, line), name_of(line)};
    LateRow& row = late_[{key, static_cast<int>(packed & 0xffffffff)}];
    row.times += late.times.get();
    row.waited += scale_.seconds(late.waited.get());
    collectives_[key] += late.times.get();
  }

  void read_region(const Region& region) {
    if (region.key == 0 || region.times.get() == 0) return;
    RegionRow& row = regions_[region.name];
    const double seconds = scale_.seconds(region.ticks.get());
    row.shortest = row.times == 0 ? seconds : std::min(row.shortest, seconds);
    row.longest = std::max(row.longest, seconds);
    row.times += region.times.get();
    row.calls += region.calls.get();
    row.bytes += region.bytes.get();
    row.seconds += seconds;
    row.waiting += scale_.seconds(region.waiting.get());
  }

  // A get moves data from the other PE to this one.
  void read_traffic(int pe) {
    profile_.traffic.resize(profile_.pes.size(), std::vector<Traffic>(profile_.pes.size()));
    for (int other = 0; other < sheet_.pes(); ++other) {
      const Peer& peer = sheet_.peers(pe)[other];
      Traffic& out = profile_.traffic[static_cast<size_t>(pe)][static_cast<size_t>(other)];
      Traffic& in = profile_.traffic[static_cast<size_t>(other)][static_cast<size_t>(pe)];
      out.puts += peer.puts.get();
      out.put_bytes += peer.put_bytes.get();
      in.gets += peer.gets.get();
      in.got_bytes += peer.got_bytes.get();
    }
  }

  void keep() {
    for (auto& [routine, sum] : routines_) profile_.routines.push_back({routine, sum});
    for (auto& [key, row] : lines_) {
      row.place = key.first;
      row.routine = key.second;
      profile_.lines.push_back(std::move(row));
    }
    for (auto& [key, row] : late_) {
      std::tie(row.place, row.routine) = key.first;
      row.pe = key.second;
      row.collectives = collectives_[key.first];
      if (row.times != 0) profile_.late.push_back(row);
    }
    for (auto& [key, row] : memory_) {
      std::tie(row.place, row.routine) = key;
      profile_.memory.push_back(row);
    }
    for (auto& [name, row] : regions_) {
      row.name = name;
      profile_.regions.push_back(row);
    }
    const auto by_time = [](const auto& a, const auto& b) { return a.sum.seconds > b.sum.seconds; };
    std::stable_sort(profile_.routines.begin(), profile_.routines.end(), by_time);
    std::stable_sort(profile_.lines.begin(), profile_.lines.end(), by_time);
    std::stable_sort(profile_.late.begin(), profile_.late.end(),
                     [](const auto& a, const auto& b) { return a.waited > b.waited; });
    std::stable_sort(profile_.memory.begin(), profile_.memory.end(),
                     [](const auto& a, const auto& b) { return a.most > b.most; });
    std::stable_sort(profile_.regions.begin(), profile_.regions.end(),
                     [](const auto& a, const auto& b) { return a.seconds > b.seconds; });
    profile_.lines_unknown = places_.any_unknown();
  }

  const Sheet& sheet_;
  const Scale& scale_;
  Places& places_;
  Profile profile_;
  std::map<std::string, Sum> routines_;
  std::map<Key, LineRow> lines_;
  std::map<Key, MemoryRow> memory_;
  std::map<std::pair<Key, int>, LateRow> late_;
  std::map<Key, uint64_t> collectives_;
  std::map<std::string, RegionRow> regions_;
};

}  // namespace

void Sum::add(const Sum& other) {
  calls += other.calls;
  bytes += other.bytes;
  seconds += other.seconds;
  waiting += other.waiting;
  longest = std::max(longest, other.longest);
}

int Profile::seen() const {
  return static_cast<int>(std::count_if(pes.begin(), pes.end(), [](const PeRow& pe) { return pe.seen; }));
}

Sum Profile::total() const {
  Sum all;
  for (const RoutineRow& row : routines) all.add(row.sum);
  return all;
}

double Profile::time_of_pes() const {
  double all = 0;
  for (const PeRow& pe : pes) all += pe.seconds;
  return all;
}

double Profile::own_cost() const {
  double all = 0;
  for (const PeRow& pe : pes) all += pe.cost_ns * 1e-9 * static_cast<double>(pe.calls);
  return all;
}

Profile read_profile(const Sheet& sheet, const std::string& program, const Scale& scale, Places& places) {
  return Reader(sheet, scale, places).read(program);
}

}  // namespace atrium::profile
