// Tables from handles to what they bring.
// SPDX-License-Identifier: BSD-3-Clause
#include "race/mpi/requests.hpp"

#include <mutex>
#include <unordered_map>

#include "interpose/spin_lock.hpp"

namespace atrium::race {
namespace {

SpinLock requests_lock;
std::unordered_map<MPI_Request, Brought>& noted = *new std::unordered_map<MPI_Request, Brought>;
std::unordered_map<MPI_Message, Matched>& noted_matches = *new std::unordered_map<MPI_Message, Matched>;

}  // namespace

void Brought::add(const Brought& other) {
  ranks |= other.ranks;
  letters.insert(letters.end(), other.letters.begin(), other.letters.end());
}

void note_request(MPI_Request request, const Brought& brought) {
  if (request == MPI_REQUEST_NULL) return;
  std::lock_guard guard(requests_lock);
  noted[request].add(brought);
}

void forget_request(MPI_Request request) {
  std::lock_guard guard(requests_lock);
  noted.erase(request);
}

Brought brought_by(const MPI_Request* before, const MPI_Request* now, int count) {
  Brought all;
  std::lock_guard guard(requests_lock);
  for (int each = 0; each < count; ++each) {
    if (before[each] == MPI_REQUEST_NULL) continue;
    const auto found = noted.find(before[each]);
    if (found == noted.end()) return Brought::everything();
    if (!now || now[each] == MPI_REQUEST_NULL) all.add(found->second);
  }
  return all;
}

void forget_requests(const MPI_Request* before, const MPI_Request* now, int count) {
  std::lock_guard guard(requests_lock);
  for (int each = 0; each < count; ++each)
    if (before[each] != MPI_REQUEST_NULL && now[each] == MPI_REQUEST_NULL) noted.erase(before[each]);
}

void note_match(MPI_Message message, const Matched& matched) {
  std::lock_guard guard(requests_lock);
  noted_matches[message] = matched;
}

Matched take_match(MPI_Message message) {
  std::lock_guard guard(requests_lock);
  const auto found = noted_matches.find(message);
  if (found == noted_matches.end()) return {Brought::everything(), elsewhere, message != MPI_MESSAGE_NO_PROC};
  const Matched matched = found->second;
  noted_matches.erase(found);
  return matched;
}

}  // namespace atrium::race
