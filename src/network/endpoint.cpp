// An endpoint as it is opened and connected, and its threads.
// SPDX-License-Identifier: BSD-3-Clause
#include "network/endpoint.hpp"

#include <mutex>

#include "network/progress_thread.hpp"
#include "network/ring_thread.hpp"
#include "network/rings.hpp"

namespace atrium {

Endpoint::Endpoint(std::unique_ptr<Engine> engine, const NodeMemory& memory, const EndpointHost& host)
    : engine_(std::move(engine)),
      memory_(memory),
      host_(host),
      traffic_(host.traffic ? *host.traffic : own_traffic_),
      liveness_(host.liveness ? *host.liveness : own_liveness_),
      wire_(memory_, *this),
      links_(*engine_, wire_, peers_),
      silence_(host_, liveness_, plan_.hosts),
      receive_buffers_(receive_buffer_count) {}

Endpoint::~Endpoint() {
  ring_thread_.reset();
  progress_thread_.reset();
  engine_.reset();  // before the buffers, into which it may still receive while it closes
}

Result<std::unique_ptr<Endpoint>> Endpoint::open(std::unique_ptr<Engine> engine, const NodeMemory& memory,
                                                 const EndpointHost& host, uint64_t region_key) {
  std::unique_ptr<Endpoint> endpoint(new Endpoint(std::move(engine), memory, host));
  auto name = endpoint->engine_->name();
  if (!name) return name.error();
  auto region = endpoint->engine_->register_region(memory.view, memory.bytes(), region_key);
  if (!region) return region.error();
  endpoint->address_ = {*name, *region};
  for (ReceiveBuffer& buffer : endpoint->receive_buffers_)
    buffer.bytes = std::make_unique_for_overwrite<char[]>(receive_buffer_bytes);
  return endpoint;
}

// Of the addresses those are kept that this endpoint talks to, one of each node where all nodes have as many.
Result<void> Endpoint::connect(const EndpointPlan& plan) {
  const std::lock_guard lock(lock_);
  plan_ = {plan.node, plan.endpoint, plan.secret, plan.method, {}, plan.hosts};
  std::vector<size_t> endpoints;
  const size_t mine = plan.addresses[static_cast<size_t>(plan.node)].size();
  for (const auto& of_node : plan.addresses) {
    endpoints.push_back(of_node.size());
    const Counterparts others{static_cast<size_t>(plan.endpoint), mine, of_node.size()};
    auto& kept = plan_.addresses.emplace_back();
    for (size_t slot = 0; slot < others.count(); ++slot) kept.push_back(of_node[others.number(slot)]);
    kept.shrink_to_fit();
  }
  wire_.connect({{static_cast<uint32_t>(plan.node), static_cast<uint16_t>(plan.endpoint)},
                 plan.secret,
                 plan.method,
                 std::move(endpoints),
                 traits().largest_transfer,
                 traits().sends_after_writes,
                 host_.trace});
  post_receives();
  if (has_failed()) return engine_->last_error();
  return {};
}

void Endpoint::before_sleep() {
  if (progress_thread_) progress_thread_->take_over();
}

std::vector<int> Endpoint::threads() const {
  std::vector<int> ids;
  for (const int id :
       {progress_thread_ ? progress_thread_->id() : 0, ring_thread_ ? ring_thread_->id() : 0}) {
    if (id != 0) ids.push_back(id);
  }
  return ids;
}

// A PE that answers only while it drives would keep the others waiting, also while the launcher works for it.
Result<void> Endpoint::start_progress_thread() {
  progress_thread_ = std::make_unique<ProgressThread>(*this);
  if (progress_thread_->start()) return {};
  return system_error("cannot make the thread that answers other nodes", "pthread_create");
}

void Endpoint::stop_progress_thread() {
  if (ring_thread_ && !ring_thread_->is_me()) ring_thread_.reset();
  // It stays: while exit handlers run, another thread may still wait and put it off.
  if (progress_thread_ && !progress_thread_->is_me()) progress_thread_->stop();
}

void Endpoint::admit(const std::vector<ClientRing>& clients, Doorbell& bell) {
  {
    const std::lock_guard lock(lock_);
    rings_ = std::make_unique<Rings>(wire_, memory_, plan_.node, clients, bell);
  }
  if (host_.idle) return;  // a test or a simulator takes all turns
  ring_thread_ = std::make_unique<RingThread>(*this, bell);
}

void Endpoint::dismiss() {
  ring_thread_.reset();
  const std::lock_guard lock(lock_);
  rings_.reset();
}

}  // namespace atrium
