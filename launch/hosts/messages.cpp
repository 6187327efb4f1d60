// Encodes and decodes each message field by field, in the order of its structure.
// SPDX-License-Identifier: BSD-3-Clause
#include "launch/hosts/messages.hpp"

#include <algorithm>

namespace atrium {
namespace {

constexpr const char* protocol = "8";

constexpr uint64_t most_numbers = uint64_t{1} << 22;  // PEs

// Runs of numbers that stay the same, or grow by one: the nodes of PEs that are dealt to them one after the other, or in turns.
struct Run {
  uint64_t begin, step, length;
  bool operator==(const Run&) const = default;
};

std::vector<Run> runs_of(const std::vector<int>& numbers) {
  std::vector<Run> runs;
  for (const int each : numbers) {
    const auto number = static_cast<uint64_t>(each);
    if (!runs.empty() && runs.back().length == 1 && number - runs.back().begin <= 1)
      runs.back().step = number - runs.back().begin;
    if (!runs.empty() && number == runs.back().begin + runs.back().step * runs.back().length)
      ++runs.back().length;
    else
      runs.push_back({number, 0, 1});
  }
  return runs;
}

void write_ranges(FrameWriter& frame, const std::vector<int>& numbers) {
  const std::vector<Run> runs = runs_of(numbers);
  frame.number(runs.size());
  for (const Run& run : runs) frame.number(run.begin).number(run.step).number(run.length);
}

// There is one way to write each list.
std::vector<int> read_ranges(FrameReader& frame) {
  std::vector<Run> runs;
  std::vector<int> numbers;
  for (uint64_t left = frame.number(); left > 0 && frame.ok(); --left) {
    const Run run{frame.number(), frame.number(), frame.number()};
    if (run.begin > most_numbers || run.step > 1 || run.length > most_numbers - numbers.size())
      return frame.refuse(), numbers;
    for (uint64_t i = 0; i < run.length; ++i) numbers.push_back(static_cast<int>(run.begin + run.step * i));
    runs.push_back(run);
  }
  if (runs != runs_of(numbers)) frame.refuse();
  return numbers;
}

// Nodes are numbered from 0, and each has a PE.
bool is_dealt(const Order& order) {
  std::vector<bool> has_pe(order.node_of.size());
  for (const int node : order.node_of) {
    if (node < 0 || static_cast<size_t>(node) >= has_pe.size()) return false;
    has_pe[static_cast<size_t>(node)] = true;
  }
  const size_t nodes = static_cast<size_t>(std::count(has_pe.begin(), has_pe.end(), true));
  return !order.hosts.empty() &&
         std::all_of(order.hosts.begin(), order.hosts.end(),
                     [nodes](const HostPart& host) {
                       return host.node >= -1 && host.node < static_cast<int>(nodes);
                     }) &&
         std::find(has_pe.begin(), has_pe.end(), false) - has_pe.begin() == static_cast<ptrdiff_t>(nodes);
}

PeState read_state(FrameReader& frame) {
  const uint64_t state = frame.number();
  if (state > static_cast<uint64_t>(PeState::explained)) frame.refuse();
  return static_cast<PeState>(state);
}

char read_letter(FrameReader& frame) {
  const uint64_t letter = frame.number();
  if (letter > 127) frame.refuse();
  return static_cast<char>(letter);
}

PeSample read_sample(FrameReader& frame) {
  PeSample sample{};
  sample.pe = frame.integer();
  sample.pid = frame.integer();
  sample.running = frame.number() != 0;
  sample.state = read_state(frame);
  sample.process = read_letter(frame);
  if (frame.number() == 0) return sample;
  sample.wait.emplace();
  sample.wait->what = frame.text();
  sample.wait->seconds = frame.number();
  sample.wait->for_all = frame.number() != 0;
  sample.wait->pe = frame.integer();
  return sample;
}

void read(HostMessage kind, FrameReader& frame) {
  switch (kind) {
    case HostMessage::end:
    case HostMessage::hurry:
    case HostMessage::exits:
    case HostMessage::ping:
    case HostMessage::ask_waits:
    case HostMessage::ask_places:
    case HostMessage::use:
    case HostMessage::over:
    case HostMessage::input_taken:
    case HostMessage::input_unwanted:
    case HostMessage::pong:
      return;
    case HostMessage::signal:
    case HostMessage::prepared:
    case HostMessage::sample:
    case HostMessage::sweep:
    case HostMessage::mute:
    case HostMessage::exit_request:
      return void(frame.integer());
    case HostMessage::input:
    case HostMessage::verbose:
    case HostMessage::note:
      return frame.skip_text();
    case HostMessage::output:
      frame.integer(), frame.number();
      return frame.skip_text();
    case HostMessage::contributions:
      frame.integer();
      return void(read_blobs(frame));
    case HostMessage::waits:
      return void(read_waits(frame));
    case HostMessage::places:
      return void(read_places(frame));
    case HostMessage::silence:
      return void(read_silent(frame));
    case HostMessage::deliver:
      return void(read_blobs(frame));
    case HostMessage::caller:
      return void(frame.texts());
    case HostMessage::subtree:
      return void(read_subtree(frame));
    case HostMessage::start:
      return void(read_order(frame));
    case HostMessage::hello:
      frame.integer(), read_hello(frame);
      return;
    case HostMessage::unreached:
      return void(read_host_range(frame));
    case HostMessage::pe_end:
    case HostMessage::program_end:
      return void(read_ended(frame));
    case HostMessage::failure:
      frame.integer(), read_error(frame), frame.integer();
      return;
    case HostMessage::samples:
      return void(read_samples(frame));
  }
  frame.refuse();
}

}  // namespace

bool is_message(HostMessage kind, FrameReader frame) {
  read(kind, frame);
  return frame.ok() && frame.at_end();
}

std::string agent_version() { return std::string(ATRIUM_VERSION) + "/" + protocol; }

FrameWriter frame(HostMessage kind) { return FrameWriter(static_cast<uint8_t>(kind)); }

FrameWriter frame_of(size_t place, const Hello& hello) {
  return frame(HostMessage::hello)
      .number(place)
      .text(hello.host)
      .number(static_cast<uint64_t>(hello.cpus))
      .texts(hello.networks);
}

Hello read_hello(FrameReader& frame) {
  Hello hello;
  hello.host = frame.text();
  hello.cpus = frame.integer();
  if (hello.cpus < 1) frame.refuse();
  hello.networks = frame.texts();
  return hello;
}

FrameWriter frame_of(const Subtree& subtree) {
  return frame(HostMessage::subtree)
      .texts(subtree.hosts)
      .texts(subtree.variables)
      .text(subtree.agent)
      .text(subtree.remote_oshrun)
      .number(static_cast<uint64_t>(subtree.width));
}

Subtree read_subtree(FrameReader& frame) {
  Subtree subtree;
  subtree.hosts = frame.texts();
  subtree.variables = frame.texts();
  subtree.agent = frame.text();
  subtree.remote_oshrun = frame.text();
  subtree.width = frame.integer();
  if (subtree.hosts.empty() || subtree.width < 1) frame.refuse();
  return subtree;
}

FrameWriter frame_of(const HostRange& unreached) {
  return frame(HostMessage::unreached).number(unreached.first).number(unreached.count);
}

// Not the agent's own host, which is the first.
HostRange read_host_range(FrameReader& frame) {
  const int first = frame.integer(), count = frame.integer();
  if (first < 1 || count < 1) frame.refuse();
  return {static_cast<size_t>(first), static_cast<size_t>(count)};
}

FrameWriter frame_of(const Order& order) {
  FrameWriter result = frame(HostMessage::start);
  result.texts(order.words).texts(order.variables).text(order.directory);
  write_ranges(result, order.node_of);
  result.number(order.hosts.size());
  for (const HostPart& host : order.hosts)
    result.text(host.name).text(host.interface).number(static_cast<uint64_t>(host.node));
  return result;
}

Order read_order(FrameReader& frame) {
  Order order;
  order.words = frame.texts();
  order.variables = frame.texts();
  order.directory = frame.text();
  order.node_of = read_ranges(frame);
  for (uint64_t left = frame.number(); left > 0 && frame.ok(); --left) {
    HostPart host;
    host.name = frame.text();
    host.interface = frame.text();
    host.node = frame.integer();
    order.hosts.push_back(std::move(host));
  }
  if (!is_dealt(order)) frame.refuse();
  return order;
}

FrameWriter frame_of(HostMessage kind, const EndedPe& ended) {
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
  ended.state = read_state(frame);
  return ended;
}

FrameWriter frame_of(int status, const Error& error) {
  return frame(HostMessage::failure)
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

FrameWriter frame_of(const SilentPeer& silent) {
  return frame(HostMessage::silence)
      .number(static_cast<uint64_t>(silent.pe))
      .text(silent.host)
      .number(static_cast<uint64_t>(silent.silent_pe));
}

SilentPeer read_silent(FrameReader& frame) {
  SilentPeer silent;
  silent.pe = frame.integer();
  silent.host = frame.text();
  silent.silent_pe = frame.integer();
  return silent;
}

FrameWriter frame_of(const std::vector<PeSample>& samples) {
  FrameWriter result = frame(HostMessage::samples);
  result.number(samples.size());
  for (const PeSample& sample : samples) {
    result.number(static_cast<uint64_t>(sample.pe))
        .number(static_cast<uint64_t>(sample.pid))
        .number(sample.running);
    result.number(static_cast<uint64_t>(sample.state)).number(static_cast<uint64_t>(sample.process));
    result.number(sample.wait.has_value());
    if (!sample.wait) continue;
    result.text(sample.wait->what).number(sample.wait->seconds).number(sample.wait->for_all);
    result.number(static_cast<uint64_t>(sample.wait->pe));
  }
  return result;
}

std::vector<PeSample> read_samples(FrameReader& frame) {
  std::vector<PeSample> samples;
  for (uint64_t left = frame.number(); left > 0 && frame.ok(); --left) samples.push_back(read_sample(frame));
  return samples;
}

}  // namespace atrium
