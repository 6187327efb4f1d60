// Enters a fault into the job's table, and hands it to the sink that prints it.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "race/model/access.hpp"

namespace atrium::race {

void report_race(Epoch there, Origin where, Epoch epoch, const Access& access, const AccessTarget& target);
// A wait or test has seen a value that a put wrote.
void report_flag(Origin writer, int writer_pe, const Access& access, const ShadowAddress& shadow);
void report_memory(Fault fault, const Access& access, const ShadowAddress& shadow);

// The sink gets each new finding at once, from the thread that has made it; null: there is none. Requires: no other thread calls.
using Sink = void (*)(const RaceReport& report);
void set_sink(Sink sink);

}  // namespace atrium::race
