// The engine for tests: a network inside one process, which delays, reorders, refuses and cuts.
// SPDX-License-Identifier: BSD-3-Clause
#include "engine/memory.hpp"

#include <algorithm>
#include <cstring>

namespace atrium {

// A peer that is cut off does not answer, or a router on the way says that it cannot be reached.
class MemoryProbe final : public Probe {
 public:
  MemoryProbe(MemoryNetwork& network, Peer self, Peer whom) : network_(network), self_(self), whom_(whom) {}
  Answer look() override {
    const std::lock_guard lock(network_.mutex_);
    if (network_.drawn(network_.conditions_.delay)) return Answer::none_yet;
    if (!network_.is_cut(self_, whom_)) return Answer::reachable;
    return network_.drawn(0.5) ? Answer::unreachable : Answer::none_yet;
  }

 private:
  MemoryNetwork& network_;
  Peer self_, whom_;
};

class MemoryEngine final : public Engine {
 public:
  MemoryEngine(MemoryNetwork& network, Peer self) : network_(network), self_(self) {
    traits_.provider = "memory";
    traits_.largest_message = 1 << 20;
    traits_.largest_transfer = network.conditions().largest_transfer;
    traits_.sends_after_writes = network.conditions().sends_after_writes;
    traits_.shows_links = network.conditions().shows_links;
  }
  ~MemoryEngine() override {
    const std::lock_guard lock(network_.mutex_);
    network_.engines_[self_] = nullptr;
    std::erase_if(network_.flights_,
                  [&](const auto& each) { return each.second.from == self_ || each.second.to == self_; });
  }

  const EngineTraits& traits() const override { return traits_; }
  Result<std::string> name() override { return "memory:" + std::to_string(self_); }

  Result<Peer> insert(std::string_view name) override {
    if (name.substr(0, 7) != "memory:") return Error{"no such peer", std::string(name), "", ""};
    return Peer{std::stoull(std::string(name.substr(7)))};
  }

  Result<RegionKey> register_region(void* start, size_t bytes, uint64_t wanted) override {
    const std::lock_guard lock(network_.mutex_);
    region_ = {static_cast<char*>(start), bytes};
    key_ = network_.conditions_.own_keys ? RegionKey{~wanted, reinterpret_cast<uint64_t>(start)}
                                         : RegionKey{wanted, 0};
    return key_;
  }

  Post send(Peer to, const void* data, size_t bytes, void* token) override {
    const std::lock_guard lock(network_.mutex_);
    to = network_.whom_reaches(self_, to);
    if (auto refused = refuses(to)) return *refused;
    auto& arrivals = network_.engines_[to]->arrivals_[self_];
    arrivals.push_back({self_, std::string(static_cast<const char*>(data), bytes), network_.flights_posted_});
    if (network_.tap) network_.tap(self_, to, arrivals.back().data);
    if (network_.drawn(0.5)) return Post::done;
    complete({EngineEvent::Kind::sent, token, nullptr, 0});
    return Post::taken;
  }

  Post post_receive(void* buffer, size_t bytes, void* token) override {
    const std::lock_guard lock(network_.mutex_);
    if (network_.refuses()) return Post::later;
    buffers_.push_back({static_cast<char*>(buffer), bytes, 0, 0, token});
    return Post::taken;
  }

  Post write(Peer to, const RegionKey& region, uint64_t place, const void* source, size_t bytes,
             void* token) override {
    return start(true, to, region, place, const_cast<void*>(source), bytes, token);
  }
  Post read(Peer from, const RegionKey& region, uint64_t place, void* dest, size_t bytes,
            void* token) override {
    return start(false, from, region, place, dest, bytes, token);
  }

  int poll(EngineEvent* completions, int room) override {
    const std::lock_guard lock(network_.mutex_);
    network_.step(self_);
    int count = 0;
    for (auto each = completions_.begin(); count < room && each != completions_.end();) {
      const EngineEvent::Kind kind = each->kind;
      const bool late = kind != EngineEvent::Kind::received && kind != EngineEvent::Kind::buffer_used &&
                        kind != EngineEvent::Kind::lost;
      if (late && network_.drawn(network_.conditions_.late_completion)) {
        ++each;
        continue;
      }
      completions[count] = *each;
      each = completions_.erase(each);
      if (completions[count].kind == EngineEvent::Kind::failed)
        error_ = Error{"an operation failed", "as asked", "", ""};
      ++count;
    }
    return count;
  }
  int wait_fd() const override { return -1; }
  bool may_sleep() override { return true; }
  std::unique_ptr<Probe> probe(Peer whom) override {
    return std::make_unique<MemoryProbe>(network_, self_, whom);
  }
  std::vector<Link> links(Peer) override {
    const std::lock_guard lock(network_.mutex_);
    ++network_.looks_;
    return network_.links_of(self_);
  }
  bool stands(const Link& link) override {
    const std::lock_guard lock(network_.mutex_);
    const auto all = network_.links_of(self_);
    return std::any_of(all.begin(), all.end(), [&](const Link& each) { return each.mine == link.mine; });
  }
  const Error& last_error() const override { return error_; }

