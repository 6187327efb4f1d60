// The lobby: the first pages of the job's segment, by which the PEs of a node find each other before they share anything
// else, and in which the launcher reads the state of each of them.
// SPDX-License-Identifier: BSD-3-Clause
//
//   offset 0      Lobby            (magic, version, counts, barrier, plan, exit request, CPUs)
//   sizeof(Lobby) int32_t[]        (the table of the job's placement: topology/placement.hpp), up to the next 128 bytes
//   behind them   PeSlot[places]   (one per PE of the node, a cache line pair each)
//   behind them   Domain[most_known_cpus]  (what each CPU shares; the first `known_cpus` are filled in)
//   behind them   LobbyWait[places]  (where a PE waits that has waited long; untouched pages until one does)
//   behind them   NodeBlob[nodes]  (what the nodes send each other while a job starts: bootstrap.hpp; likewise)
//
// Invariants: zero-filled memory with magic, version and the counts is a valid empty lobby; the creator (launcher,
// or the node's first PE where another launcher started us) writes `magic` last. No pointer is stored. Everything else is
// written by the PEs.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/result.hpp"
#include "lobby/liveness.hpp"
#include "lobby/traffic.hpp"
#include "topology/domain.hpp"
#include "topology/placement.hpp"
#include "wait/reason.hpp"

