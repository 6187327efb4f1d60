// An exchange that the leaders of a node share (src/coll/steps/shared_exchange.hpp): each member finds what all nodes have for it,
// though others have waited for it; areas are written again only when their readers are past them, and a source is changed
// only when it has been sent.
//
// Models: SYNC epoch
// SPDX-License-Identifier: BSD-3-Clause
#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "model.hpp"
// clang-format off: the stand-in first
#include "team/nodes.hpp"
// clang-format on
#include "coll/steps/bruck.hpp"
#include "coll/steps/shared_exchange.hpp"
#include "coll/steps/spread.hpp"
#include "raise_channel.hpp"
#include "team/flags.cpp"

namespace atrium {

ParkSlot* my_park_slot = nullptr;

// Nobody sleeps here, and what goes to another node goes by a channel.
Arena arena;
namespace detail {
WaitPolicy chosen_policy;
}
AwayTransport& away_to(int) { model::never_called(); }
void wake(ParkSlot&) { model::never_called(); }

namespace {

constexpr int most_members = 6, most_times = 3;

struct World {
  std::atomic<bool> came[most_members][2 * most_times + 1] = {};  // by member: to that sync of its node
  SharedMemory memories[most_members];
  RaiseChannel channels[most_members][most_modelled_nodes];  // from a member to a node
  uint64_t source[most_members] = {};                        // what a member has for each other one
  uint64_t dest[most_times + 1][most_members][most_members] =
      {};  // of each exchange, by member: from each other one
};
World* world = nullptr;

}  // namespace

// Of a node's members. Barriers have models of their own (coll_model.cpp).
void come(const Team&, uint64_t sync) {
  world->came[model::this_thread()][sync].store(true, std::memory_order_release);
}
void await_member(const Team& node, int member, uint64_t sync) {
  model::await(
      [](void* came) { return static_cast<std::atomic<bool>*>(came)->load(std::memory_order_acquire); },
      &world->came[model::this_thread() - node.me + member][sync]);
}
void synchronise(Team& node) {
  const uint64_t sync = ++node.progress.syncs;
  come(node, sync);
  for (int member = 0; member < node.size; ++member) await_member(node, member, sync);
}

void put_with_flag_beside(const Team&, int, const void* place, const void* data, size_t bytes,
                          const FlagBeside& flag, Next) {
  const auto* first = static_cast<const std::byte*>(data);
  world->channels[model::this_thread()][flag.member].send(
      {const_cast<Epoch*>(&flag.flag), flag.epoch,
       const_cast<std::byte*>(static_cast<const std::byte*>(place)),
       std::vector<std::byte>(first, first + bytes), nullptr});
}

namespace {

struct Traffic {
  int from, to_node, raises;
};
// Exchanges in a row: by areas, where in_message is 0; spread or passed on, where it is `spreads` or `pass_on`; else straight into dests, in messages of so many words.
constexpr size_t spreads = SIZE_MAX, meets = SIZE_MAX - 1, two_meet = SIZE_MAX - 2, pass_on = SIZE_MAX - 3,
                 one_meets = SIZE_MAX - 4;
struct Shape {
  NodeSizes members;
  size_t slices;
  std::vector<size_t> in_message;
  std::vector<Traffic> traffic;

  int size() const {
    const NodeSizes::Pes last = members.pes_of(members.nodes() - 1);
    return last.first + last.count;
  }
  size_t pairs(int one, int other) const { return members.pes_of(one).size() * members.pes_of(other).size(); }
};

size_t divided(size_t all, size_t by) { return (all + by - 1) / by; }
uint64_t value_of(int member, size_t time) { return 100 * time + static_cast<uint64_t>(member); }

// A member, which is the thread with its number.
class Member {
 public:
  Member(World& shared, const Shape& shape, int me) : shared_(shared), shape_(shape), me_(me) {
    world = &shared;
    team_.nodes = std::make_shared<TeamNodes>();
    TeamNodes& nodes = *team_.nodes;
    nodes.members = shape.members;
    nodes.memories = shared.memories;
    while (me >= first_of(nodes.me) + nodes.members.sizes[static_cast<size_t>(nodes.me)]) ++nodes.me;
    nodes.leaders.me = nodes.me;
    nodes.leaders.size = nodes.count();
    nodes.node.me = me - first_of(nodes.me);
    nodes.node.size = nodes.members.sizes[static_cast<size_t>(nodes.me)];
    nodes.node.delta = neighbours_deltas_;
    for (int member = 0; member < nodes.node.size; ++member) nodes.node.set_shift(member, 0);
  }

