// Notes the children that are there at the start.
// SPDX-License-Identifier: BSD-3-Clause
#include "launch/process/inherited_children.hpp"

#include <algorithm>
#include <vector>

#include "os/children.hpp"

namespace atrium {
namespace {

std::vector<pid_t>& inherited() {
  static std::vector<pid_t> children;
  return children;
}

}  // namespace

void note_inherited_children() {
  if (has_living_child()) inherited() = living_children();
}

bool is_inherited(pid_t child) {
  return std::find(inherited().begin(), inherited().end(), child) != inherited().end();
}

}  // namespace atrium
