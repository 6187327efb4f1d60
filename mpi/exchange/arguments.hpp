// The arguments of the MPI's all-to-all routines: an exchange made of them, and routines called with those of an exchange.
// SPDX-License-Identifier: BSD-3-Clause
//
// Blocking and persistent routines, those among neighbours and those with large counts differ in the types of counts and
// displacements, and in what follows the communicator. The parameters are written once here, for the entry points and for the
// types of the MPI's functions.
#pragma once

#include <mpi.h>

#include <type_traits>

#include "exchange/exchange.hpp"

#define ATRIUM_EQUAL(Count)                                                                       \
  const void *send, Count send_count, MPI_Datatype send_type, void *receive, Count receive_count, \
      MPI_Datatype receive_type, MPI_Comm comm
#define ATRIUM_VARYING(Count, Displacement)                                           \
  const void *send, const Count *send_counts, const Displacement *send_displacements, \
      MPI_Datatype send_type, void *receive, const Count *receive_counts,             \
      const Displacement *receive_displacements, MPI_Datatype receive_type, MPI_Comm comm
#define ATRIUM_MIXED(Count, Displacement)                                             \
  const void *send, const Count *send_counts, const Displacement *send_displacements, \
      const MPI_Datatype *send_types, void *receive, const Count *receive_counts,     \
      const Displacement *receive_displacements, const MPI_Datatype *receive_types, MPI_Comm comm

// What is sent comes as const. A side is one type for both directions, and nothing is written to that one.
#define ATRIUM_EXCHANGE(routine, ...) \
  atrium::mpi::Exchange { atrium::mpi::AlltoallRoutine::routine, __VA_ARGS__, comm }
#define ATRIUM_EQUAL_EXCHANGE                                                             \
  ATRIUM_EXCHANGE(alltoall, {const_cast<void*>(send), send_count, {}, {}, send_type, {}}, \
                  {receive, receive_count, {}, {}, receive_type, {}})
#define ATRIUM_VARYING_EXCHANGE                                                                            \
  ATRIUM_EXCHANGE(alltoallv, {const_cast<void*>(send), 0, send_counts, send_displacements, send_type, {}}, \
                  {receive, 0, receive_counts, receive_displacements, receive_type, {}})
#define ATRIUM_MIXED_EXCHANGE                                                                       \
  ATRIUM_EXCHANGE(                                                                                  \
      alltoallw,                                                                                    \
      {const_cast<void*>(send), 0, send_counts, send_displacements, MPI_DATATYPE_NULL, send_types}, \
      {receive, 0, receive_counts, receive_displacements, MPI_DATATYPE_NULL, receive_types})

namespace atrium::mpi {

template <class Count, class... More>
int call_routine(int (*routine)(ATRIUM_EQUAL(Count), More...), const Exchange& exchange,
                 std::type_identity_t<More>... more) {
  const Side &out = exchange.send, &in = exchange.receive;
  return routine(out.buffer, static_cast<Count>(out.count), out.type, in.buffer, static_cast<Count>(in.count),
                 in.type, exchange.comm, more...);
}

template <class Count, class Displacement, class... More>
int call_routine(int (*routine)(ATRIUM_VARYING(Count, Displacement), More...), const Exchange& exchange,
                 std::type_identity_t<More>... more) {
  const Side &out = exchange.send, &in = exchange.receive;
  return routine(out.buffer, out.counts.as<Count>(), out.displacements.as<Displacement>(), out.type,
                 in.buffer, in.counts.as<Count>(), in.displacements.as<Displacement>(), in.type,
                 exchange.comm, more...);
}

template <class Count, class Displacement, class... More>
int call_routine(int (*routine)(ATRIUM_MIXED(Count, Displacement), More...), const Exchange& exchange,
                 std::type_identity_t<More>... more) {
  const Side &out = exchange.send, &in = exchange.receive;
  return routine(out.buffer, out.counts.as<Count>(), out.displacements.as<Displacement>(), out.types,
                 in.buffer, in.counts.as<Count>(), in.displacements.as<Displacement>(), in.types,
                 exchange.comm, more...);
}

}  // namespace atrium::mpi
