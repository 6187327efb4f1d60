// Keeps, for each list of ranks that has had a communicator, what later communicators of the same ranks can use.
// SPDX-License-Identifier: BSD-3-Clause
#include "comm/group_book.hpp"

#include <cstddef>
#include <map>
#include <mutex>
#include <utility>

namespace atrium::mpi {
namespace {

// Of all processes together the system has 4,096 segments.
constexpr std::size_t most_kept_bytes = 4 << 20;
constexpr int most_buffers_kept = 16;
constexpr std::size_t most_groups_kept = 1000;  // of programs that make ever new ones

struct GroupEntry {
  std::shared_ptr<RankGroup> group;
  std::vector<std::unique_ptr<NodeBuffer>> buffers;  // goes before the group does
};

struct GroupBook {
  std::mutex lock;
  std::map<std::vector<int>, GroupEntry> entries;
  int buffers = 0;  // of all entries
};

GroupBook& book() {
  static GroupBook* book = new GroupBook;  // outlives every destructor
  return *book;
}

// Requires: the lock is held.
void forget_all() {
  book().entries.clear();
  book().buffers = 0;
}

}  // namespace

KnownGroup take_known_group(const std::vector<int>& job_ranks) {
  const std::lock_guard guard(book().lock);
  const auto found = book().entries.find(job_ranks);
  if (found == book().entries.end()) return {};
  GroupEntry& entry = found->second;
  KnownGroup known{entry.group, nullptr};
  if (entry.buffers.empty()) return known;
  known.buffer = std::move(entry.buffers.back());
  entry.buffers.pop_back();
  --book().buffers;
  return known;
}

void keep_group(const std::vector<int>& job_ranks, std::shared_ptr<RankGroup> group) {
  const std::lock_guard guard(book().lock);
  if (book().entries.size() >= most_groups_kept && !book().entries.contains(job_ranks)) forget_all();
  GroupEntry& entry = book().entries[job_ranks];
  book().buffers -= static_cast<int>(entry.buffers.size());
  entry.buffers.clear();  // those of the group that was known before
  entry.group = std::move(group);
}

void keep_buffer(const std::vector<int>& job_ranks, std::unique_ptr<NodeBuffer> buffer) {
  const std::lock_guard guard(book().lock);
  const auto found = book().entries.find(job_ranks);
  const bool is_wanted = found != book().entries.end() && buffer->number() != 0 &&
                         &found->second.group->wait_policy == &buffer->wait_policy() &&
                         buffer->segment().size() <= most_kept_bytes && book().buffers < most_buffers_kept;
  if (!is_wanted) return;
  found->second.buffers.push_back(std::move(buffer));
  ++book().buffers;
}

void drop_known_groups() {
  const std::lock_guard guard(book().lock);
  forget_all();
}

}  // namespace atrium::mpi
