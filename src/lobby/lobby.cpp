// Founding a lobby.
// SPDX-License-Identifier: BSD-3-Clause
#include "lobby/lobby.hpp"

#include <sys/mman.h>

#include <algorithm>

#include "os/job_memory.hpp"

namespace atrium {

Result<Lobby*> create_lobby(int descriptor, int places, const std::vector<Domain>& domains_of_cpus) {
  const size_t bytes = lobby_bytes(static_cast<uint32_t>(places));
  if (auto sized = size_file(descriptor, bytes); !sized) return sized.error();
  void* memory = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  if (memory == MAP_FAILED) return system_error("cannot map the job's memory", "mmap");
  auto* lobby = static_cast<Lobby*>(memory);
  lobby->version = lobby_version;
  lobby->places = static_cast<uint32_t>(places);
  if (domains_of_cpus.size() <= most_known_cpus) {
    lobby->known_cpus = static_cast<uint32_t>(domains_of_cpus.size());
    std::copy(domains_of_cpus.begin(), domains_of_cpus.end(), lobby->domains());
  }
  lobby->magic.store(lobby_magic, std::memory_order_release);  // SYNC lobby
  return lobby;
}

}  // namespace atrium
