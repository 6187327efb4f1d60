// A fault found: into the job's table, and said.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "race/model/access.hpp"

namespace atrium::race {

void report_race(Epoch there, Origin where, Epoch epoch, const Access& access, const Target& target);
// A wait or test has seen a value that a put wrote.
void report_flag(Origin writer, int writer_pe, const Access& access, const Spot& spot);
void report_memory(Fault fault, const Access& access, const Spot& spot);

// The whole table, sorted, once in a job.
void tell_all();
bool anything_found();

}  // namespace atrium::race
