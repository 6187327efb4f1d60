// Runs what reads debugging information on a stack of its own: the one at hand may be small, and libdw takes a deep one.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace atrium {

// Calls run(subject), and returns when it has. Where there is no memory for a stack, on the one at hand. One thread at a time.
void run_on_deep_stack(void (*run)(const void* subject), const void* subject);

template <class Work>
void on_deep_stack(const Work& work) {
  run_on_deep_stack([](const void* subject) { (*static_cast<const Work*>(subject))(); }, &work);
}

}  // namespace atrium