 private:
  friend class MemoryNetwork;
  struct Buffer {
    char* start;
    size_t bytes, used, messages;
    void* token;
  };
  struct Region {
    char* start = nullptr;
    size_t bytes = 0;
  };

  std::optional<Post> refuses(Peer to) {
    if (to >= network_.engines_.size() || !network_.engines_[to] || network_.is_cut(self_, to) ||
        network_.refuses())
      return Post::later;
    if (network_.failing_ != static_cast<int>(self_)) return std::nullopt;
    network_.failing_ = -1;
    error_ = Error{"an operation failed", "as asked", "", ""};
    return Post::failed;
  }

  Post start(bool is_write, Peer to, const RegionKey& region, uint64_t place, void* local, size_t bytes,
             void* token) {
    const std::lock_guard lock(network_.mutex_);
    to = network_.whom_reaches(self_, to);
    if (auto refused = refuses(to)) return *refused;
    MemoryNetwork::Flight flight{is_write, self_, to,   region, place, static_cast<char*>(local),
                                 bytes,    0,     token};
    if (is_write && traits_.sends_after_writes && network_.drawn(0.5)) network_.keep(flight);
    network_.flights_.emplace_back(++network_.flights_posted_, std::move(flight));
    return Post::taken;
  }

  void complete(const EngineEvent& completion) { completions_.push_back(completion); }

  // Longer than a buffer is: one is used up, and nothing received.
  bool is_too_long(size_t bytes) const { return !buffers_.empty() && bytes > buffers_.front().bytes; }
  void lose_message(bool with_buffer) {
    if (buffers_.empty()) return;
    complete({EngineEvent::Kind::lost, buffers_.front().token, nullptr, 0});
    if (!with_buffer) return;
    complete({EngineEvent::Kind::buffer_used, buffers_.front().token, nullptr, 0});
    buffers_.pop_front();
  }

  // Room for a message of `bytes`, or null: then it waits.
  Buffer* receive_buffer(size_t bytes) {
    while (!buffers_.empty()) {
      Buffer& first = buffers_.front();
      const size_t split = network_.conditions_.receive_split;
      const bool worn = split != 0 && first.messages >= split;
      if (!worn && first.bytes - first.used >= bytes) return &first;
      complete({EngineEvent::Kind::buffer_used, first.token, nullptr, 0});
      buffers_.pop_front();
    }
    return nullptr;
  }

  bool receive(const std::string& data) {
    if (is_too_long(data.size())) return lose_message(true), true;
    Buffer* buffer = receive_buffer(data.size());
    if (!buffer) return false;
    char* at = buffer->start + buffer->used;
    std::memcpy(at, data.data(), data.size());
    buffer->used += (data.size() + 7) / 8 * 8;
    buffer->used = std::min(buffer->used, buffer->bytes);
    ++buffer->messages;
    complete({EngineEvent::Kind::received, buffer->token, at, data.size()});
    return true;
  }

