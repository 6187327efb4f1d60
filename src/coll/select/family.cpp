// The messages about a name that a family does not know, and about an algorithm that cannot run.
// SPDX-License-Identifier: BSD-3-Clause
#include "coll/select/family.hpp"

#include "core/log.hpp"
#include "core/settings.hpp"
#include "topology/placement.hpp"

namespace atrium {

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
