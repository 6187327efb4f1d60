// One engine over TCP: its reception, its peers, and what is under way to them.
// SPDX-License-Identifier: BSD-3-Clause
//
// A frame is written when it is posted, if the socket takes it, and what has come is read when the engine is polled. There is no
// thread, and no buffer but the kernel's between the memory of both sides.
//
// In a stream what comes later is there later: messages follow the writes before them (sends_after_writes), and a write is complete
// when the kernel has it.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "engine/engine.hpp"
#include "engine/tcp/peer.hpp"
#include "engine/tcp/reception.hpp"
#include "engine/tcp/watch.hpp"

namespace atrium {

class KernelTcp final : public Engine {
 public:
  // For messages of at most `message` bytes, and so many peers.
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
  int wait_fd() const override { return watch_.descriptor(); }
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
  // Frames of one peer, as its inbox takes them apart.
  class Incoming final : public TcpInboxOwner {
   public:
    Incoming(KernelTcp& engine, TcpPeer& peer) : engine_(engine), peer_(peer) {}
    TcpLanding begins(const TcpFrame& frame) override { return engine_.begins(peer_, frame); }
    void is_there(const TcpFrame& frame) override { engine_.is_there(peer_, frame); }

   private:
    KernelTcp& engine_;
    TcpPeer& peer_;
  };

  static constexpr int most_polls = 8;  // from one look at all connections to the next

  // connecting.cpp
  TcpPeer& peer_named(const std::string& name);
  void watch_for(TcpPeer& peer);
  bool adopt(TcpPeer& peer, TcpSocket socket, State state);
  void close(TcpPeer& peer);
  void connect(TcpPeer& peer);
  void greet(TcpPeer& peer);
  void is_open(TcpPeer& peer);
  void receive_guests(uint64_t mark);
  void meet(TcpPeer& peer, TcpSocket socket);
  void put_off(TcpPeer& peer);
  void try_again();
  void broke(TcpPeer& peer, int error);

  // kernel_tcp.cpp: sending
  Post post(TcpPeer& peer, TcpPost post);
  Post posted(const TcpPost& post);
  void write_out(TcpPeer& peer);
  void look();
  void look_at(TcpPeer& peer, uint32_t ready);

  // receiving.cpp
  TcpLanding begins(TcpPeer& peer, const TcpFrame& frame);
  TcpLanding room_for(TcpPeer& peer, const TcpFrame& frame);
  void is_there(TcpPeer& peer, const TcpFrame& frame);
  void answer_read(TcpPeer& peer, const TcpFrame& frame);
  void read_is_over(TcpPeer& peer, bool is_refused);
  void took(TcpPeer& peer, bool makes_sense);
  void retry(TcpPeer& peer);
  bool receive(TcpPeer& peer);

  void report(EngineEvent::Kind kind, void* token = nullptr) { events_.push_back({kind, token, nullptr, 0}); }
  Error failure(const std::string& because) const;

  EngineTraits traits_;
  TcpEvents events_;
  TcpWatch watch_;
  TcpReception reception_;
  TcpName name_;
  std::string packed_;  // my name, as peers know it
  TcpReceiveBuffers buffers_;
  std::vector<std::unique_ptr<TcpPeer>> peers_;
  std::unordered_map<std::string_view, Peer> by_name_;  // the name is the peer's
  std::vector<TcpPeer*> unreached_;                     // and may be reached by now
  std::vector<TcpPeer*> waiting_;                       // whose messages wait for a buffer
  TcpPeer* last_ = nullptr;                             // of whom something came last
  int polls_ = 0;                                       // since the last look at all of them
  std::unique_ptr<char[]> staging_;
  Region region_;
  Error error_;
};

}  // namespace atrium
