// A System V segment. Linux lets others attach to a segment that is marked for removal, as long as one
// process is attached; so the mark is set at once, and what kill -9 leaves behind lasts three system calls at
// most.
// SPDX-License-Identifier: BSD-3-Clause
#include <sys/ipc.h>
#include <sys/shm.h>

#include <cerrno>
#include <cstring>

#include "segment/segment.hpp"

namespace atrium::mpi {
namespace {

class SysvSegment : public Segment {
 public:
  ~SysvSegment() override {
    if (base_) shmdt(base_);
  }

  // Returns the identifier for the others, or -1.
  int create(std::size_t size, std::string& because) {
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

 private:
  static int fail(const char* call, std::string& because) {
    because = std::string(call) + ": " + std::strerror(errno);
    return -1;
  }
};

}  // namespace

Created create_sysv_segment(MPI_Comm node, std::size_t size, std::string& because) {
  auto segment = std::make_unique<SysvSegment>();
  int rank = 0, id = -1;
  PMPI_Comm_rank(node, &rank);
  if (rank == 0) id = segment->create(size, because);
  PMPI_Bcast(&id, 1, MPI_INT, 0, node);
  if (rank != 0 && id >= 0) segment->attach(id, size, because);
  if (!all_of(node, segment->attached())) return nullptr;
  return segment;
}

}  // namespace atrium::mpi
