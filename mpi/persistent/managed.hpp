// The persistent requests whose starts may go our way, by the program's handles.
// SPDX-License-Identifier: BSD-3-Clause
//
// Thread safety: any thread may ask. A request has one user at a time, as the standard demands.
#pragma once

#include <mpi.h>

#include <atomic>
#include <memory>
#include <vector>

#include "persistent/request.hpp"

namespace atrium::mpi {

// How many there are. What completes requests asks this first, and goes to the MPI at once where it is 0.
extern std::atomic<int> managed_requests;
inline bool none_is_managed() { return managed_requests.load(std::memory_order_relaxed) == 0; }

void manage(MPI_Request handle, std::unique_ptr<PersistentExchange> exchange);
// Null: the MPI's alone.
PersistentExchange* find_managed(MPI_Request handle);
// The handle is about to be freed.
void forget_managed(MPI_Request handle);

struct FoundRequest {
  int index;
  PersistentExchange* exchange;
};
// Of an array of requests, those that are managed.
std::vector<FoundRequest> find_managed(int count, const MPI_Request* handles);

}  // namespace atrium::mpi
