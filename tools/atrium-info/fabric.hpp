// atrium-info --fabric: how this host would reach other nodes.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace atrium {

// Prints what was found, chosen and why. Returns the exit status: 1 when there is no way.
int print_fabric();

}  // namespace atrium
