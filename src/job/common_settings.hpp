// Settings that all PEs of a job must have alike, because they choose the steps that PEs take together.
//
// A launcher may hand on the variables of its host only, or a script set one for some PEs. Then PEs would wait for each other in
// different algorithms.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "core/result.hpp"

namespace atrium {

// Equal where they are alike, on whichever machine.
uint32_t fingerprint_of_common_settings();

// As the PE says it that has others than the first one.
Error different_settings();

}  // namespace atrium
