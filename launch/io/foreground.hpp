// Whether this process may read its standard input without being stopped.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace atrium {

// False: it is the terminal of this session, and another process group is in its foreground (SIGTTIN).
bool may_read_input();

}  // namespace atrium
