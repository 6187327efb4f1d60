// Lays the profile's tables out in columns for a terminal.
// SPDX-License-Identifier: BSD-3-Clause
#include "profile/report/table.hpp"

#include <algorithm>

#include "atrium_words.hpp"
#include "profile/report/words.hpp"

namespace atrium::profile {
namespace {

constexpr size_t most_rows = 15;  // the page and the CSV file have all

// Right-aligned columns; the last one is text.
class TextTable {
 public:
  explicit TextTable(std::vector<std::string> head) { add(std::move(head)); }

  void add(std::vector<std::string> row) {
    widths_.resize(std::max(widths_.size(), row.size()));
    for (size_t i = 0; i + 1 < row.size(); ++i) widths_[i] = std::max(widths_[i], row[i].size());
    rows_.push_back(std::move(row));
  }
  bool full() const { return rows_.size() > most_rows; }
  void leave_out(size_t count) { left_out_ = count; }

  std::string text() const {
    if (rows_.size() == 1) return {};
    std::string text = "\n";
    for (const auto& row : rows_) {
      for (size_t i = 0; i + 1 < row.size(); ++i)
        text += "  " + std::string(widths_[i] - row[i].size(), ' ') + row[i];
      text += "  " + row.back() + "\n";
    }
    if (left_out_ != 0) text += "  and " + std::to_string(left_out_) + " more\n";
    return text;
  }

