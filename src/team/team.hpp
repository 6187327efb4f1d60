// Teams: ordered groups of PEs with their own numbering (specification section 9.4).
// SPDX-License-Identifier: BSD-3-Clause
//
// Words.      A *member* is a PE of a team, named by its number in the team. A *block* is the team's piece
//             of each member's system memory: flags and eager slots of the collectives (team/block.hpp).
// Invariants. Members are a strided range of the world, member i being world PE `start + i * stride`, or they
//             are `listed`. (Strided splits of strided teams, and rows and columns of one, are strided; the PEs
//             of a node need not be, nor what is split from them.) `delta[i]` is what to add to my address of a symmetric object to
//             reach member i's copy, once that is known (delta_of). Members' blocks lie as far into their system memory
//             as mine does into mine, unless `shifts` or `offsets` says how much farther.
// Threads.    One thread at a time creates, uses or destroys a given team
//             collectively; different teams are independent.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "arena/far_peers.hpp"
#include "check/check.hpp"
#include "shmem/types.h"
#include "transport/address.hpp"

namespace atrium {

class BlockOffsets;
struct TeamBlock;
struct TeamDomains;
struct TeamNodes;
struct Context;

// How often each step has been taken on a team: the epochs with which flags in its blocks are compared. Members take
// the same steps in the same order, so their counts agree without communication. 64 bits never come round.
struct TeamProgress {
  uint64_t barriers = 0;            // team/member_barrier.hpp
  uint64_t publications = 0;        // team/member_barrier.hpp
  uint64_t syncs = 0;               // coll/barrier
  uint64_t exchanges = 0;           // coll/steps/exchange.hpp
  uint64_t shares = 0;              // coll/steps/share.hpp
  uint64_t broadcasts = 0;          // coll/steps/fan_out.hpp
  uint64_t broadcasts_at_sync = 0;  // of them, those that every member is known to have finished
  uint64_t notices = 0;             // team/same_call.hpp
  uint64_t last_digest = 0;         // of the last of them; not a step
  uint64_t calls = 0;               // team/same_call.hpp: collectives that move data
  uint64_t history = 0;             // of them, where arguments are checked: equal if they and their order are
  uint64_t acknowledgements_expected = 0;  // coll/steps/acknowledge.hpp: not a step but a count of my own
  uint64_t neighbours_expected = 0;        // coll/steps/domain_tree.hpp: likewise
};

// The families of collective algorithms, and what each chose last on a team (coll/select/family.hpp).
enum class CollectiveFamily { barrier, broadcast, fcollect, collect, alltoall, reduce, scan, count };
struct TeamChoice {
  uint64_t stamp = 0;  // of the family's rules at that time; 0: nothing was chosen yet
  size_t bytes = 0;
  const void* algorithm = nullptr;
};

}  // namespace atrium

// What every collective reads comes first, in two cache lines of the predefined teams.
struct atrium_team {
  int me = -1;                       // my number in the team
  int size = 0;                      // members
  int start = 0;                     // world PE of member 0
  int stride = 1;                    // world PEs from one member to the next; may be negative, never 0
  const ptrdiff_t* delta = nullptr;  // indexed by member; AWAY around the valid range
  const ptrdiff_t* system_delta =
      nullptr;  // the same for Atrium's own memory; null where some member is away
  const ptrdiff_t* inline_delta = nullptr;  // what inlined code reads on its contexts: `delta`, or all AWAY
  atrium::TeamBlock* block = nullptr;       // mine
  bool spans_nodes = false;                 // some member is away
  bool is_made_by_split = false;            // and so has an end that all its members see
  atrium::TeamProgress progress;
  mutable atrium::TeamChoice choices[static_cast<int>(atrium::CollectiveFamily::count)];

  std::shared_ptr<const std::vector<int>> listed;  // world PE of each member, where no stride leads to them
  // How much farther, in bytes, where that differs: by member of a team on one node or a hidden one (team/nodes.hpp), by ranges of
  // one that spans nodes.
  std::vector<ptrdiff_t> shifts;
  std::shared_ptr<const atrium::BlockOffsets> offsets;
  shmem_team_config_t config{};
  std::unique_ptr<const ptrdiff_t[]> own_system_delta;  // where it is in no other table
  std::vector<atrium::Context*> contexts;  // made on this team, not yet destroyed; private ones too
  mutable std::shared_ptr<const atrium::TeamDomains> domains;  // team/domains.hpp
  std::shared_ptr<atrium::TeamNodes> nodes;                    // team/nodes.hpp; of a team that spans nodes

