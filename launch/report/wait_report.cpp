// One line for all PEs of which the same is to be said.
// SPDX-License-Identifier: BSD-3-Clause
#include "launch/report/wait_report.hpp"

#include <algorithm>
#include <string_view>

#include "core/log.hpp"
#include "core/number_list.hpp"
#include "os/clock.hpp"
#include "os/process_stat.hpp"

namespace atrium {
namespace {

constexpr std::string_view process_word = "process ";

struct Group {
  std::string what, host;
  std::vector<int> pes;
  pid_t pid;                                        // of the first
  uint64_t shortest_s = UINT64_MAX, longest_s = 0;  // how long they have waited
  bool for_all = false;
  int awaited = -1;  // the PE that alone can end it
};

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
  WaitReport(const std::vector<PeLook>& looks, int pes) {
    for (const PeLook& look : looks)
      if (look.state == PeState::absent) absent_.push_back(look.pe);
    for (const PeLook& look : looks) add(look);
    std::vector<bool> answered(static_cast<size_t>(pes));
    for (const PeLook& look : looks) answered[static_cast<size_t>(look.pe)] = true;
    for (int pe = 0; pe < pes; ++pe)
      if (!answered[static_cast<size_t>(pe)]) unanswered_.push_back(pe);
  }

  std::string text() const {
    std::string text;
    for (const Group& group : groups_) text += line(group);
    if (!unanswered_.empty()) text += "  " + name(unanswered_) + ": no answer yet from where they run\n";
    return text;
  }

 private:
  void add(const PeLook& look) {
    const bool stopped = look.wait && is_stopped(look.process);
    const std::string what = !look.wait ? describe_unwaiting(look)
                                        : "in " + printable(look.wait->what) + (stopped ? ", stopped" : "");
    Group& group = group_of(what, look, look.wait ? look.wait->pe : -1);
    group.pes.push_back(look.pe);
    if (!look.wait) return;
    group.for_all = look.wait->for_all;
    group.shortest_s = std::min(group.shortest_s, look.wait->seconds);
    group.longest_s = std::max(group.longest_s, look.wait->seconds);
  }

  Group& group_of(const std::string& what, const PeLook& look, int awaited) {
    for (Group& group : groups_)
      if (group.what == what && group.host == look.host && group.awaited == awaited) return group;
    Group& added = groups_.emplace_back(Group{what, look.host, {}, look.pid});
    added.awaited = awaited;
    return added;
  }

  // Without its number, in which PEs of one group differ.
  static std::string describe_process(const PeLook& look) {
    return std::string(process_word) + describe_state(look.process);
  }

  std::string describe_unwaiting(const PeLook& look) const {
    if (!look.running) return "ended";
    switch (look.state) {
      case PeState::absent:
        return "has not called shmem_init; " + describe_process(look);
      case PeState::left:
        return "has left shmem_finalize; " + describe_process(look);
      default:
        if (!absent_.empty()) return "in shmem_init, for " + name(absent_);
        return "tells of no long wait; " + describe_process(look);
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
    std::string text = "  " + name(group.pes);
    if (!group.host.empty()) text += " on " + group.host;
    text += ": " + group.what;
    const bool waits = group.shortest_s <= group.longest_s;
    const size_t process = text.find(process_word);
    if (!waits && process != std::string::npos && group.pes.size() == 1)
      text.insert(process + process_word.size(), std::to_string(group.pid) + " ");
    if (!waits) return text + "\n";
    if (group.for_all && !missing().empty()) text += ", for " + name(missing());
    if (!group.for_all && group.awaited >= 0) text += ", for " + name({group.awaited});
    text += " (since " + std::to_string(group.shortest_s);
    if (group.shortest_s != group.longest_s) text += " to " + std::to_string(group.longest_s);
    return text + " s)\n";
  }
  static std::string name(const std::vector<int>& pes) {
    return (pes.size() == 1 ? "PE " : "PEs ") + format_number_list(pes);
  }

  std::vector<int> unanswered_;
  std::vector<int> absent_;  // have not called shmem_init, which waits for all
  std::vector<Group> groups_;
};

// A PE may be in another wait by now.
std::string words_of(int pe, const PublishedWait& wait, const std::vector<PlacedWait>& placed) {
  const auto found = std::find_if(placed.begin(), placed.end(), [&](const PlacedWait& one) {
    return one.pe == pe && one.since_ns == wait.since_ns;
  });
  return found == placed.end() ? wait.details.text : words_with_line(wait.details.text, found->place);
}

}  // namespace

bool is_stopped(char process) { return process == 'T' || process == 't'; }

std::vector<PeLook> look_at_pes(const JobSegment& segment, const Pes& pes, const Registered& registered,
                                const std::vector<PlacedWait>& placed) {
  std::vector<PeLook> looks;
  for (int pe = 0; pe < pes.count(); ++pe) {
    if (!segment.is_here(pe)) continue;
    const bool running = pes.is_running(pe);
    const pid_t pid = registered.program(pe, pes.pid(pe));
    PeLook look{pe, pid, running, segment.state(pe), running ? stat_of(pid).state : '?', {}, {}};
    if (const auto wait = running ? segment.wait(pe) : std::nullopt)
      look.wait = {words_of(pe, *wait, placed), (now_ns() - wait->since_ns) / 1'000'000'000,
                   wait->details.for_all != 0, wait->details.pe};
    looks.push_back(std::move(look));
  }
  return looks;
}

std::string describe_waits(const std::vector<PeLook>& looks, int pes) {
  return "atrium: oshrun: where the PEs are\n" + WaitReport(looks, pes).text();
}

}  // namespace atrium
