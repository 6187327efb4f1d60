// Moving bytes between nodes: what Atrium asks of a network library, as narrow as it could be made.
// SPDX-License-Identifier: BSD-3-Clause
//
// Words.      *Engine*: one process's door to the network. *Peer*: the engine of another process, found by
//             its *name*, which is a few bytes that only engines of the same provider understand. *Region*:
//             memory of mine that peers may read and write if they know its key. *Token*: what the caller
//             gives with an operation and finds again in its *completion*, which is an event that poll() reports.
//
// Promises, which the contract suite holds each implementation to (tests/contract/engine_test.cpp):
//   - Messages from one engine to one peer arrive whole, once, and in the order in which they were taken.
//   - A write is complete when its data is in the target's memory, not earlier. Writes and reads keep no
//     order among themselves, nor with messages.
//   - Unless traits().sends_after_writes: then a message is received when the data of all writes that were posted before it is
//     there, and a write may be complete as soon as its source may be reused. Who wants to know sends a message behind it.
//   - Anybody may send, and say anything: whatever becomes of a message that comes, it ends no operation of this engine, and its
//     receive buffers are reported as used at last.
//   - Nothing moves by itself: both sides call poll() now and then.
//   - A post that cannot be taken now (Post::later) has done nothing; poll() and try again.
//   - Neither time nor sockets show: a simulator may stand behind this.
//
// Thread safety: one caller at a time. Only wait_fd()'s descriptor may be polled beside that.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.hpp"
#include "os/probe.hpp"

namespace atrium {

// Of a transfer. Nothing is heard of a node before a part is there, and a slow network that many share still takes less than the time
// after which silence counts (lobby/liveness.hpp).
inline constexpr size_t largest_part = size_t{4} << 20;

struct EngineTraits {
  std::string provider;         // "tcp;ofi_rxm", "memory", ...
  size_t largest_message = 0;   // bytes of one send
  size_t largest_transfer = 0;  // bytes of one write or read
  bool sends_after_writes =
      false;              // a message shows that the writes before it are there, their completion does not
  bool connected = true;  // each peer costs a connection: few endpoints per node are better
  bool light_endpoints = false;  // ... where these connections are many; beside them an endpoint costs little
  bool pins_memory = false;      // registering memory makes it present
  // Each takes a microsecond of a CPU or more, on both sides: by calls of the kernel, as over TCP.
  bool costly_messages = false;
  // An attacker who reaches this engine's port can redirect what is sent to a peer, and neither side notices. Writes and reads
  // carry keys and data in clear, so they then go only by a link whose other end the peer has confirmed.
  bool shows_links = false;
};

using Peer = uint64_t;

// What a peer needs to reach a region: offsets count from `base`.
struct RegionKey {
  uint64_t key = 0;
  uint64_t base = 0;
};

// What joins this engine to another: a connection of the network, by the names of its ends. The other one sees the same two.
using LinkEnd = std::array<unsigned char, 18>;
struct Link {
  LinkEnd mine{}, theirs{};
  int descriptor = -1;  // what it is here, to the engine
  uint64_t mark = 0;
};

enum class Post {
  taken,  // a completion will come
  done,   // over: the buffer may be reused, no completion comes
  later,  // nothing happened: poll, then try again
  failed  // last_error() says why
};

struct EngineEvent {
  enum class Kind : uint8_t {
    sent,         // the message's buffer may be reused
    received,     // `data`, `bytes`: a message, valid until the buffer behind `token` is posted again
    buffer_used,  // the receive buffer behind `token` takes no further message
    lost,     // a message that was sent or announced was too long, or did not arrive; nothing else is changed
    written,  // the data is in the target's memory; with sends_after_writes: the source may be reused
    read,     // the data is here
    failed    // the operation behind `token`, which is no receive, came to nothing; last_error() says why
  };
  Kind kind = Kind::failed;
  void* token = nullptr;
  const char* data = nullptr;
  size_t bytes = 0;
};

class Engine {
 public:
  virtual ~Engine() = default;  // closes: what is under way is forgotten, buffers are the caller's again

  virtual const EngineTraits& traits() const = 0;
  virtual Result<std::string> name() = 0;
  virtual Result<Peer> insert(std::string_view name) = 0;
  // At most one region per engine: another one takes its place. `wanted` is the key to use where the provider lets us choose.
  virtual Result<RegionKey> register_region(void* start, size_t bytes, uint64_t wanted) = 0;

  virtual Post send(Peer to, const void* data, size_t bytes, void* token) = 0;
  // The buffer takes messages, each `largest` bytes at most, until a completion says that it is used.
  virtual Post post_receive(void* buffer, size_t bytes, void* token) = 0;
  virtual Post write(Peer to, const RegionKey& region, uint64_t place, const void* source, size_t bytes,
                     void* token) = 0;
  virtual Post read(Peer from, const RegionKey& region, uint64_t place, void* dest, size_t bytes,
                    void* token) = 0;

  // Where traits().shows_links: those of which one may lead to this peer. Links come and go within calls of this engine only, and
  // while the one to a peer stands, all that is sent to the peer goes there.
  virtual std::vector<Link> links([[maybe_unused]] Peer whom) { return {}; }
  virtual bool stands([[maybe_unused]] const Link& link) { return true; }

  // Moves things on and reports up to `room` (at least 2) completions; returns how many.
  virtual int poll(EngineEvent* completions, int room) = 0;
  // Readable when poll() may have something; -1 where there is no such descriptor.
  virtual int wait_fd() const = 0;
  // Whether one may sleep on wait_fd() now: asked right before, each time.
  virtual bool may_sleep() = 0;

  // Asks the peer's host whether it is there. Null where this network knows no way to. How long to wait for an answer is
  // the caller's to say; to be asked seldom, as it may cost the host a place in a queue.
  virtual std::unique_ptr<Probe> probe([[maybe_unused]] Peer whom) { return nullptr; }

  virtual const Error& last_error() const = 0;
};

using EngineResult = Result<std::unique_ptr<Engine>>;

}  // namespace atrium
