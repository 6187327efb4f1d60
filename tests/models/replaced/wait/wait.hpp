// Stands in front of src/wait/wait.hpp when a model is compiled: a wait is one step, taken when its condition can hold.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>

#include "wait/park.hpp"

namespace atrium {

template <class Ready>
void wait_for(const WaitReason&, Ready ready) {
  model::await([](void* subject) { return static_cast<bool>((*static_cast<Ready*>(subject))()); }, &ready);
}
inline void give_way() {}
inline void looked() {}

}  // namespace atrium
