// Reads the file of suppressions once. A line that is no pattern is reported and left out.
// SPDX-License-Identifier: BSD-3-Clause
#include "race/report/suppressions.hpp"

#include <fnmatch.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "interpose/say.hpp"
#include "race/model/job.hpp"
#include "race/model/site.hpp"
#include "race/report/places.hpp"

namespace atrium::race {
namespace {

struct Pattern {
  std::string kind, text;
};

bool is_kind(const std::string& word) {
  for (const char* known : {"function", "file", "line", "routine", "variable"})
    if (word == known) return true;
  return false;
}

std::vector<Pattern> read_patterns() {
  std::vector<Pattern> patterns;
  const char* path = std::getenv("ATRIUM_RACES_SUPPRESS");
  if (!path || *path == '\0') return patterns;
  std::FILE* file = std::fopen(path, "re");
  if (!file) {
    if (job.me == 0) interpose::say(std::string("no suppressions: cannot read ") + path);
    return patterns;
  }
  char line[1024], kind[64], text[512];
  for (int number = 1; std::fgets(line, sizeof line, file); ++number) {
    const int words = std::sscanf(line, " %63s %511s", kind, text);
    if (words < 1 || kind[0] == '#') continue;
    if (words == 2 && is_kind(kind))
      patterns.push_back({kind, text});
    else if (job.me == 0)
      interpose::say(std::string(path) + ":" + std::to_string(number) +
                     ": neither function, file, line, routine nor variable");
  }
  std::fclose(file);
  return patterns;
}

bool fits(const Pattern& pattern, const std::string& text) {
  return !text.empty() && fnmatch(pattern.text.c_str(), text.c_str(), 0) == 0;
}

// One in a common block also by that block's name.
bool fits_variable(const Pattern& pattern, const NamedVariable& variable) {
  return fits(pattern, variable.name) || fits(pattern, variable.block);
}

bool fits_side(const Pattern& pattern, const AccessSide& side) {
  const Origin origin(side.origin);
  if (pattern.kind == "routine")
    return fits(pattern, name_of(static_cast<Routine>(origin.routine()))) ||
           fits(pattern, routine_at(origin));
  const SourcePlace& place = place_of(origin);
  if (pattern.kind == "function") return fits(pattern, place.function);
  if (pattern.kind == "file") return fits(pattern, place.file_name()) || fits(pattern, place.file);
  return pattern.kind == "line" && fits(pattern, place.short_text());
}

}  // namespace

bool suppressed(const RaceReport& report) {
  static const std::vector<Pattern>& patterns = *new std::vector<Pattern>(read_patterns());
  for (const Pattern& pattern : patterns) {
    if (pattern.kind == "variable" && report.symmetric && !report.in_heap &&
        fits_variable(pattern, variable_at(job.globals_begin + report.offset)))
      return true;
    if (fits_side(pattern, report.mine)) return true;
    if ((report.fault == Fault::race || report.fault == Fault::note) && fits_side(pattern, report.theirs))
      return true;
  }
  return false;
}

}  // namespace atrium::race
