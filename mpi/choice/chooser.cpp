// The steps of a call, and the back-off between nodes.
// SPDX-License-Identifier: BSD-3-Clause
#include "choice/chooser.hpp"

#include <algorithm>
#include <utility>

namespace atrium::mpi {
namespace {

// Calls with counts per rank that go the MPI's way before nodes are looked for: who makes a communicator for one
// exchange does not pay for more.
constexpr std::uint64_t varying_calls_before_nodes = 4;
constexpr int largest_class_preferred = 16;  // 64 KiB
// Whether blocks are read is not even tried below: to wait until the others have read costs as much as to copy some KiB.
// From the other size on a copy less is worth more than what the kernel does for a read.
constexpr int smallest_class_read = 13,
              smallest_class_preferred_read = 16;  // more than 4 KiB, more than 32 KiB
// Of the back-off: its calls at first, and how often they are doubled.
constexpr int first_back_off = 4;
constexpr int doublings = 4;

}  // namespace

bool Chooser::measures_any() const {
  return std::ranges::any_of(rules_, [](const ChoiceRule& rule) { return rule.measures(); });
}

Way Chooser::way_of(const ChoiceRecord& record, std::size_t bytes) const {
  const ChoiceRule& rule = rules_[record.kind];
  if (rule.always) return Way::own;
  if (rule.measures()) return record.choice.next();
  return bytes <= rule.limit && record.tally.calls >= rule.first_by_mpi ? Way::own : Way::mpi;
}

bool Chooser::is_settled(const ChoiceRecord& record) const {
  return !rules_[record.kind].measures() || !record.choice.in_trial();
}

std::int64_t Chooser::start_time(const ChoiceRecord& record) const {
  return is_settled(record) ? 0 : now_ns_();
}

bool Chooser::wants_times() const {
  return !is_settled(*call_.record) || (call_.reading && !is_settled(*call_.reading));
}

// ---- What is known before ----

// A class that is met for the first time begins with what is known of it, here or elsewhere.
ChoiceRecord& Chooser::record(CallKind kind, int size_class) {
  if (ChoiceRecord* met = records_.find(kind, size_class)) return *met;
  ChoiceRecord& made = records_.add(kind, size_class, Choice(preferred_for(kind, size_class)));
  if (size_class == any_size) return made;
  const Findings here = learned_.findings(kind, size_class),
                 elsewhere = inherited_.findings(kind, size_class);
  for (const Findings& findings : {here, elsewhere})
    if (findings.are_of_one_opinion()) made.choice.inherit(findings.opinion());
  return made;
}

// A large block costs the first touch of shared memory, which is not worth it where both ways cost the same.
Way Chooser::preferred_for(CallKind kind, int size_class) const {
  if (is_of_reads(kind)) return size_class >= smallest_class_preferred_read ? Way::own : Way::mpi;
  return size_class <= largest_class_preferred ? preferred_ : Way::mpi;
}

Findings Chooser::findings(const Experience& known) const {
  return known.findings(call_.agreeing->kind, call_.size_class);
}

// In the order in which they came, which is the same on all ranks.
void Chooser::record_first_calls() {
  for (std::size_t each = 0; each < first_calls_listed_; ++each) {
    const FirstCall& call = (*first_calls_)[each];
    Tally& tally = record(static_cast<CallKind>(call.kind), call.size_class).tally;
    ++tally.calls;
    tally.bytes += call.total;
  }
  first_calls_listed_ = 0;
  first_calls_.reset();
}

void Chooser::inherit(const Experience& others, Way preferred) {
  record_first_calls();
  first_calls_left_ = 0;
  inherited_ = others;
  preferred_ = preferred;
  for (const auto& met : records_) {
    if (met->size_class == any_size) continue;
    met->choice.prefer(preferred_for(met->kind, met->size_class));
    const Findings findings = others.findings(met->kind, met->size_class);
    if (findings.are_of_one_opinion()) met->choice.inherit(findings.opinion());
  }
}

// ---- Beginnings ----

NextStep Chooser::begin_uniform(std::size_t bytes, std::size_t total, CallKind kind) {
  record_first_calls();
  const int size = size_class(bytes);
  ChoiceRecord& met = record(kind, size);
  call_ = Call{.way = way_of(met, bytes), .record = &met, .size_class = size, .total = total};
  return call_.way == Way::own ? NextStep::grow : leave_to_mpi();
}

NextStep Chooser::begin_varying(std::size_t total) {
  record_first_calls();
  ChoiceRecord& early = varying(any_size);
  call_ = Call{.stage = Stage::uncounted, .record = &early, .total = total};
  return !rule_of_varying().always && early.tally.calls < varying_calls_before_nodes ? NextStep::call_mpi
                                                                                     : NextStep::find_nodes;
}

// In a trial, the MPI's calls are timed as they will be in a back-off: what they were is asked for afterwards.
bool Chooser::asks_afterwards() const {
  const ChoiceRecord* expected = known_varying(last_varying_class_);
  return expected && !is_settled(*expected) && expected->choice.next() == Way::mpi;
}

NextStep Chooser::found_nodes(bool found, bool on_one_node) {
  if (!found) return NextStep::call_mpi;
  call_.stage = on_one_node ? Stage::on_node : Stage::between_nodes;
  call_.asks = asks_afterwards();
  if (call_.asks) return call_.since_ns = now_ns_(), NextStep::call_mpi;
  return on_one_node ? begin_on_node() : begin_between_nodes();
}

// On one node the ranks learn from each other how large a call is, and then choose. They expect it to be like the last
// one; if that was wrong, data has been put down for nothing, or is put down after a first look at the headers.
NextStep Chooser::begin_on_node() {
  const ChoiceRecord& expected = varying(last_varying_class_);
  call_.begin_ns = start_time(expected);
  const bool with_data = way_of(expected, std::size_t{1} << last_varying_class_) == Way::own;
  call_.data = with_data ? Data::all : Data::none;
  return NextStep::exchange;
}

NextStep Chooser::begin_between_nodes() {
  call_.begin_ns = rule_of_varying().measures() ? now_ns_() : 0;
  call_.data = Data::if_expected;
  return NextStep::exchange;
}

// ---- What the others say ----

// A node knows the sizes of its own ranks: those of a class, and, where theirs are a little smaller, like
// those of the call before.
bool Chooser::expects_own_way(std::size_t widest) const {
  const int here = size_class(widest), last = last_varying_class_;
  const ChoiceRecord* record = known_varying(here + 1 == last ? last : here);
  static const ChoiceRecord untried{};
  return way_of(record ? *record : untried, widest) == Way::own;
}

bool Chooser::sends_data(std::size_t widest) const {
  return call_.data == Data::all || (call_.data == Data::if_expected && expects_own_way(widest));
}

void Chooser::meet_class(const CallHeader& strongest) {
  const int expected = std::exchange(last_varying_class_, size_class(strongest.widest));
  call_.size_class = last_varying_class_;
  call_.record = &varying(last_varying_class_);
  if (expected != last_varying_class_)
    call_.reading = nullptr;  // what this call takes says nothing of that class
}

NextStep Chooser::exchanged(const CallHeader& strongest) {
  if (call_.stage == Stage::uniform) return taken(strongest.verdict);
  meet_class(strongest);
  call_.need = strongest.need;
  call_.way = way_of(*call_.record, strongest.widest);
  return call_.stage == Stage::on_node ? exchanged_on_node(strongest) : exchanged_between_nodes(strongest);
}

NextStep Chooser::exchanged_on_node(const CallHeader& strongest) {
  if (strongest.verdict == CallVerdict::fallback) return give_up();
  if (call_.way == Way::mpi) return leave_to_mpi();
  note_answer(Way::own);
  if (strongest.verdict == CallVerdict::too_small || call_.data == Data::none) return grow();
  call_.since_ns = call_.begin_ns ? call_.begin_ns : start_time(*call_.record);
  return NextStep::take;
}

NextStep Chooser::exchanged_between_nodes(const CallHeader& strongest) {
  if (strongest.verdict == CallVerdict::fallback) return give_up();
  if (strongest.verdict == CallVerdict::no_data || strongest.verdict == CallVerdict::too_small)
    return call_.way == Way::own ? grow() : leave_to_mpi();
  call_.way = Way::own;  // whatever was expected: the data is here
  call_.since_ns = call_.begin_ns;
  note_answer(Way::own);
  return end();
}

// Once: what is wanted is known of all ranks.
NextStep Chooser::grow() {
  if (call_.has_grown) return give_up();
  call_.has_grown = true;
  return NextStep::grow;
}

NextStep Chooser::grown(bool is_enough) {
  if (!is_enough) return give_up();
  if (call_.stage == Stage::uniform && wants_times()) call_.since_ns = now_ns_();
  call_.data = Data::all;
  return NextStep::exchange;
}

// What cannot be read once, or packed, will not be another time.
NextStep Chooser::taken(CallVerdict verdict) {
  if (verdict == CallVerdict::go) return end();
  if (call_.reads) cannot_read_ = true;
  call_.reading = nullptr;
  return NextStep::call_mpi;
}

NextStep Chooser::asked(const CallHeader& strongest) {
  meet_class(strongest);
  note_answer(call_.record->choice.next());
  return end();
}

// ---- To read, or to copy twice ----

ChoiceRecord& Chooser::reading_record() {
  return call_.stage == Stage::uniform ? record(reads_of_equal, call_.size_class)
                                       : record(reads_of_different, last_varying_class_);
}

bool Chooser::chooses_to_read() {
  const bool is_uniform = call_.stage == Stage::uniform;
  const ChoiceRule& rule = rules_[is_uniform ? reads_of_equal : reads_of_different];
  const int size = is_uniform ? call_.size_class : last_varying_class_;
  if (cannot_read_ || (rule.measures() && size < smallest_class_read)) return false;
  call_.reading = &reading_record();
  call_.reads = rule.always || call_.reading->choice.next() == Way::own;
  if (!call_.begin_ns) call_.begin_ns = start_time(*call_.reading);
  return call_.reads;
}

void Chooser::has_to_read() {
  if (cannot_read_) return;
  call_.reads = true;
  call_.reading = nullptr;
}

// ---- The MPI's way ----

// Else the class's trial would never end.
NextStep Chooser::give_up() {
  call_.record->choice.give_up();
  return leave_to_mpi();
}

NextStep Chooser::leave_to_mpi() {
  call_.way = Way::mpi;
  if (call_.stage != Stage::uniform) note_answer(Way::mpi);
  call_.since_ns = start_time(*call_.record);
  return NextStep::call_mpi;
}

NextStep Chooser::called_mpi() {
  if (!call_.asks) return end();
  stop_clock();  // the question is not part of it
  return NextStep::ask;
}

// `way`: where the class of a call that was asked for goes.
void Chooser::note_answer(Way way) {
  if (way == Way::own || !is_settled(*call_.record))
    mpi_calls_ = unasked_calls_ = 0;
  else if (const int more = ++mpi_calls_ - first_back_off; more >= 0)
    unasked_calls_ = first_back_off << std::min(more, doublings);
}

// ---- Ends ----

void Chooser::stop_clock() {
  if (!call_.since_ns) return;
  call_.took_ns = static_cast<double>(now_ns_() - call_.since_ns);
  call_.since_ns = 0;
}

// A call that went this way; what it took counts if it was the way's turn.
void Chooser::count(ChoiceRecord& record, Way way) {
  ++record.tally.calls;
  record.tally.own_calls += way == Way::own;
  record.tally.bytes += call_.total;
  const bool measures = call_.stage != Stage::uncounted && rules_[record.kind].measures();
  if (measures && way == record.choice.next()) record.choice.took(call_.took_ns);
}

NextStep Chooser::end() {
  stop_clock();
  count(*call_.record, call_.way);
  if (call_.way == Way::own && call_.reading) count(*call_.reading, call_.reads ? Way::own : Way::mpi);
  return next_agreement();
}

NextStep Chooser::next_agreement() {
  for (ChoiceRecord* each : {call_.record, call_.reading})
    if (each && each->choice.is_complete()) return call_.agreeing = each, NextStep::agree;
  return NextStep::done;
}

NextStep Chooser::agreed(const Bursts& slowest, const Findings& elsewhere) {
  Choice& choice = call_.agreeing->choice;
  choice.decide(slowest);
  if (choice.is_decided()) learned_.note(call_.agreeing->kind, call_.size_class, choice.chosen());
  if (elsewhere.are_of_one_opinion()) choice.inherit(elsewhere.opinion());
  return next_agreement();
}

NextStep Chooser::agreed_on_nothing() {
  call_.agreeing->choice.give_up();
  return next_agreement();
}

}  // namespace atrium::mpi
