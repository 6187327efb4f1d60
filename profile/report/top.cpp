// Reads the pages while their PEs write: a line may be a moment old.
// SPDX-License-Identifier: BSD-3-Clause
#include "profile/report/top.hpp"

#include <sys/ioctl.h>

#include <algorithm>
#include <cstdio>

#include "core/number_list.hpp"
#include "interpose/site.hpp"
#include "profile/report/activity.hpp"
#include "profile/report/unfinished.hpp"
#include "profile/report/words.hpp"

namespace atrium::profile {
namespace {

std::string padded(const std::string& text, size_t width, bool right = true) {
  const std::string space(width > text.size() ? width - text.size() : 0, ' ');
  return right ? space + text : text + space;
}

}  // namespace

std::string fit_to_screen(const std::string& text, int fd) {
  winsize size{};
  if (ioctl(fd, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return text;
  std::string cut;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    cut += text.substr(begin, std::min<size_t>(end - begin, size.ws_col - 1)) + "\n";
    begin = end + 1;
  }
  return cut;
}

Top::Top(const Sheet& sheet) : sheet_(sheet), before_(static_cast<size_t>(sheet.pes())) {}

Top::Counts Top::count(const Page& page) const {
  Counts counts;
  for (const Line& line : page.line) {
    if (line.key == 0 && line.calls.get() == 0) continue;
    counts.calls += line.calls.get();
    counts.bytes += line.bytes.get();
  }
  return counts;
}

// Of the team that comes together, the members that have not come. Waits that have just begun are nobody's fault.
std::string Top::missing(const Page& page, const Thread& call) const {
  const unsigned place = gathering_of_collective(call.place);
  if (call.kind != EventKind::collective || place >= most_gatherings) return {};
  const Gathering& mine = page.gathering_of[place];
  std::vector<int> late;
  for (int pe = 0; pe < sheet_.pes(); ++pe) {
    const Gathering* const theirs = find_gathering(sheet_.page(pe), mine.key);
    if (theirs ? theirs->number < mine.number : mine.size == sheet_.pes()) late.push_back(pe);
  }
  if (late.empty()) return {};
  return (late.size() == 1 ? ", for PE " : ", for PEs ") + format_number_list(late);
}

std::string Top::state_of(int pe, uint64_t now) {
  const Page& page = sheet_.page(pe);
  if (page.state == 0) return "has not called shmem_init";
  if (page.end != 0) return "has left shmem_finalize";
  if (page.gone != 0) return page.ending;
  const Activity activity = activity_of(page);
  const auto lasted = [&](uint64_t since) {
    return now > since && since != 0 ? " " + say_seconds(scale_.seconds(now - since)) : "";
  };
  const uint32_t doing = activity.call ? activity.call->doing.load() : 0;  // it may have ended meanwhile
  if (doing == 0) return "computing" + lasted(activity.computes_since);
  const Line& line = page.line[(doing - 1) % most_lines];
  const Thread& call = *activity.call;
  const bool names_a_pe = call.kind != EventKind::collective && call.with >= 0;
  return std::string(interpose::name_of(static_cast<interpose::Routine>(line.routine))) + lasted(call.since) +
         (names_a_pe ? ", PE " + std::to_string(call.with) : missing(page, call)) + " (" +
         places_.of(page, line).whole() + ")" + describe_others(activity);
}

std::string Top::line_of(int pe, uint64_t now) {
  const Page& page = sheet_.page(pe);
  const Counts counts = count(page);
  Counts& before = before_[static_cast<size_t>(pe)];
  const double seconds = std::max(scale_.seconds(now - last_look_), 1e-9);
  const auto rate = [&](uint64_t later, uint64_t earlier) {
    return static_cast<uint64_t>(static_cast<double>(later - earlier) / seconds);
  };
  const std::string line = padded(std::to_string(pe), 5) + "  " +
                           padded(say_count(rate(counts.calls, before.calls)), 12) + "  " +
                           padded(say_bytes(rate(counts.bytes, before.bytes)), 10) + "  " +
                           padded(say_bytes(page.heap_now.get()), 10) + "  " + state_of(pe, now) + "\n";
  before = counts;
  return line;
}

std::string Top::look() {
  const Head& head = sheet_.head();
  const Moment moment = moment_now(head.source);
  scale_ = Scale(head.begin, moment);
  if (last_look_ == 0) last_look_ = head.begin.ticks;
  std::string text = "   PE       calls/s     bytes/s        heap  after " +
                     say_seconds(scale_.seconds(moment.ticks - head.begin.ticks)) + "\n";
  for (int pe = 0; pe < sheet_.pes(); ++pe) text += line_of(pe, moment.ticks);
  last_look_ = moment.ticks;
  return text;
}

}  // namespace atrium::profile
