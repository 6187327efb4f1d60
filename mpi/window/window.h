// Inside of a node window: what a rank knows of it, and the control segment through which its ranks agree.
// SPDX-License-Identifier: BSD-3-Clause
//
// The control segment lies in an MPI window of its own, so that the user's has nothing but the user's data:
//
//     | line 0: meeting of barrier | line 1: meeting of free | slots, two lines per rank | flags, a line a pair |
//
// Flags of one receiver lie together; flag (from, to) is written by `from` only and read by `to` only.
#ifndef ATRIUM_MPI_WINDOW_H
#define ATRIUM_MPI_WINDOW_H

#include <stdatomic.h>
#include <stdint.h>

#include "atrium/node_window.h"
#include "atrium_message.h"
#include "atrium_waiting.h"

enum { kLine = 64 };

// Who has arrived: the generation in the upper half, the number of arrivals in the lower.
typedef struct {
  _Alignas(kLine) _Atomic uint64_t arrived;
} Meeting;

// What a rank is about, for those who wait for it.
typedef struct {
  _Alignas(kLine) _Atomic uint64_t freeing;  // id of the window that it is freeing, or 0
  _Atomic uint32_t departed;                 // it has entered MPI_Finalize
  _Atomic uint64_t cpu;  // oversubscribed.c: where it last ran, and below what it last waited for
  _Alignas(kLine) _Atomic uint64_t awaited;
} RankSlot;

typedef struct {
  _Alignas(kLine) _Atomic uint32_t posts;
} Flag;

typedef struct {
  Meeting barrier, free;
  RankSlot slots[];
} Control;

_Static_assert(sizeof(Meeting) == kLine && sizeof(RankSlot) == 2 * kLine && sizeof(Flag) == kLine,
               "no two share a line");
_Static_assert(sizeof(Control) == 2 * kLine, "the slots begin on the third line, in every rank's binary");

typedef struct {
  char* base;
  size_t bytes;
} Part;

typedef struct {
  uint32_t posted, awaited;  // to and from one peer, this rank's own count
} Count;

typedef enum { kAlive = 0x57494e44, kFreed = 0x46524545 } Life;

// profile.c
typedef struct WindowProfile WindowProfile;

struct atrium_window {
  Life life;    // the handle of a freed window stays, so that its use is an error and no crash
  uint64_t id;  // the same on all its ranks, different from that of any other window they share
  MPI_Comm comm;
  int rank, size, comm_size;
  int* rank_of;  // by rank of the user's communicator
  atrium_window_layout layout;
  int data_count;  // MPI windows with data: 1, or one per rank
  MPI_Win *data, control_window;
  Control* control;
  Flag* flags;
  Part* parts;
  Count* counts;
  int locked, frozen, oversubscribed;
  int mpi_window_given;  // to the program, which may have operations of the MPI's under way there
  unsigned vain_tests;   // atrium_window_test that found nothing
  int spins;             // of a wait for a rank that runs on another CPU
  char name[48];
  WindowProfile* profile;  // null unless ATRIUM_REPORT=1
  struct atrium_window* next;
};

// settings.c: the variables.
typedef struct {
  int node_ranks;        // ATRIUM_NODE_RANKS: of a pretended node, or 0
  double free_patience;  // ATRIUM_WINDOW_PATIENCE, in seconds; 0: for ever
  int report;            // ATRIUM_REPORT
} WindowSettings;
const WindowSettings* window_settings(void);

// profile.c: what ATRIUM_REPORT=1 prints of a window. Where nobody asks for it, no clock is read.
typedef enum { kPostCall, kWaitCall, kTestCall, kBarrierCall, kFenceCall, kProfiledCalls } ProfiledCall;
void begin_profile(atrium_window* window);   // collective
void report_profile(atrium_window* window);  // collective
void drop_profile(atrium_window* window);
void count_call(const atrium_window* window, ProfiledCall call);
double profile_clock(const atrium_window* window);
void count_waited(const atrium_window* window, ProfiledCall call, double since);
void count_waited_for(const atrium_window* window, int rank, double since);  // its posts

