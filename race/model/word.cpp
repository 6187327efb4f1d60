// Records releases to a word through which PEs synchronise, and applies them to a PE that acquires it.
// SPDX-License-Identifier: BSD-3-Clause
#include "race/model/word.hpp"

#include <algorithm>

namespace atrium::race {
namespace {

// How many records this thread has locked.
__attribute__((tls_model("initial-exec"))) thread_local int held = 0;

// A thread that holds a record itself must not wait without end for another: it may be the same record, or its holder may wait
// for mine. Any other thread waits as long as it takes. Without what belongs to the value it would report a race that there is not.
bool lock_without_deadlock(WordRecord& record) {
  if (held == 0) return record.lock.lock(), true;
  for (int tries = 0; tries < 1000; ++tries)
    if (record.lock.try_lock()) return true;
  return false;
}

}  // namespace

Word::Word(ShadowAddress shadow)
    : record_(job.shared[shadow.region->owner].word(shadow.region->key(shadow.offset) + 2)),
      key_(shadow.region->key(shadow.offset) + 2) {
  record_.lock.lock();
  ++held;
}

Word::~Word() {
  --held;
  record_.lock.unlock();
}

const VectorClock* Word::released() const {
  return record_.released == 0 || (record_.key != key_ && !record_.mixed) ? nullptr : &record_.clock;
}

void Word::acquire(Strand& strand, Origin) {
  if (!released()) return;
  merge_into(strand, record_.clock, record_.writer);
  strand.learned[record_.writer_pe] = record_.writer;
  forget_completed(strand);
}

// What the same PE released with an earlier value still comes with this one (C11, 5.1.2.4: a release sequence).
void Word::release_relaxed(Release how, Origin origin, const VectorClock* left) {
  if (record_.key != 0 && record_.key != key_) record_.mixed = 1;
  const bool continues = how == Release::merge || record_.mixed || record_.writer_pe == job.me;
  if (!continues) record_.released = 0;
  if (left) {
    record_.released ? record_.clock.merge(*left, lanes_used()) : record_.clock.copy(*left, lanes_used());
    ++record_.released;
  }
  record_.key = key_;
  record_.by_put = 0;
  record_.writer = origin.word();
  record_.writer_pe = job.me;
}

void Word::release(Strand& strand, Release how, Origin origin, const ToolContext* context, int target,
                   const ArrivedTick* own) {
  if (record_.key != 0 && record_.key != key_) record_.mixed = 1;
  record_.key = key_;
  if (how == Release::replace && !record_.mixed)
    record_.clock.copy(*strand.clock, lanes_used());
  else
    record_.clock.merge(*strand.clock, lanes_used());
  struct Fences {
    VectorClock& clock;
    int target;
  } fences{record_.clock, target};
  const auto add_fenced = [](OperationStream& stream, Strand& fencing, uint64_t argument) {
    const Fences& given = *reinterpret_cast<Fences*>(argument);
    if (stream.target == given.target)
      given.clock.tick[stream.lane] = std::max(given.clock.tick[stream.lane], fencing.fenced[stream.lane]);
  };
  if (context) each_stream(*context, add_fenced, strand, reinterpret_cast<uint64_t>(&fences));
  record_.clock.absorb();
  if (own) record_.clock.admit(*own);
  record_.by_put = 0;
  record_.writer = origin.word();
  record_.writer_pe = job.me;
  ++record_.released;
  strand.advance();
}

bool Word::came_by_put(Origin& origin, int& pe) const {
  if (!record_.by_put || record_.key != key_) return false;
  origin = Origin(record_.writer);
  pe = record_.writer_pe;
  return true;
}

namespace {

void take_polled(Strand& strand, WordRecord& record) {
  if (record.released == 0 || !lock_without_deadlock(record)) return;
  merge_into(strand, record.clock, record.writer);
  record.lock.unlock();
}

}  // namespace

void (*acquire_with_polled)(Strand& strand) = nullptr;

// The one whose place it takes is acquired now: it was read long ago.
void Word::remember_polled(Strand& strand) const {
  if (std::find(strand.polled, strand.polled + 4, &record_) != strand.polled + 4) return;
  WordRecord*& place = strand.polled[strand.polled_next++ % 4];
  if (place) take_polled(strand, *place);
  place = &record_;
}

bool acquire_polled(Strand& strand) {
  bool any = false;
  for (WordRecord* record : strand.polled) {
    if (!record) continue;
    take_polled(strand, *record);
    any = true;
  }
  if (any && acquire_with_polled) acquire_with_polled(strand);
  return any;
}

void settle_polled(Strand& strand) {
  if (acquire_polled(strand)) std::fill(strand.polled, strand.polled + 4, nullptr);
}

}  // namespace atrium::race
