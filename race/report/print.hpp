// Prints the findings that stand in the job's table.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace atrium::race {

// Prints what has not been printed yet, sorted; only the first PE that calls after expect_reports() does so.
void expect_reports();
void print_findings();
void print_that_nothing_was_found();  // once, when the job has ended
bool anything_found();

}  // namespace atrium::race
