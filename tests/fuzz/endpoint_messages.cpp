// What an endpoint receives from a peer that has the job's secret and says anything at all: headers, records, acknowledgements and
// replies, while operations of its own are under way. It ends the job or executes it; memory that is no PE's stays as it is.
// SPDX-License-Identifier: BSD-3-Clause
#include "check/caller.hpp"
#include "engine/memory.hpp"
#include "input.hpp"
#include "network/endpoint.hpp"

// For the refusal of a signal handler's call, which nothing here makes.
std::string atrium::describe_caller(const char*) { return {}; }

using namespace atrium;

namespace {

constexpr uint64_t part = 1 << 14, front = 4096;
constexpr JobSecret secret{0xfe, 0xed, 0xfa, 0xce};
constexpr int pes = 2;
constexpr char untouched = 0x5a;
constexpr int most_steps = 64;
uint64_t now_ns = 1;  // moves only when somebody waits

class Victim {
 public:
  explicit Victim(Input& input)
      : network_(NetworkConditions{1, 0, 0, 0, 0, 0, false, input.up_to(1) == 1, 0}),
        peer_(network_.open()),
        segment_((front + 4 * pes * part) / 8) {
    std::memset(segment_.data(), untouched, 8 * segment_.size());
    auto region = peer_->register_region(peers_, sizeof peers_, 5);
    auto opened = Endpoint::open(network_.open(), memory(), host(), 77);
    MUST(opened && region, "the network in memory opens");
    endpoint_ = std::move(*opened);
    EndpointPlan plan{1,
                      0,
                      secret,
                      &chacha20_poly1305,
                      {{EndpointAddress{*peer_->name(), *region}}, {endpoint_->address()}},
                      {"peer", "me"}};
    MUST(endpoint_->connect(plan), "and connects");
  }

  void step(Input& input) {
    input.up_to(2) == 0 ? operate(input) : hear(input);
    for (int i = 0; i < 3; ++i) endpoint_->progress();
  }
  bool has_failed() const { return failed_; }
  void check() const {
    expect_untouched(0, front);
    for (uint64_t pe = 0; pe < pes; ++pe) expect_untouched(front + (4 * pe + 2) * part, 2 * part);
  }

 private:
  void expect_untouched(uint64_t at, uint64_t bytes) const {
    const char* start = reinterpret_cast<const char*>(segment_.data()) + at;
    MUST(*start == untouched && std::memcmp(start, start + 1, bytes - 1) == 0,
         "only memory of PEs is written");
  }
  NodeMemory memory() {
    return {reinterpret_cast<char*>(segment_.data()) + front, pes, {part, part, 4 * part}};
  }
  EndpointHost host() {
    EndpointHost host;
    host.subject = this;
    host.fail = [](void* self, const Error& error) {
      MUST(!error.what.empty(), "an error says what is wrong");
      static_cast<Victim*>(self)->failed_ = true;
    };
    host.note = [](void*, const std::string&) {};
    host.wake = [](void*, int local, uint64_t, uint64_t) { MUST(local >= 0 && local < pes, "a PE"); };
    host.now_ns = [] { return now_ns; };
    host.timeout_ns = 1'000'000'000;  // of a peer that does not answer, in an operation that waits for it
    host.idle = [](void*) { now_ns += 100'000'000; };
    return host;
  }
  void operate(Input& input) {
    const Place place{0, 0, front + 8 * input.take<std::uint8_t>()};
    switch (input.up_to(3)) {
      case 0:
        return endpoint_->put(&pending_, place, mine_, 1 + static_cast<size_t>(input.up_to(200)), true);
      case 1:
        return endpoint_->get(&pending_, mine_, place, 1 + static_cast<size_t>(input.up_to(200)), true);
      case 2:
        return endpoint_->fetch_change_later(&pending_, place, {WordOp::add, 8, 1}, mine_);
      case 3:
        return endpoint_->get(&pending_, mine_, place, sizeof mine_, true);  // a read
    }
  }
  void hear(Input& input) {
    MessageHeader header{input.up_to(15) == 0 ? input.take<std::uint32_t>() : 0,
                         static_cast<std::uint16_t>(input.up_to(15) == 0 ? 1 : 0),
                         static_cast<std::uint16_t>(input.up_to(7)),
                         number_,
                         static_cast<std::uint32_t>(input.up_to(6)),
                         1};
    if (input.up_to(15) == 0) header.number = input.take<std::uint64_t>();
    if (input.up_to(15) == 0) header.executed = input.take<std::uint32_t>();
    std::string message(sizeof header, '\0');
    if ((header.flags & message_bare) == 0) {
      add_record(input, message);
      ++number_;
    } else {
      header.number = ++bare_;
    }
    if (input.up_to(31) == 0) message.resize(message.size() + 1);
    std::memcpy(message.data(), &header, sizeof header);
    const size_t bytes = message.size();
    message.resize(bytes + seal_tag_bytes);
    seal_.seal(message.data(), bytes);
    for (int i = 0; i < 100 && peer_->send(1, message.data(), message.size(), nullptr) == Post::later; ++i)
      endpoint_->progress();
  }
  static void add_record(Input& input, std::string& message) {
    auto record = input.take<RecordHeader>();
    if (input.up_to(3) != 0) record.kind = static_cast<RecordKind>(1 + input.up_to(4));
    if (input.up_to(3) != 0) record.place %= 4 * pes * part;
    if (record.kind == RecordKind::put && input.up_to(3) != 0) record.token %= largest_payload + 2;
    const size_t payload = record.kind == RecordKind::put ? record.token % (largest_payload + 9)
                                                          : static_cast<size_t>(8 * input.up_to(3));
    message.append(reinterpret_cast<const char*>(&record), sizeof record);
    const auto word = input.take<std::uint64_t>();
    while (message.size() % 8 != 0 || message.size() < sizeof(MessageHeader) + record_bytes(payload))
      message.append(reinterpret_cast<const char*>(&word), 8);
  }

  MemoryNetwork network_;
  std::unique_ptr<Engine> peer_;
  char peers_[front + part];
  char mine_[3 * 8192];
  std::vector<uint64_t> segment_;
  std::unique_ptr<Endpoint> endpoint_;
  Pending pending_ = 0;
  std::uint64_t number_ = 1, bare_ = 0;
  const ChannelSeal seal_{chacha20_poly1305, secret, {0, 0}, {1, 0}};
  bool failed_ = false;
};

}  // namespace

// What is under way when an endpoint ends in the middle of a job is not given back: the process ends, too.
extern "C" int __lsan_is_turned_off() { return 1; }

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Input input(data, size);
  Victim victim(input);
  for (int step = 0; step < most_steps && input.left() > 0 && !victim.has_failed(); ++step)
    victim.step(input);
  victim.check();
  return 0;
}
