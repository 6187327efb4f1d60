// Decides which way a call goes, measures where asked to, and falls back to the MPI's routine.
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>

#include "exchange/between_nodes.hpp"
#include "exchange/exchange.hpp"
#include "exchange/on_node.hpp"
#include "plan/plan.hpp"

namespace atrium::mpi {
namespace {

// Calls with counts per rank that go the MPI's way before nodes are looked for: who makes a communicator for
// one exchange does not pay for more.
constexpr std::uint64_t varying_calls_before_nodes = 4;
// Between nodes it takes messages to learn how large a call is. Who has gone the MPI's way so often goes on to
// do so for as many calls without them, then, while nothing else is heard, for twice as many, up to 16 times.
constexpr int mpi_calls_before_habit = 4;
constexpr int doublings_of_habit = 4;

// Times decide, and not the user.
bool chooses(const Plan& plan) { return plan.settings().mode == Mode::automatic && !plan.settings().limit; }

Way wanted_way(const Plan& plan, const Choice& choice, std::size_t bytes) {
  if (plan.settings().mode == Mode::always) return Way::own;
  if (plan.settings().limit) return bytes <= plan.settings().limit ? Way::own : Way::mpi;
  return choice.next();
}

void agree_if_complete(Plan& plan, Choice& choice) {
  if (!choice.is_complete()) return;
  if (!plan.has_room()) return choice.give_up();  // another size asked for more than there was
  Times times = choice.measured();
  plan.agree(times.of, 2);
  choice.decide(times);
}

// The start of a call, if its time is wanted.
std::int64_t start_time(const Plan& plan, const Choice& choice) {
  return chooses(plan) && choice.in_trial() ? atrium_now_ns() : 0;
}

double elapsed(std::int64_t since_ns) {
  return since_ns ? static_cast<double>(atrium_now_ns() - since_ns) : 0;
}

void count(Record& record, Way way, std::size_t bytes) {
  ++record.tally.calls;
  record.tally.own_calls += way == Way::own;
  record.tally.bytes += bytes;
}

// Counts a call, and, in a trial, notes what it took.
void finish(Plan& plan, Record& record, Way way, std::size_t bytes, double took_ns) {
  count(record, way, bytes);
  Choice& choice = record.choice;
  if (!chooses(plan) || way != choice.next()) return;
  choice.took(took_ns);
  agree_if_complete(plan, choice);
}

bool has_room_for_uniform(Plan& plan, std::size_t bytes) {
  if (bytes > largest_block || !plan.find_nodes()) return false;
  return plan.prepare(plan.on_one_node() ? share_for_uniform(plan, bytes)
                                         : share_for_uniform_between_nodes(plan, bytes));
}

Outcome exchange_uniform(Plan& plan, const Exchange& exchange, std::size_t bytes) {
  return plan.on_one_node() ? exchange_uniform_on_node(plan, exchange, bytes)
                            : exchange_uniform_between_nodes(plan, exchange, bytes);
}

int raise(MPI_Comm comm, int error) {
  if (error != MPI_SUCCESS) PMPI_Comm_call_errhandler(comm, error);
  return error;
}

int finish_exchange(const Exchange& exchange, const Outcome& outcome) {
  return outcome.verdict == Verdict::go ? raise(exchange.comm, outcome.error) : call_mpi(exchange);
}

int run_uniform(Plan& plan, const Exchange& exchange) {
  const Side& from = sending_side(exchange);
  const std::size_t bytes = describe(from.type).size * from.count;
  if (bytes == 0) return call_mpi(exchange);
  Record& record = plan.uniform(size_class(bytes));
  Way way = wanted_way(plan, record.choice, bytes);
  if (way == Way::own && !has_room_for_uniform(plan, bytes)) {
    record.choice.give_up();
    way = Way::mpi;
  }
  const std::int64_t since_ns = start_time(plan, record.choice);
  const int error = way == Way::own ? finish_exchange(exchange, exchange_uniform(plan, exchange, bytes))
                                    : call_mpi(exchange);
  finish(plan, record, way, bytes * plan.size(), elapsed(since_ns));
  return error;
}

// On one node the ranks hear from each other how large a call is, and then choose. They expect it to be like
// the last one; if that was wrong, data has been put down for nothing, or is put down after a first look at
// the cards.
int run_varying_on_node(Plan& plan, const Exchange& exchange) {
  const Record& expected = plan.varying(plan.last_varying_class);
  const std::int64_t begin_ns = start_time(plan, expected.choice);
  bool with_data = wanted_way(plan, expected.choice, std::size_t{1} << plan.last_varying_class) == Way::own;
  Card card = offer_varying_on_node(plan, exchange, with_data);
  plan.last_varying_class = size_class(card.widest);
  Record& record = plan.varying(plan.last_varying_class);
  Way way = card.verdict == Verdict::pass ? Way::mpi : wanted_way(plan, record.choice, card.widest);
  while (way == Way::own && (card.verdict == Verdict::narrow || !with_data)) {
    if (!plan.prepare(card.need)) {
      way = Way::mpi;
      break;
    }
    with_data = true;
    card = offer_varying_on_node(plan, exchange, with_data);
    if (card.verdict == Verdict::pass) way = Way::mpi;
  }
  const std::int64_t since_ns = way == Way::own && begin_ns ? begin_ns : start_time(plan, record.choice);
  const int error =
      way == Way::own ? raise(exchange.comm, take_varying_on_node(plan, exchange)) : call_mpi(exchange);
  finish(plan, record, way, Blocks(sending_side(exchange)).total(plan.size()), elapsed(since_ns));
  return error;
}

// A node knows the sizes of its own ranks: those of a class, and, where theirs are a little smaller, like those
// of the call before.
bool expects_own_way(Plan& plan, std::size_t widest) {
  const int here = size_class(widest), last = plan.last_varying_class;
  const Record* record = plan.find_varying(here + 1 == last ? last : here);
  static const Choice untried;
  return wanted_way(plan, record ? record->choice : untried, widest) == Way::own;
}

bool is_settled(const Plan& plan, const Record& record) {
  return !chooses(plan) || !record.choice.in_trial();
}

// `way`: where the class of a call that was asked for goes.
void note_habit(Plan& plan, Way way, bool settled) {
  if (way == Way::own || !settled) {
    plan.mpi_calls = plan.unasked_calls = 0;
  } else if (const int more = ++plan.mpi_calls - mpi_calls_before_habit; more >= 0) {
    plan.unasked_calls = mpi_calls_before_habit << std::min(more, doublings_of_habit);
  }
}

bool goes_by_habit(Plan& plan) {
  return plan.unasked_calls > 0 && is_settled(plan, plan.varying(plan.last_varying_class));
}

int run_by_habit(Plan& plan, const Exchange& exchange, std::size_t bytes) {
  --plan.unasked_calls;
  const int error = call_mpi(exchange);
  finish(plan, plan.varying(plan.last_varying_class), Way::mpi, bytes, 0);
  return error;
}

// In a trial, the MPI's calls are timed as they will be by habit: what they were is asked for afterwards.
bool asks_afterwards(const Plan& plan) {
  const Record* expected = plan.find_varying(plan.last_varying_class);
  return expected && !is_settled(plan, *expected) && expected->choice.next() == Way::mpi;
}

int run_and_ask(Plan& plan, const Exchange& exchange, std::size_t bytes) {
  const std::int64_t since_ns = atrium_now_ns();
  const int error = call_mpi(exchange);
  const double took_ns = elapsed(since_ns);
  const Outcome asked =
      exchange_varying_between_nodes(plan, exchange, [](Plan&, std::size_t) { return false; });
  plan.last_varying_class = size_class(asked.widest);
  Record& record = plan.varying(plan.last_varying_class);
  note_habit(plan, record.choice.next(), is_settled(plan, record));
  finish(plan, record, Way::mpi, bytes, took_ns);
  return error;
}

// Between nodes all know how large a call is when the messages are in, with data or without it.
int run_varying_between_nodes(Plan& plan, const Exchange& exchange) {
  const std::size_t bytes = Blocks(sending_side(exchange)).total(plan.size());
  if (goes_by_habit(plan)) return run_by_habit(plan, exchange, bytes);
  if (asks_afterwards(plan)) return run_and_ask(plan, exchange, bytes);
  const std::int64_t begin_ns = chooses(plan) ? atrium_now_ns() : 0;
  Outcome outcome = exchange_varying_between_nodes(plan, exchange, expects_own_way);
  plan.last_varying_class = size_class(outcome.widest);
  Record& record = plan.varying(plan.last_varying_class);
  while ((outcome.verdict == Verdict::absent || outcome.verdict == Verdict::narrow) &&
         wanted_way(plan, record.choice, outcome.widest) == Way::own) {
    if (!plan.prepare(outcome.need)) outcome.verdict = Verdict::pass;
    if (outcome.verdict == Verdict::pass) break;
    outcome = exchange_varying_between_nodes(plan, exchange, [](Plan&, std::size_t) { return true; });
  }
  if (outcome.verdict == Verdict::pass) record.choice.give_up();  // else its trial would never end
  const Way way = outcome.verdict == Verdict::go ? Way::own : Way::mpi;
  note_habit(plan, way, is_settled(plan, record));
  const std::int64_t since_ns = way == Way::own ? begin_ns : start_time(plan, record.choice);
  const int error = finish_exchange(exchange, outcome);
  finish(plan, record, way, bytes, elapsed(since_ns));
  return error;
}

int run_varying(Plan& plan, const Exchange& exchange) {
  Record& early = plan.varying(any_size);
  const bool waits =
      plan.settings().mode == Mode::automatic && early.tally.calls < varying_calls_before_nodes;
  if (waits || !plan.find_nodes() || !plan.prepare(1)) {
    count(early, Way::mpi, Blocks(sending_side(exchange)).total(plan.size()));
    return call_mpi(exchange);
  }
  return plan.on_one_node() ? run_varying_on_node(plan, exchange) : run_varying_between_nodes(plan, exchange);
}

}  // namespace

// What the MPI refuses on this rank must not begin a step for which it would wait for the others, and making a
// plan is one.
int alltoall(const Exchange& exchange) {
  if (exchange.comm == MPI_COMM_NULL) return call_mpi(exchange);
  Plan* plan = find_plan(exchange.comm);
  const int peers = plan ? plan->size() : count_peers(exchange.comm);
  if (peers == 0 || is_refused(exchange, peers)) return call_mpi(exchange);
  if (!plan) plan = make_plan(exchange.comm);
  if (!plan || plan->is_bypassed() || plan->settings().mode == Mode::never) return call_mpi(exchange);
  return exchange.routine == Routine::alltoall ? run_uniform(*plan, exchange) : run_varying(*plan, exchange);
}

}  // namespace atrium::mpi
