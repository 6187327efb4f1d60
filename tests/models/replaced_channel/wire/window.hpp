// Stands in front of src/wire/window.hpp in the model of channels: fewer messages reach all that happens.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>

namespace atrium {

inline constexpr size_t gathers_from = 3;
inline constexpr size_t send_window = 5;

}  // namespace atrium
