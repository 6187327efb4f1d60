// A PE's endpoint: its operations on the memory of other nodes, and the records that it executes for them.
// SPDX-License-Identifier: BSD-3-Clause
//
// The wire (wire/wire.hpp) decides what is sent and interprets what is received; it never waits and knows no network. The endpoint
// owns the wire, an engine, and the lock under which both are used. It passes messages from one to the other, and waits.
//
// Words.      Those of the wire. *Progress lock*: its holder drives the endpoint. *Progress thread*: drives it while the
//             PE does not.
// Invariants. All state is under the progress lock.
// Thread safety: any number of threads, unless said otherwise.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/result.hpp"
#include "engine/engine.hpp"
#include "lobby/liveness.hpp"
#include "lobby/traffic.hpp"
#include "network/issuer.hpp"
#include "network/peer_links.hpp"
#include "network/peer_silence.hpp"
#include "network/progress_lock.hpp"
#include "network/sleepers.hpp"
#include "wire/wire.hpp"

namespace atrium {

class Doorbell;
class ProgressThread;
class Rings;
class RingThread;
struct RingBlock;

// What an endpoint needs from its process, so that tests and simulators can supply their own.
struct EndpointHost {
  // [offset, offset + bytes) of that PE's memory has changed: wakes the threads that sleep on it.
  void (*wake)(void* subject, int local, uint64_t offset, uint64_t bytes) = nullptr;
  void* subject = nullptr;
  // Ends the job. If it returns (in tests), the endpoint does nothing any more, and all its waits end.
  void (*fail)(void* subject, const Error& error) = nullptr;
  // Ends the job when another node's host cannot be reached any more, nor, perhaps, can the launcher. Null: hosts are not asked
  // whether they are there (network/host_watch.hpp).
  void (*cut_off)(void* subject, uint32_t node, const Error& error) = nullptr;
  void (*note)(void* subject, const std::string& text) = nullptr;
  // Prints every message, and every channel when the endpoint fails (wire/describe.hpp). Null without ATRIUM_DEBUG.
  void (*trace)(const std::string& text) = nullptr;
  uint64_t (*now_ns)() = nullptr;
  // After this time a node that does not answer is an error; 0: never. With cut_off, not while the node's kernel answers.
  uint64_t timeout_ns = 0;
  void (*idle)(void* subject) = nullptr;  // called instead of resting, if given
  Traffic* traffic = nullptr;             // where other processes read what is under way, if any does
  Liveness* liveness = nullptr;           // ... and who does not answer
};

// A PE of this node that has no endpoint and uses this one (network/ring_block.hpp).
struct ClientRing {
  int local;
  RingBlock* block;  // where this process sees it
};

// What every PE learns of an endpoint at start.
struct EndpointAddress {
  std::string name;  // of its engine
  RegionKey region;
};

struct EndpointPlan {
  int node = 0;      // mine
  int endpoint = 0;  // my number among my node's
  JobSecret secret{};
  const SealMethod* method = &chacha20_poly1305;        // by which all endpoints of the job seal
  std::vector<std::vector<EndpointAddress>> addresses;  // of each node's endpoints, mine included
  std::vector<std::string> hosts;                       // names of the nodes, for messages
};

class Endpoint final : public Issuer, WireOwner {
 public:
  // `memory` is registered with the engine. The address is for the others; connect() when all theirs are known.
  static Result<std::unique_ptr<Endpoint>> open(std::unique_ptr<Engine> engine, const NodeMemory& memory,
                                                const EndpointHost& host, uint64_t region_key);
  const EndpointAddress& address() const { return address_; }
  Result<void> connect(const EndpointPlan& plan);
  ~Endpoint() override;

  void issue_one(Request& request, bool later) override;
  void issue_blocks(Request& first, ptrdiff_t step, ptrdiff_t here_step, size_t count, bool later) override;
  void fence() override;
  void quiet(Pending* pending) override;
  // All that I have issued to these nodes is complete, on whichever context.
  void quiet_nodes(Pending* pending, const int* nodes, size_t count) override;
  // All that I have issued to any node, on whichever context, is complete, and all requests of others are answered. When all PEs
  // have done so, and a barrier has followed, nothing that is still in a connection is needed, and nothing is sent to an endpoint
  // that is closed.
  void quiet_all();

  // One turn by a PE that waits for something else: whether anything has come since the last one, for any PE.
  bool progress();
  // A PE goes to sleep in the kernel: from now on the progress thread drives.
  void before_sleep();

