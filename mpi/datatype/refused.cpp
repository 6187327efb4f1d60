// Asks the MPI of a type where its data lies.
// SPDX-License-Identifier: BSD-3-Clause
#include "datatype/refused.hpp"

#include "datatype/shape.hpp"
#include "settings/which_mpi.hpp"

namespace atrium::mpi {
namespace {

// A type that holds data, and from where its buffer begins: none that holds addresses.
bool begins_at_buffer(MPI_Datatype type) {
  MPI_Aint low = 0, extent = 0;
  PMPI_Type_get_true_extent(type, &low, &extent);
  return low == 0 && describe(type).size > 0;
}

}  // namespace

bool lacks_memory(const void* buffer, MPI_Aint count, MPI_Datatype type) {
  return is_mpich() && !buffer && count > 0 && begins_at_buffer(type);
}

}  // namespace atrium::mpi
