// Takes this PE's slot in the lobby, waits for the layout, and waits for the other PEs.
// SPDX-License-Identifier: BSD-3-Clause
#include "lobby/visit.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>

#include "lobby/await_change.hpp"
#include "os/job_memory.hpp"
#include "os/life_mark.hpp"
#include "topology/cpus.hpp"

namespace atrium {
namespace {

void write_place(Lobby& lobby, PeSlot& slot) {
  const std::vector<int> cpus = allowed_cpus();
  lobby.add_cpus(cpus);
  const Domain domain = common_domain(cpus, {lobby.domains(), lobby.known_cpus});
  slot.cache.store(domain.cache, std::memory_order_relaxed);
  slot.node.store(domain.node, std::memory_order_relaxed);
}

Error not_this_job(const std::string& because, const std::string& remedy) {
  return Error{"cannot join the job", because, "entering the lobby", remedy};
}

// Else the first touch behind the end would be a SIGBUS.
bool is_long_enough(int job_memory, size_t bytes) { return size_of_file(job_memory) >= bytes; }

bool is_of_this_version(const Lobby& lobby, const Placement& pes) {
  return lobby.version == lobby_version && lobby.places == static_cast<uint32_t>(pes.places()) &&
         lobby.nodes == static_cast<uint32_t>(pes.nodes()) && lobby.stretches == pes.stretches() &&
         lobby.placement_words == pes.words().size() && lobby.known_cpus <= most_known_cpus;
}

}  // namespace

Result<LobbyVisit> LobbyVisit::enter(int job_memory, const Placement& pes) {
  if (!is_long_enough(job_memory, lobby_bytes(pes)))
    return not_this_job("the inherited descriptor leads to a shorter file",
                        "leaving the descriptor of ATRIUM_JOB_FD alone between oshrun and the program");
  void* memory = ::mmap(nullptr, lobby_bytes(pes), PROT_READ | PROT_WRITE, MAP_SHARED, job_memory, 0);
  if (memory == MAP_FAILED)
    return system_error("cannot join the job", "mmap").while_doing("entering the lobby");
  auto* lobby = static_cast<Lobby*>(memory);
  if (lobby->magic.load(std::memory_order_acquire) != lobby_magic)  // SYNC lobby
    return not_this_job("the inherited descriptor leads to another file",
                        "leaving the descriptor of ATRIUM_JOB_FD alone between oshrun and the program");
  if (!is_of_this_version(*lobby, pes))
    return not_this_job("oshrun and the library are of different versions",
                        "the oshrun of the installation whose library the program uses (ldd PROGRAM)");
  LobbyVisit visit(lobby, pes.place());
  int32_t nobody = 0;
  if (!visit.slot().pid.compare_exchange_strong(nobody, getpid()))
    return not_this_job("process " + std::to_string(nobody) + " already is PE " + std::to_string(pes.me()),
                        "one oshrun for each program: a job runs one, once");
  set_life_mark(job_memory, pes.place());
  write_place(*lobby, visit.slot());
  visit.set_state(PeState::running);
  return visit;
}

void LobbyVisit::publish_plan(const SegmentPlan& plan) {
  lobby_->plan = plan;
  lobby_->plan_ready.store(1, std::memory_order_release);  // SYNC lobby-barrier
  futex_wake_all(lobby_->plan_ready);
}

const SegmentPlan& LobbyVisit::await_plan() {
  await_change(lobby_->plan_ready, 0);
  return lobby_->plan;
}

void LobbyVisit::barrier() {
  // Not older than the end of my last barrier here, and it cannot change before I have arrived.
  const uint32_t generation = lobby_->generation.load(std::memory_order_relaxed);
  if (lobby_->arrived.fetch_add(1, std::memory_order_acq_rel) + 1 < lobby_->places) {  // SYNC lobby-barrier
    await_change(lobby_->generation, generation);
    return;
  }
  lobby_->arrived.store(0, std::memory_order_relaxed);
  lobby_->generation.fetch_add(1, std::memory_order_release);  // SYNC lobby-barrier
  futex_wake_all(lobby_->generation);
}

std::vector<int> LobbyVisit::cpus() { return lobby_->cpus_of_all(); }

int LobbyVisit::count_cpus() { return std::max(static_cast<int>(cpus().size()), 1); }

uint32_t LobbyVisit::traits_of_any() {
  uint32_t traits = 0;
  for (uint32_t place = 0; place < lobby_->places; ++place)
    traits |= lobby_->slots()[place].traits.load(std::memory_order_relaxed);
  return traits;
}

bool LobbyVisit::has_settings_of_first() {
  constexpr auto relaxed = std::memory_order_relaxed;
  return slot().settings.load(relaxed) == lobby_->slots()[0].settings.load(relaxed);
}

std::vector<Domain> LobbyVisit::domains() {
  std::vector<Domain> domains;
  for (uint32_t place = 0; place < lobby_->places; ++place) {
    const PeSlot& slot = lobby_->slots()[place];
    domains.push_back(
        {slot.cache.load(std::memory_order_relaxed), slot.node.load(std::memory_order_relaxed)});
  }
  return domains;
}

}  // namespace atrium
