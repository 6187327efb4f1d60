// What a child of fork() of a PE must not touch.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace atrium {

// From now on a child of fork() finds the library as after the last shmem_finalize: every routine that would touch the
// job ends the child, and the child alone, with a message. `forget_job` is called in each child.
void guard_job_from_children(void (*forget_job)());

}  // namespace atrium
