// Which way every call on a communicator goes: a state machine that takes what has happened and answers what to do
// next.
// SPDX-License-Identifier: BSD-3-Clause
//
// It calls no MPI, touches no shared memory and reads time by a function that it is given; exchange/run.cpp carries its
// steps out, and tests drive it through histories that no machine would make.
// Invariant: ranks with the same inputs take the same steps. Every input is the same on all ranks, the
// times of a trial once they are agreed on; only sends_data() between nodes is each node's own.
//
//   step         what happened                                    next step
//   ---------------------------------------------------------------------------------------------------------------
//   equal blocks
//   (begin)      their class goes the MPI's way                   call_mpi
//                their class goes our way                         grow
//   grow         there is enough memory                           exchange
//                there is not                                     call_mpi, from now on for this class
//   exchange     go                                               (end)
//                fallback                                         call_mpi: counts and is timed as ours; reads no more
//
//   blocks of different sizes
//   (begin)      one of the first calls, while times decide       call_mpi
//                else                                             find_nodes
//   find_nodes   none, no memory                                  call_mpi
//                the last class is in a burst of the MPI's        call_mpi, then ask
//                one node, else                                   exchange, with data if the last class goes our way
//                several, else                                    exchange, each node with data if it expects our way
//   ask                                                           (end)
//
//   ... on one node
//   exchange     fallback                                         call_mpi, from now on for this class
//                the class goes the MPI's way                     call_mpi
//                go, with data                                    take
//                go without data, too_small                       grow; once more, as without memory
//   grow         there is enough memory                           exchange, with data
//                there is not                                     call_mpi, from now on for this class
//   take         go                                               (end)
//                fallback                                         call_mpi: counts and is timed as ours; reads no more
//
//   ... between nodes
//   exchange     go, truncated                                    (end): the data has been taken
//                no_data, too_small; the class goes our way       grow; once more, as without memory
//                no_data, too_small; it goes the MPI's way        call_mpi
//                fallback                                         call_mpi, from now on for this class
//   grow         there is enough memory                           exchange, all with data
//                there is not                                     call_mpi, from now on for this class
//
//   (end)        a trial is complete                              agree
//                else                                             done
//   agree        on times, or there is no memory for it           done
//
// On one node a call that goes our way may be copied twice, through the node's memory, or read where the sender has it:
// chooses_to_read(). The two are compared as the ways are, by records of their own; the cost of our way is what both have
// cost, of which only the cheapest bursts count.
//
// What others have learned on communicators of the same shape comes in once, when the nodes are known: inherit().
//
// A communicator's first calls go the MPI's way, untimed, since many are called a few times and freed: leave_first_calls().
//
// Back-off: to learn how large a call is takes messages between nodes, and on one node a meeting of all ranks, which costs as
// much as a small call where ranks share CPUs. Ranks that have gone the MPI's way in four calls do so in the next 4 without it,
// then, after one call with it each time, in the next 8, 16, 32 and 64; any other answer begins this anew. Such a call has no steps:
// leaves_varying_to_mpi().
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "choice/call_header.hpp"
#include "choice/call_kind.hpp"
#include "choice/choice.hpp"
#include "choice/experience.hpp"
#include "choice/records.hpp"

namespace atrium::mpi {

// For a kind of calls: measure, ours wherever it can, or ours up to a limit of bytes per pair.
struct ChoiceRule {
  bool always = false;
  std::size_t limit = 0;           // 0: none
  std::uint64_t first_by_mpi = 0;  // calls of a class, below the limit: who makes few does not pay for memory

  bool measures() const { return !always && !limit; }
  // Nobody has asked for our way from the first call on.
  bool is_patient() const { return measures() || first_by_mpi > 0; }
};

enum class NextStep {
  call_mpi,    // the MPI's own routine: called_mpi()
  find_nodes,  // and memory of any size on them: found_nodes()
  grow,        // memory for this call: grown()
  exchange,    // ours, as far as sends_data() says: exchanged()
  take,        // what the others have put down, on one node: taken()
  ask,         // how large the call was, between nodes, by an exchange without data: asked()
  agree,       // on the times of the slowest rank: agreed(), or agreed_on_nothing() where there is no memory
  done,
};

// Bytes that cost about as much as a small call: so many make a call count as one more of the first ones.
inline constexpr std::size_t bytes_per_first_call = 2 << 10;
inline constexpr std::size_t most_first_calls = 64;

class Chooser {
 public:
  using Clock = std::int64_t (*)();

