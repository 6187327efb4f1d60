// The statuses of a call, also where the program ignores them: they say what a receive with wildcards has received.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <vector>

namespace atrium::race {

class CallStatuses {
 public:
  CallStatuses(MPI_Status* given, int count) : given_(given) {
    if (given != MPI_STATUS_IGNORE && given != MPI_STATUSES_IGNORE) return;
    own_.resize(count > 0 ? static_cast<size_t>(count) : 1);
    given_ = own_.data();
  }
  MPI_Status* data() { return given_; }

 private:
  MPI_Status* given_;
  std::vector<MPI_Status> own_;
};

}  // namespace atrium::race
