// Creating a lobby, and reading who belongs to it.
// SPDX-License-Identifier: BSD-3-Clause
#include "lobby/lobby.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <iterator>
#include <memory>
#include <string>
#include <utility>

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

// Two builds may have the same version.
std::string versions() {
  const char* launcher = std::getenv(job_variable::version);
  const std::string library = std::string("the library (") + path_of_this_library() + ")";
  if (launcher && std::string_view(launcher) == ATRIUM_VERSION)
    return "oshrun and " + library +
           " come from two builds of Atrium " ATRIUM_VERSION " that do not fit together";
  return "oshrun is of " + (launcher ? std::string("Atrium ") + launcher : "another Atrium") + ", and " +
         library + " of Atrium " ATRIUM_VERSION;
}

// All PEs find this error. The first prints it, and then the launcher ends the job before the others repeat it.
Error different_versions(int me) {
  if (me != 0) ::sleep(1);
  return cannot_join(versions(),
                     "the oshrun that was installed with that library, or a program compiled again with the "
                     "oshcc beside this oshrun");
}

bool read_all(int descriptor, void* memory, size_t bytes, size_t offset) {
  return ::pread(descriptor, memory, bytes, static_cast<off_t>(offset)) == static_cast<ssize_t>(bytes);
}

uint32_t unsigned_of(int count) { return static_cast<uint32_t>(count); }

struct LobbyHead {
  uint64_t magic;
  uint32_t version, node, nodes, pes, places, known_cpus, stretches, placement_words;
};
static_assert(offsetof(Lobby, version) == offsetof(LobbyHead, version) &&
              offsetof(Lobby, placement_words) == offsetof(LobbyHead, placement_words));

// With several nodes it stays mapped as long as a Placement refers to it.
Result<Placement> read_table(int job_memory, const LobbyHead& head, int me) {
  const Error damaged = cannot_join("the job's memory is damaged");
  if (head.nodes == 0 || head.nodes > head.pes) return damaged;
  const auto pes = static_cast<int>(head.pes);
  if (head.nodes == 1) return Placement::on_one_node(me, pes);
  const size_t bytes = sizeof(Lobby) + size_t{head.placement_words} * sizeof(int32_t);
  if (size_of_file(job_memory) < bytes) return cannot_join("the job's memory is cut off");
  void* const memory = ::mmap(nullptr, bytes, PROT_READ, MAP_SHARED, job_memory, 0);
  if (memory == MAP_FAILED) return system_error("cannot map the job's memory", "mmap");
  const std::shared_ptr<const void> keeper(memory, [bytes](void* mapped) { ::munmap(mapped, bytes); });
  const auto* const table =
      reinterpret_cast<const int32_t*>(static_cast<const std::byte*>(memory) + sizeof(Lobby));
  auto read = Placement::reading(me, pes, head.stretches, head.nodes, {table, head.placement_words}, keeper);
  return read ? Result<Placement>(std::move(*read)) : damaged;
}

// Pages that are touched only when a wait has lasted must be there, too, when the program has taken all the rest.
Result<void> commit_where_scarce(int descriptor, size_t bytes) {
  auto scarce = has_size_limit(descriptor);
  if (!scarce) return scarce.error();
  if (!*scarce) return {};
  auto committed = commit_file(descriptor, bytes, 0, "cannot get memory for the job");
  return committed
             ? committed
             : committed.error().try_this("a larger /dev/shm, or a kernel with memory files (memfd_create)");
}

}  // namespace

Result<Lobby*> create_lobby(int descriptor, const Placement& pes,
                            const std::vector<Domain>& domains_of_cpus) {
  const size_t bytes = lobby_bytes(pes);
  if (auto sized = size_file(descriptor, bytes); !sized) return sized.error();
  if (auto committed = commit_where_scarce(descriptor, bytes); !committed) return committed.error();
  void* memory = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  if (memory == MAP_FAILED) return system_error("cannot map the job's memory", "mmap");
  auto* lobby = static_cast<Lobby*>(memory);
  lobby->version = lobby_version;
  lobby->node = unsigned_of(pes.node());
  lobby->nodes = unsigned_of(pes.nodes());
  lobby->pes = unsigned_of(pes.pes());
  lobby->places = unsigned_of(pes.places());
  lobby->stretches = unsigned_of(static_cast<int>(pes.stretches()));
  lobby->placement_words = unsigned_of(static_cast<int>(pes.words().size()));
  std::copy(pes.words().begin(), pes.words().end(), lobby->placement_table());
  if (domains_of_cpus.size() <= most_known_cpus) {
    lobby->known_cpus = unsigned_of(static_cast<int>(domains_of_cpus.size()));
    std::copy(domains_of_cpus.begin(), domains_of_cpus.end(), lobby->domains());
  }
  lobby->magic.store(lobby_magic, std::memory_order_release);  // SYNC lobby
  return lobby;
}

void Lobby::add_cpus(std::span<const int> allowed) {
  uint64_t mine[most_known_cpus / 64] = {};
  for (const int cpu : allowed)
    if (static_cast<uint32_t>(cpu) < most_known_cpus) mine[cpu / 64] |= uint64_t{1} << (cpu % 64);
  for (size_t word = 0; word < std::size(mine); ++word)
    if ((mine[word] & ~cpus[word].load(std::memory_order_relaxed)) != 0)
      cpus[word].fetch_or(mine[word], std::memory_order_relaxed);
}

std::vector<int> Lobby::cpus_of_all() const {
  std::vector<int> all;
  for (size_t word = 0; word < std::size(cpus); ++word)
    for (uint64_t left = cpus[word].load(std::memory_order_relaxed); left != 0; left &= left - 1)
      all.push_back(static_cast<int>(word) * 64 + std::countr_zero(left));
  return all;
}

uint32_t pes_of_lobby(int descriptor) {
  LobbyHead head;
  return read_all(descriptor, &head, sizeof head, 0) && head.magic == lobby_magic ? head.pes : 0;
}

std::vector<pid_t> registered_pes(int descriptor) {
  LobbyHead head;
  if (!read_all(descriptor, &head, sizeof head, 0) || head.magic != lobby_magic ||
      head.version != lobby_version)
    return {};
  std::vector<pid_t> registered;
  size_t at = sizeof(Lobby) + Lobby::placement_bytes(head.placement_words) + offsetof(PeSlot, pid);
  for (uint32_t place = 0; place < head.places; ++place, at += sizeof(PeSlot)) {
    int32_t pid = 0;
    if (!read_all(descriptor, &pid, sizeof pid, at)) break;
    if (pid != 0) registered.push_back(pid);
  }
  return registered;
}

Result<Placement> read_placement(int job_memory, int me) {
  LobbyHead head;
  if (!read_all(job_memory, &head, sizeof head, 0) || head.magic != lobby_magic)
    return cannot_join("the inherited descriptor leads to another file");
  if (head.version != lobby_version) return different_versions(me);
  if (head.pes > most_pes || me < 0 || unsigned_of(me) >= head.pes)
    return cannot_join("its number is none of the job's");
  auto pes = read_table(job_memory, head, me);
  if (pes && pes->node() != static_cast<int>(head.node))
    return cannot_join("the inherited descriptor is another node's memory");
  return pes;
}

}  // namespace atrium
