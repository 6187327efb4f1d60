// The record buffer: memory that oshrun makes and every PE of the job writes its records into. It outlives PEs that crash, and may be
// read while they run.
// SPDX-License-Identifier: BSD-3-Clause
//
//   Head | page of PE 0 | page of PE 1 | ...
//   a page:  Page | Peer[pes] | Event[events]
//
// Invariants: zero-filled memory with a head is a valid empty record buffer. Only PE p writes page p, and when its process has ended oshrun
// writes how and when. A line's `key` is written when the rest of its first record is zero. No pointer is stored. Pages of
// memory that are not needed are never touched.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "interpose/modules.hpp"
#include "profile/buffer/ticks.hpp"

namespace atrium::profile {

inline constexpr uint64_t buffer_magic = 0x3230445243455241;          // "ARECRD02"
inline constexpr const char* buffer_variable = "ATRIUM_JOB_RECORDS";  // the descriptor that PEs inherit

// Written by one thread at a time, or, where several threads of a PE call, by `shared` additions and by raise_to.
class Counter {
 public:
  void add(uint64_t amount, bool shared) {
    if (shared)
      value_.fetch_add(amount, std::memory_order_relaxed);
    else
      set(get() + amount);
  }
  // Never lowers it, whichever of several threads comes last.
  void raise_to(uint64_t value) {
    uint64_t there = get();
    while (value > there && !value_.compare_exchange_weak(there, value, std::memory_order_relaxed)) {
    }
  }
  void set(uint64_t value) { value_.store(value, std::memory_order_relaxed); }
  uint64_t get() const { return value_.load(std::memory_order_relaxed); }

 private:
  std::atomic<uint64_t> value_;
};

// One place of the program that calls a routine.
struct CallSite {
  std::atomic<uint64_t> key;  // 0: free
  uint32_t routine;           // interpose::Routine
  uint32_t module;            // in the page's modules; 0: unknown
  uint64_t offset;            // of the return address in the module's file
  Counter calls, bytes, ticks, waiting, longest;
};

// Of a line that is a collective: how often a PE came last there, and how long the others waited for it. Written by the
// member that found out.
struct Late {
  std::atomic<uint64_t> key;  // line and PE; 0: free
  Counter times, waited;
};

// When this PE came to the last collectives of a team, which is known by its members.
struct TeamArrivals {
  static constexpr unsigned kept = 8;
  struct Arrival {
    std::atomic<uint64_t> number, ticks;
  };
  std::atomic<uint64_t> key;  // of the members; 0: free
  std::atomic<uint64_t> number;
  std::atomic<int32_t> first, size;  // for people: the first member, and how many
  Arrival arrival[kept];
};
// Of the team of these members, of which there have been so many; that of all PEs, the first, is SHMEM_TEAM_WORLD.
uint64_t team_key(const std::vector<int>& members, uint64_t incarnation);

// The heap, at some moments, and by the line that allocated.
struct HeapSample {
  uint64_t ticks, bytes;
};
struct Allocations {
  Counter bytes, most, largest;  // now, at most, in one block
};

// A region that the program names.
struct NamedRegion {
  static constexpr size_t longest_name = 48;
  std::atomic<uint64_t> key;
  char name[longest_name];
  Counter times, ticks, inside, waiting, calls, bytes;  // inside: in calls
};

// What went to a PE and came from it, by one-sided operations.
struct Peer {
  Counter puts, put_bytes, gets, got_bytes;
};

// What the trace keeps: a call, or a region.
enum class EventKind : uint16_t { call, store, wait, region, collective };
struct Event {
  uint64_t begin, ticks, bytes;
  uint64_t
      place;  // symmetric memory that was written or waited for (place_of); of a collective, which one; 0: none
  uint32_t line;  // in the page, or of regions
  int32_t pe;     // the other PE; of a collective its root; -1: none
  EventKind kind;
  uint16_t unfinished;  // 1: the PE ended in it
  uint32_t thread;      // counted from 0
};

// Which collective: the place of its team's arrivals in the page, and its number in the team.
constexpr uint64_t pack_collective(unsigned arrivals, uint64_t number) {
  return static_cast<uint64_t>(arrivals + 1) << 48 | (number & 0xffffffffffff);
}
constexpr unsigned arrivals_of_collective(uint64_t place) { return static_cast<unsigned>(place >> 48) - 1; }
constexpr uint64_t number_of_collective(uint64_t place) { return place & 0xffffffffffff; }

// A thread that calls routines, or several one after the other: a new thread takes the place of one that has ended.
struct alignas(64) Thread {
  static constexpr size_t most_open = 16;
  struct OpenRegion {
    uint64_t begin, recorded;  // recorded_ticks then
    uint32_t number;
  };

