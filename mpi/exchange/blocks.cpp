// Where each peer's block lies, whichever routine was called.
// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/exchange.hpp"

namespace atrium::mpi {
namespace {

bool is_refused(const Side& side, int size) {
  if (!side.counts) return side.count < 0 || side.type == MPI_DATATYPE_NULL;
  if (!side.types && side.type == MPI_DATATYPE_NULL) return true;
  for (int peer = 0; peer < size; ++peer)
    if (side.counts[peer] < 0 || (side.types && side.types[peer] == MPI_DATATYPE_NULL)) return true;
  return false;
}

}  // namespace

std::size_t Blocks::total(int size) const {
  if (!from_.counts) return shape_.size * from_.count * size;
  std::size_t sum = 0;
  for (int peer = 0; peer < size; ++peer) sum += bytes(peer);
  return sum;
}

bool is_refused(const Exchange& exchange, int size) {
  return is_refused(exchange.receive, size) || (!exchange.in_place() && is_refused(exchange.send, size));
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
