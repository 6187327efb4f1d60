// What oshrun and its agents say to each other, and what they make of anything else.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "launch/hosts/messages.hpp"

namespace atrium {
namespace {

struct Whole {
  HostMessage kind;
  std::string payload;
};

std::vector<Whole> parse(FrameParser& parser) {
  std::vector<Whole> found;
  uint8_t kind = 0;
  std::string_view payload;
  while (parser.next(kind, payload)) found.push_back({static_cast<HostMessage>(kind), std::string(payload)});
  return found;
}

std::string payload_of(FrameWriter frame) { return frame.bytes().substr(frame_head_bytes); }

bool is_message(HostMessage kind, const std::string& payload) {
  return is_message(kind, FrameReader(payload));
}

Order order() { return {{"-n", "3", "prog"}, {"A=b"}, "/tmp", {0, 0, 1}, {{"host", "10.0.0.1", 1}}}; }

PeSample sample() {
  return {4, 77, true, PeState::running, 'S', PeSample::Wait{"a barrier", 12, true, -1}, {}};
}

WaitSample waits() {
  PublishedWait wait;
  wait.since_ns = uint64_t{1} << 40, wait.waited_ns = 7, wait.changes = 1, wait.looks = 5;
  return {true, 12, 12, {{0, wait}, {3, wait}}};
}

PlacedWait placed() {
  PlacedWait wait{3, 99, {}, {"shmem_barrier_all", "heat.c:41 in main", "`flag`", "a block"}, {}};
  wait.details.pe = wait.details.team_first = -1;
  std::strcpy(wait.details.comparison, "==");
  std::strcpy(wait.details.members, "0-3");
  return wait;
}

// One of each that carries something.
std::vector<FrameWriter> examples() {
  const EndedPe ended{2, 4711, {true, 11}, PeState::explained, FaultWatch::begun, {}};
  const Error error{"what", "because", "during", "remedy"};
  return {frame_of(order()),
          frame_of(0, Hello{"host", 4, {"10.0.0.1/24"}}),
          frame_of(HostMessage::pe_end, ended),
          frame_of(HostMessage::program_end, ended),
          frame_of(3, error).number(2),
          frame_of(std::vector<PeSample>{sample(), sample()}),
          frame(HostMessage::output).number(1).number(0).text("words"),
          frame_of(2, NodeBlobs{{1, "blob"}}),
          frame_of(Subtree{{"a", "b"}, {"A=b"}, "ssh", "/oshrun", 32}),
          frame_of(HostRange{1, 1}),
          frame_of(waits()),
          frame_of(std::vector<PlacedWait>{placed(), placed()}),
          frame_of(NodeBlobs{{0, "a"}, {7, "b"}}),
          frame(HostMessage::caller).texts({"10.0.0.1/24"}),
          frame(HostMessage::signal).number(15),
          frame(HostMessage::mute).number(1),
          frame(HostMessage::sample).number(4000),
          frame(HostMessage::verbose).text("words"),
          frame(HostMessage::note).text("words"),
          frame(HostMessage::input).text("")};
}

TEST(Frames, come_out_as_they_went_in_however_the_stream_is_cut) {
  std::string stream;
  for (FrameWriter& each : examples()) stream += each.bytes();
  for (size_t piece : {size_t{1}, size_t{3}, size_t{7}, stream.size()}) {
    FrameParser parser;
    std::string again;
    for (size_t at = 0; at < stream.size(); at += piece) {
      parser.add(std::string_view(stream).substr(at, piece));
      for (const Whole& whole : parse(parser)) {
        EXPECT_TRUE(is_message(whole.kind, whole.payload)) << static_cast<int>(whole.kind);
        const auto length = static_cast<uint32_t>(whole.payload.size());
        again.append(reinterpret_cast<const char*>(&length), 4).append(1, static_cast<char>(whole.kind));
        again += whole.payload;
      }
    }
    EXPECT_EQ(again, stream);
  }
}

TEST(Frames, that_are_cut_off_or_too_long_are_no_messages) {
  for (FrameWriter& each : examples()) {
    const std::string whole = each.bytes();
    const auto kind = static_cast<HostMessage>(whole[4]);
    const std::string payload = whole.substr(frame_head_bytes);
    for (size_t bytes = 0; bytes < payload.size(); ++bytes)
      EXPECT_FALSE(is_message(kind, payload.substr(0, bytes))) << static_cast<int>(kind) << ", " << bytes;
    EXPECT_FALSE(is_message(kind, payload + '\0')) << static_cast<int>(kind);
  }
  EXPECT_FALSE(is_message(HostMessage::ping, "x"));
}

TEST(Frames, of_no_known_kind_are_no_messages) {
  for (int kind : {0, 18, 63, 83, 255}) EXPECT_FALSE(is_message(static_cast<HostMessage>(kind), "")) << kind;
}

TEST(Frames, with_forged_lengths_are_refused_without_being_believed) {
  for (uint64_t forged : {uint64_t{1} << 32, ~uint64_t{0}, uint64_t{1} << 63}) {
    EXPECT_FALSE(is_message(HostMessage::deliver, payload_of(frame(HostMessage::deliver).number(forged))));
    EXPECT_FALSE(is_message(HostMessage::samples, payload_of(frame(HostMessage::samples).number(forged))));
    EXPECT_FALSE(is_message(HostMessage::places, payload_of(frame(HostMessage::places).number(forged))));
    EXPECT_FALSE(
        is_message(HostMessage::waits,
                   payload_of(frame(HostMessage::waits).number(1).number(0).number(0).number(forged))));
    EXPECT_FALSE(is_message(HostMessage::verbose, payload_of(frame(HostMessage::verbose).number(forged))));
    EXPECT_FALSE(is_message(HostMessage::contributions,
                            payload_of(frame(HostMessage::contributions).number(1).number(forged))));
  }
  FrameParser parser;
  parser.add(std::string("\xff\xff\xff\xff\x01", 5));
  EXPECT_TRUE(parse(parser).empty());
  EXPECT_TRUE(parser.is_broken());
  parser.add(frame(HostMessage::ping).bytes());
  EXPECT_TRUE(parse(parser).empty()) << "nothing is found behind it";
}

TEST(Frames, with_numbers_that_no_value_has_are_no_messages) {
  const auto ended = [](uint64_t pe, uint64_t state, uint64_t faults = 2) {
    return payload_of(
        frame(HostMessage::pe_end).number(pe).number(1).number(0).number(0).number(state).number(faults));
  };
  EXPECT_TRUE(is_message(HostMessage::pe_end, ended(0, 3)));
  EXPECT_FALSE(is_message(HostMessage::pe_end, ended(0, 4))) << "no such state";
  EXPECT_FALSE(is_message(HostMessage::pe_end, ended(0, 3, 3))) << "nothing that a handler does";
  EXPECT_FALSE(is_message(HostMessage::pe_end, ended(uint64_t{1} << 31, 0))) << "no PE";
  PlacedWait wrong = placed();
  wrong.details.kind = static_cast<uint32_t>(WaitKind::other) + 1;
  EXPECT_FALSE(is_message(HostMessage::places, payload_of(frame_of(std::vector<PlacedWait>{wrong}))))
      << "no such kind";
  wrong = placed();
  wrong.details.width = 9;
  EXPECT_FALSE(is_message(HostMessage::places, payload_of(frame_of(std::vector<PlacedWait>{wrong}))))
      << "no word";
  EXPECT_FALSE(is_message(HostMessage::hello, payload_of(frame_of(0, Hello{"host", 0, {}})))) << "no CPU";
  EXPECT_FALSE(is_message(
      HostMessage::pe_end,
      payload_of(frame_of(HostMessage::pe_end, {0, 1, {false, 256}, PeState::left, FaultWatch::none, {}}))))
      << "a status that oshrun would return as 0";
  EXPECT_FALSE(
      is_message(HostMessage::exit_request, payload_of(frame(HostMessage::exit_request).number(256))));
  for (const int status : {0, 256})
    EXPECT_FALSE(is_message(HostMessage::failure, payload_of(frame_of(status, Error{"what"}).number(0))))
        << status;
}

TEST(Frames, tell_each_pe_once_and_no_more_words_than_there_is_room_for) {
  std::string twice = payload_of(frame_of(waits()));
  twice[4 * 8 + 8 * 8] = 0;  // the second PE's number
  EXPECT_FALSE(is_message(HostMessage::waits, twice));
  FrameWriter longer = frame(HostMessage::places);
  longer.number(1).number(0).number(0).number(0).number(0).number(0).number(0).number(0).text("====");
  longer.number(0).number(0).text("").text("").text("").text("").text("").text("");
  EXPECT_FALSE(is_message(HostMessage::places, payload_of(longer)));
}

TEST(Frames, bring_waits_as_they_were) {
  const std::string payload = payload_of(frame_of(waits())),
                    words = payload_of(frame_of(std::vector<PlacedWait>{placed()}));
  FrameReader numbers(payload), texts(words);
  const WaitSample sample = read_waits(numbers);
  EXPECT_EQ(sample.waits.at(3).since_ns, uint64_t{1} << 40);
  EXPECT_EQ(sample.waits.at(3).looks, 5u);
  EXPECT_EQ(sample.ended, 12u);
  const PlacedWait wait = read_places(texts).at(0);
  EXPECT_EQ(wait.since_ns, 99u);
  EXPECT_EQ(wait.details.pe, -1);
  EXPECT_STREQ(wait.details.members, "0-3");
  EXPECT_EQ(wait.place.place, "heat.c:41 in main");
}

TEST(Frames, order_only_nodes_that_have_pes) {
  Order wrong = order();
  for (const std::vector<int>& nodes : {std::vector<int>{}, {0, -1}, {0, 2}, {1, 1, 1}, {0, 0, 3}}) {
    wrong.node_of = nodes;
    EXPECT_FALSE(is_message(HostMessage::start, payload_of(frame_of(wrong)))) << nodes.size();
  }
  wrong = order();
  for (int node : {-2, 2}) {
    wrong.hosts[0].node = node;
    EXPECT_FALSE(is_message(HostMessage::start, payload_of(frame_of(wrong)))) << node;
  }
}

// However they are dealt: one host after the other, in turns, or as nobody would.
TEST(Frames, order_the_nodes_of_all_pes_in_few_bytes) {
  std::vector<int> blocks, turns, mixed;
  for (int pe = 0; pe < 64 * 1024; ++pe) blocks.push_back(pe / 64), turns.push_back(pe % 1024);
  for (int pe = 0; pe < 100; ++pe) mixed.push_back(pe * pe % 7);
  for (int node = 0; node < 7; ++node) mixed.push_back(node);
  Order job = order();
  for (const std::vector<int>& nodes : {blocks, turns, mixed}) {
    job.node_of = nodes;
    const std::string payload = payload_of(frame_of(job));
    ASSERT_TRUE(is_message(HostMessage::start, payload));
    FrameReader reader(payload);
    EXPECT_EQ(read_order(reader).node_of, nodes);
  }
  job.node_of = turns;
  EXPECT_LT(payload_of(frame_of(job)).size(), 4096u);
}

TEST(Frames, order_nodes_in_one_way_only) {
  const auto order_of = [](std::initializer_list<uint64_t> runs) {
    FrameWriter result = frame(HostMessage::start);
    result.texts({}).texts({}).text("").number(runs.size() / 3);
    for (const uint64_t number : runs) result.number(number);
    return payload_of(result.number(1).text("host").text("").number(0));
  };
  EXPECT_TRUE(is_message(HostMessage::start, order_of({0, 0, 2})));
  EXPECT_FALSE(is_message(HostMessage::start, order_of({0, 0, 1, 0, 0, 1}))) << "two runs that are one";
  EXPECT_FALSE(is_message(HostMessage::start, order_of({0, 2, 2}))) << "no such step";
  EXPECT_FALSE(is_message(HostMessage::start, order_of({0, 0, 0}))) << "no PE";
  EXPECT_FALSE(is_message(HostMessage::start, order_of({0, 0, uint64_t{1} << 40})))
      << "more PEs than any job has";
  EXPECT_FALSE(is_message(HostMessage::start, order_of({uint64_t{1} << 31, 1, 2}))) << "no node";
}

TEST(Frames, leave_an_agent_its_own_host) {
  EXPECT_FALSE(is_message(HostMessage::unreached, payload_of(frame_of(HostRange{0, 2}))));
  EXPECT_FALSE(is_message(HostMessage::unreached, payload_of(frame_of(HostRange{2, 0}))));
  EXPECT_FALSE(is_message(HostMessage::subtree, payload_of(frame_of(Subtree{{}, {}, "", "", 2}))))
      << "no host";
  EXPECT_FALSE(is_message(HostMessage::subtree, payload_of(frame_of(Subtree{{"a"}, {}, "", "", 0}))))
      << "no width";
}

NodeBlobs again(const NodeBlobs& blobs) {
  const std::string payload = payload_of(frame_of(blobs));
  EXPECT_TRUE(is_message(HostMessage::deliver, payload));
  FrameReader reader(payload);
  return read_blobs(reader);
}

TEST(Frames, carry_what_nodes_tell_as_differences) {
  const NodeBlobs blobs = {{0, ""},
                           {1, "abc"},
                           {2, std::string(4088, 'x')},
                           {3, std::string(4000, 'x') + "end"},
                           {7, std::string(200, '\0')},
                           {8, std::string(100, '\0') + "1" + std::string(99, '\0')},
                           {300, "12"},
                           {301, "123"},
                           {302, "0023"},
                           {(1 << 22) - 1, ""}};
  EXPECT_EQ(again(blobs), blobs);
  EXPECT_EQ(again({}), NodeBlobs());
  NodeBlobs gathered = blobs;
  std::reverse(gathered.begin(), gathered.end());
  EXPECT_EQ(again(gathered), blobs);
  NodeBlobs alike;
  for (int node = 0; node < 1000; ++node)
    alike.emplace_back(node, std::string(800, 'a') + std::to_string(10000 + node));
  EXPECT_LT(payload_of(frame_of(alike)).size(), 14u * 1000 + 1000);
}

TEST(Frames, carry_differences_in_one_way_only) {
  const auto is_delivery = [](std::string_view differences) {
    return is_message(HostMessage::deliver, payload_of(frame(HostMessage::deliver).text(differences)));
  };
  using namespace std::string_view_literals;
  EXPECT_TRUE(is_delivery("\0\2\0\2ab"sv));
  EXPECT_FALSE(is_delivery("\0\2\0\1a"sv)) << "cut off";
  EXPECT_FALSE(is_delivery("\0\2\0\1a\0\1b"sv)) << "two pieces that are one";
  EXPECT_FALSE(is_delivery("\0\2\0\3abc"sv)) << "more than there is";
  EXPECT_FALSE(is_delivery("\0\2\2\0"sv)) << "the same as what nobody has told";
  EXPECT_FALSE(is_delivery("\0\2\0\0\0\2ab"sv)) << "nothing";
  EXPECT_FALSE(is_delivery("\0\x82\0\0\2ab"sv)) << "a longer number than it takes";
  EXPECT_FALSE(is_delivery("\0\xf9\x1f\0\xf9\x1f"sv)) << "longer than a blob";
  EXPECT_FALSE(is_delivery("\xff\xff\xff\xff\xff\0"sv)) << "no node";
}

}  // namespace
}  // namespace atrium
