// What PEs and launcher tell each other through the lobbies (src/bootstrap/launcher, src/lobby beside
// launch/process/job_segment): blobs between nodes, where a PE waits, that it has left.
// SPDX-License-Identifier: BSD-3-Clause
//
// Models: SYNC node-contributed node-gathered lobby-wait lobby-wait-text pe-state
#include <cstring>
#include <string>

#include "model.hpp"

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
namespace atrium {

namespace {

struct Node {
  Lobby lobby;
  int32_t placement[32] = {};  // as many words as leave the rest where it belongs
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
      node.lobby.placement_words = std::size(node.placement);
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

const int any_bell = ::eventfd(0, 0);  // rung by the eventfd_write below, which is none

// As src/bootstrap/exchange.cpp does: tell mine, read the other's.
void exchange_blobs(Job& job, int node) {
  Launched launched(Placement(node, {0, 1}), -1, any_bell, {});
  LobbyVisit visit(&job.nodes[node].lobby, 0);
  NodeBlob* blobs = visit.lobby().blobs();
  write_blob(blobs[node], 10 + static_cast<uint64_t>(node));
  static_cast<void>(launched.exchange(visit));
  MODEL_REQUIRE(read_blob(blobs[1 - node]) == 10 + static_cast<uint64_t>(1 - node));
}

// Has a node told what has not been taken yet?
bool rings(void* job) {
  for (const auto& node : static_cast<Job*>(job)->segment.nodes_)
    if (node.lobby->contributed.load(std::memory_order_relaxed) != node.taken) return true;
  return false;
}

// Thread 2 is the launcher, whom each bell wakes (launch/process/exchange.cpp).
void blobs_travel(Job& job, int thread) {
  if (thread < 2) return exchange_blobs(job, thread);
  std::vector<std::string> blobs(2);
  for (size_t told = 0; told < 2;) {
    model::await(rings, &job);
    for (auto& [node, blob] : job.segment.take_contributions()) {
      model::plain_read(&job.nodes[node].blobs[node], 16);  // which it has just copied
      blobs[static_cast<size_t>(node)] = std::move(blob);
      ++told;
    }
  }
  job.segment.deliver(blobs);
}

// Two waits, one after the other; what the launcher reads is all of one of them, or nothing.
struct Wait {
  std::atomic<uint64_t> since_ns{0};
  std::atomic<uint64_t> words[2] = {};
};

void a_wait_is_told_whole(Wait& wait, int thread) {
  if (thread == 0) {
    publish_words(wait.since_ns, wait.words, {100, 101}, 100);
    wait.since_ns.store(0, std::memory_order_relaxed);  // it is over (job/long_wait.cpp)
    publish_words(wait.since_ns, wait.words, {200, 201}, 200);
  } else if (const uint64_t since = words_since(wait.since_ns); since > being_written) {
    if (const auto words = read_words(wait.since_ns, wait.words, since))
      MODEL_REQUIRE((*words)[0] == since && (*words)[1] == since + 1);
  }
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
       model::scenario<Wait>("a wait is told whole", 2, a_wait_is_told_whole),
       model::scenario<Job>("who has left has written all", 2, who_has_left_has_written_all)},
      {}, argc, argv);
}
