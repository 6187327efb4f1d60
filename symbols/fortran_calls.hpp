// Calls of the functions behind the Fortran interfaces: how a Fortran program writes the routine that C knows by another name.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>

namespace atrium {

// "shmem_integer_put" where the call that returns to this address of the file's code is one of that function, and shmem_put32 is
// what it calls in turn. Empty for all else, and in stripped files. Each file is read once.
std::string fortran_routine_before(const std::string& file, uint64_t returns);

}  // namespace atrium
