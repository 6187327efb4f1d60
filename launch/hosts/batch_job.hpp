// The job of a batch system around oshrun that lists its hosts in a file: PBS, LSF, Grid Engine, OAR. Slurm's is in slurm_job.hpp.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "launch/cli/options.hpp"

namespace atrium {

// Fills in the hosts of the job and their slots where the command line names neither hosts nor pretended nodes.
Result<void> take_batch_job(Options& options);

}  // namespace atrium
