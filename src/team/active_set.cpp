// Active sets: the hidden teams behind the deprecated collectives (specification section 9.10, before 1.5).
// SPDX-License-Identifier: BSD-3-Clause
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "arena/arena.hpp"
#include "core/log.hpp"
#include "team/directory.hpp"
#include "team/draft.hpp"
#include "team/flags.hpp"
#include "team/world.hpp"
#include "wait/wait.hpp"

namespace atrium {
namespace {

// Mine, in system memory at the same place on each PE.
DirectoryEntry* directory = nullptr;
std::mutex directory_lock;
int entries_used = 0;

// Never destroyed (core/everlasting.hpp).
std::map<uint64_t, Team*>& known_sets() {
  static auto& sets = *new std::map<uint64_t, Team*>;
  return sets;
}

std::string name_of(int start, int log_stride, int size) {
  return "the active set (start " + std::to_string(start) + ", log2 of stride " + std::to_string(log_stride) +
         ", size " + std::to_string(size) + ")";
}

// Bit 63 is set, so that no key is 0. Requires: fits_into the world, so each number has its bits.
uint64_t key_of(int start, int log_stride, int size) {
  return uint64_t{1} << 63 | static_cast<uint64_t>(start) << 34 | static_cast<uint64_t>(log_stride) << 28 |
         static_cast<uint64_t>(size);
}

Shape shape_of(int start, int log_stride, int size) {
  if (world_team.size == 0) refuse_uninitialised();
  const Shape shape{start, log_stride >= 0 && log_stride < 28 ? 1 << log_stride : 0, size};
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

void enter(uint64_t key, int64_t offset) {
  const std::lock_guard hold(directory_lock);
  if (entries_used == directory_entries) {
    fatal(Error{"too many active sets", "each PE can be in " + std::to_string(directory_entries) + " of them",
                "entering a collective on a new active set",
                "teams (shmem_team_split_strided), which can be destroyed"});
  }
  directory[entries_used].offset = offset;
  directory[entries_used++].key.store(key, std::memory_order_release);  // SYNC active-set
}

int64_t await_entry_here(const DirectoryEntry* theirs, uint64_t key) {
  std::optional<int64_t> offset;
  wait_for(WaitReason{WaitKind::collective}, [&] { return (offset = look_up(theirs, key)).has_value(); });
  return *offset;
}

// A directory on another node is fetched until the entry is in it, and then once more: its offset was written before
// its key, but a copy may have met them the other way round.
int64_t await_entry_away(const Team& team, int member, uint64_t key) {
  auto copy = std::make_unique<DirectoryEntry[]>(directory_entries);
  const auto fetch = [&] {
    read_from(team, member, copy.get(), directory, directory_entries * sizeof(DirectoryEntry));
    return look_up(copy.get(), key);
  };
  while (!fetch()) give_way();
  return *fetch();
}

void wait_for_block(Team& team, int member, uint64_t key) {
  const bool here = team.is_here(member);
  DirectoryEntry* theirs = here ? team.there(directory, member) : directory;
  const int64_t offset = here ? await_entry_here(theirs, key) : await_entry_away(team, member, key);
  team.blocks[member] =
      reinterpret_cast<TeamBlock*>(reinterpret_cast<uintptr_t>(theirs) + static_cast<uintptr_t>(offset));
}

// No lock is held while waiting: another thread may have to create another set before these peers come.
Team& create_set(const Shape& shape, uint64_t key, const std::string& name) {
  Draft draft(world_team, shape, {});
  if (!draft.is_member() && draft.accepted()) {
    fatal(Error{"this PE is not a member of its active set", name + " does not contain it",
                "entering a collective", "call the collective on the PEs of the active set only"});
  }
  if (!draft.accepted()) {
    fatal(Error{"cannot make an active set", "the memory for its flags is exhausted",
                "entering a collective on " + name, "fewer different active sets, or fewer teams at a time"});
  }
  Team& team = draft.team();
  enter(key, draft.offset_from(directory));
  wake_members(team);
  for (int member = 0; member < team.size; ++member) wait_for_block(team, member, key);
  return *draft.complete();
}

Team* find_set(uint64_t key) {
  const std::lock_guard hold(directory_lock);
  const auto found = known_sets().find(key);
  return found == known_sets().end() ? nullptr : found->second;
}

}  // namespace

bool create_directory() {
  directory = static_cast<DirectoryEntry*>(allocate_system(directory_entries * sizeof(DirectoryEntry)));
  return directory != nullptr;
}

void destroy_directory() {
  known_sets().clear();
  entries_used = 0;
  if (directory) free_system(directory);
  directory = nullptr;
}

Team& active_set(int PE_start, int logPE_stride, int PE_size) {
  const Shape shape = shape_of(PE_start, logPE_stride, PE_size);
  const uint64_t key = key_of(PE_start, logPE_stride, PE_size);
  if (Team* known = find_set(key)) return *known;
  Team& team = create_set(shape, key, name_of(PE_start, logPE_stride, PE_size));
  const std::lock_guard hold(directory_lock);
  known_sets().emplace(key, &team);
  return team;
}

}  // namespace atrium