  // The call that it is in: as the event that it will be, but for `doing`, its line + 1; 0: it computes.
  std::atomic<uint64_t> since;  // ticks: when that began, or the last one ended
  std::atomic<uint32_t> doing;
  std::atomic<int32_t> with;
  std::atomic<EventKind> kind;
  std::atomic<uint64_t> place, bytes;

  // Counted by recorded_ticks: when the one that is here came, + 1, 0: it has ended; how long those before it were here.
  std::atomic<uint64_t> came;
  Counter stayed;

  std::atomic<uint32_t> regions;  // that are open; of the innermost, what lies beyond most_open is not kept
  OpenRegion region[most_open];
};

inline constexpr size_t most_lines = 4096, most_lates = 4096, most_teams = 128, most_samples = 1024,
                        most_regions = 64, most_threads = 256;

struct Page {
  std::atomic<uint32_t> state;       // 0 until shmem_init has been called
  std::atomic<uint64_t> begin, end;  // ticks of init and finalize; end 0: it has not come there
  std::atomic<uint64_t> paused_since, paused_ticks;  // by shmem_pcontrol; 0: it records; until then
  Counter cost_ps;                                   // of one call, in picoseconds
  Counter lost_lines, lost_lates, lost_regions, lost_threads, unmatched;

  // By oshrun: when the process was gone, and how it went, as in "was ended by signal 9 (Killed)".
  std::atomic<uint64_t> gone;
  char ending[64];

  alignas(64) Counter heap_now, heap_most;
  std::atomic<uint32_t> samples;
  std::atomic<uint64_t> sample_every;  // ticks
  alignas(64) Counter events;          // that were ever written; the last ones are there

  alignas(64) CallSite line[most_lines];
  Allocations allocations[most_lines];
  Late late[most_lates];
  TeamArrivals arrivals_of[most_teams];
  HeapSample sample[most_samples];
  NamedRegion region[most_regions];
  Thread thread[most_threads];
  interpose::ModuleNames modules;
};

// For how long the PE had been recording then: what shmem_pcontrol switches off does not count.
uint64_t recorded_ticks(const Page& page, uint64_t now);

struct Head {
  std::atomic<uint64_t> magic;  // written last
  uint64_t page_bytes, bytes;
  uint32_t pes;
  TickSource source;
  uint64_t events;  // room of each page
  Moment begin;
};

class RecordBuffer {
 public:
  RecordBuffer() = default;
  // `base` is mapped and holds a head.
  explicit RecordBuffer(void* base) : base_(static_cast<char*>(base)) {}

  explicit operator bool() const { return base_ != nullptr; }
  const Head& head() const { return *reinterpret_cast<Head*>(base_); }
  int pes() const { return static_cast<int>(head().pes); }
  Page& page(int pe) const {
    return *reinterpret_cast<Page*>(base_ + 4096 + static_cast<size_t>(pe) * head().page_bytes);
  }
  Peer* peers(int pe) const { return reinterpret_cast<Peer*>(&page(pe) + 1); }
  Event* events(int pe) const { return reinterpret_cast<Event*>(peers(pe) + head().pes); }

 private:
  char* base_ = nullptr;
};

// A descriptor of a new record buffer, with room for so many bytes of events for each PE; -1 and errno: no memory.
int create_record_buffer(int pes, size_t event_bytes);
// An empty RecordBuffer: it cannot be mapped, or is none.
RecordBuffer open_record_buffer(int fd);

static_assert(sizeof(Page) % 64 == 0 && sizeof(CallSite) == 64 && std::atomic<uint64_t>::is_always_lock_free,
              "the buffer is shared by programs that were compiled apart");

}  // namespace atrium::profile
