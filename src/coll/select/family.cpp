// The messages about a name that a family does not know, and about an algorithm that cannot run; what fits into the leaders' buffers;
// and which members work.
// SPDX-License-Identifier: BSD-3-Clause
#include "coll/select/family.hpp"

#include <algorithm>

#include "coll/steps/leader_buffer.hpp"
#include "coll/steps/pairs.hpp"
#include "coll/steps/slice.hpp"
#include "coll/steps/spread.hpp"
#include "core/log.hpp"
#include "core/settings.hpp"
#include "team/leader_count.hpp"
#include "topology/placement.hpp"

namespace atrium {

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

void note_other_algorithm(const char* variable, const char* forced, const char* because,
                          const std::string& instead) {
  if (placement.me() != 0 || flag_setting("ATRIUM_QUIET")) return;
  note(std::string(variable) + "=" + forced + " cannot be followed everywhere: " + because + "; " + instead);
}

Error no_such_algorithm(const std::string& variable, std::string_view name, std::string_view names) {
  return Error{variable + " names no algorithm",
               std::string("there is no \"").append(name).append("\" among ").append(names),
               "choosing the algorithms of collectives", variable + "=auto, or one of the names above"};
}

}  // namespace atrium
