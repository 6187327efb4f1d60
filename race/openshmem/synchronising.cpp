// Atomic operations, signals, flags, waits, locks, fences: what synchronises PEs one by one.
// SPDX-License-Identifier: BSD-3-Clause
#include "race/openshmem/synchronising.hpp"

#include <vector>

#include "interpose/library.hpp"
#include "race/model/finding.hpp"
#include "race/model/site.hpp"
#include "race/openshmem/order.hpp"

namespace atrium::race {
namespace {

using interpose::Atomic;
using interpose::Words;

// The operation gets a tick of its own in its lane, so that its arrival says nothing of earlier ones.
void separate_from_earlier(Strand& strand, const OperationStream& stream) {
  if (stream.last == strand.tick()) strand.advance();
}

TypeClass class_of(const RoutineCall& atomic) {
  if (atomic.floating) return atomic.unit == sizeof(float) ? TypeClass::float32 : TypeClass::float64;
  return atomic.unit == sizeof(int32_t) ? TypeClass::int32 : TypeClass::int64;
}

uint8_t kind_of(TypeClass type, const ToolContext& context, uint8_t access) {
  return static_cast<uint8_t>(atomic_kind(type, domain_of(context)) | access);
}

}  // namespace

HeldWord::HeldWord(const RoutineCall& operation, const ShadowAddress& shadow, Origin origin,
                   const Change& change)
    : word(shadow), context_(*operation.context), pe_(operation.target), origin_(origin), change_(change) {}

HeldWord::~HeldWord() {
  Strand& strand = here();
  if (change_.releases && !change_.stream)
    word.release(strand, change_.how, origin_, &context_, pe_, nullptr);
  if (change_.releases && change_.stream) {
    const ArrivedTick own{strand.tick(), change_.stream->last, change_.stream->lane};
    change_.stream->last = strand.tick();
    word.release(strand, change_.how, origin_, &context_, pe_, &own);
  }
  if (change_.by_put) word.mark_put();
}

bool begin_atomic(RoutineCall& atomic) {
  const ShadowAddress shadow = shadow_on(atomic.word(), atomic.target);
  if (!shadow) return false;
  Strand& strand = here();
  const ToolContext& context = *atomic.context;
  const Origin origin = origin_of(atomic.site, atomic.unit);
  const bool reads = atomic.atomic == Atomic::fetch;
  const bool fetches = reads || atomic.atomic == Atomic::swap || atomic.atomic == Atomic::exchange;
  const bool now = fetches && !atomic.nonblocking;  // returned means executed
  OperationStream* const stream = now ? nullptr : &strand.stream(context, atomic.target);
  if (stream) separate_from_earlier(strand, *stream);
  const uint8_t kind = kind_of(class_of(atomic), context, reads ? is_read : is_write);
  const bool replaces = atomic.atomic == Atomic::set || atomic.atomic == Atomic::swap;
  const auto how = replaces ? Word::Release::replace : Word::Release::merge;
  auto& held = atomic.scratch.make<HeldWord>(atomic, shadow, origin, HeldWord::Change{stream, how, !reads});
  // A put beside atomic operations is a race and orders nothing, unless it is waited for.
  Origin writer;
  int writer_pe = 0;
  if (now && !job.strict && !held.word.came_by_put(writer, writer_pe)) held.word.acquire(strand, origin);
  Access access = now ? access_now(strand, kind, origin) : access_later(*stream, kind, origin);
  access.context = &context;
  touch(shadow, atomic.unit, access);
  if (stream && atomic.fetch())
    touch_anywhere(atomic.fetch(), atomic.unit, access_later(*stream, is_write, origin));
  if (stream && reads) stream->last = strand.tick();
  return true;
}

bool begin_flag_put(RoutineCall& put) {
  const ShadowAddress shadow = shadow_on(put.dest, put.target);
  Strand& strand = here();
  const Origin origin = origin_of(put.site, put.unit);
  if (put.source) touch_anywhere(put.source, put.unit, access_now(strand, is_read, origin));
  if (!shadow) return false;
  OperationStream& stream = strand.stream(*put.context, put.target);
  separate_from_earlier(strand, stream);
  put.scratch.make<HeldWord>(put, shadow, origin,
                             HeldWord::Change{&stream, Word::Release::replace, true, true});
  touch(shadow, put.unit, access_later(stream, is_write | is_flaglike, origin));
  return true;
}

bool begin_signal_put(RoutineCall& put) {
  const ShadowAddress word = shadow_on(put.signal(), put.target);
  if (!word) return false;
  Strand& strand = here();
  OperationStream& stream = strand.stream(*put.context, put.target);
  separate_from_earlier(strand, stream);
  const Origin origin = origin_of(put.site, put.bytes());
  if (put.bytes() != 0) {
    touch_anywhere(
        put.source, put.bytes(),
        put.nonblocking ? access_later(stream, is_read, origin) : access_now(strand, is_read, origin));
    if (const ShadowAddress there = shadow_on(put.dest, put.target))
      touch(there, put.bytes(), access_later(stream, is_write, origin));
  }
  const auto how = put.how == interpose::signal_set ? Word::Release::replace : Word::Release::merge;
  put.scratch.make<HeldWord>(put, word, origin, HeldWord::Change{&stream, how, true});
  touch(word, sizeof(uint64_t),
        access_later(stream, kind_of(TypeClass::int64, *put.context, is_write), origin));
  return true;
}

namespace {

// Domains do not matter to who waits: any atomic may end the wait.
void see(const RoutineCall& wait, size_t index) {
  const void* const word = static_cast<const char*>(wait.source) + index * wait.unit;
  const ShadowAddress shadow = shadow_of(reinterpret_cast<uintptr_t>(word));
  if (!shadow) return;
  Strand& strand = here();
  const Origin origin = origin_of(wait.site, wait.unit);
  const Access access = access_now(strand, is_read | is_atomic | is_flaglike, origin);
  Origin writer;
  int writer_pe = 0;
  bool by_put = false;
  {
    Word record(shadow);
    by_put = record.came_by_put(writer, writer_pe);
    record.acquire(strand, origin);
  }
  if (by_put) report_flag(writer, writer_pe, access, shadow);
  touch(shadow, wait.unit, access);
}

}  // namespace

void note_seen(const RoutineCall& wait, uint64_t result) {
  const bool is_test = wait.family == interpose::RoutineFamily::test;
  switch (wait.words) {
    case Words::one:
      if (!is_test || result != 0) see(wait, 0);
      return;
    case Words::all:
      for (size_t i = 0; (!is_test || result != 0) && i < wait.count; ++i)
        if (!wait.status() || wait.status()[i] == 0) see(wait, i);
      return;
    case Words::any:
      if (result < wait.count) see(wait, result);
      return;
    case Words::some:
      for (size_t i = 0; i < result; ++i) see(wait, wait.indices()[i]);
      return;
  }
}

void note_pe_quiet(const RoutineCall& quiet) {
  const ToolContext& context = interpose::context_of(quiet.ctx);
  std::vector<int> in_job;
  for (size_t i = 0; i < quiet.count; ++i) in_job.push_back(interpose::pe_in_job(context, quiet.pes()[i]));
  complete_targets(here(), context, in_job.data(), in_job.size());
}

// A lock is one for the whole job, wherever its words are.
void note_lock(const RoutineCall& lock) {
  const ShadowAddress shadow = shadow_on(lock.dest, 0);
  if (!shadow) return;
  Word word(shadow);
  word.acquire(here(), origin_of(lock.site, sizeof(long)));
}

void note_unlock(const RoutineCall& lock) {
  const ShadowAddress shadow = shadow_on(lock.dest, 0);
  if (!shadow) return;
  Strand& strand = here();
  complete_context(strand, interpose::context_of(SHMEM_CTX_DEFAULT));
  Word word(shadow);
  word.release(strand, Word::Release::replace, origin_of(lock.site, sizeof(long)), nullptr, 0, nullptr);
}

}  // namespace atrium::race
