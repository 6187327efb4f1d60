// Puts PEs that wait at the same place on one line.
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

// What is said of one PE, said of several.
std::string in_plural(std::string text) {
  constexpr std::string_view words[][2] = {{"has ", "have "},
                                           {"process runs", "processes run"},
                                           {"process sleeps", "processes sleep"},
                                           {"process is ", "processes are "}};
  for (const auto& [one, several] : words)
    if (const size_t found = text.find(one); found != std::string::npos)
      text.replace(found, one.size(), several);
  return text;
}

class WaitReport {
 public:
  WaitReport(const std::vector<PeSample>& samples, int pes) {
    for (const PeSample& sample : samples)
      if (sample.state == PeState::absent) absent_.push_back(sample.pe);
    for (const PeSample& sample : samples) add(sample);
    std::vector<bool> answered(static_cast<size_t>(pes));
    for (const PeSample& sample : samples) answered[static_cast<size_t>(sample.pe)] = true;
    for (int pe = 0; pe < pes; ++pe)
      if (!answered[static_cast<size_t>(pe)]) unanswered_.push_back(pe);
  }

  std::string text() const {
    std::string text;
    for (const Group& group : groups_) text += line(group);
    if (!unanswered_.empty())
      text += "  " + format_pes(unanswered_) + ": no answer yet from where they run\n";
    return text;
  }

 private:
  void add(const PeSample& sample) {
    const bool stopped = sample.wait && is_stopped(sample.process);
    const std::string what = !sample.wait
                                 ? describe_unwaiting(sample)
                                 : "in " + printable(sample.wait->what) + (stopped ? ", stopped" : "");
    Group& group = group_of(what, sample, sample.wait ? sample.wait->pe : -1);
    group.pes.push_back(sample.pe);
    if (!sample.wait) return;
    group.for_all = sample.wait->for_all;
    group.shortest_s = std::min(group.shortest_s, sample.wait->seconds);
    group.longest_s = std::max(group.longest_s, sample.wait->seconds);
  }

  Group& group_of(const std::string& what, const PeSample& sample, int awaited) {
    for (Group& group : groups_)
      if (group.what == what && group.host == sample.host && group.awaited == awaited) return group;
    Group& added = groups_.emplace_back(Group{what, sample.host, {}, sample.pid});
    added.awaited = awaited;
    return added;
  }

  // Without its number, in which PEs of one group differ.
  static std::string describe_process(const PeSample& sample) {
    return std::string(process_word) + describe_state(sample.process);
  }

  std::string describe_unwaiting(const PeSample& sample) const {
    if (!sample.running) return "ended";
    switch (sample.state) {
      case PeState::absent:
        return "has not called shmem_init; " + describe_process(sample);
      case PeState::left:
        return "has left shmem_finalize; " + describe_process(sample);
      default:
        if (!absent_.empty()) return "in shmem_init, for " + format_pes(absent_);
        return "in no long wait; " + describe_process(sample);
    }
  }

  // All PEs call collectives of all PEs in the same order: a PE that is in none of them is the one that the others wait for.
  std::vector<int> missing() const {
    std::vector<int> missing;
    for (const Group& group : groups_)
      if (!group.for_all) missing.insert(missing.end(), group.pes.begin(), group.pes.end());
    std::sort(missing.begin(), missing.end());
    return missing;
  }

  // That does not wait.
  static std::string describe_group(const Group& group) {
    if (group.pes.size() > 1) return in_plural(group.what);
    std::string text = group.what;
    if (const size_t process = text.find(process_word); process != std::string::npos)
      text.insert(process + process_word.size(), std::to_string(group.pid) + " ");
    return text;
  }

  std::string line(const Group& group) const {
    std::string text = "  " + format_pes(group.pes);
    if (!group.host.empty()) text += " on " + group.host;
    const bool waits = group.shortest_s <= group.longest_s;
    if (!waits) return text + ": " + describe_group(group) + "\n";
    text += ": " + group.what;
    if (group.for_all && !missing().empty()) text += ", for " + format_pes(missing());
    if (!group.for_all && group.awaited >= 0) text += ", for " + format_pes({group.awaited});
    text += " (since " + std::to_string(group.shortest_s);
    if (group.shortest_s != group.longest_s) text += " to " + std::to_string(group.longest_s);
    return text + " s)\n";
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
  return found == placed.end() ? wait.details.text : words_with_place(wait.details.text, found->place);
}

}  // namespace

bool is_stopped(char process) { return process == 'T' || process == 't'; }

std::vector<PeSample> sample_pes(const JobSegment& segment, const Pes& pes, const Registered& registered,
                                 const std::vector<PlacedWait>& placed) {
  std::vector<PeSample> samples;
  for (int pe = 0; pe < pes.count(); ++pe) {
    if (!segment.is_here(pe)) continue;
    const bool running = pes.is_running(pe);
    const pid_t pid = registered.program(pe, pes.pid(pe));
    PeSample sample{pe, pid, running, segment.state(pe), running ? stat_of(pid).state : '?', {}, {}};
    if (const auto wait = running ? segment.wait(pe) : std::nullopt)
      sample.wait = {words_of(pe, *wait, placed), (now_ns() - wait->since_ns) / 1'000'000'000,
                     wait->details.for_all != 0, wait->details.pe};
    samples.push_back(std::move(sample));
  }
  return samples;
}

std::string describe_waits(const std::vector<PeSample>& samples, int pes) {
  return "atrium: oshrun: where the PEs are\n" + WaitReport(samples, pes).text();
}

}  // namespace atrium
