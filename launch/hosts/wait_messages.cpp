// How agents report waits: each sample has the numbers, which are judged, and the words are sent once.
// SPDX-License-Identifier: BSD-3-Clause
#include <cstring>

#include "launch/hosts/messages.hpp"

namespace atrium {
namespace {

uint64_t unsigned_of(int number) { return static_cast<uint64_t>(number); }

template <size_t N>
void read_text(FrameReader& frame, char (&text)[N]) {
  const std::string value = frame.text();
  if (value.size() >= N || value.find('\0') != std::string::npos) return frame.refuse();
  std::memcpy(text, value.c_str(), value.size() + 1);
}

void write(FrameWriter& frame, const WaitDetails& wait) {
  frame.number(wait.kind).number(wait.for_all).number(unsigned_of(wait.pe)).number(wait.width);
  frame.number(wait.wanted).text(wait.comparison);
  frame.number(unsigned_of(wait.team_first)).number(static_cast<uint64_t>(wait.team_place));
  frame.text(wait.team_name).text(wait.members);
}

WaitDetails read_details(FrameReader& frame) {
  WaitDetails wait{};
  const uint64_t kind = frame.number();
  if (kind > static_cast<uint64_t>(WaitKind::other)) frame.refuse();
  wait.kind = static_cast<uint32_t>(kind);
  wait.for_all = frame.number() != 0;
  wait.pe = frame.integer();
  const uint64_t width = frame.number();
  if (width > sizeof(uint64_t)) frame.refuse();
  wait.width = static_cast<uint32_t>(width);
  wait.wanted = frame.number();
  read_text(frame, wait.comparison);
  wait.team_first = frame.integer();
  wait.team_place = static_cast<int64_t>(frame.number());
  read_text(frame, wait.team_name);
  read_text(frame, wait.members);
  return wait;
}

PlacedWait read_placed(FrameReader& frame) {
  PlacedWait wait{};
  wait.pe = frame.integer();
  wait.since_ns = frame.number();
  wait.details = read_details(frame);
  wait.place.routine = frame.text();
  wait.place.place = frame.text();
  wait.place.variable = frame.text();
  wait.place.block = frame.text();
  return wait;
}

PublishedWait read_wait(FrameReader& frame) {
  PublishedWait wait;
  wait.stands = true;
  wait.since_ns = frame.number();
  wait.waited_ns = frame.number();
  wait.changes = frame.number();
  wait.looks = frame.number();
  wait.seen = frame.number();
  wait.waiting = static_cast<uint32_t>(frame.number());
  wait.polls = frame.number() != 0;
  return wait;
}

}  // namespace

FrameWriter frame_of(const WaitSample& sample) {
  FrameWriter result = frame(HostMessage::waits);
  result.number(sample.all_wait).number(sample.begun).number(sample.ended).number(sample.waits.size());
  for (const auto& [pe, wait] : sample.waits) {
    result.number(unsigned_of(pe)).number(wait.since_ns).number(wait.waited_ns).number(wait.changes);
    result.number(wait.looks).number(wait.seen).number(wait.waiting).number(wait.polls);
  }
  return result;
}

WaitSample read_waits(FrameReader& frame) {
  WaitSample sample;
  sample.all_wait = frame.number() != 0;
  sample.begun = frame.number();
  sample.ended = frame.number();
  for (uint64_t left = frame.number(); left > 0 && frame.ok(); --left) {
    const int pe = frame.integer();
    if (!sample.waits.emplace(pe, read_wait(frame)).second) frame.refuse();  // reported twice
  }
  return sample;
}

FrameWriter frame_of(const std::vector<PlacedWait>& placed) {
  FrameWriter result = frame(HostMessage::places);
  result.number(placed.size());
  for (const PlacedWait& wait : placed) {
    result.number(unsigned_of(wait.pe)).number(wait.since_ns);
    write(result, wait.details);
    result.text(wait.place.routine).text(wait.place.place).text(wait.place.variable).text(wait.place.block);
  }
  return result;
}

std::vector<PlacedWait> read_places(FrameReader& frame) {
  std::vector<PlacedWait> placed;
  for (uint64_t left = frame.number(); left > 0 && frame.ok(); --left) placed.push_back(read_placed(frame));
  return placed;
}

}  // namespace atrium
