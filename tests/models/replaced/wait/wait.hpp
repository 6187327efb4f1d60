// Stands in front of src/wait/wait.hpp when a model is compiled: a wait is one step, taken when its condition can hold.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>

#include "wait/park.hpp"

namespace atrium {

template <class Ready>
bool spin_until(Ready) {
  return false;
}
template <class Ready>
void wait_longer(const WaitReason&, Ready ready) {
  model::await([](void* subject) { return static_cast<bool>((*static_cast<Ready*>(subject))()); }, &ready);
}
template <class Ready>
void wait_for(const WaitReason& reason, Ready ready) {
  wait_longer(reason, ready);
}
inline void give_way() {}
inline void looked() {}

}  // namespace atrium