namespace atrium {

inline constexpr uint64_t lobby_magic = 0x31304d5549525441;  // "ATRIUM01"
inline constexpr uint32_t lobby_version = 13;
inline constexpr uint32_t most_known_cpus = 8192;  // as many as Linux on x86 can have

enum class PeState : uint32_t {
  absent = 0,     // has not called shmem_init (perhaps never will: not every program is an OpenSHMEM program)
  running = 1,    // inside shmem_init ... shmem_finalize
  left = 2,       // last finalize done
  explained = 3,  // ended on an error whose message is already out
};

// What has become of a PE's handler of faults (check/fault_handler.hpp): it has begun, or is there and has not.
enum class FaultWatch : uint32_t { none = 0, ready = 1, begun = 2 };

// What one PE has and all must know of.
inline constexpr uint32_t pe_has_threads = 1;  // SHMEM_THREAD_MULTIPLE
// ATRIUM_CHECK or SHMEM_DEBUG, and ATRIUM_LEAKS: all PEs take part in comparing collective calls and in the report, or none.
inline constexpr uint32_t pe_wants_checks = 2, pe_wants_leaks = 4;

struct alignas(128) PeSlot {
  std::atomic<uint32_t> state;  // PeState
  std::atomic<int32_t> pid;     // of the PE of this slot; 0: none yet
  std::atomic<int32_t> cache,
      node;                      // what they share (topology/domain.hpp); written before the first barrier
  std::atomic<uint32_t> traits;  // the bits above; written before the barrier of each init
  std::atomic<uint32_t> exits;   // 1: exit() has begun, and nothing is left to do but its handlers
  std::atomic<uint32_t>
      settings;  // a fingerprint (job/common_settings.hpp); written before the barrier of each init
  std::atomic<uint32_t> faults;  // FaultWatch
};

// One wait of a thread, for people. Addresses are those of the process that waits.
struct WaitDetails {
  static constexpr size_t most_frames = 24;
  uint32_t kind;     // WaitKind (wait/reason.hpp)
  uint32_t for_all;  // 1: it ends when all PEs have come
  int32_t pe;        // the one that alone can end it, or -1
  uint32_t width;    // of the word that is compared; 0: there is not one word
  uint64_t address, wanted;
  char comparison[4];
  int32_t team_first;  // PE of the team's first member, -1: no team is waited for
  int64_t team_place;  // with it the same for all members of a team, and different for any two teams
  char team_name[24];  // empty where it has none
  char members[120];   // "0-3,8"; empty: too long to be told
  char routine[64];    // that was called, if it is known here
  uint64_t caller;     // where that call returns to, if it is known here
  uint64_t frames[most_frames];  // the back trace
  uint64_t block_bytes;          // of the block of the symmetric heap that `address` lies in; 0: in none
  uint64_t block_at;             // where in the heap it begins
  uint64_t block_into;           // where in it `address` is
  uint64_t block_caller;         // where its allocation returned to; 0: unknown
  char text[248];                // all of it, for readers that look nothing up
};
static_assert(sizeof(WaitDetails) % sizeof(uint64_t) == 0);

// The long waits of a PE, and the description of the first of them. lobby/wait_words.hpp says how they
// are written and read.
struct alignas(128) LobbyWait {
  std::atomic<uint64_t> since_ns;  // CLOCK_MONOTONIC; 0: nobody has waited long
  std::atomic<uint64_t> changes;   // grows whenever a thread begins or ends to wait long
  std::atomic<uint64_t> looks;     // grows when each thread that waits long has tested once more, in vain
  std::atomic<uint32_t> waiting;   // how many threads wait long
  std::atomic<uint32_t> stands;    // 1: no thread of this process can do anything else (job/standstill.hpp)
  std::atomic<uint64_t> seen;      // the word that is compared, at about the last test
  std::atomic<uint64_t> words[sizeof(WaitDetails) / sizeof(uint64_t)];
  // A thread that tests in vain, in a loop of the program's, has the words from `polling_since_ns` on, while `polls` grows.
  std::atomic<uint64_t> polls, polling_since_ns;
  std::atomic<uint64_t> polling_words[sizeof(WaitDetails) / sizeof(uint64_t)];
  Traffic traffic;    // between nodes
  Liveness liveness;  // of this PE's endpoint, if it has one
};

// What PE 0 has decided for all: how the segment is divided (segment/layout.hpp), and how much CPU time there is.
struct SegmentPlan {
  uint64_t globals_size;   // bytes of executable data per PE, whole pages
  uint64_t globals_print;  // fingerprint of the executable's data segment: equal on all PEs
  uint64_t program_build;  // fingerprint of its build ID, 0: none: equal on all nodes
  uint64_t heap_size;      // bytes of user heap per PE
  uint64_t system_size;    // bytes of Atrium's own symmetric memory per PE
  uint64_t kind;           // place in segment_kinds() (segment/segment.hpp)
  int64_t ticket_owner;    // SegmentTicket of the segment
  int64_t ticket_number;
  double cpu_quota;  // CPUs' worth of time that the cgroup grants, or no_quota (topology/quota.hpp)
};

// A piece of data that one node gives to all of them; its format is the reader's.
struct NodeBlob {
  static constexpr size_t most = 4088;
  uint64_t bytes;
  char data[most];
};

struct alignas(128) Lobby {
  std::atomic<uint64_t> magic;
  uint32_t version;
  uint32_t node, nodes, pes;  // this node's number, how many there are, PEs of the job
  uint32_t places;            // PEs of this node
  uint32_t known_cpus;        // 0 where all of them are alike, or nobody knows; written before magic
  uint32_t stretches, placement_words;            // of the job's placement, and of its table
  alignas(128) std::atomic<uint32_t> arrived;     // barrier: how many are here ...
  std::atomic<uint32_t> generation;               // ... of which one (futex word)
  alignas(128) std::atomic<uint32_t> plan_ready;  // 0, or 1 once `plan` may be read (futex word)
  SegmentPlan plan;
  alignas(128) std::atomic<uint32_t> exit_requested;  // 1 once some PE called shmem_global_exit
  std::atomic<int32_t> exit_status;                   // its status; written before exit_requested
  std::atomic<uint32_t> complaint;                    // fingerprint of the first error that ended a PE, or 0
  std::atomic<uint64_t> cut;  // nodes that cannot reach each other (network/node_watch.hpp), or 0
  // Rounds of allgather between nodes: how many this node's first PE has given its blob to, and how many all
  // nodes' blobs have come in (futex word, written by the launcher).
  alignas(128) std::atomic<uint32_t> contributed;
  std::atomic<uint32_t> gathered;
  // On which the PEs of the node may run, all together, a bit for each; written before the first barrier.
  alignas(128) std::atomic<uint64_t> cpus[most_known_cpus / 64];

  void add_cpus(std::span<const int> allowed);  // of one PE
  std::vector<int> cpus_of_all() const;         // in rising order

