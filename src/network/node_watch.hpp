// Whether the nodes of a job can still reach each other, watched from beside all that they say and do.
// SPDX-License-Identifier: BSD-3-Clause
//
// The first PE of each node holds a connection to that of its parent in a binary tree of nodes, on which the two kernels look for
// each other (os/tcp_link.hpp). A tree joins all nodes, so whatever way a network falls apart, each part of it has an end of
// a connection that was cut. Who finds out tells its neighbours in the tree, and they theirs, before it ends: no part is left,
// though its PEs may wait for nobody but each other, and though no launcher reaches them. A connection that is closed says
// nothing: PEs that end are the launcher's. Nor does one that never came to be: a firewall may be in the way.
//
// The channels' own HostWatch finds what no connection of the tree crosses, a cable between two hosts, and tells it here.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/result.hpp"
#include "network/background_thread.hpp"
#include "os/tcp_link.hpp"

namespace atrium {

// Two nodes that cannot reach each other, as one word of the lobby; 0: all can.
struct Cut {
  uint32_t from, to;
  uint64_t word() const { return (uint64_t{from} << 32 | to) + 1; }
  static Cut of(uint64_t word) {
    return {static_cast<uint32_t>((word - 1) >> 32), static_cast<uint32_t>(word - 1)};
  }
};

struct NodeWatchPlan {
  uint32_t node = 0;                             // mine
  uint64_t secret = 0;                           // of the job: others are not listened to
  std::vector<std::string> names;                // of each node's NodeWatch; empty: it has none
  std::vector<std::string> hosts;                // names of the nodes, for messages
  const std::atomic<uint64_t>* found = nullptr;  // what a PE of this node has found out: a Cut, or 0
  void (*cut_off)(void* subject, const Error& error) = nullptr;  // ends the job here
  void* subject = nullptr;
};

class NodeWatch {
 public:
  // At some addresses of this host, of which the plan chooses one. Null where none can be had.
  static std::unique_ptr<NodeWatch> listen(const std::vector<std::string>& addresses);
  ~NodeWatch();
  // What the other nodes need to find it there, of each address; empty where nobody listens.
  const std::vector<std::string>& names() const { return names_; }
  // Once. Where no thread can be had nobody watches.
  void start(const NodeWatchPlan& plan);
  // Between finalize and the next init nobody minds a cut.
  void set_paused(bool paused) { paused_.store(paused, std::memory_order_relaxed); }
  // Soon it looks at nothing any more, and nobody finds it. To be waited for by its destructor, some time.
  void stop() { stop_ = true; }
  int thread() const { return thread_.id(); }

 private:
  struct Word;
  struct Link {
    enum class State : uint8_t { begins, stands, stranger };
    TcpSocket socket;
    State state = State::stranger;
    uint32_t node = 0;  // at the other end; unknown of a stranger
  };

  NodeWatch() = default;
  void run();
  void connect_to_parent();
  void wait_for_news();
  void greet(Link& link);
  void listen_to(Link& link);
  void receive(Link& link, const Word& word);
  void admit();
  void report(const Cut& cut);
  void end(const Cut& cut);

  std::vector<TcpSocket> listeners_;  // by address; one alone once it has started
  std::vector<std::string> names_;
  NodeWatchPlan plan_;
  std::vector<Link> links_;
  bool is_over_ = false;
  std::atomic<bool> stop_{false}, paused_{false};
  BackgroundThread thread_;
};

}  // namespace atrium
