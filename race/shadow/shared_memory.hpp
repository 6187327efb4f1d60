// The memory that a PE of the checked program shares with the others: one nameless file per PE, mapped by all of the node.
// SPDX-License-Identifier: BSD-3-Clause
//
//     | board | words | meetings | heap: states, pages, lines | globals: pages, lines |
//
// Files are sparse: untouched pages take no memory. No pointer lies in them.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "interpose/modules.hpp"
#include "interpose/spin_lock.hpp"
#include "race/clock/clock.hpp"
#include "race/shadow/slot.hpp"
#include "race/shadow/turn.hpp"

namespace atrium::race {

inline constexpr int most_pes = 128;

using interpose::SpinLock;

// The owner of a lane's clock.
struct LaneInfo {
  int16_t pe;
  int16_t target;    // of lanes O; -1 for T
  uint16_t strand;   // number within the PE
  uint16_t context;  // number within the PE
};

// A word of symmetric memory by which PEs synchronise, and what is known to who reads its value. Words whose places
// fall on the same record share it: they then order more than they should, and never less.
struct WordRecord {
  SpinLock lock;
  uint32_t mixed;   // words share it: nothing replaces, everything merges
  uint64_t key;     // 0: unused
  uint64_t writer;  // origin of the last release
  int32_t writer_pe;
  uint32_t by_put;    // the last release was a put of one element
  uint32_t released;  // how often
  VectorClock clock;
};

inline constexpr size_t words_per_pe = 8192;

// Where the members of a group leave their clocks for each other: one for each of the last collectives.
struct Entry {
  Turn turn;
  uint64_t value;  // an argument that the others need to know
  uint64_t origin;
  VectorClock clock;
};

inline constexpr int meetings_per_pe = 48;

// What the members of groups without a place of their own have left: each takes it all.
struct Common {
  SpinLock lock;
  VectorClock clock;
};

struct MeetingKey {
  std::atomic<uint64_t> word;
};

// An access as a report describes it.
struct AccessSide {
  uint64_t origin;
  int32_t pe;
  int32_t strand;
  int32_t target;  // of operations: the other PE; -1: a load, a store, a collective
  uint8_t kind;
  uint8_t local;  // the local buffer of an operation
  uint8_t is_operation;
  uint8_t context;  // not the default one
};

enum class Fault : uint8_t { race, note, overrun, freed, unwritten };

struct RaceReport {
  std::atomic<uint64_t> key;  // 0: free; taken by compare-and-swap
  std::atomic<uint64_t> count;
  std::atomic<uint32_t> ready, reported;
  std::atomic<uint32_t> pairs_low;  // bits of PE pairs, hashed
  Fault fault;
  uint8_t in_heap, symmetric;
  int32_t owner;
  int32_t finder;
  int32_t other;            // the PE of which the finder knows too little
  AccessSide mine, theirs;  // mine: of the finder
  uint64_t offset;          // in its region; a private address when not symmetric
  uint64_t block, block_origin, block_bytes;
  uint64_t learned;  // the origin of the call by which the finder last learned of the other; 0: never
};

inline constexpr int most_reports = 512;
inline constexpr unsigned most_limits = 16;

// The job's common tables: but for what is said to be this PE's, only PE 0's are used.
struct Board {
  std::atomic<uint32_t> lanes;
  std::atomic<uint32_t> lost_reports;
  std::atomic<uint32_t> limits;                     // a bit for each that was met (model/limit.hpp),
  std::atomic<uint64_t> limit_origin[most_limits];  // and where first
  std::atomic<uint32_t> reported;      // a PE prints the reports, or has printed them, since the last init
  std::atomic<uint32_t> ended;         // and a PE prints that there are none
  SpinLock places_lock;                // for changes of this PE's meeting keys
  std::atomic<uint64_t> announced;     // by this PE: the number of a team that it leads,
  std::atomic<int32_t> place;          // and its place among the meetings
  bool is_full;                        // an active set found no place
  std::atomic<uint64_t> heap_changes;  // how often a block of this PE's heap was allocated or freed
  LaneInfo lane[most_lanes];
  RaceReport report[most_reports];
  interpose::ModuleNames modules;
};

// Where the parts of a PE's shared memory begin, equal on all PEs.
struct SharedLayout {
  int pes;
  size_t heap_bytes, globals_bytes;
  size_t words_at, keys_at, entries_at, common_at, states_at, heap_pages_at, heap_lines_at, globals_pages_at,
      globals_lines_at, bytes;
};

SharedLayout plan_layout(int pes, size_t heap_bytes, size_t globals_bytes);

// A PE's shared memory as this process sees it.
class SharedMemory {
 public:
  SharedMemory() = default;
  SharedMemory(char* base, const SharedLayout* plan) : base_(base), plan_(plan) {}

  Board& board() const { return *at<Board>(0); }
  WordRecord& word(uint64_t key) const;
  MeetingKey& meeting_key(int index) const { return at<MeetingKey>(plan_->keys_at)[index]; }
  Entry& entry(int meeting, uint64_t number, int rank) const;
  Common& common() const { return *at<Common>(plan_->common_at); }
  uint8_t* states() const { return at<uint8_t>(plan_->states_at); }
  ShadowPage* pages(bool heap) const {
    return at<ShadowPage>(heap ? plan_->heap_pages_at : plan_->globals_pages_at);
  }
  ShadowLine* lines(bool heap) const {
    return at<ShadowLine>(heap ? plan_->heap_lines_at : plan_->globals_lines_at);
  }

 private:
  template <class T>
  T* at(size_t offset) const {
    return reinterpret_cast<T*>(base_ + offset);
  }
  char* base_ = nullptr;
  const SharedLayout* plan_ = nullptr;
};

}  // namespace atrium::race