  int32_t* placement_table() { return reinterpret_cast<int32_t*>(this + 1); }
  PeSlot* slots() {
    return reinterpret_cast<PeSlot*>(reinterpret_cast<std::byte*>(this + 1) +
                                     placement_bytes(placement_words));
  }
  Domain* domains() { return reinterpret_cast<Domain*>(slots() + places); }
  LobbyWait* waits() { return reinterpret_cast<LobbyWait*>(domains() + most_known_cpus); }
  NodeBlob* blobs() { return reinterpret_cast<NodeBlob*>(waits() + places); }

  static constexpr size_t placement_bytes(size_t words) {
    return (words * sizeof(int32_t) + 127) / 128 * 128;
  }
};

inline constexpr size_t lobby_bytes(size_t places, size_t nodes, size_t placement_words) {
  return sizeof(Lobby) + Lobby::placement_bytes(placement_words) + most_known_cpus * sizeof(Domain) +
         places * (sizeof(PeSlot) + sizeof(LobbyWait)) + nodes * sizeof(NodeBlob);
}

// Of the lobby of the node that this placement is seen from.
inline size_t lobby_bytes(const Placement& pes) {
  return lobby_bytes(static_cast<size_t>(pes.places()), static_cast<size_t>(pes.nodes()), pes.words().size());
}

static_assert(sizeof(PeSlot) == 128, "the launcher and the library must agree on the size of a slot");
static_assert(sizeof(LobbyWait) == 1664 && most_known_cpus * sizeof(Domain) % alignof(LobbyWait) == 0 &&
                  std::atomic<uint64_t>::is_always_lock_free,
              "the launcher reads waits of other processes, which lie behind the domains");
static_assert(offsetof(Lobby, arrived) == 128 && offsetof(Lobby, plan_ready) == 256 &&
                  offsetof(Lobby, exit_requested) == 384 && offsetof(Lobby, contributed) == 512 &&
                  offsetof(Lobby, cpus) == 640 && sizeof(Lobby) == 1664 && sizeof(NodeBlob) == 4096,
              "the lobby is a protocol between launcher and library: change lobby_version with it");

// Makes `descriptor`, which is empty, long enough for the lobby of a node, writes its head and what the CPUs share
// (topology/domain.hpp), and returns it, mapped. `pes` is the placement as some PE of the node sees it. Whoever
// starts the job does this: oshrun, or the node's first PE.
Result<Lobby*> create_lobby(int descriptor, const Placement& pes, const std::vector<Domain>& domains_of_cpus);

// The placement that the creator has written, as PE `me` sees it; between nodes it is read where it lies. An Error where
// `job_memory` begins with no lobby of this version, or `me` is none of its PEs.
Result<Placement> read_placement(int job_memory, int me);
// How many PEs the job has whose lobby the file begins with, of any version; 0 where it begins with none.
uint32_t pes_of_lobby(int descriptor);
// The processes that have taken their slots in it; none where its version is another one.
std::vector<pid_t> registered_pes(int descriptor);

// What the launcher puts into each PE's environment.
namespace job_variable {
inline constexpr const char* fd =
    "ATRIUM_JOB_FD";  // inherited descriptor of the segment that begins with the lobby
inline constexpr const char* pe = "ATRIUM_JOB_PE";            // this PE's number, 0 ... pes-1
inline constexpr const char* pes = "ATRIUM_JOB_PES";          // how many PEs the job has
inline constexpr const char* id = "ATRIUM_JOB_ID";            // of this job alone; stays in the environment
inline constexpr const char* version = "ATRIUM_JOB_VERSION";  // oshrun's, for those who cannot read its lobby
inline constexpr const char* bell =
    "ATRIUM_JOB_BELL";  // of a node's first PE, with several nodes: eventfd that says "my blob is in the lobby"
inline constexpr const char* interface =
    "ATRIUM_JOB_INTERFACE";  // in a job over hosts: this one's address in the network they share, perhaps empty
inline constexpr const char* lines =
    "ATRIUM_JOB_LINES";  // set when standard output is forwarded line by line
}  // namespace job_variable

}  // namespace atrium
