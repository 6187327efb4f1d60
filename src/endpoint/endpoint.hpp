// A PE's endpoint: its operations on the memory of other nodes, and the records that it executes for them.
// SPDX-License-Identifier: BSD-3-Clause
//
// Words.      *Node*: here, the PEs that share one segment. *Endpoint*: a PE's engine with all that is under
//             way on it. Any endpoint of a node can serve all PEs of that node, because it maps them all: so
//             endpoint i of a node talks to endpoint i mod k of each other node only. *Channel*: from my
//             endpoint to its counterpart. *Message*, *record*: what goes through a channel, and one operation
//             in it (endpoint/message.hpp). *Acknowledgement*: "executed up to message s", written by the
//             target node's CPU when the data is in memory: what quiet believes, never the engine's word alone.
//             *Transfer*: data too large for a record, moved by the engine's write or read. *Progress lock*:
//             its holder drives the endpoint. *Progress thread*: drives it while the PE does not.
// Invariants. All state is under the progress lock. What is under way is counted: each unanswered message
//             knows whose records it carries. Nothing is heard that a peer has not sealed for this endpoint
//             (endpoint/channel_seal.hpp), and nothing that a message says is believed before it has been checked.
// Ordering.   Records of one channel are executed in order, so a fence costs nothing for them. Transfers have no
//             order; after a fence they and the records wait for each other (endpoint/ordering.cpp).
// Thread safety: any number of threads, unless said otherwise.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "core/result.hpp"
#include "endpoint/channel.hpp"
#include "endpoint/node_memory.hpp"
#include "endpoint/progress_lock.hpp"
#include "endpoint/sleepers.hpp"
#include "endpoint/thresholds.hpp"
#include "engine/engine.hpp"
#include "lobby/hearing.hpp"
#include "lobby/traffic.hpp"

namespace atrium {

class Doorbell;
struct RingBlock;

// Where a peer's copy lies.
struct Place {
  int node;
  int local;        // number of the PE on that node
  uint64_t offset;  // in that node's view (endpoint/node_memory.hpp)
};

// A change of a word (endpoint/message.hpp has the operations).
struct Change {
  RecordOp op;
  unsigned width;  // 2, 4 or 8 bytes
  uint64_t operand = 0;
  uint64_t comparand = 0;
};

// Operations that are not complete, counted in the low 63 bits; a context's. Null where nobody will ask.
using Pending = uint64_t;

// What an endpoint needs of its surroundings, so that tests and simulators can give it theirs.
struct EndpointHost {
  // [offset, offset + bytes) of that PE's memory has changed: wake who sleeps on it.
  void (*wake)(void* subject, int local, uint64_t offset, uint64_t bytes) = nullptr;
  void* subject = nullptr;
  // Ends the job. Where it returns (tests), the endpoint does nothing any more and no wait of it lasts.
  void (*fail)(void* subject, const Error& error) = nullptr;
  // Ends the job when another node's host cannot be reached any more, nor, perhaps, can the launcher. Null: hosts are not asked
  // whether they are there (endpoint/host_watch.hpp).
  void (*cut_off)(void* subject, uint32_t node, const Error& error) = nullptr;
  void (*note)(void* subject, const std::string& text) = nullptr;
  uint64_t (*now_ns)() = nullptr;
  // After which a node that does not answer is an error; 0: never, and nobody looks. With cut_off not where its kernel answers.
  uint64_t timeout_ns = 0;
  bool rests = true;                      // waits may yield and sleep; false: they only look
  void (*idle)(void* subject) = nullptr;  // called instead of resting, if given
  Traffic* traffic = nullptr;             // where others read what is under way, if anybody does
  Hearing* hearing = nullptr;             // ... and who does not answer
};

// A PE of this node that has no endpoint and uses this one (endpoint/ring_block.hpp).
struct RingGuest {
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

class Endpoint {
 public:
  // `memory` is registered with the engine. The address is for the others; connect() when all theirs are known.
  static Result<std::unique_ptr<Endpoint>> open(std::unique_ptr<Engine> engine, const NodeMemory& memory,
                                                const EndpointHost& host, uint64_t region_key);
  const EndpointAddress& address() const { return address_; }
  Result<void> connect(const EndpointPlan& plan);
  ~Endpoint();

