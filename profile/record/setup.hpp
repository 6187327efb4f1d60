// Where recording begins and ends in a PE.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace atrium::profile {

// When shmem_init has run. `threaded`: several threads may call at a time.
void begin_recording(bool threaded);
// When shmem_finalize has run, or before shmem_global_exit ends this PE's part.
void end_recording();

}  // namespace atrium::profile
