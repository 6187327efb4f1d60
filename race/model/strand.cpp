// Creates strands and their lanes, and reuses those that have ended.
// SPDX-License-Identifier: BSD-3-Clause
#include "race/model/strand.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <mutex>

#include "interpose/say.hpp"
#include "race/shadow/untouched.hpp"

// Of a program that is linked with -fsanitize=leak, which finds no pointers in memory of mmap that it is not told of.
extern "C" __attribute__((weak)) void __lsan_register_root_region(const void* begin, size_t bytes);

namespace atrium::race {

constinit thread_local Strand* strand_here = nullptr;

namespace {

__attribute__((tls_model("initial-exec"))) thread_local int inside = 0;

SpinLock strands_lock;  // all of the below
// In the order in which they ended.
Strand *first_free = nullptr, *last_free = nullptr;
unsigned strands_count = 0;
// Beyond these, one takes the place of another of whose end it does not know.
constexpr unsigned strands_of_their_own = 2048;
const Strand* first_strand = nullptr;
using OperationStreams = std::vector<OperationStream*>;
std::array<OperationStreams, most_contexts>& streams_by_context =
    *new std::array<OperationStreams, most_contexts>;

constexpr const char* no_memory = "no memory for the clock of another thread";

// Lanes that are left over are shared: races between those who share one are not seen. Relaxed, because whoever meets a
// lane has learned of it from its strand, through the shadow or a clock, after this.
Lane take_lane(LaneInfo info) {
  const uint32_t lane = board().lanes.fetch_add(1, std::memory_order_relaxed);
  if (lane >= most_lanes) {
    interpose::say_once(
        "more threads, contexts and targets than the check tells apart (16,384): some races are not seen");
    return most_lanes - 1;
  }
  board().lane[lane] = info;
  return static_cast<Lane>(lane);
}

// Never from malloc, within which libraries take locks, where a thread may be seen for the first time.
Strand* new_strand() {
  auto* strand = new (require_untouched<Strand>(no_memory)) Strand{};
  if (__lsan_register_root_region) __lsan_register_root_region(strand, sizeof(Strand));
  strand->number = strands_count++;
  strand->clock = require_untouched<VectorClock>(no_memory);
  strand->fenced = require_untouched<Tick>(no_memory, most_lanes);
  strand->learned = require_untouched<uint64_t>(no_memory, static_cast<size_t>(job.pes));
  // The first strand's lane is the PE's number, so that the lanes of all PEs' first strands come first.
  const LaneInfo info{static_cast<int16_t>(job.me), -1, static_cast<uint16_t>(strand->number), 0};
  strand->lane = strand->number == 0 ? static_cast<Lane>(job.me) : take_lane(info);
  if (strand->number == 0) board().lane[strand->lane] = info, first_strand = strand;
  return strand;
}

void put_last(Strand& strand) {
  strand.next_free = nullptr;
  (last_free ? last_free->next_free : first_free) = &strand;
  last_free = &strand;
}

Strand* take_first() {
  Strand* const strand = first_free;
  if (!strand) return nullptr;
  first_free = strand->next_free;
  if (!first_free) last_free = nullptr;
  return strand;
}

// One that has ended, and of whose end the creator knows: otherwise what it did would count as done before. Only some are
// asked, those that ended first, because tasks are many and short.
Strand* take_free(const Strand& creator) {
  constexpr unsigned most_asked = 8;
  for (unsigned asked = 0; asked < most_asked; ++asked) {
    Strand* const strand = take_first();
    if (!strand || creator.clock->tick[strand->lane] >= strand->last) return strand;
    put_last(*strand);
  }
  return nullptr;
}

Strand& take_strand(const Strand* creator) {
  if (Strand* const free = creator ? take_free(*creator) : nullptr) return *free;
  if (strands_count < strands_of_their_own || !first_free) return *new_strand();
  interpose::say_once(
      "more threads and tasks of whose ends nobody knows than the check tells apart (2,048): some races are "
      "not seen");
  return *take_first();
}

}  // namespace

Inside::Inside() { ++inside; }
Inside::~Inside() { --inside; }
bool Inside::now() { return inside != 0 || SpinLock::is_held_here(); }

void set_here(Strand* strand) { strand_here = strand; }

Strand& here() {
  if (!strand_here) strand_here = &begin_strand(first_strand);  // a thread whose beginning was not seen
  return *strand_here;
}

Strand& begin_strand(const Strand* creator) {
  const Inside inside;  // locks of other libraries that are taken meanwhile would ask for the strand
  std::lock_guard guard(strands_lock);
  Strand& strand = take_strand(creator);
  if (creator) {
    const uint32_t lanes = lanes_used();
    const Tick mine = strand.tick();
    strand.clock->copy(*creator->clock, lanes);
    strand.clock->tick[strand.lane] = std::max(mine, strand.tick());
    std::copy_n(creator->fenced, lanes, strand.fenced);
    std::copy_n(creator->learned, job.pes, strand.learned);
  }
  strand.advance();
  return strand;
}

void end_strand(Strand& strand) {
  std::lock_guard guard(strands_lock);
  strand.stack_floor = 0;
  put_last(strand);
}

unsigned number_of(const ToolContext& context) {
  if (context.number < most_contexts) return context.number;
  interpose::say_once("more contexts at a time than the check tells apart (4,096): some races are not seen");
  return most_contexts - 1;
}

unsigned domain_of(const ToolContext& context) {
  const shmem_team_t ancestor = context.group->ancestor;
  return ancestor != SHMEM_TEAM_INVALID && ancestor == SHMEM_TEAM_SHARED ? 1 : 0;
}

OperationStream& Strand::stream(const ToolContext& context, int target) {
  const unsigned in_context = number_of(context);
  if (streams.size() <= in_context) streams.resize(in_context + 1);
  auto& row = streams[in_context];
  if (row.empty()) row.resize(static_cast<size_t>(job.pes));
  OperationStream*& stream = row[static_cast<size_t>(target)];
  if (stream) return *stream;
  std::lock_guard guard(strands_lock);
  const LaneInfo info{static_cast<int16_t>(job.me), static_cast<int16_t>(target),
                      static_cast<uint16_t>(number), static_cast<uint16_t>(in_context)};
  stream = new OperationStream{take_lane(info), &context, target, this, 0};
  streams_by_context[in_context].push_back(stream);
  return *stream;
}

void each_stream(const ToolContext& context, void (*visit)(OperationStream&, Strand&, uint64_t),
                 Strand& strand, uint64_t argument) {
  std::lock_guard guard(strands_lock);
  for (OperationStream* stream : streams_by_context[number_of(context)]) visit(*stream, strand, argument);
}

void each_stream_of_all(void (*visit)(OperationStream&, Strand&, uint64_t), Strand& strand,
                        uint64_t argument) {
  std::lock_guard guard(strands_lock);
  for (const OperationStreams& streams : streams_by_context)
    for (OperationStream* stream : streams) visit(*stream, strand, argument);
}

void merge_into(Strand& strand, const VectorClock& clock, uint64_t origin) {
  const auto pes = static_cast<uint32_t>(job.pes);
  for (uint32_t pe = 0; pe < pes; ++pe)
    if (clock.tick[pe] > strand.clock->tick[pe]) strand.learned[pe] = origin;
  strand.clock->merge(clock, lanes_used());
}

}  // namespace atrium::race