  // The source may be used again at return, or with `later` when *pending is down.
  void put(Pending* pending, const Place& to, const void* source, size_t bytes, bool later = false);
  // The value is there at return, or with `later` when *pending is down.
  void get(Pending* pending, void* dest, const Place& from, size_t bytes, bool later = false);
  // Blocks of strided data, `steps` in bytes.
  void put_blocks(Pending* pending, const Place& to, const void* source, ptrdiff_t to_step,
                  ptrdiff_t source_step, size_t block, size_t count, bool later = false);
  void get_blocks(Pending* pending, void* dest, const Place& from, ptrdiff_t dest_step, ptrdiff_t from_step,
                  size_t block, size_t count, bool later);

  void change(Pending* pending, const Place& word, const Change& change);
  uint64_t fetch_change(const Place& word, const Change& change);
  void fetch_change_later(Pending* pending, const Place& word, const Change& change, void* old);

  // The change of the signal is seen after all of the data is. Both are on one node.
  void put_signal(Pending* pending, const Place& to, const void* source, size_t bytes, const Place& signal,
                  const Change& change, bool later = false);
  // `bytes` to `to`, then `value` to the 8 bytes of `flag`, behind everything that I have issued to that node. The
  // source may be used again at return.
  void raise(const Place& flag, uint64_t value, const Place& to, const void* source, size_t bytes);

  // What was issued before is seen before what is issued later, per target.
  void fence();
  // All that was counted in *pending is complete; not what other threads have added meanwhile.
  void quiet(const Pending* pending);
  // Of what was counted in *pending at least all that goes to these nodes is complete. More may be: here all that I
  // have issued to them, on whichever context.
  void quiet_nodes(const Pending* pending, const int* nodes, size_t count);

  // All that I have issued to whomever, on whichever context; and what others have asked is answered. When all have done so,
  // and met, nobody needs anything that is still in a connection, and nothing is sent to an endpoint that is gone.
  void quiet_all();

  // One turn by a PE that waits for something else: whether anything has come since the last one, to whomever.
  bool progress();
  // A PE goes to sleep in the kernel: from now on the progress thread drives.
  void before_sleep();

  // The progress thread's. `served` tells it whether the PE has driven since.
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
  int wait_fd() const { return engine_->wait_fd(); }
  // Of this endpoint, as the kernel calls them: they only move what PEs have begun.
  std::vector<int> threads() const;

  // From now on the commands of these PEs are executed; they ring at `bell`, which is mine. Requires: nobody waits, and
  // there is no progress thread yet.
  void admit(const std::vector<RingGuest>& guests, Doorbell& bell);
  // Requires: the same, and none of them has a command left.
  void dismiss();

  const Traffic& traffic() const { return traffic_; }
  const Hearing& hearing() const { return hearing_; }

  const EngineTraits& traits() const { return engine_->traits(); }
  bool has_failed() const { return failed_.load(std::memory_order_relaxed); }
  // For tests: messages sent, those that memory is kept for, and those that were ignored because no peer has sent them so; how many
  // channels the last quiet looked at.
  uint64_t messages_sent() const { return messages_sent_; }
  size_t messages_kept() const { return messages_.size(); }
  uint64_t strangers() const { return strangers_; }
  size_t channels_of_last_quiet() const { return looked_at_; }

