// Several engines over the kernel's TCP that send, write and read at random, while each is slow, asleep or without buffers at times.
// SPDX-License-Identifier: BSD-3-Clause
//
// Everything that is posted is recorded here, so that content, order and number of completions can be checked. In some storms an
// engine is polled only when it may not sleep, or when its descriptor is readable: who misses a wake-up stays asleep for ever.
// Other seeds: --gtest_random_seed=N.
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <cstring>
#include <deque>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "engine/tcp/tcp_engine.hpp"

#ifndef GTEST_FLAG_GET  // before GoogleTest 1.12
#define GTEST_FLAG_GET(name) testing::GTEST_FLAG(name)
#endif

namespace atrium {
namespace {

constexpr size_t longest_message = 2000;
constexpr uint64_t region_key = 0x1234567890abcdefULL;
constexpr size_t to_be_read = size_t{1} << 19, slot_bytes = size_t{1} << 18, slots_per_pair = 3;
constexpr size_t engines_at_most = 5;

void fill(char* bytes, size_t count, uint64_t seed) {
  for (size_t i = 0; i < count; ++i) bytes[i] = static_cast<char>((seed + i) * 0x9e3779b97f4a7c15ULL >> 56);
}
bool is_filled(const char* bytes, size_t count, uint64_t seed) {
  std::vector<char> expected(count);
  fill(expected.data(), count, seed);
  return std::equal(expected.begin(), expected.end(), bytes);
}

struct StormWord {                // the beginning of each message
  uint64_t number = 0, seed = 0;  // the upper bits of the seed say who has said it
  size_t slot = 0, written = 0;   // what has been written before it
};

struct StormOperation {
  EngineEvent::Kind ends_as = EngineEvent::Kind::sent;
  std::vector<char> bytes;
  uint64_t seed = 0;
};

class TcpStorm {
 public:
  explicit TcpStorm(uint64_t seed) : random_(seed), sleeps_(chance(2)), is_narrow_(chance(2)) {
    const size_t count = 2 + below(engines_at_most - 1);
    for (size_t i = 0; i < count; ++i) add_engine(count);
    for (StormSide& side : sides_)
      for (StormSide& other : sides_) side.peers.push_back(*side.engine->insert(other.name));
  }