  MemoryNetwork& network_;
  Peer self_;
  EngineTraits traits_;
  Region region_;
  RegionKey key_;
  std::map<Peer, std::deque<MemoryNetwork::Sending>> arrivals_;
  std::deque<Buffer> buffers_;
  std::deque<EngineEvent> completions_;
  Error error_;
};

std::unique_ptr<Engine> MemoryNetwork::open() {
  const std::lock_guard lock(mutex_);
  auto engine = std::make_unique<MemoryEngine>(*this, engines_.size());
  engines_.push_back(engine.get());
  return engine;
}

void MemoryNetwork::withdraw_one(Peer whom) {
  const std::lock_guard lock(mutex_);
  engines_[whom]->lose_message(drawn(0.5));
}

void MemoryNetwork::cut(Peer a, Peer b) {
  const std::lock_guard lock(mutex_);
  cuts_.emplace_back(std::min(a, b), std::max(a, b));
}

void MemoryNetwork::join(Peer a, Peer b) {
  const std::lock_guard lock(mutex_);
  std::erase(cuts_, std::pair(std::min(a, b), std::max(a, b)));
}

void MemoryNetwork::take_place(Peer from, Peer to, Peer stranger) {
  const std::lock_guard lock(mutex_);
  replaced_[{from, to}] = {stranger, ++replacements_};
}

Peer MemoryNetwork::whom_reaches(Peer from, Peer to) const {
  const auto found = replaced_.find({from, to});
  return found == replaced_.end() ? to : found->second.by;
}

// Each engine has one with each other.
std::vector<Link> MemoryNetwork::links_of(Peer self) const {
  const auto named = [](Peer from, Peer to, uint64_t time) {
    LinkEnd end{};
    end[0] = static_cast<unsigned char>(from), end[1] = static_cast<unsigned char>(to);
    std::memcpy(&end[2], &time, sizeof time);
    return end;
  };
  std::vector<Link> links;
  for (Peer other = 0; other < engines_.size(); ++other) {
    const auto mine = replaced_.find({self, other}), theirs = replaced_.find({other, self});
    const uint64_t time = std::max(mine == replaced_.end() ? 0 : mine->second.time,
                                   theirs == replaced_.end() ? 0 : theirs->second.time);
    const Peer there = whom_reaches(self, other);
    if (other != self) links.push_back({named(self, other, time), named(there, self, time)});
  }
  return links;
}

bool MemoryNetwork::is_cut(Peer a, Peer b) const {
  return std::find(cuts_.begin(), cuts_.end(), std::pair(std::min(a, b), std::max(a, b))) != cuts_.end();
}

bool MemoryNetwork::refuses() {
  if (burst_left_ > 0) {
    --burst_left_;
    return true;
  }
  if (!drawn(conditions_.refusal)) return false;
  if (drawn(conditions_.refusal_burst)) burst_left_ = 20;
  return true;
}

void MemoryNetwork::step(Peer poller) {
  std::shuffle(flights_.begin(), flights_.end(), random_);
  for (auto& [number, flight] : flights_) {
    const bool may =
        conditions_.target_must_poll ? flight.to == poller : flight.from == poller || flight.to == poller;
    if (may && !is_cut(flight.from, flight.to) && !drawn(conditions_.delay)) move(flight);
  }
  std::erase_if(flights_, [](const auto& each) { return each.second.moved == each.second.bytes; });
  deliver(poller);
}

// The caller may reuse the source from now on.
void MemoryNetwork::keep(Flight& flight) {
  flight.kept.assign(flight.local, flight.local + flight.bytes);
  flight.local = flight.kept.data();
  flight.is_reported = true;
  engines_[flight.from]->complete({EngineEvent::Kind::written, flight.token, nullptr, 0});
}

// Moves the whole or a piece; at the end completes the operation. A wrong key or place ends it with an error, untouched.
void MemoryNetwork::move(Flight& flight) {
  MemoryEngine& target = *engines_[flight.to];
  MemoryEngine& source = *engines_[flight.from];
  const RegionKey& key = target.key_;
  const bool allowed = key.key == flight.region.key && key.base == flight.region.base &&
                       flight.place <= target.region_.bytes &&
                       flight.bytes <= target.region_.bytes - flight.place;
  if (!allowed) {
    flight.moved = flight.bytes;
    return source.complete(
        {EngineEvent::Kind::failed, flight.is_reported ? nullptr : flight.token, nullptr, 0});
  }
  size_t piece = flight.bytes - flight.moved;
  if (piece > 1 && drawn(conditions_.torn_write)) piece = 1 + random_() % (piece - 1);
  char* there = target.region_.start + flight.place + flight.moved;
  char* here = flight.local + flight.moved;
  std::memcpy(flight.is_write ? there : here, flight.is_write ? here : there, piece);
  flight.moved += piece;
  if (flight.moved == flight.bytes && !flight.is_reported)
    source.complete(
        {flight.is_write ? EngineEvent::Kind::written : EngineEvent::Kind::read, flight.token, nullptr, 0});
}

bool MemoryNetwork::waits_for_writes(const Sending& sending, Peer to) const {
  if (!conditions_.sends_after_writes) return false;
  return std::any_of(flights_.begin(), flights_.end(), [&](const auto& each) {
    return each.second.is_write && each.second.from == sending.from && each.second.to == to &&
           each.first <= sending.flights_before;
  });
}

void MemoryNetwork::deliver(Peer poller) {
  MemoryEngine& target = *engines_[poller];
  for (auto& [from, arrivals] : target.arrivals_) {
    while (!arrivals.empty() && !is_cut(from, poller) && !drawn(conditions_.delay)) {
      if (waits_for_writes(arrivals.front(), poller) || !target.receive(arrivals.front().data)) break;
      arrivals.pop_front();
    }
  }
}

}  // namespace atrium