 private:
  struct Fetch {  // an answer that is awaited
    char* dest = nullptr;
    size_t bytes = 0;
    Pending* pending = nullptr;
    Channel* channel = nullptr;
    uint32_t generation = 0;
    bool in_use = false;
  };
  struct Transfer {
    Channel* channel = nullptr;
    bool is_write = false;
    uint64_t number = 0;   // of the channel's writes, or reads
    uint64_t ordinal = 0;  // of the endpoint's transfers
    Pending* pending = nullptr;
    Pending* returns = nullptr;  // who waits until the local memory is free, or filled
    char* bounce = nullptr;      // the copy that a returned put left behind
    uint32_t parts = 0;          // under way
    bool announced = false;      // its landed record is appended
    uint64_t links = 0;          // Channel::links_known when its first part was posted
    Place place{};
    uint64_t bytes = 0;
    bool has_signal = false;
    Place signal{};
    Change signal_change{RecordOp::set, 8};
  };
  struct ReceiveBuffer {
    std::unique_ptr<char[]> bytes;
    bool posted = false;
  };
  enum class Behind { fence, writes };  // writes: all that have begun, behind whichever fence
  class Patience;

  static constexpr size_t receive_buffer_bytes = size_t{256} << 10;
  static constexpr size_t receive_buffer_count = 4;
  static constexpr uint32_t fetch_index_bits = 12;  // of a token; the others are the generation
  static constexpr uint32_t fetch_index_mask = (1u << fetch_index_bits) - 1;
  static constexpr size_t bounce_count = 16;

  Endpoint(std::unique_ptr<Engine> engine, const NodeMemory& memory, const EndpointHost& host);

  // sending.cpp
  Channel& channel_to(int node);
  Channel* channel_of(uint32_t node, uint32_t endpoint);
  Message* take_message(Channel& channel);
  void give_back(Message* message);
  char* append(Channel& channel, const RecordHeader& header, size_t payload, Pending* pending);
  void append_change(Channel& channel, const Place& word, const Change& change, Pending* pending,
                     uint32_t token, bool answers);
  void append_landed(Channel& channel, const Transfer& write);
  void close_open(Channel& channel);
  void appended(Channel& channel);
  void make_room(Channel& channel);
  ChannelSeal seal_with(uint32_t node, uint16_t endpoint) const;
  void seal(Channel& channel, Message& message, uint16_t flags);
  void sent(Channel& channel, const Message& message);
  bool transmit(Channel& channel, Message& message);
  bool transmit_bare(Channel& channel, uint16_t flags);
  void pump(Channel& channel, bool push);
  void list(Channel& channel);
  void activate(Channel& channel);
  void demand_all();
  void demand(Channel& channel);

  // receiving.cpp
  void handle(const EngineEvent& event);
  Channel* open_message(const char* data, size_t bytes, MessageHeader& header);
  void ignore_stranger(const char* what);
  std::string remark_on_strangers() const;
  void receive(const char* data, size_t bytes);
  void say_missing(const Channel& channel, uint64_t number);
  void execute_all(Channel& channel, const char* data, size_t bytes);
  bool execute_one(Channel& channel, const Record& record);
  bool take_reply(Channel& channel, const Record& record);
  bool acknowledge(Channel& channel, uint32_t executed);
  void finish(Message& message);
  void post_receives();
  std::string host_of(const Channel& channel) const;
  void fail(Error error);
  void fail_of_engine();

  // ordering.cpp
  void note_fence(Channel& channel);
  Predecessors predecessors(Channel& channel, Travel travel, Behind behind);
  Channel& ready_channel(int node, Travel travel, Behind behind);

  // operations.cpp
  bool may_fetch(Channel& channel, const void* who) const;
  void await_turn_to_fetch(Channel& channel);
  uint32_t new_fetch(Channel& channel, void* dest, size_t bytes, Pending* pending);
  void append_get(Channel& channel, void* dest, const Place& from, size_t bytes, Pending* pending);
  void append_put(Channel& channel, const Place& to, const void* source, size_t bytes, Pending* pending);
  void wait_until_confirmed(Channel& channel, const Pending* pending = nullptr);
  void wait_for_active(const Pending* pending);

