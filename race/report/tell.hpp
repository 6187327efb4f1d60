// What people are told of the findings in the job's table.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace atrium::race {

// What has not been told yet, sorted, by the first PE that asks since reports were expected.
void expect_reports();
void tell_findings();
void tell_that_nothing_was_found();  // once, when the job has ended
bool anything_found();

}  // namespace atrium::race
