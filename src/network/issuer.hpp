// Issues a PE's operations on other nodes: by its endpoint (network/endpoint.hpp), or, if it has none, by the ring to a neighbour
// that has one (network/ring_client.hpp).
// SPDX-License-Identifier: BSD-3-Clause
//
// Thread safety: any number of threads.
#pragma once

#include <cstddef>
#include <cstdint>

#include "copy/strided.hpp"
#include "wire/operation.hpp"
#include "wire/pending.hpp"

namespace atrium {

class Issuer {
 public:
  virtual ~Issuer() = default;

  // Any operation but a fence; it may change the request. At return a source may be used again and a fetched value is there; with
  // `later`, this holds when the request's `pending` is down.
  virtual void issue_one(Request& request, bool later) = 0;
  // `count` puts or gets, this one and such whose places and memory here are so many bytes further on.
  virtual void issue_blocks(Request& first, ptrdiff_t step, ptrdiff_t here_step, size_t count,
                            bool later) = 0;
  // Each target sees what was issued before this before what is issued after it.
  virtual void fence() = 0;
  // All that was counted in *pending is complete; not what other threads have added meanwhile.
  virtual void quiet(Pending* pending) = 0;
  // Of what was counted in *pending at least all that goes to these nodes is complete.
  virtual void quiet_nodes(Pending* pending, const int* nodes, size_t count) = 0;

  void put(Pending* pending, const Place& to, const void* source, size_t bytes, bool later = false) {
    if (bytes != 0) issue_new(put_of(to, bytes), source, pending, later);
  }
  void get(Pending* pending, void* dest, const Place& from, size_t bytes, bool later = false) {
    if (bytes != 0) issue_new(get_of(from, bytes), dest, pending, later);
  }
  // Blocks of strided data, steps in bytes. Without gaps they are one: a record for each would cost more than its data.
  void put_blocks(Pending* pending, const Place& to, const void* source, ptrdiff_t to_step,
                  ptrdiff_t source_step, size_t block, size_t count, bool later = false) {
    if (block == 0 || count == 0) return;
    if (lie_side_by_side(to_step, source_step, block)) return put(pending, to, source, block * count, later);
    Request first = request_of(put_of(to, block), source, pending);
    issue_blocks(first, to_step, source_step, count, later);
  }
  void get_blocks(Pending* pending, void* dest, const Place& from, ptrdiff_t dest_step, ptrdiff_t from_step,
                  size_t block, size_t count, bool later) {
    if (block == 0 || count == 0) return;
    if (lie_side_by_side(dest_step, from_step, block)) return get(pending, dest, from, block * count, later);
    Request first = request_of(get_of(from, block), dest, pending);
    issue_blocks(first, from_step, dest_step, count, later);
  }
  void change(Pending* pending, const Place& word, const WordChange& change) {
    issue_new(change_of(word, change), nullptr, pending, true);
  }
  uint64_t fetch_change(const Place& word, const WordChange& change) {
    uint64_t old = 0;
    issue_new(fetch_of(word, change), &old, nullptr, false);
    return old;
  }
  void fetch_change_later(Pending* pending, const Place& word, const WordChange& change, void* old) {
    issue_new(fetch_of(word, change), old, pending, true);
  }
  // The change of the signal is seen after all of the data is. Both are on one node.
  void put_signal(Pending* pending, const Place& to, const void* source, size_t bytes, const Place& signal,
                  const WordChange& change, bool later = false) {
    issue_new(signal_of(to, bytes, signal, change), source, pending, later);
  }
  // `bytes` to `to`, then `value` to the 8 bytes of `flag`, behind everything that was issued to that node. The source may be
  // used again at return.
  void raise(const Place& flag, uint64_t value, const Place& to, const void* source, size_t bytes,
             Next next = Next::unknown) {
    Operation operation = signal_of(bytes != 0 ? to : flag, bytes, flag, {WordOp::set, 8, value});
    operation.next = next;
    issue_new(operation, source, nullptr, false);
  }

 private:
  static Request request_of(const Operation& operation, const void* here, Pending* pending) {
    return {operation, static_cast<char*>(const_cast<void*>(here)), pending};
  }
  void issue_new(const Operation& operation, const void* here, Pending* pending, bool later) {
    Request request = request_of(operation, here, pending);
    issue_one(request, later);
  }
};

}  // namespace atrium
