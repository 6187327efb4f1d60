// What the rules ask of the nodes of a team.
// SPDX-License-Identifier: BSD-3-Clause
#include "coll/select/nodes_tests.hpp"

#include <algorithm>

#include "coll/steps/leader_buffer.hpp"
#include "coll/steps/pairs.hpp"
#include "coll/steps/slice.hpp"
#include "coll/steps/spread.hpp"
#include "team/leader_count.hpp"

namespace atrium {

bool messages_cost(const TeamNodes&, size_t) { return job_is(costly_messages); }

bool nodes_are_shared(const TeamNodes& nodes, size_t) {
  return nodes.most_members() > 1 && !is_oversubscribed();
}

bool leaders_share_rounds(const TeamNodes& nodes, size_t) { return spreading_leaders(nodes) > 1; }

bool takes_one_exchange(const TeamNodes& nodes, size_t bytes) {
  return slice_of(0, leaders_of(nodes), bytes, 1).end <= BufferExchange::most_of_slice(nodes);
}

bool all_work_on_fullest(const TeamNodes& nodes, size_t bytes) {
  return all_work(nodes.most_members(), leaders_of(nodes), bytes);
}

bool spreads_sums(const TeamNodes& nodes, size_t bytes) {
  constexpr size_t KiB = 1024, most_in_pieces = 16 * KiB;  // all limits: [simulated]
  const Pairs pairs(nodes.count());
  const int leaders = spreading_leaders(nodes);
  const bool one_round = SpreadRounds::rounds(nodes, leaders) == 1, costly = job_is(costly_messages),
             by_all = all_work(nodes.most_members(), 1, bytes),
             by_buffers = all_work_on_fullest(nodes, bytes),
             takes_pieces =
                 costly && bytes <= most_in_pieces && (one_round || (by_buffers && pairs.rest > 0));
  if (leaders == 1 || !(one_round || costly || by_all || !goes_at_once(pairs))) return false;
  if (!costly && (one_round || by_buffers) && bytes > (one_round ? 8 : 4) * KiB) return false;
  return bytes <= (takes_pieces ? 2 : 1) * (by_all ? most_in_area(nodes) : most_spread(nodes, leaders));
}

bool spreads_scans(const TeamNodes& nodes, size_t bytes) {
  return std::min(bytes, piece_bytes) <= most_spread(nodes, spreading_leaders(nodes));
}

bool leaders_send_less(const TeamNodes& nodes, size_t bytes) {
  const auto members = static_cast<size_t>(nodes.most_members()),
             others = static_cast<size_t>(nodes.first.back()) - members,
             rounds = static_cast<size_t>(rounds_of(nodes.count())),
             messages = rounds * ((bytes + piece_bytes - 1) / piece_bytes);
  return job_is(costly_messages)
             ? (members > 1 && members + 1 >= 2 * rounds) || messages <= 3 * others / 2 + 5 * rounds
             : members >= 6 * rounds || 3 * messages <= others;
}

}  // namespace atrium
