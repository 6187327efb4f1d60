// Limits of the check that this job has met: from then on it may have missed races. Dialect::limits has their words.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "race/shadow/slot.hpp"

namespace atrium::race {

// Requires: limit < most_limits. `where`: the call that met it; zero: none. The first one is reported.
void note_limit(unsigned limit, Origin where);

}  // namespace atrium::race
