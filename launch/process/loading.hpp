// A program and the OpenSHMEM library that it was linked with: whether it is ours, and why it could not be loaded.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "core/result.hpp"
#include "launch/cli/options.hpp"

namespace atrium {

// Its PEs would not find each other, and each be a job of its own.
Result<void> require_own_openshmem(const std::string& program);

// The note that the processes of a program will not find each other, if it may start MPI and has no OpenSHMEM. Else empty.
std::string note_on_mpi(const std::string& program, int pes);

// After a PE has ended with the status of the loader (127) without shmem_init: what the loader did not find.
// `because` and `remedy` only; empty when loading is not to blame.
Error explain_loading(const std::string& program, const Options& options);

}  // namespace atrium
