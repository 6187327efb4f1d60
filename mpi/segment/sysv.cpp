// Shared memory of a node as a System V segment. Linux lets others attach to a segment that is marked for removal, as long as one
// process is attached; so the mark is set at once, and what kill -9 leaves behind lasts three system calls at
// most.
// SPDX-License-Identifier: BSD-3-Clause
#include <sys/ipc.h>
#include <sys/shm.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

#include "segment/segment.hpp"

namespace atrium::mpi {
namespace {

using Mark = std::uint64_t;
constexpr const char* is_another = "shmat: the ranks have different IPC namespaces";

bool is_as_large(int id, std::size_t bytes) {
  shmid_ds about{};
  return shmctl(id, IPC_STAT, &about) == 0 && about.shm_segsz >= bytes;
}

class SysvNodeSegment : public NodeSegment {
 public:
  ~SysvNodeSegment() override {
    if (base_) shmdt(base_);
  }

  // Returns the identifier for the others, or -1.
  int create(std::size_t size, std::string& because) {
    if (!is_left(size)) return because = no_memory_left, -1;
    const int id = shmget(IPC_PRIVATE, size + sizeof(Mark), IPC_CREAT | SHM_NORESERVE | 0600);
    if (id < 0) return fail("shmget", because);
    attach(id, size, because);
    shmctl(id, IPC_RMID, nullptr);
    return base_ ? id : -1;
  }

  void attach(int id, std::size_t size, std::string& because) {
    if (!is_as_large(id, size + sizeof(Mark))) return void(because = is_another);
    void* place = shmat(id, nullptr, 0);
    if (place == reinterpret_cast<void*>(-1)) return void(fail("shmat", because));
    base_ = static_cast<std::byte*>(place);
    size_ = size;
  }

  bool attached() const { return base_; }
  void give_number(std::uint64_t number) { number_ = number; }

  // Whose segment it is, behind what ranks write: an identifier means another one to a rank with an IPC namespace of its own.
  void sign(Mark mark) { std::memcpy(base_ + size_, &mark, sizeof mark); }
  void check(Mark mark, std::string& because) {
    if (!std::memcmp(base_ + size_, &mark, sizeof mark)) return;
    because = is_another;
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
  std::int64_t id;
  Mark mark;
};

// That of my node's first rank, and the mark of the first one of all.
struct Tickets {
  Ticket here;
  std::uint64_t number;
};

Tickets exchange(const SegmentRanks& ranks, Ticket mine) {
  if (ranks.on_one_node) {
    PMPI_Bcast(&mine, sizeof mine, MPI_BYTE, ranks.first, ranks.comm);
    return {mine, mine.mark};
  }
  int size = 0;
  PMPI_Comm_size(ranks.comm, &size);
  std::vector<Ticket> all(static_cast<std::size_t>(size));
  PMPI_Allgather(&mine, sizeof mine, MPI_BYTE, all.data(), sizeof mine, MPI_BYTE, ranks.comm);
  return {all[static_cast<std::size_t>(ranks.first)], all[0].mark};
}

}  // namespace

Created create_sysv_segment(const SegmentRanks& ranks, std::size_t size, std::string& because) {
  auto segment = std::make_unique<SysvNodeSegment>();
  int rank = 0;
  PMPI_Comm_rank(ranks.comm, &rank);
  Ticket mine{-1, next_mark()};
  if (rank == ranks.first) mine.id = segment->create(size, because);
  if (segment->attached()) segment->sign(mine.mark);
  const Tickets found = exchange(ranks, mine);
  if (rank != ranks.first && found.here.id >= 0)
    segment->attach(static_cast<int>(found.here.id), size, because);
  if (!segment->attached()) return nullptr;
  segment->check(found.here.mark, because);
  segment->give_number(found.number);
  return segment->attached() ? std::move(segment) : nullptr;
}

}  // namespace atrium::mpi
