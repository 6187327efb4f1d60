// What issues a PE's operations on other nodes: its endpoint (network/endpoint.hpp), or, where it has none, its end of the ring to
// a neighbour that has one (network/ring_client.hpp).
// SPDX-License-Identifier: BSD-3-Clause
//
// Thread safety: any number of threads.
#pragma once

#include <cstddef>
#include <cstdint>

#include "wire/operation.hpp"
#include "wire/pending.hpp"

namespace atrium {

class Issuer {
 public:
  virtual ~Issuer() = default;

  // Any operation but a fence. `here`: the source of a put, or where the value of a get or fetch goes. At return a source may be
  // used again, and a value is there; or, with `later`, when *pending is down.
  virtual void issue_one(Pending* pending, const Operation& operation, void* here, bool later) = 0;
  // `count` puts or gets, the first one and such whose places and memory here are so many bytes further on.
  virtual void issue_blocks(Pending* pending, const Operation& first, ptrdiff_t step, void* here,
                            ptrdiff_t here_step, size_t count, bool later) = 0;
  // What was issued before is seen before what is issued later, per target.
  virtual void fence() = 0;
  // All that was counted in *pending is complete; not what other threads have added meanwhile.
  virtual void quiet(Pending* pending) = 0;
  // Of what was counted in *pending at least all that goes to these nodes is complete.
  virtual void quiet_nodes(Pending* pending, const int* nodes, size_t count) = 0;

  void put(Pending* pending, const Place& to, const void* source, size_t bytes, bool later = false) {
    if (bytes != 0) issue_one(pending, put_of(to, bytes), const_cast<void*>(source), later);
  }
  void get(Pending* pending, void* dest, const Place& from, size_t bytes, bool later = false) {
    if (bytes != 0) issue_one(pending, get_of(from, bytes), dest, later);
  }
  // Blocks of strided data, steps in bytes.
  void put_blocks(Pending* pending, const Place& to, const void* source, ptrdiff_t to_step,
                  ptrdiff_t source_step, size_t block, size_t count, bool later = false) {
    if (block == 0 || count == 0) return;
    issue_blocks(pending, put_of(to, block), to_step, const_cast<void*>(source), source_step, count, later);
  }
  void get_blocks(Pending* pending, void* dest, const Place& from, ptrdiff_t dest_step, ptrdiff_t from_step,
                  size_t block, size_t count, bool later) {
    if (block == 0 || count == 0) return;
    issue_blocks(pending, get_of(from, block), from_step, dest, dest_step, count, later);
  }
  void change(Pending* pending, const Place& word, const WordChange& change) {
    issue_one(pending, change_of(word, change), nullptr, true);
  }
  uint64_t fetch_change(const Place& word, const WordChange& change) {
    uint64_t old = 0;
    issue_one(nullptr, fetch_of(word, change), &old, false);
    return old;
  }
  void fetch_change_later(Pending* pending, const Place& word, const WordChange& change, void* old) {
    issue_one(pending, fetch_of(word, change), old, true);
  }
  // The change of the signal is seen after all of the data is. Both are on one node.
  void put_signal(Pending* pending, const Place& to, const void* source, size_t bytes, const Place& signal,
                  const WordChange& change, bool later = false) {
    issue_one(pending, signal_of(to, bytes, signal, change), const_cast<void*>(source), later);
  }
  // `bytes` to `to`, then `value` to the 8 bytes of `flag`, behind everything that was issued to that node. The source may be
  // used again at return.
  void raise(const Place& flag, uint64_t value, const Place& to, const void* source, size_t bytes) {
    put_signal(nullptr, bytes != 0 ? to : flag, source, bytes, flag, {WordOp::set, 8, value});
  }
};

}  // namespace atrium
