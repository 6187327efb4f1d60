// Where each peer's block lies, whichever routine was called.
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>

#include "exchange/exchange.hpp"

namespace atrium::mpi {
namespace {

#ifdef OPEN_MPI
constexpr bool is_mpich = false;
#else
constexpr bool is_mpich = true;
#endif

// MPICH takes no type at all where alltoallw sends nothing.
bool is_refused(MPI_Datatype type, int count) {
  return type == MPI_DATATYPE_NULL && !(is_mpich && count == 0);
}

// And no null pointer, unless the type holds addresses.
bool lacks_memory(const Side& side, Routine routine, int peers) {
  if (!is_mpich || side.buffer || routine == Routine::alltoallw || !describe(side.type).contiguous)
    return false;
  if (routine == Routine::alltoall) return side.count > 0;
  return std::any_of(side.counts, side.counts + peers, [](int count) { return count > 0; });
}

bool is_refused(const Side& side, Routine routine, int peers) {
  if (routine == Routine::alltoall)
    return side.count < 0 || side.type == MPI_DATATYPE_NULL || lacks_memory(side, routine, peers);
  if (!side.counts || !side.displacements) return true;
  if (routine == Routine::alltoallw ? !side.types : side.type == MPI_DATATYPE_NULL) return true;
  for (int peer = 0; peer < peers; ++peer)
    if (side.counts[peer] < 0 || (side.types && is_refused(side.types[peer], side.counts[peer]))) return true;
  return lacks_memory(side, routine, peers);
}

}  // namespace

std::size_t Blocks::total(int size) const {
  if (!from_.counts) return shape_.size * from_.count * size;
  std::size_t sum = 0;
  for (int peer = 0; peer < size; ++peer) sum += bytes(peer);
  return sum;
}

bool is_refused(const Exchange& exchange, int peers) {
  return exchange.receive.buffer == MPI_IN_PLACE || is_refused(exchange.receive, exchange.routine, peers) ||
         (!exchange.in_place() && is_refused(exchange.send, exchange.routine, peers));
}

int call_mpi(const Exchange& exchange) {
  const Side &send = exchange.send, &receive = exchange.receive;
  switch (exchange.routine) {
    case Routine::alltoall:
      return PMPI_Alltoall(send.buffer, send.count, send.type, receive.buffer, receive.count, receive.type,
                           exchange.comm);
    case Routine::alltoallv:
      return PMPI_Alltoallv(send.buffer, send.counts, send.displacements, send.type, receive.buffer,
                            receive.counts, receive.displacements, receive.type, exchange.comm);
    default:
      return PMPI_Alltoallw(send.buffer, send.counts, send.displacements, send.types, receive.buffer,
                            receive.counts, receive.displacements, receive.types, exchange.comm);
  }
}

}  // namespace atrium::mpi
