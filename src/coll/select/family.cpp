// What a family says of a name that it does not know.
// SPDX-License-Identifier: BSD-3-Clause
#include "coll/select/family.hpp"

namespace atrium {

Error no_such_algorithm(const std::string& variable, std::string_view name, std::string_view names) {
  return Error{variable + " names no algorithm",
               std::string("there is no \"").append(name).append("\" among ").append(names),
               "choosing the algorithms of collectives", variable + "=auto, or one of the names above"};
}

}  // namespace atrium
