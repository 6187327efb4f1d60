// A shared window of the MPI: what MPI_Win_allocate_shared gives, opened once for all and used by loads and
// stores.
// SPDX-License-Identifier: BSD-3-Clause
#include <sys/mman.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>

#include "segment/segment.hpp"

namespace atrium::mpi {
namespace {

constexpr std::size_t page = 4096;  // what a segment's beginning is a multiple of, not what the kernel maps

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23  // Linux 5.14; EINVAL before
#endif

class WindowSegment : public NodeSegment {
 public:
  ~WindowSegment() override {
    if (window_ == MPI_WIN_NULL) return;
    if (base_) PMPI_Win_unlock_all(window_);
    PMPI_Win_free(&window_);
  }

  // Rank 0 brings all of the memory, so that it is one piece whatever the MPI's alignment.
  int allocate(MPI_Comm node, std::size_t size) {
    int rank = 0;
    PMPI_Comm_rank(node, &rank);
    void* mine = nullptr;
    const MPI_Aint share = rank == 0 ? static_cast<MPI_Aint>(size + page) : 0;
    const int error = PMPI_Win_allocate_shared(share, 1, MPI_INFO_NULL, node, &mine, &window_);
    if (error != MPI_SUCCESS) window_ = MPI_WIN_NULL;
    return error;
  }

  // Freeing is collective: what only some ranks could allocate is left to the MPI's end.
  void abandon() override { window_ = MPI_WIN_NULL; }

  int open(std::size_t size) {
    MPI_Aint bytes = 0;
    int unit = 0;
    void* place = nullptr;
    int error = PMPI_Win_shared_query(window_, 0, &bytes, &unit, &place);
    if (error == MPI_SUCCESS) error = PMPI_Win_lock_all(MPI_MODE_NOCHECK, window_);
    if (error != MPI_SUCCESS) return error;
    // Open MPI's windows begin somewhere in a page; they are mapped by pages, so all ranks skip alike.
    const std::size_t beyond = reinterpret_cast<std::uintptr_t>(place) % page;
    base_ = static_cast<std::byte*>(place) + (beyond ? page - beyond : 0);
    size_ = size;
    return MPI_SUCCESS;
  }

  // MPICH makes a file in /dev/shm without asking whether there is room for it, and the first touch of a page for which
  // there is none is SIGBUS. So the ranks touch all pages, in a way that answers.
  bool has_memory(MPI_Comm node) const {
    int rank = 0, ranks = 1;
    PMPI_Comm_rank(node, &rank);
    PMPI_Comm_size(node, &ranks);
    const std::size_t part = size_ / ranks + 1, begin = std::min(size_, rank * part);
    return is_backed(base_ + begin, std::min(part, size_ - begin));
  }

 private:
  // The kernel wants whole pages of its own size, and answers EINVAL to others as it does where it is too old.
  static bool is_backed(std::byte* begin, std::size_t size) {
    const auto kernel_page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
    const auto place = reinterpret_cast<std::uintptr_t>(begin);
    const std::uintptr_t first = place / kernel_page * kernel_page;
    const std::uintptr_t end = (place + size + kernel_page - 1) / kernel_page * kernel_page;
    return madvise(reinterpret_cast<void*>(first), end - first, MADV_POPULATE_WRITE) == 0 || errno == EINVAL;
  }

  MPI_Win window_ = MPI_WIN_NULL;
};

std::string explain(const char* call, int error) {
  char text[MPI_MAX_ERROR_STRING] = "";
  int length = 0;
  PMPI_Error_string(error, text, &length);
  return std::string(call) + ": " + text;
}

// Where both MPIs keep windows. When Open MPI refuses one, for which it needs a little more than asked for, only its
// first rank learns of it and the others wait for ever.
bool is_room_for(std::size_t size) {
  struct statvfs files;
  return statvfs("/dev/shm", &files) != 0 || files.f_bavail * files.f_frsize > size + (1 << 20);
}

}  // namespace

Created create_window_segment(MPI_Comm node, std::size_t size, std::string& because) {
  if (!is_room_for(size)) because = "MPI_Win_allocate_shared: /dev/shm is too small";
  if (!is_left(size)) because = no_memory_left;
  if (!all_of(node, because.empty())) return nullptr;
  auto segment = std::make_unique<WindowSegment>();
  int error = segment->allocate(node, size);
  if (error != MPI_SUCCESS) because = explain("MPI_Win_allocate_shared", error);
  if (!all_of(node, error == MPI_SUCCESS)) return segment->abandon(), nullptr;
  error = segment->open(size);
  if (error != MPI_SUCCESS)
    because = explain("MPI_Win_shared_query", error);
  else if (!segment->has_memory(node))
    because = "MPI_Win_allocate_shared: the memory that it gave is not there";
  if (!all_of(node, because.empty())) return nullptr;
  return segment;
}

}  // namespace atrium::mpi