  // The progress thread's. By `served` it finds out whether the PE has driven since.
  Result<void> start_progress_thread();
  // And the ring thread. Not by the thread itself; then it does nothing.
  void stop_progress_thread();
  uint64_t turns_by_pe() const { return turns_by_pe_.load(std::memory_order_relaxed); }
  bool pe_waits() const { return waiters_.load(std::memory_order_relaxed) != 0; }
  // One turn for the PE; then, if `may_sleep` comes back true, wait_fd() says when to come again, and has_slept() must
  // be called.
  int serve(bool& may_sleep);
  void has_slept();
  bool has_commands();  // of PEs that use this endpoint
  // The ring thread's: a turn, and whether they have further commands. Null: another thread holds the lock.
  std::optional<bool> serve_clients();
  int wait_fd() const { return engine_->wait_fd(); }
  // Of this endpoint, as the kernel calls them: they only move what PEs have begun.
  std::vector<int> threads() const;

  // From now on the commands of these PEs are executed; they ring at `bell`, which is mine. Requires: no thread waits, and
  // there is no progress thread yet.
  void admit(const std::vector<ClientRing>& clients, Doorbell& bell);
  // Requires: the same, and none of them has a command left.
  void dismiss();

  const Traffic& traffic() const { return traffic_; }
  const Liveness& liveness() const { return liveness_; }

  const EngineTraits& traits() const { return engine_->traits(); }
  bool has_failed() const { return failed_.load(std::memory_order_relaxed); }
  // For tests: messages sent, addresses of peers, messages in memory, messages that were ignored because no peer has sent them, and
  // channels that the last quiet visited.
  uint64_t messages_sent() const { return wire_.messages_sent(); }
  const std::vector<std::vector<EndpointAddress>>& addresses_kept() const { return plan_.addresses; }
  size_t messages_kept() const { return wire_.messages_kept(); }
  uint64_t strangers() const { return strangers_; }
  size_t channels_of_last_quiet() const { return looked_at_; }

 private:
  struct ReceiveBuffer {
    std::unique_ptr<char[]> bytes;
    bool posted = false;
  };
  class Waiter;

  static constexpr size_t receive_buffer_bytes = size_t{256} << 10;
  static constexpr size_t receive_buffer_count = 4;

  Endpoint(std::unique_ptr<Engine> engine, const NodeMemory& memory, const EndpointHost& host);

  // Calls of the wire.
  void wake(int local, uint64_t offset, uint64_t bytes) override;
  void opened(Channel& channel) override;
  void answered(Channel& channel) override;
  bool take_links(Channel& channel, const Record& record) override;

  // operations.cpp
  void perform(const Request& request);
  void await(const Pending& pending);
  void put_in_pieces(Request put);
  void put_holding(Request& request, bool later);

  // carrying.cpp: between the wire and the engine
  void send(Channel& channel, bool push);
  void send_all();
  void send_parts(Channel& channel);
  void publish_traffic();
  void handle(const EngineEvent& event);
  void receive(const char* data, size_t bytes);
  void post_receives();
  void ignore_stranger(const char* what);
  std::string note_on_strangers() const;
  void trace_channels() const;
  void fail(Error error);
  void fail_of_engine();
  void fail_interfered(const Channel& channel, const std::string& because);

  // waiting.cpp
  int turn();
  int serve_rings(bool came);
  int drive();
  uint64_t count_turn();
  template <class Ready>
  void wait(Ready ready);
  void check_silence();
  bool lie_down();
  void rise();
  uint64_t now() const { return host_.now_ns ? host_.now_ns() : 0; }

  std::unique_ptr<Engine> engine_;
  NodeMemory memory_;
  EndpointHost host_;
  EndpointAddress address_;
  EndpointPlan plan_;
  ProgressLock lock_;
  Sleepers sleepers_;

  Traffic own_traffic_{};
  Traffic& traffic_;
  Liveness own_liveness_{};
  Liveness& liveness_;
  Wire wire_;
  std::vector<Peer> peers_;  // by Channel::index
  PeerLinks links_;
  PeerSilence silence_;
  std::vector<ReceiveBuffer> receive_buffers_;
  uint64_t commands_ended_ = 0;  // of PEs that use this endpoint
  bool lacks_receives_ = false;  // some buffer is not posted
  size_t looked_at_ = 0;         // by the last quiet: channels
  uint64_t strangers_ = 0;

  std::atomic<bool> failed_{false};
  std::atomic<uint64_t> turns_by_pe_{0};
  std::atomic<uint64_t> events_{0}, events_seen_{0};
  std::atomic<uint32_t> waiters_{0};

  std::unique_ptr<ProgressThread> progress_thread_;
  std::unique_ptr<Rings> rings_;  // null where no PE uses this endpoint but mine
  std::unique_ptr<RingThread> ring_thread_;
};

}  // namespace atrium
