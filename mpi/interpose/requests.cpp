// The C entry points that start, complete and free requests, the MPI's and ours in one array.
// SPDX-License-Identifier: BSD-3-Clause
//
// A request that is started our way is inactive to the MPI, which does not get to see it: it sees MPI_REQUEST_NULL at its place,
// and answers for it as the standard says for a complete persistent collective. While no persistent request may go our way, all
// calls go to the MPI at once.
#include <mpi.h>

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "atrium_machine.h"
#include "interpose/entry.hpp"
#include "interpose/looks.hpp"
#include "persistent/managed.hpp"

namespace atrium::mpi {
namespace {

// Between two looks into an array the processor is given away: a look takes longer than a spin.
constexpr int no_spins = 0;

// A call that completes requests, some of which are ours.
class CompletingCall {
 public:
  CompletingCall(int count, const MPI_Request* requests)
      : count_(count),
        requests_(requests),
        found_(none_is_managed() ? std::vector<FoundRequest>{} : find_managed(count, requests)),
        begin_ns_(found_.empty() ? 0 : atrium_now_ns()) {}  // calls without ours read no clock
  // The time that the program has spent in it counts for all of them.
  ~CompletingCall() { stop(); }
  CompletingCall(const CompletingCall&) = delete;
  CompletingCall& operator=(const CompletingCall&) = delete;

  bool is_the_mpis() const { return found_.empty(); }
  const std::vector<FoundRequest>& found() const { return found_; }
  PersistentExchange& first() const { return *found_.front().exchange; }
  bool has_ours() const {
    return std::ranges::any_of(found_, [](const FoundRequest& each) { return each.exchange->is_ours(); });
  }

  bool poll_all() const {
    bool all = true;
    for (const FoundRequest& each : found_) all &= each.exchange->poll();
    return all;
  }
  // One of ours that is complete.
  const FoundRequest* poll_any() const {
    for (const FoundRequest& each : found_)
      if (each.exchange->is_ours() && each.exchange->poll()) return &each;
    return nullptr;
  }
  // The array as the MPI is to see it: without those that it has not started. MPICH 4.0.2 takes inactive persistent
  // collectives for complete ones.
  std::vector<MPI_Request> for_mpi() const {
    std::vector<MPI_Request> requests(requests_, requests_ + count_);
    for (const FoundRequest& each : found_)
      if (!each.exchange->is_started() || each.exchange->is_ours()) requests[each.index] = MPI_REQUEST_NULL;
    return requests;
  }
  // What has become of one that the MPI has completed: managed ones stay, others are null from now on.
  void take_back(MPI_Request* requests, const std::vector<MPI_Request>& seen, int index) {
    if (!is_managed(index)) requests[index] = seen[index];
    for (const FoundRequest& each : found_)
      if (each.index == index) retire(*each.exchange);
  }
  bool is_managed(int index) const {
    return std::ranges::find(found_, index, &FoundRequest::index) != found_.end();
  }

  // Nothing is complete: others may wait for what this rank has to send.
  void make_progress() const { atrium::mpi::make_progress(first().wait_policy()); }

  // The program learns that it is complete. Answers its error.
  int retire(PersistentExchange& exchange) {
    stop();
    return exchange.retire();
  }

 private:
  void stop() {
    if (found_.empty() || std::exchange(is_stopped_, true)) return;
    const std::int64_t taken = atrium_now_ns() - begin_ns_;
    for (const FoundRequest& each : found_) each.exchange->spent(taken);
  }

  const int count_;
  const MPI_Request* const requests_;
  const std::vector<FoundRequest> found_;
  const std::int64_t begin_ns_;
  bool is_stopped_ = false;
};

// The status of a request of ours that is complete.
void empty_status(MPI_Status* status) {
  MPI_Request none = MPI_REQUEST_NULL;
  if (status != MPI_STATUS_IGNORE) PMPI_Wait(&none, status);
}

MPI_Status* status_at(MPI_Status* statuses, int index) {
  return statuses == MPI_STATUSES_IGNORE ? MPI_STATUS_IGNORE : statuses + index;
}

// One of an array failed: the other statuses say that theirs did not.
class Failures {
 public:
  Failures(int count, MPI_Status* statuses) : count_(count), statuses_(statuses) {}
  void note(int at, int error) {
    if (error == MPI_SUCCESS) return;
    if (statuses_ != MPI_STATUSES_IGNORE) {
      for (int each = 0; !any_ && each < count_; ++each) statuses_[each].MPI_ERROR = MPI_SUCCESS;
      statuses_[at].MPI_ERROR = error;
    }
    any_ = true;
  }
  // `error`: what the MPI has answered.
  int answer(int error) const { return any_ ? MPI_ERR_IN_STATUS : error; }

