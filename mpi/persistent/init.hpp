// Makes persistent all-to-alls: the MPI's request, and ours behind it where the ranks share a node.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include "exchange/exchange.hpp"

namespace atrium::mpi {

enum class Whom { all, neighbours };

// What MPI_Alltoall_init, MPI_Neighbor_alltoallw_init and so on do. Nonlocal, as the standard allows. `may_manage`: every call of
// this process that completes a request comes to us; where one does not, a start our way would bring no data.
int init_exchange(Whom whom, bool may_manage, const Exchange& exchange, MPI_Info info, MPI_Request* request);

}  // namespace atrium::mpi
