// A table from handles to those who bring something.
// SPDX-License-Identifier: BSD-3-Clause
#include "race/mpi/requests.hpp"

#include <mutex>
#include <unordered_map>

#include "interpose/spin_lock.hpp"

namespace atrium::race {
namespace {

SpinLock requests_lock;
std::unordered_map<MPI_Request, Bringers>& noted = *new std::unordered_map<MPI_Request, Bringers>;

}  // namespace

void note_request(MPI_Request request, const Bringers& bringers) {
  if (request == MPI_REQUEST_NULL) return;
  std::lock_guard guard(requests_lock);
  noted[request] |= bringers;
}

Bringers bringers_of(const MPI_Request* requests, int count) {
  Bringers all;
  std::lock_guard guard(requests_lock);
  for (int each = 0; each < count; ++each) {
    if (requests[each] == MPI_REQUEST_NULL) continue;
    const auto found = noted.find(requests[each]);
    if (found == noted.end()) return Bringers().set();
    all |= found->second;
  }
  return all;
}

void forget_requests(const MPI_Request* before, const MPI_Request* now, int count) {
  std::lock_guard guard(requests_lock);
  for (int each = 0; each < count; ++each)
    if (before[each] != MPI_REQUEST_NULL && now[each] == MPI_REQUEST_NULL) noted.erase(before[each]);
}

}  // namespace atrium::race
