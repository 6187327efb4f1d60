// What `oshrun --help` and `oshrun --version` print.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace atrium {

void print_help();
void print_version();

}  // namespace atrium
