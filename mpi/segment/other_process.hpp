// Memory of another process of the node, read by the kernel: one copy, whatever memory it is.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>

namespace atrium::mpi {

// False where the kernel refuses: no such memory, or no permission.
bool read_process(pid_t process, std::uint64_t address, std::byte* to, std::size_t bytes);

// How a process is recognised: by a word that no other one is likely to have there.
struct ProcessMark {
  std::uint64_t process, address, word;
};
// Of this process, which has it as long as it lives.
ProcessMark my_process_mark();

// Containers and security modules forbid to read other processes (process_vm_readv: seccomp, Yama, users, namespaces of
// processes), so that it is tried: the word that the other one has named must be found in its memory.
bool can_read(const ProcessMark& other);

}  // namespace atrium::mpi
