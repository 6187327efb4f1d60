// Fills the job's table: one entry for each pair of places of the program. The PE that finds a pair first hands it to the sink.
// SPDX-License-Identifier: BSD-3-Clause
#include "race/model/finding.hpp"

#include <algorithm>
#include <bit>
#include <mutex>

#include "interpose/blocks.hpp"

namespace atrium::race {
namespace {

uint64_t mix(uint64_t hash, uint64_t word) { return (hash ^ word) * 0x9e3779b97f4a7c15u ^ (hash >> 29); }

uint64_t key_of(Fault fault, uint64_t one, uint64_t other) {
  if (one > other) std::swap(one, other);
  return mix(mix(mix(0, static_cast<uint64_t>(fault)), one), other) | 1;
}

// A free entry for a new key, or the entry of a known one; nullptr: the table is full.
RaceReport* entry_for(uint64_t key, bool& is_new) {
  for (size_t tries = 0; tries < most_reports; ++tries) {
    RaceReport& entry = board().report[(key + tries) % most_reports];
    uint64_t there = entry.key.load();
    is_new = there == 0 && entry.key.compare_exchange_strong(there, key);
    if (is_new || there == key) return &entry;
  }
  ++board().lost_reports;
  return nullptr;
}

AccessSide side_of(Lane lane, Origin origin, uint8_t kind, int owner) {
  const LaneInfo& info = board().lane[lane];
  const bool operation = info.target >= 0;
  return {origin.word(), info.pe,
          info.strand,   info.target,
          kind,          static_cast<uint8_t>(operation && info.target != owner),
          operation,     static_cast<uint8_t>(operation && info.context != 0)};
}

// Waits, tests and volatile loads beside puts of one element and atomics: what old programs do with their flags.
bool is_flag_use(uint8_t a, uint8_t b) {
  const auto reads_flag = [](uint8_t kind) { return (kind & is_flaglike) && !(kind & is_write); };
  const auto sets_flag = [](uint8_t kind) { return (kind & is_write) && (kind & (is_flaglike | is_atomic)); };
  return (reads_flag(a) && sets_flag(b)) || (reads_flag(b) && sets_flag(a));
}

void count_pair(RaceReport& report, int one, int other) {
  const auto low = static_cast<unsigned>(std::min(one, other)),
             high = static_cast<unsigned>(std::max(one, other));
  report.pairs_low.fetch_or(1u << (low * 7 + high * 13) % 32);
  report.count.fetch_add(1);
}

void add_block(RaceReport& report, const ShadowAddress& shadow) {
  if (!shadow || !shadow.region->heap) return;
  const auto block = interpose::block_near(job.heap_begin + shadow.region->first + shadow.offset);
  if (!block) return;
  report.block = block->begin - job.heap_begin;
  report.block_bytes = block->bytes;
  report.block_origin = block->allocated;
}

Sink sink = nullptr;
thread_local bool reporting = false;

// Others may read the entry from now on.
void publish(RaceReport& report) {
  report.ready.store(1);
  if (sink) sink(report);
}

// Fills in a new entry.
void complete(RaceReport& report, Fault fault, const Access& access, const AccessSide& theirs,
              const AccessTarget& target, unsigned first_byte) {
  reporting = true;
  const Inside inside;
  const int owner = target.shadow ? target.shadow.region->owner : -1;
  report.fault = fault;
  report.symmetric = static_cast<bool>(target.shadow);
  report.in_heap = target.shadow && target.shadow.region->heap;
  report.owner = owner;
  report.finder = job.me;
  report.other = theirs.pe;
  report.mine = side_of(access.lane, access.origin, access.kind, owner);
  report.theirs = theirs;
  report.offset =
      target.shadow ? target.shadow.region->first + target.shadow.offset + first_byte : target.address;
  report.learned = theirs.pe == job.me ? 0 : access.strand->learned[theirs.pe];
  add_block(report, target.shadow);
  publish(report);
  reporting = false;
}

}  // namespace

void set_sink(Sink reported) { sink = reported; }

void report_race(Epoch there, Origin where, Epoch epoch, const Access& access, const AccessTarget& target) {
  if (reporting) return;
  const Fault fault = is_flag_use(there.kind(), epoch.kind()) && !job.strict ? Fault::note : Fault::race;
  bool is_new = false;
  RaceReport* const report = entry_for(key_of(fault, where.place(), access.origin.place()), is_new);
  if (!report) return;
  const AccessSide theirs =
      side_of(there.lane(), where, there.kind(), target.shadow ? target.shadow.region->owner : -1);
  count_pair(*report, job.me, theirs.pe);
  const int first = std::countr_zero(static_cast<unsigned>(there.mask() & epoch.mask()));
  if (is_new) complete(*report, fault, access, theirs, target, static_cast<unsigned>(first) * target.unit);
}

void report_flag(Origin writer, int writer_pe, const Access& access, const ShadowAddress& shadow) {
  if (reporting) return;
  const Fault fault = job.strict ? Fault::race : Fault::note;
  bool is_new = false;
  RaceReport* const report = entry_for(key_of(fault, writer.place(), access.origin.place()), is_new);
  if (!report) return;
  count_pair(*report, job.me, writer_pe);
  const AccessSide theirs{writer.word(), writer_pe, 0, shadow.region->owner, is_write | is_flaglike, 0, 1, 0};
  if (is_new) complete(*report, fault, access, theirs, {shadow, 0}, 0);
}

void report_memory(Fault fault, const Access& access, const ShadowAddress& shadow) {
  if (reporting) return;
  bool is_new = false;
  RaceReport* const report = entry_for(key_of(fault, access.origin.place(), 0), is_new);
  if (!report) return;
  count_pair(*report, job.me, shadow.region->owner);
  if (!is_new) return;
  reporting = true;
  const Inside inside;
  report->fault = fault;
  report->symmetric = report->in_heap = 1;
  report->owner = shadow.region->owner;
  report->finder = report->other = job.me;
  report->mine = side_of(access.lane, access.origin, access.kind, report->owner);
  report->offset = shadow.offset;
  add_block(*report, shadow);
  if (const auto block = interpose::block_near(job.heap_begin + shadow.region->first + shadow.offset);
      block && fault == Fault::freed)
    report->learned = block->freed;
  publish(*report);
  reporting = false;
}

}  // namespace atrium::race
