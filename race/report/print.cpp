// At the end of each session and of the job: what was found, sorted, one report for each pair of lines.
// SPDX-License-Identifier: BSD-3-Clause
#include "race/report/print.hpp"

#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "atrium_message.hpp"
#include "atrium_whole_file.hpp"
#include "atrium_words.hpp"
#include "interpose/say.hpp"
#include "race/model/dialect.hpp"
#include "race/model/job.hpp"
#include "race/model/strand.hpp"
#include "race/report/places.hpp"
#include "race/report/suppressions.hpp"
#include "race/report/text.hpp"

namespace atrium::race {
namespace {

struct PairOfLines {
  const RaceReport* report;
  uint64_t count;
  uint32_t pairs;
  bool reported;  // at the end of an earlier session
};

std::string key_of(const RaceReport& report) {
  std::string mine = place_of(Origin(report.mine.origin)).text(), theirs;
  if (report.fault == Fault::race || report.fault == Fault::note)
    theirs = place_of(Origin(report.theirs.origin)).text();
  if (theirs < mine) std::swap(mine, theirs);
  return std::to_string(static_cast<int>(report.fault)) + "\n" + mine + "\n" + theirs;
}

// Several instructions may belong to one pair of lines. Those that the settings ask for are printed.
std::map<std::string, PairOfLines> all_lines() {
  std::map<std::string, PairOfLines> lines;
  for (RaceReport& report : board().report) {
    if (report.key == 0 || report.ready == 0 || suppressed(report)) continue;
    PairOfLines& line = lines.try_emplace(key_of(report), PairOfLines{&report, 0, 0, false}).first->second;
    line.count += report.count;
    line.pairs |= report.pairs_low;
    line.reported |= report.reported.exchange(1) != 0;
  }
  return lines;
}

void write_json(const std::map<std::string, PairOfLines>& lines) {
  const char* path = std::getenv("ATRIUM_RACES_JSON");
  if (!path || *path == '\0') return;
  std::string text = "[";
  for (const auto& [key, line] : lines)
    text += (text.size() > 1 ? ",\n" : "\n") + json_of(*line.report, line.count, std::popcount(line.pairs));
  text += "\n]\n";
  WholeFile file(path);
  file.write(text);
  if (const int error = file.close(); error != 0)
    interpose::say(std::string("the reports could not be written to ") + path + ": " + std::strerror(error) +
                   "; " + file.fate());
}

// What the check may have missed in this run.
std::string limits_text() {
  std::string text;
  for (unsigned limit = 0; limit < most_limits; ++limit) {
    if ((board().limits >> limit & 1) == 0) continue;
    const Origin first(board().limit_origin[limit]);
    text += std::string("  limit  ") + dialect.limits[limit].cause;
    if (first.word() != 0) text += ", first by " + routine_at(first) + ", " + place_of(first).short_text();
    text += std::string("; ") + dialect.limits[limit].effect + "\n";
  }
  return text;
}

std::string summary(const std::map<std::string, PairOfLines>& lines) {
  const auto notes = static_cast<size_t>(std::count_if(
      lines.begin(), lines.end(), [](const auto& one) { return one.second.report->fault == Fault::note; }));
  const size_t faults = lines.size() - notes;
  std::string text = "atrium: race check: ";
  if (faults == 0)
    return text + "no race was seen" + (notes ? "; see the notes above\n" : "\n") + limits_text();
  text +=
      with_commas(faults) + (faults == 1 ? " pair of lines" : " pairs of lines") + " or places at fault\n";
  if (const uint32_t lost = board().lost_reports)
    text += "  (and " + with_commas(lost) + " findings for which the table had no place)\n";
  if (const std::string file = file_without_lines(); !file.empty())
    text += "  (no lines of " + file + ": compile it with -g, and leave it unstripped)\n";
  return text + limits_text();
}

}  // namespace

void expect_reports() {
  if (job.me == 0) board().reported.store(0);
}

void print_findings() {
  if (board().reported.exchange(1) != 0) return;
  const Inside inside;
  const auto lines = all_lines();
  std::string text;
  for (const auto& [key, line] : lines)
    if (!line.reported) text += "\n" + text_of(*line.report, line.count, std::popcount(line.pairs));
  if (!text.empty()) write_to_stderr(text + "\n" + summary(lines));
  write_json(lines);
}

void print_that_nothing_was_found() {
  if (interpose::is_quiet() || board().ended.exchange(1) != 0) return;
  const Inside inside;
  if (const auto lines = all_lines(); lines.empty()) write_to_stderr(summary(lines));
}

bool anything_found() {
  for (const RaceReport& report : board().report)
    if (report.key != 0 && report.ready != 0 && report.fault != Fault::note && !suppressed(report))
      return true;
  return false;
}

}  // namespace atrium::race
