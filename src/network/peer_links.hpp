// By which connection a peer is reached: before the key of its memory, or data in clear, goes there.
// SPDX-License-Identifier: BSD-3-Clause
//
// Messages are sealed, and may go to anybody. The engine's writes and reads are not. Where a stranger can put himself in a peer's
// place (EngineTraits::shows_links) each side tells the other, in a sealed record, the ends of the connections that it has: a
// connection that both have is theirs. A stranger who passes on all that the two say has one with each of them, and they have
// none. Transfers go while all connections that the two have in common stand; when one is closed, and perhaps replaced, they wait
// until both have told again.
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
  PeerLinks(Engine& engine, Wire& wire) : engine_(engine), wire_(wire) {}

  // Whether the engine's writes and reads reach the peer and nobody else, until the next turn. If not, the peer is asked.
  bool may_transfer(Channel& channel, uint64_t now_ns);
  // Transfers have waited for so long that no connection can be the peer's.
  bool is_hopeless(const Channel& channel, uint64_t now_ns);
  // What the peer has told. False: the record makes no sense.
  bool take(Channel& channel, const Record& record, uint64_t now_ns);
  // A `landed` record says that data is there because it follows it in the same stream: whether it still would.
  bool follows_its_writes(const Channel& channel, const Message& message);
  // There was a connection that was known to be the peer's, and it is gone.
  bool are_gone(const Channel& channel);

 private:
  struct Known {
    std::vector<Link> links;     // of which both ends are known to be ours
    bool is_asked = false;       // the peer, and has not answered
    uint64_t without_since = 0;  // while somebody would have them; 0: nobody
  };

  Known& known(const Channel& channel);
  bool stand(const Channel& channel);
  void report(Channel& channel, bool asks);
  static bool is_settled(const Known& known, size_t links_in_common, uint64_t now_ns);

  Engine& engine_;
  Wire& wire_;
  std::deque<Known> known_;  // by Channel::index
};

}  // namespace atrium
