// Tells a communicator that is being freed from others, also from a later one that has its handle.
// SPDX-License-Identifier: BSD-3-Clause
#include "cache/ending.hpp"

#include <atomic>
#include <cstring>

namespace atrium::mpi {
namespace {

// Nobody says when an unseen end is over and the handle another communicator's. So the mark is a name, which goes with the
// communicator: attributes cannot be set while they are deleted.
constexpr const char* mark = "a communicator that is being freed";
std::atomic<bool> is_any_marked{false};

bool is_marked(MPI_Comm comm) {
  if (!is_any_marked) return false;
  char name[MPI_MAX_OBJECT_NAME] = "";
  int length = 0;
  return PMPI_Comm_get_name(comm, name, &length) == MPI_SUCCESS && std::strcmp(name, mark) == 0;
}

}  // namespace

bool SeenEnd::is_of(MPI_Comm comm) {
  for (const SeenEnd* end = innermost; end; end = end->outer_)
    if (end->comm_ == comm) return true;
  return false;
}

void mark_unseen_end(MPI_Comm comm) {
  PMPI_Comm_set_name(comm, mark);
  is_any_marked = true;
}

bool is_ending(MPI_Comm comm) { return SeenEnd::is_of(comm) || is_marked(comm); }

}  // namespace atrium::mpi
