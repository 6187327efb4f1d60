// Reads the pages while their PEs write: a line may be a moment old.
// SPDX-License-Identifier: BSD-3-Clause
#include "profile/report/top.hpp"

#include <sys/ioctl.h>

#include <algorithm>
#include <utility>

#include "atrium_words.hpp"
#include "core/number_list.hpp"
#include "interpose/site.hpp"
#include "profile/report/activity.hpp"
#include "profile/report/unfinished.hpp"
#include "profile/report/words.hpp"

namespace atrium::profile {
namespace {

// Neighbours that do the same, together.
template <class Row>
std::vector<Row> merge(const std::vector<Row>& rows) {
  std::vector<Row> merged;
  for (const Row& row : rows) {
    if (merged.empty() || merged.back().state.what != row.state.what ||
        merged.back().state.detail != row.state.detail) {
      merged.push_back(row);
      continue;
    }
    Row& group = merged.back();
    group.last = row.last;
    group.counts.calls += row.counts.calls;
    group.counts.bytes += row.counts.bytes;
    group.counts.heap += row.counts.heap;
    group.state.since = std::min(group.state.since, row.state.since);
  }
  return merged;
}

}  // namespace

Screen screen_of(int fd) {
  winsize size{};
  if (ioctl(fd, TIOCGWINSZ, &size) != 0) return {};
  return {size.ws_col, size.ws_row};
}

Top::Top(const RecordBuffer& buffer) : buffer_(buffer), before_(static_cast<size_t>(buffer.pes())) {}

Top::Counts Top::count(const Page& page) const {
  Counts counts;
  for (const CallSite& line : page.line) {
    if (line.key == 0 && line.calls.get() == 0) continue;
    counts.calls += line.calls.get();
    counts.bytes += line.bytes.get();
  }
  counts.heap = page.heap_now.get();
  return counts;
}

// The members that a collective of a team still waits for. Waits that have just begun are left out.
std::string Top::missing(const Page& page, const Thread& call) const {
  const unsigned place = arrivals_of_collective(call.place);
  if (call.kind != EventKind::collective || place >= most_teams) return {};
  const TeamArrivals& mine = page.arrivals_of[place];
  std::vector<int> late;
  for (int pe = 0; pe < buffer_.pes(); ++pe) {
    const TeamArrivals* const theirs = find_arrivals(buffer_.page(pe), mine.key);
    if (theirs ? theirs->number < mine.number : mine.size == buffer_.pes()) late.push_back(pe);
  }
  if (late.empty()) return {};
  return ", for " + format_pes(late);
}

Top::State Top::state_of(int pe) {
  const Page& page = buffer_.page(pe);
  if (page.state == 0) return {"has not called shmem_init", "", 0};
  if (page.end != 0) return {"has left shmem_finalize", "", 0};
  if (page.gone != 0) return {page.ending, "", 0};
  const Activity activity = activity_of(page);
  const uint32_t doing = activity.call ? activity.call->doing.load() : 0;  // it may have ended meanwhile
  if (doing == 0 || doing > most_lines) return {"computing", "", activity.computes_since};
  State state = state_of(page, *activity.call, doing);
  state.detail += describe_others(activity);
  return state;
}

Top::State Top::state_of(const Page& page, const Thread& call, uint32_t doing) {
  const CallSite& line = page.line[doing - 1];
  const bool names_a_pe = call.kind != EventKind::collective && call.with >= 0;
  return {places_.routine_of(page, line),
          (names_a_pe ? ", PE " + std::to_string(call.with) : missing(page, call)) + " (" +
              places_.of(page, line).text() + ")",
          call.since};
}

Top::Row Top::row_of(int pe, double seconds) {
  const Counts counts = count(buffer_.page(pe));
  const Counts before = std::exchange(before_[static_cast<size_t>(pe)], counts);
  const auto rate = [&](uint64_t later, uint64_t earlier) {
    return static_cast<uint64_t>(static_cast<double>(later - earlier) / seconds);
  };
  return {pe,
          pe,
          {rate(counts.calls, before.calls), rate(counts.bytes, before.bytes), counts.heap},
          state_of(pe)};
}

Top::Cells Top::cells_of(const Row& row, uint64_t now) const {
  const State& state = row.state;
  const std::string lasted =
      now > state.since && state.since != 0 ? " " + say_seconds(scale_.seconds(now - state.since)) : "";
  return {std::to_string(row.first) + (row.first == row.last ? "" : "-" + std::to_string(row.last)),
          with_commas(row.counts.calls), say_bytes(row.counts.bytes), say_bytes(row.counts.heap),
          state.what + lasted + state.detail};
}

std::string Top::lay_out(const std::vector<Cells>& rows, size_t columns) {
  for (const Cells& row : rows)
    for (size_t i = 0; i < widths_.size(); ++i) widths_[i] = std::max(widths_[i], row[i].size());
  std::string text;
  for (const Cells& row : rows) {
    std::string line;
    for (size_t i = 0; i < widths_.size(); ++i)
      line += std::string(widths_[i] - row[i].size(), ' ') + row[i] + "  ";
    line += row.back();
    text += (columns == 0 ? line : line.substr(0, columns - 1)) + "\n";
  }
  return text;
}

std::string Top::look(const Screen& screen) {
  const Head& head = buffer_.head();
  const Moment moment = moment_now(head.source);
  scale_ = Scale(head.begin, moment);
  const uint64_t before = std::exchange(last_look_, moment.ticks);
  const double seconds =
      std::max(scale_.seconds(moment.ticks - (before == 0 ? head.begin.ticks : before)), 1e-9);
  std::vector<Row> rows;
  for (int pe = 0; pe < buffer_.pes(); ++pe) rows.push_back(row_of(pe, seconds));
  // One is the heading's, and one the cursor's.
  const size_t room = screen.rows == 0 ? rows.size() : std::max<size_t>(screen.rows, 4) - 2;
  if (rows.size() > room) rows = merge(rows);
  const bool all = rows.size() <= room;
  if (!all) rows.resize(room - 1);
  std::vector<Cells> cells{{"PE", "calls/s", "bytes/s", "heap",
                            "after " + say_seconds(scale_.seconds(moment.ticks - head.begin.ticks))}};
  for (const Row& row : rows) cells.push_back(cells_of(row, moment.ticks));
  const int left_out = buffer_.pes() - 1 - rows.back().last;
  if (!all) cells.push_back({"", "", "", "", "and " + std::to_string(left_out) + " more PEs"});
  return lay_out(cells, screen.columns);
}

}  // namespace atrium::profile
