// Field after field, in the order of the structures.
// SPDX-License-Identifier: BSD-3-Clause
#include "launch/hosts/messages.hpp"

namespace atrium {
namespace {

constexpr const char* protocol = "1";

FrameWriter& write(FrameWriter& frame, const std::vector<int>& numbers) {
  frame.number(numbers.size());
  for (int number : numbers) frame.number(static_cast<uint64_t>(number));
  return frame;
}

std::vector<int> read_integers(FrameReader& frame) {
  std::vector<int> numbers;
  for (uint64_t left = frame.number(); left > 0 && frame.ok(); --left) numbers.push_back(frame.integer());
  return numbers;
}

PeLook read_look(FrameReader& frame) {
  PeLook look{};
  look.pe = frame.integer();
  look.pid = frame.integer();
  look.running = frame.number() != 0;
  look.state = static_cast<PeState>(frame.number());
  look.process = static_cast<char>(frame.number());
  if (frame.number() == 0) return look;
  look.wait.emplace();
  look.wait->what = frame.text();
  look.wait->seconds = frame.number();
  look.wait->for_all = frame.number() != 0;
  return look;
}

}  // namespace

std::string agent_version() { return std::string(ATRIUM_VERSION) + "/" + protocol; }

FrameWriter frame(Message kind) { return FrameWriter(static_cast<uint8_t>(kind)); }

FrameWriter frame_of(const Hello& hello) {
  return frame(Message::hello)
      .text(hello.host)
      .number(static_cast<uint64_t>(hello.cpus))
      .texts(hello.networks);
}

Hello read_hello(FrameReader& frame) {
  Hello hello;
  hello.host = frame.text();
  hello.cpus = frame.integer();
  hello.networks = frame.texts();
  return hello;
}

FrameWriter frame_of(const Order& order) {
  FrameWriter result = frame(Message::start);
  result.texts(order.words)
      .texts(order.variables)
      .text(order.directory)
      .text(order.host)
      .text(order.interface);
  return write(result.number(static_cast<uint64_t>(order.node)), order.node_of);
}

Order read_order(FrameReader& frame) {
  Order order;
  order.words = frame.texts();
  order.variables = frame.texts();
  order.directory = frame.text();
  order.host = frame.text();
  order.interface = frame.text();
  order.node = frame.integer();
  order.node_of = read_integers(frame);
  return order;
}

FrameWriter frame_of(Message kind, const EndedPe& ended) {
  return frame(kind)
      .number(static_cast<uint64_t>(ended.pe))
      .number(static_cast<uint64_t>(ended.pid))
      .number(ended.ending.by_signal)
      .number(static_cast<uint64_t>(ended.ending.code))
      .number(static_cast<uint64_t>(ended.state));
}

EndedPe read_ended(FrameReader& frame) {
  EndedPe ended{};
  ended.pe = frame.integer();
  ended.pid = frame.integer();
  ended.ending.by_signal = frame.number() != 0;
  ended.ending.code = frame.integer();
  ended.state = static_cast<PeState>(frame.number());
  return ended;
}

FrameWriter frame_of(int status, const Error& error) {
  return frame(Message::failure)
      .number(static_cast<uint64_t>(status))
      .text(error.what)
      .text(error.because)
      .text(error.during)
      .text(error.remedy);
}

Error read_error(FrameReader& frame) {
  Error error;
  error.what = frame.text();
  error.because = frame.text();
  error.during = frame.text();
  error.remedy = frame.text();
  return error;
}

FrameWriter frame_of(const std::vector<PeLook>& looks) {
  FrameWriter result = frame(Message::looks);
  result.number(looks.size());
  for (const PeLook& look : looks) {
    result.number(static_cast<uint64_t>(look.pe))
        .number(static_cast<uint64_t>(look.pid))
        .number(look.running);
    result.number(static_cast<uint64_t>(look.state)).number(static_cast<uint64_t>(look.process));
    result.number(look.wait.has_value());
    if (look.wait) result.text(look.wait->what).number(look.wait->seconds).number(look.wait->for_all);
  }
  return result;
}

std::vector<PeLook> read_looks(FrameReader& frame) {
  std::vector<PeLook> looks;
  for (uint64_t left = frame.number(); left > 0 && frame.ok(); --left) looks.push_back(read_look(frame));
  return looks;
}

}  // namespace atrium
