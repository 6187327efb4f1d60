// What a job says when it starts, if it is asked to (specification section 8).
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace atrium {

// SHMEM_VERSION and SHMEM_INFO (PE 0 prints), notes about misspelt variables (PE 0), and line-wise standard
// output where oshrun forwards lines.
void greet();

}  // namespace atrium
