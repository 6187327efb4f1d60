// Records, acknowledgements and quiet between nodes (src/wire): quiet returns when what was issued before it is
// executed, and it does return.
//
// Models: SYNC record
// SPDX-License-Identifier: BSD-3-Clause
#include <malloc.h>

#include "channel_world.hpp"

namespace atrium {
namespace {

using Body = void (*)(World&, int);

// Thread 0 ... actors-1 act, the others serve.
model::Scenario scenario(std::string name, size_t nodes, int threads, uint64_t actors,
                         NetworkConditions conditions, Body body) {
  return {std::move(name), threads, [=]() -> std::function<void(int)> {
            auto world = std::make_shared<World>(nodes, actors, conditions);
            return [world, body](int thread) { body(*world, thread); };
          }};
}

template <int puts>
void put_and_be_quiet(World& world, int thread) {
  if (thread == 1) return world.serve(1);
  Pending pending = 0;
  for (int i = 0; i < puts; ++i) world.put(0, 1, i, 7, &pending);
  world.at(0).quiet(pending);
  MODEL_REQUIRE(pending == 0);
  for (int i = 0; i < puts; ++i) MODEL_REQUIRE(world.word(1, i) == 7);
  world.finish();
}

// More than a record carries: the engine's write, and a record that says that it has landed.
const std::vector<uint64_t> sevens(put_by_record / 8 + 1, 7);
bool has_sevens(World& world) {
  return std::memcmp(world.address(1, 1), sevens.data(), sevens.size() * 8) == 0;
}

void put_much_and_be_quiet(World& world, int thread) {
  if (thread == 1) return world.serve(1);
  Pending pending = 0;
  world.put(0, 1, 0, 7, &pending);
  world.at(0).put(World::place(1, 1), sevens.data(), sevens.size() * 8, &pending);
  world.at(0).quiet(pending);
  MODEL_REQUIRE(world.word(1, 0) == 7);
  MODEL_REQUIRE(has_sevens(world));
  world.finish();
}

// As collectives do: no context counts it, so its landing is not asked for until somebody waits.
void put_much_uncounted(World& world) {
  world.at(0).put(World::place(1, 1), sevens.data(), sevens.size() * 8, nullptr, true);
}

void put_much_uncounted_and_be_quiet(World& world, int thread) {
  if (thread == 1) return world.serve(1);
  put_much_uncounted(world);
  world.at(0).quiet_all();
  MODEL_REQUIRE(has_sevens(world));
  world.finish();
}

void put_much_uncounted_and_read_it(World& world, int thread) {
  if (thread == 1) return world.serve(1);
  static std::vector<uint64_t> read(sevens.size());
  put_much_uncounted(world);
  world.at(0).get(World::place(1, 1), read.data(), read.size() * 8);
  MODEL_REQUIRE(read == sevens);
  world.finish();
}

void put_much_uncounted_before_a_fence(World& world, int thread) {
  if (thread == 1) return world.serve(1);
  static const std::vector<uint64_t> eights(sevens.size(), 8);
  put_much_uncounted(world);
  world.at(0).wire.fence();
  Pending pending = 0;
  world.at(0).put(World::place(1, 1), eights.data(), eights.size() * 8, &pending);
  world.at(0).quiet(pending);
  MODEL_REQUIRE(std::memcmp(world.address(1, 1), eights.data(), eights.size() * 8) == 0);
  world.finish();
}

// Who sees the second put on its own node sees the first.
void puts_are_seen_in_order(World& world, int thread) {
  if (thread == 2) return world.serve(1);
  if (thread == 0) {
    world.put(0, 1, 0, 7, nullptr);
    world.put(0, 1, 1, 7, nullptr);
    world.at(0).quiet_all();
  } else {
    model::await(
        [](void* flag) { return __atomic_load_n(static_cast<uint64_t*>(flag), __ATOMIC_ACQUIRE) != 0; },
        world.address(1, 1));
    MODEL_REQUIRE(world.word(1, 0) == 7);
  }
  world.finish();
}

// Who gets a flag that was raised behind a word gets the word, too.
void gets_see_in_order(World& world, int thread) {
  if (thread == 2) return world.serve(1);
  if (thread == 1) {
    __atomic_store_n(world.address(1, 0), uint64_t{7}, __ATOMIC_RELAXED);
    __atomic_store_n(world.address(1, 1), uint64_t{1}, __ATOMIC_RELEASE);
  } else {
    uint64_t flag = 0, word = 0;
    world.at(0).get(World::place(1, 1), &flag, sizeof flag);
    world.at(0).get(World::place(1, 0), &word, sizeof word);
    MODEL_REQUIRE(flag == 0 || word == 7);
  }
  world.finish();
}

// Two threads of node 0, each on a context of its own.
void two_put_and_are_quiet(World& world, int thread) {
  if (thread == 2) return world.serve(1);
  world.at(0).wire.channel_to(1).guess = 3;  // a first put asks at once: fewer messages
  Pending pending = 0;
  world.put(0, 1, thread, 7, &pending);
  world.at(0).quiet(pending);
  MODEL_REQUIRE(world.word(1, thread) == 7);
  world.finish();
}

// One thread is quiet while the other puts on the same context, and then waits for the first.
void one_appends_while_the_other_waits(World& world, int thread) {
  if (thread == 2) return world.serve(1);
  world.put(0, 1, thread, 7, &world.pending);
  if (thread == 0) {
    world.at(0).quiet(world.pending);
    MODEL_REQUIRE(world.word(1, 0) == 7);
  }
  world.finish();
}

// A thread reads what it may have written, while the other writes more and asks for nothing.
void one_appends_before_a_read(World& world, int thread) {
  if (thread == 2) return world.serve(1);
  static uint64_t large[put_by_record / 8 + 1];
  world.put(0, 1, thread, 7, nullptr);
  if (thread == 0) world.at(0).get(World::place(1, 8), large, sizeof large);
  world.finish();
}

// One thread completes everything, node after node, while the other puts to the last node.
void one_appends_elsewhere(World& world, int thread) {
  if (thread > 1) return world.serve(thread - 1);
  world.put(0, 1 + thread, 0, 7, nullptr);
  if (thread == 0) {
    world.at(0).quiet_all();
    MODEL_REQUIRE(world.word(1, 0) == 7);
  }
  world.finish();
}

// Node 2 gets from node 0, which completes what it has put to node 1.
void one_answers_while_it_waits_elsewhere(World& world, int thread) {
  if (thread == 2) return world.serve(1);
  if (thread == 1) {
    uint64_t value = 0;
    world.at(2).get(World::place(0, 0), &value, sizeof value);
    world.finish();
    return world.serve(2);
  }
  world.put(0, 1, 0, 7, nullptr);
  world.at(0).quiet_all();
  world.finish();
  world.serve(0);
}

// As barriers do: what comes anyway answers. A mark of what was asked may not stay behind, or after 2^31 messages it is ahead.
void answers_come_unasked(World& world, int thread) {
  Node& mine = world.at(thread);
  if (thread == 0) world.put(0, 1, 0, 7, nullptr);
  mine.wait([&] { return world.word(thread, 0) == 7; });
  if (thread == 1) world.put(1, 0, 0, 7, nullptr);
  const Channel& channel = mine.wire.channel_to(1 - thread);
  MODEL_REQUIRE(static_cast<int32_t>(channel.asked - channel.answered) >= 0);
  world.finish();
  world.serve(thread);
}

// What the end of a job does: complete_network(), and then a barrier by another way while progress threads serve.
void put_and_finalize(World& world, int thread) {
  world.put(thread, 1 - thread, 0, 7, nullptr);
  world.at(thread).quiet_all();
  MODEL_REQUIRE(world.word(1 - thread, 0) == 7);
  world.finish();
  world.serve(thread);
}

// Each waits for an answer while it owes one.
void get_and_finalize(World& world, int thread) {
  uint64_t value = 0;
  world.at(thread).get(World::place(1 - thread, 0), &value, sizeof value);
  MODEL_REQUIRE(value == 0);
  world.at(thread).quiet_all();
  world.finish();
  world.serve(thread);
}

// What follows that barrier: processes end, each with its connections, whatever is in them.
void put_and_exit(World& world, int thread) {
  put_and_finalize(world, thread);
  world.at(thread).exit();
}

void get_and_exit(World& world, int thread) {
  get_and_finalize(world, thread);
  world.at(thread).exit();
}

void one_puts_and_all_exit(World& world, int thread) {
  if (thread == 0) {
    world.put(0, 1, 0, 7, nullptr);
    world.at(0).quiet_all();
    MODEL_REQUIRE(world.word(1, 0) == 7);
    world.finish();
  }
  world.serve(thread);
  world.at(thread).exit();
}

// The answers may be as many messages as gather, of which the last one asks for an answer itself (replaced_channel/wire/window.hpp).
void one_gets_and_all_exit(World& world, int thread) {
  if (thread == 0) {
    uint64_t values[3];
    Pending pending = 0;
    for (int i = 0; i < 3; ++i)
      world.at(0).get_later(World::place(1, i), &values[i], sizeof values[i], &pending);
    world.at(0).quiet_all();
    world.finish();
  }
  world.serve(thread);
  world.at(thread).exit();
}

}  // namespace
}  // namespace atrium