  Chooser(ChoiceRule rule, Clock now_ns) : now_ns_(now_ns) { rules_.fill(rule); }
  void set_rule(CallKind kind, ChoiceRule rule) { rules_[kind] = rule; }
  bool measures(CallKind kind) const { return rules_[kind].measures(); }
  bool measures_any() const;

  // So many calls go the MPI's way before any is tried or goes ours by a rule that is patient; a large one counts as several.
  // What the nodes then cost is little beside them. They are listed, and recorded when it matters.
  void leave_first_calls(std::size_t calls) { first_calls_left_ = std::min(calls, most_first_calls); }
  bool has_first_calls_left() const { return first_calls_left_ > 0; }

  // A call that is certain to go the MPI's way, and that nobody times: it is counted, and the MPI's routine is all that is left to
  // do. False: the call begins as below.
  bool leaves_to_mpi(std::size_t bytes, std::size_t total, CallKind kind);
  bool leaves_varying_to_mpi(std::size_t total) {
    return is_first_call(different_blocks, any_size, 0, total) || (unasked_calls_ > 0 && backs_off(total));
  }

  // A call begins. `bytes`: of each block, which all ranks know; `total`: what this rank sends.
  NextStep begin_uniform(std::size_t bytes, std::size_t total, CallKind kind = equal_blocks);
  NextStep begin_varying(std::size_t total);

  NextStep found_nodes(bool found, bool on_one_node);
  NextStep grown(bool is_enough);
  NextStep exchanged(const CallHeader& strongest);
  NextStep taken(CallVerdict verdict);
  NextStep asked(const CallHeader& strongest);
  NextStep called_mpi();
  // `elsewhere`: who on other communicators of this shape has found which way to be the cheaper one, all ranks together.
  NextStep agreed(const Bursts& slowest, const Findings& elsewhere);
  NextStep agreed_on_nothing();

  // For an exchange of blocks of different sizes: is data sent, where `widest` is the largest rank's bytes per pair as
  // far as this node knows (of no meaning on one node)?
  bool sends_data(std::size_t widest) const;
  std::uint64_t need() const { return call_.need; }  // for grow, of blocks of different sizes
  const Bursts& measured() const { return call_.agreeing->choice.measured(); }  // for agree

  // A call goes our way on one node, and its data could be read where the sender has it. Is it? To be asked before
  // memory is looked for and before data is put down; all ranks ask, or none.
  bool chooses_to_read();
  // There cannot be enough memory to copy it.
  void has_to_read();
  bool reads() const { return call_.reads; }

  // What ranks have learned on communicators of this shape, all of them together; where the two ways cost the same, calls
  // go the preferred one. Called once, when the nodes are known. What is inherited is tried before long.
  void inherit(const Experience& others, Way preferred);
  // What has been learned here.
  const Experience& experience() const { return learned_; }
  Findings findings(const Experience& known) const;  // about the call that is agreed on

  // Calls f(routine's name, class, record) for every class that was met; the same ones on all ranks.
  template <class F>
  void for_each_record(F f) const;
  // The first calls become records, too; to be asked for before records are read.
  void record_first_calls();

 private:
  struct FirstCall {
    std::uint64_t kind : 8, size_class : 8, total : 48;
  };
  using FirstCalls = std::array<FirstCall, most_first_calls>;
  enum class Stage { uniform, uncounted, on_node, between_nodes };
  enum class Data { none, if_expected, all };
  struct Call {
    Stage stage = Stage::uniform;
    Way way = Way::mpi;  // that it is counted under
    Data data = Data::none;
    bool asks = false;  // after the MPI's routine
    bool has_grown = false;
    bool reads = false;
    ChoiceRecord* record = nullptr;
    ChoiceRecord* reading = nullptr;   // whether it reads, if that is compared
    ChoiceRecord* agreeing = nullptr;  // which of the two the ranks agree on
    int size_class = any_size;
    std::size_t total = 0;
    std::uint64_t need = 0;
    std::int64_t begin_ns = 0, since_ns = 0;  // 0: nobody wants to know
    double took_ns = 0;
  };

