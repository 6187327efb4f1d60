// How the check begins and ends.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace atrium::race {

// Finds the symmetric memory of all PEs and makes the shadow. False: a line says why it cannot be had.
bool set_up();

// The program was asked to be checked: ATRIUM_RACES.
bool wanted();

}  // namespace atrium::race
