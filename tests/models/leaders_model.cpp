// What leaders of nodes write to each other (src/coll/steps/leaders.hpp, bruck.hpp, leader_buffer.hpp, relay.hpp): areas and buffers
// are written again only when their readers are past them, a piece is there when its flag says so, a block that is passed on
// has come, and nothing is on its way to who has left.
//
// Models: SYNC epoch
// SPDX-License-Identifier: BSD-3-Clause
#include <vector>

#include "model.hpp"
// clang-format off: the stand-in first
#include "team/nodes.hpp"
// clang-format on
#include "coll/steps/bruck.hpp"
#include "coll/steps/leader_buffer.hpp"
#include "coll/steps/leaders.hpp"
#include "coll/steps/relay.hpp"
#include "raise_channel.hpp"
#define raise_away raise_through_transport
#define raise_away_later raise_through_transport_later
#include "team/flags.cpp"
#undef raise_away
#undef raise_away_later

namespace atrium {

ParkSlot* my_park_slot = nullptr;

namespace {

constexpr int most_leaders = 4;

struct World {
  TeamNodes::Memory memories[most_leaders];
  RaiseChannel channels[most_leaders][most_leaders];
  uint64_t dest[most_leaders][4] = {};  // of each leader, by parts or pieces
  uint64_t begun[most_leaders] = {};
};
World* world = nullptr;

TeamNodes join(World& shared, int leaders, int me) {
  world = &shared;
  TeamNodes nodes;
  nodes.memories = shared.memories;
  nodes.nodes = leaders;
  nodes.me = nodes.leaders.me = me;
  nodes.leaders.size = leaders;
  return nodes;
}

uint64_t value_of(int leader, uint64_t time) { return 100 * time + static_cast<uint64_t>(leader); }

// Every leader to every other, in a row: each half of the area is used again.
template <int leaders, int times>
void exchange(World& shared, int me) {
  TeamNodes nodes = join(shared, leaders, me);
  for (uint64_t time = 1; time <= times; ++time) {
    const uint64_t mine = value_of(me, time);
    LeaderExchange exchange(nodes);
    for (int step = 1; step < leaders; ++step)
      exchange.send(nodes.after(step), static_cast<size_t>(me) * sizeof mine, &mine, sizeof mine);
    for (int step = 1; step < leaders; ++step) {
      const int from = nodes.after(step);
      exchange.await_from(from);
      MODEL_REQUIRE(read(exchange.area() + static_cast<size_t>(from) * sizeof mine) == value_of(from, time));
    }
  }
}

// As coll/alltoall/bruck.cpp, by nodes of one member: a word of each for each. Who ends has heard, if through others, of
// everybody's beginning: what an area needs to be used again.
template <int leaders>
void bruck(World& shared, int me) {
  TeamNodes nodes = join(shared, leaders, me);
  const auto word = [](int from, int to) { return value_of(from, 1) * 10 + static_cast<uint64_t>(to); };
  write(shared.begun[me], 1);
  struct {
    void meet() {}
  } alone;
  LeaderExchange exchange(nodes);
  Bruck blocks(nodes, 1, [](int, int) { return sizeof(uint64_t); });
  blocks.run(0, alone, exchange,
             [&](int to, std::byte* place) { write(*reinterpret_cast<uint64_t*>(place), word(me, to)); });
  for (int distance = 0; distance < leaders; ++distance) {
    const int from = blocks.source_of(distance);
    MODEL_REQUIRE(read(exchange.area() + blocks.place_of(distance)) == word(from, me));
    MODEL_REQUIRE(read(&shared.begun[from]) == 1);
  }
}

// As coll/reduce/leaders_put.cpp, in place: a part of each leader, who sums what the others have there and writes it back.
// `parts` have elements; the others are empty.
template <int leaders, int times, int parts>
void sum_in_place(World& shared, int me) {
  TeamNodes nodes = join(shared, leaders, me);
  uint64_t* const mine = shared.dest[me];
  for (uint64_t time = 1; time <= times; ++time) {
    for (int part = 0; part < parts; ++part) write(mine[part], value_of(me, time));
    BufferExchange exchange(nodes);
    for (int step = 1; step < leaders; ++step)
      if (const int part = nodes.after(step); part < parts) {
        model::plain_read(&mine[part], sizeof(uint64_t));
        exchange.send_operand(part, &mine[part], sizeof(uint64_t));
      }
    if (me < parts) {
      uint64_t sum = read(&mine[me]);
      for (int step = 1; step < leaders; ++step) sum += read(exchange.await_operand(nodes.after(step)));
      write(mine[me], sum);
      for (int step = 1; step < leaders; ++step)
        exchange.send_result(nodes.after(step), &shared.dest[nodes.after(step)][me], &mine[me],
                             sizeof(uint64_t));
    }
    uint64_t wanted = 0;
    for (int leader = 0; leader < leaders; ++leader) wanted += value_of(leader, time);
    for (int part = 0; part < parts; ++part) {
      if (part != me) exchange.await_result(part);
      MODEL_REQUIRE(read(&mine[part]) == wanted);
    }
  }
}

// As coll/reduce/leaders_put.cpp does with two leaders: each sends all it has and sums for itself, in place. `senders`: both,
// or one of them, since what goes one way has nothing to do with what goes the other.
template <int senders, int times>
void sum_whole(World& shared, int me) {
  TeamNodes nodes = join(shared, 2, me);
  uint64_t* const mine = &shared.dest[me][0];
  const int other = 1 - me;
  for (uint64_t time = 1; time <= times; ++time) {
    write(*mine, value_of(me, time));
    BufferExchange exchange(nodes);
    if (me < senders) exchange.send_operand(other, mine, sizeof *mine);
    if (other < senders) {
      write(*mine, read(mine) + read(exchange.await_operand(other)));
      exchange.say_read(other);
      MODEL_REQUIRE(read(mine) == value_of(0, time) + value_of(1, time));
    }
    if (me < senders) exchange.await_result(other);
  }
}

// As coll/broadcast/leaders.cpp, by one leader a node; each relay begins one node later than the last, and has a dest of its own.
template <int leaders, int times, int pieces>
void relay(World& shared, int me) {
  TeamNodes nodes = join(shared, leaders, me);
  for (int time = 0; time < times; ++time) {
    Relay relay(nodes, time % leaders, pieces);
    for (int piece = 0; piece < pieces; ++piece) {
      uint64_t* const mine = &shared.dest[me][time * pieces + piece];
      const uint64_t wanted = value_of(piece, static_cast<uint64_t>(time) + 1);
      if (relay.begins())
        write(*mine, wanted);
      else
        relay.await(static_cast<size_t>(piece));
      MODEL_REQUIRE(read(mine) == wanted);
      relay.pass_on(static_cast<size_t>(piece), &shared.dest[nodes.after(1)][time * pieces + piece], mine,
                    sizeof *mine);
    }
    shared.channels[me][nodes.after(1)].settle();
    for (int piece = 0; piece < pieces; ++piece) write(shared.dest[me][time * pieces + piece], 0);
  }
}

using Body = void (*)(World&, int);

// Leaders, and a thread for each channel that carries `raises`.
struct Traffic {
  int from, to, raises;
};
model::Scenario scenario(std::string name, int leaders, Body body, std::vector<Traffic> traffic) {
  const int threads = leaders + static_cast<int>(traffic.size());
  return model::scenario<World>(std::move(name), threads, [=](World& shared, int thread) {
    if (thread < leaders) return body(shared, thread);
    const Traffic& mine = traffic[static_cast<size_t>(thread - leaders)];
    for (int i = 0; i < mine.raises; ++i) shared.channels[mine.from][mine.to].deliver();
  });
}

}  // namespace

namespace detail {
void raise_away(const Team& team, int member, const Epoch& flag, uint64_t epoch, const void* place,
                const void* data, size_t bytes, Next) {
  const auto* first = static_cast<const std::byte*>(data);
  world->channels[team.me][member].send({const_cast<Epoch*>(&flag), epoch,
                                         const_cast<std::byte*>(static_cast<const std::byte*>(place)),
                                         std::vector<std::byte>(first, first + bytes), nullptr});
}
void raise_away_later(const Team& team, int member, const Epoch& flag, uint64_t epoch, const void* place,
                      const void* data, size_t) {
  world->channels[team.me][member].send({const_cast<Epoch*>(&flag),
                                         epoch,
                                         const_cast<std::byte*>(static_cast<const std::byte*>(place)),
                                         {},
                                         data});
}
}  // namespace detail

}  // namespace atrium

