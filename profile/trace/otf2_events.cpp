// Keeps a stack of the open regions, and closes those that end before the next one begins.
// SPDX-License-Identifier: BSD-3-Clause
#include "profile/trace/otf2_events.hpp"

#include <utility>

namespace atrium::profile {
namespace {

using Family = Otf2Routine::Family;
constexpr OTF2_RmaWinRef world = 0;

OTF2_AttributeRef number(Otf2Attribute attribute) { return static_cast<OTF2_AttributeRef>(attribute); }

struct Moved {
  uint64_t sent = 0, received = 0;
};
Moved moved_by(Otf2Routine::Flow flow, const Event& event, int pe, const Otf2Teams::Collective& whole) {
  switch (flow) {
    case Otf2Routine::Flow::mine:
      return {event.bytes, event.bytes};
    case Otf2Routine::Flow::everybodys:
      return {event.bytes, whole.bytes};
    case Otf2Routine::Flow::from_root:
      return event.pe == pe ? Moved{event.bytes, 0} : Moved{0, whole.bytes};  // the others give none
    case Otf2Routine::Flow::nothing:
      break;
  }
  return {};
}

}  // namespace

Otf2Events::Otf2Events(Otf2Trace& trace, OTF2_EvtWriter* writer)
    : trace_(trace), otf2_(trace.otf2), writer_(writer), attributes_(otf2_.AttributeList_New()) {}

Otf2Events::~Otf2Events() { otf2_.AttributeList_Delete(attributes_); }

void Otf2Events::add(const Happening& one) {
  if (!good_) return;
  close_until(one.begin);
  Open entered{one,
               one.is_region() ? trace_.names.region(one.name) : trace_.names.routine(one.routine, one.name),
               one.is_region() ? Otf2Routine{} : otf2_routine(one.routine)};
  enter(entered);
  stack_.push_back(entered);
}

void Otf2Events::close_until(uint64_t ticks) {
  while (!stack_.empty() && stack_.back().one.end <= ticks) {
    leave(stack_.back());
    stack_.pop_back();
  }
}

void Otf2Events::enter(Open& entered) {
  const uint64_t ns = trace_.line.ns(entered.one.begin);
  if (const SourcePlace* const place = entered.one.place) {
    const Otf2Names::Line& line = trace_.names.line(*place);
    check(otf2_.AttributeList_AddStringRef(attributes_, number(Otf2Attribute::called_from), line.text));
    if (line.source != OTF2_UNDEFINED_SOURCE_CODE_LOCATION)
      check(otf2_.AttributeList_AddSourceCodeLocationRef(attributes_, number(Otf2Attribute::source_line),
                                                         line.source));
  }
  check(otf2_.EvtWriter_Enter(writer_, attributes_, ns, entered.region));
  begin_operation(entered, ns);
  begin_collective(entered, ns);
}

void Otf2Events::leave(const Open& left) {
  const uint64_t ns = trace_.line.ns(left.one.end);
  if (left.one.unfinished)
    check(otf2_.AttributeList_AddStringRef(attributes_, number(Otf2Attribute::unfinished),
                                           trace_.names.text(trace_.line.ending_of(left.one.pe))));
  else
    complete(left, ns);
  check(otf2_.EvtWriter_Leave(writer_, attributes_, ns, left.region));
}

void Otf2Events::complete(const Open& left, uint64_t ns) {
  end_operation(left, ns);
  end_collective(left, ns);
  if (left.routine.family == Family::wait) {
    check(otf2_.EvtWriter_RmaWaitChange(writer_, nullptr, ns, world));
    say_who_ended(left.one);
  }
  complete_pending(left.routine, ns);
}

void Otf2Events::begin_operation(Open& entered, uint64_t ns) {
  const Happening& one = entered.one;
  if (one.other < 0 || one.other >= trace_.line.pes()) return;
  const Otf2Routine& routine = entered.routine;
  const auto remote = static_cast<uint32_t>(one.other);
  const uint64_t operation = ++operations_;
  if (routine.family == Family::put)
    check(otf2_.EvtWriter_RmaPut(writer_, nullptr, ns, world, remote, one.bytes, operation));
  else if (routine.family == Family::get)
    check(otf2_.EvtWriter_RmaGet(writer_, nullptr, ns, world, remote, one.bytes, operation));
  else if (routine.family == Family::atomic)
    check(otf2_.EvtWriter_RmaAtomic(writer_, nullptr, ns, world, remote, routine.atomic,
                                    routine.sends ? one.bytes : 0, routine.receives ? one.bytes : 0,
                                    operation));
  else
    return;
  entered.operation = operation;
}

void Otf2Events::end_operation(const Open& left, uint64_t ns) {
  if (left.operation == 0) return;
  if (left.routine.non_blocking)
    pending_[left.routine.on_context].push_back(left.operation);
  else
    check(otf2_.EvtWriter_RmaOpCompleteBlocking(writer_, nullptr, ns, world, left.operation));
}

// The context is not recorded: a quiet on one context of the program ends the operations of all.
void Otf2Events::complete_pending(const Otf2Routine& routine, uint64_t ns) {
  if (routine.completes == Otf2Routine::Completes::nothing) return;
  for (const bool on_context : {false, true}) {
    if (routine.completes == Otf2Routine::Completes::its_context && on_context != routine.on_context)
      continue;
    for (const uint64_t operation : std::exchange(pending_[on_context], {}))
      check(otf2_.EvtWriter_RmaOpCompleteNonBlocking(writer_, nullptr, ns, world, operation));
  }
}

void Otf2Events::begin_collective(const Open& entered, uint64_t ns) {
  if (trace_.teams.find(entered.one)) check(otf2_.EvtWriter_RmaCollectiveBegin(writer_, nullptr, ns));
}

void Otf2Events::end_collective(const Open& left, uint64_t ns) {
  const Otf2Teams::Collective* const whole = trace_.teams.find(left.one);
  if (!whole) return;
  const bool stores_too = left.routine.completes != Otf2Routine::Completes::nothing;
  const Moved moved = moved_by(left.routine.flow, *left.one.event, left.one.pe, *whole);
  const auto level = static_cast<OTF2_RmaSyncLevel>(
      OTF2_RMA_SYNC_LEVEL_PROCESS | (stores_too ? OTF2_RMA_SYNC_LEVEL_MEMORY : OTF2_RMA_SYNC_LEVEL_NONE));
  check(otf2_.EvtWriter_RmaCollectiveEnd(writer_, nullptr, ns, left.routine.collective, level, whole->team,
                                         whole->root, moved.sent, moved.received));
}

void Otf2Events::say_who_ended(const Happening& wait) {
  const auto found = trace_.ended_by.find(wait.event);
  if (found == trace_.ended_by.end()) return;
  const Flow& flow = *found->second;
  const Happening store = trace_.line.read(flow.from_pe, *flow.store);
  const std::string text = std::string(store.name) + " at " + store.place->text();
  check(otf2_.AttributeList_AddUint32(attributes_, number(Otf2Attribute::ended_by_pe),
                                      static_cast<uint32_t>(flow.from_pe)));
  check(otf2_.AttributeList_AddStringRef(attributes_, number(Otf2Attribute::ended_by),
                                         trace_.names.text(text)));
}

}  // namespace atrium::profile
