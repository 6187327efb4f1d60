// Adds up the pages of all PEs into the tables that the reports print.
// SPDX-License-Identifier: BSD-3-Clause
#include "profile/report/model.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include "atrium_words.hpp"
#include "profile/report/activity.hpp"
#include "profile/report/unfinished.hpp"

namespace atrium::profile {
namespace {

using Key = std::pair<SourcePlace, std::string>;  // and the routine

class ProfileReader {
 public:
  ProfileReader(const RecordBuffer& buffer, const Scale& scale, Places& places)
      : buffer_(buffer), scale_(scale), places_(places) {}

  Profile read(const std::string& program) {
    profile_.program = program;
    profile_.pes.resize(static_cast<size_t>(buffer_.pes()));
    for (int pe = 0; pe < buffer_.pes(); ++pe)
      if (buffer_.page(pe).state.load(std::memory_order_acquire) != 0) read_page(pe);  // SYNC record-page
    keep();
    return std::move(profile_);
  }

 private:
  double since_begin(uint64_t ticks) const {
    return ticks > buffer_.head().begin.ticks ? scale_.seconds(ticks - buffer_.head().begin.ticks) : 0;
  }

  void read_page(int pe) {
    const Page& page = buffer_.page(pe);
    PeRow& row = profile_.pes[static_cast<size_t>(pe)];
    row.seen = true;
    row.cost_ns = static_cast<double>(page.cost_ps.get()) / 1000;
    row.lost = page.lost_lines.get() + page.lost_lates.get();
    row.lost_regions = page.lost_regions.get();
    row.lost_threads = page.lost_threads.get();
    row.unmatched = page.unmatched.get();
    row.heap_most = page.heap_most.get();
    for (uint32_t i = 0; i < std::min<uint32_t>(page.samples, most_samples); ++i)
      row.heap.emplace_back(since_begin(page.sample[i].ticks), page.sample[i].bytes);
    read_unfinished(page);
    for (size_t i = 0; i < most_lines; ++i) read_line(pe, page, i);
    for (const Late& late : page.late) read_late(page, late);
    for (const NamedRegion& region : page.region) read_region(region);
    read_traffic(pe);
    read_end(page, row);
  }

  void read_end(const Page& page, PeRow& row) {
    row.finished = page.end != 0;
    row.ending = page.ending;
    const uint64_t end = end_of(page);
    row.seconds = scale_.seconds(end - page.begin);
    row.recorded = scale_.seconds(recorded_ticks(page, end));
    profile_.seconds = std::max(profile_.seconds, row.seconds);
    for (const Thread& thread : page.thread) read_thread(page, thread, end, row);
    if (row.finished) return;
    const Activity activity = activity_of(page);
    row.doing = "computing";
    if (!activity.call) return;
    const CallSite& line = page.line[activity.call->doing - 1];
    row.doing = std::string("in ") + places_.routine_of(page, line) + ", " + places_.of(page, line).text() +
                describe_others(activity);
  }

  void read_thread(const Page& page, const Thread& thread, uint64_t end, PeRow& row) {
    const uint64_t came = thread.came, until = recorded_ticks(page, end);
    if (came == 0 && thread.stayed.get() == 0) return;
    ++row.threads;
    row.of_threads +=
        scale_.seconds(thread.stayed.get() + (came != 0 && until >= came ? until - came + 1 : 0));
  }

  // A call that its PE ended in was one, until then.
  void read_unfinished(const Page& page) {
    unfinished_.clear();
    for (const Event& event : unfinished_events(page)) {
      const CallSum sum{1, 0, scale_.seconds(event.ticks), scale_.seconds(waited_in(buffer_, page, event)),
                        scale_.seconds(event.ticks)};
      if (event.kind != EventKind::region) unfinished_[event.line].add(sum);
    }
  }

  void read_line(int pe, const Page& page, size_t number) {
    const CallSite& line = page.line[number];
    CallSum sum{line.calls.get(), line.bytes.get(), scale_.seconds(line.ticks.get()),
                scale_.seconds(line.waiting.get()), scale_.seconds(line.longest.get())};
    if (const auto open = unfinished_.find(number); open != unfinished_.end()) sum.add(open->second);
    if (sum.calls == 0) return;
    profile_.pes[static_cast<size_t>(pe)].inside.add(sum);
    const std::string routine = number == 0 ? "other lines" : places_.routine_of(page, line);
    routines_[routine].add(sum);
    const SourcePlace place = number == 0 ? SourcePlace{} : places_.of(page, line);
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
    const CallSite& line = page.line[packed >> 32];
    const Key key{places_.of(page, line), places_.routine_of(page, line)};
    LateRow& row = late_[{key, static_cast<int>(packed & 0xffffffff)}];
    row.times += late.times.get();
    row.waited += scale_.seconds(late.waited.get());
    collectives_[key] += late.times.get();
  }

