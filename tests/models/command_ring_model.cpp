// What a PE without an endpoint and its owner share (src/network): commands are read whole and in order, their places are
// used again only when they are executed; no bell is missed, neither by an owner who goes to sleep nor by a client.
//
// SPDX-License-Identifier: BSD-3-Clause
// Models: SYNC command-ring doorbell question
#include "model.hpp"
// clang-format off: before what uses words
#include "explorer/words.hpp"
// clang-format on
#include "network/command_ring.hpp"
#include "network/doorbell.hpp"
#include "network/questions.hpp"
#include "wire/pending.hpp"

namespace atrium {
namespace {

constexpr uint32_t small = command_size(0), large = command_size(64);

struct Shared {
  CommandRing<256> ring;  // room for a large command and a small one, and not for another one
  Doorbell bell, done, room;
  Questions questions;
  uint64_t counter = 1;
  long brought = 0;
  int taken = 0;
};

void write_command(Shared& shared, int number, uint32_t size = small) {
  struct Room {
    Shared& shared;
    uint32_t size;
  } room{shared, size};
  model::await(
      [](void* r) { return static_cast<Room*>(r)->shared.ring.has_room(static_cast<Room*>(r)->size); },
      &room);
  Command* command = shared.ring.reserve(size);
  MODEL_REQUIRE(command != nullptr);
  model::plain_write(command, sizeof *command);
  *command = Command{};
  command->size = size;
  command->kind = OperationKind::put;
  command->place.node = number;
  shared.ring.publish(size);
}

// The number of the next command, or -1.
int take_command(Shared& shared) {
  const Command* command = shared.ring.front();
  if (!command) return -1;
  model::plain_read(command, sizeof *command);
  const int number = command->place.node;
  shared.ring.pop(command->size);
  return number;
}

// The third does not fit in front of the end of the ring, and has to wait for the first one's place.
void commands_come_whole_and_in_order(Shared& shared, int thread) {
  constexpr int commands = 3;
  for (int number = 0; number < commands; ++number) {
    if (thread == 0) {
      write_command(shared, number, number == 0 ? large : small);
      continue;
    }
    model::await([](void* s) { return !static_cast<Shared*>(s)->ring.is_empty(); }, &shared);
    int taken = take_command(shared);
    if (taken < 0) {  // that was a filler
      model::await([](void* s) { return !static_cast<Shared*>(s)->ring.is_empty(); }, &shared);
      taken = take_command(shared);
    }
    MODEL_REQUIRE(taken == number);
  }
}

// As Rings::execute: the commands so far.
int take_all(Shared& shared) {
  int before;
  do {
    before = shared.taken;
    while (take_command(shared) >= 0) ++shared.taken;
  } while (shared.taken != before && !shared.ring.is_drained());
  return shared.taken;
}

// As RingThread::run: sleeps where the bell is heard.
void serve_until_taken(Shared& shared, int commands) {
  uint32_t seen = shared.bell.rings();
  while (take_all(shared) < commands) {
    shared.bell.sleep(seen);
    seen = shared.bell.rings();
  }
}

void write_and_ring(Shared& shared, int number) {
  const uint64_t before = shared.ring.written();
  write_command(shared, number);
  shared.bell.ring_if([&] { return shared.ring.is_executed(before); });
}

// The owner's thread that goes to sleep in poll(), unless there is something to do: then it drives, which here another
// one does for it.
void sleep_in_poll(Shared& shared) {
  shared.bell.announce();
  if (!shared.ring.is_empty()) shared.bell.ring_anyhow();
}

// A client, the owner's sleeper, and its thread that listens in the sleeper's place.
void who_sleeps_in_poll_is_listened_for(Shared& shared, int thread) {
  if (thread == 0) return write_and_ring(shared, 0);
  thread == 1 ? sleep_in_poll(shared) : serve_until_taken(shared, 1);
}

// The second command does not ring while the first one is not executed: whoever executes that one sees it.
void a_command_behind_another_is_not_missed(Shared& shared, int thread) {
  if (thread == 0) {
    write_command(shared, 0);
    return write_and_ring(shared, 1);
  }
  if (thread == 1) return sleep_in_poll(shared);
  model::await([](void* s) { return !static_cast<Shared*>(s)->ring.is_empty(); }, &shared);  // it drives
  serve_until_taken(shared, 2);
}

void an_impatient_client_is_heard(Shared& shared, int thread) {
  if (thread == 0) {
    write_command(shared, 0);
    shared.bell.ring_anyhow();
  } else {
    serve_until_taken(shared, 1);
  }
}

bool is_done(Shared& shared) { return is_complete(&shared.counter); }

// As RingClient::wait, in its last stage.
void a_client_is_woken(Shared& shared, int thread) {
  if (thread == 0) {
    while (!is_done(shared)) {
      const uint32_t seen = shared.done.rings();
      shared.done.announce();
      if (!is_done(shared)) shared.done.sleep(seen);
      shared.done.withdraw();
    }
    model::plain_read(&shared.brought, sizeof shared.brought);
    MODEL_REQUIRE(shared.brought == 1);
  } else {
    model::plain_write(&shared.brought, sizeof shared.brought);
    shared.brought = 1;
    complete(&shared.counter);
    shared.done.ring();
  }
}

// As Rings::wake_if_room.
void wake_if_room(Shared& shared) {
  if (!shared.ring.is_crowded()) shared.room.ring();
}

// A client fills its ring, and sleeps as in RingClient::wait until there is room for its third command.
void who_sleeps_for_room_is_woken(Shared& shared, int thread) {
  if (thread == 0) {
    write_command(shared, 0, large);
    write_command(shared, 1);
    while (!shared.ring.has_room(small)) {
      const uint32_t seen = shared.room.rings();
      shared.room.announce();
      if (!shared.ring.has_room(small)) shared.room.sleep(seen);
      shared.room.withdraw();
    }
    MODEL_REQUIRE(shared.ring.reserve(small) != nullptr);
  } else {
    model::await([](void* s) { return !static_cast<Shared*>(s)->ring.is_empty(); }, &shared);
    MODEL_REQUIRE(take_command(shared) == 0);
    wake_if_room(shared);
  }
}

void who_has_asked_is_seen_to_wait(Shared& shared, int thread) {
  if (thread == 0) {
    shared.questions.begin_wait();
    shared.questions.ask();
  } else if (shared.questions.asked() != 0) {
    MODEL_REQUIRE(shared.questions.somebody_waits());
  }
}

void whose_command_is_seen_is_seen_to_wait(Shared& shared, int thread) {
  if (thread == 0) {
    shared.questions.begin_wait();
    write_command(shared, 0);
  } else if (shared.ring.front()) {
    MODEL_REQUIRE(shared.questions.somebody_waits());
  }
}

}  // namespace
}  // namespace atrium

int main(int argc, char** argv) {
  using namespace atrium;
  return model::explore_all(
      {model::scenario<Shared>("three commands", 2, commands_come_whole_and_in_order),
       model::scenario<Shared>("an owner that goes to sleep", 3, who_sleeps_in_poll_is_listened_for),
       model::scenario<Shared>("a command behind another", 3, a_command_behind_another_is_not_missed),
       model::scenario<Shared>("an impatient client", 2, an_impatient_client_is_heard),
       model::scenario<Shared>("a client is woken", 2, a_client_is_woken),
       model::scenario<Shared>("who sleeps for room", 2, who_sleeps_for_room_is_woken),
       model::scenario<Shared>("who has asked is seen to wait", 2, who_has_asked_is_seen_to_wait),
       model::scenario<Shared>("who waits is seen with his command", 2,
                               whose_command_is_seen_is_seen_to_wait)},
      {}, argc, argv);
}
