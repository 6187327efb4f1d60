// The Fortran entry points of MPIs whose own go straight to PMPI, past the C functions of the files beside this one: all of
// Open MPI's, and of MPICH's one.
// SPDX-License-Identifier: BSD-3-Clause
//
// mpif.h and `use mpi` call mpi_alltoall_ (as gfortran spells it; other compilers spell it as the aliases
// below), mpi_f08 calls mpi_alltoall_f08_, whose handles are structures of one integer and whose ierror may
// be absent. Neither passes array descriptors: the compiler copies what is not contiguous. MPICH's bindings,
// all three, call the C functions, after they have made a datatype of a descriptor; but the barrier of mpi_f08 has no buffer.
#include "interpose/fortran.hpp"

using atrium::mpi::answer;

#ifndef OPEN_MPI
ATRIUM_ENTRY void mpi_barrier_f08_(const MPI_Fint* comm, MPI_Fint* error) {
  answer(MPI_Barrier(PMPI_Comm_f2c(*comm)), error);
}
#else
#include <vector>

#include "comm/comm_state.hpp"

// The variables whose addresses are MPI_IN_PLACE and MPI_BOTTOM in Fortran; the program's, where it has them,
// or libmpi's.
extern "C" MPI_Fint mpi_fortran_in_place_, mpi_fortran_bottom_;

namespace {

static_assert(sizeof(MPI_Fint) == sizeof(int), "counts and displacements are passed on as they are");

using Integers = const MPI_Fint*;

void* in_c(void* buffer) {
  if (buffer == &mpi_fortran_in_place_) return MPI_IN_PLACE;
  return buffer == &mpi_fortran_bottom_ ? MPI_BOTTOM : buffer;
}

std::vector<MPI_Datatype> in_c(Integers types, int count) {
  std::vector<MPI_Datatype> handles;
  for (int index = 0; index < count; ++index) handles.push_back(PMPI_Type_f2c(types[index]));
  return handles;
}

}  // namespace

ATRIUM_ENTRY void mpi_alltoall_(void* send, Integers send_count, Integers send_type, void* receive,
                                Integers receive_count, Integers receive_type, Integers comm,
                                MPI_Fint* error) {
  answer(MPI_Alltoall(in_c(send), *send_count, PMPI_Type_f2c(*send_type), in_c(receive), *receive_count,
                      PMPI_Type_f2c(*receive_type), PMPI_Comm_f2c(*comm)),
         error);
}

ATRIUM_ENTRY void mpi_alltoallv_(void* send, Integers send_counts, Integers send_displacements,
                                 Integers send_type, void* receive, Integers receive_counts,
                                 Integers receive_displacements, Integers receive_type, Integers comm,
                                 MPI_Fint* error) {
  answer(MPI_Alltoallv(in_c(send), send_counts, send_displacements, PMPI_Type_f2c(*send_type), in_c(receive),
                       receive_counts, receive_displacements, PMPI_Type_f2c(*receive_type),
                       PMPI_Comm_f2c(*comm)),
         error);
}

ATRIUM_ENTRY void mpi_alltoallw_(void* send, Integers send_counts, Integers send_displacements,
                                 Integers send_types, void* receive, Integers receive_counts,
                                 Integers receive_displacements, Integers receive_types, Integers comm,
                                 MPI_Fint* error) {
  const MPI_Comm communicator = PMPI_Comm_f2c(*comm);
  const bool in_place = in_c(send) == MPI_IN_PLACE;  // what describes the sent side is then unspecified
  // Asking a null handle would be an error before the one that the exchange is.
  const int peers = communicator == MPI_COMM_NULL ? 0 : atrium::mpi::count_peers(communicator);
  const std::vector<MPI_Datatype> sent = in_c(send_types, in_place ? 0 : peers),
                                  received = in_c(receive_types, peers);
  answer(MPI_Alltoallw(in_c(send), send_counts, send_displacements, sent.data(), in_c(receive),
                       receive_counts, receive_displacements, received.data(), communicator),
         error);
}

ATRIUM_ENTRY void mpi_allreduce_(void* send, void* receive, Integers count, Integers type, Integers op,
                                 Integers comm, MPI_Fint* error) {
  answer(MPI_Allreduce(in_c(send), in_c(receive), *count, PMPI_Type_f2c(*type), PMPI_Op_f2c(*op),
                       PMPI_Comm_f2c(*comm)),
         error);
}

ATRIUM_ENTRY void mpi_bcast_(void* buffer, Integers count, Integers type, Integers root, Integers comm,
                             MPI_Fint* error) {
  answer(MPI_Bcast(in_c(buffer), *count, PMPI_Type_f2c(*type), *root, PMPI_Comm_f2c(*comm)), error);
}

ATRIUM_ENTRY void mpi_barrier_(Integers comm, MPI_Fint* error) {
  answer(MPI_Barrier(PMPI_Comm_f2c(*comm)), error);
}

// A pointer, or a C_PTR, comes by its address, and memory to be freed as an array.
ATRIUM_ENTRY void mpi_alloc_mem_(const MPI_Aint* size, Integers hints, void* base, MPI_Fint* error) {
  answer(MPI_Alloc_mem(*size, PMPI_Info_f2c(*hints), base), error);
}

ATRIUM_ENTRY void mpi_alloc_mem_cptr_(const MPI_Aint* size, Integers hints, void* base, MPI_Fint* error) {
  mpi_alloc_mem_(size, hints, base, error);
}

ATRIUM_ENTRY void mpi_free_mem_(void* memory, MPI_Fint* error) { answer(MPI_Free_mem(memory), error); }

ATRIUM_ALIASES(mpi_alltoall, MPI_ALLTOALL);
ATRIUM_ALIASES(mpi_alltoallv, MPI_ALLTOALLV);
ATRIUM_ALIASES(mpi_alltoallw, MPI_ALLTOALLW);
ATRIUM_ALIASES(mpi_allreduce, MPI_ALLREDUCE);
ATRIUM_ALIASES(mpi_bcast, MPI_BCAST);
ATRIUM_ALIASES(mpi_barrier, MPI_BARRIER);
ATRIUM_ALIASES(mpi_alloc_mem, MPI_ALLOC_MEM);
ATRIUM_ALIASES(mpi_alloc_mem_cptr, MPI_ALLOC_MEM_CPTR);
ATRIUM_ALIASES(mpi_free_mem, MPI_FREE_MEM);
#endif
