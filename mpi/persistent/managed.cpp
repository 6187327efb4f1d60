// The requests of persistent collectives that this library manages, in a table by the MPI's handles.
// SPDX-License-Identifier: BSD-3-Clause
#include "persistent/managed.hpp"

#include <map>
#include <mutex>

namespace atrium::mpi {
namespace {

struct ManagedTable {
  std::mutex lock;
  std::map<MPI_Request, std::unique_ptr<PersistentExchange>> exchanges;
};

ManagedTable& table() {
  static ManagedTable* table = new ManagedTable;  // outlives every destructor
  return *table;
}

}  // namespace

constinit std::atomic<int> managed_requests{0};

void manage(MPI_Request handle, std::unique_ptr<PersistentExchange> exchange) {
  std::lock_guard guard(table().lock);
  table().exchanges[handle] = std::move(exchange);
  managed_requests = static_cast<int>(table().exchanges.size());
}

PersistentExchange* find_managed(MPI_Request handle) {
  if (none_is_managed()) return nullptr;
  std::lock_guard guard(table().lock);
  const auto found = table().exchanges.find(handle);
  return found == table().exchanges.end() ? nullptr : found->second.get();
}

void forget_managed(MPI_Request handle) {
  if (none_is_managed()) return;
  std::unique_ptr<PersistentExchange> gone;  // destroyed outside of the lock
  std::lock_guard guard(table().lock);
  const auto found = table().exchanges.find(handle);
  if (found == table().exchanges.end()) return;
  gone = std::move(found->second);
  table().exchanges.erase(found);
  --managed_requests;
}

std::vector<FoundRequest> find_managed(int count, const MPI_Request* handles) {
  std::vector<FoundRequest> all;
  if (!handles) return all;
  std::lock_guard guard(table().lock);
  for (int index = 0; index < count; ++index) {
    const auto found = table().exchanges.find(handles[index]);
    if (found != table().exchanges.end()) all.push_back({index, found->second.get()});
  }
  return all;
}

}  // namespace atrium::mpi
