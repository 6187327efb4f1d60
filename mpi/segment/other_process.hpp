// Memory of another process of the node, read by the kernel: one copy, whatever memory it is.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>
#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace atrium::mpi {

// False where the kernel refuses: no such memory, or no permission.
bool read_process(pid_t process, std::uint64_t address, std::byte* to, std::size_t bytes);

// The processes of `node` by rank, if each of them can read each other one's memory; else empty, on all ranks. Containers
// and security modules forbid it (process_vm_readv: seccomp, Yama, users, namespaces of processes), so that it is tried: a
// word that another rank has named must be found in its memory. Collective.
std::vector<pid_t> find_readable_processes(MPI_Comm node);

}  // namespace atrium::mpi
