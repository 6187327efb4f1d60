// Threads exist: from now on private memory has a shadow, if its accesses are seen.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace atrium::race {

void note_threads();

}  // namespace atrium::race
