// What puts and gets, blocking, nonblocking and strided, read and write, and when they are complete.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "interpose/operation.hpp"

namespace atrium::race {

void note_put(const interpose::RoutineCall& put);
void note_get(const interpose::RoutineCall& get);

}  // namespace atrium::race
