// Creates the nameless segment and publishes an empty lobby in it.
// SPDX-License-Identifier: BSD-3-Clause
#include "launch/process/job_segment.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <iterator>

#include "launch/process/descriptors.hpp"
#include "launch/process/sysv_leftovers.hpp"
#include "lobby/wait_words.hpp"
#include "os/futex.hpp"
#include "os/job_memory.hpp"

namespace atrium {

Result<JobSegment> JobSegment::create(const std::vector<int>& node_of, const std::vector<Core>& cores,
                                      int only) {
  JobSegment segment(Placement(0, node_of));
  const std::vector<Domain> domains = domains_of_cpus(cores);
  segment.nodes_.resize(static_cast<size_t>(segment.nodes()));
  for (int node = 0; node < segment.nodes(); ++node) {
    if (only >= 0 && node != only) continue;
    Result<int> memory = create_job_memory();
    if (!memory) return memory.error();
    const int fd = move_up(*memory);
    const Placement pes(segment.placement_.pes_of(node)[0], node_of);
    Result<Lobby*> lobby = create_lobby(fd, pes, domains);
    if (!lobby) return lobby.error();
    segment.nodes_[static_cast<size_t>(node)] = {fd, *lobby, 0};
  }
  return segment;
}

std::vector<int> JobSegment::fds() const {
  std::vector<int> fds;
  for (const Node& node : nodes_)
    if (node.lobby) fds.push_back(node.fd);
  return fds;
}

std::vector<std::pair<int, std::string>> JobSegment::take_contributions() {
  std::vector<std::pair<int, std::string>> taken;
  for (size_t number = 0; number < nodes_.size(); ++number) {
    Node& node = nodes_[number];
    if (!node.lobby || node.lobby->contributed.load(std::memory_order_acquire) == node.taken)
      continue;  // SYNC node-contributed
    const NodeBlob& blob = node.lobby->blobs()[number];
    taken.emplace_back(static_cast<int>(number),
                       std::string(blob.data, std::min<size_t>(blob.bytes, NodeBlob::most)));
    ++node.taken;
  }
  return taken;
}

void JobSegment::deliver(const std::vector<std::string>& blobs) {
  for (size_t number = 0; number < nodes_.size(); ++number) {
    Lobby* lobby = nodes_[number].lobby;
    if (!lobby) continue;
    for (size_t from = 0; from < std::min(blobs.size(), nodes_.size()); ++from) {
      if (from == number) continue;
      NodeBlob& blob = lobby->blobs()[from];
      blob.bytes = std::min(blobs[from].size(), NodeBlob::most);
      std::memcpy(blob.data, blobs[from].data(), blob.bytes);
    }
    lobby->gathered.store(nodes_[number].taken, std::memory_order_release);  // SYNC node-gathered
    futex_wake_all(lobby->gathered);
  }
}

PeState JobSegment::state(int pe) const {
  if (!is_here(pe)) return PeState::absent;
  return static_cast<PeState>(slot(pe).state.load(std::memory_order_acquire));  // SYNC pe-state
}

FaultWatch JobSegment::faults(int pe) const {
  if (!is_here(pe)) return FaultWatch::none;
  return static_cast<FaultWatch>(slot(pe).faults.load(std::memory_order_relaxed));
}

bool JobSegment::exits(int pe) const {
  return is_here(pe) && slot(pe).exits.load(std::memory_order_relaxed) != 0;
}

std::optional<int> JobSegment::exit_request() const {
  for (const Node& node : nodes_)
    if (node.lobby && node.lobby->exit_requested.load(std::memory_order_acquire) != 0)  // SYNC exit
      return node.lobby->exit_status.load(std::memory_order_relaxed);
  return std::nullopt;
}

void JobSegment::announce_exit() const {
  for (const Node& node : nodes_)
    if (node.lobby) node.lobby->exit_requested.store(1, std::memory_order_release);  // SYNC exit
}

namespace {

constexpr auto relaxed = std::memory_order_relaxed;

// Nothing, if they change meanwhile.
template <size_t N>
std::optional<WaitDetails> read_details(const std::atomic<uint64_t>& since_ns,
                                        const std::atomic<uint64_t> (&words)[N], uint64_t since) {
  const auto values = read_words(since_ns, words, since);
  if (!values) return std::nullopt;
  auto details = std::bit_cast<WaitDetails>(*values);
  for (char* end : {std::end(details.comparison), std::end(details.team_name), std::end(details.members),
                    std::end(details.routine), std::end(details.text)})
    end[-1] = '\0';  // whatever a program has written over it
  return details;
}

}  // namespace

// `changes` before `stands`: what stands still now has done so since that number.
std::optional<PublishedWait> JobSegment::wait(int pe) const {
  if (!is_here(pe)) return std::nullopt;
  const LobbyWait& wait = node_of(pe).lobby->waits()[placement_.place_of(pe)];
  PublishedWait found;
  found.since_ns = words_since(wait.since_ns);
  if (found.since_ns <= being_written) return std::nullopt;
  found.looks = wait.looks.load(std::memory_order_acquire);  // SYNC lobby-looks
  found.changes = wait.changes.load(relaxed);
  found.waiting = wait.waiting.load(relaxed);
  found.seen = wait.seen.load(relaxed);
  found.stands = wait.stands.load(relaxed) != 0;
  const auto details = read_details(wait.since_ns, wait.words, found.since_ns);
  if (!details) return std::nullopt;
  found.details = *details;
  return found;
}

std::optional<PublishedWait> JobSegment::polling(int pe) const {
  if (!is_here(pe)) return std::nullopt;
  const LobbyWait& wait = node_of(pe).lobby->waits()[placement_.place_of(pe)];
  PublishedWait found;
  found.polls = true;
  found.since_ns = words_since(wait.polling_since_ns);
  if (found.since_ns <= being_written) return std::nullopt;
  found.looks = wait.polls.load(relaxed);
  const auto details = read_details(wait.polling_since_ns, wait.polling_words, found.since_ns);
  if (!details) return std::nullopt;
  found.details = *details;
  return found;
}

std::pair<uint64_t, uint64_t> JobSegment::traffic(int pe) const {
  if (!is_here(pe)) return {0, 0};
  const Traffic& traffic = node_of(pe).lobby->waits()[placement_.place_of(pe)].traffic;
  const uint64_t ended = traffic.ended.load(std::memory_order_acquire);  // SYNC traffic
  return {traffic.begun.load(relaxed), ended};
}

const Liveness* JobSegment::liveness(int pe) const {
  return is_here(pe) ? &node_of(pe).lobby->waits()[placement_.place_of(pe)].liveness : nullptr;
}

int JobSegment::pe_of_endpoint(uint32_t node, uint32_t endpoint) const {
  if (node >= nodes_.size()) return -1;
  const auto& pes = placement_.pes_of(static_cast<int>(node));
  return endpoint < pes.size() ? pes[endpoint] : -1;
}

// The first PE of a node makes its segment.
void JobSegment::remove_leftovers() const {
  for (int pe = 0; pe < placement_.pes(); ++pe)
    if (is_here(pe) && is_first_of_node(pe)) remove_segments_of(registered_pid(pe), begin_);
}

bool JobSegment::in_use() const {
  for (int pe = 0; pe < placement_.pes(); ++pe)
    if (state(pe) == PeState::running) return true;
  return false;
}

}  // namespace atrium
