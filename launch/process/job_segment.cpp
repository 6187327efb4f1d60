// Creates the nameless segment and publishes an empty lobby in it.
// SPDX-License-Identifier: BSD-3-Clause
#include "launch/process/job_segment.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cstring>

#include "launch/process/sysv_leftovers.hpp"
#include "os/futex.hpp"
#include "os/job_memory.hpp"

namespace atrium {
int move_up(int fd) {
  for (int lowest : {200, 20}) {
    const int moved = fcntl(fd, F_DUPFD_CLOEXEC, lowest);
    if (moved < 0) continue;
    close(fd);
    return moved;
  }
  return fd;
}

Result<JobSegment> JobSegment::create(const std::vector<int>& node_of, const std::vector<Core>& cores) {
  JobSegment segment(Placement(0, node_of));
  const std::vector<Domain> domains = domains_of_cpus(cores);
  for (int node = 0; node < segment.nodes(); ++node) {
    Result<int> memory = create_job_memory();
    if (!memory) return memory.error();
    const int fd = move_up(*memory);
    const Placement pes(segment.placement_.pes_of(node)[0], node_of);
    Result<Lobby*> lobby = create_lobby(fd, pes, domains);
    if (!lobby) return lobby.error();
    segment.nodes_.push_back({fd, *lobby});
  }
  return segment;
}

std::vector<int> JobSegment::fds() const {
  std::vector<int> fds;
  for (const Node& node : nodes_) fds.push_back(node.fd);
  return fds;
}

void JobSegment::carry_blobs() {
  const uint32_t round = nodes_[0].lobby->heard.load(std::memory_order_relaxed) + 1;
  for (const Node& node : nodes_)
    if (node.lobby->told.load(std::memory_order_acquire) != round) return;  // SYNC node-told
  for (size_t from = 0; from < nodes_.size(); ++from)
    for (const Node& to : nodes_)
      if (to.lobby != nodes_[from].lobby)
        std::memcpy(&to.lobby->blobs()[from], &nodes_[from].lobby->blobs()[from], sizeof(NodeBlob));
  for (const Node& node : nodes_) {
    node.lobby->heard.store(round, std::memory_order_release);  // SYNC node-heard
    futex_wake_all(node.lobby->heard);
  }
}

PeState JobSegment::state(int pe) const {
  return static_cast<PeState>(slot(pe).state.load(std::memory_order_acquire));  // SYNC pe-state
}

std::optional<int> JobSegment::exit_request() const {
  for (const Node& node : nodes_)
    if (node.lobby->exit_requested.load(std::memory_order_acquire) != 0)  // SYNC exit
      return node.lobby->exit_status.load(std::memory_order_relaxed);
  return std::nullopt;
}

std::optional<LongWait> JobSegment::wait(int pe) const {
  const LobbyWait& wait = node_of(pe).lobby->waits()[placement_.place_of(pe)];
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

// The first PE of a node makes its segment.
void JobSegment::remove_leftovers() const {
  for (int pe = 0; pe < placement_.pes(); ++pe)
    if (is_first_of_node(pe)) remove_segments_of(registered_pid(pe), begin_);
}

bool JobSegment::in_use() const {
  for (int pe = 0; pe < placement_.pes(); ++pe)
    if (state(pe) == PeState::running) return true;
  return false;
}

}  // namespace atrium