int main(int argc, char** argv) {
  using namespace atrium;
  mallopt(M_MMAP_THRESHOLD, 1 << 30);  // a wire's tables are made anew for each execution
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
  const NetworkConditions ideal{}, keeping{true, 0}, refusing{false, 1};
  const NetworkConditions closing{false, 0, 0, true}, closing_refused{false, 1, 0, true},
      keeping_long{true, 0, 1, true}, in_order{false, 0, 0, false, true},
      in_order_refused{false, 1, 0, false, true};
  return model::explore_all(
      {scenario("a put and quiet", 2, 2, 1, ideal, put_and_be_quiet<1>),
       scenario("four puts and quiet", 2, 2, 1, ideal, put_and_be_quiet<4>),
       scenario("four puts and quiet, messages kept", 2, 2, 1, keeping, put_and_be_quiet<4>),
       scenario("four puts and quiet, a refusal each", 2, 2, 1, refusing, put_and_be_quiet<4>),
       scenario("a large put and quiet", 2, 2, 1, ideal, put_much_and_be_quiet),
       scenario("a large put and quiet, writes before messages", 2, 2, 1, in_order, put_much_and_be_quiet),
       scenario("a large put, uncounted, and quiet", 2, 2, 1, ideal, put_much_uncounted_and_be_quiet),
       scenario("a large put, uncounted, and quiet, writes before messages, a refusal each", 2, 2, 1,
                in_order_refused, put_much_uncounted_and_be_quiet),
       scenario("a large put, uncounted, and a read", 2, 2, 1, ideal, put_much_uncounted_and_read_it),
       scenario("a large put, uncounted, and a read, writes before messages, a refusal each", 2, 2, 1,
                in_order_refused, put_much_uncounted_and_read_it),
       scenario("a large put, uncounted, and a fence", 2, 2, 1, ideal, put_much_uncounted_before_a_fence),
       scenario("a large put, uncounted, and a fence, writes before messages", 2, 2, 1, in_order,
                put_much_uncounted_before_a_fence),
       scenario("puts are seen in order", 2, 3, 2, ideal, puts_are_seen_in_order),
       scenario("gets see in order", 2, 3, 2, ideal, gets_see_in_order),
       scenario("answers come unasked", 2, 2, 2, ideal, answers_come_unasked),
       scenario("puts and finalize of two", 2, 2, 2, ideal, put_and_finalize),
       scenario("puts and finalize of two, two refusals each", 2, 2, 2, {false, 2}, put_and_finalize),
       scenario("puts and exit of two", 2, 2, 2, closing, put_and_exit),
       scenario("gets and exit of two", 2, 2, 2, closing, get_and_exit),
       scenario("a put and exit of two, a refusal each", 2, 2, 1, closing_refused, one_puts_and_all_exit),
       scenario("a put and exit of two, kept until a rest", 2, 2, 1, keeping_long, one_puts_and_all_exit),
       scenario("three gets and exit of two, a refusal each", 2, 2, 1, closing_refused,
                one_gets_and_all_exit),
       scenario("gets and finalize of two", 2, 2, 2, ideal, get_and_finalize),
       scenario("one appends while the other waits", 2, 3, 2, ideal, one_appends_while_the_other_waits),
       scenario("one answers while it waits elsewhere", 3, 3, 2, ideal, one_answers_while_it_waits_elsewhere),
       scenario("one appends elsewhere", 3, 4, 2, ideal, one_appends_elsewhere),
       scenario("one appends before a read", 2, 3, 2, ideal, one_appends_before_a_read),
       scenario("two threads put and are quiet", 2, 3, 2, ideal, two_put_and_are_quiet)},
      {{"wire/node_memory.cpp", "full_fence", "no access that a model sees: the engine wrote"}}, argc, argv);
}
