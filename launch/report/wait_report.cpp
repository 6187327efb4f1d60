// One line for all PEs of which the same is to be said.
// SPDX-License-Identifier: BSD-3-Clause
#include "launch/report/wait_report.hpp"

#include <algorithm>
#include <string_view>

#include "core/log.hpp"
#include "core/number_list.hpp"
#include "launch/process/stat.hpp"
#include "os/clock.hpp"

namespace atrium {
namespace {

constexpr std::string_view process_word = "process ";

struct Group {
  std::string what;
  std::vector<int> pes;
  uint64_t shortest_s = UINT64_MAX, longest_s = 0;  // how long they have waited
  bool for_all = false;
};

// By a signal, or by a debugger.
bool is_stopped(char state) { return state == 'T' || state == 't'; }

const char* describe_state(char state) {
  switch (state) {
    case 'R':
      return "runs";
    case 'S':
    case 'D':
      return "sleeps";
    case 'T':
    case 't':
      return "is stopped";
    default:
      return "is in an unknown state";
  }
}

class WaitReport {
 public:
  WaitReport(const JobSegment& segment, const Pes& pes, const Registered& registered)
      : segment_(segment), pes_(pes), registered_(registered) {
    for (int pe = 0; pe < pes_.count(); ++pe)
      if (segment_.state(pe) == PeState::absent) absent_.push_back(pe);
    for (int pe = 0; pe < pes_.count(); ++pe) add(pe);
  }

  std::string text() const {
    std::string text;
    for (const Group& group : groups_) text += line(group);
    return text;
  }

 private:
  void add(int pe) {
    const auto wait = pes_.is_running(pe) ? segment_.wait(pe) : std::nullopt;
    const bool stopped = wait && is_stopped(stat_of(pid(pe)).state);
    const std::string what =
        !wait ? describe_unwaiting(pe) : "in " + printable(wait->what) + (stopped ? ", stopped" : "");
    Group& group = group_of(what);
    group.pes.push_back(pe);
    if (!wait) return;
    group.for_all = wait->for_all;
    const uint64_t seconds = (now_ns() - wait->since_ns) / 1'000'000'000;
    group.shortest_s = std::min(group.shortest_s, seconds);
    group.longest_s = std::max(group.longest_s, seconds);
  }

  Group& group_of(const std::string& what) {
    const auto found =
        std::find_if(groups_.begin(), groups_.end(), [&](const Group& g) { return g.what == what; });
    return found != groups_.end() ? *found : groups_.emplace_back(Group{what, {}});
  }

  pid_t pid(int pe) const { return registered_.program(pe, pes_.pid(pe)); }

  // Without its number, in which PEs of one group differ.
  std::string describe_process(int pe) const {
    return std::string(process_word) + describe_state(stat_of(pid(pe)).state);
  }

  std::string describe_unwaiting(int pe) const {
    if (!pes_.is_running(pe)) return "ended";
    switch (segment_.state(pe)) {
      case PeState::absent:
        return "has not called shmem_init; " + describe_process(pe);
      case PeState::left:
        return "has left shmem_finalize; " + describe_process(pe);
      default:
        if (!absent_.empty()) return "in shmem_init, for " + name(absent_);
        return "tells of no long wait; " + describe_process(pe);
    }
  }

  // What all PEs take part in they do in one sequence: whoever is in none of it is the one that the others wait for.
  std::vector<int> missing() const {
    std::vector<int> missing;
    for (const Group& group : groups_)
      if (!group.for_all) missing.insert(missing.end(), group.pes.begin(), group.pes.end());
    std::sort(missing.begin(), missing.end());
    return missing;
  }

  std::string line(const Group& group) const {
    std::string text = "  " + name(group.pes) + ": " + group.what;
    const bool waits = group.shortest_s <= group.longest_s;
    const size_t process = text.find(process_word);
    if (!waits && process != std::string::npos && group.pes.size() == 1)
      text.insert(process + process_word.size(), std::to_string(pid(group.pes[0])) + " ");
    if (!waits) return text + "\n";
    if (group.for_all && !missing().empty()) text += ", for " + name(missing());
    text += " (since " + std::to_string(group.shortest_s);
    if (group.shortest_s != group.longest_s) text += " to " + std::to_string(group.longest_s);
    return text + " s)\n";
  }
  static std::string name(const std::vector<int>& pes) {
    return (pes.size() == 1 ? "PE " : "PEs ") + format_number_list(pes);
  }

  const JobSegment& segment_;
  const Pes& pes_;
  const Registered& registered_;
  std::vector<int> absent_;  // have not called shmem_init, which waits for all
  std::vector<Group> groups_;
};

}  // namespace

std::string describe_waits(const JobSegment& segment, const Pes& pes, const Registered& registered) {
  return "atrium: oshrun: where the PEs are\n" + WaitReport(segment, pes, registered).text();
}

}  // namespace atrium
