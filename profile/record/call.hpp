// One call of a routine, from its beginning to its end.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "profile/record/recorder.hpp"

namespace atrium::profile {

// How the tables count a call.
enum class Role : uint8_t {
  local,  // of this PE alone
  put,    // to a PE
  get,    // from a PE
  wait,   // all of its time is waiting
};

constexpr EventKind kind_of(Role role) {
  return role == Role::wait ? EventKind::wait : role == Role::put ? EventKind::store : EventKind::call;
}

struct What {
  Role role = Role::local;
  int pe = -1;  // by its number in the job
  size_t bytes = 0;
  const void* place = nullptr;  // memory of the other PE that is written, or of this one that is waited for
  size_t words = 0;             // bytes that are waited for
};

class Call {
 public:
  Call(const Site& site, const What& what) {
    if (recording) begin(site, what);
  }
  ~Call() {
    if (open_) end();
  }
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;

  bool open() const { return open_; }
  unsigned line() const { return line_; }
  uint64_t begun() const { return begin_; }
  // Known when the routine has run: how long it waited, the bytes that it moved.
  void waited(uint64_t ticks) { waited_ = ticks; }
  // The call is this collective of a team; `root` by its number in the job, -1: there is none.
  void in(unsigned arrivals, uint64_t number, int root);

 private:
  void begin(const Site& site, const What& what);
  void end();
  void trace(uint64_t ticks) const;

  What what_;
  Thread* thread_ = nullptr;
  uint64_t begin_ = 0, waited_ = 0;
  unsigned line_ = 0;
  bool open_ = false;
};

// What the thread's place says stands in the trace of a PE that ends in this call. Inline, since each further frame costs time
// where the library has made the call and the program's frame is searched for.
inline void Call::begin(const Site& site, const What& what) {
  what_ = what;
  line_ = line_of(site);
  open_ = true;
  thread_ = &this_thread();
  thread_->with.store(what.pe, std::memory_order_relaxed);
  thread_->kind.store(kind_of(what.role), std::memory_order_relaxed);
  thread_->place.store(recorder.room == 0 ? 0 : place_of(what.place), std::memory_order_relaxed);
  thread_->bytes.store(what.role == Role::wait ? what.words : what.bytes, std::memory_order_relaxed);
  begin_ = now();
  thread_->since.store(begin_, std::memory_order_relaxed);
  thread_->doing.store(line_ + 1, std::memory_order_release);  // SYNC call-under-way
}

// Regions count the calls inside them, their time and the waiting.
void count_in_regions(const Thread& thread, uint64_t ticks, uint64_t waiting, uint64_t bytes);
extern bool regions_open;

}  // namespace atrium::profile
