// Where each peer's block lies, whichever routine was called.
// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/arguments.hpp"
#include "settings/which_mpi.hpp"

namespace atrium::mpi {
namespace {

// MPICH takes no type at all where alltoallw sends nothing.
bool is_refused(MPI_Datatype type, std::int64_t count) {
  return type == MPI_DATATYPE_NULL && !(is_mpich() && count == 0);
}

bool lacks_memory(const Side& side, AlltoallRoutine routine, int peers) {
  if (side.buffer) return false;
  if (routine == AlltoallRoutine::alltoall)
    return atrium::mpi::lacks_memory(side.buffer, side.count, side.type);
  for (int peer = 0; peer < peers; ++peer)
    if (atrium::mpi::lacks_memory(side.buffer, side.counts[peer], side.types ? side.types[peer] : side.type))
      return true;
  return false;
}

bool is_refused(const Side& side, AlltoallRoutine routine, int peers) {
  if (routine == AlltoallRoutine::alltoall)
    return side.count < 0 || side.type == MPI_DATATYPE_NULL || lacks_memory(side, routine, peers);
  if (!side.counts || !side.displacements) return true;
  if (routine == AlltoallRoutine::alltoallw ? !side.types : side.type == MPI_DATATYPE_NULL) return true;
  for (int peer = 0; peer < peers; ++peer)
    if (side.counts[peer] < 0 || (side.types && is_refused(side.types[peer], side.counts[peer]))) return true;
  return lacks_memory(side, routine, peers);
}

// MPICH also refuses the same buffer on both sides, by the arguments alone: in alltoallv and alltoallw even where nothing is
// sent or the displacements differ.
bool is_aliased(const Exchange& exchange) {
  const Side &send = exchange.send, &receive = exchange.receive;
  if (!is_mpich() || send.buffer != receive.buffer || !(send.counts == receive.counts)) return false;
  if (exchange.routine == AlltoallRoutine::alltoallw) return send.types == receive.types;
  if (send.type != receive.type) return false;
  return exchange.routine == AlltoallRoutine::alltoallv || (send.count == receive.count && send.count != 0);
}

}  // namespace

std::size_t Blocks::total(int size) const {
  if (!from_.counts) return shape_.size * from_.count * size;
  std::size_t sum = 0;
  for (int peer = 0; peer < size; ++peer) sum += bytes(peer);
  return sum;
}

bool Blocks::are_packable(int size) const {
  for (int peer = 0; peer < size; ++peer)
    if (bytes(peer) > largest_block) return false;
  return true;
}

bool is_refused(const Exchange& exchange, int peers) {
  return exchange.receive.buffer == MPI_IN_PLACE || is_refused(exchange.receive, exchange.routine, peers) ||
         (!exchange.in_place() &&
          (is_aliased(exchange) || is_refused(exchange.send, exchange.routine, peers)));
}

#if MPI_VERSION >= 4
#define ATRIUM_CALL(name)                                                \
  (exchange.has_large_counts() ? call_routine(PMPI_##name##_c, exchange) \
                               : call_routine(PMPI_##name, exchange))
#else
#define ATRIUM_CALL(name) call_routine(PMPI_##name, exchange)
#endif

int call_mpi(const Exchange& exchange) {
  switch (exchange.routine) {
    case AlltoallRoutine::alltoall:
      return ATRIUM_CALL(Alltoall);
    case AlltoallRoutine::alltoallv:
      return ATRIUM_CALL(Alltoallv);
    default:
      return ATRIUM_CALL(Alltoallw);
  }
}

}  // namespace atrium::mpi
