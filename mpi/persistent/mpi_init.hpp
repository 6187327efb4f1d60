// The MPI's own routines that make persistent all-to-alls.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include "exchange/exchange.hpp"
#include "persistent/init.hpp"

namespace atrium::mpi {

// Answers MPI_ERR_OTHER where the MPI has none.
int init_by_mpi(Whom whom, const Exchange& exchange, MPI_Info info, MPI_Request* request);

}  // namespace atrium::mpi