 private:
  int count_;
  MPI_Status* statuses_;
  bool any_ = false;
};

// After the MPI has completed the array.
int retire_all(CompletingCall& call, int count, MPI_Request* requests, const std::vector<MPI_Request>& seen,
               MPI_Status* statuses, int error) {
  for (int index = 0; index < count; ++index)
    if (!call.is_managed(index)) requests[index] = seen[index];
  Failures failures(error == MPI_SUCCESS ? count : 0, statuses);
  for (const FoundRequest& each : call.found())
    if (each.exchange->is_started()) failures.note(each.index, call.retire(*each.exchange));
  return failures.answer(error);
}

// One look for any. True: *index is complete, or nothing is active and *index is MPI_UNDEFINED.
bool look_for_any(CompletingCall& call, int count, MPI_Request* requests, int* index, MPI_Status* status,
                  int& error) {
  if (const FoundRequest* ours = call.poll_any()) {
    *index = ours->index;
    empty_status(status);
    error = call.retire(*ours->exchange);
    return true;
  }
  int flag = 0;
  std::vector<MPI_Request> seen = call.for_mpi();
  error = PMPI_Testany(count, seen.data(), index, &flag, status);
  if (!flag) return error != MPI_SUCCESS;
  if (*index == MPI_UNDEFINED) return !call.has_ours();
  call.take_back(requests, seen, *index);
  return true;
}

// One look for some, first for ours and then for the MPI's. False: some are active and none is complete.
bool look_for_some(CompletingCall& call, int count, MPI_Request* requests, int* out_count, int* indices,
                   MPI_Status* statuses, int& error) {
  int ours = 0, others = 0;
  std::vector<int> errors;
  while (const FoundRequest* complete = call.poll_any()) {
    empty_status(status_at(statuses, ours));
    indices[ours++] = complete->index;
    errors.push_back(call.retire(*complete->exchange));
  }
  std::vector<MPI_Request> seen = call.for_mpi();
  error = PMPI_Testsome(count, seen.data(), &others, indices + ours, status_at(statuses, ours));
  const bool is_any_active = others != MPI_UNDEFINED || call.has_ours() || ours > 0;
  if (others == MPI_UNDEFINED) others = 0;
  for (int at = ours; at < ours + others; ++at) call.take_back(requests, seen, indices[at]);
  Failures failures(error == MPI_SUCCESS ? ours + others : 0, statuses);
  for (int at = 0; at < ours; ++at) failures.note(at, errors[at]);
  error = failures.answer(error);
  *out_count = is_any_active ? ours + others : MPI_UNDEFINED;
  return *out_count != 0 || error != MPI_SUCCESS;
}

int start(MPI_Request* request) {
  PersistentExchange* exchange = request ? find_managed(*request) : nullptr;
  return exchange ? exchange->start() : PMPI_Start(request);
}

}  // namespace
}  // namespace atrium::mpi

using namespace atrium::mpi;

ATRIUM_ENTRY int MPI_Start(MPI_Request* request) { return start(request); }

ATRIUM_ENTRY int MPI_Startall(int count, MPI_Request* requests) {
  if (none_is_managed() || find_managed(count, requests).empty()) return PMPI_Startall(count, requests);
  for (int each = 0; each < count; ++each)
    if (const int error = start(&requests[each]); error != MPI_SUCCESS) return error;
  return MPI_SUCCESS;
}

ATRIUM_ENTRY int MPI_Wait(MPI_Request* request, MPI_Status* status) {
  CompletingCall call(1, request);
  if (call.is_the_mpis()) return PMPI_Wait(request, status);
  PersistentExchange& exchange = call.first();
  exchange.finish();
  const int error = PMPI_Wait(call.for_mpi().data(), status);
  const int ours = exchange.is_started() ? call.retire(exchange) : MPI_SUCCESS;
  return ours == MPI_SUCCESS ? error : ours;
}

ATRIUM_ENTRY int MPI_Waitall(int count, MPI_Request* requests, MPI_Status* statuses) {
  CompletingCall call(count, requests);
  if (call.is_the_mpis()) return PMPI_Waitall(count, requests, statuses);
  for (const FoundRequest& each : call.found()) each.exchange->finish();
  std::vector<MPI_Request> seen = call.for_mpi();
  const int error = PMPI_Waitall(count, seen.data(), statuses);
  return retire_all(call, count, requests, seen, statuses, error);
}

ATRIUM_ENTRY int MPI_Waitany(int count, MPI_Request* requests, int* index, MPI_Status* status) {
  CompletingCall call(count, requests);
  if (call.is_the_mpis()) return PMPI_Waitany(count, requests, index, status);
  int error = MPI_SUCCESS;
  wait_until(call.first().wait_policy(), no_spins,
             [&] { return look_for_any(call, count, requests, index, status, error); });
  return error;
}

ATRIUM_ENTRY int MPI_Waitsome(int count, MPI_Request* requests, int* out_count, int* indices,
                              MPI_Status* statuses) {
  CompletingCall call(count, requests);
  if (call.is_the_mpis()) return PMPI_Waitsome(count, requests, out_count, indices, statuses);
  int error = MPI_SUCCESS;
  wait_until(call.first().wait_policy(), no_spins,
             [&] { return look_for_some(call, count, requests, out_count, indices, statuses, error); });
  return error;
}

