// A fault found: into the job's table, and said.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "race/model/access.hpp"

namespace atrium::race {

void report_race(Epoch there, Origin where, Epoch epoch, const Access& access, const Target& target);
// A wait or test has seen a value that a put wrote.
void report_flag(Origin writer, int writer_pe, const Access& access, const Spot& spot);
void report_memory(Fault fault, const Access& access, const Spot& spot);

// What has not been told yet, sorted, by the first PE that asks since reports were expected.
void expect_reports();
void tell_findings();
void tell_that_nothing_was_found();  // once, when the job has ended
bool anything_found();

}  // namespace atrium::race
