// What PEs and launcher tell each other through the lobbies (src/bootstrap/launcher, src/job/long_wait, src/lobby beside
// launch/process/job_segment): blobs between nodes, where a PE waits, that it has left.
// SPDX-License-Identifier: BSD-3-Clause
//
// Models: SYNC node-told node-heard lobby-wait lobby-wait-text pe-state
#include <cstring>
#include <string>

#include "model.hpp"
#include "wait/reason.hpp"

// Copies of blobs, whose first words alone are looked at.
namespace std {
inline void* copy_blob(void* to, const void* from, size_t bytes) {
  model::plain_read(from, 16), model::plain_write(to, 16);
  return __builtin_memcpy(to, from, bytes);
}
}  // namespace std
#define memcpy copy_blob
#define private public  // a segment and a visit without a descriptor to map
#define protected public
#include "bootstrap/launcher.cpp"
#include "launch/process/job_segment.cpp"
#include "lobby/visit.cpp"
#include "topology/placement.cpp"
#undef protected
#undef private
#undef memcpy
// The text of a wait is short here: each letter is a step.
namespace atrium {
struct LongWaits {
  bool (*tell)(const WaitReason&, uint64_t);
  void (*forget)();
};
void watch_long_waits(const LongWaits&) {}
}  // namespace atrium
#define starts_with(text) empty()
#include "job/long_wait.cpp"
#undef starts_with

namespace atrium {

std::string describe_caller() { return {}; }
std::string describe_words(const WaitReason& reason) { return {static_cast<char>(reason.value)}; }
Team world;
Team& world_team = world;

namespace {

struct Node {
  Lobby lobby;
  int32_t node_of[32] = {};
  PeSlot slots[1];
  Domain domains[most_known_cpus];
  LobbyWait waits[1];
  NodeBlob blobs[2] = {};
};

// Two nodes of one PE each.
struct Job {
  Job() : segment(Placement(0, {0, 1})) {
    for (Node& node : nodes) {
      node.lobby.pes = node.lobby.nodes = 2;
      node.lobby.places = 1;
      segment.nodes_.push_back({-1, &node.lobby});
    }
  }
  Node nodes[2];
  JobSegment segment;
  long last_words = 0;
};

void write_blob(NodeBlob& blob, uint64_t value) {
  model::plain_write(&blob, 16);
  blob.bytes = sizeof value;
  __builtin_memcpy(blob.data, &value, sizeof value);
}
uint64_t read_blob(const NodeBlob& blob) {
  model::plain_read(&blob, 16);
  uint64_t value;
  __builtin_memcpy(&value, blob.data, sizeof value);
  return value;
}

// As src/bootstrap/exchange.cpp does: tell mine, read the other's.
void exchange_blobs(Job& job, int node) {
  Launched launched(Placement(node, {0, 1}), -1, -1, {});
  LobbyVisit visit(&job.nodes[node].lobby, 0);
  NodeBlob* blobs = visit.lobby().blobs();
  write_blob(blobs[node], 10 + static_cast<uint64_t>(node));
  static_cast<void>(launched.exchange(visit));
  MODEL_REQUIRE(read_blob(blobs[1 - node]) == 10 + static_cast<uint64_t>(1 - node));
}

// Has a node told what has not been taken yet?
bool rings(void* job) {
  for (const auto& node : static_cast<Job*>(job)->segment.nodes_)
    if (node.lobby->told.load(std::memory_order_relaxed) != node.taken) return true;
  return false;
}

// Thread 2 is the launcher, whom each bell wakes (launch/process/exchange.cpp).
void blobs_travel(Job& job, int thread) {
  if (thread < 2) return exchange_blobs(job, thread);
  std::vector<std::string> blobs(2);
  for (size_t told = 0; told < 2;) {
    model::await(rings, &job);
    for (auto& [node, blob] : job.segment.take_told()) {
      model::plain_read(&job.nodes[node].blobs[node], 16);  // which it has just copied
      blobs[static_cast<size_t>(node)] = std::move(blob);
      ++told;
    }
  }
  job.segment.deliver(blobs);
}

// Two waits, one after the other; what the launcher reads is all of one of them, or nothing.
void a_wait_is_told_whole(Job& job, int thread) {
  if (thread == 0) {
    tell_long_waits_in(job.nodes[0].waits[0]);
    tell({WaitKind::value, nullptr, 0, 'a', ""}, 100);
    forget();
    tell({WaitKind::value, nullptr, 0, 'b', ""}, 200);
  } else if (const auto wait = job.segment.wait(0)) {
    MODEL_REQUIRE(wait->since_ns == 100 || wait->since_ns == 200);
    MODEL_REQUIRE(wait->what == (wait->since_ns == 100 ? "a" : "b"));
  }
}

// Two threads of a PE, of which the second may find that the first has forgotten its wait.
void threads_tell_their_waits_whole(Job& job, int thread) {
  tell_long_waits_in(job.nodes[0].waits[0]);
  if (thread == 0 && tell({WaitKind::value, nullptr, 0, 'a', ""}, 100)) forget();
  if (thread == 1) tell({WaitKind::value, nullptr, 0, 'b', ""}, 200);
  if (thread != 2) return;
  if (const auto wait = job.segment.wait(0)) MODEL_REQUIRE(wait->what == (wait->since_ns == 100 ? "a" : "b"));
}

void who_has_left_has_written_all(Job& job, int thread) {
  if (thread == 0) {
    model::plain_write(&job.last_words, sizeof job.last_words);
    job.last_words = 1;
    LobbyVisit(&job.nodes[0].lobby, 0).set_state(PeState::left);
  } else if (job.segment.state(0) == PeState::left) {
    model::plain_read(&job.last_words, sizeof job.last_words);
    MODEL_REQUIRE(job.last_words == 1);
  }
}

}  // namespace
}  // namespace atrium

extern "C" int eventfd_write(int, eventfd_t) { return 0; }

int main(int argc, char** argv) {
  using namespace atrium;
  return model::explore_all(
      {model::scenario<Job>("blobs travel", 3, blobs_travel),
       model::scenario<Job>("a wait is told whole", 2, a_wait_is_told_whole),
       model::scenario<Job>("threads tell their waits whole", 3, threads_tell_their_waits_whole),
       model::scenario<Job>("who has left has written all", 2, who_has_left_has_written_all)},
      {{"job/long_wait.cpp", "being_written", "stores take place in the order of steps here"},
       {"job/long_wait.cpp", "void forget()", "likewise"}},
      argc, argv);
}
