// By which connection a peer is reached: before the key of its memory, or data in clear, goes there.
// SPDX-License-Identifier: BSD-3-Clause
//
// Messages are sealed, and may go to anybody. The engine's writes and reads are not. Where a stranger can put himself in a peer's
// place (EngineTraits::shows_links) each side tells the other, in a sealed record, the ends of the connections that it has: a
// connection that both have is theirs. A stranger who passes on all that the two say has one with each of them, and they have
// none. Transfers go while all connections that the two have in common stand; when one is closed, and perhaps replaced, they wait
// until both have told again.
#include <algorithm>
#include <cstring>

#include "endpoint/endpoint.hpp"

namespace atrium {
namespace {

constexpr uint64_t longest_without_ns = 10'000'000'000;
constexpr uint64_t settled_after_ns = 1'000'000'000;

struct Ends {
  LinkEnd mine, theirs;
};
constexpr size_t most_ends = largest_payload / sizeof(Ends);

}  // namespace

bool Endpoint::has_links(const Channel& channel) const {
  return !channel.links.empty() && std::all_of(channel.links.begin(), channel.links.end(),
                                               [&](const Link& link) { return engine_->stands(link); });
}

// Whether the engine's writes and reads reach the peer and nobody else, until the next turn. If not, the peer is asked.
bool Endpoint::may_transfer(Channel& channel) {
  if (!engine_->traits().shows_links || has_links(channel)) return true;
  channel.links.clear();
  if (channel.is_asked_for_links || has_failed()) return false;
  const uint64_t now = host_.now_ns ? host_.now_ns() : 0;
  if (channel.without_links_since == 0) channel.without_links_since = now;
  if (now - channel.without_links_since > longest_without_ns) {
    fail_interfered(
        channel,
        "no connection of this process ends there: somebody stands between, or translates addresses");
    return false;
  }
  channel.is_asked_for_links = true;
  tell_links(channel, true);
  return false;
}

// All but those of other channels.
void Endpoint::tell_links(Channel& channel, bool asks) {
  std::vector<Ends> ends;
  for (const Link& link : engine_->links()) {
    const auto has_it = [&](const Channel* each) {
      const auto is_it = [&](const Link& other) {
        return other.mine == link.mine && other.theirs == link.theirs;
      };
      return each != &channel && std::any_of(each->links.begin(), each->links.end(), is_it);
    };
    if (ends.size() < most_ends && std::none_of(in_use_.begin(), in_use_.end(), has_it))
      ends.push_back({link.mine, link.theirs});
  }
  const size_t bytes = ends.size() * sizeof(Ends);
  const RecordHeader header{RecordKind::links, asks, 0, static_cast<uint32_t>(bytes), 0};
  char* room = append(channel, header, bytes, nullptr);
  if (bytes != 0) std::memcpy(room, ends.data(), bytes);
  channel.has_replies = true;  // it waits for no company
  list(channel);
}

// Where both have called each other there are two for a moment, of which one is closed.
bool Endpoint::is_settled(const Channel& channel, size_t links_in_common) const {
  if (links_in_common < 2) return links_in_common == 1;
  return channel.without_links_since != 0 && host_.now_ns() - channel.without_links_since > settled_after_ns;
}

// False: the record makes no sense.
bool Endpoint::take_links(Channel& channel, const Record& record) {
  if (record.bytes % sizeof(Ends) != 0) return false;
  std::vector<Link> common;
  for (const Link& link : engine_->links()) {
    for (size_t at = 0; at < record.bytes; at += sizeof(Ends)) {
      Ends peers;
      std::memcpy(&peers, record.payload + at, sizeof peers);
      if (peers.mine == link.theirs && peers.theirs == link.mine) common.push_back(link);
    }
  }
  if (is_settled(channel, common.size()) && !has_links(channel)) {
    channel.links = std::move(common);
    ++channel.links_known;
    channel.without_links_since = 0;
  }
  if (record.header.detail != 0)
    tell_links(channel, false);
  else
    channel.is_asked_for_links = false;
  return true;
}

// A `landed` record says that data is there because it follows it in the same stream.
bool Endpoint::follows_its_writes(const Channel& channel, const Message& message) const {
  if (message.landed.empty() || !engine_->traits().shows_links || !engine_->traits().sends_after_writes)
    return true;
  const auto is_known = [&](const Message::Landed& landed) { return landed.links == channel.links_known; };
  return std::all_of(message.landed.begin(), message.landed.end(), is_known) && has_links(channel);
}

std::string Endpoint::remark_on_links(const Channel& channel) const {
  if (channel.links_known == 0 || has_links(channel)) return "";
  return ", and the connection that led there is gone: the network was cut, or somebody interferes with it";
}

void Endpoint::fail_interfered(const Channel& channel, const std::string& because) {
  fail(Error{"the connection to " + host_of(channel) + " is not its PE's", because + remark_on_strangers(),
             "moving large data between nodes",
             "a look at who uses these hosts and their network; SECURITY.md says what keeps others out"});
}

}  // namespace atrium
