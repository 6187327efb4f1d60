// What comes down the stream between oshrun and an agent: any bytes, in pieces of any size. Frames that pass for messages are read
// as what they say they are; what is written of that is the same message again.
// SPDX-License-Identifier: BSD-3-Clause
#include "input.hpp"
#include "launch/hosts/messages.hpp"

using namespace atrium;

namespace {

// The payload as this side would have sent it; empty: a kind that has no structure.
std::string written_again(HostMessage kind, FrameReader frame) {
  switch (kind) {
    case HostMessage::start:
      return frame_of(read_order(frame)).bytes();
    case HostMessage::hello: {
      const auto place = static_cast<size_t>(frame.integer());
      return frame_of(place, read_hello(frame)).bytes();
    }
    case HostMessage::subtree:
      return frame_of(read_subtree(frame)).bytes();
    case HostMessage::unreached:
      return frame_of(read_host_range(frame)).bytes();
    case HostMessage::contributions: {
      const auto nodes = static_cast<size_t>(frame.integer());
      return frame_of(nodes, read_blobs(frame)).bytes();
    }
    case HostMessage::pe_end:
    case HostMessage::program_end:
      return frame_of(kind, read_ended(frame)).bytes();
    case HostMessage::silence:
      return frame_of(read_silent(frame)).bytes();
    case HostMessage::samples:
      return frame_of(read_samples(frame)).bytes();
    case HostMessage::waits:
      return frame_of(read_waits(frame)).bytes();
    case HostMessage::places:
      return frame_of(read_places(frame)).bytes();
    case HostMessage::deliver:
      return frame_of(read_blobs(frame)).bytes();
    case HostMessage::caller:
      return atrium::frame(kind).texts(frame.texts()).bytes();
    default:
      return {};
  }
}

void check(HostMessage kind, std::string_view payload) {
  if (!is_message(kind, FrameReader(payload))) return;
  const std::string again = written_again(kind, FrameReader(payload));
  if (again.empty()) return;
  MUST(is_message(kind, FrameReader(std::string_view(again).substr(frame_head_bytes))), "it is one again");
  MUST(again.size() - frame_head_bytes == payload.size(), "nothing was left unread");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Input input(data, size);
  const size_t piece = 1 + static_cast<size_t>(input.up_to(40));
  FrameParser parser;
  size_t taken = 0;
  for (std::string_view rest = input.rest(); !rest.empty();
       rest.remove_prefix(std::min(piece, rest.size()))) {
    parser.add(rest.substr(0, piece));
    std::uint8_t kind = 0;
    std::string_view payload;
    while (parser.next(kind, payload)) {
      taken += frame_head_bytes + payload.size();
      check(static_cast<HostMessage>(kind), payload);
    }
    MUST(!parser.is_broken() || !parser.next(kind, payload), "nothing comes behind nonsense");
  }
  MUST(taken <= input.left(), "frames consist of what has come");
  return 0;
}
