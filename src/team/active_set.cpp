// Active sets: the hidden teams behind the deprecated collectives (specification section 9.10, before 1.5).
// SPDX-License-Identifier: BSD-3-Clause
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "arena/arena.hpp"
#include "check/caller.hpp"
#include "check/check.hpp"
#include "core/log.hpp"
#include "core/per_pe.hpp"
#include "team/block_offsets.hpp"
#include "team/directory.hpp"
#include "team/draft.hpp"
#include "team/flags.hpp"
#include "team/member_barrier.hpp"
#include "team/nodes.hpp"
#include "team/world.hpp"
#include "topology/placement.hpp"
#include "wait/wait.hpp"

namespace atrium {
namespace {

struct SetDirectory {
  DirectoryEntry* entries = nullptr;  // mine, in system memory at the same place on each PE
  Epoch* news =
      nullptr;  // likewise: counts the entries that leaders of other nodes have made for sets with me
  std::mutex lock;
  int used = 0;
  std::map<uint64_t, Team*> sets;  // those that I know
};

// Made with the world team; never destroyed (core/never_destroyed.hpp).
ATRIUM_PER_PE SetDirectory* directory = nullptr;

Team nobody;  // of a set that this PE is not in: it has no members

std::string name_of(int start, int log_stride, int size) {
  return "the active set (start " + std::to_string(start) + ", log2 of stride " + std::to_string(log_stride) +
         ", size " + std::to_string(size) + ")";
}

// Bit 63 is set, so that no key is 0. Requires: fits_into the world, so each number has its bits.
uint64_t key_of(int start, int log_stride, int size) {
  return uint64_t{1} << 63 | static_cast<uint64_t>(start) << 34 | static_cast<uint64_t>(log_stride) << 28 |
         static_cast<uint64_t>(size);
}

TeamShape shape_of(int start, int log_stride, int size) {
  if (world_team.size == 0) refuse_uninitialised();
  const TeamShape shape{start, log_stride >= 0 && log_stride < 28 ? 1 << log_stride : 0, size};
  if (!fits_into(shape, world_team.size)) {
    fatal(Error{"invalid active set",
                name_of(start, log_stride, size) + " has members outside the " +
                    std::to_string(world_team.size) + " PEs of this job",
                "entering a collective",
                "start >= 0, size >= 1 and start + (size - 1) * 2^logPE_stride < npes"});
  }
  return shape;
}

// The offset that a PE has entered for the key. Acquire: `offset` was written before.
std::optional<int64_t> look_up(const DirectoryEntry* entries, uint64_t key) {
  for (int i = 0; i < directory_entries; ++i) {
    const uint64_t found = entries[i].key.load(std::memory_order_acquire);  // SYNC active-set
    if (found == key) return entries[i].offset;
    if (found == 0) return std::nullopt;
  }
  return std::nullopt;
}

void enter(SetDirectory& mine, uint64_t key, int64_t offset) {
  const std::lock_guard hold(mine.lock);
  if (mine.used == directory_entries) {
    fatal(Error{"too many active sets", "each PE can be in " + std::to_string(directory_entries) + " of them",
                "entering a collective on a new active set",
                "teams (shmem_team_split_strided), which can be destroyed"});
  }
  mine.entries[mine.used].offset = offset;
  mine.entries[mine.used++].key.store(key, std::memory_order_release);  // SYNC active-set
}

// A wait that only this PE can end.
WaitReason entry_of(int pe) {
  WaitReason reason{WaitKind::collective};
  reason.pe = pe;
  return reason;
}

int64_t await_entry_here(const DirectoryEntry* theirs, int pe, uint64_t key) {
  std::optional<int64_t> offset;
  WaitReason reason = entry_of(pe);
  reason.ends_here = true;
  wait_for(reason, [&] { return (offset = look_up(theirs, key)).has_value(); });
  return *offset;
}

// A directory on another node is fetched again after each notification: a PE notifies the others after it has written its
// entry, so an entry that the copy lacks will be followed by a notification. An entry that is found is fetched once more: the
// key is written last, but the copy may hold a new key with an old offset.
int64_t await_entry_away(const SetDirectory& mine, const Team& team, int member, uint64_t key) {
  auto copy = std::make_unique<DirectoryEntry[]>(directory_entries);
  const auto fetch = [&] {
    read_from(team, member, copy.get(), mine.entries, directory_entries * sizeof(DirectoryEntry));
    return look_up(copy.get(), key);
  };
  for (;;) {
    const uint64_t seen = mine.news->load(std::memory_order_acquire);  // SYNC active-set
    if (fetch()) return *fetch();
    // Relaxed: the load above, which comes again, is the one that acquires.
    wait_for(entry_of(team.world_pe(member)),
             [&] { return mine.news->load(std::memory_order_relaxed) != seen; });
  }
}

// The leader of the node that is so many after mine, around the team.
int leader_after(const TeamNodes& nodes, int step) { return nodes.members.pes_of(nodes.after(step))[0]; }

// Members on this node read my entries themselves. Leaders of other nodes are notified, if they wait at my block first.
void notify_members(const SetDirectory& mine, const Team& team) {
  wake_members(team);
  if (!team.nodes || team.nodes->node.me != 0) return;
  const TeamNodes& nodes = *team.nodes;
  for (int round = 0; round < rounds_of(nodes.count()); ++round)
    add_to(team, leader_after(nodes, nodes.count() - (1 << round)), *mine.news);
}

int64_t await_entry(const SetDirectory& mine, const Team& team, int member, uint64_t key) {
  if (!team.is_here(member)) return await_entry_away(mine, team, member, key);
  return await_entry_here(team.there_in_system(mine.entries, member), team.world_pe(member), key);
}

// Directories lie at the same place on each PE.
void find_blocks_here(const SetDirectory& mine, Team& team, uint64_t key, int64_t offset_of_mine) {
  for (int member = 0; member < team.size; ++member)
    team.set_shift(member, static_cast<ptrdiff_t>(await_entry(mine, team, member, key) - offset_of_mine));
}

void keep_offsets(Team& team, BlockOffsets offsets) {
  team.offsets = offsets.are_all_equal() ? nullptr : std::make_shared<const BlockOffsets>(std::move(offsets));
}

// The blocks that a barrier of leaders needs: those of my node and, if I lead it, of the leaders that I signal (disseminate.hpp).
BlockOffsets find_blocks_to_meet(const SetDirectory& mine, const Team& team, uint64_t key) {
  BlockOffsets offsets;
  const auto find = [&](int member) {
    const int pe = team.world_pe(member);
    offsets.add({placement.node_of(pe), placement.place_of(pe), await_entry(mine, team, member, key)});
  };
  const TeamNodes& nodes = *team.nodes;
  for (const int member : nodes.members.pes_here()) find(member);
  if (nodes.node.me == 0)
    for (int round = 0; round < rounds_of(nodes.count()); ++round) find(leader_after(nodes, 1 << round));
  offsets.complete();
  return offsets;
}

// Asking each member would take messages in proportion to the square of their number. So only a few blocks are asked for, and the
// members publish the others through the set itself. The set is complete by then, so that a report of waiting PEs can name its
// members. The offsets of other leaders' blocks are unknown until they are published, and are not used before.
Team& complete_over_nodes(Draft& draft, const SetDirectory& mine, uint64_t key, int64_t offset_of_mine) {
  keep_offsets(draft.team(), find_blocks_to_meet(mine, draft.team(), key));
  Team& team = *draft.complete();
  keep_offsets(team, publish_at_leaders(team, {{offset_of_mine, no_block}, 0}).offsets[0]);
  connect_on_nodes(team);
  return team;
}

// In old programs all PEs call, and other libraries let the PEs that are not in the set go on.
Team& stay_outside(const std::string& name) {
  if (wants_checks())
    fatal(Error{"this PE is not a member of its active set", name + " does not contain it",
                "entering a collective", "call the collective on the PEs of the active set only"});
  warn(name +
       " does not contain this PE, for which its collectives do nothing: only the PEs of the set should call "
       "them" +
       line_in_program(caller_in_program()));
  return nobody;
}

// No lock is held while waiting: another thread may have to create another set before these peers come.
Team& create_set(SetDirectory& mine, const TeamShape& shape, uint64_t key, const std::string& name) {
  Draft draft(world_team, shape, {});
  if (!draft.is_member() && draft.accepted()) return stay_outside(name);
  if (!draft.accepted()) fatal(draft.refusal(name));
  Team& team = draft.team();
  const int64_t offset = draft.offset_from(mine.entries);
  enter(mine, key, offset);
  notify_members(mine, team);
  if (team.nodes) return complete_over_nodes(draft, mine, key, offset);
  find_blocks_here(mine, team, key, offset);
  return *draft.complete();
}

Team* find_set(SetDirectory& mine, uint64_t key) {
  const std::lock_guard hold(mine.lock);
  const auto found = mine.sets.find(key);
  return found == mine.sets.end() ? nullptr : found->second;
}

Team& set_of(SetDirectory& mine, int start, int log_stride, int size) {
  const TeamShape shape = shape_of(start, log_stride, size);
  const uint64_t key = key_of(start, log_stride, size);
  if (Team* known = find_set(mine, key)) return *known;
  Team& team = create_set(mine, shape, key, name_of(start, log_stride, size));
  const std::lock_guard hold(mine.lock);
  mine.sets.emplace(key, &team);
  return team;
}

}  // namespace

bool create_directory() {
  if (!directory) directory = new SetDirectory;
  SetDirectory& mine = *directory;
  constexpr size_t bytes = directory_entries * sizeof(DirectoryEntry);
  auto* const block = static_cast<std::byte*>(allocate_system(bytes + sizeof(Epoch)));
  if (!block) return false;
  mine.entries = reinterpret_cast<DirectoryEntry*>(block);
  mine.news = reinterpret_cast<Epoch*>(block + bytes);
  return true;
}

void destroy_directory() {
  if (!directory) return;
  SetDirectory& mine = *directory;
  mine.sets.clear();
  mine.used = 0;
  if (mine.entries) free_system(mine.entries);
  mine.entries = nullptr;
  mine.news = nullptr;
}

Team& active_set(int PE_start, int logPE_stride, int PE_size) {
  if (!directory) refuse_uninitialised();
  return set_of(*directory, PE_start, logPE_stride, PE_size);
}

}  // namespace atrium