// place.c: who shares, and where memory lies.
int split_comm(MPI_Comm comm, atrium_window_domain domain, MPI_Comm* node, int* oversubscribed);
int is_memory_known(int memory);
int touch_and_place(const Part* part, int memory);
void place_untouched(const Part* part, int memory);
void take_policy_back(const Part* part);
int memory_node_of(const void* address);
size_t page_size(void);

// allocate.c: the segments and the parts in them.
int allocate_segments(atrium_window* window, const atrium_window_options* options);
char* beginning_of(MPI_Win win, int rank);
int free_segments(atrium_window* window);
int protect_parts(const atrium_window* window, int protection);
int agree(atrium_window* window, size_t bytes, atrium_window_domain domain, int valid);

static inline const char* name_of(const atrium_window* window) {
  return window->name[0] != '\0' ? window->name : "(without a name)";
}

static inline size_t bytes_of(const atrium_window* window) {
  size_t bytes = 0;
  for (int rank = 0; rank < window->size; rank++) bytes += window->parts[rank].bytes;
  return bytes;
}

static inline Flag* flag_of(const atrium_window* window, int from, int to) {
  return &window->flags[(size_t)to * (size_t)window->size + (size_t)from];
}

static inline int is_posted(const atrium_window* window, int from, int to, uint32_t count) {
  const Flag* flag = flag_of(window, from, to);
  const uint32_t posts = atomic_load_explicit(&flag->posts, memory_order_acquire);  // SYNC window-flag
  return (int32_t)(posts - count) >= 0;  // the difference, since counts wrap around
}

static inline uint32_t generation_of(uint64_t arrived) { return (uint32_t)(arrived >> 32); }

static inline int has_met(Meeting* meeting, uint32_t generation) {
  const uint64_t now = atomic_load_explicit(&meeting->arrived, memory_order_acquire);  // SYNC window-meeting
  return generation_of(now) != generation;
}

// oversubscribed.c: where ranks run. What is awaited: so many posts of rank `from`, or the end of a
// generation of the barrier (from = size).
void say_awaited(const atrium_window* window, int from, uint32_t count);
int is_cpu_wanted(const atrium_window* window);
int spins_for(const atrium_window* window, int from);  // before the first yield

// meet.c: waiting for others, and noticing those who cannot come.
typedef struct {
  int spins;  // that are left
  atrium_waiting waiting;
  double deadline;  // in MPI_Wtime, or 0
} WaitState;
typedef enum { kMet, kNobodyComes, kTooLate } Outcome;
WaitState begin_wait(const atrium_window* window, int from, double deadline);
int wait_a_little(const atrium_window* window, WaitState* wait);  // true: time to look whether they can come
const char* why_never(const atrium_window* window, int peer);
Outcome meet(atrium_window* window, Meeting* meeting, double deadline, const char** why, int* peer);

// sync.c: the node barrier under the name of the call that needs it, which is counted as what it is.
int meet_all(atrium_window* window, ProfiledCall call, const char* during);

// live.c: the windows of this process, from creation to MPI_Finalize.
void enlist(atrium_window* window);
void retire(atrium_window* window);
int is_live(uint64_t id);
void announce_freeing(const atrium_window* window, uint64_t id);

// create.c: what nodes.c asks, too.
int is_usable(MPI_Comm comm);
int refuse_comm(MPI_Comm comm, const char* what, const char* during);
int split_quietly(MPI_Comm comm, atrium_window_domain domain, MPI_Comm* node, int* oversubscribed);

// report.c: errors, decided once, handed to the communicator's error handler.
int fail(const atrium_window* window, MPI_Comm comm, int code, const atrium_message* report);
int pass_on(MPI_Comm comm, const atrium_window* window, int code, const char* during);
int check(const atrium_window* window, const char* during);
int check_rank(const atrium_window* window, int rank, const char* during);
// For what a rank remembers of a window: zeros. Ends the job where there is none, since the other ranks wait for this one.
void* own_memory(size_t count, size_t bytes);

#endif
