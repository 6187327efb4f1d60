// Creates the nameless segment and publishes an empty lobby in it.
// SPDX-License-Identifier: BSD-3-Clause
#include "launch/process/job_segment.hpp"

#include <fcntl.h>
#include <unistd.h>

#include "os/job_memory.hpp"

namespace atrium {
namespace {

// Shell scripts use the small descriptors for themselves ("exec 3>file").
int move_up(int fd) {
  for (int lowest : {200, 20}) {
    const int moved = fcntl(fd, F_DUPFD_CLOEXEC, lowest);
    if (moved < 0) continue;
    close(fd);
    return moved;
  }
  return fd;
}

}  // namespace

Result<JobSegment> JobSegment::create(int pes, const std::vector<Core>& cores) {
  Result<int> memory = create_job_memory();
  if (!memory) return memory.error();
  const int fd = move_up(*memory);
  Result<Lobby*> lobby = create_lobby(fd, pes, domains_of_cpus(cores));
  if (!lobby) return lobby.error();
  return JobSegment(fd, *lobby);
}

PeState JobSegment::state(int pe) const {
  return static_cast<PeState>(lobby_->slots()[pe].state.load(std::memory_order_acquire));  // SYNC pe-state
}

std::optional<int> JobSegment::exit_request() const {
  if (lobby_->exit_requested.load(std::memory_order_acquire) == 0) return std::nullopt;  // SYNC exit
  return lobby_->exit_status.load(std::memory_order_relaxed);
}

std::optional<LongWait> JobSegment::wait(int pe) const {
  const LobbyWait& wait = lobby_->waits()[pe];
  LongWait found{{}, wait.since_ns.load(std::memory_order_acquire), false};  // SYNC lobby-wait
  if (found.since_ns <= LobbyWait::being_written) return std::nullopt;
  for (const auto& letter : wait.text) {
    const char c = letter.load(std::memory_order_relaxed);
    if (c == '\0') break;
    found.what += c;
  }
  found.for_all = wait.for_all.load(std::memory_order_relaxed) != 0;
  std::atomic_thread_fence(std::memory_order_acquire);  // SYNC lobby-wait-text
  if (wait.since_ns.load(std::memory_order_relaxed) != found.since_ns) return std::nullopt;  // over meanwhile
  return found;
}

bool JobSegment::in_use() const {
  for (uint32_t pe = 0; pe < lobby_->places; ++pe)
    if (state(static_cast<int>(pe)) == PeState::running) return true;
  return false;
}

}  // namespace atrium
