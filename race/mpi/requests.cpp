// Tables that lead from handles of requests and messages to what they stand for.
// SPDX-License-Identifier: BSD-3-Clause
#include "race/mpi/requests.hpp"

#include <algorithm>
#include <deque>
#include <mutex>
#include <unordered_map>
#include <utility>

#include "interpose/spin_lock.hpp"

namespace atrium::race {
namespace {

using Noted = std::deque<std::shared_ptr<MpiOperation>>;

SpinLock requests_lock;
std::unordered_map<MPI_Request, Noted>& noted = *new std::unordered_map<MPI_Request, Noted>;
std::unordered_map<MPI_Message, Letter>& noted_matches = *new std::unordered_map<MPI_Message, Letter>;

void take_first_of(MPI_Request request, const Operations& claimed, bool takes_planned) {
  std::lock_guard guard(requests_lock);
  const auto found = noted.find(request);
  if (found == noted.end()) return;
  const auto first =
      std::find_first_of(found->second.begin(), found->second.end(), claimed.begin(), claimed.end());
  if (first == found->second.end() || ((*first)->is_planned && !takes_planned)) return;
  found->second.erase(first);
  if (found->second.empty()) noted.erase(found);
}

std::shared_ptr<MpiOperation> unknown_operation() {
  auto made = std::make_shared<MpiOperation>();
  made->is_active = true;
  return made;
}

}  // namespace

void note_request(MPI_Request request, std::shared_ptr<MpiOperation> operation) {
  if (request == MPI_REQUEST_NULL) return;
  std::lock_guard guard(requests_lock);
  noted[request].push_back(std::move(operation));
}

void forget_request(MPI_Request request) {
  std::lock_guard guard(requests_lock);
  noted.erase(request);
}

Operations claim_operations(MPI_Request request) {
  if (request == MPI_REQUEST_NULL) return {};
  std::lock_guard guard(requests_lock);
  const auto found = noted.find(request);
  if (found == noted.end()) return {unknown_operation()};
  Operations claimed;
  for (const auto& each : found->second)
    if (each->claims == 0) claimed.push_back(each);
  // Of requests with one handle, each may belong to any of its operations.
  if (claimed.empty()) claimed.assign(found->second.begin(), found->second.end());
  for (const auto& each : claimed) ++each->claims;
  return claimed;
}

void end_claim(const Operations& claimed) {
  std::lock_guard guard(requests_lock);
  for (const auto& each : claimed)
    if (each->claims != 0) --each->claims;
}

void end_request(MPI_Request request, const Operations& claimed) { take_first_of(request, claimed, false); }
void free_request(MPI_Request request, const Operations& claimed) { take_first_of(request, claimed, true); }

void note_match(MPI_Message message, const Letter& letter) {
  std::lock_guard guard(requests_lock);
  noted_matches[message] = letter;
}

Letter take_match(MPI_Message message) {
  std::lock_guard guard(requests_lock);
  const auto found = noted_matches.find(message);
  if (found == noted_matches.end()) return {message == MPI_MESSAGE_NO_PROC ? Letter::nobody : elsewhere};
  const Letter letter = found->second;
  noted_matches.erase(found);
  return letter;
}

}  // namespace atrium::race
