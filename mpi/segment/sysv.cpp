// A System V segment. Linux lets others attach to a segment that is marked for removal, as long as one
// process is attached; so the mark is set at once, and what kill -9 leaves behind lasts three system calls at
// most.
// SPDX-License-Identifier: BSD-3-Clause
#include <sys/ipc.h>
#include <sys/shm.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <utility>

#include "atrium_machine.h"
#include "segment/segment.hpp"

namespace atrium::mpi {
namespace {

class SysvNodeSegment : public NodeSegment {
 public:
  ~SysvNodeSegment() override {
    if (base_) shmdt(base_);
  }

  // Returns the identifier for the others, or -1.
  int create(std::size_t size, std::string& because) {
    if (!is_left(size)) return because = no_memory_left, -1;
    const int id = shmget(IPC_PRIVATE, size, IPC_CREAT | SHM_NORESERVE | 0600);
    if (id < 0) return fail("shmget", because);
    attach(id, size, because);
    shmctl(id, IPC_RMID, nullptr);
    return base_ ? id : -1;
  }

  void attach(int id, std::size_t size, std::string& because) {
    void* place = shmat(id, nullptr, 0);
    if (place == reinterpret_cast<void*>(-1)) return void(fail("shmat", because));
    base_ = static_cast<std::byte*>(place);
    size_ = size;
  }

  bool attached() const { return base_; }

  // Whose segment it is: an identifier means another one to a rank with an IPC namespace of its own.
  void sign(std::uint64_t mark) { std::memcpy(base_, &mark, sizeof mark); }
  void check(std::uint64_t mark, std::string& because) {
    if (!std::memcmp(base_, &mark, sizeof mark)) return;
    because = "shmat: the ranks have different IPC namespaces";
    shmdt(std::exchange(base_, nullptr));
  }

 private:
  static int fail(const char* call, std::string& because) {
    because = std::string(call) + ": " + std::strerror(errno);
    return -1;
  }
};

// What the other ranks need.
struct Ticket {
  int id;
  std::uint64_t mark;
};

}  // namespace

Created create_sysv_segment(MPI_Comm node, std::size_t size, std::string& because) {
  auto segment = std::make_unique<SysvNodeSegment>();
  int rank = 0;
  PMPI_Comm_rank(node, &rank);
  Ticket ticket{-1, static_cast<std::uint64_t>(atrium_now_ns())};
  if (rank == 0) ticket.id = segment->create(size, because);
  if (segment->attached()) segment->sign(ticket.mark);
  PMPI_Bcast(&ticket, sizeof ticket, MPI_BYTE, 0, node);
  if (rank != 0 && ticket.id >= 0) segment->attach(ticket.id, size, because);
  if (segment->attached()) segment->check(ticket.mark, because);
  if (!all_of(node, segment->attached())) return nullptr;
  return segment;
}

}  // namespace atrium::mpi