  // The member so many numbers after me, around the team. Requires: 0 <= step <= size.
  int after(int step) const {
    const int member = me + step;
    return member < size ? member : member - size;
  }
  int world_pe(int member) const {
    return listed ? (*listed)[static_cast<size_t>(member)] : start + member * stride;
  }
  // The member that is world PE `pe`, or -1.
  int member_of(int pe) const {
    if (listed) {
      const auto found = std::find(listed->begin(), listed->end(), pe);
      return found == listed->end() ? -1 : static_cast<int>(found - listed->begin());
    }
    const int distance = pe - start;
    if (distance % stride != 0) return -1;
    const int member = distance / stride;
    return member >= 0 && member < size ? member : -1;
  }
  // Fills in start and stride, or the list. Requires: `pes` are different and not none.
  void set_members(const std::vector<int>& pes);
  atrium::TeamBlock& my_block() const { return *block; }
  // Where I see member's block, or, if it is on another node, my address that leads there (transport/address.hpp): to name places in
  // it; what lies there only if is_here(member).
  atrium::TeamBlock& block_of(int member) const {
    auto* place = reinterpret_cast<std::byte*>(block);
    place += shift_of(member);
    const ptrdiff_t there = system_delta_of(member);
    return *reinterpret_cast<atrium::TeamBlock*>(atrium::is_here(there) ? atrium::there(place, there)
                                                                        : place);
  }
  // That member's block lies so much farther into its system memory than mine.
  ptrdiff_t shift_of(int member) const {
    if (!shifts.empty()) return shifts[static_cast<size_t>(member)];
    return offsets ? shift_by_ranges(member) : 0;
  }
  ptrdiff_t shift_by_ranges(int member) const;
  void set_shift(int member, ptrdiff_t shift) {
    if (shifts.empty() && shift != 0) shifts.resize(static_cast<size_t>(size));
    if (!shifts.empty()) shifts[static_cast<size_t>(member)] = shift;
  }
  // What to add to my address of a symmetric object to reach member's copy; AWAY if it is on another node.
  ptrdiff_t delta_of(int member) const {
    const ptrdiff_t known = delta[member];
    if (atrium::is_here(known) || !atrium::far_peers_exist) return known;
    return atrium::name_peer(world_pe(member), delta[member]);
  }
  // The same for Atrium's own memory.
  ptrdiff_t system_delta_of(int member) const {
    if (system_delta) return system_delta[member];
    const ptrdiff_t known = delta[member];
    return atrium::is_here(known) ? known : atrium::arena.system_delta[world_pe(member)];
  }
  // Member's copy of something in Atrium's own memory. Requires: is_here(member).
  template <class T>
  T* there_in_system(T* mine, int member) const {
    return atrium::there(mine, system_delta_of(member));
  }
  // Is member on my node? On one node no table need be asked.
  bool is_here(int member) const { return !spans_nodes || atrium::is_here(system_delta_of(member)); }
  // Where I see member's copy of my symmetric object. Requires: is_here(member).
  template <class T>
  T* there(T* mine, int member) const {
    return atrium::there(mine, delta_of(member));
  }
};

namespace atrium {
using Team = ::atrium_team;

// Ends the job with a message unless the team is alive. It looks the handle up, as few calls do unless arguments are checked.
void require_team(shmem_team_t handle);

// The team behind the handle that a collective was given; one that cannot be used ends the job with a message.
inline Team& team_of(shmem_team_t handle) {
  if (checking() && handle) require_team(handle);
  if (__builtin_expect(!handle || handle->size == 0, 0)) refuse_team();
  return *handle;
}

// The functions of the specification, with its signatures (sections 9.4.1 to 9.4.8). `returns`: where the routine returns to.
int team_my_pe(shmem_team_t team);
int team_n_pes(shmem_team_t team);
int team_get_config(shmem_team_t team, long config_mask, shmem_team_config_t* config);
int team_translate_pe(shmem_team_t source_team, int source_pe, shmem_team_t dest_team);
int team_split_strided(shmem_team_t parent, int start, int stride, int size,
                       const shmem_team_config_t* config, long config_mask, shmem_team_t* new_team,
                       const void* returns = __builtin_return_address(0));
int team_split_2d(shmem_team_t parent, int xrange, const shmem_team_config_t* xaxis_config, long xaxis_mask,
                  shmem_team_t* xaxis_team, const shmem_team_config_t* yaxis_config, long yaxis_mask,
                  shmem_team_t* yaxis_team, const void* returns = __builtin_return_address(0));
void team_destroy(shmem_team_t team, const void* returns = __builtin_return_address(0));

// The team of mine in whose block of this PE `address` lies, or null. Waits for no other PE.
const Team* team_that_waits_at(const volatile void* address);

// Runs on each team just before it goes, on every member (the context layer destroys the team's contexts there).
void on_team_destroy(void (*hook)(Team&));

// The hidden team behind the active set of a deprecated collective (start, log2 of the stride, size), made at
// its first use by its members alone. Collective over the set, not over the world. A team of no members where this PE is not
// one, which is reported once.
Team& active_set(int PE_start, int logPE_stride, int PE_size);

}  // namespace atrium