  ChoiceRecord& record(CallKind kind, int size_class);
  ChoiceRecord& varying(int size_class) { return record(different_blocks, size_class); }
  const ChoiceRecord* known_varying(int size_class) const {
    return records_.find(different_blocks, size_class);
  }
  const ChoiceRule& rule_of_varying() const { return rules_[different_blocks]; }
  Way preferred_for(CallKind kind, int size_class) const;
  ChoiceRecord& reading_record();
  bool wants_times() const;
  Way way_of(const ChoiceRecord& record, std::size_t bytes) const;
  bool is_settled(const ChoiceRecord& record) const;
  bool expects_own_way(std::size_t widest) const;
  bool is_first_call(CallKind kind, int size_class, std::size_t bytes, std::size_t total);
  bool backs_off(std::size_t total);
  static void count_left(ChoiceRecord& record, std::size_t total);
  bool asks_afterwards() const;
  std::int64_t start_time(const ChoiceRecord& record) const;
  void meet_class(const CallHeader& strongest);
  NextStep begin_on_node();
  NextStep begin_between_nodes();
  NextStep exchanged_on_node(const CallHeader& strongest);
  NextStep exchanged_between_nodes(const CallHeader& strongest);
  NextStep grow();
  NextStep leave_to_mpi();
  NextStep give_up();
  void note_answer(Way way);
  void stop_clock();
  void count(ChoiceRecord& record, Way way);
  NextStep end();
  NextStep next_agreement();

  std::array<ChoiceRule, call_kinds> rules_;
  Clock now_ns_;
  Call call_;
  std::size_t first_calls_left_ = 0, first_calls_listed_ = 0;
  std::unique_ptr<FirstCalls> first_calls_;  // null: none is listed
  int last_varying_class_ = 0;
  int unasked_calls_ = 0;  // so many go the MPI's way without a question of how large they are
  int mpi_calls_ = 0;      // that have gone the MPI's way one after the other, and were asked for
  ChoiceRecords records_;
  Way preferred_ = Way::mpi;
  bool cannot_read_ = false;  // it was tried, and failed
  Experience inherited_, learned_;
};

inline bool Chooser::is_first_call(CallKind kind, int size_class, std::size_t bytes, std::size_t total) {
  if (first_calls_left_ == 0 || !rules_[kind].is_patient()) return false;
  first_calls_left_ -= std::min(first_calls_left_, 1 + bytes / bytes_per_first_call);
  if (!first_calls_) first_calls_ = std::make_unique_for_overwrite<FirstCalls>();
  (*first_calls_)[first_calls_listed_++] = {static_cast<std::uint64_t>(kind),
                                            static_cast<std::uint64_t>(size_class), total};
  return true;
}

inline bool Chooser::leaves_to_mpi(std::size_t bytes, std::size_t total, CallKind kind) {
  const int size = size_class(bytes);
  if (is_first_call(kind, size, bytes, total)) return true;
  ChoiceRecord* met = records_.find(kind, size);
  if (!met || !rules_[kind].measures() || !met->choice.holds(Way::mpi)) return false;
  met->choice.took(0);
  count_left(*met, total);
  return true;
}

inline void Chooser::count_left(ChoiceRecord& record, std::size_t total) {
  ++record.tally.calls;
  record.tally.bytes += total;
}

// The call is counted as one of the last class that was asked for.
inline bool Chooser::backs_off(std::size_t total) {
  ChoiceRecord* last = records_.find(different_blocks, last_varying_class_);
  if (!last || !is_settled(*last)) return false;
  --unasked_calls_;
  if (rule_of_varying().measures() && last->choice.next() == Way::mpi) last->choice.took(0);
  count_left(*last, total);
  return true;
}

template <class F>
void Chooser::for_each_record(F f) const {
  for (const auto& record : records_) f(names_of_kinds[record->kind], record->size_class, *record);
}

}  // namespace atrium::mpi
