// Which endpoints of another node talk to this PE's endpoint.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>

namespace atrium {

// Endpoint i of a node has channels to endpoint i mod k of each other node, of which k have one. So those of another node that talk to
// mine are one, where it has no more than my node; else every so many-th. Tables of them do not grow with the PEs of the job.
struct Counterparts {
  size_t me, mine, theirs;  // my endpoint's number, how many my node has, and the other one

  size_t count() const { return theirs <= mine ? 1 : (theirs - me + mine - 1) / mine; }
  size_t first() const { return me % theirs; }
  size_t number(size_t slot) const { return first() + slot * mine; }
  // Of one of them: 0, 1, ...
  size_t slot(size_t endpoint) const { return endpoint / mine; }
  bool contains(size_t endpoint) const {
    return endpoint < theirs && endpoint == number(slot(endpoint)) && slot(endpoint) < count();
  }
};

}  // namespace atrium