ATRIUM_ENTRY int MPI_Test(MPI_Request* request, int* flag, MPI_Status* status) {
  CompletingCall call(1, request);
  if (call.is_the_mpis()) return PMPI_Test(request, flag, status);
  if (*flag = call.poll_all(); !*flag) return call.make_progress(), MPI_SUCCESS;
  const int error = PMPI_Test(call.for_mpi().data(), flag, status);
  const int ours = *flag && call.first().is_started() ? call.retire(call.first()) : MPI_SUCCESS;
  return ours == MPI_SUCCESS ? error : ours;
}

ATRIUM_ENTRY int MPI_Testall(int count, MPI_Request* requests, int* flag, MPI_Status* statuses) {
  CompletingCall call(count, requests);
  if (call.is_the_mpis()) return PMPI_Testall(count, requests, flag, statuses);
  if (*flag = call.poll_all(); !*flag) return call.make_progress(), MPI_SUCCESS;
  std::vector<MPI_Request> seen = call.for_mpi();
  const int error = PMPI_Testall(count, seen.data(), flag, statuses);
  return *flag ? retire_all(call, count, requests, seen, statuses, error) : error;
}

ATRIUM_ENTRY int MPI_Testany(int count, MPI_Request* requests, int* index, int* flag, MPI_Status* status) {
  CompletingCall call(count, requests);
  if (call.is_the_mpis()) return PMPI_Testany(count, requests, index, flag, status);
  int error = MPI_SUCCESS;
  *flag = look_for_any(call, count, requests, index, status, error);
  if (!*flag) call.make_progress(), *index = MPI_UNDEFINED;
  return error;
}

ATRIUM_ENTRY int MPI_Testsome(int count, MPI_Request* requests, int* out_count, int* indices,
                              MPI_Status* statuses) {
  CompletingCall call(count, requests);
  if (call.is_the_mpis()) return PMPI_Testsome(count, requests, out_count, indices, statuses);
  int error = MPI_SUCCESS;
  if (!look_for_some(call, count, requests, out_count, indices, statuses, error)) call.make_progress();
  return error;
}

ATRIUM_ENTRY int MPI_Request_free(MPI_Request* request) {
  if (request) forget_managed(*request);
  return PMPI_Request_free(request);
}

ATRIUM_ENTRY int MPI_Request_get_status(MPI_Request request, int* flag, MPI_Status* status) {
  const CompletingCall call(1, &request);
  if (call.is_the_mpis()) return PMPI_Request_get_status(request, flag, status);
  if (call.poll_all()) return PMPI_Request_get_status(call.for_mpi().front(), flag, status);
  call.make_progress();
  *flag = 0;
  return MPI_SUCCESS;
}

ATRIUM_ENTRY int MPI_Request_get_status_all(int count, SeenRequests requests, int* flag,
                                            MPI_Status* statuses) {
  const CompletingCall call(count, requests);
  if (call.is_the_mpis()) return PMPI_Request_get_status_all(count, requests, flag, statuses);
  if (call.poll_all()) return PMPI_Request_get_status_all(count, call.for_mpi().data(), flag, statuses);
  call.make_progress();
  *flag = 0;
  return MPI_SUCCESS;
}

ATRIUM_ENTRY int MPI_Request_get_status_any(int count, SeenRequests requests, int* index, int* flag,
                                            MPI_Status* status) {
  const CompletingCall call(count, requests);
  if (call.is_the_mpis()) return PMPI_Request_get_status_any(count, requests, index, flag, status);
  if (const FoundRequest* ours = call.poll_any()) {
    *index = ours->index, *flag = 1;
    empty_status(status);
    return MPI_SUCCESS;
  }
  std::vector<MPI_Request> seen = call.for_mpi();
  const int error = PMPI_Request_get_status_any(count, seen.data(), index, flag, status);
  if (*flag && *index == MPI_UNDEFINED && call.has_ours()) *flag = 0;
  if (!*flag) call.make_progress();
  return error;
}

ATRIUM_ENTRY int MPI_Request_get_status_some(int count, SeenRequests requests, int* out_count, int* indices,
                                             MPI_Status* statuses) {
  const CompletingCall call(count, requests);
  if (call.is_the_mpis()) return PMPI_Request_get_status_some(count, requests, out_count, indices, statuses);
  int ours = 0, others = 0;
  for (const FoundRequest& each : call.found()) {
    if (!each.exchange->is_ours() || !each.exchange->poll()) continue;
    empty_status(status_at(statuses, ours));
    indices[ours++] = each.index;
  }
  std::vector<MPI_Request> seen = call.for_mpi();
  const int error =
      PMPI_Request_get_status_some(count, seen.data(), &others, indices + ours, status_at(statuses, ours));
  const bool is_any_active = others != MPI_UNDEFINED || call.has_ours();
  *out_count = is_any_active ? ours + (others == MPI_UNDEFINED ? 0 : others) : MPI_UNDEFINED;
  if (*out_count == 0) call.make_progress();
  return error;
}
