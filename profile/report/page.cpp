// Tables, bars, a matrix and a curve, written as they stand: no scripts.
// SPDX-License-Identifier: BSD-3-Clause
#include "profile/report/page.hpp"

#include <algorithm>
#include <cstdio>

#include "profile/report/style.hpp"
#include "profile/report/words.hpp"

namespace atrium::profile {
namespace {

constexpr size_t most_cells = 32;  // rows and columns of the matrix: more PEs are taken together

std::string escaped(const std::string& text) {
  std::string safe;
  for (const char letter : text) switch (letter) {
      case '<':
        safe += "&lt;";
        break;
      case '>':
        safe += "&gt;";
        break;
      case '&':
        safe += "&amp;";
        break;
      case '"':
        safe += "&quot;";
        break;
      default:
        safe += letter;
    }
  return safe;
}

std::string fixed(double value, int digits) {
  char text[32];
  std::snprintf(text, sizeof text, "%.*f", digits, value);
  return text;
}

std::string section(const std::string& title, const std::string& meaning, const std::string& body) {
  if (body.empty()) return {};
  return "<h2>" + title + "</h2>\n<p>" + meaning + "</p>\n<div class=\"wide\">" + body + "</div>\n";
}

// The first `names` columns are text, the others numbers; "<" begins what is markup already.
std::string table_row(const std::vector<std::string>& cells, const std::vector<bool>& is_name,
                      const char* tag) {
  std::string row = "<tr>";
  for (size_t i = 0; i < cells.size(); ++i)
    row += std::string("<") + tag + (is_name[i] ? " class=\"name\">" : ">") +
           (cells[i].starts_with("<div") ? cells[i] : escaped(cells[i])) + "</" + tag + ">";
  return row + "</tr>\n";
}

template <class Rows, class Columns>
std::string table_of(const std::vector<std::string>& head, const std::vector<bool>& is_name, const Rows& rows,
                     Columns columns) {
  if (rows.empty()) return {};
  std::string table = "<table>" + table_row(head, is_name, "th");
  for (const auto& row : rows) table += table_row(columns(row), is_name, "td");
  return table + "</table>";
}

// Of `all`: waiting, then the rest of the time in OpenSHMEM.
std::string bar(double waiting, double inside, double all) {
  if (all <= 0) return "<div class=\"bar\"></div>";
  const auto part = [&](const char* name, double value) {
    return std::string("<i class=\"") + name +
           "\" style=\"width:" + fixed(std::clamp(100 * value / all, 0.0, 100.0), 2) + "%\"></i>";
  };
  return "<div class=\"bar\">" + part("wait", waiting) + part("work", inside - waiting) + "</div>";
}

std::string fact(const std::string& value, const std::string& meaning) {
  return "<div><b>" + escaped(value) + "</b><span>" + meaning + "</span></div>";
}

std::string facts(const Profile& profile) {
  const Sum total = profile.total();
  const double all = profile.time_of_threads();
  return "<div class=\"facts\">" + fact(std::to_string(profile.pes.size()), "PEs") +
         (profile.threaded() ? fact(std::to_string(profile.threads()), "threads that call") : "") +
         fact(say_seconds(profile.seconds), "from init to finalize") +
         (profile.paused() ? fact(say_seconds(profile.recorded()), "of it recorded") : "") +
         fact(say_share(total.seconds, all), "of " + profile.whose_time() + " in OpenSHMEM") +
         fact(say_share(total.waiting, all), "of " + profile.whose_time() + " waiting") +
         fact(say_count(total.calls), "calls") + fact(say_seconds(profile.own_cost()), "taken by measuring") +
         "</div>\n";
}

std::string pes(const Profile& profile) {
  std::vector<size_t> numbers;
  for (size_t pe = 0; pe < profile.pes.size(); ++pe) numbers.push_back(pe);
  double longest = 0;
  for (const PeRow& row : profile.pes) longest = std::max(longest, row.of_threads);
  return table_of(
      {"PE", "threads", "", "time", "of threads", "in OpenSHMEM", "waiting", "calls", "heap at most", "end"},
      {false, false, false, false, false, false, false, false, false, true}, numbers,
      [&](size_t pe) -> std::vector<std::string> {
        const PeRow& row = profile.pes[pe];
        const std::string end = row.end();
        return {std::to_string(pe),
                std::to_string(row.threads),
                bar(row.inside.waiting, row.inside.seconds, longest),
                say_seconds(row.seconds),
                say_seconds(row.of_threads),
                say_seconds(row.inside.seconds),
                say_seconds(row.inside.waiting),
                say_count(row.inside.calls),
                say_bytes(row.heap_most),
                end.empty() ? "finalized" : end};
      });
}

std::vector<std::string> sum_columns(const Sum& sum, double all) {
  return {bar(sum.waiting, sum.seconds, all),
          say_seconds(sum.seconds),
          say_share(sum.seconds, all),
          say_seconds(sum.waiting),
          say_count(sum.calls),
          say_bytes(sum.bytes),
          say_seconds(sum.longest)};
}

std::string routines(const Profile& profile) {
  const double all = profile.time_of_threads();
  return table_of({"routine", "", "time", "of all", "waiting", "calls", "bytes", "longest"},
                  {true, false, false, false, false, false, false, false}, profile.routines,
                  [&](const RoutineRow& row) {
                    auto columns = sum_columns(row.sum, all);
                    columns.insert(columns.begin(), row.routine);
                    return columns;
                  });
}

std::string lines(const Profile& profile) {
  const double all = profile.time_of_threads();
  return table_of(
      {"line", "routine", "", "time", "of all", "waiting", "calls", "bytes", "longest", "PE with most"},
      {true, true, false, false, false, false, false, false, false, false}, profile.lines,
      [&](const LineRow& row) {
        auto columns = sum_columns(row.sum, all);
        columns.insert(columns.begin(), {row.place.whole(), row.routine});
        const auto most = std::max_element(row.seconds_of.begin(), row.seconds_of.end());
        columns.push_back(std::to_string(most - row.seconds_of.begin()) + ": " + say_seconds(*most));
        return columns;
      });
}

std::string late(const Profile& profile) {
  double most = 0;
  for (const LateRow& row : profile.late) most = std::max(most, row.waited);
  return table_of({"collective", "routine", "PE", "came last", "", "others waited"},
                  {true, true, false, false, false, false}, profile.late,
                  [&](const LateRow& row) -> std::vector<std::string> {
                    return {row.place.whole(),
                            row.routine,
                            std::to_string(row.pe),
                            say_count(row.times) + " of " + say_count(row.collectives),
                            bar(row.waited, row.waited, most),
                            say_seconds(row.waited)};
                  });
}

std::string regions(const Profile& profile) {
  const double all = profile.time_of_threads();
  return table_of({"region", "", "time", "of all", "waiting", "times", "calls", "bytes", "least PE", "most"},
                  {true, false, false, false, false, false, false, false, false, false}, profile.regions,
                  [&](const RegionRow& row) -> std::vector<std::string> {
                    return {row.name,
                            bar(row.waiting, row.seconds, all),
                            say_seconds(row.seconds),
                            say_share(row.seconds, all),
                            say_seconds(row.waiting),
                            say_count(row.times),
                            say_count(row.calls),
                            say_bytes(row.bytes),
                            say_seconds(row.shortest),
                            say_seconds(row.longest)};
                  });
}

std::string memory(const Profile& profile) {
  return table_of({"allocated by", "routine", "at most", "largest block", "at the end"},
                  {true, true, false, false, false}, profile.memory,
                  [](const MemoryRow& row) -> std::vector<std::string> {
                    return {row.place.whole(), row.routine, say_bytes(row.most), say_bytes(row.largest),
                            say_bytes(row.left)};
                  });
}

// Of many PEs neighbours share a row and a column.
class Matrix {
 public:
  explicit Matrix(const Profile& profile)
      : pes_(profile.traffic.size()), fold_((pes_ + most_cells - 1) / std::max<size_t>(most_cells, 1)) {
    fold_ = std::max<size_t>(fold_, 1);
    cells_ = (pes_ + fold_ - 1) / fold_;
    bytes_.resize(cells_ * cells_);
    for (size_t from = 0; from < pes_; ++from)
      for (size_t to = 0; to < profile.traffic[from].size(); ++to)
        at(from / fold_, to / fold_) +=
            profile.traffic[from][to].put_bytes + profile.traffic[from][to].got_bytes;
    for (const uint64_t bytes : bytes_) most_ = std::max(most_, bytes);
  }