int main(int argc, char** argv) {
  using namespace atrium;
  return model::explore_all(
      {scenario("sum in place, 2 leaders, one part, twice", 2, sum_in_place<2, 2, 1>, {{0, 1, 2}, {1, 0, 2}}),
       scenario("sum in place, 2 leaders", 2, sum_in_place<2, 1, 2>, {{0, 1, 2}, {1, 0, 2}}),
       scenario("sum of all in place, one of 2 leaders sends, twice", 2, sum_whole<1, 2>,
                {{0, 1, 2}, {1, 0, 2}}),
       scenario("sum of all in place, 2 leaders", 2, sum_whole<2, 1>, {{0, 1, 2}, {1, 0, 2}}),
       scenario("sum in place, 3 leaders, one part, twice", 3, sum_in_place<3, 2, 1>,
                {{0, 1, 2}, {0, 2, 2}, {1, 0, 2}, {2, 0, 2}}),
       scenario("relay of two pieces to 2 leaders, from one and from the other", 2, relay<2, 2, 2>,
                {{0, 1, 2}, {1, 0, 2}}),
       scenario("relay to 3 leaders, twice", 3, relay<3, 2, 1>, {{0, 1, 1}, {1, 2, 2}, {2, 0, 1}}),
       scenario("Bruck, 4 leaders", 4, bruck<4>,
                {{0, 3, 1}, {0, 2, 1}, {1, 0, 1}, {1, 3, 1}, {2, 1, 1}, {2, 0, 1}, {3, 2, 1}, {3, 1, 1}}),
       scenario("exchange, 2 leaders, three times", 2, exchange<2, 3>, {{0, 1, 3}, {1, 0, 3}})},
      {}, argc, argv);
}