  // transfers.cpp
  Transfer& take_transfer(Channel& channel, Pending* pending, const Place& place, uint64_t bytes);
  void give_back(Transfer& transfer);
  uint64_t begin_transfer();
  void end_transfer(uint64_t ordinal);
  Transfer& new_write(Channel& channel, Pending* pending, const Place& to, uint64_t bytes,
                      const Place* signal, const Change* change);
  void start_write(Transfer& transfer, char* local);
  void write(Channel& channel, Pending* pending, const Place& to, const void* source, size_t bytes,
             bool later, const Place* signal, const Change* change);
  void read(Channel& channel, Pending* pending, void* dest, const Place& from, size_t bytes);
  void post_parts(Transfer& transfer, char* local);
  void announce(Transfer& transfer);
  void part_done(Transfer& transfer);
  char* take_bounce();

  // waiting.cpp
  int turn(bool push);
  int drive(bool push);
  template <class Ready>
  void wait(Ready ready);
  void check_silence();
  void complain_of_silence(Channel& channel, uint64_t silent_ns, uint64_t now_ns);
  void say_cut_off(const Channel& channel, uint64_t silent_ns);
  void heard(Channel& channel);
  bool owes_answer(const Channel& channel) const;

  // links.cpp
  bool may_transfer(Channel& channel);
  bool has_links(const Channel& channel) const;
  void tell_links(Channel& channel, bool asks);
  bool is_settled(const Channel& channel, size_t links_in_common) const;
  bool take_links(Channel& channel, const Record& record);
  bool follows_its_writes(const Channel& channel, const Message& message) const;
  std::string remark_on_links(const Channel& channel) const;
  void fail_interfered(const Channel& channel, const std::string& because);

  // rings.cpp
  class Rings;
  struct RingsDeleter {
    void operator()(Rings* rings) const;
  };
  int serve_rings(bool came);
  void stop_ring_thread();
  int ring_thread() const;
  bool has_work_in_rings();
  bool listen_to_rings();
  void stop_listening_to_rings();
  bool lie_down();
  void rise();

  std::unique_ptr<Engine> engine_;
  NodeMemory memory_;
  EndpointHost host_;
  EndpointAddress address_;
  EndpointPlan plan_;
  ProgressLock lock_;
  Sleepers sleepers_;

  std::vector<std::vector<std::unique_ptr<Channel>>> channels_;  // by node and endpoint; null: never used
  std::vector<Channel*> in_use_;
  std::vector<Channel*> busy_;
  std::vector<Channel*> active_;  // those that are not quiet, and some that were when the last quiet began
  uint32_t quiets_ = 0;           // that last
  size_t looked_at_ = 0;          // by the last one: channels
  std::vector<std::unique_ptr<Message>> messages_;
  std::vector<Message*> free_messages_;
  std::vector<Fetch> fetches_;
  std::vector<uint32_t> free_fetches_;
  std::vector<ReceiveBuffer> receive_buffers_;
  alignas(16) char opened_[message_room];  // the message that is looked at
  std::vector<std::unique_ptr<char[]>> bounces_;
  std::vector<char*> free_bounces_;
  std::vector<std::unique_ptr<Transfer>> transfers_kept_;
  std::vector<Transfer*> free_transfers_;
  uint64_t fences_ = 0;
  UnderWay transfers_;  // a write until its landed record is acknowledged
  Traffic own_traffic_{};
  Traffic& traffic_;
  Hearing own_hearing_{};
  Hearing& hearing_;
  uint64_t looked_for_silence_at_ = 0;
  uint64_t messages_sent_ = 0;
  uint64_t strangers_ = 0;

  std::atomic<bool> failed_{false};
  std::atomic<uint64_t> turns_by_pe_{0};
  std::atomic<uint64_t> events_{0}, events_seen_{0};
  std::atomic<uint32_t> waiters_{0};

  class ProgressThread;
  std::unique_ptr<ProgressThread> progress_thread_;
  std::unique_ptr<Rings, RingsDeleter> rings_;  // null where no PE uses this endpoint but mine
};

}  // namespace atrium