  void read_region(const NamedRegion& region) {
    if (region.key == 0 || region.times.get() == 0) return;
    RegionRow& row = regions_[region.name];
    const double seconds = scale_.seconds(region.ticks.get());
    row.shortest = row.times == 0 ? seconds : std::min(row.shortest, seconds);
    row.longest = std::max(row.longest, seconds);
    row.times += region.times.get();
    row.seconds += seconds;
    row.inside.add({region.calls.get(), region.bytes.get(), scale_.seconds(region.inside.get()),
                    scale_.seconds(region.waiting.get()), 0});
  }

  // A get moves data from the other PE to this one.
  void read_traffic(int pe) {
    profile_.traffic.resize(profile_.pes.size(), std::vector<PairTraffic>(profile_.pes.size()));
    for (int other = 0; other < buffer_.pes(); ++other) {
      const Peer& peer = buffer_.peers(pe)[other];
      PairTraffic& out = profile_.traffic[static_cast<size_t>(pe)][static_cast<size_t>(other)];
      PairTraffic& in = profile_.traffic[static_cast<size_t>(other)][static_cast<size_t>(pe)];
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

  const RecordBuffer& buffer_;
  const Scale& scale_;
  Places& places_;
  Profile profile_;
  std::map<size_t, CallSum> unfinished_;  // of the page that is read, by lines
  std::map<std::string, CallSum> routines_;
  std::map<Key, LineRow> lines_;
  std::map<Key, MemoryRow> memory_;
  std::map<std::pair<Key, int>, LateRow> late_;
  std::map<Key, uint64_t> collectives_;
  std::map<std::string, RegionRow> regions_;
};

}  // namespace

void CallSum::add(const CallSum& other) {
  calls += other.calls;
  bytes += other.bytes;
  seconds += other.seconds;
  waiting += other.waiting;
  longest = std::max(longest, other.longest);
}

int Profile::seen() const {
  return static_cast<int>(std::count_if(pes.begin(), pes.end(), [](const PeRow& pe) { return pe.seen; }));
}

CallSum Profile::total() const {
  CallSum all;
  for (const RoutineRow& row : routines) all.add(row.sum);
  return all;
}

std::string PeRow::end() const {
  if (finished) return {};
  if (!seen) return "never called shmem_init";
  return "did not come to shmem_finalize: it was " + doing + (ending.empty() ? "" : ", and " + ending);
}

int Profile::threads() const {
  int all = 0;
  for (const PeRow& pe : pes) all += std::max(pe.threads, 1);
  return all;
}

bool Profile::paused() const {
  return std::any_of(pes.begin(), pes.end(), [](const PeRow& pe) { return pe.recorded < pe.seconds; });
}

std::string Profile::whose_time() const {
  return std::string(threaded() ? "the threads'" : "their") + (paused() ? " recorded time" : " time");
}

double Profile::time_of_threads() const {
  double all = 0;
  for (const PeRow& pe : pes) all += pe.of_threads;
  return all;
}

double Profile::recorded() const {
  double most = 0;
  for (const PeRow& pe : pes) most = std::max(most, pe.recorded);
  return most;
}

std::vector<std::string> Profile::warnings() const {
  std::vector<std::string> all;
  const auto warn = [&](uint64_t PeRow::*what, const char* text) {
    if (const uint64_t times = count(what); times != 0) all.push_back(with_commas(times) + text);
  };
  warn(&PeRow::lost, " calls came from more lines than there is room for: see other lines");
  warn(&PeRow::lost_regions, " times a region began that there was no room for");
  warn(&PeRow::lost_threads, " threads had no room: their calls are counted, their time is not");
  warn(&PeRow::unmatched, " collectives could not be compared between PEs");
  if (lines_unknown)
    all.emplace_back("lines that are unknown: compile with -g, install addr2line (binutils) or libdw1");
  return all;
}

uint64_t Profile::count(uint64_t PeRow::*what) const {
  uint64_t all = 0;
  for (const PeRow& pe : pes) all += pe.*what;
  return all;
}

double Profile::own_cost() const {
  double all = 0;
  for (const PeRow& pe : pes) all += pe.cost_ns * 1e-9 * static_cast<double>(pe.inside.calls);
  return all;
}

Profile read_profile(const RecordBuffer& buffer, const std::string& program, const Scale& scale,
                     Places& places) {
  return ProfileReader(buffer, scale, places).read(program);
}

}  // namespace atrium::profile
