// Waiting for a flag that is not up yet.
// SPDX-License-Identifier: BSD-3-Clause
#include "coll/steps/epoch.hpp"

namespace atrium {

void await_flag_longer(const Epoch& flag, uint64_t epoch, WaitKind kind) {
  wait_for(WaitReason{kind, &flag, sizeof flag, epoch, ">="}, [&] { return is_raised(flag, epoch); });
}

}  // namespace atrium
