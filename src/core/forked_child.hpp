// Whether this process is a child of fork() of a PE.
// SPDX-License-Identifier: BSD-3-Clause
//
// Such a child has the PE's memory and code, exit handlers included, but is no PE: it must not finalize, arrive in
// barriers or speak in the PE's name.
#pragma once

namespace atrium {

// This process is a PE from now on; its children are not.
void be_the_pe();

// In a child of fork(): also where no handler has run (a bare clone).
bool is_forked_child();

}  // namespace atrium
