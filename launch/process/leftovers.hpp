// Processes that the PEs started and left behind. They have become children of oshrun (it is their
// subreaper).
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace atrium {

// Collects ended children. False once this process has no child at all.
bool has_children();

// Sends `signal` to every direct child. Their own children become direct ones when they end: call again.
void signal_children(int signal);

}  // namespace atrium
