// The C entry points that start, complete and free requests. While there is no persistent request whose
// starts may go our way, all go to the MPI at once.
// SPDX-License-Identifier: BSD-3-Clause
#include "interpose/requests.hpp"

#include <dlfcn.h>
#include <mpi.h>

#include "interpose/entry.hpp"
#include "persistent/completion.hpp"
#include "persistent/managed.hpp"

using atrium::mpi::none_is_managed;

ATRIUM_ENTRY int MPI_Start(MPI_Request* request) { return atrium::mpi::start(request); }

ATRIUM_ENTRY int MPI_Startall(int count, MPI_Request* requests) {
  return atrium::mpi::start_all(count, requests);
}

ATRIUM_ENTRY int MPI_Wait(MPI_Request* request, MPI_Status* status) {
  return none_is_managed() ? PMPI_Wait(request, status) : atrium::mpi::wait(request, status);
}

ATRIUM_ENTRY int MPI_Waitall(int count, MPI_Request* requests, MPI_Status* statuses) {
  return none_is_managed() ? PMPI_Waitall(count, requests, statuses)
                           : atrium::mpi::wait_all(count, requests, statuses);
}

ATRIUM_ENTRY int MPI_Waitany(int count, MPI_Request* requests, int* index, MPI_Status* status) {
  return none_is_managed() ? PMPI_Waitany(count, requests, index, status)
                           : atrium::mpi::wait_any(count, requests, index, status);
}

ATRIUM_ENTRY int MPI_Waitsome(int count, MPI_Request* requests, int* out_count, int* indices,
                              MPI_Status* statuses) {
  return none_is_managed() ? PMPI_Waitsome(count, requests, out_count, indices, statuses)
                           : atrium::mpi::wait_some(count, requests, out_count, indices, statuses);
}

ATRIUM_ENTRY int MPI_Test(MPI_Request* request, int* flag, MPI_Status* status) {
  return none_is_managed() ? PMPI_Test(request, flag, status) : atrium::mpi::test(request, flag, status);
}

ATRIUM_ENTRY int MPI_Testall(int count, MPI_Request* requests, int* flag, MPI_Status* statuses) {
  return none_is_managed() ? PMPI_Testall(count, requests, flag, statuses)
                           : atrium::mpi::test_all(count, requests, flag, statuses);
}

ATRIUM_ENTRY int MPI_Testany(int count, MPI_Request* requests, int* index, int* flag, MPI_Status* status) {
  return none_is_managed() ? PMPI_Testany(count, requests, index, flag, status)
                           : atrium::mpi::test_any(count, requests, index, flag, status);
}

ATRIUM_ENTRY int MPI_Testsome(int count, MPI_Request* requests, int* out_count, int* indices,
                              MPI_Status* statuses) {
  return none_is_managed() ? PMPI_Testsome(count, requests, out_count, indices, statuses)
                           : atrium::mpi::test_some(count, requests, out_count, indices, statuses);
}

ATRIUM_ENTRY int MPI_Request_free(MPI_Request* request) { return atrium::mpi::request_free(request); }

ATRIUM_ENTRY int MPI_Request_get_status(MPI_Request request, int* flag, MPI_Status* status) {
  return none_is_managed() ? PMPI_Request_get_status(request, flag, status)
                           : atrium::mpi::request_get_status(request, flag, status);
}

// Of MPI 4.1: they exist here where the MPI does not have them, and then nobody calls them.
ATRIUM_ENTRY int MPI_Request_get_status_all(int count, const MPI_Request* requests, int* flag,
                                            MPI_Status* statuses) {
  return atrium::mpi::request_get_status_all(count, requests, flag, statuses);
}

ATRIUM_ENTRY int MPI_Request_get_status_any(int count, const MPI_Request* requests, int* index, int* flag,
                                            MPI_Status* status) {
  return atrium::mpi::request_get_status_any(count, requests, index, flag, status);
}

ATRIUM_ENTRY int MPI_Request_get_status_some(int count, const MPI_Request* requests, int* out_count,
                                             int* indices, MPI_Status* statuses) {
  return atrium::mpi::request_get_status_some(count, requests, out_count, indices, statuses);
}

namespace atrium::mpi {
namespace {

struct RequestRoutine {
  const char* name;
  void* ours;
};

template <class Function>
RequestRoutine entry(const char* name, Function* ours) {
  return {name, reinterpret_cast<void*>(ours)};
}

#define ATRIUM_NAMED(name) entry(#name, name)

// As the dynamic linker finds them for the program and for every library.
bool all_come_first() {
  const RequestRoutine entries[] = {
      ATRIUM_NAMED(MPI_Start),    ATRIUM_NAMED(MPI_Startall),     ATRIUM_NAMED(MPI_Wait),
      ATRIUM_NAMED(MPI_Waitall),  ATRIUM_NAMED(MPI_Waitany),      ATRIUM_NAMED(MPI_Waitsome),
      ATRIUM_NAMED(MPI_Test),     ATRIUM_NAMED(MPI_Testall),      ATRIUM_NAMED(MPI_Testany),
      ATRIUM_NAMED(MPI_Testsome), ATRIUM_NAMED(MPI_Request_free), ATRIUM_NAMED(MPI_Request_get_status)};
  for (const auto& [name, ours] : entries)
    if (dlsym(RTLD_DEFAULT, name) != ours) return false;
  return true;
}

bool has_fortran() {
  for (const char* name : {"mpi_wait_", "mpi_wait", "MPI_WAIT", "mpi_wait__"})
    if (dlsym(RTLD_DEFAULT, name)) return true;
  return false;
}

}  // namespace

// Asked anew for each request: bindings may have been loaded meanwhile.
bool completes_requests() { return all_come_first() && !has_fortran(); }

}  // namespace atrium::mpi
