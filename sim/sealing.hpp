// How messages are sealed where there is no stranger: a cipher would take a third of a simulation.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "cipher/cipher.hpp"

namespace atrium::sim {

// Nothing is encrypted. What is opened by another key, with another number or of another length than it was sealed is refused.
extern const SealMethod sealed_by_a_sum;

}  // namespace atrium::sim
