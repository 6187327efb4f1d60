// Puts PEs that wait for the same thing on one line, and explains the deadlock.
// SPDX-License-Identifier: BSD-3-Clause
#include "launch/report/deadlock.hpp"

#include <algorithm>
#include <string_view>
#include <vector>

#include "core/log.hpp"
#include "core/number_list.hpp"
#include "launch/report/wait_graph.hpp"

namespace atrium {
namespace {

std::string as_number(const WaitDetails& wait, uint64_t value) {
  switch (wait.width) {
    case 2:
      return std::to_string(static_cast<int16_t>(value));
    case 4:
      return std::to_string(static_cast<int32_t>(value));
    default:
      return std::to_string(static_cast<int64_t>(value));
  }
}

const char* word_for(WaitKind kind) {
  switch (kind) {
    case WaitKind::barrier:
    case WaitKind::collective:
      return "a barrier or another collective";
    case WaitKind::lock:
      return "a wait for a lock";
    default:
      return "a wait";
  }
}

// Named is what would be given beside the checks that are on.
std::string what_becomes(const Checks& checks, bool ends) {
  if (ends) return "the job is ended, with status " + std::to_string(status_deadlock);
  const std::string others = checks.strict ? "=strict,deadlock" : checks.races ? "=races,deadlock" : "";
  return "the job goes on waiting; oshrun --check" + others + " ends such a job";
}

class DeadlockReport {
 public:
  DeadlockReport(const Judgement& judgement, const std::vector<PlacedWait>& placed, const Options& options)
      : pes_(static_cast<size_t>(options.pes)),
        calls_are_compared_(options.checks.arguments),
        is_hint_(!judgement.is_deadlock),
        waits_(judgement.waits) {
    for (const PlacedWait& wait : placed) {
      places_.emplace(wait.pe, wait.place);
      hosts_.emplace(wait.pe, wait.host);
    }
    teams_differ_ = do_teams_differ();
    for (const auto& [pe, wait] : waits_) add(pe);
  }

  std::string text(const std::string& what_becomes) const {
    std::string text = headline();
    size_t width = 0;
    for (const Group& group : groups_) width = std::max(width, head(group).size());
    for (const Group& group : groups_)
      text += line(head(group), verb(group) + group.what, width) + line("", group.whom, width);
    if (const auto cycle = find_cycle(waits_); !cycle.empty())
      text += line("cycle", describe_cycle(cycle), width);
    if (const std::string why = explain(); !why.empty()) text += line("why", why, width);
    if (is_hint_) return text + line("", "if nobody stops testing, that is a deadlock", width);
    text += line("try", advise(), width);
    return text + line("", what_becomes, width);
  }

 private:
  struct Group {
    std::string what, whom, host;
    std::vector<int> pes;
  };

  static std::string head(const Group& group) {
    return format_pes(group.pes) + (group.host.empty() ? "" : " on " + group.host);
  }

  std::string verb(const Group& group) const {
    const std::string verb = waits_.at(group.pes[0]).polls ? "test" : "wait";
    return verb + (group.pes.size() == 1 ? "s in " : " in ");
  }

  void add(int pe) {
    const std::string what = describe_wait(pe), whom = describe_whom(pe), host = hosts_.at(pe);
    const auto found = std::find_if(groups_.begin(), groups_.end(), [&](const Group& group) {
      return group.what == what && group.whom == whom && group.host == host;
    });
    Group& group = found != groups_.end() ? *found : groups_.emplace_back(Group{what, whom, host, {}});
    group.pes.push_back(pe);
  }

  std::string headline() const {
    if (is_hint_)
      return "atrium: hint: for a while no PE has done anything but wait, or test without success\n";
    const bool is_one = waits_.size() == 1, some_ended = waits_.size() < pes_;
    const std::string who = !is_one      ? "all " + std::to_string(waits_.size()) + " PEs"
                            : some_ended ? "the only PE"
                                         : "the only PE there is";
    return "atrium: deadlock: " + who +
           (!some_ended ? ""
            : is_one    ? " that has not ended"
                        : " that have not ended") +
           (is_one ? " waits" : " wait") +
           (calls_differ() ? ", since the PEs do not make the same collective calls\n"
            : is_one       ? ", and nobody can end that\n"
                           : ", and nobody else can end that\n");
  }

