// Writes one table, whose first column says what kind of row it is.
// SPDX-License-Identifier: BSD-3-Clause
#include "profile/report/csv.hpp"

#include <cstdio>

namespace atrium::profile {
namespace {

std::string quoted(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char letter : text) quoted += letter == '"' ? "\"\"" : std::string(1, letter);
  return quoted + "\"";
}

std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.9f", value);
  return text;
}

class Csv {
 public:
  void row(const std::string& table, const std::string& name, const SourcePlace* place, const std::string& pe,
           const std::string& other, const CallSum& sum) {
    text_ += table + "," + quoted(name) + "," + (place ? quoted(place->file) : "") + "," +
             (place && place->line != 0 ? std::to_string(place->line) : "") + "," +
             (place ? quoted(place->function) : "") + "," + pe + "," + other + "," +
             std::to_string(sum.calls) + "," + std::to_string(sum.bytes) + "," + number(sum.seconds) + "," +
             number(sum.waiting) + "," + number(sum.longest) + "\n";
  }
  std::string take() { return std::move(text_); }

 private:
  std::string text_ =
      "table,name,file,line,function,pe,other_pe,calls,bytes,seconds,waiting_seconds,longest_seconds\n";
};

void add_lines(Csv& csv, const Profile& profile) {
  for (const RoutineRow& row : profile.routines) csv.row("routine", row.routine, nullptr, "", "", row.sum);
  for (const LineRow& row : profile.lines) {
    csv.row("line", row.routine, &row.place, "", "", row.sum);
    for (size_t pe = 0; pe < row.seconds_of.size(); ++pe)
      csv.row("line of PE", row.routine, &row.place, std::to_string(pe), "",
              {0, 0, row.seconds_of[pe], 0, 0});
  }
  for (const LateRow& row : profile.late)
    csv.row("came last", row.routine, &row.place, std::to_string(row.pe), "",
            {row.times, 0, 0, row.waited, 0});
}

void add_memory(Csv& csv, const Profile& profile) {
  for (const MemoryRow& row : profile.memory) {
    csv.row("heap at most", row.routine, &row.place, "", "", {0, row.most, 0, 0, 0});
    csv.row("largest block", row.routine, &row.place, "", "", {0, row.largest, 0, 0, 0});
    csv.row("heap at the end", row.routine, &row.place, "", "", {0, row.left, 0, 0, 0});
  }
  for (size_t pe = 0; pe < profile.pes.size(); ++pe)
    for (const auto& [seconds, bytes] : profile.pes[pe].heap)
      csv.row("heap", "in use", nullptr, std::to_string(pe), "", {0, bytes, seconds, 0, 0});
}

void add_traffic(Csv& csv, const Profile& profile) {
  for (size_t from = 0; from < profile.traffic.size(); ++from)
    for (size_t to = 0; to < profile.traffic[from].size(); ++to) {
      const PairTraffic& one = profile.traffic[from][to];
      const std::string a = std::to_string(from), b = std::to_string(to);
      if (one.puts != 0) csv.row("traffic", "put", nullptr, a, b, {one.puts, one.put_bytes, 0, 0, 0});
      if (one.gets != 0) csv.row("traffic", "get", nullptr, a, b, {one.gets, one.got_bytes, 0, 0, 0});
    }
}

}  // namespace

std::string csv_of(const Profile& profile) {
  Csv csv;
  add_lines(csv, profile);
  add_memory(csv, profile);
  add_traffic(csv, profile);
  for (const RegionRow& row : profile.regions) {
    csv.row("region", row.name, nullptr, "", "", {row.times, 0, row.seconds, 0, 0});
    csv.row("calls in region", row.name, nullptr, "", "", row.inside);
  }
  for (size_t pe = 0; pe < profile.pes.size(); ++pe) {
    const PeRow& row = profile.pes[pe];
    const auto add = [&](const char* name, const CallSum& sum) {
      csv.row("PE", name, nullptr, std::to_string(pe), "", sum);
    };
    add("in OpenSHMEM", row.inside);
    add("from init to finalize", {0, 0, row.seconds, 0, 0});
    add("recorded", {0, 0, row.recorded, 0, 0});
    add("time of threads", {0, 0, row.of_threads, 0, 0});
  }
  return csv.take();
}

}  // namespace atrium::profile
