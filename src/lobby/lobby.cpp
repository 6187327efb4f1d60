// Creating a lobby, and reading who belongs to it.
// SPDX-License-Identifier: BSD-3-Clause
#include "lobby/lobby.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string>

#include "os/job_memory.hpp"
#include "os/loaded_objects.hpp"

namespace atrium {
namespace {

constexpr uint32_t most_pes = 1 << 24;

Error cannot_join(const std::string& because,
                  const char* remedy =
                      "leaving descriptors and ATRIUM_JOB_* variables alone between oshrun and the program") {
  return Error{"cannot join the job", because, "entering the lobby", remedy};
}

// All PEs find out. The first says it, and what the job's launcher then does spares the others' breath.
Error different_versions(int me) {
  if (me != 0) ::sleep(1);
  const char* launcher = std::getenv(job_variable::version);
  return cannot_join("oshrun is of " + (launcher ? std::string("Atrium ") + launcher : "another Atrium") +
                         ", and the library (" + path_of_this_library() + ") of Atrium " ATRIUM_VERSION,
                     "the oshrun that was installed with that library, or a program compiled again with the "
                     "oshcc beside this oshrun");
}

bool read_all(int descriptor, void* memory, size_t bytes, size_t offset) {
  return ::pread(descriptor, memory, bytes, static_cast<off_t>(offset)) == static_cast<ssize_t>(bytes);
}

uint32_t unsigned_of(int count) { return static_cast<uint32_t>(count); }

}  // namespace

Result<Lobby*> create_lobby(int descriptor, const Placement& pes,
                            const std::vector<Domain>& domains_of_cpus) {
  const size_t bytes = lobby_bytes(pes);
  if (auto sized = size_file(descriptor, bytes); !sized) return sized.error();
  void* memory = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  if (memory == MAP_FAILED) return system_error("cannot map the job's memory", "mmap");
  auto* lobby = static_cast<Lobby*>(memory);
  lobby->version = lobby_version;
  lobby->node = unsigned_of(pes.node());
  lobby->nodes = unsigned_of(pes.nodes());
  lobby->pes = unsigned_of(pes.pes());
  lobby->places = unsigned_of(pes.places());
  for (int pe = 0; pes.nodes() > 1 && pe < pes.pes(); ++pe) lobby->node_of()[pe] = pes.node_of(pe);
  if (domains_of_cpus.size() <= most_known_cpus) {
    lobby->known_cpus = unsigned_of(static_cast<int>(domains_of_cpus.size()));
    std::copy(domains_of_cpus.begin(), domains_of_cpus.end(), lobby->domains());
  }
  lobby->magic.store(lobby_magic, std::memory_order_release);  // SYNC lobby
  return lobby;
}

Result<Placement> read_placement(int job_memory, int me) {
  struct {
    uint64_t magic;
    uint32_t version, node, nodes, pes, places;
  } head;
  static_assert(offsetof(Lobby, version) == 8 && offsetof(Lobby, places) == 24);
  if (!read_all(job_memory, &head, sizeof head, 0) || head.magic != lobby_magic)
    return cannot_join("the inherited descriptor leads to another file");
  if (head.version != lobby_version) return different_versions(me);
  if (head.pes > most_pes || me < 0 || unsigned_of(me) >= head.pes)
    return cannot_join("its number is none of the job's");
  if (head.nodes > head.pes) return cannot_join("the job's memory is damaged");  // each node has a PE
  std::vector<int> nodes(head.pes);
  if (!read_all(job_memory, nodes.data(), nodes.size() * sizeof(int), sizeof(Lobby)))
    return cannot_join("the job's memory is cut off");
  const auto outside = [&](int node) { return node < 0 || unsigned_of(node) >= head.nodes; };
  if (std::any_of(nodes.begin(), nodes.end(), outside)) return cannot_join("the job's memory is damaged");
  Placement pes(me, std::move(nodes));
  if (pes.node() != static_cast<int>(head.node) || !pes.is_valid())
    return cannot_join("the inherited descriptor is another node's memory");
  return pes;
}

}  // namespace atrium
