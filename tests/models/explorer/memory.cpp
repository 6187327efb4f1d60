// The memory of an execution: loads choose among the values that a view allows; plain accesses are checked for races.
// SPDX-License-Identifier: BSD-3-Clause
#include "explorer/execution.hpp"

namespace model {
namespace {

bool acquires(Order order) {
  return order != std::memory_order_relaxed && order != std::memory_order_release;
}
bool releases(Order order) {
  return order == std::memory_order_release || order == std::memory_order_acq_rel ||
         order == std::memory_order_seq_cst;
}

}  // namespace

Order Execution::asked(Order order, const std::source_location& where) {
  if (order == std::memory_order_relaxed) return order;
  const Site site{short_name(where.file_name()), where.line()};
  outcome_.ordered_sites.insert(site);
  return weakened_.count(site) ? std::memory_order_relaxed : order;
}

void Execution::join_read(const View& learnt, Order order) {
  if (acquires(order))
    me().now.join(learnt);
  else
    me().acquirable.join(learnt);
}

View Execution::view_to_publish(Order order) const {
  const Fiber& fiber = fibers_[static_cast<size_t>(running_)];
  return releases(order) ? fiber.now : fiber.released;
}

Object::Object(uint64_t value) : first_(value) {
  if (Execution::the_current) join_execution();
}

void Object::join_execution() {
  Execution& execution = Execution::current();
  if (execution_ == execution.number_) return;
  execution_ = execution.number_;
  id_ = execution.objects_++;
  history_.assign(1, {first_, View()});
}

uint64_t Object::load(Order order, const std::source_location& where) {
  Execution& execution = Execution::current();
  join_execution();
  if (!Execution::is_running()) return history_.back().value;
  order = execution.asked(order, where);
  if (!execution.trial_) execution.offer({{id_}, false, false});
  return load(execution.me().now.seen(id_), order, where);
}

uint64_t Object::look(const std::source_location& where) {
  Execution& execution = Execution::current();
  join_execution();
  if (!execution.trial_) execution.offer({{id_}, false, false});
  return load(history_.size() - 1, std::memory_order_acquire, where);
}

void Object::lock(const std::source_location& where) {
  Execution& execution = Execution::current();
  join_execution();
  execution.me().takes = true;
  await(
      [](void* word) { return (static_cast<Object*>(word)->look(std::source_location::current()) & 1) == 0; },
      this, where);
  execution.me().takes = false;
  const Message last = history_.back();
  execution.me().now.see(id_, static_cast<uint32_t>(history_.size()));
  history_.push_back({last.value | 1, last.view});
}

// One of the values from the oldest on: which one is a choice.
uint64_t Object::load(size_t oldest, Order order, const std::source_location& where) {
  Execution& execution = Execution::current();
  const size_t ways = history_.size() - oldest;
  size_t way = 0;
  if (execution.trial_) {
    execution.trial_objects_.push_back(id_);
    if (execution.trial_most_.size() < execution.trial_->size())
      way = (*execution.trial_)[execution.trial_most_.size()];
    execution.trial_most_.push_back(ways);
  } else {
    way = execution.choose_way(ways);
  }
  const size_t index = history_.size() - 1 - way;
  execution.me().now.see(id_, static_cast<uint32_t>(index));
  execution.join_read(history_[index].view, order);
  execution.note(way ? "old load" : "load", history_[index].value, where);
  return history_[index].value;
}

void Object::store(uint64_t value, Order order, const std::source_location& where) {
  Execution& execution = Execution::current();
  join_execution();
  if (!execution.inside_thread()) {
    history_.assign(1, {value, {}});
    return;
  }
  order = execution.asked(order, where);
  execution.offer({{id_}, true, false});
  execution.me().now.see(id_, static_cast<uint32_t>(history_.size()));
  View view = execution.view_to_publish(order);
  view.see(id_, static_cast<uint32_t>(history_.size()));
  history_.push_back({value, std::move(view)});
  execution.note("store", value, where);
}

uint64_t Object::update(const std::function<uint64_t(uint64_t)>& change, Order order,
                        const std::source_location& where) {
  Execution& execution = Execution::current();
  join_execution();
  order = execution.asked(order, where);
  execution.offer({{id_}, true, false});
  const Message last = history_.back();
  execution.me().now.see(id_, static_cast<uint32_t>(history_.size()));
  execution.join_read(last.view, order);
  View view = execution.view_to_publish(order);
  view.see(id_, static_cast<uint32_t>(history_.size()));
  view.join(last.view);  // the release sequence goes on
  const uint64_t value = change(last.value);
  history_.push_back({value, std::move(view)});
  execution.note("update", value, where);
  return last.value;
}

// A failing one is a load of the newest value. (A weak one that fails without cause is a fruitless look.)
uint64_t Object::compare_exchange(uint64_t expected, uint64_t desired, Order success, Order failure,
                                  const std::source_location& where) {
  Execution& execution = Execution::current();
  join_execution();
  success = execution.asked(success, where);
  failure = execution.asked(failure, where);
  execution.offer({{id_}, true, false});
  const Message last = history_.back();
  if (last.value != expected) {
    execution.me().now.see(id_, static_cast<uint32_t>(history_.size() - 1));
    execution.join_read(last.view, failure);
    execution.note("no swap", last.value, where);
    return last.value;
  }
  execution.me().now.see(id_, static_cast<uint32_t>(history_.size()));
  execution.join_read(last.view, success);
  View view = execution.view_to_publish(success);
  view.see(id_, static_cast<uint32_t>(history_.size()));
  view.join(last.view);
  history_.push_back({desired, std::move(view)});
  execution.note("swap", desired, where);
  return expected;
}

void fence(Order order, const std::source_location& where) {
  Execution& execution = Execution::current();
  order = execution.asked(order, where);
  if (order == std::memory_order_relaxed) return;
  if (order == std::memory_order_seq_cst) execution.offer({{0}, true, false});
  Execution::Fiber& fiber = execution.me();
  if (acquires(order)) fiber.now.join(fiber.acquirable);
  if (order == std::memory_order_seq_cst) {
    fiber.now.join(execution.fences_);
    execution.fences_ = fiber.now;
  }
  if (releases(order)) fiber.released = fiber.now;
  execution.note("fence", 0, where);
}

void Execution::check_plain(const volatile void* address, size_t bytes, bool writes,
                            const std::source_location& where) {
  if (!inside_thread() || trial_) return;
  const auto begin = reinterpret_cast<uintptr_t>(address) / 8;
  const auto end = (reinterpret_cast<uintptr_t>(address) + bytes + 7) / 8;
  me().now.advance(static_cast<size_t>(running_));
  const auto races = [&](int other, uint32_t clock) {
    return other != running_ && clock > me().now.clock(static_cast<size_t>(other));
  };
  for (uintptr_t place = begin; place < end; ++place) {
    PlainCell& cell = plain_[place];
    cell.read.resize(fibers_.size());
    bool race = cell.writer >= 0 && races(cell.writer, cell.written);
    for (size_t other = 0; writes && other < fibers_.size(); ++other)
      race |= races(static_cast<int>(other), cell.read[other]);
    const uint32_t clock = me().now.clock(static_cast<size_t>(running_));
    if (writes)
      cell.writer = running_, cell.written = clock;
    else
      cell.read[static_cast<size_t>(running_)] = clock;
    note(writes ? "write" : "read", place % 1000, where);
    if (race) {
      fail("a data race at " + short_name(where.file_name()) + ":" + std::to_string(where.line()));
      return offer({});
    }
  }
}

void plain_read(const volatile void* address, size_t bytes, const std::source_location& where) {
  Execution::current().check_plain(address, bytes, false, where);
}
void plain_write(const volatile void* address, size_t bytes, const std::source_location& where) {
  Execution::current().check_plain(address, bytes, true, where);
}

Object& object_at(const volatile void* address, uint64_t first) {
  auto& object = Execution::current().words_[reinterpret_cast<uintptr_t>(address)];
  if (!object) object = std::make_unique<Object>(first);
  return *object;
}

}  // namespace model
