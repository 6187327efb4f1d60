// An engine over the kernel's TCP: its listener, its peers, and the operations under way.
// SPDX-License-Identifier: BSD-3-Clause
//
// A posted frame is written at once if the socket takes it. Frames are read when the engine is polled. There is no thread. Large data goes
// between the memory of both sides and the kernel's buffers without another copy.
//
// A stream keeps the order: a message arrives after the writes posted before it (sends_after_writes). A write is complete when the kernel
// has it.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "engine/engine.hpp"
#include "engine/tcp/epoll.hpp"
#include "engine/tcp/listener.hpp"
#include "engine/tcp/peer.hpp"

namespace atrium {

class KernelTcp final : public Engine {
 public:
  // `message`: bytes of the largest one; `peers`: how many are expected.
  KernelTcp(size_t message, size_t peers);
  Result<void> open(const std::string& address);

  const EngineTraits& traits() const override { return traits_; }
  Result<std::string> name() override { return packed_; }
  Result<Peer> insert(std::string_view name) override;
  Result<RegionKey> register_region(void* start, size_t bytes, uint64_t wanted) override;

  Post send(Peer to, const void* data, size_t bytes, void* token) override;
  Post post_receive(void* buffer, size_t bytes, void* token) override;
  Post write(Peer to, const RegionKey& region, uint64_t place, const void* source, size_t bytes,
             void* token) override;
  Post read(Peer from, const RegionKey& region, uint64_t place, void* dest, size_t bytes,
            void* token) override;

  int poll(EngineEvent* events, int room) override;
  int wait_fd() const override { return epoll_.descriptor(); }
  bool may_sleep() override;

  std::unique_ptr<Probe> probe(Peer whom) override;
  std::vector<Link> links(Peer whom) override;
  // A connection that is closed is never replaced.
  bool stands(const Link& link) override { return peers_[link.mark]->state == State::open; }

  const Error& last_error() const override { return error_; }

 private:
  using State = TcpPeer::State;

  struct Region {
    char* start = nullptr;
    size_t bytes = 0;
    uint64_t key = 0;
    bool holds(const TcpFrame& frame) const {
      return start && frame.key == key && frame.place <= bytes && frame.bytes <= bytes - frame.place;
    }
  };
  // Passes the frames of one peer on, with the peer.
  class Incoming final : public TcpFrameSink {
   public:
    Incoming(KernelTcp& engine, TcpPeer& peer) : engine_(engine), peer_(peer) {}
    TcpDestination begin_frame(const TcpFrame& frame) override { return engine_.begin_frame(peer_, frame); }
    void end_frame(const TcpFrame& frame) override { engine_.end_frame(peer_, frame); }

   private:
    KernelTcp& engine_;
    TcpPeer& peer_;
  };

  static constexpr int most_polls = 8;  // from one look at all sockets to the next

  // connecting.cpp
  TcpPeer& peer_named(const std::string& name);
  void update_interest(TcpPeer& peer);
  bool use_socket(TcpPeer& peer, TcpSocket socket, State state);
  void close(TcpPeer& peer);
  void connect(TcpPeer& peer);
  void send_hello(TcpPeer& peer);
  void opened(TcpPeer& peer);
  void accept_peers(uint64_t mark);
  void accept(TcpPeer& peer, TcpSocket socket);
  void retry_later(TcpPeer& peer);
  void retry_unreachable();
  void fail(TcpPeer& peer, int error);

  // kernel_tcp.cpp: sending
  Post post(TcpPeer& peer, TcpPost post);
  Post complete_at_once(const TcpPost& post);
  void write_out(TcpPeer& peer);
  void poll_sockets();
  void handle_socket(TcpPeer& peer, uint32_t ready);

  // receiving.cpp
  TcpDestination begin_frame(TcpPeer& peer, const TcpFrame& frame);
  TcpDestination reserve_for(TcpPeer& peer, const TcpFrame& frame);
  void end_frame(TcpPeer& peer, const TcpFrame& frame);
  void answer_read(TcpPeer& peer, const TcpFrame& frame);
  void finish_read(TcpPeer& peer, bool is_refused);
  void after_input(TcpPeer& peer, bool makes_sense);
  void resume(TcpPeer& peer);
  bool receive(TcpPeer& peer);

  void report(EngineEvent::Kind kind, void* token = nullptr) { events_.push_back({kind, token, nullptr, 0}); }
  Error failure(const std::string& because) const;
  Error closed_by_program(const std::string& what) const;

  EngineTraits traits_;
  TcpEvents events_;
  TcpEpoll epoll_;
  TcpListener listener_;
  TcpName name_;
  std::string packed_;  // name_, as peers receive it
  TcpReceiveBuffers buffers_;
  std::vector<std::unique_ptr<TcpPeer>> peers_;
  std::unordered_map<std::string_view, Peer> by_name_;  // keys are the peers' own strings
  std::vector<TcpPeer*> unreachable_;                   // tried again from time to time
  std::vector<TcpPeer*> waiting_;                       // with a message that no receive buffer has space for
  TcpPeer* last_ = nullptr;                             // from which something came last
  int polls_ = 0;                                       // since the last look at all sockets
  std::unique_ptr<char[]> staging_;
  Region region_;
  Error error_;
};

}  // namespace atrium