  // Nobody is waited for but members of teams, in their collectives: had all made the same calls in the same order, one of them could
  // go on. (A PE alone in its job waits for itself: that is our mistake.)
  bool calls_differ() const {
    return pes_ > 1 && std::all_of(waits_.begin(), waits_.end(),
                                   [](const auto& each) { return is_collective(each.second); });
  }

  static std::string line(const std::string& head, const std::string& text, size_t width) {
    if (text.empty()) return {};
    std::string padded = head;
    padded.resize(std::max({width, head.size(), size_t{5}}), ' ');
    return "  " + padded + "  " + printable(text) + "\n";
  }

  bool do_teams_differ() const {
    const PublishedWait* first = nullptr;
    for (const auto& [pe, wait] : waits_) {
      if (!is_collective(wait)) continue;
      if (first && !may_be_same_team(*first, wait)) return true;
      first = &wait;
    }
    return false;
  }

  std::string describe_call(int pe) const {
    const PublishedWait& wait = waits_.at(pe);
    const WaitPlace& place = places_.at(pe);
    std::string text = !place.routine.empty() ? place.routine
                       : wait.polls           ? "a loop"
                                              : word_for(kind_of(wait));
    if (is_collective(wait)) text += describe_team(wait);
    if (!place.place.empty()) text += " (" + place.place + ")";
    return text;
  }

  // Only where there is more than one to choose from.
  std::string describe_team(const PublishedWait& wait) const {
    const WaitDetails& details = wait.details;
    if (details.team_first < 0 || (details.for_all && !teams_differ_)) return {};
    if (details.team_name[0] != '\0') return std::string(" of ") + details.team_name;
    if (details.members[0] == '\0') return " of a team";
    const std::string members(details.members);
    const bool one = members.find_first_of(",-") == std::string::npos;
    return (one ? " of the team of PE " : " of a team of PEs ") + members;
  }

  std::string describe_wait(int pe) const {
    const PublishedWait& wait = waits_.at(pe);
    std::string text = describe_call(pe);
    if (wait.waiting > 1)
      text += ", and so " + std::string(wait.waiting == 2 ? "does" : "do") + " " +
              std::to_string(wait.waiting - 1) + " more of its threads";
    return text;
  }

  std::string describe_whom(int pe) const {
    const PublishedWait& wait = waits_.at(pe);
    const std::vector<int> whom = whom_it_waits_for(waits_, pe);
    if (wait.polls) return {};
    if (wait.details.width > 0) return describe_word(pe) + ", which " + setter_of(pe) + " would set";
    if (kind_of(wait) == WaitKind::lock)
      return whom.empty() ? "" : "for the lock that " + describe_holder(pe, whom[0]);
    if (!whom.empty() && is_collective(wait)) return "for " + format_pes(whom) + describe_ended(whom);
    return is_collective(wait) ? "for other members of the team, which are in another collective of it"
                               : "for a value that " + setter_of(pe) + " would set";
  }

  static std::string describe_holder(int pe, int before) {
    return before == pe ? "it has set before"
                        : "PE " + std::to_string(before) + " holds, or waits for in front of it";
  }

  std::string describe_word(int pe) const {
    const PublishedWait& wait = waits_.at(pe);
    const WaitDetails& details = wait.details;
    const WaitPlace& place = places_.at(pe);
    const std::string word = !place.variable.empty() ? place.variable + " of its own"
                             : !place.block.empty()  ? place.block
                                                     : "a word of its own";
    return "for " + word + " to be " + details.comparison + " " + as_number(details, details.wanted) +
           " (it is " + as_number(details, wait.seen) + ")";
  }

  std::string setter_of(int pe) const {
    std::vector<int> others;
    for (const auto& [other, wait] : waits_)
      if (other != pe) others.push_back(other);
    if (others.empty()) return "nobody who is left";
    return others.size() == 1 ? format_pes(others) : "another PE";
  }

