// Verifies by which connection a peer is reached, before the key of its memory, or data in clear, is sent there.
// SPDX-License-Identifier: BSD-3-Clause
//
// Messages are sealed, so it does not matter who receives them. The engine's writes and reads are not. Where a stranger can take the
// place of a peer (EngineTraits::shows_links), each side sends the other, in a sealed record, the ends of the connections that it
// has. A connection that both sides report leads from one to the other. A stranger who forwards all messages between them has one
// connection with each of them, and they have none in common. Transfers are sent while all connections that the two have in common
// stand. When one is closed, and perhaps replaced, they wait until both sides have reported again.
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "engine/engine.hpp"
#include "wire/wire.hpp"

namespace atrium {

// Thread safety: the progress lock is held in all calls.
class PeerLinks {
 public:
  // `peers` are the engine's, by Channel::index.
  PeerLinks(Engine& engine, Wire& wire, const std::vector<Peer>& peers)
      : engine_(engine), wire_(wire), peers_(peers) {}

  // Whether the engine's writes and reads reach the peer alone, until the next turn. If not, the peer is asked for its ends.
  bool may_transfer(Channel& channel, uint64_t now_ns);
  // Transfers have waited for so long that no connection can be the peer's.
  bool is_hopeless(const Channel& channel, uint64_t now_ns);
  // The ends that the peer has sent. False: the record makes no sense.
  bool take(Channel& channel, const Record& record, uint64_t now_ns);
  // Whether a `landed` record would still follow its data in the same stream, which is why it proves that the data is there.
  bool follows_its_writes(const Channel& channel, const Message& message);
  // A connection that was verified is gone.
  bool are_gone(const Channel& channel);

 private:
  struct Known {
    std::vector<Link> links;     // verified: both sides have reported them
    std::vector<Link> reported;  // by the peer, and mine too, in records that go on
    bool is_asked = false;       // the peer was asked, and has not answered
    uint64_t without_since = 0;  // since when a transfer waits for one; 0: none does
  };

  Known& known(const Channel& channel);
  bool stand(const Channel& channel);
  void report(Channel& channel, const std::vector<Link>& links, bool asks);
  static bool is_settled(const Known& known, size_t links_in_common, uint64_t now_ns);

  Engine& engine_;
  Wire& wire_;
  const std::vector<Peer>& peers_;
  std::deque<Known> known_;  // by Channel::index
};

}  // namespace atrium
