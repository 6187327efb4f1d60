// The directory: where each PE says in its system memory at which of its blocks an active set lies.
// SPDX-License-Identifier: BSD-3-Clause
//
//   DirectoryEntry[1024]: key (0: free, and nothing follows), offset of the block from the directory
//
// Members of an active set cannot meet through a common parent, because nobody else takes part. So each
// writes its entry (offset first, key last) into its own directory and waits until the others' entries have
// appeared. On several nodes only those of its own node, and of few leaders for each leader: then the set's leaders can meet, and tell
// each other the rest (team/meeting.hpp). A counter tells a leader of another node that there is news to fetch. Entries stay for the
// whole job: programs use few active sets, and again and again.
#pragma once

#include <atomic>
#include <cstdint>

namespace atrium {

struct DirectoryEntry {
  std::atomic<uint64_t> key;
  int64_t offset;
};
static_assert(sizeof(DirectoryEntry) == 16, "PEs read each other's directories");

inline constexpr int directory_entries = 1024;

// Requires: the world team exists. False when the system area is full.
bool create_directory();
void destroy_directory();

}  // namespace atrium
