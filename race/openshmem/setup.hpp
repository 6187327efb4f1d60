// Begins and ends the race check of a PE.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "race/model/site.hpp"

namespace atrium::race {

// Finds the symmetric memory of all PEs and makes the shadow. False: a line says why it cannot be had. `site`: where
// OpenSHMEM was initialised.
bool set_up(const Site& site);

// In later sessions: whether the symmetric memory is where it was; a line says if it is not. All PEs answer the same.
bool find_again();

}  // namespace atrium::race
