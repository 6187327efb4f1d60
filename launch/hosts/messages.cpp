// Encodes and decodes messages by the lists of the fields of their structures.
// SPDX-License-Identifier: BSD-3-Clause
#include "launch/hosts/messages.hpp"

#include <algorithm>

#include "launch/io/fields.hpp"

namespace atrium {

template <>
constexpr auto fields<Hello> = std::tuple{&Hello::host, &Hello::cpus, &Hello::networks};
template <>
constexpr auto fields<Subtree> = std::tuple{&Subtree::hosts, &Subtree::variables, &Subtree::agent,
                                            &Subtree::remote_oshrun, &Subtree::width};
template <>
constexpr auto fields<HostRange> = std::tuple{&HostRange::first, &HostRange::count};
template <>
constexpr auto fields<HostPart> = std::tuple{&HostPart::name, &HostPart::interface, &HostPart::node};
template <>
constexpr auto fields<Ending> = std::tuple{&Ending::by_signal, &Ending::code};
template <>
constexpr auto fields<EndedPe> =
    std::tuple{&EndedPe::pe, &EndedPe::pid, &EndedPe::ending, &EndedPe::state, &EndedPe::faults};
template <>
constexpr auto fields<Error> = std::tuple{&Error::what, &Error::because, &Error::during, &Error::remedy};
template <>
constexpr auto fields<SilentPeer> = std::tuple{&SilentPeer::pe, &SilentPeer::host, &SilentPeer::silent_pe};
template <>
constexpr auto fields<PeSample::Wait> = std::tuple{&PeSample::Wait::what, &PeSample::Wait::seconds,
                                                   &PeSample::Wait::for_all, &PeSample::Wait::pe};
template <>
constexpr auto fields<PeSample> = std::tuple{&PeSample::pe,    &PeSample::pid,     &PeSample::running,
                                             &PeSample::state, &PeSample::process, &PeSample::wait};
// The numbers, which are judged. The words are sent once, with the places.
template <>
constexpr auto fields<PublishedWait> = std::tuple{
    &PublishedWait::since_ns, &PublishedWait::waited_ns, &PublishedWait::changes, &PublishedWait::looks,
    &PublishedWait::seen,     &PublishedWait::waiting,   &PublishedWait::polls};
template <>
constexpr auto fields<WaitSample> =
    std::tuple{&WaitSample::all_wait, &WaitSample::begun, &WaitSample::ended, &WaitSample::waits};
// Without addresses, which mean nothing elsewhere.
template <>
constexpr auto fields<WaitDetails> = std::tuple{
    &WaitDetails::kind,      &WaitDetails::for_all,    &WaitDetails::pe,         &WaitDetails::width,
    &WaitDetails::wanted,    &WaitDetails::comparison, &WaitDetails::team_first, &WaitDetails::team_place,
    &WaitDetails::team_name, &WaitDetails::members};
template <>
constexpr auto fields<WaitPlace> =
    std::tuple{&WaitPlace::routine, &WaitPlace::place, &WaitPlace::variable, &WaitPlace::block};
template <>
constexpr auto fields<PlacedWait> =
    std::tuple{&PlacedWait::pe, &PlacedWait::since_ns, &PlacedWait::details, &PlacedWait::place};

constexpr uint64_t most_numbers = uint64_t{1} << 22;  // PEs
constexpr int most_status = 255;                      // of a process: a larger one would be cut, perhaps to 0

static bool is_sound(const Hello& hello) { return hello.cpus >= 1; }
static bool is_sound(const Subtree& subtree) { return !subtree.hosts.empty() && subtree.width >= 1; }
// Not the agent's own host, which is the first.
static bool is_sound(const HostRange& range) {
  return range.first >= 1 && range.count >= 1 && range.first <= most_numbers && range.count <= most_numbers;
}
static bool is_sound(const Ending& ending) { return ending.code >= 0 && ending.code <= most_status; }
static bool is_sound(const EndedPe& ended) {
  return ended.state <= PeState::explained && ended.faults <= FaultWatch::begun;
}
static bool is_sound(const PeSample& sample) { return sample.state <= PeState::explained; }
static bool is_sound(const WaitDetails& wait) {
  return wait.kind <= static_cast<uint32_t>(WaitKind::other) && wait.width <= sizeof(uint64_t);
}

namespace {

constexpr const char* protocol = "9";

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

void skip_status(FrameReader& frame, int least) {
  const int status = frame.integer();
  if (status < least || status > most_status) frame.refuse();
}

template <class... Parts>
FrameWriter frame_with(HostMessage kind, const Parts&... parts) {
  FrameWriter result = frame(kind);
  (put(result, parts), ...);
  return result;
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
      return void(frame.integer());
    case HostMessage::exit_request:
      return skip_status(frame, 0);
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
      skip_status(frame, 1), read_error(frame), frame.integer();
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

FrameWriter frame_of(HostMessage kind, const EndedPe& ended) { return frame_with(kind, ended); }
FrameWriter frame_of(size_t place, const Hello& hello) {
  return frame_with(HostMessage::hello, place, hello);
}
FrameWriter frame_of(const Subtree& subtree) { return frame_with(HostMessage::subtree, subtree); }
FrameWriter frame_of(const HostRange& unreached) { return frame_with(HostMessage::unreached, unreached); }
FrameWriter frame_of(int status, const Error& error) {
  return frame_with(HostMessage::failure, status, error);
}
FrameWriter frame_of(const SilentPeer& silent) { return frame_with(HostMessage::silence, silent); }
FrameWriter frame_of(const std::vector<PeSample>& samples) {
  return frame_with(HostMessage::samples, samples);
}
FrameWriter frame_of(const WaitSample& sample) { return frame_with(HostMessage::waits, sample); }
FrameWriter frame_of(const std::vector<PlacedWait>& placed) {
  return frame_with(HostMessage::places, placed);
}

Hello read_hello(FrameReader& frame) { return taken<Hello>(frame); }
Subtree read_subtree(FrameReader& frame) { return taken<Subtree>(frame); }
HostRange read_host_range(FrameReader& frame) { return taken<HostRange>(frame); }
EndedPe read_ended(FrameReader& frame) { return taken<EndedPe>(frame); }
Error read_error(FrameReader& frame) { return taken<Error>(frame); }
SilentPeer read_silent(FrameReader& frame) { return taken<SilentPeer>(frame); }
std::vector<PeSample> read_samples(FrameReader& frame) { return taken<std::vector<PeSample>>(frame); }
WaitSample read_waits(FrameReader& frame) { return taken<WaitSample>(frame); }
std::vector<PlacedWait> read_places(FrameReader& frame) { return taken<std::vector<PlacedWait>>(frame); }

FrameWriter frame_of(const Order& order) {
  FrameWriter result = frame_with(HostMessage::start, order.words, order.variables, order.directory);
  write_ranges(result, order.node_of);
  put(result, order.hosts);
  return result;
}

Order read_order(FrameReader& frame) {
  Order order;
  take(frame, order.words), take(frame, order.variables), take(frame, order.directory);
  order.node_of = read_ranges(frame);
  take(frame, order.hosts);
  if (!is_dealt(order)) frame.refuse();
  return order;
}

}  // namespace atrium
