// Makes the MPI return errors as codes while the library calls it on a communicator of the program.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

namespace atrium::mpi {

// While it lives, the MPI answers errors on a communicator of the program as codes: the program has not asked for what
// we ask, and its handler may end it.
class ErrorsReturn {
 public:
  explicit ErrorsReturn(MPI_Comm comm) : comm_(comm) {
    PMPI_Comm_get_errhandler(comm_, &handler_);
    PMPI_Comm_set_errhandler(comm_, MPI_ERRORS_RETURN);
  }
  ~ErrorsReturn() {
    PMPI_Comm_set_errhandler(comm_, handler_);
    PMPI_Errhandler_free(&handler_);
  }
  ErrorsReturn(const ErrorsReturn&) = delete;
  ErrorsReturn& operator=(const ErrorsReturn&) = delete;

 private:
  MPI_Comm comm_;
  MPI_Errhandler handler_{};
};

}  // namespace atrium::mpi
