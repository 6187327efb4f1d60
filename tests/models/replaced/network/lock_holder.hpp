// Stands in front of src/network/lock_holder.hpp when a model is compiled: its threads are no threads of the kernel's, and no handler
// interrupts them.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

namespace atrium {

inline uint32_t number_of_this_thread() { return 1; }
inline void refuse_call_of_handler() {}

}  // namespace atrium