  void blow(size_t operations) {
    for (size_t posted = 0; posted < operations;) {
      StormSide& side = sides_[below(sides_.size())];
      if (chance(3)) side.pause = below(30);
      if (side.operations.size() < 200) begin(side), ++posted;
      turn();
    }
    for (long idle = 0; idle < 200'000 && !is_over(); ++idle) turn();
    for (const StormSide& side : sides_) {
      EXPECT_EQ(side.operations.size(), 0u) << "operations are not over";
      for (size_t from = 0; from < sides_.size(); ++from)
        EXPECT_EQ(side.heard.at(from), sides_[from].said.at(number_of(side)));
    }
  }

 private:
  struct StormSide {
    std::unique_ptr<Engine> engine;
    std::string name;
    std::vector<Peer> peers;
    std::vector<char> region;
    RegionKey key;
    std::map<void*, std::unique_ptr<StormOperation>> operations;
    std::vector<uint64_t> said, heard;  // messages to, and of, each
    std::vector<std::deque<std::unique_ptr<StormOperation>>> unsent;
    std::vector<std::vector<size_t>> free_slots;  // of mine at each target
    std::vector<std::vector<char>> buffers;
    std::vector<std::vector<char>*> unposted;
    size_t pause = 0;
    bool is_touched = false;  // since its last poll
    std::vector<int> narrowed;
  };

  uint64_t below(uint64_t limit) { return random_() % limit; }
  bool chance(uint64_t one_in) { return below(one_in) == 0; }
  size_t number_of(const StormSide& side) const { return static_cast<size_t>(&side - sides_.data()); }
  size_t slot_at(size_t from, size_t slot) const {
    return to_be_read + (from * slots_per_pair + slot) * slot_bytes;
  }

  void add_engine(size_t count) {
    sides_.reserve(count);
    StormSide& side = sides_.emplace_back();
    auto engine = open_kernel_tcp({"", "auto", "lo", longest_message}, "127.0.0.1");
    ASSERT_TRUE(engine);
    side.engine = std::move(*engine);
    side.name = *side.engine->name();
    side.region.resize(to_be_read + count * slots_per_pair * slot_bytes);
    fill(side.region.data(), to_be_read, number_of(side));
    side.key = *side.engine->register_region(side.region.data(), side.region.size(), region_key);
    side.said.resize(count), side.heard.resize(count), side.unsent.resize(count);
    side.free_slots.resize(count);
    for (auto& slots : side.free_slots)
      for (size_t slot = 0; slot < slots_per_pair; ++slot) slots.push_back(slot);
    side.buffers.resize(1 + below(4));
    for (auto& buffer : side.buffers) {
      buffer.resize(longest_message * (1 + below(5)));
      side.unposted.push_back(&buffer);
    }
  }

  size_t any_size(size_t most) { return chance(8) ? below(most) : below(chance(2) ? 100 : 20'000) % most; }

  void begin(StormSide& side) {
    const size_t to = (number_of(side) + 1 + below(sides_.size() - 1)) % sides_.size();
    side.is_touched = true;
    if (chance(3)) return read(side, to);
    StormWord say{side.said[to]++, random_() >> 3 | uint64_t{number_of(side)} << 61, 0, 0};
    if (chance(2) && !side.free_slots[to].empty()) write(side, to, say);
    auto message = std::make_unique<StormOperation>();
    message->bytes.resize(sizeof say + below(chance(2) ? 64 : longest_message - sizeof say));
    std::memcpy(message->bytes.data(), &say, sizeof say);
    fill(message->bytes.data() + sizeof say, message->bytes.size() - sizeof say, say.seed);
    side.unsent[to].push_back(std::move(message));
    send_all(side);
  }

  void read(StormSide& side, size_t from) {
    auto operation = std::make_unique<StormOperation>();
    operation->ends_as = EngineEvent::Kind::read;
    operation->bytes.resize(any_size(to_be_read));
    const size_t place = below(to_be_read - operation->bytes.size());
    operation->seed = from + place;
    const Post post = side.engine->read(side.peers[from], sides_[from].key, place, operation->bytes.data(),
                                        operation->bytes.size(), operation.get());
    posted(side, post, std::move(operation));
  }

  void write(StormSide& side, size_t to, StormWord& say) {
    auto operation = std::make_unique<StormOperation>();
    operation->ends_as = EngineEvent::Kind::written;
    operation->bytes.resize(1 + any_size(slot_bytes - 1));
    fill(operation->bytes.data(), operation->bytes.size(), say.seed);
    const size_t slot = side.free_slots[to].back(), bytes = operation->bytes.size();
    const Post post = side.engine->write(side.peers[to], sides_[to].key, slot_at(number_of(side), slot),
                                         operation->bytes.data(), bytes, operation.get());
    if (!posted(side, post, std::move(operation))) return;
    side.free_slots[to].pop_back();
    say.slot = slot, say.written = bytes;
  }

  bool posted(StormSide& side, Post post, std::unique_ptr<StormOperation> operation) {
    EXPECT_NE(post, Post::failed) << side.engine->last_error().because;
    EXPECT_TRUE(post != Post::done || operation->ends_as == EngineEvent::Kind::sent);
    if (post == Post::taken) side.operations[operation.get()] = std::move(operation);
    return post == Post::taken || post == Post::done;
  }

  void send_all(StormSide& side) {
    for (size_t to = 0; to < sides_.size(); ++to)
      for (auto& unsent = side.unsent[to]; !unsent.empty(); unsent.pop_front()) {
        StormOperation& message = *unsent.front();
        const Post post =
            side.engine->send(side.peers[to], message.bytes.data(), message.bytes.size(), &message);
        if (post == Post::later) break;
        posted(side, post, std::move(unsent.front()));
      }
  }

  bool is_over() const {
    return std::all_of(sides_.begin(), sides_.end(), [&](const StormSide& side) {
      bool all = side.operations.empty();
      for (size_t from = 0; from < sides_.size(); ++from)
        all &= side.heard[from] == sides_[from].said[number_of(side)];
      return all;
    });
  }

  bool may_rest(StormSide& side) {
    if (side.pause > 0) return --side.pause, true;
    if (!sleeps_ || std::exchange(side.is_touched, false) || !side.engine->may_sleep()) return false;
    pollfd descriptor{side.engine->wait_fd(), POLLIN, 0};
    return ::poll(&descriptor, 1, 0) == 0;
  }

  // Where nothing is to be done the kernel goes on, when it has an acknowledgement, say.
  void rest() {
    std::vector<pollfd> descriptors;
    for (const StormSide& side : sides_) descriptors.push_back({side.engine->wait_fd(), POLLIN, 0});
    constexpr int at_most_ms = 20;
    ::poll(descriptors.data(), descriptors.size(), at_most_ms);
  }

  void turn() {
    bool is_busy = false;
    for (StormSide& side : sides_) {
      is_busy |= side.pause > 0;
      if (may_rest(side)) continue;
      EngineEvent events[16];
      const int count = side.engine->poll(events, 2 + static_cast<int>(below(15)));
      for (int i = 0; i < count; ++i) handle(side, events[i]);
      side.is_touched |= count > 0 || !side.unposted.empty();
      is_busy |= side.is_touched;
      if (!side.unposted.empty() && chance(3)) post_buffer(side);
      send_all(side);
      if (is_narrow_) narrow(side);
    }
    if (!is_busy) rest();
  }

  void post_buffer(StormSide& side) {
    std::vector<char>& buffer = *side.unposted.back();
    side.unposted.pop_back();
    EXPECT_EQ(side.engine->post_receive(buffer.data(), buffer.size(), &buffer), Post::taken);
  }

  // So that less goes into the kernel at once. With less than two segments of loopback each would wait for an acknowledgement.
  void narrow(StormSide& side) {
    for (const Peer peer : side.peers) {
      for (const Link& link : side.engine->links(peer)) {
        if (std::find(side.narrowed.begin(), side.narrowed.end(), link.descriptor) != side.narrowed.end())
          continue;
        const int bytes = 64 << 10;
        ::setsockopt(link.descriptor, SOL_SOCKET, SO_SNDBUF, &bytes, sizeof bytes);
        side.narrowed.push_back(link.descriptor);
      }
    }
  }

  void handle(StormSide& side, const EngineEvent& event) {
    if (event.kind == EngineEvent::Kind::received) return hear(side, event);
    if (event.kind == EngineEvent::Kind::buffer_used)
      return side.unposted.push_back(static_cast<std::vector<char>*>(event.token));
    const auto found = side.operations.find(event.token);
    ASSERT_NE(found, side.operations.end()) << "an operation ends twice, or was never begun";
    const StormOperation& operation = *found->second;
    ASSERT_EQ(event.kind, operation.ends_as) << side.engine->last_error().because;
    if (event.kind == EngineEvent::Kind::read) {
      EXPECT_TRUE(is_filled(operation.bytes.data(), operation.bytes.size(), operation.seed));
    }
    side.operations.erase(found);
  }

  void hear(StormSide& side, const EngineEvent& event) {
    ASSERT_EQ(reinterpret_cast<uintptr_t>(event.data) % 16, 0u);
    StormWord say;
    ASSERT_GE(event.bytes, sizeof say);
    std::memcpy(&say, event.data, sizeof say);
    EXPECT_TRUE(is_filled(event.data + sizeof say, event.bytes - sizeof say, say.seed));
    const size_t from = sender_of(side, say);
    ASSERT_LT(from, sides_.size()) << "nobody has said that next";
    ++side.heard[from];
    if (say.written == 0) return;
    EXPECT_TRUE(is_filled(side.region.data() + slot_at(from, say.slot), say.written, say.seed));
    sides_[from].free_slots[number_of(side)].push_back(say.slot);
  }

  size_t sender_of(const StormSide& side, const StormWord& say) const {
    const size_t from = say.seed >> 61;
    return from < sides_.size() && say.number == side.heard[from] ? from : sides_.size();
  }

  std::mt19937_64 random_;
  bool sleeps_, is_narrow_;
  std::vector<StormSide> sides_;
};

TEST(TcpStormTest, whatever_is_slow_all_arrives_once_and_in_order) {
  const auto first = static_cast<uint64_t>(GTEST_FLAG_GET(random_seed)) * 1000;
  for (uint64_t seed = first; seed < first + 4 && !testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    TcpStorm(seed).blow(400);
  }
}

}  // namespace
}  // namespace atrium
