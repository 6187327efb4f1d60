// Notes that the process has a second thread. From then on accesses to private memory are recorded in a shadow, too, if the check
// sees them.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace atrium::race {

void note_threads();

}  // namespace atrium::race