  std::string describe_ended(const std::vector<int>& whom) const {
    const bool all = std::none_of(whom.begin(), whom.end(), [&](int pe) { return waits_.contains(pe); });
    return !all ? "" : whom.size() == 1 ? ", which has ended" : ", which have ended";
  }

  static std::string describe_cycle(const std::vector<int>& cycle) {
    std::string text;
    for (const int pe : cycle) text += "PE " + std::to_string(pe) + " -> ";
    return text + "PE " + std::to_string(cycle.front());
  }

  // Two PEs in collectives that are not the same: of different teams, or different routines of one.
  const PublishedWait* other_collective(const std::string*& routine_of_other) const {
    const PublishedWait* first = nullptr;
    const std::string* routine = nullptr;
    for (const auto& [pe, wait] : waits_) {
      if (!is_collective(wait)) continue;
      routine_of_other = &places_.at(pe).routine;
      const bool may_be_same = first && may_be_same_team(*first, wait);
      if (first && (!may_be_same || *routine != *routine_of_other)) return &wait;
      first = first ? first : &wait;
      routine = routine ? routine : routine_of_other;
    }
    return nullptr;
  }

  std::string explain() const {
    const std::string* routine = nullptr;
    if (!calls_differ() && other_collective(routine))
      return "PEs that share a team have come to different collectives";
    for (const auto& [pe, wait] : waits_)
      if (std::string_view(wait.details.comparison) == "==" && wait.details.width > 0 &&
          static_cast<int64_t>(wait.seen) > static_cast<int64_t>(wait.details.wanted))
        return "the word of PE " + std::to_string(pe) + " has passed the value that is waited for";
    return {};
  }

  // It waits in a collective and holds the lock that another PE waits for; null if there is none.
  const WaitPlace* holder_in_collective() const {
    for (const auto& [pe, wait] : waits_) {
      if (kind_of(wait) != WaitKind::lock) continue;
      const auto holder = waits_.find(wait.details.pe);
      if (holder != waits_.end() && is_collective(holder->second)) return &places_.at(holder->first);
    }
    return nullptr;
  }

  std::string advise() const {
    const std::string* routine = nullptr;
    if (calls_differ() || other_collective(routine))
      return "the same collectives in the same order on all members of each team" +
             std::string(calls_are_compared_ ? "" : "; oshrun --check names the first that differs");
    if (const WaitPlace* const holder = holder_in_collective())
      return "shmem_clear_lock before " + (holder->routine.empty() ? "the collective call" : holder->routine);
    bool locks = true;
    for (const auto& [pe, wait] : waits_) {
      locks = locks && kind_of(wait) == WaitKind::lock;
      if (wait.details.pe == pe || places_.at(pe).routine == "shmem_clear_lock")
        return "one shmem_clear_lock for each shmem_set_lock, on the same PE";
    }
    if (locks) return "setting locks in the same order on all PEs";
    if (!explain().empty())
      return "SHMEM_CMP_GE instead of SHMEM_CMP_EQ, or setting the word once for each wait";
    return "a look at what the PE that is waited for should have done before it came to its own wait";
  }

  const size_t pes_;
  const bool calls_are_compared_, is_hint_;
  const WaitsOfPes& waits_;
  std::map<int, WaitPlace> places_;
  std::map<int, std::string> hosts_;
  std::vector<Group> groups_;
  bool teams_differ_ = false;
};

}  // namespace

bool add_details(Judgement& judgement, const std::vector<PlacedWait>& placed) {
  size_t found = 0;
  for (const PlacedWait& place : placed) {
    const auto wait = judgement.waits.find(place.pe);
    if (wait == judgement.waits.end() || wait->second.since_ns != place.since_ns) return false;
    wait->second.details = place.details;
    ++found;
  }
  return found == judgement.waits.size();
}

std::string describe_judgement(const Judgement& judgement, const std::vector<PlacedWait>& placed,
                               const Options& options, bool ends) {
  return DeadlockReport(judgement, placed, options).text(what_becomes(options.checks, ends));
}

}  // namespace atrium
