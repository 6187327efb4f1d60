// Atomic operations, signals, flags, waits, locks, fences: what synchronises PEs one by one.
// SPDX-License-Identifier: BSD-3-Clause
#include "race/model/synchronising.hpp"

#include <new>
#include <vector>

#include "interpose/library.hpp"
#include "race/model/access.hpp"
#include "race/model/finding.hpp"
#include "race/model/order.hpp"
#include "race/model/word.hpp"

namespace atrium::race {
namespace {

// A word held while an operation changes it, and what is to be done when it has.
struct Held {
  Word word;
  Strand& strand;
  Origin origin;
  Context& context;
  int pe;
  Box* box;  // the operation is in lane O
  Word::Release how;
  bool releases;
};

static_assert(sizeof(Held) <= 64);

void finish(Held& held) {
  if (!held.releases) return;
  if (!held.box)
    return held.word.release(held.strand, held.how, held.origin, &held.context, held.pe, nullptr);
  const Arrival own{held.strand.tick(), held.box->last, held.box->lane};
  held.box->last = held.strand.tick();
  held.word.release(held.strand, held.how, held.origin, &held.context, held.pe, &own);
}

// The operation gets a tick of its own in its lane, so that its arrival says nothing of earlier ones.
void separate_from_earlier(Strand& strand, const Box& box) {
  if (box.last == strand.tick()) strand.advance();
}

}  // namespace

AtomicUse::AtomicUse(const Site& site, shmem_ctx_t ctx, const void* word, TypeClass type, int pe, Atomic how,
                     const void* fetch)
    : is_held_(false) {
  if (!working) return;
  const int target = world_pe(ctx, pe);
  const Spot spot = spot_on(word, target);
  if (!spot) return;
  Strand& strand = here();
  Context& context = context_of(ctx);
  const size_t bytes = size_of(type);
  const Origin origin = origin_of(site, bytes);
  const bool fetches = how == Atomic::fetch || how == Atomic::swap || how == Atomic::exchange;
  const bool now = fetches && !fetch;  // returned means executed
  Box* const box = now ? nullptr : &strand.box(context, target);
  if (box) separate_from_earlier(strand, *box);
  const auto kind =
      static_cast<uint8_t>(atomic_kind(type, context.domain) | (how == Atomic::fetch ? is_read : is_write));
  const auto release =
      how == Atomic::set || how == Atomic::swap ? Word::Release::replace : Word::Release::merge;
  auto* held =
      new (held_) Held{Word(spot), strand, origin, context, target, box, release, how != Atomic::fetch};
  is_held_ = true;
  // A put beside atomic operations is a race and orders nothing, unless it is waited for.
  Origin writer;
  int writer_pe = 0;
  if (now && !job.strict && !held->word.came_by_put(writer, writer_pe)) held->word.acquire(strand, origin);
  Access access = now ? access_now(strand, kind, origin) : access_later(*box, kind, origin);
  access.context = &context;
  touch(spot, bytes, access);
  if (fetch) touch_anywhere(fetch, bytes, access_later(*box, is_write, origin));
  if (box && !held->releases) box->last = strand.tick();
}

AtomicUse::~AtomicUse() {
  if (!is_held_) return;
  auto* held = std::launder(reinterpret_cast<Held*>(held_));
  finish(*held);
  held->~Held();
}

FlagPut::FlagPut(const Transfer& put) : is_held_(false) {
  const int target = world_pe(put.ctx, put.pe);
  const Spot spot = spot_on(put.remote, target);
  Strand& strand = here();
  const Origin origin = origin_of(put.site, put.bytes);
  if (put.local) touch_anywhere(put.local, put.bytes, access_now(strand, is_read, origin));
  if (!spot) return;
  Context& context = context_of(put.ctx);
  Box& box = strand.box(context, target);
  separate_from_earlier(strand, box);
  new (held_) Held{Word(spot), strand, origin, context, target, &box, Word::Release::replace, true};
  is_held_ = true;
  touch(spot, put.bytes, access_later(box, is_write | is_flaglike, origin));
}

FlagPut::~FlagPut() {
  if (!is_held_) return;
  auto* held = std::launder(reinterpret_cast<Held*>(held_));
  finish(*held);
  held->word.mark_put();
  held->~Held();
}

SignalPut::SignalPut(const Transfer& put, bool nonblocking, const void* signal, int how) : is_held_(false) {
  if (!working) return;
  const int target = world_pe(put.ctx, put.pe);
  const Spot word = spot_on(signal, target);
  if (!word) return;
  Strand& strand = here();
  Context& context = context_of(put.ctx);
  Box& box = strand.box(context, target);
  separate_from_earlier(strand, box);
  const Origin origin = origin_of(put.site, put.bytes);
  if (put.bytes != 0) {
    touch_anywhere(put.local, put.bytes,
                   nonblocking ? access_later(box, is_read, origin) : access_now(strand, is_read, origin));
    if (const Spot there = spot_on(put.remote, target))
      touch(there, put.bytes, access_later(box, is_write, origin));
  }
  const auto release = how == interpose::signal_set ? Word::Release::replace : Word::Release::merge;
  new (held_) Held{Word(word), strand, origin, context, target, &box, release, true};
  is_held_ = true;
  touch(word, 8,
        access_later(box, static_cast<uint8_t>(atomic_kind(TypeClass::int64, context.domain) | is_write),
                     origin));
}

SignalPut::~SignalPut() {
  if (!is_held_) return;
  auto* held = std::launder(reinterpret_cast<Held*>(held_));
  finish(*held);
  held->~Held();
}

// Domains do not matter to who waits: any atomic may end the wait.
void note_seen(const Site& site, const void* word, size_t bytes) {
  const Spot spot = spot_of(reinterpret_cast<uintptr_t>(word));
  if (!spot) return;
  Strand& strand = here();
  const Origin origin = origin_of(site, bytes);
  const Access access = access_now(strand, is_read | is_atomic | is_flaglike, origin);
  Origin writer;
  int writer_pe = 0;
  bool by_put = false;
  {
    Word record(spot);
    by_put = record.came_by_put(writer, writer_pe);
    record.acquire(strand, origin);
  }
  if (by_put) report_flag(writer, writer_pe, access, spot);
  touch(spot, bytes, access);
}

void note_fence(const Site&, shmem_ctx_t ctx) { fence_context(here(), context_of(ctx)); }
void note_quiet(const Site&, shmem_ctx_t ctx) { complete_context(here(), context_of(ctx)); }

void note_pe_quiet(const Site&, shmem_ctx_t ctx, const int* pes, size_t count) {
  std::vector<int> world;
  for (size_t i = 0; i < count; ++i) world.push_back(world_pe(ctx, pes[i]));
  complete_targets(here(), context_of(ctx), world.data(), world.size());
}

// A lock is one for the whole job, wherever its words are.
void note_lock(const Site& site, const void* lock) {
  const Spot spot = spot_on(lock, 0);
  if (!spot) return;
  Word word(spot);
  word.acquire(here(), origin_of(site, sizeof(long)));
}

void note_unlock(const Site& site, const void* lock) {
  const Spot spot = spot_on(lock, 0);
  if (!spot) return;
  Strand& strand = here();
  complete_context(strand, context_of(SHMEM_CTX_DEFAULT));
  Word word(spot);
  word.release(strand, Word::Release::replace, origin_of(site, sizeof(long)), nullptr, 0, nullptr);
}

}  // namespace atrium::race
