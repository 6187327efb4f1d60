// Watches whether the nodes of a job can still reach each other, independently of their messages.
// SPDX-License-Identifier: BSD-3-Clause
//
// The first PE of each node keeps a connection to the first PE of its parent in a binary tree of nodes, on which the two kernels
// send each other keepalives (os/tcp_link.hpp). The tree joins all nodes, so however a network is divided, each part has an end of
// a connection that was cut. A node that finds a cut reports it to its neighbours in the tree, and they to theirs, before it ends.
// So every part ends, even if its PEs wait only for each other and no launcher reaches them. A connection that is closed means
// nothing, because the launcher handles PEs that end. Nor does one that could never be made: a firewall may prevent it.
//
// The HostWatch of the channels finds a cut that no connection of the tree crosses, such as a cable between two hosts, and reports
// it here.
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
  uint64_t secret = 0;                           // of the job: messages without it are ignored
  std::vector<std::string> names;                // of each node's NodeWatch; empty: it has none
  std::vector<std::string> hosts;                // names of the nodes, for messages
  const std::atomic<uint64_t>* found = nullptr;  // the Cut that a PE of this node has found, or 0
  void (*cut_off)(void* subject, const Error& error) = nullptr;  // ends the job here
  void* subject = nullptr;
};

class NodeWatch {
 public:
  // Listens at some addresses of this host, of which the plan chooses one. Null if it cannot listen at any.
  static std::unique_ptr<NodeWatch> listen(const std::vector<std::string>& addresses);
  ~NodeWatch();
  // The name by which other nodes reach it, for each address; empty where it does not listen.
  const std::vector<std::string>& names() const { return names_; }
  // Once. Without effect if no thread can be created.
  void start(const NodeWatchPlan& plan);
  // Between finalize and the next init a cut has no effect.
  void set_paused(bool paused) { paused_.store(paused, std::memory_order_relaxed); }
  // It stops watching soon, and can no longer be reached. Its destructor waits for that.
  void stop() { stop_ = true; }
  int thread() const { return thread_.id(); }

 private:
  struct Word;
  struct Link {
    enum class State : uint8_t { begins, stands, stranger };
    TcpSocket socket;
    State state = State::stranger;
    uint32_t node = 0;  // at the other end; unknown before its greeting
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