  std::string html() {
    if (most_ == 0) return {};
    std::string table = "<table class=\"matrix\"><tr><th>from \\ to</th>";
    for (size_t to = 0; to < cells_; ++to) table += "<th>" + name(to) + "</th>";
    table += "</tr>\n";
    for (size_t from = 0; from < cells_; ++from) {
      table += "<tr><th>" + name(from) + "</th>";
      for (size_t to = 0; to < cells_; ++to) table += cell(from, to);
      table += "</tr>\n";
    }
    return table + "</table>";
  }

 private:
  uint64_t& at(size_t from, size_t to) { return bytes_[from * cells_ + to]; }
  std::string name(size_t cell) const {
    const size_t last = std::min(pes_, (cell + 1) * fold_) - 1;
    return std::to_string(cell * fold_) + (fold_ == 1 ? "" : "-" + std::to_string(last));
  }
  std::string cell(size_t from, size_t to) {
    const uint64_t bytes = at(from, to);
    if (bytes == 0) return "<td></td>";
    const double share = static_cast<double>(bytes) / static_cast<double>(most_);
    return "<td style=\"background:rgba(var(--heat)," + fixed(0.08 + 0.6 * share, 2) + ")\">" +
           say_bytes(bytes) + "</td>";
  }

  size_t pes_, fold_, cells_ = 0;
  std::vector<uint64_t> bytes_;
  uint64_t most_ = 0;
};

// Steps: what is in use stays until the next change.
std::string curve(const PeRow& row, double end, uint64_t most) {
  std::string points;
  double before = 0;
  const auto point = [&](double seconds, double bytes) {
    points += fixed(60 + 700 * seconds / end, 1) + "," +
              fixed(190 - 170 * bytes / static_cast<double>(most), 1) + " ";
  };
  for (const auto& [seconds, bytes] : row.heap) {
    point(seconds, before);
    before = static_cast<double>(bytes);
    point(seconds, before);
  }
  point(end, before);
  return "<polyline points=\"" + points + "\"/>";
}

std::string heap(const Profile& profile) {
  const auto most =
      std::max_element(profile.pes.begin(), profile.pes.end(),
                       [](const PeRow& a, const PeRow& b) { return a.heap_most < b.heap_most; });
  if (most == profile.pes.end() || most->heap_most == 0) return {};
  const double end = std::max(profile.seconds, most->heap.empty() ? 0 : most->heap.back().first) + 1e-9;
  return "<svg viewBox=\"0 0 780 215\" role=\"img\"><line x1=\"60\" y1=\"190\" x2=\"760\" y2=\"190\"/>"
         "<line x1=\"60\" y1=\"20\" x2=\"760\" y2=\"20\"/><text x=\"2\" y=\"24\">" +
         say_bytes(most->heap_most) +
         "</text><text x=\"40\" y=\"194\">0</text><text x=\"60\" y=\"208\">0 s</text><text x=\"700\" "
         "y=\"208\">" +
         say_seconds(end) + "</text>" + curve(*most, end, most->heap_most) + "</svg>";
}

std::string warnings(const Profile& profile) {
  std::string text;
  const auto warn = [&](const std::string& what) { text += "<p class=\"warning\">" + what + "</p>\n"; };
  if (profile.seen() != static_cast<int>(profile.pes.size()) ||
      std::any_of(profile.pes.begin(), profile.pes.end(), [](const PeRow& pe) { return !pe.finished; }))
    warn("Not all PEs came to shmem_finalize: see the end of each.");
  for (const std::string& warning : profile.warnings()) warn(warning + ".");
  return text;
}

}  // namespace

std::string page_of(const Profile& profile) {
  const std::string title = "Profile of " + escaped(profile.program);
  const std::string legend =
      "<span class=\"key wait\"></span>waiting <span class=\"key work\"></span>working in OpenSHMEM "
      "<span class=\"key idle\"></span>computing";
  return "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
         "content=\"width=device-width, initial-scale=1\"><title>" +
         title + "</title><style>" + page_style + "</style></head><body>\n<h1>" + title + "</h1>\n" +
         facts(profile) + warnings(profile) + section("PEs", legend, pes(profile)) +
         section("Lines",
                 "Each place that calls OpenSHMEM, all PEs added up; bars are shares of " +
                     profile.whose_time() + ".",
                 lines(profile)) +
         section("Routines", "The same by routine.", routines(profile)) +
         section("Regions", "As the program names them; least and most are PEs.", regions(profile)) +
         section("Who came last",
                 "How often a PE was the last one of a collective, and how long all others together waited "
                 "for it.",
                 late(profile)) +
         section("Who sent how much to whom",
                 "Bytes of one-sided operations; what a PE gets from another counts as sent by that one. "
                 "Collectives are "
                 "not in it.",
                 Matrix(profile).html()) +
         section("Symmetric heap", "In use over time, on the PE that needs most.", heap(profile)) +
         section("Who allocated", "Bytes on the PE that has most.", memory(profile)) + "<p>Measuring took " +
         say_seconds(profile.own_cost()) + " of " + say_seconds(profile.time_of_threads()) + ", all of " +
         profile.whose_time() +
         "; calls are not inlined meanwhile. Waiting is the time in waits, locks and quiet, and in "
         "collectives until the "
         "last has come.</p>\n</body></html>\n";
}

}  // namespace atrium::profile
