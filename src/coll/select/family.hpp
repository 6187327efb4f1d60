// A family of algorithms for one collective, and the choice among them.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "coll/select/algorithm.hpp"
#include "core/result.hpp"
#include "core/settings.hpp"
#include "team/domains.hpp"
#include "team/nodes.hpp"

namespace atrium {

// What may be true of a job; the same on every PE (set_up_collectives), because members must choose alike.
enum JobTrait : uint64_t {
  oversubscribed = 1,   // more PEs than CPUs
  threaded = 2,         // several threads of a PE may communicate at the same time
  many_nodes = 4,       // its PEs are on more than one node
  costly_messages = 8,  // each message between nodes costs a CPU a microsecond or more (EngineTraits)
};
namespace detail {
inline uint64_t job_traits = 0;
}
// Any of these.
inline bool job_is(uint64_t traits) { return detail::job_traits & traits; }
inline bool is_oversubscribed() { return job_is(oversubscribed); }

// PEs with CPUs of their own combine and copy for their leaders where each of these would have much to read: that takes two more
// syncs of the node (docs/measurements/collectives.md, Between nodes). `bytes` of each member.
inline bool all_work(int members, int leaders, size_t bytes) {
  constexpr size_t much = size_t{32} << 10;
  const auto each = static_cast<size_t>(members), heads = static_cast<size_t>(leaders);
  return members > leaders && bytes >= much * heads / each && !is_oversubscribed();
}

// PE 0 notes that a forced algorithm cannot run, why, and what runs instead.
[[gnu::cold]] void note_other_algorithm(const char* variable, const char* forced, const char* because,
                                        const std::string& instead);

// `names`: of those that there are.
[[gnu::cold]] Error no_such_algorithm(const std::string& variable, std::string_view name,
                                      std::string_view names);

template <CollectiveFamily kind, class Run>
class Family {
 public:
  using List = std::span<const Algorithm<Run>* const>;
  using Rules = std::span<const Rule<Run>>;

  // `rules` are for teams on one node, `across` for those that span nodes. Requires of both: the last rule holds
  // always, for an algorithm without limits; those across name none for one node only.
  constexpr Family(const char* variable, List list, Rules rules, Rules across)
      : variable_(variable), list_(list), rules_(rules), across_(across) {}

  // A forced algorithm runs wherever it can; elsewhere the rules decide. Programs repeat themselves: the team
  // remembers the last answer, because going through the rules takes longer than two stores of a small collective.
  const Algorithm<Run>& choose(const Team& team, size_t bytes) const {
    TeamChoice& last = team.choices[static_cast<int>(kind)];
    if (__builtin_expect(last.bytes != bytes || last.stamp != stamp_, 0))
      last = {stamp_, bytes, &decide(team, bytes)};
    return *static_cast<const Algorithm<Run>*>(last.algorithm);
  }

  // Reads the family's variable. "auto" leaves the choice to the rules.
  Result<void> force_from_settings() { return force(setting(variable_)); }

  Result<void> force(std::string_view name) {
    forced_ = nullptr;
    ++stamp_;
    if (name == "auto") return {};
    name = present_name(name);
    for (const Algorithm<Run>* algorithm : list_) {
      if (name == algorithm->name) forced_ = algorithm;
    }
    if (!forced_) return unknown(name);
    return {};
  }

  // What is forced cannot run in this team: said, once.
  void note_where_forced_cannot_run(const Team& team) const {
    if (forced_ && !forced_->can(team, 0))
      note_other_algorithm(variable_, forced_->name, "it is not made for all PEs of this job",
                           "the rules choose");
  }

  // Where an algorithm finds out that another one has to run: that one. Said once where the first one is forced.
  const Algorithm<Run>& hand_over(const Algorithm<Run>& from, const Algorithm<Run>& to,
                                  const char* because) const {
    if (forced_ == &from && !std::exchange(is_reported_, true))
      note_other_algorithm(variable_, from.name, because, std::string(to.name) + " runs instead");
    return to;
  }

  // It runs wherever it can, also where it is not worth it.
  bool is_forced(const Algorithm<Run>& algorithm) const { return forced_ == &algorithm; }

  List list() const { return list_; }
  const char* variable() const { return variable_; }

 private:
  [[gnu::noinline]] const Algorithm<Run>& decide(const Team& team, size_t bytes) const {
    if (forced_ && forced_->can(team, bytes)) return *forced_;
    for (const Rule<Run>& rule : team.spans_nodes ? across_ : rules_) {
      if (holds(rule, team, bytes)) return *rule.algorithm;
    }
    __builtin_unreachable();
  }
  static bool is_so(When when, const Team& team) {
    switch (when.fact) {
      case When::Fact::oversubscribed:
        return is_oversubscribed();
      case When::Fact::spread:
        return spans_domains(team);
      case When::Fact::nodes:
        return team.nodes->count() > when.nodes;
      default:
        return true;
    }
  }
  static bool holds(const Rule<Run>& rule, const Team& team, size_t bytes) {
    return team.size <= rule.members && bytes <= rule.bytes &&
           bytes <= rule.when.most_in_total / static_cast<size_t>(team.size) && is_so(rule.when, team) &&
           std::all_of(rule.when.tests, rule.when.tests + rule.when.test_count,
                       [&](NodesTest* test) { return test(*team.nodes, bytes); }) &&
           rule.algorithm->fits(team, bytes);
  }

  // What eager algorithms were called before the library had the field's words for them.
  static std::string_view present_name(std::string_view name) {
    if (name == "letter") return "eager";
    return name == "mail" ? "eager_exchange" : name;
  }

  Error unknown(std::string_view name) const {
    std::string names = "auto";
    for (const Algorithm<Run>* algorithm : list_) names.append(", ").append(algorithm->name);
    return no_such_algorithm(variable_, name, names);
  }

  const char* variable_;
  List list_;
  Rules rules_, across_;
  const Algorithm<Run>* forced_ = nullptr;
  uint64_t stamp_ = 1;  // grows when the answers may change
  mutable bool is_reported_ = false;
};

}  // namespace atrium
