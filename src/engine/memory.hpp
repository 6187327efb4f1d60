// An engine for tests: a network inside one process, as unkind as real ones may be.
// SPDX-License-Identifier: BSD-3-Clause
//
// What moves when is drawn from a seed, without clock or socket: the same calls in the same order give the
// same history. Messages of one engine to one peer keep their order; everything else may overtake everything.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <random>
#include <vector>

#include "engine/engine.hpp"

namespace atrium {

struct NetworkConditions {
  uint64_t seed = 1;
  double delay = 0.5;               // chance that a step leaves a thing where it is
  double refusal = 0.1;             // chance that a post is answered `later`
  double refusal_burst = 0.0;       // chance that a refusal is followed by twenty more
  double late_completion = 0.5;     // chance that a completion is held back for a step, behind later ones
  double torn_write = 0.5;          // chance that a write arrives in pieces
  bool target_must_poll = true;     // writes and reads move only when the target polls
  bool sends_after_writes = false;  // and half of the writes are complete at once
  size_t receive_split = 0;  // a receive buffer counts as used after so many messages; 0: when it is full
  bool own_keys = false;     // keys are not those that were asked for, and places count from an address
  size_t largest_transfer = 1 << 20;
  bool shows_links = false;
};

class MemoryEngine;

// Where the engines of a test meet. Thread safety: any number of threads, one per engine.
class MemoryNetwork {
 public:
  explicit MemoryNetwork(const NetworkConditions& conditions)
      : conditions_(conditions), random_(conditions.seed) {}

  std::unique_ptr<Engine> open();
  // From now on nothing moves between the two, and posts to each other are refused, until they are joined.
  void cut(Peer a, Peer b);
  void join(Peer a, Peer b);
  // From now on what `from` sends to `to` goes to the stranger, who has taken its place in the connection; or to `to` again.
  void take_place(Peer from, Peer to, Peer stranger);
  // A message of a stranger's is announced to the engine, and never comes.
  void withdraw_one(Peer whom);
  // Called with everything that is sent: what a reader of the wire sees.
  std::function<void(Peer from, Peer to, const std::string& data)> tap;
  // The engine's next operation ends with an error.
  void fail_next(Peer who) { failing_ = static_cast<int>(who); }
  const NetworkConditions& conditions() const { return conditions_; }
  // How often engines were asked for their links.
  uint64_t looks() const { return looks_; }

 private:
  friend class MemoryEngine;
  friend class MemoryProbe;

  struct Flight {  // a write or read under way
    bool is_write;
    Peer from, to;
    RegionKey region;
    uint64_t place;
    char* local;
    size_t bytes, moved;
    void* token;
    bool is_reported = false;  // complete already,
    std::vector<char> kept{};  // ... as the data has been copied
  };
  struct Sending {
    Peer from;
    std::string data;
    uint64_t flights_before;  // number of the newest write posted before it
  };

  bool drawn(double chance) { return std::uniform_real_distribution<double>(0, 1)(random_) < chance; }
  bool is_cut(Peer a, Peer b) const;
  Peer whom_reaches(Peer from, Peer to) const;
  std::vector<Link> links_of(Peer self) const;
  bool refuses();
  void step(Peer poller);
  void move(Flight& flight);
  void keep(Flight& flight);
  void deliver(Peer poller);
  bool waits_for_writes(const Sending& sending, Peer to) const;

  NetworkConditions conditions_;
  std::mutex mutex_;
  std::mt19937_64 random_;
  std::vector<MemoryEngine*> engines_;
  std::vector<std::pair<Peer, Peer>> cuts_;
  struct Replaced {
    Peer by;
    uint64_t time;  // the how manyth link
  };
  std::map<std::pair<Peer, Peer>, Replaced> replaced_;
  uint64_t replacements_ = 0;
  uint64_t looks_ = 0;
  std::vector<std::pair<uint64_t, Flight>> flights_;
  uint64_t flights_posted_ = 0;
  int burst_left_ = 0;
  int failing_ = -1;
};

}  // namespace atrium
