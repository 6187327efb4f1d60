// The messages about a name that a family does not know, and about an algorithm that cannot run; what fits into the leaders' buffers;
// and which members work.
// SPDX-License-Identifier: BSD-3-Clause
#include "coll/select/family.hpp"

#include "coll/steps/leader_buffer.hpp"
#include "coll/steps/slice.hpp"
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
