// Compares the ends of connections, as both sides see them.
// SPDX-License-Identifier: BSD-3-Clause
#include "network/peer_links.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace atrium {
namespace {

constexpr uint64_t longest_without_ns = 10'000'000'000;
constexpr uint64_t settled_after_ns = 1'000'000'000;

struct Ends {
  LinkEnd mine, theirs;
};
constexpr size_t most_ends = largest_payload / sizeof(Ends);

bool is_same(const Link& one, const Link& other) {
  return one.mine == other.mine && one.theirs == other.theirs;
}

}  // namespace

PeerLinks::Known& PeerLinks::known(const Channel& channel) {
  if (channel.index >= known_.size()) known_.resize(channel.index + 1);
  return known_[channel.index];
}

bool PeerLinks::stand(const Channel& channel) {
  const std::vector<Link>& links = known(channel).links;
  return !links.empty() &&
         std::all_of(links.begin(), links.end(), [&](const Link& link) { return engine_.stands(link); });
}

bool PeerLinks::may_transfer(Channel& channel, uint64_t now_ns) {
  if (!engine_.traits().shows_links || stand(channel)) return true;
  Known& mine = known(channel);
  mine.links.clear();
  if (mine.is_asked) return false;
  if (mine.without_since == 0) mine.without_since = now_ns;
  if (is_hopeless(channel, now_ns)) return false;
  mine.is_asked = true;
  report(channel, engine_.links(peers_[channel.index]), true);
  return false;
}

bool PeerLinks::is_hopeless(const Channel& channel, uint64_t now_ns) {
  const uint64_t since = known(channel).without_since;
  return since != 0 && now_ns - since > longest_without_ns && !known(channel).is_asked;
}

// All but those of other channels, in as many records as they take.
void PeerLinks::report(Channel& channel, const std::vector<Link>& links, bool asks) {
  std::vector<Ends> ends;
  for (const Link& link : links) {
    const auto has_it = [&](const Known& each) {
      return &each != &known(channel) && std::any_of(each.links.begin(), each.links.end(),
                                                     [&](const Link& other) { return is_same(link, other); });
    };
    if (std::none_of(known_.begin(), known_.end(), has_it)) ends.push_back({link.mine, link.theirs});
  }
  size_t first = 0;
  for (; ends.size() - first > most_ends; first += most_ends)
    wire_.append_links(channel, &ends[first], most_ends * sizeof(Ends), links_go_on);
  wire_.append_links(channel, ends.data() + first, (ends.size() - first) * sizeof(Ends),
                     asks ? links_ask : uint8_t{0});
}

// If both have opened a connection at the same time there are two for a moment, of which one is closed.
bool PeerLinks::is_settled(const Known& known, size_t links_in_common, uint64_t now_ns) {
  if (links_in_common < 2) return links_in_common == 1;
  return known.without_since != 0 && now_ns - known.without_since > settled_after_ns;
}

bool PeerLinks::take(Channel& channel, const Record& record, uint64_t now_ns) {
  if (record.bytes % sizeof(Ends) != 0) return false;
  Known& mine = known(channel);
  const bool asks = (record.header.detail & links_ask) != 0;
  // To find them, an engine may look at every descriptor of the process: once, and not for the answer of a peer that is verified by now.
  const std::vector<Link> links =
      asks || !stand(channel) ? engine_.links(peers_[channel.index]) : std::vector<Link>{};
  for (const Link& link : links) {
    for (size_t at = 0; at < record.bytes; at += sizeof(Ends)) {
      Ends peers;
      std::memcpy(&peers, record.payload + at, sizeof peers);
      if (peers.mine == link.theirs && peers.theirs == link.mine) mine.reported.push_back(link);
    }
  }
  if ((record.header.detail & links_go_on) != 0) return true;
  const std::vector<Link> common = std::exchange(mine.reported, {});
  if (is_settled(mine, common.size(), now_ns) && !stand(channel)) {
    mine.links = common;
    mine.without_since = 0;
    ++channel.way;
  }
  if (asks)
    report(channel, links, false);
  else
    mine.is_asked = false;
  return true;
}

bool PeerLinks::follows_its_writes(const Channel& channel, const Message& message) {
  const EngineTraits& traits = engine_.traits();
  if (message.landed.empty() || !traits.shows_links || !traits.sends_after_writes) return true;
  const auto is_on_way = [&](const Transfer* landed) { return landed->way == channel.way; };
  return std::all_of(message.landed.begin(), message.landed.end(), is_on_way) && stand(channel);
}

bool PeerLinks::are_gone(const Channel& channel) { return channel.way != 0 && !stand(channel); }

}  // namespace atrium
