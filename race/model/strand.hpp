// A strand: a thread, or an OpenMP section or task, with what it knows.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <vector>

#include "interpose/contexts.hpp"
#include "race/clock/clock.hpp"
#include "race/model/job.hpp"
#include "race/shadow/slot.hpp"

namespace atrium::race {

using interpose::ToolContext;

// At most this many contexts are distinguished; those beyond share the last number, so that a fence or quiet of one counts for
// all of them: races may be missed, none is made up.
inline constexpr unsigned most_contexts = 4096;
unsigned number_of(const ToolContext& context);
// Its atomicity domain (3.2), as two bits: that of the predefined team that its team descends from.
unsigned domain_of(const ToolContext& context);

// The operations of one strand on the contexts of one number to one PE.
struct OperationStream {
  Lane lane;
  const ToolContext* context;
  int target;
  struct Strand* strand;
  Tick last;  // of the last operation
};

struct Strand {
  unsigned number;
  Lane lane;
  VectorClock* clock;
  Tick* fenced;  // for each lane O: up to which tick its writes precede later ones of its context
  std::vector<std::vector<OperationStream*>> streams;  // by context and target
  Strand* next_free;
  uint64_t* learned;      // for each PE: the call by which this strand last learned of it
  WordRecord* polled[4];  // words that volatile loads read last
  unsigned polled_next;
  Tick last;              // that it ran with before it ended and left what it knew, once or several times
  uintptr_t stack_floor;  // memory of this thread's stack below is the strand's own; 0: none
  Tick moment;            // moves on with the tick, and behind each operation in a lane O
  bool has_issued;        // an operation in a lane O, since the tick moved on
  struct Fences* fences;  // of C11 (threads/sync.hpp); null: none yet

  Tick tick() const { return clock->tick[lane]; }
  void advance() { ++clock->tick[lane], ++moment, has_issued = false; }
  // What the strand has accessed in this tick is not ordered with the operation that it issues now, when it comes again.
  void issue() { ++moment, has_issued = true; }
  OperationStream& stream(const ToolContext& context, int target);
};

// The strand that runs here; made when a thread comes for the first time.
Strand& here();
extern __attribute__((tls_model("initial-exec"))) constinit thread_local Strand* strand_here;
inline Strand* here_if_any() { return strand_here; }
void set_here(Strand* strand);

// A strand that begins after what `creator` has done; its lane is new, or was left by a strand that has ended.
Strand& begin_strand(const Strand* creator);
// Requires: `last` is set, if it has run.
void end_strand(Strand& strand);

// Calls visit(stream) for all streams of a context, of all strands of this PE.
void each_stream_of_all(void (*visit)(OperationStream&, Strand&, uint64_t), Strand& strand,
                        uint64_t argument);
void each_stream(const ToolContext& context, void (*visit)(OperationStream&, Strand&, uint64_t),
                 Strand& strand, uint64_t argument);

// After acquiring: `origin` is where this strand last learned of the PEs of which more is known than before.
void merge_into(Strand& strand, const VectorClock& clock, uint64_t origin);

// While the tool itself works, what it calls is not the program's.
struct Inside {
  Inside();
  ~Inside();
  static bool now();
};

}  // namespace atrium::race
