// The directory: in its system memory each PE publishes which of its blocks belongs to which active set.
// SPDX-License-Identifier: BSD-3-Clause
//
//   DirectoryEntry[1024]: key (0: free, and nothing follows), offset of the block from the directory
//
// Members of an active set have no parent team through which they could find each other's blocks, because only they take part. So
// each writes its entry (offset first, key last) into its own directory and waits until the others' entries have appeared. On several
// nodes it waits only for those of its own node, and a leader for those of a few other leaders; then the set's leaders can
// synchronise, and exchange the rest (team/member_barrier.hpp). A counter notifies a leader of another node that there are entries to fetch.
// Entries stay for the whole job: programs use few active sets, and use them repeatedly.
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
