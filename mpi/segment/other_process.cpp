// Reads the memory of other ranks by process_vm_readv, where the system allows it.
// SPDX-License-Identifier: BSD-3-Clause
#include "segment/other_process.hpp"

#include <sys/uio.h>
#include <unistd.h>

#include "atrium_machine.h"
#include "segment/segment.hpp"

namespace atrium::mpi {
namespace {

// How a rank is recognised: by a word that no other process is likely to have there.
struct ProcessMark {
  std::uint64_t process, address, word;
};

bool is_that_process(const ProcessMark& other) {
  std::uint64_t found = 0;
  return read_process(static_cast<pid_t>(other.process), other.address, reinterpret_cast<std::byte*>(&found),
                      sizeof found) &&
         found == other.word;
}

}  // namespace

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

std::vector<pid_t> find_readable_processes(MPI_Comm node) {
  int ranks = 1;
  PMPI_Comm_size(node, &ranks);
  volatile std::uint64_t word =
      static_cast<std::uint64_t>(atrium_now_ns()) << 20 ^ static_cast<std::uint64_t>(getpid());
  const ProcessMark mine{static_cast<std::uint64_t>(getpid()), reinterpret_cast<std::uint64_t>(&word), word};
  std::vector<ProcessMark> all(static_cast<std::size_t>(ranks));
  PMPI_Allgather(&mine, sizeof mine, MPI_BYTE, all.data(), sizeof mine, MPI_BYTE, node);
  bool are_readable = true;
  std::vector<pid_t> processes;
  for (const ProcessMark& other : all) {
    are_readable = are_readable && is_that_process(other);
    processes.push_back(static_cast<pid_t>(other.process));
  }
  // Also the barrier after which `word` may go.
  return all_of(node, are_readable) ? processes : std::vector<pid_t>{};
}

}  // namespace atrium::mpi
