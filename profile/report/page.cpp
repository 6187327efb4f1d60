// Writes the sections one after another, each a table or a picture, without scripts.
// SPDX-License-Identifier: BSD-3-Clause
#include "profile/report/page.hpp"

#include <algorithm>

#include "atrium_words.hpp"
#include "profile/report/html.hpp"
#include "profile/report/matrix.hpp"
#include "profile/report/style.hpp"
#include "profile/report/words.hpp"

namespace atrium::profile {
namespace {

std::string facts(const Profile& profile) {
  const CallSum total = profile.total();
  const double all = profile.time_of_threads();
  return "<div class=\"facts\">" +
         fact(std::to_string(profile.pes.size()), profile.pes.size() == 1 ? "PE" : "PEs") +
         (profile.threaded() ? fact(std::to_string(profile.threads()), "threads that call") : "") +
         fact(say_seconds(profile.seconds), "from init to finalize") +
         (profile.paused() ? fact(say_seconds(profile.recorded()), "of it recorded") : "") +
         fact(say_share(total.seconds, all), "of " + profile.whose_time() + " in OpenSHMEM") +
         fact(say_share(total.waiting, all), "of " + profile.whose_time() + " waiting") +
         fact(with_commas(total.calls), "calls") +
         fact(say_seconds(profile.own_cost()), "taken by measuring") + "</div>\n";
}

std::string circumstances_of(const Profile& profile, const Circumstances& here) {
  const bool shared = static_cast<int>(profile.pes.size()) > here.cpus;
  return "<p>" + escaped(here.date) + ", " + escaped(here.host) + ", Atrium " + escaped(here.version) +
         (shared ? ", " + counted(profile.pes.size(), "PE") + " shared " +
                       counted(static_cast<uint64_t>(here.cpus), "CPU")
                 : "") +
         "</p>\n<p><code>" + escaped(here.command) + "</code></p>\n";
}

std::string end_of(const PeRow& row) {
  const std::string end = row.end();
  return end.empty() ? "finalized" : end;
}

// The page of a program whose PEs have one thread each does not mention threads.
std::string pes(const Profile& profile) {
  std::vector<size_t> numbers;
  double longest = 0;
  for (size_t pe = 0; pe < profile.pes.size(); ++pe) {
    numbers.push_back(pe);
    longest = std::max(longest, profile.pes[pe].of_threads);
  }
  std::vector<std::string> head{"PE", "", "time", "in OpenSHMEM", "waiting", "calls", "heap at most", "end"};
  std::vector<bool> is_name{false, false, false, false, false, false, false, true};
  if (profile.threaded()) {
    head.insert(head.begin() + 3, {"threads", "threads' time"});
    is_name.insert(is_name.begin(), 2, false);
  }
  return table_of(head, is_name, numbers, [&](size_t pe) {
    const PeRow& row = profile.pes[pe];
    std::vector<std::string> cells{std::to_string(pe),
                                   bar(row.inside.waiting, row.inside.seconds, longest),
                                   say_seconds(row.seconds),
                                   say_seconds(row.inside.seconds),
                                   say_seconds(row.inside.waiting),
                                   with_commas(row.inside.calls),
                                   say_bytes(row.heap_most),
                                   end_of(row)};
    if (profile.threaded())
      cells.insert(cells.begin() + 3, {std::to_string(row.threads), say_seconds(row.of_threads)});
    return cells;
  });
}

std::vector<std::string> sum_columns(const CallSum& sum, double all) {
  return {bar(sum.waiting, sum.seconds, all),
          say_seconds(sum.seconds),
          say_share(sum.seconds, all),
          say_seconds(sum.waiting),
          with_commas(sum.calls),
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
        columns.insert(columns.begin(), {row.place.text(), row.routine});
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
                    return {row.place.text(),
                            row.routine,
                            std::to_string(row.pe),
                            with_commas(row.times) + " of " + with_commas(row.collectives),
                            bar(row.waited, row.waited, most),
                            say_seconds(row.waited)};
                  });
}

std::string ended_waits(const Profile& profile) {
  const double most = profile.ended_waits.empty() ? 0 : profile.ended_waits.front().seconds;
  return table_of({"PE", "waited at", "for PE", "which stored at", "times", "", "waited"},
                  {false, true, false, true, false, false, false}, profile.ended_waits,
                  [&](const EndedWaitRow& row) -> std::vector<std::string> {
                    return {std::to_string(row.waiter), row.waited_at,
                            std::to_string(row.by),     row.stored_at,
                            with_commas(row.times),     bar(row.seconds, row.seconds, most),
                            say_seconds(row.seconds)};
                  });
}

// A profile without a trace knows how long a wait took, and not who has ended it.
std::string signals(const Profile& profile) {
  const std::string title = "Who waited for whose signal";
  if (!profile.ended_waits.empty())
    return section(
        title,
        "Waits that a put, a signal or an atomic operation of another PE has ended, of what the trace "
        "has kept.",
        ended_waits(profile));
  const bool waits = std::any_of(profile.routines.begin(), profile.routines.end(), [](const auto& row) {
    return row.routine.find("_wait") != std::string::npos && row.sum.waiting > 0;
  });
  if (!waits) return {};
  return "<h2>" + title +
         "</h2>\n<p>Only a trace knows which PE has ended a wait: <code>oshrun --profile "
         "--trace=FILE</code>.</p>\n";
}

std::string regions(const Profile& profile) {
  const double all = profile.time_of_threads();
  return table_of({"region", "", "time", "of all", "in OpenSHMEM", "waiting", "times", "calls", "bytes",
                   "PE with least", "PE with most"},
                  {true, false, false, false, false, false, false, false, false, false, false},
                  profile.regions, [&](const RegionRow& row) -> std::vector<std::string> {
                    return {row.name,
                            bar({{"wait", row.inside.waiting},
                                 {"work", row.inside.seconds - row.inside.waiting},
                                 {"own", row.seconds - row.inside.seconds}},
                                all),
                            say_seconds(row.seconds),
                            say_share(row.seconds, all),
                            say_seconds(row.inside.seconds),
                            say_seconds(row.inside.waiting),
                            with_commas(row.times),
                            with_commas(row.inside.calls),
                            say_bytes(row.inside.bytes),
                            say_seconds(row.shortest),
                            say_seconds(row.longest)};
                  });
}

std::string memory(const Profile& profile) {
  return table_of({"allocated by", "routine", "at most", "largest block", "at the end"},
                  {true, true, false, false, false}, profile.memory,
                  [](const MemoryRow& row) -> std::vector<std::string> {
                    return {row.place.text(), row.routine, say_bytes(row.most), say_bytes(row.largest),
                            say_bytes(row.left)};
                  });
}

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

std::string page_of(const Profile& profile, const Circumstances& circumstances) {
  const std::string title = "Profile of " + escaped(profile.program);
  const std::string legend =
      "<span class=\"key wait\"></span>waiting <span class=\"key work\"></span>working in OpenSHMEM "
      "<span class=\"key idle\"></span>computing";
  return "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
         "content=\"width=device-width, initial-scale=1\"><title>" +
         title + "</title><style>" + page_style + "</style></head><body>\n<h1>" + title + "</h1>\n" +
         circumstances_of(profile, circumstances) + facts(profile) + warnings(profile) +
         section("PEs", legend, pes(profile)) +
         section("Lines",
                 "Each place that calls OpenSHMEM, all PEs added up; bars are shares of " +
                     profile.whose_time() + ".",
                 lines(profile)) +
         section("Routines", "The same by routine.", routines(profile)) +
         section("Regions",
                 "As the program names them. <span class=\"key own\"></span>computing in the region",
                 regions(profile)) +
         section("Who came last",
                 "How often a PE was the last one of a collective, and how long all others together waited "
                 "for it.",
                 late(profile)) +
         signals(profile) +
         section("Who sent how much to whom",
                 "Bytes of one-sided operations; what a PE gets from another counts as sent by that one. "
                 "Collectives are "
                 "not in it.",
                 Matrix(profile).html()) +
         section("Symmetric heap", "In use over time, on the PE that needs most.", heap(profile)) +
         section("Who allocated", "Bytes on the PE that has most.", memory(profile)) +
         "<p class=\"foot\">Measuring took " + say_seconds(profile.own_cost()) + ", " +
         say_share(profile.own_cost(), profile.time_of_threads()) + " of " + profile.whose_time() +
         "; calls are not inlined meanwhile. Waiting is the time in waits, locks and quiet, and in "
         "collectives until the "
         "last has come.</p>\n</body></html>\n";
}

}  // namespace atrium::profile