 private:
  std::vector<std::vector<std::string>> rows_;
  std::vector<size_t> widths_;
  size_t left_out_ = 0;
};

template <class Rows, class Columns>
std::string table_of(std::vector<std::string> head, const Rows& rows, Columns columns) {
  TextTable table(std::move(head));
  for (const auto& row : rows) {
    if (table.full()) break;
    table.add(columns(row));
  }
  table.leave_out(rows.size() > most_rows ? rows.size() - most_rows : 0);
  return table.text();
}

std::string heading(const Profile& profile) {
  const double all = profile.time_of_threads();
  const CallSum total = profile.total();
  std::string text = "atrium: profile of " + profile.program + ": " + counted(profile.pes.size(), "PE");
  if (profile.threaded()) text += " with " + std::to_string(profile.threads()) + " threads that call";
  text += ", " + say_seconds(profile.seconds);
  if (profile.paused()) text += ", " + say_seconds(profile.recorded()) + " of it recorded";
  text += "; " + say_share(total.seconds, all) + " of " + profile.whose_time() + " in OpenSHMEM, " +
          say_share(total.waiting, all) + " waiting\n";
  for (size_t pe = 0; pe < profile.pes.size(); ++pe)
    if (const std::string end = profile.pes[pe].end(); !end.empty())
      text += "  PE " + std::to_string(pe) + " " + end + "\n";
  return text;
}

std::string routines(const Profile& profile) {
  const double all = profile.time_of_threads();
  return table_of({"time", "of all", "waiting", "calls", "bytes", "longest", "routine"}, profile.routines,
                  [&](const RoutineRow& row) -> std::vector<std::string> {
                    return {say_seconds(row.sum.seconds),
                            say_share(row.sum.seconds, all),
                            say_seconds(row.sum.waiting),
                            with_commas(row.sum.calls),
                            say_bytes(row.sum.bytes),
                            say_seconds(row.sum.longest),
                            row.routine};
                  });
}

std::string lines(const Profile& profile) {
  const double all = profile.time_of_threads();
  return table_of({"time", "of all", "waiting", "calls", "bytes", "PE with most", "line"}, profile.lines,
                  [&](const LineRow& row) -> std::vector<std::string> {
                    const auto most = std::max_element(row.seconds_of.begin(), row.seconds_of.end());
                    return {say_seconds(row.sum.seconds),
                            say_share(row.sum.seconds, all),
                            say_seconds(row.sum.waiting),
                            with_commas(row.sum.calls),
                            say_bytes(row.sum.bytes),
                            std::to_string(most - row.seconds_of.begin()) + ": " + say_seconds(*most),
                            row.place.text() + ", " + row.routine};
                  });
}

std::string late(const Profile& profile) {
  return table_of({"others waited", "came last", "PE", "collective"}, profile.late,
                  [](const LateRow& row) -> std::vector<std::string> {
                    return {say_seconds(row.waited),
                            with_commas(row.times) + " of " + with_commas(row.collectives),
                            std::to_string(row.pe), row.place.text() + ", " + row.routine};
                  });
}

struct PePair {
  size_t from, to;
  PairTraffic traffic;
};

// The pairs between which most bytes went; the page has the whole matrix.
std::string traffic(const Profile& profile) {
  std::vector<PePair> pairs;
  for (size_t from = 0; from < profile.traffic.size(); ++from)
    for (size_t to = 0; to < profile.traffic[from].size(); ++to)
      if (const PairTraffic& one = profile.traffic[from][to]; one.puts + one.gets != 0)
        pairs.push_back({from, to, one});
  std::stable_sort(pairs.begin(), pairs.end(), [](const PePair& a, const PePair& b) {
    return a.traffic.put_bytes + a.traffic.got_bytes > b.traffic.put_bytes + b.traffic.got_bytes;
  });
  return table_of({"put", "calls", "got", "calls", "from PE to PE"}, pairs,
                  [](const PePair& row) -> std::vector<std::string> {
                    return {say_bytes(row.traffic.put_bytes), with_commas(row.traffic.puts),
                            say_bytes(row.traffic.got_bytes), with_commas(row.traffic.gets),
                            std::to_string(row.from) + " to " + std::to_string(row.to)};
                  });
}

std::string memory(const Profile& profile) {
  return table_of({"heap at most", "largest block", "at the end", "allocated by"}, profile.memory,
                  [](const MemoryRow& row) -> std::vector<std::string> {
                    return {say_bytes(row.most), say_bytes(row.largest), say_bytes(row.left),
                            row.place.text() + ", " + row.routine};
                  });
}

std::string regions(const Profile& profile) {
  const double all = profile.time_of_threads();
  return table_of({"time", "of all", "in calls", "waiting", "times", "calls", "bytes", "region"},
                  profile.regions, [&](const RegionRow& row) -> std::vector<std::string> {
                    return {say_seconds(row.seconds),        say_share(row.seconds, all),
                            say_seconds(row.inside.seconds), say_seconds(row.inside.waiting),
                            with_commas(row.times),          with_commas(row.inside.calls),
                            say_bytes(row.inside.bytes),     row.name};
                  });
}

std::string remarks(const Profile& profile) {
  const CallSum total = profile.total();
  double cost_ns = 0;
  for (const PeRow& pe : profile.pes) cost_ns = std::max(cost_ns, pe.cost_ns);
  std::string text = "\n  measuring cost " + std::to_string(static_cast<int>(cost_ns + 0.5)) +
                     " ns a call, " + say_seconds(profile.own_cost()) + " for " + with_commas(total.calls) +
                     " calls (" + say_share(profile.own_cost(), profile.time_of_threads()) + " of " +
                     profile.whose_time() + "); calls are not inlined meanwhile\n";
  for (const std::string& warning : profile.warnings()) text += "  " + warning + "\n";
  return text;
}

}  // namespace

std::string text_of(const Profile& profile) {
  return heading(profile) + routines(profile) + lines(profile) + late(profile) + regions(profile) +
         traffic(profile) + memory(profile) + remarks(profile);
}

std::string explain_empty(const std::string& program) {
  return "atrium: profile of " + program +
         ": nothing was recorded: no PE called shmem_init of the shared library; try linking with "
         "libatrium.so, not "
         "libatrium.a, if this is an OpenSHMEM program\n";
}

}  // namespace atrium::profile