  void run() {
    for (size_t time = 1; time <= shape_.in_message.size(); ++time) {
      write(shared_.source[me_], value_of(me_, time));
      if (const size_t in_message = shape_.in_message[time - 1]; in_message == spreads)
        spread(time);
      else if (in_message == pass_on)
        pass_blocks_on(time);
      else if (in_message == meets)
        meet(time, nodes().node.size, 1);
      else if (in_message == two_meet || in_message == one_meets)
        in_message == two_meet ? meet(time, 2, 2) : meet(time, 1, 1);
      else if (in_message != 0)
        exchange_straight(time, in_message);
      else
        exchange_by_areas(time);
    }
  }

 private:
  const TeamNodes& nodes() const { return *team_.nodes; }
  int first_of(int node) const { return shape_.members.pes_of(node).first; }
  template <class Visit>
  void for_each_other(Visit visit) const {
    for (int member = 0; member < shape_.size(); ++member)
      if (member < first_of(nodes().me) || member >= first_of(nodes().me) + nodes().node.size) visit(member);
  }

  // As coll/alltoall/leaders.cpp does: the words of my slice's members.
  void exchange_by_areas(size_t time) {
    SharedExchange exchange(team_, shape_.slices);
    exchange.begin();
    if (exchange.leads()) {
      const Portion mine = exchange.slice_of(static_cast<size_t>(nodes().node.size));
      const int first = first_of(nodes().me) + static_cast<int>(mine.first);
      exchange.for_each_target([&](int to) {
        std::vector<uint64_t> words;
        for (int i = 0; i < static_cast<int>(mine.count); ++i)
          words.push_back(read(&shared_.source[first + i]));
        exchange.send(to, static_cast<size_t>(first) * sizeof(uint64_t), words.data(),
                      words.size() * sizeof(uint64_t));
      });
      exchange.for_each_source([&](int from) { exchange.await_from(from); });
    }
    exchange.end();
    const std::byte* const area = nodes().area_of_node(exchange.half());
    for_each_other([&](int member) {
      MODEL_REQUIRE(read(area + static_cast<size_t>(member) * sizeof(uint64_t)) == value_of(member, time));
    });
  }

  // As coll/reduce/leaders_spread.cpp does.
  void spread(size_t time) {
    TeamNodes& mine = *team_.nodes;
    const auto not_this_few = [](std::byte*) { model::never_called(); };
    const auto add = [&](std::byte* place) {
      uint64_t sum = 0;
      for (int i = 0; i < mine.node.size; ++i) sum += read(&shared_.source[first_of(mine.me) + i]);
      write(*reinterpret_cast<uint64_t*>(place), sum);
    };
    spread_values(team_, sizeof(uint64_t), not_this_few, add, [&](auto value_at) {
      for (int node = 0; node < mine.count(); ++node) {
        uint64_t sum = 0;
        for (size_t i = 0; i < mine.members.pes_of(node).size(); ++i)
          sum += value_of(mine.members.pes_of(node)[i], time);
        MODEL_REQUIRE(read(value_at(node)) == sum);
      }
    });
  }

  // As coll/alltoall/bruck.cpp does, where all members lead: a word of each node for each. Leaders meet as the model has it.
  void pass_blocks_on(size_t time) {
    TeamNodes& mine = *team_.nodes;
    const auto word = [](uint64_t sum, int to) { return sum * 10 + static_cast<uint64_t>(to); };
    const auto sum_of = [&](int node, auto value) {
      uint64_t sum = 0;
      for (size_t i = 0; i < mine.members.pes_of(node).size(); ++i)
        sum += value(mine.members.pes_of(node)[i]);
      return sum;
    };
    Bruck bruck(mine, mine.leader_count(), [](int, int) { return sizeof(uint64_t); });
    struct {
      Team& node;
      void meet() { synchronise(node); }
    } sync{mine.node};
    SharedExchange exchange(team_, 1);
    exchange.begin();
    bruck.run(mine.node.me, sync, exchange, [&](int to, std::byte* place) {
      const uint64_t sum = sum_of(mine.me, [&](int member) { return read(&shared_.source[member]); });
      write(*reinterpret_cast<uint64_t*>(place), word(sum, to));
    });
    const auto require_block = [&](int distance) {
      const uint64_t sum =
          sum_of(bruck.source_of(distance), [&](int member) { return value_of(member, time); });
      MODEL_REQUIRE(read(exchange.area() + bruck.place_of(distance)) == word(sum, mine.me));
    };
    for (int distance = 1; distance < mine.count(); ++distance) require_block(distance);
    exchange.end();
    require_block(0);
  }

  // What each leader has before a meeting, all have after it.
  void meet(size_t time, int leaders, int meetings) {
    SharedSync sync(*team_.nodes, leaders);
    uint64_t* const words = shared_.dest[time][0];
    if (!sync.leads()) return sync.arrive_and_wait();
    sync.await_all([&] { write(words[0], time); });
    MODEL_REQUIRE(read(&words[0]) == time);
    for (int meeting = 1; meeting <= meetings; ++meeting) {
      write(shared_.dest[time][meeting][me_], value_of(me_, time));
      sync.meet();
      for (int leader = 0; leader < leaders; ++leader)
        MODEL_REQUIRE(read(&shared_.dest[time][meeting][leader]) == value_of(leader, time));
    }
    sync.release();
  }

