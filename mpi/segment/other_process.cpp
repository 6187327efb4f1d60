// Reads the memory of other ranks by process_vm_readv, where the system allows it.
// SPDX-License-Identifier: BSD-3-Clause
#include "segment/other_process.hpp"

#include <sys/uio.h>
#include <unistd.h>

#include "segment/segment.hpp"

namespace atrium::mpi {

// The kernel copies at most 2 GiB at a time.
bool read_process(pid_t process, std::uint64_t address, std::byte* to, std::size_t bytes) {
  while (bytes > 0) {
    iovec here{to, bytes}, there{reinterpret_cast<void*>(address), bytes};
    const ssize_t read = process_vm_readv(process, &here, 1, &there, 1, 0);
    if (read <= 0) return false;
    to += read;
    address += static_cast<std::uint64_t>(read);
    bytes -= static_cast<std::size_t>(read);
  }
  return true;
}

ProcessMark my_process_mark() {
  static volatile std::uint64_t word = next_mark();
  return {static_cast<std::uint64_t>(getpid()), reinterpret_cast<std::uint64_t>(&word), word};
}

bool can_read(const ProcessMark& other) {
  std::uint64_t found = 0;
  return read_process(static_cast<pid_t>(other.process), other.address, reinterpret_cast<std::byte*>(&found),
                      sizeof found) &&
         found == other.word;
}

}  // namespace atrium::mpi
