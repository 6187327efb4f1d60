// The names and the frames of the engine over the kernel's TCP, without a socket.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "engine/tcp/frame_reader.hpp"
#include "kernel_tcp_net.hpp"

namespace atrium {
namespace {

TEST(TcpNameTest, a_name_says_where_and_whom_in_few_bytes) {
  for (const char* address : {"10.1.2.3:4711", "127.0.0.1:1", "fe80::1:65535", "2001:db8::7:80"}) {
    const TcpName name{address, 0x0123456789abcdef};
    const auto again = unpack_tcp_name(pack(name));
    ASSERT_TRUE(again);
    EXPECT_EQ(again->address, address);
    EXPECT_EQ(again->token, name.token);
    EXPECT_LE(pack(name).size(), longest_tcp_name);
  }
}

// A stream of frames in pieces of every size, some of which are received where they go.
class Pieces : public TcpFrameSink {
 public:
  explicit Pieces(uint64_t seed) : random_(seed) {}
  TcpDestination begin_frame(const TcpFrame& frame) override {
    using Verdict = TcpDestination::Verdict;
    if (frame.kind == TcpFrameKind::message && may_wait_ && random_() % 4 == 0) return {Verdict::wait};
    if (frame.kind == TcpFrameKind::write) return {Verdict::skip};
    room_.assign(frame.data_bytes(), '?');
    return {Verdict::take, room_.data()};
  }
  void end_frame(const TcpFrame& frame) override {
    seen.push_back(header(frame.kind, frame.bytes) +
                   (frame.kind == TcpFrameKind::write ? std::string() : room_));
  }

  void feed(const std::string& stream) {
    for (size_t at = 0; at < stream.size();) {
      while (reader_.is_paused()) {
        ASSERT_TRUE(reader_.resume(*this));
      }
      const size_t piece = std::min<size_t>(stream.size() - at, 1 + random_() % (random_() % 3 ? 30 : 300));
      const std::span<char> direct = reader_.direct();
      const size_t there = std::min(piece, direct.size());
      std::copy_n(stream.data() + at, there, direct.data());
      const std::string staged = reader_.kept() + stream.substr(at + there, piece - there);
      reader_.received_directly(there, *this);
      ASSERT_TRUE(reader_.take(staged.data(), staged.size(), *this));
      at += piece;
    }
    may_wait_ = false;
    if (reader_.is_paused()) {
      ASSERT_TRUE(reader_.resume(*this));
    }
  }
  std::vector<std::string> seen;

 private:
  std::mt19937_64 random_;
  TcpFrameReader reader_;
  std::string room_;
  bool may_wait_ = true;
};

TEST(TcpFrameReaderTest, frames_come_whole_whatever_the_pieces) {
  for (uint64_t seed = 1; seed <= 300; ++seed) {
    std::mt19937_64 random(seed);
    std::string stream;
    std::vector<std::string> expected;
    for (int i = 0; i < 40; ++i) {
      const auto kind = static_cast<TcpFrameKind>(4 + random() % 5);
      const size_t bytes = random() % 3 ? random() % 100 : 0;
      const std::string text(kind == TcpFrameKind::read ? 0 : bytes, static_cast<char>('a' + i % 26));
      stream += header(kind, bytes) + text;
      expected.push_back(header(kind, bytes) + (kind == TcpFrameKind::write ? std::string() : text));
    }
    Pieces pieces(seed);
    pieces.feed(stream);
    ASSERT_EQ(pieces.seen, expected) << "seed " << seed;
  }
}

}  // namespace
}  // namespace atrium