  size_t rounds(size_t in_message) const {
    size_t most = 0;
    for (int one = 0; one < nodes().count(); ++one)
      for (int other = 0; other < one; ++other) most = std::max(most, shape_.pairs(one, other));
    return divided(divided(most, shape_.slices), in_message);
  }
  // As there: a word for each pair of members.
  void exchange_straight(size_t time, size_t in_message) {
    SharedExchange exchange(team_, shape_.slices, rounds(in_message));
    exchange.begin();
    const auto message_with = [&](int other, size_t round) {
      return exchange.slice_of(shape_.pairs(nodes().me, other)).message(round, in_message);
    };
    for (size_t round = 0; exchange.leads() && round < rounds(in_message); ++round) {
      if (round > 0) exchange.next_round();
      exchange.for_each_target([&](int to) { put_words(exchange, time, to, message_with(to, round)); });
      exchange.for_each_source([&](int from) {
        if (message_with(from, round).count != 0) exchange.await_from(from);
      });
    }
    exchange.end();
    for_each_other(
        [&](int member) { MODEL_REQUIRE(read(&shared_.dest[time][me_][member]) == value_of(member, time)); });
  }
  void put_words(SharedExchange& exchange, size_t time, int to, const Portion& message) {
    const NodeSizes::Pes there = nodes().members.pes_of(to);
    for (size_t i = 0; i < message.count; ++i) {
      const size_t pair = message.first + i;
      const int from = first_of(nodes().me) + static_cast<int>(pair / there.size()),
                member = there[pair % there.size()];
      const uint64_t word = read(&shared_.source[from]);
      exchange.put(to, member, &shared_.dest[time][member][from], &word, sizeof word, i + 1 == message.count);
    }
  }

  World& shared_;
  const Shape& shape_;
  int me_;
  Team team_;
  ptrdiff_t neighbours_deltas_[most_members] = {};
};

// Members, and a thread for each channel.
model::Scenario scenario(std::string name, Shape shape) {
  const int threads = shape.size() + static_cast<int>(shape.traffic.size());
  return model::scenario<World>(std::move(name), threads, [shape](World& shared, int thread) {
    if (thread < shape.size()) return Member(shared, shape, thread).run();
    const Traffic& mine = shape.traffic[static_cast<size_t>(thread - shape.size())];
    for (int i = 0; i < mine.raises; ++i) shared.channels[mine.from][mine.to_node].deliver();
  });
}

}  // namespace
}  // namespace atrium

int main(int argc, char** argv) {
  using namespace atrium;
  return model::explore_all(
      {scenario("areas, 2 nodes of 2, in 2 slices",
                {{{2, 2}}, 2, {0}, {{0, 1, 1}, {1, 1, 1}, {2, 0, 1}, {3, 0, 1}}}),
       scenario("straight, nodes of 1 and 2, two words in a message",
                {{{1, 2}}, 1, {2}, {{0, 1, 2}, {1, 0, 2}}}),
       scenario("straight, nodes of 1 and 2, in two rounds", {{{1, 2}}, 1, {1}, {{0, 1, 2}, {1, 0, 2}}}),
       scenario("areas, nodes of 1 and 2, twice", {{{1, 2}}, 1, {0, 0}, {{0, 1, 2}, {1, 0, 2}}}),
       scenario("areas, 3 nodes of 2, whose leaders have a node each",
                {{{2, 2, 2}}, 1, {0}, {{0, 2, 1}, {1, 1, 1}, {2, 0, 1}, {3, 2, 1}, {4, 1, 1}, {5, 0, 1}}}),
       scenario("spread, nodes of 1 and 2, by a leader each",
                {{{1, 2}}, 1, {spreads}, {{0, 1, 1}, {1, 0, 1}}}),
       scenario(
           "Bruck, 3 nodes of 2, by two leaders each",
           {{{2, 2, 2}}, 1, {pass_on}, {{0, 2, 1}, {1, 1, 1}, {2, 0, 1}, {3, 2, 1}, {4, 1, 1}, {5, 0, 1}}}),
       scenario("three leaders of a node meet", {{{3}}, 1, {meets}, {}}),
       scenario("two leaders of three members meet twice", {{{3}}, 1, {two_meet}, {}}),
       scenario("two of two members meet after the first one alone", {{{2}}, 1, {one_meets, meets}, {}}),
       scenario("two members meet in two syncs", {{{2}}, 1, {meets, meets}, {}}),
       // The third one writes into the half that the first one has written. With a node of 2 members 239,699 executions: minutes.
       scenario("areas, 2 nodes of 1, three times", {{{1, 1}}, 1, {0, 0, 0}, {{0, 1, 3}, {1, 0, 3}}})},
      {}, argc, argv);
}
