// A fault found: into the job's table, and to whoever tells people.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "race/model/access.hpp"

namespace atrium::race {

void report_race(Epoch there, Origin where, Epoch epoch, const Access& access, const AccessTarget& target);
// A wait or test has seen a value that a put wrote.
void report_flag(Origin writer, int writer_pe, const Access& access, const Spot& spot);
void report_memory(Fault fault, const Access& access, const Spot& spot);

// Is told of each new finding at once, by the thread that has made it; null: nobody is. Requires: no other thread calls.
using Sink = void (*)(const RaceReport& report);
void set_sink(Sink sink);

}  // namespace atrium::race
