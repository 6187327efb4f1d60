// What allocating and freeing mean to the race checker.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "interpose/operation.hpp"

namespace atrium::race {

// When the routine has run; `written`: by its caller or by the routine, so that it may be read.
void note_allocated(const interpose::RoutineCall& operation, void* block, size_t bytes, bool written);
// Before the routine runs.
void note_freed(const interpose::RoutineCall& operation);

}  // namespace atrium::race
