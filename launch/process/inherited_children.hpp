// Children that this process had before it became oshrun: `exec oshrun` in a script hands over what the script has started.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <sys/types.h>

namespace atrium {

// To be called before this process starts any.
void note_inherited_children();
bool is_inherited(pid_t child);

}  // namespace atrium
